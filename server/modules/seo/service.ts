import type { Kysely } from 'kysely'
import type { Database } from '../../../db/schema.ts'
import { countFacets } from '../catalog/service.ts'
import { productFeed } from './feed.ts'
import * as queries from './queries.ts'
import { productEntry, type SitemapEntry, sitemap, sitemapIndex } from './sitemap.ts'

/** The pages that are not made of products. When they changed, nobody knows. */
const stillPages: SitemapEntry[] = ['/', '/products', '/reviews', '/blogs', '/contact-us'].map((path) => ({
  path,
}))

/** As many as the protocol allows in one. */
const mostEntries = 50_000

export interface DiscoveryDeps {
  db: Kysely<Database>
  /** The shop's public address. */
  origin: string
  shopName: string
}

export interface Text {
  /** Null where it changed so lately that the next change could look the same. */
  changedAt: Date | null
  pieces: () => AsyncIterable<string>
}

/** The sitemap of all sitemaps: one of the still pages, and one for each part of the catalogue that is not empty. */
export async function indexOfSitemaps({ db, origin }: DiscoveryDeps): Promise<Text> {
  const parts = await queries.listParts(db)
  const sitemaps = parts
    .filter((part) => part.is_filled)
    .map(({ number, changed_at }) => ({ path: `/sitemaps/products-${number}.xml`, changedAt: changed_at }))
  const index = sitemapIndex(origin, [{ path: '/sitemaps/pages.xml' }, ...sitemaps])
  return { changedAt: lastChange(parts), pieces: () => one(index) }
}

/** The still pages, and the list of each kind and each brand. */
export async function sitemapOfPages({ db, origin }: DiscoveryDeps): Promise<Text> {
  const { facets } = await countFacets(db, {})
  const lists = [
    ...facets.kind.values.map(({ value }) => new URLSearchParams({ kind: value })),
    ...facets.brand.values.map(({ value }) => new URLSearchParams({ brand: value })),
  ]
  const entries = [...stillPages, ...lists.map((search) => ({ path: `/products?${search}` }))]
  return { changedAt: null, pieces: () => sitemap(origin, one(entries.slice(0, mostEntries))) }
}

/** The sitemap of a part of the catalogue; null where there is none of that number. */
export async function sitemapOfPart({ db, origin }: DiscoveryDeps, number: number): Promise<Text | null> {
  const parts = (await queries.listParts(db)).filter((part) => part.number === number && part.is_filled)
  if (parts.length === 0) return null
  return { changedAt: lastChange(parts), pieces: () => sitemap(origin, entriesOf(db, number)) }
}

/** Every product, for merchant centres. */
export async function feedOfProducts({ db, origin, shopName }: DiscoveryDeps): Promise<Text> {
  const parts = await queries.listParts(db)
  const shop = { origin, name: shopName }
  return { changedAt: lastChange(parts), pieces: () => productFeed(shop, productsOf(db, parts)) }
}

async function* productsOf(db: Kysely<Database>, parts: queries.CataloguePart[]) {
  for (const { number } of parts) yield* queries.walkPart(db, number)
}

async function* entriesOf(db: Kysely<Database>, number: number) {
  for await (const products of queries.walkPart(db, number)) yield products.map(productEntry)
}

async function* one<Piece>(piece: Piece): AsyncGenerator<Piece> {
  yield piece
}

/** When any of the parts last changed. */
function lastChange(parts: queries.CataloguePart[]): Date | null {
  if (parts.length === 0 || parts.some((part) => !part.is_settled)) return null
  return new Date(Math.max(...parts.map((part) => part.changed_at.getTime())))
}
