import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase, untilWaiting } from './database.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())
beforeEach(() => database.empty())

/** Adds a product with its ledger and N reviews. */
async function fill(reviews = 0): Promise<void> {
  await sql`
    with added as (
      insert into products (id, name, description, image, minimum_quantity, stock, price_cents)
      values ('p1', 'Chain', '', '', 1, 1, 100)
    )
    insert into reviews (id, name) select n, 'Robin' from generate_series(1, ${reviews}::integer) n`.execute(
    database.db,
  )
}

async function listFilledTables(): Promise<string[]> {
  const { rows } = await sql<{ name: string; rows: number }>`
    select relname as name, (xpath('/row/c/text()', query_to_xml(
      format('select count(*) as c from %I.%I', schemaname, relname), false, true, '')))[1]::text::integer as rows
    from pg_stat_user_tables`.execute(database.db)
  return rows.filter((table) => table.rows > 0).map(({ name }) => name)
}

describe.each([
  ['few', 3],
  ['many', 20_000],
])('a database with %s rows, emptied', (_, count) => {
  test('has only the rows of migrations, and restarts its sequences', async () => {
    await fill(count)
    expect(await listFilledTables()).toContain('sitemap_entries')
    await database.empty()
    expect(await listFilledTables()).toEqual(['migrations'])
    await fill()
    const { rows } = await sql<{ id: number }>`select id from stock_movements`.execute(database.db)
    expect(rows).toEqual([{ id: 1 }])
  })

  test('still protects its append-only tables', async () => {
    await fill(count)
    await database.empty()
    await fill()
    await expect(sql`delete from stock_movements`.execute(database.db)).rejects.toThrow('cannot be changed')
  })
})

test('an open transaction ends before the database is emptied', async () => {
  const written = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  const writing = database.db.transaction().execute(async (tx) => {
    await sql`insert into reviews (id, name) values ('r1', 'Robin')`.execute(tx)
    written.resolve()
    await ended.promise
  })
  await written.promise
  const emptied = database.empty()
  await untilWaiting(database)
  ended.resolve()
  await Promise.all([writing, emptied])
  expect(await listFilledTables()).toEqual(['migrations'])
})
