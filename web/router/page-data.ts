const suffix = '.data'
/** The home page has no name that could take the suffix. */
const home = `/_${suffix}`

/** The path that answers a page's data alone. */
export const pageDataPath = (pathname: string): string =>
  pathname === '/' ? home : pathname.replace(/\/$/, '') + suffix

/** The path of the page whose data are asked for; undefined if a page itself is. */
export function pathOfData(pathname: string): string | undefined {
  if (pathname === home) return '/'
  return pathname.endsWith(suffix) ? pathname.slice(0, -suffix.length) : undefined
}
