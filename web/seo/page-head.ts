import type { PublicSettings } from '../page-context.ts'
import type { Page, PageMeta } from '../router/page.ts'
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
  const { title, description, canonical } = readMeta(page)
  return {
    title: `${title} · ${brand}`,
    tags: [
      property('og:title', title),
      ...(description ? [named('description', description), property('og:description', description)] : []),
      // A page without a canonical path must not be indexed.
      canonical
        ? { tag: 'link', attributes: { rel: 'canonical', href: origin + canonical } }
        : named('robots', 'noindex'),
    ],
  }
}

const named = (name: string, content: string): HeadTag => ({ tag: 'meta', attributes: { name, content } })
const property = (property: string, content: string): HeadTag => ({
  tag: 'meta',
  attributes: { property, content },
})

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

/** Returns title, description and canonical path of a page or error page. */
export const readMeta = ({ modules, data, status }: Page): PageMeta =>
  modules.at(-1)?.meta?.(data as never) ?? { title: errorPageTitle(status) }
