import type { Page } from '../router/page.ts'

/** Returns the canonical path from the page's data or handle; null if search engines must not index the page. */
export function canonicalPath({ modules, data }: Page): string | null {
  const page = modules.at(-1)
  return page ? (canonicalIn(data) ?? page.handle?.canonical ?? null) : null
}

function canonicalIn(data: unknown): string | null {
  if (typeof data !== 'object' || data === null || !('canonical' in data)) return null
  return typeof data.canonical === 'string' ? data.canonical : null
}
