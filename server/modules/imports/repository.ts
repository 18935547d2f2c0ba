import {
  type Insertable,
  type Kysely,
  type RawBuilder,
  type Selectable,
  sql,
  type Transaction,
  type Updateable,
  type UpdateObject,
} from 'kysely'
import { maxListedSkipped, type SkippedProduct } from '../../../contract/imports.ts'
import type { ProductImportsTable } from '../../../db/catalog-schema.ts'
import type { Database } from '../../../db/schema.ts'
import type { Actor } from '../../platform/actor.ts'
import { APPLYING, delayBatches, IMPORTING } from '../../platform/database/advisory-locks.ts'
import { LOCK_NOT_AVAILABLE } from '../../platform/database/database.ts'
import { hasCode } from '../../platform/errors.ts'
import type { BatchResult, UnknownRows } from './file-kind.ts'

export type ProductImport = Omit<Selectable<ProductImportsTable>, 'idempotency_key' | 'request_hash'>

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

/** Disables the time limit for statements of this transaction. */
export async function withoutTimeout(tx: Kysely<Database>): Promise<void> {
  await sql`select set_config('statement_timeout', '0', true)`.execute(tx)
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
 * Makes imports wait until the end of the transaction before they change the catalog. Returns false if a long one has
 * begun to, and waits for a batch. Without it, a transaction that writes several part numbers and an import could wait
 * for each other.
 */
export async function tryDelayImports(tx: Kysely<Database>): Promise<boolean> {
  const { rows } = await sql<{ mine: boolean }>`
    select pg_try_advisory_xact_lock_shared(${APPLYING}) as mine`.execute(tx)
  if (rows[0]?.mine !== true) return false
  await delayBatches(tx)
  return true
}

/**
 * Marks unfinished imports as failed if no process holds the import lock: then their process has ended, and Postgres
 * has rolled back their changes.
 */
export async function failAbandoned(db: Kysely<Database>, failure: string): Promise<void> {
  const found = await db.selectFrom('product_imports').select('id').where(isUnfinished).executeTakeFirst()
  if (!found) return
  await db.transaction().execute(async (tx) => {
    if (await tryLockImports(tx)) await failUnfinished(tx, failure).execute()
  })
}

/** Whether an import has not ended and has changed nothing. One in batches is left out: a job continues it. */
const isUnfinished = sql<boolean>`(state in ('reading', 'checking') or (state = 'importing' and next_batch is null))`

/** Marks imports as failed that have changed nothing. */
const failUnfinished = (db: Kysely<Database>, failure: string) =>
  db.updateTable('product_imports').set({ state: 'failed', failure }).where(isUnfinished)

export async function insertImport(
  db: Kysely<Database>,
  row: Pick<
    Insertable<ProductImportsTable>,
    'id' | 'kind' | 'mode' | 'supplier' | 'file_name' | 'started_by' | 'source' | 'undo_of' | 'state' | 'rows'
  >,
): Promise<void> {
  await db.insertInto('product_imports').values(row).execute()
}

/**
 * Inserts goods in or a stocktake, which is done when the transaction commits.
 *
 * @throws a violation of `product_imports_idempotency_key` if the key was used before
 */
export async function insertReceipt(
  tx: Kysely<Database>,
  receipt: Pick<
    Insertable<ProductImportsTable>,
    'id' | 'mode' | 'file_name' | 'idempotency_key' | 'request_hash' | 'started_by' | 'run_by' | 'run_ip'
  > & { rows: number },
): Promise<void> {
  const done = { state: 'done', done: receipt.rows, batch_count: 1, next_batch: 1 } as const
  await tx
    .insertInto('product_imports')
    .values({ ...receipt, ...done, kind: 'products', source: 'scan', run_at: sql<Date>`now()` })
    .execute()
}

/** Deletes a checked delivery file, expired or not. Returns false if it was imported, or does not exist. */
export async function deleteDelivery(tx: Kysely<Database>, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('product_imports')
    .where('id', '=', id)
    .where('source', '=', 'file')
    .where('mode', '=', 'deliveries')
    .where((eb) =>
      eb.or([
        eb('state', '=', 'checked'),
        eb.and([eb('state', '=', 'failed'), eb('batch_count', 'is', null)]),
      ]),
    )
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** All columns except for repeated requests. A list, because a newer version may add others. */
export const importColumns = [
  ...(['id', 'kind', 'file_name', 'state', 'failure', 'columns', 'rows', 'done'] as const),
  ...(['added', 'changed', 'unchanged', 'removed', 'years_without_bike'] as const),
  ...([
    'left_out_count',
    'left_out',
    'error_count',
    'errors',
    'changes',
    'started_by',
    'started_at',
  ] as const),
  ...(['source', 'undo_of', 'run_by', 'run_ip', 'run_at', 'batch_count', 'next_batch'] as const),
  ...(['mode', 'unknown_count', 'unknown', 'warnings', 'skipped_count', 'skipped'] as const),
  ...(['header', 'separator', 'wrong_rows', 'error_groups', 'skips_errors'] as const),
  ...(['supplier', 'scheduled_for', 'notes', 'picture_hosts', 'other_shop', 'copied_hosts'] as const),
].map((column) => `product_imports.${column}` as const)

export function findImport(db: Kysely<Database>, id: string): Promise<ProductImport | undefined> {
  return db.selectFrom('product_imports').select(importColumns).where('id', '=', id).executeTakeFirst()
}

/** Returns the import that runs in batches and has not ended, except this one. No two run at the same time. */
export async function findRunning(
  db: Kysely<Database>,
  except: string | null = null,
): Promise<{ id: string } | undefined> {
  let running = db
    .selectFrom('product_imports')
    .select('id')
    .where('state', '=', 'importing')
    .where('next_batch', 'is not', null)
  if (except !== null) running = running.where('id', '<>', except)
  return running.executeTakeFirst()
}

export async function updateImport(
  db: Kysely<Database>,
  id: string,
  changes: Updateable<ProductImportsTable>,
): Promise<void> {
  await db.updateTable('product_imports').set(changes).where('id', '=', id).execute()
}

export async function failImport(db: Kysely<Database>, id: string, failure: string): Promise<void> {
  await failUnfinished(db, failure).where('id', '=', id).execute()
}

/** Changes a checked import, and stores who runs it. Returns false if it is not `checked`, or has errors. */
async function updateRunnable(
  db: Kysely<Database>,
  id: string,
  by: Actor,
  skipsErrors: boolean,
  changes: UpdateObject<Database, 'product_imports'>,
  condition = sql<boolean>`true`,
): Promise<boolean> {
  const leavesOut = sql<boolean>`(${skipsErrors}::boolean and wrong_rows > 0)`
  const { numUpdatedRows } = await db
    .updateTable('product_imports')
    .set({ ...changes, run_by: by.customerId, run_ip: by.ip, skips_errors: leavesOut })
    .where('id', '=', id)
    .where('state', '=', 'checked')
    .where((eb) => eb.or([eb('error_count', '=', 0), leavesOut]))
    .where(condition)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

interface BeginOptions {
  inBatches: boolean
  /** Whether it leaves out the wrong rows. */
  skipsErrors: boolean
  /** The hosts whose pictures it copies. */
  hosts: string[]
  /** Whether it does not begin if its time was cancelled or moved. */
  mustBeDue?: boolean
}

const isDue = sql<boolean>`scheduled_for <= now()`

/**
 * Changes the state from `checked` to `importing`. Returns false if it is not `checked`, or has errors.
 *
 * @throws a violation of `product_imports_undone` if it undoes an import that was undone already
 */
export const beginImporting = (
  db: Kysely<Database>,
  id: string,
  by: Actor,
  { inBatches, skipsErrors, hosts, mustBeDue = false }: BeginOptions,
): Promise<boolean> => {
  const changes = {
    state: 'importing',
    copied_hosts: hosts,
    done: 0,
    run_at: sql<Date>`now()`,
    next_batch: inBatches ? 0 : null,
  } as const
  return updateRunnable(db, id, by, skipsErrors, changes, mustBeDue ? isDue : undefined)
}

/** Stores when a checked file is imported. Returns false if it cannot be. */
export const setSchedule = (
  db: Kysely<Database>,
  id: string,
  by: Actor,
  { at, skipsErrors, hosts }: { at: string; skipsErrors: boolean; hosts: string[] },
): Promise<boolean> => updateRunnable(db, id, by, skipsErrors, { scheduled_for: at, copied_hosts: hosts })

/** Returns false if the import does not wait for its time. */
export async function clearSchedule(db: Kysely<Database>, id: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('product_imports')
    .set({ scheduled_for: null, skips_errors: false, copied_hosts: [] })
    .where('id', '=', id)
    .where('state', '=', 'checked')
    .where('scheduled_for', 'is not', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Returns the checked file whose time came first. */
export function findDue(db: Kysely<Database>): Promise<ProductImport | undefined> {
  return db
    .selectFrom('product_imports')
    .select(importColumns)
    .where('state', '=', 'checked')
    .where(isDue)
    .orderBy('scheduled_for')
    .limit(1)
    .executeTakeFirst()
}

/** Marks a scheduled import as failed that has changed nothing. */
export async function failScheduled(db: Kysely<Database>, id: string, failure: string): Promise<void> {
  await db
    .updateTable('product_imports')
    .set({ state: 'failed', failure })
    .where('id', '=', id)
    .where('state', '=', 'checked')
    .where('scheduled_for', 'is not', null)
    .execute()
}

/**
 * Locks an import that has no batches yet, until the end of the transaction. Waits for a process that divides it. Returns
 * false if it has batches then, or has ended.
 */
export async function lockUndivided(tx: Kysely<Database>, id: string): Promise<boolean> {
  const found = await tx
    .selectFrom('product_imports')
    .select('id')
    .where('id', '=', id)
    .where('state', '=', 'importing')
    .where('batch_count', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return found !== undefined
}

/** Stores the batches of a locked import. From then on its numbers grow with each batch, and are final at the end. */
export async function setBatches(
  tx: Kysely<Database>,
  id: string,
  { batches, effect, skipped }: BatchResult & { batches: number },
): Promise<void> {
  await tx
    .updateTable('product_imports')
    .set({ batch_count: batches, added: 0, changed: 0, unchanged: 0, removed: 0, ...effect })
    .set(toSkipped(skipped))
    .where('id', '=', id)
    .execute()
}

/** Adds rows that were removed since the check, because the shop no longer has their products. */
export async function addUnknown(
  db: Kysely<Database>,
  id: string,
  { count, rows }: UnknownRows,
): Promise<void> {
  await sql`
    update product_imports
    set unknown_count = unknown_count + ${count}, unknown = unknown || ${JSON.stringify(rows)}::jsonb
    where id = ${id}`.execute(db)
}

/** The columns of the products that are left out: all are counted, and the first are listed. */
export const toSkipped = (skipped: SkippedProduct[]) => ({
  skipped_count: skipped.length,
  skipped: JSON.stringify(skipped.slice(0, maxListedSkipped)),
})

/**
 * Takes a batch for this transaction: no other transaction commits it. Returns false if one has, or if the import has
 * ended.
 */
export async function takeBatch(tx: Kysely<Database>, id: string, batch: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('product_imports')
    .set({
      next_batch: batch + 1,
      done: sql<number>`rows::bigint * ${batch + 1}::integer / greatest(batch_count, 1)`,
    })
    .where('id', '=', id)
    .where('state', '=', 'importing')
    .where('next_batch', '=', batch)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Adds the result of a taken batch. `more`: batches that were added at the end. */
export async function addResult(
  tx: Kysely<Database>,
  id: string,
  { effect, skipped }: BatchResult,
  more = 0,
): Promise<void> {
  const { added = 0, changed = 0, unchanged = 0, removed = 0 } = effect
  const { skipped_count: count, skipped: listed } = toSkipped(skipped)
  await sql`
    update product_imports set added = added + ${added}::integer, changed = changed + ${changed}::integer,
      unchanged = unchanged + ${unchanged}::integer, removed = removed + ${removed}::integer,
      batch_count = batch_count + ${more}::integer, skipped_count = skipped_count + ${count}::integer,
      skipped = (select coalesce(jsonb_agg(each order by number), '[]') from jsonb_array_elements(
        skipped || ${listed}::jsonb) with ordinality as listed (each, number)
        where number <= ${maxListedSkipped})
    where id = ${id}`.execute(tx)
}

/** Ends an import whose batches are all committed. Returns false if another process has ended it. */
export async function endImport(
  tx: Kysely<Database>,
  id: string,
  outcome: { state: 'done' } | { state: 'failed'; failure: string },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('product_imports')
    .set(outcome.state === 'done' ? { state: 'done', done: sql<number>`rows` } : outcome)
    .where('id', '=', id)
    .where('state', '=', 'importing')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** A second or less, far below the time limit of a statement. */
const rowsAtOnce = 5000

/**
 * Deletes the rows of finished imports, and ends imports that were checked more than a day ago and have no time. A file
 * whose time was cancelled has eight days: it can be scheduled for a week later. The imports themselves stay as a record,
 * their wrong rows and replaced values for a month.
 *
 * @param rowTables the tables with the rows of all kinds of files
 * @returns 0 if the signal has ended it before the last row
 */
export async function deleteOldRows(
  db: Kysely<Database>,
  rowTables: string[],
  signal?: AbortSignal,
): Promise<number | void> {
  await sql`
    update product_imports
    set state = 'failed', failure = 'The checked file has expired. Nothing was changed. Upload the file again.'
    where state = 'checked' and scheduled_for is null
      and started_at < now() - case when run_by is null then interval '1 day' else interval '8 days' end`.execute(
    db,
  )
  const isOld = sql<boolean>`import.started_at < now() - interval '30 days'`
  const isFinished = sql<boolean>`import.state in ('done', 'failed')`
  const due: [table: string, isDue: RawBuilder<boolean>][] = [
    ['wrong_import_rows', isOld],
    ['replaced_values', isOld],
    ...rowTables.map((table): [string, RawBuilder<boolean>] => [table, isFinished]),
  ]
  for (const [table, isDue] of due) {
    for (let deleted = rowsAtOnce; deleted === rowsAtOnce; ) {
      const { numAffectedRows } = await sql`
        delete from ${sql.table(table)} where ctid = any(array(
          select file.ctid from product_imports as import join ${sql.table(table)} as file on import.id = import_id
          where ${isDue} limit ${rowsAtOnce}))`.execute(db)
      deleted = Number(numAffectedRows)
      if (deleted === rowsAtOnce && signal?.aborted) return 0
    }
  }
}

/** Returns a function that stores rows of a file. Their values have the names of these columns of the table. */
export const storeRows =
  (rowTable: string, columns: RawBuilder<unknown>) =>
  async (db: Kysely<Database>, importId: string, rows: object[]): Promise<void> => {
    if (rows.length === 0) return
    const table = sql.table(rowTable)
    await sql`
      insert into ${table} (import_id, ${columns})
      select ${importId}, ${columns} from jsonb_populate_recordset(null::${table}, ${JSON.stringify(rows)}::jsonb)`.execute(
      db,
    )
  }

/**
 * Stores the values of locked products before an import replaces them.
 *
 * @param values a query of `product_id` and `value`, an array of objects
 */
export async function storeReplaced(
  tx: Kysely<Database>,
  importId: string,
  values: RawBuilder<unknown>,
): Promise<void> {
  await sql`
    insert into replaced_values (import_id, product_id, value)
    select ${importId}, product_id, value from (${values}) as replaced`.execute(tx)
}
