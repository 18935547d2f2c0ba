import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AuditQuery, auditAreas } from '../../../contract/audit.ts'
import type { Database } from '../../../db/schema.ts'
import { listAuditTables } from '../../../tests/audit-tables.ts'
import { openTestDatabase, type TestDatabase } from '../../../tests/database.ts'
import { changesQuery } from './queries.ts'
import type { RecordedArea } from './repository.ts'

const length = 20_000
const recordedAreas = ['brands', 'bikes', 'aces-codes'] satisfies RecordedArea[]
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
  await sql`
    insert into changes (area, subject, name, kind, before, after, occurred_at)
    select area, 's' || n % 10, '', 'edited', '{"make": "A"}', '{"make": "B"}', ${at}
    from ${numbers}, unnest(${recordedAreas}::text[]) as area`.execute(db)
  await sql`vacuum analyze`.execute(db)
}

interface Plan {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  Plans?: Plan[]
}

/** Returns the scans of audit tables in the Postgres plan of a page, with the rows that were actually read. */
async function explainScans(
  query: AuditQuery,
  after: Parameters<typeof changesQuery>[1] = null,
): Promise<Plan[]> {
  const { rows } = await sql<{ 'QUERY PLAN': { Plan: Plan }[] }>`
    explain (analyze, format json) ${changesQuery(query, after, 51)}`.execute(database.db)
  const flatten = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(flatten)]
  const nodes = rows.flatMap((row) => row['QUERY PLAN'].flatMap(({ Plan }) => flatten(Plan)))
  const tables = await listAuditTables(database.db)
  return nodes.filter((node) => tables.includes(node['Relation Name'] ?? ''))
}

test.each([
  ['the newest page', {}],
  ['a page of one area', { area: 'stock' }],
  ['a page of an area without a table of its own', { area: 'bikes' }],
  ['a page up to a time', { to: new Date(Date.now() - 6_000_000).toISOString() }],
] satisfies [string, AuditQuery][])(
  '%s of 140,000 changes reads only one page per area, from the end of an index',
  async (_name, query: AuditQuery) => {
    const scans = await explainScans(query)
    expect(scans.length).toBeGreaterThanOrEqual(query.area ? 1 : auditAreas.length)
    for (const scan of scans) {
      expect(scan['Node Type']).toBe('Index Scan')
      expect(scan['Actual Rows'] * scan['Actual Loops']).toBeLessThanOrEqual(51)
    }
  },
)

test('a late page costs as much as the first one', async () => {
  const to = new Date(Date.now() - 900_000_000).toISOString()
  const { rows } = await changesQuery({ to }, null, 1).execute(database.db)
  const scans = await explainScans({}, rows[0])
  expect(rows).toHaveLength(1)
  expect(scans).not.toEqual([])
  for (const scan of scans) expect(scan['Actual Rows'] * scan['Actual Loops']).toBeLessThanOrEqual(51)
})
