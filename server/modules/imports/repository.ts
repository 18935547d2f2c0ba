import { type Kysely, type RawBuilder, type Selectable, sql, type Transaction, type Updateable } from 'kysely'
import { type ImportError, type ImportKind, maxListedErrors } from '../../../contract/imports.ts'
import type { ProductImportsTable } from '../../../db/catalog-schema.ts'
import type { Database } from '../../../db/schema.ts'
import type { Actor } from '../../platform/actor.ts'
import { APPLYING, IMPORTING } from '../../platform/database/advisory-locks.ts'
import type { FileErrors } from './file-kind.ts'

export type ProductImport = Selectable<ProductImportsTable>

/**
 * Takes the import lock until the end of the transaction. Returns false if it is taken. Disables the timeouts of the
 * transaction, because imports run in the background.
 */
export async function tryLockImports(tx: Transaction<Database>): Promise<boolean> {
  const { rows } = await sql<{ mine: boolean }>`
    select pg_try_advisory_xact_lock(${IMPORTING}) as mine, set_config('statement_timeout', '0', true),
      set_config('idle_in_transaction_session_timeout', '0', true)`.execute(tx)
  return rows[0]?.mine === true
}

/**
 * Makes imports wait until the end of the transaction before they change the catalog. Returns false if one has begun to.
 * Without it, a transaction that writes several part numbers and an import could wait for each other.
 */
export async function tryDelayImports(tx: Kysely<Database>): Promise<boolean> {
  const { rows } = await sql<{ mine: boolean }>`
    select pg_try_advisory_xact_lock_shared(${APPLYING}) as mine`.execute(tx)
  return rows[0]?.mine === true
}

/**
 * Marks unfinished imports as failed if no process holds the import lock: then their process has ended, and Postgres
 * has rolled back their changes.
 */
export async function failAbandoned(db: Kysely<Database>, failure: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    if (!(await tryLockImports(tx))) return
    await tx
      .updateTable('product_imports')
      .set({ state: 'failed', failure })
      .where('state', 'in', ['reading', 'checking', 'importing'])
      .execute()
  })
}

export async function insertImport(
  db: Kysely<Database>,
  row: { id: string; kind: ImportKind; file_name: string; started_by: string },
): Promise<void> {
  await db
    .insertInto('product_imports')
    .values({ ...row, state: 'reading' })
    .execute()
}

export function findImport(db: Kysely<Database>, id: string): Promise<ProductImport | undefined> {
  return db
    .selectFrom('product_imports')
    .select([
      'id',
      'kind',
      'file_name',
      'state',
      'failure',
      'columns',
      'rows',
      'done',
      'added',
      'changed',
      'unchanged',
      'removed',
      'years_without_bike',
    ])
    .select(['left_out_count', 'left_out', 'error_count', 'errors', 'changes', 'started_by', 'started_at'])
    .where('id', '=', id)
    .executeTakeFirst()
}

export async function updateImport(
  db: Kysely<Database>,
  id: string,
  changes: Updateable<ProductImportsTable>,
): Promise<void> {
  await db.updateTable('product_imports').set(changes).where('id', '=', id).execute()
}

/** Changes the state from `checked` to `importing`. Returns false if it is not `checked`, or has errors. */
export async function beginImporting(db: Kysely<Database>, id: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('product_imports')
    .set({ state: 'importing', done: 0 })
    .where('id', '=', id)
    .where('state', '=', 'checked')
    .where('error_count', '=', 0)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/**
 * Deletes the rows of finished imports, and ends imports that were checked but not started for a day. The imports
 * themselves stay as a record.
 */
export async function deleteOldRows(db: Kysely<Database>): Promise<void> {
  await sql`
    update product_imports
    set state = 'failed', failure = 'The checked file has expired. Nothing was changed. Upload the file again.'
    where state = 'checked' and started_at < now() - interval '1 day'`.execute(db)
  for (const table of [
    'product_import_rows',
    'fitment_import_rows',
    'bike_import_rows',
    'aces_import_rows',
    'aces_code_import_rows',
    'part_number_import_rows',
  ]) {
    await sql`
      delete from ${sql.table(table)} using product_imports as import
      where import.id = import_id and import.state in ('done', 'failed')`.execute(db)
  }
}

/**
 * Postgres pattern of cells that a spreadsheet program may run as a formula. Matches already quoted ones as well. The
 * export puts an apostrophe before them.
 */
const riskyInPostgres = "^(''*[=+\\-@\\t\\r＝＋－＠])"

/** SQL of a text in an export, with an apostrophe before a possible formula. */
export const guardFormulas = (text: string): string =>
  `regexp_replace(${text}, '${riskyInPostgres}', '''\\1')`

/** Tables for `with`: `found` has the product of each part number of a file, by that of a variant or else by its id. */
export const productsByPartNumber = (rows: RawBuilder<unknown>, importId: string): RawBuilder<unknown> => sql`
  numbers as materialized (
    select part_number, upper(regexp_replace(part_number, '[^A-Za-z0-9]', '', 'g')) collate "C" as sku_key
    from (select distinct part_number from ${rows} where import_id = ${importId}) as file
  ), found as materialized (
    select part_number, coalesce(variants.product_id, products.id) as product_id
    from numbers
      left join variants on variants.sku_key = numbers.sku_key and removed_at is null
      left join products on products.id = part_number and deleted_at is null
  )`

/** Lists the first errors, and counts all. `tables` for `with` end with `found`: row, "column", message, perhaps line. */
export async function listErrors(db: Kysely<Database>, tables: RawBuilder<unknown>): Promise<FileErrors> {
  const { rows } = await sql<ImportError & { total: number }>`
    with ${tables}
    select *, count(*) over () as total from found order by row, "column" limit ${maxListedErrors}`.execute(
    db,
  )
  return {
    errors: rows.map(({ row, line, column, message }) => ({ row, line, column, message })),
    total: rows[0]?.total ?? 0,
  }
}

/** Lists the next locked products, in the order of their ids. */
export async function listLockedProducts(
  db: Kysely<Database>,
  importId: string,
  table: 'fitment_import_rows' | 'part_number_import_rows',
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ product_id: string }>`
    select distinct product_id from ${sql.table(table)}
    where import_id = ${importId} and is_change and product_id > ${after}
    order by product_id limit ${limit}`.execute(db)
  return rows.map(({ product_id }) => product_id)
}

/** Adds one change of each product to its history. */
export async function addHistory(db: Kysely<Database>, changes: object[], by: Actor): Promise<void> {
  await sql`
    insert into product_changes (product_id, kind, before, after, actor_id, client_ip)
    select product_id, 'edited', before, after, ${by.customerId}, ${by.ip}::inet
    from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) as change (product_id text, before jsonb, after jsonb)`.execute(
    db,
  )
}
