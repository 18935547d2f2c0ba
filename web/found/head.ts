import { shopName } from '../../contract/shop.ts'
import type { PublicSettings, ShopReads } from '../context.ts'
import type { Page } from '../router/page.ts'
import { canonicalPath } from './canonical.ts'
import type { Statement } from './json-ld.ts'
import { dataBlock, metaTag } from './markup.ts'
import { describers } from './pages.ts'

/** What a page tells machines of itself. */
export interface Description {
  statements: Statement[]
  /** What it is in the words of the Open Graph protocol. */
  type: 'website' | 'product'
  /** The picture that stands for it where its address is shared: a path, or an address elsewhere. */
  picture: string
  /** What else its type has to say in that protocol. */
  more?: Record<string, string>
}

export const cardSize = { width: 1200, height: 630 }

/**
 * The part of a document's head that only programs read: Open Graph, and what it says of itself in schema.org's words.
 * Written by the server alone, so that no browser loads a line for it. Nothing where the page is not to be found.
 *
 * @param name of the page's file
 */
export async function describedFor(
  name: string | undefined,
  page: Page,
  { origin }: PublicSettings,
  shop: ShopReads,
): Promise<string> {
  const path = canonicalPath(page)
  if (path === null) return ''
  const describe = describers[name ?? '']
  const {
    statements,
    type,
    picture,
    more = {},
  } = await (describe?.(page.data as never, origin, shop) ?? still(shop))
  return [
    metaTag('property', 'og:site_name', shopName),
    metaTag('property', 'og:type', type),
    metaTag('property', 'og:url', origin + path),
    metaTag('property', 'og:image', origin + picture),
    metaTag('property', 'og:image:width', cardSize.width),
    metaTag('property', 'og:image:height', cardSize.height),
    ...Object.entries(more).map(([property, content]) => metaTag('property', property, content)),
    metaTag('name', 'twitter:card', 'summary_large_image'),
    ...statements.map(dataBlock),
  ].join('')
}

const still = async (shop: ShopReads): Promise<Description> => ({
  statements: [],
  type: 'website',
  picture: await shop.cardOf(null),
})
