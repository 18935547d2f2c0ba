import type { FastifyBaseLogger } from 'fastify'
import type { Kysely, Transaction } from 'kysely'
import { type ImportError, maxListedErrors } from '../../../contract/imports.ts'
import type { Database } from '../../../db/schema.ts'
import type { Actor } from '../../http/access.ts'
import { newId } from '../../platform/database.ts'
import { hasCode, ShopError } from '../../platform/errors.ts'
import type { BackgroundWork } from '../../platform/jobs.ts'
import * as queries from './queries.ts'
import { FileRefused, readFile } from './read-file.ts'
import * as repository from './repository.ts'

export { deleteOldRows, tryDelayImports } from './repository.ts'

export interface ImportDeps {
  db: Kysely<Database>
  log: FastifyBaseLogger
  /** Work that continues after the response. On shutdown it is aborted and awaited. */
  work: BackgroundWork
}

const shopRestarted = 'The shop was restarted during the import. Nothing was changed. Upload the file again.'
const catalogChanged = 'The catalog changed during the import. Nothing was imported. Upload the file again.'
const unexpectedFailure = 'Something went wrong on our side. Nothing was changed. Upload the file again.'
const rowsAtOnce = 5000

/**
 * Reads a file, then checks it in the background. Does not change the catalog.
 *
 * @returns the import's id when the whole file is read
 * @throws IMPORT_IN_PROGRESS
 */
export async function checkFile(
  deps: ImportDeps,
  fileName: string,
  bytes: AsyncIterable<Buffer>,
  by: Actor,
): Promise<string> {
  const id = newId()
  await runInBackground(deps, id, async (tx, begun) => {
    await repository.insertImport(deps.db, { id, file_name: fileName, started_by: by.customerId })
    const found = await readRows(deps, tx, id, bytes)
    await repository.updateImport(deps.db, id, { state: 'checking', rows: found.rows })
    begun()
    await check(tx, id, found)
  })
  return id
}

interface Found {
  columns: string[]
  rows: number
  errors: ImportError[]
  errorCount: number
}

async function readRows(
  { db, work }: ImportDeps,
  tx: Transaction<Database>,
  id: string,
  bytes: AsyncIterable<Buffer>,
) {
  const found: Found = { columns: [], rows: 0, errors: [], errorCount: 0 }
  for await (const { columns, rows, errors, rowsRead } of readFile(bytes)) {
    work.signal.throwIfAborted()
    await repository.insertRows(tx, id, rows)
    await repository.updateImport(db, id, { rows: rowsRead })
    found.columns = columns
    found.rows = rowsRead
    found.errors.push(...errors.slice(0, maxListedErrors - found.errors.length))
    found.errorCount += errors.length
  }
  return found
}

async function check(tx: Transaction<Database>, id: string, found: Found): Promise<void> {
  const { columns } = found
  await queries.matchRows(tx, id, columns)
  const { errors, total } = await queries.findErrors(tx, id, columns)
  const listed = [...found.errors, ...errors]
    .toSorted((one, other) => one.row - other.row)
    .slice(0, maxListedErrors)
  await repository.updateImport(tx, id, {
    state: 'checked',
    columns,
    done: found.rows,
    ...(await queries.countEffect(tx, id, columns)),
    error_count: found.errorCount + total,
    errors: JSON.stringify(listed),
    changes: JSON.stringify(await queries.listChanges(tx, id, columns)),
  })
}

/**
 * Imports a checked file without errors in one transaction, which continues in the background.
 *
 * @throws NOT_FOUND, IMPORT_NOT_READY, IMPORT_IN_PROGRESS
 */
export async function runImport(deps: ImportDeps, id: string, by: Actor): Promise<void> {
  const file = await requireImport(deps.db, id)
  await runInBackground(deps, id, async (tx, begun) => {
    if (!(await repository.beginImporting(deps.db, id))) throw new ShopError('IMPORT_NOT_READY')
    begun()
    await repository.lockApplying(tx)
    await queries.setAuditActor(tx, by)
    // The catalog may have changed since the check.
    await queries.matchRows(tx, id, file.columns)
    if ((await queries.findErrors(tx, id, file.columns)).total > 0) throw new FileRefused(catalogChanged)
    await queries.lockChanges(tx, id, file.columns)
    // Prices may have changed until they were locked.
    await queries.setTargets(tx, id, file.columns, { onlyLocked: true })
    await queries.preserveOtherPrices(tx, id)
    await queries.releaseTakenKeys(tx, id)
    await repository.updateImport(tx, id, {
      state: 'done',
      ...(await change(deps, tx, file, by)),
    })
  })
}

/** Adds the new products and variants, then changes the locked ones. */
async function change(
  { db, work }: ImportDeps,
  tx: Transaction<Database>,
  file: repository.ProductImport,
  by: Actor,
): Promise<queries.Effect & { done: number }> {
  let [added, changed] = [0, 0]
  const eachSpan = async (half: 0 | 1, handle: (span: queries.Span) => Promise<void>) => {
    for (let from = 1; from <= file.rows + 1; from += rowsAtOnce) {
      work.signal.throwIfAborted()
      await handle({ importId: file.id, from, to: from + rowsAtOnce - 1 })
      const done = Math.min(from + rowsAtOnce - 1, file.rows)
      await repository.updateImport(db, file.id, { done: Math.floor((half * file.rows + done) / 2) })
    }
  }
  await eachSpan(0, async (span) => {
    added += await queries.addProducts(tx, span, by)
  })
  await eachSpan(1, async (span) => {
    const effect = await queries.changeProducts(tx, span, file.columns, by)
    if (effect.lost > 0) throw new FileRefused(catalogChanged)
    changed += effect.changed
  })
  const products = file.added + file.changed + file.unchanged
  return { added, changed, unchanged: products - added - changed, done: file.rows }
}

/**
 * Runs `handle` in a transaction while no other import runs. Resolves when `handle` calls `begun`, and rejects if it
 * throws a ShopError. Stores the reason of any other failure.
 */
async function runInBackground(
  { db, log, work }: ImportDeps,
  id: string,
  handle: (tx: Transaction<Database>, begun: () => void) => Promise<void>,
): Promise<void> {
  const begun = Promise.withResolvers<void>()
  let isStored = false
  const storeFailure = async (error: unknown) => {
    const failure = toFailure(error, work.signal)
    if (failure === unexpectedFailure) log.error({ err: error }, 'could not import a product file')
    await repository.updateImport(db, id, { state: 'failed', failure })
    isStored = true
  }
  const running = db.transaction().execute(async (tx) => {
    if (!(await repository.tryLockImports(tx))) throw new ShopError('IMPORT_IN_PROGRESS')
    try {
      await handle(tx, begun.resolve)
    } catch (error) {
      // Stored before the rollback releases the lock, so that the import does not seem to be abandoned.
      if (!rejectsCall(error)) await storeFailure(error)
      throw error
    }
  })
  const end = running.catch(async (error: unknown) => {
    if (rejectsCall(error)) throw error
    // The commit has failed, or the failure could not be stored before.
    if (!isStored) await storeFailure(error)
  })
  work.add(end.then(begun.resolve, begun.reject))
  await begun.promise
}

/** An upload that is too large fails the import; other errors of the shop reject the call itself. */
const rejectsCall = (error: unknown) => error instanceof ShopError && error.code !== 'BODY_TOO_LARGE'

function toFailure(error: unknown, stopping: AbortSignal): string {
  if (error instanceof FileRefused || error instanceof ShopError) return error.message
  if (stopping.aborted) return shopRestarted
  if (hasCode(error, 'ECONNRESET')) return 'The upload was interrupted.'
  // A part number was taken or a stock fell between the check and the change.
  return hasCode(error, '23505') || hasCode(error, '23514') ? catalogChanged : unexpectedFailure
}

/**
 * Marks the import as failed if its process has ended.
 *
 * @param readDb of a request that only reads
 * @throws NOT_FOUND
 */
export async function requireImport(
  db: Kysely<Database>,
  id: string,
  readDb = db,
): Promise<repository.ProductImport> {
  const found = await repository.findImport(readDb, id)
  if (!found) throw new ShopError('NOT_FOUND')
  if (!['reading', 'checking', 'importing'].includes(found.state)) return found
  await repository.failAbandoned(db, shopRestarted)
  return (await repository.findImport(db, id)) ?? found
}
