import type { PublicSettings } from '../page-context.ts'
import type { Page } from '../router/page.ts'
import { brand, errorPageTitle } from '../texts.ts'

interface HeadTag {
  tag: 'meta' | 'link'
  attributes: Record<string, string>
}

export interface PageHead {
  title: string
  tags: HeadTag[]
}

/** Returns title and head tags of a page, for the server and for navigations in the browser. */
export function pageHead(page: Page, origin: string): PageHead {
  const { modules, data, status } = page
  const { title, description } = modules.at(-1)?.meta?.(data as never) ?? errorPageMeta(status)
  const path = canonicalPath(page)
  return {
    title: `${title} · ${brand}`,
    tags: [
      property('og:title', title),
      ...(description ? [named('description', description), property('og:description', description)] : []),
      // A page without a canonical path must not be indexed.
      path === null
        ? named('robots', 'noindex')
        : { tag: 'link', attributes: { rel: 'canonical', href: origin + path } },
    ],
  }
}

const named = (name: string, content: string): HeadTag => ({ tag: 'meta', attributes: { name, content } })
const property = (property: string, content: string): HeadTag => ({
  tag: 'meta',
  attributes: { property, content },
})

const errorPageMeta = (status: number) => ({ title: errorPageTitle(status), description: undefined })

/** Selects the head elements that belong to a single page. */
const pageElements =
  'meta[property],meta[name^="twitter"],meta[name="description"],meta[name="robots"],link[rel="canonical"],script[type="application/ld+json"]'

/** Replaces the document's title and head tags after a navigation. */
export function updateHead(page: Page, { origin }: PublicSettings): void {
  const { title, tags } = pageHead(page, origin)
  document.title = title
  for (const element of document.head.querySelectorAll(pageElements)) element.remove()
  for (const { tag, attributes } of tags) {
    const element = document.createElement(tag)
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
    document.head.append(element)
  }
}

/** Returns the canonical path from the page's data or handle; null if search engines must not index the page. */
export function canonicalPath({ modules, data }: Page): string | null {
  const page = modules.at(-1)
  return page ? (canonicalIn(data) ?? page.handle?.canonical ?? null) : null
}

function canonicalIn(data: unknown): string | null {
  if (typeof data !== 'object' || data === null || !('canonical' in data)) return null
  return typeof data.canonical === 'string' ? data.canonical : null
}
