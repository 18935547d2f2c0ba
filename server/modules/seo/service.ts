import type { Kysely } from 'kysely'
import type { ProductAttribute } from '../../../contract/attributes.ts'
import { bikePath } from '../../../contract/bike-urls.ts'
import { describeClass } from '../../../contract/certificates.ts'
import { choiceSearch } from '../../../contract/choice-urls.ts'
import { nameItem } from '../../../contract/item-names.ts'
import { toDollars } from '../../../contract/money.ts'
import { isGlobalGtin } from '../../../contract/part-numbers.ts'
import { shareImage } from '../../../contract/pictures.ts'
import { isAvailable, minimumOrderPrice, productPath } from '../../../contract/product.ts'
import type { Database } from '../../../db/schema.ts'
import { escapeHtml } from '../../platform/http/html.ts'
import { countFacets, listAttributes, presentValues } from '../catalog/service.ts'
import { listDocumentPaths } from '../content/service.ts'
import { listFittedYears } from '../fitment/service.ts'
import type { SettingsReader } from '../settings/service.ts'
import type { ListedCertificate, ListedPicture, ListedProduct, ListedVariant } from './queries.ts'
import * as queries from './queries.ts'

/** Pages without products. Their last change is unknown. */
const staticPages = ['/', '/products', '/reviews', '/blogs', '/contact-us']

/** The sitemap protocol allows this many URLs in one file. */
const maxEntries = 50_000
const bikesPerSitemap = 25_000

export interface SeoDeps {
  db: Kysely<Database>
  /** Public origin of the shop. */
  origin: string
  settings: SettingsReader
}

export interface Text {
  /** Null if the last change is too recent: the next one could have the same timestamp. */
  changedAt: Date | null
  /** Read with backpressure, so that the memory does not depend on the length. */
  pieces: () => Iterable<string> | AsyncIterable<string>
}

/** Creates the sitemap index: static pages, and one sitemap per chunk of the catalog that is not empty. */
export async function createSitemapIndex({ db, origin }: SeoDeps): Promise<Text> {
  const chunks = await queries.listChunks(db)
  const sitemaps = chunks
    .filter((chunk) => chunk.is_filled)
    .map(({ number, changed_at }) => ({ path: `/sitemaps/products-${number}.xml`, changedAt: changed_at }))
  const bikes = (await listBikePages(db)).map((_, index) => ({ path: `/sitemaps/bikes-${index + 1}.xml` }))
  const entries = [{ path: '/sitemaps/pages.xml' }, ...sitemaps, ...bikes].map((each) =>
    entry('sitemap', origin, each),
  )
  const index = `${head}<sitemapindex ${namespace}>\n${entries.join('')}</sitemapindex>\n`
  // The changes of bike pages have no times.
  return { changedAt: bikes.length > 0 ? null : lastChange(chunks), pieces: () => [index] }
}

/** Creates the sitemap of the static pages, the dealer's own pages and posts, and the lists by kind and by brand. */
export async function createPageSitemap({ db, origin }: SeoDeps): Promise<Text> {
  const { facets } = await countFacets(db, {})
  const lists = [
    ...facets.kind.values.map(({ value }) => new URLSearchParams({ kind: value })),
    ...facets.brand.values.map(({ value }) => new URLSearchParams({ brand: value })),
  ]
  const pages: SitemapEntry[] = [
    ...staticPages.map((path) => ({ path })),
    ...(await listDocumentPaths(db)),
    ...lists.map((search) => ({ path: `/products?${search}` })),
  ]
  const entries = pages.slice(0, maxEntries).map((page) => entry('url', origin, page))
  return { changedAt: null, pieces: () => [sitemapStart, ...entries, sitemapEnd] }
}

/** Creates the sitemap of one catalog chunk. Returns null for an unknown chunk. */
export async function createChunkSitemap({ db, origin }: SeoDeps, number: number): Promise<Text | null> {
  const chunks = (await queries.listChunks(db)).filter((chunk) => chunk.number === number && chunk.is_filled)
  if (chunks.length === 0) return null
  return { changedAt: lastChange(chunks), pieces: () => chunkSitemap(db, origin, number) }
}

/** Creates one of the bike page sitemaps. Returns null for an unknown one. */
export async function createBikeSitemap({ db, origin }: SeoDeps, number: number): Promise<Text | null> {
  const paths = (await listBikePages(db))[number - 1]
  if (!paths) return null
  const entries = paths.map((path) => entry('url', origin, { path }))
  return { changedAt: null, pieces: () => [sitemapStart, ...entries, sitemapEnd] }
}

/** Lists the paths of bike pages in chunks. A year without a part that fits is not listed. */
async function listBikePages(db: Kysely<Database>): Promise<string[][]> {
  const models = await listFittedYears(db)
  const makes = [...new Set(models.map(({ make }) => make))]
  const paths = [
    ...makes.map((make) => bikePath(make)),
    ...models.flatMap(({ make, model, years }) => [
      bikePath(make, model),
      ...years.map((year) => bikePath(make, model, year)),
    ]),
  ]
  if (paths.length === 0) return []
  const all = [bikePath(), ...paths]
  return Array.from({ length: Math.ceil(all.length / bikesPerSitemap) }, (_, index) =>
    all.slice(index * bikesPerSitemap, (index + 1) * bikesPerSitemap),
  )
}

/** Later changes have another time in whole seconds. */
const settledAfterMs = 2_000

/** Creates the product feed for merchant centres. */
export async function createProductFeed(deps: SeoDeps): Promise<Text> {
  const { face } = await deps.settings.read(deps.db, true)
  const namedAt = deps.settings.changedAt()?.getTime() ?? 0
  const chunks = await queries.listChunks(deps.db)
  const listedAt = lastChange(chunks)
  const changedAt = listedAt && new Date(Math.max(listedAt.getTime(), namedAt))
  const isSettled = Date.now() - namedAt > settledAfterMs
  return { changedAt: isSettled ? changedAt : null, pieces: () => productFeed(deps, face.name, chunks) }
}

/** Returns the time of the last change, or null if a chunk is not settled. */
function lastChange(chunks: queries.CatalogChunk[]): Date | null {
  if (chunks.length === 0 || chunks.some((chunk) => !chunk.is_settled)) return null
  return new Date(Math.max(...chunks.map((chunk) => chunk.changed_at.getTime())))
}

const head = '<?xml version="1.0" encoding="UTF-8"?>\n'
const namespace = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'

const sitemapStart = `${head}<urlset ${namespace}>\n`
const sitemapEnd = '</urlset>\n'

interface SitemapEntry {
  path: string
  /** Missing if not known. */
  changedAt?: Date
}

function entry(name: 'sitemap' | 'url', origin: string, { path, changedAt }: SitemapEntry): string {
  return `<${name}>${element('loc', origin + path)}${element('lastmod', changedAt?.toISOString())}</${name}>\n`
}

async function* chunkSitemap(db: Kysely<Database>, origin: string, number: number): AsyncGenerator<string> {
  yield sitemapStart
  for await (const products of queries.iterateChunk(db, number)) {
    const entries = products.map(({ id, name, changed_at }) =>
      entry('url', origin, { path: productPath({ _id: id, name }), changedAt: changed_at }),
    )
    yield entries.join('')
  }
  yield sitemapEnd
}

/** The catalog in the form that merchant centres read: RSS 2.0 with the attributes of Google's namespace. */
async function* productFeed(
  { db, origin }: SeoDeps,
  shopName: string,
  chunks: queries.CatalogChunk[],
): AsyncGenerator<string> {
  yield `${head}<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0">
<channel>
${element('title', shopName)}
${element('link', `${origin}/`)}
${element('description', `Every product of ${shopName}, with its price and whether it is in stock.`)}
`
  const definitions = new Map((await listAttributes(db)).map(({ kind, attributes }) => [kind, attributes]))
  for (const { number } of chunks) {
    for await (const products of queries.iterateChunk(db, number)) {
      const ids = products.map(({ id }) => id)
      const toProductId = (row: { product_id: string }) => row.product_id
      const variants = Map.groupBy(await queries.listVariants(db, ids), toProductId)
      const pictures = Map.groupBy(await queries.listPictures(db, ids), toProductId)
      const certificates = Map.groupBy(await queries.listCertificates(db, ids), toProductId)
      yield products
        .flatMap((product) => {
          const { id, kind } = product
          const rest = {
            pictures: pictures.get(id) ?? [],
            certificates: certificates.get(id) ?? [],
            values: presentValues(definitions.get(kind ?? '') ?? [], product.attributes),
          }
          return (variants.get(id) ?? []).map((variant) => item(origin, product, variant, rest))
        })
        .join('')
    }
  }
  yield '</channel>\n</rss>\n'
}

/** Merchant centres accept this many pictures beside the first one. */
const maxMorePictures = 10

/** Google requires these attributes for clothing, and accepts only these values. */
const genders = ['male', 'female', 'unisex']
const ageGroups = ['newborn', 'infant', 'toddler', 'kids', 'adult']

/** Returns the value of the attribute with this name, ignoring case. Null if it is not one of the texts. */
function findValue(values: ProductAttribute[], name: string, texts: string[]): string | null {
  const value = values.find((each) => each.name.toLowerCase() === name)?.value
  return texts.find((text) => text === String(value).toLowerCase()) ?? null
}

interface ProductDetails {
  pictures: ListedPicture[]
  certificates: ListedCertificate[]
  /** The values of the attributes that the kind of part defines. */
  values: ProductAttribute[]
}

/** A variant of a product. A product's variants are a group, unless it has only one without a size or colour. */
function item(
  origin: string,
  product: ListedProduct,
  variant: ListedVariant,
  { pictures, certificates, values }: ProductDetails,
): string {
  const { brand, minimum_quantity: minimum } = product
  const { sku, size, colour } = variant
  const gtin = variant.gtin && isGlobalGtin(variant.gtin) ? variant.gtin : null
  const name = toXmlText(product.name) || product.id
  const hasOwnOptions = product.options === 'variants'
  const path = productPath({ _id: product.id, name: product.name })
  const choice = { size: size ?? undefined, colour: colour ?? undefined }
  const unitPrice = toDollars(variant.price_cents ?? product.price_cents)
  const image = variant.image ?? product.image
  const others = pictures.filter((each) => each.image !== image && (!each.colour || each.colour === colour))
  const attributes: Record<string, string | null> = {
    id: variant.id,
    item_group_id: hasOwnOptions ? product.id : null,
    size,
    color: colour,
    gender: findValue(values, 'gender', genders),
    age_group: findValue(values, 'age group', ageGroups),
    title: cut(nameItem({ name, size, colour }), 150),
    description: cut(toXmlText(product.description) || name, 5000),
    link: origin + path + (hasOwnOptions ? choiceSearch(choice) : ''),
    image_link: shareImage(origin, image).url,
    availability: isAvailable(variant.stock, minimum) ? 'in_stock' : 'out_of_stock',
    // Merchant centres require the price of the minimum order, and show the price of one piece next to it.
    price: `${minimumOrderPrice(unitPrice, minimum).toFixed(2)} USD`,
    unit_pricing_measure: minimum > 1 ? `${minimum} ct` : null,
    unit_pricing_base_measure: minimum > 1 ? '1 ct' : null,
    condition: 'new',
    brand: brand && cut(brand, 70),
    gtin,
    mpn: sku,
    identifier_exists: gtin || (brand && sku) ? null : 'no',
    product_type: product.kind && `Motorcycle parts and gear > ${product.kind}`,
  }
  const lines = Object.entries(attributes).map(([name, value]) => element(`g:${name}`, value))
  const more = [
    ...others
      .slice(0, maxMorePictures)
      .map((each) => element('g:additional_image_link', shareImage(origin, each.image).url)),
    ...certificates.map(certificateDetail),
  ]
  return `<item>${[...lines, ...more].join('')}</item>\n`
}

/** The attribute `certification` takes only schemes that Google lists, so certificates are product details. */
function certificateDetail(certificate: ListedCertificate): string {
  const { standard, zone } = certificate
  return `<g:product_detail>${[
    element('g:section_name', 'Safety certificates'),
    element('g:attribute_name', [standard, zone].filter(Boolean).join(', ')),
    element('g:attribute_value', describeClass(certificate) || 'certified'),
  ].join('')}</g:product_detail>`
}

/** The beginning of a text, in whole characters. */
const cut = (text: string, maxLength: number): string =>
  text.length <= maxLength ? text : Array.from(text).slice(0, maxLength).join('')

/** Characters that XML 1.0 forbids: most control characters, lone surrogates, U+FFFE and U+FFFF. */
const forbidden = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu

const toXmlText = (text: string): string => text.replaceAll(forbidden, '')

/** Returns an XML element with this text, or an empty string if the text is missing or has no character that XML can contain. */
function element(name: string, text: string | null | undefined): string {
  const content = toXmlText(text ?? '')
  return content && `<${name}>${escapeHtml(content)}</${name}>`
}
