import { type ShareImage, shopShareImage } from '../../contract/pictures.ts'
import { shopName } from '../../contract/shop.ts'
import type { PublicSettings } from '../page-context.ts'
import type { Page } from '../router/page.ts'
import { canonicalPath } from './canonical.ts'
import type { JsonLd } from './json-ld.ts'
import { dataBlock, metaTag } from './markup.ts'
import { pageStructuredData } from './page-json-ld.ts'

/** JSON-LD and Open Graph data of a page. */
export interface PageStructuredData {
  jsonLd: JsonLd[]
  /** The Open Graph type. */
  type: 'website' | 'product'
  image: ShareImage
  /** More Open Graph properties of that type. */
  more?: Record<string, string>
}

/**
 * Renders the Open Graph tags and JSON-LD of a page; empty if it has no canonical path.
 * Only the server calls it, so that browsers do not load this code.
 *
 * @param name of the page's file in `web/pages/`
 */
export function renderStructuredData(
  name: string | undefined,
  page: Page,
  { origin }: PublicSettings,
): string {
  const path = canonicalPath(page)
  if (path === null) return ''
  const describe = pageStructuredData[name ?? '']
  const {
    jsonLd,
    type,
    image,
    more = {},
  } = describe?.(page.data as never, origin) ?? defaultStructuredData(origin)
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

const defaultStructuredData = (origin: string): PageStructuredData => ({
  jsonLd: [],
  type: 'website',
  image: shopShareImage(origin),
})
