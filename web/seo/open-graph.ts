import { type ShareImage, shopShareImage } from '../../contract/pictures.ts'
import { shopName } from '../../contract/shop.ts'
import type { PublicSettings } from '../page-context.ts'
import type { Page } from '../router/page.ts'
import { canonicalPath } from './canonical.ts'
import type { JsonLd } from './json-ld.ts'
import { dataBlock, metaTag } from './markup.ts'
import { pageStructuredData } from './page-json-ld.ts'

/** What a page tells machines of itself. */
export interface PageStructuredData {
  jsonLd: JsonLd[]
  /** What it is in the words of the Open Graph protocol. */
  type: 'website' | 'product'
  image: ShareImage
  /** What else its type has to say in that protocol. */
  more?: Record<string, string>
}

/**
 * The part of a document's head that only programs read: Open Graph, and what it says of itself in schema.org's words.
 * Written by the server alone, so that no browser loads a line for it. Nothing where the page is not to be found.
 *
 * @param name of the page's file
 */
export function renderStructuredData(
  name: string | undefined,
  page: Page,
  { origin }: PublicSettings,
): string {
  const path = canonicalPath(page)
  if (path === null) return ''
  const describe = pageStructuredData[name ?? '']
  const { jsonLd, type, image, more = {} } = describe?.(page.data as never, origin) ?? still(origin)
  const { width, height } = image.size ?? {}
  const openGraph = {
    'og:site_name': shopName,
    'og:type': type,
    'og:url': origin + path,
    'og:image': image.url,
    ...(width && { 'og:image:width': width, 'og:image:height': height }),
    ...more,
  }
  return [
    ...Object.entries(openGraph).map(([property, content]) => metaTag('property', property, `${content}`)),
    metaTag('name', 'twitter:card', 'summary_large_image'),
    ...jsonLd.map(dataBlock),
  ].join('')
}

const still = (origin: string): PageStructuredData => ({
  jsonLd: [],
  type: 'website',
  image: shopShareImage(origin),
})
