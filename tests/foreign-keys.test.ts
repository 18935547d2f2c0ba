import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openTestDatabase } from './database.ts'

/** Their rows are never deleted. */
const kept = ['customers', 'products', 'variants', 'brands']
/** A scan of them is short. */
const small = ['aces_codes', 'bike_aliases']

test('each reference to a row that can be deleted has an index, because Postgres looks for its references', async () => {
  const database = await openTestDatabase({ poolSize: 1 })
  const { rows } = await sql<{ reference: string }>`
    select conrelid::regclass || ' to ' || confrelid::regclass as reference
    from pg_constraint
    where contype = 'f' and connamespace = 'public'::regnamespace
      and confrelid::regclass::text <> all(${kept}) and conrelid::regclass::text <> all(${small})
      and not exists (
        select from pg_index
        where indrelid = conrelid and indisvalid
          and (string_to_array(indkey::text, ' ')::smallint[])[1:cardinality(conkey)] @> conkey)`.execute(
    database.db,
  )
  await database.close()
  expect(rows).toEqual([])
})
