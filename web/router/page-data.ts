const suffix = '.data'
/** The path of the home page has no last segment for the suffix. */
const home = `/_${suffix}`

/** Returns the path that serves only the data of a page. */
export const pageDataPath = (pathname: string): string =>
  pathname === '/' ? home : pathname.replace(/\/$/, '') + suffix

/** Returns the page of a data path; undefined for any other path. */
export function toPagePath(pathname: string): string | undefined {
  if (pathname === home) return '/'
  return pathname.endsWith(suffix) ? pathname.slice(0, -suffix.length) : undefined
}
