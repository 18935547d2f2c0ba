import type { Kysely } from 'kysely'
import type { Database } from '../../../db/schema.ts'
import { countFacets } from '../catalog/service.ts'
import { productFeed } from './feed.ts'
import * as queries from './queries.ts'
import { productEntry, type SitemapEntry, sitemap, sitemapIndex } from './sitemap.ts'

/** Pages without products. Their last change is unknown. */
const staticPages: SitemapEntry[] = ['/', '/products', '/reviews', '/blogs', '/contact-us'].map((path) => ({
  path,
}))

/** The sitemap protocol allows this many URLs in one file. */
const maxEntries = 50_000

export interface SeoDeps {
  db: Kysely<Database>
  /** Public origin of the shop. */
  origin: string
  shopName: string
}

export interface Text {
  /** Null if the last change is too recent: the next one could have the same timestamp. */
  changedAt: Date | null
  pieces: () => AsyncIterable<string>
}

/** Creates the sitemap index: static pages, and one sitemap per chunk of the catalog that is not empty. */
export async function createSitemapIndex({ db, origin }: SeoDeps): Promise<Text> {
  const chunks = await queries.listChunks(db)
  const sitemaps = chunks
    .filter((chunk) => chunk.is_filled)
    .map(({ number, changed_at }) => ({ path: `/sitemaps/products-${number}.xml`, changedAt: changed_at }))
  const index = sitemapIndex(origin, [{ path: '/sitemaps/pages.xml' }, ...sitemaps])
  return { changedAt: lastChange(chunks), pieces: () => one(index) }
}

/** Creates the sitemap of the static pages and of the list of each kind and brand. */
export async function createPageSitemap({ db, origin }: SeoDeps): Promise<Text> {
  const { facets } = await countFacets(db, {})
  const lists = [
    ...facets.kind.values.map(({ value }) => new URLSearchParams({ kind: value })),
    ...facets.brand.values.map(({ value }) => new URLSearchParams({ brand: value })),
  ]
  const entries = [...staticPages, ...lists.map((search) => ({ path: `/products?${search}` }))]
  return { changedAt: null, pieces: () => sitemap(origin, one(entries.slice(0, maxEntries))) }
}

/** Creates the sitemap of one chunk of the catalog. Returns null for an unknown chunk. */
export async function createChunkSitemap({ db, origin }: SeoDeps, number: number): Promise<Text | null> {
  const chunks = (await queries.listChunks(db)).filter((chunk) => chunk.number === number && chunk.is_filled)
  if (chunks.length === 0) return null
  return { changedAt: lastChange(chunks), pieces: () => sitemap(origin, listEntries(db, number)) }
}

/** Creates the product feed for merchant centres. */
export async function createProductFeed({ db, origin, shopName }: SeoDeps): Promise<Text> {
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

/** Returns the time of the last change, or null if a chunk is not settled. */
function lastChange(chunks: queries.CatalogChunk[]): Date | null {
  if (chunks.length === 0 || chunks.some((chunk) => !chunk.is_settled)) return null
  return new Date(Math.max(...chunks.map((chunk) => chunk.changed_at.getTime())))
}
