import { Kysely, PostgresDialect, sql } from 'kysely'
import { Pool, type QueryConfig } from 'pg'
import { ProductQuery } from '../contract/catalog.ts'
import type { Database } from '../db/schema.ts'
import * as catalog from '../server/modules/catalog/service.ts'
import { cleanup } from '../tests/hardening/cleanup.ts'
import type { ShopUnderTest } from '../tests/hardening/shop-under-test.ts'
import { median } from '../tests/quantiles.ts'
import { openCatalog } from './catalog-under-test.ts'
import { load } from './load.ts'
import { alternate, atLeast, type Measure, type Row } from './measure.ts'
import { productQueries } from './queries.ts'

const connections = 16
const rounds = 4
const seconds = 4
/** Queries to warm up each side: Postgres plans a statement again five times per connection. */
const warmUp = 15_000
/** Long enough to record more queries than 16 connections send. */
const recordingMs = 4 * rounds * seconds * 1000
/** More queries than are recorded or sent in that time. */
const queryCount = 50_000
/** Seed of the warm-up, so that its queries differ from the measured ones. */
const warmUpSeed = 3

/** Uncached pages and API responses, against only their SQL through `pg`. */
export const uncached: Measure = {
  name: 'uncached',
  async run(print) {
    const shop = await openCatalog(100_000, print)
    return [
      await compare(shop, print, {
        what: 'product list page, never seen before',
        path: '/products',
        seed: 1,
        read: readListPage,
      }),
      await compare(shop, print, {
        what: 'GET /api/products, never seen before',
        path: '/api/products',
        seed: 2,
        read: readList,
      }),
      await compareUnknownPaths(shop, print),
    ]
  },
}

const redirects = 100_000

/** Compares paths without a page in a shop with many redirects, none of which they have, with a shop without any. */
async function compareUnknownPaths(shop: ShopUnderTest, print: (progress: string) => void): Promise<Row> {
  const what = `path without a page, with ${redirects.toLocaleString('en')} redirects against none`
  const { origin } = shop.processes[0]
  let next = 0
  const measure = async (count: number) => {
    await sql`truncate redirects`.execute(shop.db)
    await sql`
      insert into redirects (path, target, source)
      select '/products/old-' || n, '/products', 'file' from generate_series(1, ${count}::integer) as n`.execute(
      shop.db,
    )
    await sql`analyze redirects`.execute(shop.db)
    const request = () => ({ method: 'GET' as const, path: `/products/unknown-${next++}` })
    return (await load({ origin, connections, seconds, request, areMissing: true })).perSecond
  }
  const rates = await alternate(
    () => measure(redirects),
    () => measure(0),
    what,
    print,
    rounds,
  )
  return atLeast(0.7, { what, unit: '/s', ...rates })
}

/** Runs the queries of a product list page. */
export const readListPage: ReadQuery = async (db, query) => {
  await catalog.listProducts(db, query)
  await catalog.countFacets(db, query)
}

/** Runs the queries of GET /api/products. */
export const readList: ReadQuery = (db, query) => catalog.listProducts(db, query)

interface Uncached {
  what: string
  path: string
  seed: number
  /** Runs the queries of the path. */
  read: ReadQuery
}

export type ReadQuery = (db: Kysely<Database>, query: ProductQuery) => Promise<unknown>

async function compare(
  shop: ShopUnderTest,
  print: (progress: string) => void,
  { what, path, seed, read }: Uncached,
): Promise<Row> {
  const { kinds, brands } = await filterValues(shop)
  print(`${what}: recording statements for ${recordingMs / 1000} s`)
  const recorded = await recordSql(shop.databaseUrl, productQueries(queryCount, seed, kinds, brands), read)
  const warmUpQueries = productQueries(queryCount, warmUpSeed, kinds, brands)
  const next = { ours: 0, warmUpQueries: 0, warm: 0 }
  const request = () => {
    const query = recorded[next.ours++]?.query
    if (query === undefined) throw new Error(`only ${recorded.length} queries were recorded`)
    return { method: 'GET' as const, path: `${path}?${query}` }
  }
  // The options of the shop's own connections.
  const options = '-c jit=off'
  const pool = new Pool({ connectionString: shop.databaseUrl, max: connections, options })
  cleanup.add(() => pool.end())
  const { origin } = shop.processes[0]
  const rates: { ours: number[]; limit: number[] } = { ours: [], limit: [] }
  print(`${what}: both warm up`)
  const warm = () => ({ method: 'GET' as const, path: `${path}?${warmUpQueries[next.warmUpQueries++]}` })
  while (next.warmUpQueries < warmUp) await load({ origin, connections, seconds, request: warm })
  const pickAny = (some: Recorded[]) => () => some[next.warm++ % some.length]?.statements ?? []
  while (next.warm < warmUp) await runSql(pool, pickAny(recorded), seconds)
  for (let round = 1; round <= rounds; round++) {
    const first = next.ours
    const { perSecond } = await load({ origin, connections, seconds, request })
    // Queries do not repeat, so later ones are rarer and find less. Both sides run the same queries.
    const limit = await runSql(pool, pickAny(recorded.slice(first, next.ours)), seconds)
    rates.ours.push(perSecond)
    rates.limit.push(limit)
    print(
      `${what}: round ${round} of ${rounds}, ${Math.round(perSecond)} against ${Math.round(limit)} a second`,
    )
  }
  return atLeast(0.4, { what, unit: '/s', ours: median(rates.ours), limit: median(rates.limit) })
}

/** Returns the kinds and brands that the list can be filtered by. */
export async function filterValues({ db }: ShopUnderTest) {
  const { facets } = await catalog.countFacets(db, {})
  return { kinds: facets.kind.values.map(toValue), brands: facets.brand.values.map(toValue) }
}

const toValue = ({ value }: { value: string }) => value

export interface Recorded {
  query: string
  statements: QueryConfig[]
}

/** Returns the SQL statements of each query, with their values. Stops after `recordingMs`. */
export async function recordSql(url: string, queries: string[], read: ReadQuery): Promise<Recorded[]> {
  let recorded: QueryConfig[] = []
  const names = new Map<string, string>()
  const db = new Kysely<Database>({
    dialect: new PostgresDialect({ pool: new Pool({ connectionString: url, max: 1 }) }),
    log({ query }) {
      const name = names.get(query.sql) ?? `s${names.size}`
      names.set(query.sql, name)
      recorded.push({ name, text: query.sql, values: [...query.parameters] })
    },
  })
  cleanup.add(() => db.destroy())
  await sql`select 1`.execute(db)
  const all: Recorded[] = []
  const began = performance.now()
  for (const query of queries) {
    if (performance.now() - began > recordingMs) break
    recorded = []
    await read(db, ProductQuery.parse(Object.fromEntries(new URLSearchParams(query))))
    all.push({ query, statements: recorded })
  }
  return all
}

/** Runs the statements of queries with as many callers as the shop has. Returns queries per second. */
export async function runSql(pool: Pool, next: () => QueryConfig[], seconds: number): Promise<number> {
  const began = performance.now()
  const hasEnded = () => performance.now() - began > seconds * 1000
  let done = 0
  const caller = async (): Promise<void> => {
    for (; !hasEnded(); done++) for (const statement of next()) await pool.query(statement)
  }
  await Promise.all(Array.from({ length: connections }, caller))
  return (done * 1000) / (performance.now() - began)
}
