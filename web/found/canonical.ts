/** A page as the router matched it, on the server and in the browser. */
export interface MatchedPage {
  handle?: unknown
  loaderData?: unknown
}

/**
 * The path under which search engines shall know the page: what its loader found out, or what its route's handle says.
 * A page that says nothing of it is for nobody but who opens it.
 */
export function canonicalPath(page: MatchedPage | undefined): string | null {
  return canonicalIn(page?.loaderData) ?? canonicalIn(page?.handle)
}

function canonicalIn(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || !('canonical' in value)) return null
  return typeof value.canonical === 'string' ? value.canonical : null
}
