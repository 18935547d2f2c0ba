import { type Kysely, sql } from 'kysely'
import type { Database } from '../../../../db/schema.ts'
import type { Effect, FileErrors } from '../../imports/file-kind.ts'
import { listErrors, storeRows } from '../../imports/queries.ts'

const columns = sql.raw('number, email, placed_at, status, currency, total_cents, name, address, lines')

export const insertRows = storeRows('past_order_import_rows', sql`row, ${columns}`)

/** The rows of an order follow each other. */
export const findErrors = (db: Kysely<Database>, importId: string): Promise<FileErrors> =>
  listErrors(
    db,
    sql`found as (
      select row, 'Name' as "column", 'Row ' || first || ' has the same order. Its rows must follow each other' as message
      from (
        select row, min(row) over (partition by number) as first from past_order_import_rows
        where import_id = ${importId}
      ) as numbered where row > first
    )`,
  )

const isDifferent = sql`(
  (known.email, known.placed_at, known.status, known.currency, known.total_cents, known.name, known.address, known.lines)
  is distinct from
  (file.email, file.placed_at, file.status, file.currency, file.total_cents, file.name, file.address, file.lines))`

/** Counts the orders that the import would add and change now. */
export async function countEffect(db: Kysely<Database>, importId: string): Promise<Effect> {
  const { rows } = await sql<Effect>`
    select count(*) filter (where known.number is null) as added,
      count(*) filter (where known.number is not null and ${isDifferent}) as changed,
      count(*) filter (where known.number is not null and not ${isDifferent}) as unchanged
    from past_order_import_rows as file
      left join past_orders as known on known.source = 'shopify' and known.number = file.number
    where import_id = ${importId}`.execute(db)
  return rows[0] ?? { added: 0, changed: 0, unchanged: 0 }
}

/** Adds the orders of a file, and replaces those that the archive has. */
export async function saveOrders(db: Kysely<Database>, importId: string): Promise<void> {
  await sql`
    insert into past_orders as known (source, ${columns})
    select 'shopify', ${columns} from past_order_import_rows where import_id = ${importId} order by number
    on conflict (source, number) do update set email = excluded.email, placed_at = excluded.placed_at,
      status = excluded.status, currency = excluded.currency, total_cents = excluded.total_cents, name = excluded.name,
      address = excluded.address, lines = excluded.lines`.execute(db)
}
