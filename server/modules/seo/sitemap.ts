import { productPath } from '../../../contract/product-path.ts'
import { element } from '../../platform/xml.ts'
import type { ListedProduct } from './queries.ts'

const head = '<?xml version="1.0" encoding="UTF-8"?>\n'
const namespace = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'

export interface SitemapEntry {
  path: string
  /** Where no one knows when it changed, nothing is claimed. */
  changedAt?: Date
}

/** The index of all sitemaps. */
export function sitemapIndex(origin: string, sitemaps: SitemapEntry[]): string {
  return `${head}<sitemapindex ${namespace}>\n${sitemaps.map((each) => entry('sitemap', origin, each)).join('')}</sitemapindex>\n`
}

/** A sitemap, piece by piece. */
export async function* sitemap(
  origin: string,
  entries: AsyncIterable<SitemapEntry[]>,
): AsyncGenerator<string> {
  yield `${head}<urlset ${namespace}>\n`
  for await (const some of entries) yield some.map((each) => entry('url', origin, each)).join('')
  yield '</urlset>\n'
}

function entry(name: 'sitemap' | 'url', origin: string, { path, changedAt }: SitemapEntry): string {
  return `<${name}>${element('loc', origin + path)}${element('lastmod', changedAt?.toISOString())}</${name}>\n`
}

/** A product's page in a sitemap. */
export const productEntry = (product: ListedProduct): SitemapEntry => ({
  path: productPath({ _id: product.id, name: product.name }),
  changedAt: product.changed_at,
})
