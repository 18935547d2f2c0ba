import { type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import type { ImportChange, ImportError } from '../../../contract/imports.ts'
import { productColumns } from '../../../contract/product-columns.ts'
import type { ProductImportsTable } from '../../../db/catalog-schema.ts'
import type { Database } from '../../../db/schema.ts'

export type ProductImport = Selectable<ProductImportsTable>

/** Advisory lock for one dry run or import at a time, across all processes. */
const IMPORTING = 7_461_023

/** Takes the import lock until the end of the transaction. Returns false if it is taken. */
export async function tryLockImports(tx: Transaction<Database>): Promise<boolean> {
  const { rows } = await sql<{ mine: boolean }>`
    select pg_try_advisory_xact_lock(${IMPORTING}) as mine`.execute(tx)
  return rows[0]?.mine === true
}

/** Disables the timeouts in this transaction, because imports run in the background. */
export async function disableTimeouts(tx: Transaction<Database>): Promise<void> {
  await sql`set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0`.execute(tx)
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
  row: { id: string; file_name: string; started_by: string },
): Promise<void> {
  await db
    .insertInto('product_imports')
    .values({ ...row, state: 'reading' })
    .execute()
}

export function findImport(db: Kysely<Database>, id: string): Promise<ProductImport | undefined> {
  return db.selectFrom('product_imports').selectAll().where('id', '=', id).executeTakeFirst()
}

type Changes = Partial<Omit<ProductImport, 'id' | 'errors' | 'changes'>> & {
  errors?: ImportError[]
  changes?: ImportChange[]
}

export async function updateImport(db: Kysely<Database>, id: string, changes: Changes): Promise<void> {
  const { errors, changes: listed, ...rest } = changes
  await db
    .updateTable('product_imports')
    .set({
      ...rest,
      ...(errors && { errors: JSON.stringify(errors) }),
      ...(listed && { changes: JSON.stringify(listed) }),
    })
    .where('id', '=', id)
    .execute()
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
  await sql`
    delete from product_import_rows using product_imports as import
    where import.id = import_id and import.state in ('done', 'failed')`.execute(db)
}

/** The columns of `product_import_rows` that a file fills. */
const stagedColumns: { name: string; type: 'text' | 'integer' }[] = [
  { name: 'id', type: 'text' },
  { name: 'stock_exported', type: 'integer' },
  ...productColumns.map(({ sql, type }) => ({
    name: sql,
    type: type === 'text' ? type : ('integer' as const),
  })),
]

/** Inserts all rows in one statement. Empty text becomes null. */
export async function insertRows(db: Kysely<Database>, importId: string, rows: object[]): Promise<void> {
  const names = stagedColumns.map(({ name }) => name).join(', ')
  const values = stagedColumns
    .map(({ name, type }) => (type === 'text' ? `nullif(${name}, '')` : name))
    .join(', ')
  const types = stagedColumns.map(({ name, type }) => `${name} ${type}`).join(', ')
  await sql`
    insert into product_import_rows (import_id, row, new_id, ${sql.raw(names)})
    select ${importId}, row, new_id, ${sql.raw(values)}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as staged (row integer, new_id text, ${sql.raw(types)})`.execute(db)
}
