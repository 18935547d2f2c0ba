import { type Kysely, type Selectable, sql, type Transaction, type Updateable } from 'kysely'
import type { ImportKind } from '../../../contract/imports.ts'
import type { ProductImportsTable } from '../../../db/catalog-schema.ts'
import type { Database } from '../../../db/schema.ts'
import { APPLYING, IMPORTING, LOCK_NOT_AVAILABLE } from '../../platform/database/advisory-locks.ts'
import { hasCode } from '../../platform/errors.ts'

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

/** A commit is visible shortly before it releases its locks. */
const lockTimeout = '1s'

/** As `tryLockImports`, but waits a moment for an import that ends. After false, the transaction can only roll back. */
export async function lockImports(tx: Transaction<Database>): Promise<boolean> {
  try {
    await sql`select set_config('lock_timeout', ${lockTimeout}, true)`.execute(tx)
    await sql`select pg_advisory_xact_lock(${IMPORTING}), set_config('lock_timeout', '0', true)`.execute(tx)
  } catch (error) {
    if (hasCode(error, LOCK_NOT_AVAILABLE)) return false
    throw error
  }
  return tryLockImports(tx)
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
 *
 * @param rowTables the tables with the rows of all kinds of files
 */
export async function deleteOldRows(db: Kysely<Database>, rowTables: string[]): Promise<void> {
  await sql`
    update product_imports
    set state = 'failed', failure = 'The checked file has expired. Nothing was changed. Upload the file again.'
    where state = 'checked' and started_at < now() - interval '1 day'`.execute(db)
  for (const table of rowTables) {
    await sql`
      delete from ${sql.table(table)} using product_imports as import
      where import.id = import_id and import.state in ('done', 'failed')`.execute(db)
  }
}
