import { Kysely, PostgresDialect, sql } from 'kysely'
import { Pool, type QueryConfig } from 'pg'
import { ProductQuery } from '../contract/catalog.ts'
import type { Database } from '../db/schema.ts'
import * as catalog from '../server/modules/catalog/service.ts'
import { ending } from '../tests/hardening/cleanup.ts'
import type { ShopUnderTest } from '../tests/hardening/shop-under-test.ts'
import { openCatalog } from './catalog-under-test.ts'
import { load } from './load.ts'
import { atLeast, type Measure, median, type Row } from './measure.ts'
import { productQueries } from './queries.ts'

const connections = 16
const rounds = 3
const seconds = 4
/**
 * So many queries both sides answer before they count: Postgres plans a statement again the first five times on each
 * connection, and there are some hundred statements.
 */
const warmUp = 15_000
/** So long the statements of query after query are noted, by one caller: more than 16 ask for in their time. */
const notedFor = 4 * rounds * seconds * 1000
/** More than are noted, or asked for, in that time. */
const enough = 50_000
/** No one draws these queries while it counts. */
const warmSeed = 3

/** Pages and answers that no one has asked for, against the SQL that they need, through `pg` alone. */
export const uncached: Measure = {
  name: 'unseen',
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
    ]
  },
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
  /** What the path reads. */
  read: ReadQuery
}

export type ReadQuery = (db: Kysely<Database>, query: ProductQuery) => Promise<unknown>

async function compare(
  shop: ShopUnderTest,
  print: (progress: string) => void,
  { what, path, seed, read }: Uncached,
): Promise<Row> {
  const { kinds, brands } = await filterValues(shop)
  print(`${what}: noting statements for ${notedFor / 1000} s`)
  const noted = await noteStatements(shop.databaseUrl, productQueries(enough, seed, kinds, brands), read)
  const others = productQueries(enough, warmSeed, kinds, brands)
  const next = { ours: 0, others: 0, warm: 0 }
  const request = () => {
    const query = noted[next.ours++]?.query
    if (query === undefined) throw new Error(`more than ${noted.length} were asked for: too few were noted`)
    return { method: 'GET' as const, path: `${path}?${query}` }
  }
  // As the shop's own connections are.
  const options = '-c jit=off'
  const pool = new Pool({ connectionString: shop.databaseUrl, max: connections, options })
  ending.add(() => pool.end())
  const { origin } = shop.processes[0]
  const rates: { ours: number[]; limit: number[] } = { ours: [], limit: [] }
  print(`${what}: both warm up`)
  const warm = () => ({ method: 'GET' as const, path: `${path}?${others[next.others++]}` })
  while (next.others < warmUp) await load({ origin, connections, seconds, request: warm })
  const pickAny = (some: Noted[]) => () => some[next.warm++ % some.length]?.statements ?? []
  while (next.warm < warmUp) await runAlone(pool, pickAny(noted), seconds)
  for (let round = 1; round <= rounds; round++) {
    const first = next.ours
    const { perSecond } = await load({ origin, connections, seconds, request })
    // No query is drawn twice, so that later ones are rarer and find less: the limit answers the very same ones.
    const alone = await runAlone(pool, pickAny(noted.slice(first, next.ours)), seconds)
    rates.ours.push(perSecond)
    rates.limit.push(alone)
    print(
      `${what}: round ${round} of ${rounds}, ${Math.round(perSecond)} against ${Math.round(alone)} a second`,
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

export interface Noted {
  query: string
  statements: QueryConfig[]
}

/** Which statements, with which values, each query comes to. */
export async function noteStatements(url: string, queries: string[], read: ReadQuery): Promise<Noted[]> {
  let noted: QueryConfig[] = []
  const names = new Map<string, string>()
  const db = new Kysely<Database>({
    dialect: new PostgresDialect({ pool: new Pool({ connectionString: url, max: 1 }) }),
    log({ query }) {
      const name = names.get(query.sql) ?? `s${names.size}`
      names.set(query.sql, name)
      noted.push({ name, text: query.sql, values: [...query.parameters] })
    },
  })
  ending.add(() => db.destroy())
  await sql`select 1`.execute(db)
  const all: Noted[] = []
  const began = performance.now()
  for (const query of queries) {
    if (performance.now() - began > notedFor) break
    noted = []
    await read(db, ProductQuery.parse(Object.fromEntries(new URLSearchParams(query))))
    all.push({ query, statements: noted })
  }
  return all
}

/** The statements of how many queries are run in a second, by as many callers as the shop has. */
export async function runAlone(pool: Pool, next: () => QueryConfig[], seconds: number): Promise<number> {
  const began = performance.now()
  const isOver = () => performance.now() - began > seconds * 1000
  let done = 0
  const caller = async (): Promise<void> => {
    for (; !isOver(); done++) for (const statement of next()) await pool.query(statement)
  }
  await Promise.all(Array.from({ length: connections }, caller))
  return (done * 1000) / (performance.now() - began)
}
