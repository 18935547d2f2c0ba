import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AuditQuery } from '../../../contract/audit.ts'
import type { Database } from '../../../db/schema.ts'
import { openTestDatabase, type TestDatabase } from '../../../tests/database.ts'
import { changesQuery } from './queries.ts'

const length = 20_000
let database: TestDatabase

beforeAll(async () => {
  database = await openTestDatabase({ poolSize: 1 })
  await fill(database.db)
})
afterAll(() => database.close())

/** Adds one row to each table for each of `length` orders. */
async function fill(db: Kysely<Database>): Promise<void> {
  const numbers = sql`generate_series(1, ${length}::integer) as n`
  const at = sql`now() - n * interval '1 minute'`
  await sql`insert into customers (id, email) values ('c1', 'one@example.com')`.execute(db)
  await sql`
    insert into products (id, name, description, image, minimum_quantity, stock, price_cents)
    select 'p' || n, 'Chain', '', '', 1, 10, 100 from generate_series(0, 9) as n`.execute(db)
  await sql`
    insert into orders (id, customer_id, status, amount_cents, pieces, line_count,
      customer_email, customer_name, customer_phone, shipping_address)
    select md5('order' || n), 'c1', 'unpaid', 1, 1, 1, '', '', '', '' from ${numbers}`.execute(db)
  await sql`
    insert into order_events (order_id, kind, actor_id, occurred_at)
    select md5('order' || n), 'placed', 'c1', ${at} from ${numbers}`.execute(db)
  await sql`
    insert into stock_movements (variant_id, kind, quantity, order_id, moved_by, created_at)
    select 'p' || n % 10, 'sale', -1, md5('order' || n), 'c1', ${at} from ${numbers}`.execute(db)
  await sql`
    insert into role_changes (customer_id, role, created_at) select 'c1', 'admin', ${at} from ${numbers}`.execute(
    db,
  )
  await sql`
    insert into product_changes (product_id, kind, before, after, occurred_at)
    select 'p' || n % 10, 'edited', '{"price_cents": 1}', '{"price_cents": 2}', ${at} from ${numbers}`.execute(
    db,
  )
  await sql`vacuum analyze order_events, stock_movements, role_changes, product_changes`.execute(db)
}

interface Plan {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  Plans?: Plan[]
}

/** Returns all nodes of the Postgres plan of a page, with the rows that were actually read. */
async function explain(query: AuditQuery, after: Parameters<typeof changesQuery>[1] = null): Promise<Plan[]> {
  const { rows } = await sql<{ 'QUERY PLAN': { Plan: Plan }[] }>`
    explain (analyze, format json) ${changesQuery(query, after, 51)}`.execute(database.db)
  const flatten = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(flatten)]
  return rows.flatMap((row) => row['QUERY PLAN'].flatMap(({ Plan }) => flatten(Plan)))
}

const tables = ['order_events', 'stock_movements', 'role_changes', 'product_changes']

test.each([
  ['the newest page', {}],
  ['a page of one area', { area: 'stock' }],
  ['a page up to a time', { to: new Date(Date.now() - 6_000_000).toISOString() }],
] satisfies [string, AuditQuery][])(
  '%s of 80,000 changes reads only one page per table, from the end of an index',
  async (_name, query) => {
    const scans = (await explain(query)).filter((node) => tables.includes(node['Relation Name'] ?? ''))
    expect(scans.length).toBeGreaterThan(0)
    for (const scan of scans) {
      expect(scan['Node Type']).toBe('Index Scan')
      expect(scan['Actual Rows'] * scan['Actual Loops']).toBeLessThanOrEqual(51)
    }
  },
)

test('a late page costs as much as the first one', async () => {
  const to = new Date(Date.now() - 900_000_000).toISOString()
  const { rows } = await changesQuery({ to }, null, 1).execute(database.db)
  const scans = (await explain({}, rows[0])).filter((node) => tables.includes(node['Relation Name'] ?? ''))
  expect(rows).toHaveLength(1)
  expect(scans).not.toEqual([])
  for (const scan of scans) expect(scan['Actual Rows'] * scan['Actual Loops']).toBeLessThanOrEqual(51)
})
