import { Kysely, PostgresDialect, sql } from 'kysely'
import { Pool, type QueryConfig } from 'pg'
import { ProductQuery } from '../contract/catalog.ts'
import type { Database } from '../db/schema.ts'
import * as catalog from '../server/modules/catalog/service.ts'
import { ending } from '../tests/hardening/ending.ts'
import type { ShopUnderTest } from '../tests/hardening/shop-under-test.ts'
import { openCatalogue } from './catalogue-under-test.ts'
import { load } from './load.ts'
import { atLeast, type Measure, type Row } from './measure.ts'
import { productQueries } from './queries.ts'

const connections = 16
const seconds = 8
const most = 6000

/** Pages and answers that nobody has asked for, against the SQL that they need, through `pg` alone. */
export const unseen: Measure = {
  name: 'unseen',
  async run(say) {
    const shop = await openCatalogue(100_000, say)
    return [
      await compare(shop, say, {
        what: 'product list page, never seen before',
        path: '/products',
        seed: 1,
        read: async (db, query) => {
          await catalog.listProducts(db, query)
          await catalog.countFacets(db, query)
        },
      }),
      await compare(shop, say, {
        what: 'GET /api/products, never seen before',
        path: '/api/products',
        seed: 2,
        read: (db, query) => catalog.listProducts(db, query),
      }),
    ]
  },
}

interface Unseen {
  what: string
  path: string
  seed: number
  /** What the path reads. */
  read: (db: Kysely<Database>, query: ProductQuery) => Promise<unknown>
}

async function compare(
  shop: ShopUnderTest,
  say: (progress: string) => void,
  { what, path, seed, read }: Unseen,
): Promise<Row> {
  const { kinds, brands } = await filterValues(shop)
  const queries = productQueries(most, seed, kinds, brands)
  say(`${what}: noting the statements of ${most} queries`)
  const noted = await noteStatements(shop.databaseUrl, queries, read)
  say(`${what}: the statements alone`)
  const limit = await runAlone(shop.databaseUrl, noted)
  say(`${what}: the shop`)
  let asked = 0
  const ours = await load({
    origin: shop.processes[0].origin,
    connections,
    seconds,
    request: (count) => {
      asked = count
      return { method: 'GET', path: `${path}?${queries[count % most]}` }
    },
  })
  if (asked >= most) throw new Error(`more than ${most} were asked for: some had been seen before`)
  return atLeast(0.4, { what, unit: '/s', ours: ours.perSecond, limit })
}

async function filterValues({ db }: ShopUnderTest) {
  const { facets } = await catalog.countFacets(db, {})
  return { kinds: facets.kind.values.map(valueOf), brands: facets.brand.values.map(valueOf) }
}

const valueOf = ({ value }: { value: string }) => value

/** Which statements, with which values, each query comes to. */
async function noteStatements(
  url: string,
  queries: string[],
  read: Unseen['read'],
): Promise<QueryConfig[][]> {
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
  const all: QueryConfig[][] = []
  for (const query of queries) {
    noted = []
    await read(db, ProductQuery.parse(Object.fromEntries(new URLSearchParams(query))))
    all.push(noted)
  }
  return all
}

/** How many queries' statements are run in a second, by as many callers as the shop has. */
async function runAlone(url: string, queries: QueryConfig[][]): Promise<number> {
  const pool = new Pool({ connectionString: url, max: connections })
  ending.add(() => pool.end())
  await Promise.all(Array.from({ length: connections }, () => pool.query('select pg_sleep(0.1)')))
  const began = performance.now()
  const isOver = () => performance.now() - began > seconds * 1000
  let done = 0
  const caller = async (): Promise<void> => {
    while (!isOver()) {
      for (const statement of queries[done++ % queries.length] ?? []) await pool.query(statement)
    }
  }
  await Promise.all(Array.from({ length: connections }, caller))
  return (done * 1000) / (performance.now() - began)
}
