import type { Kysely } from 'kysely'
import type { Database } from '../../../db/schema.ts'
import { countFacets } from '../catalog/service.ts'
import { productFeed } from './feed.ts'
import * as queries from './queries.ts'
import { productEntry, type SitemapEntry, sitemap, sitemapIndex } from './sitemap.ts'

/** The pages that are not made of products. When they changed, no one knows. */
const staticPages: SitemapEntry[] = ['/', '/products', '/reviews', '/blogs', '/contact-us'].map((path) => ({
  path,
}))

/** As many as the protocol allows in one. */
const maxEntries = 50_000

export interface SeoDeps {
  db: Kysely<Database>
  /** The shop's public address. */
  origin: string
  shopName: string
}

export interface Text {
  /** Null if it changed so lately that the next change could look the same. */
  changedAt: Date | null
  pieces: () => AsyncIterable<string>
}

/** The sitemap of all sitemaps: one of the still pages, and one for each part of the catalog that is not empty. */
export async function indexOfSitemaps({ db, origin }: SeoDeps): Promise<Text> {
  const chunks = await queries.listChunks(db)
  const sitemaps = chunks
    .filter((chunk) => chunk.is_filled)
    .map(({ number, changed_at }) => ({ path: `/sitemaps/products-${number}.xml`, changedAt: changed_at }))
  const index = sitemapIndex(origin, [{ path: '/sitemaps/pages.xml' }, ...sitemaps])
  return { changedAt: lastChange(chunks), pieces: () => one(index) }
}

/** The still pages, and the list of each kind and each brand. */
export async function sitemapOfPages({ db, origin }: SeoDeps): Promise<Text> {
  const { facets } = await countFacets(db, {})
  const lists = [
    ...facets.kind.values.map(({ value }) => new URLSearchParams({ kind: value })),
    ...facets.brand.values.map(({ value }) => new URLSearchParams({ brand: value })),
  ]
  const entries = [...staticPages, ...lists.map((search) => ({ path: `/products?${search}` }))]
  return { changedAt: null, pieces: () => sitemap(origin, one(entries.slice(0, maxEntries))) }
}

/** The sitemap of a part of the catalog; null if there is none of that number. */
export async function sitemapOfChunk({ db, origin }: SeoDeps, number: number): Promise<Text | null> {
  const chunks = (await queries.listChunks(db)).filter((chunk) => chunk.number === number && chunk.is_filled)
  if (chunks.length === 0) return null
  return { changedAt: lastChange(chunks), pieces: () => sitemap(origin, listEntries(db, number)) }
}

/** Every product, for merchant centres. */
export async function feedOfProducts({ db, origin, shopName }: SeoDeps): Promise<Text> {
  const chunks = await queries.listChunks(db)
  const shop = { origin, name: shopName }
  return { changedAt: lastChange(chunks), pieces: () => productFeed(shop, listProductsFor(db, chunks)) }
}

async function* listProductsFor(db: Kysely<Database>, chunks: queries.CatalogChunk[]) {
  for (const { number } of chunks) yield* queries.iterateChunk(db, number)
}

async function* listEntries(db: Kysely<Database>, number: number) {
  for await (const products of queries.iterateChunk(db, number)) yield products.map(productEntry)
}

async function* one<Piece>(piece: Piece): AsyncGenerator<Piece> {
  yield piece
}

/** When any of the parts last changed. */
function lastChange(chunks: queries.CatalogChunk[]): Date | null {
  if (chunks.length === 0 || chunks.some((chunk) => !chunk.is_settled)) return null
  return new Date(Math.max(...chunks.map((chunk) => chunk.changed_at.getTime())))
}
