import type { Page } from '../router/page.ts'

/**
 * The path under which search engines shall know the page: what its loader found out, or what its handle says.
 * A page that says nothing of it is for no one but who opens it.
 */
export function canonicalPath({ modules, data }: Page): string | null {
  const page = modules.at(-1)
  return page ? (canonicalIn(data) ?? page.handle?.canonical ?? null) : null
}

function canonicalIn(data: unknown): string | null {
  if (typeof data !== 'object' || data === null || !('canonical' in data)) return null
  return typeof data.canonical === 'string' ? data.canonical : null
}
