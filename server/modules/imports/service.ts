import type { FastifyBaseLogger } from 'fastify'
import type { Kysely, Transaction } from 'kysely'
import { type ImportError, type ImportKind, maxListedErrors } from '../../../contract/imports.ts'
import type { Database } from '../../../db/schema.ts'
import type { Actor } from '../../platform/actor.ts'
import { lockApplying } from '../../platform/database/advisory-locks.ts'
import { setAuditActor } from '../../platform/database/audit-actor.ts'
import { newId } from '../../platform/database/database.ts'
import { hasCode, ShopError } from '../../platform/errors.ts'
import type { BackgroundWork } from '../../platform/jobs.ts'
import { catalogChanged, type FileKind } from './file-kind.ts'
import { type Batch, FileRefused } from './read-file.ts'
import * as repository from './repository.ts'

export { listOpenImports } from './queries.ts'
export { deleteOldRows, tryDelayImports } from './repository.ts'

export interface ImportDeps {
  db: Kysely<Database>
  log: FastifyBaseLogger
  /** Work that continues after the response. On shutdown it is aborted and awaited. */
  work: BackgroundWork
  kinds: Record<ImportKind, FileKind>
}

const shopRestarted = 'The shop was restarted during the import. Nothing was changed. Upload the file again.'
const unexpectedFailure = 'Something went wrong on our side. Nothing was changed. Upload the file again.'

/**
 * Reads a file, then checks it in the background. Does not change the catalog.
 *
 * @returns the import's id when the whole file is read
 * @throws IMPORT_IN_PROGRESS
 */
export async function checkFile(
  deps: ImportDeps,
  { fileName, kind }: { fileName: string; kind: ImportKind },
  bytes: AsyncIterable<Buffer>,
  by: Actor,
): Promise<string> {
  const id = newId()
  await runInBackground(deps, id, async (tx, begun) => {
    await repository.insertImport(deps.db, { id, kind, file_name: fileName, started_by: by.customerId })
    const found = await readRows(deps, tx, { id, kind }, bytes)
    await repository.updateImport(deps.db, id, { state: 'checking', rows: found.rows })
    begun()
    await check(deps.kinds[kind], tx, id, found)
  })
  return id
}

interface Found {
  columns: string[]
  rows: number
  errors: ImportError[]
  errorCount: number
  leftOut: Batch['leftOut']
}

async function readRows(
  { db, work, kinds }: ImportDeps,
  tx: Transaction<Database>,
  { id, kind }: { id: string; kind: ImportKind },
  bytes: AsyncIterable<Buffer>,
) {
  const found: Found = { columns: [], rows: 0, errors: [], errorCount: 0, leftOut: undefined }
  for await (const { columns, rows, errors, rowsRead, leftOut } of kinds[kind].read(bytes, tx)) {
    work.signal.throwIfAborted()
    await kinds[kind].insertRows(tx, id, rows)
    await repository.updateImport(db, id, { rows: rowsRead })
    found.columns = columns
    found.rows = rowsRead
    found.leftOut = leftOut
    found.errors.push(...errors.slice(0, maxListedErrors - found.errors.length))
    found.errorCount += errors.length
  }
  return found
}

async function check(kind: FileKind, tx: Transaction<Database>, id: string, found: Found): Promise<void> {
  const { columns, leftOut = { count: 0, brands: [] } } = found
  const { errors, total, effect, changes } = await kind.check(tx, id, columns)
  const listed = [...found.errors, ...errors]
    .toSorted((one, other) => one.row - other.row)
    .slice(0, maxListedErrors)
  await repository.updateImport(tx, id, {
    state: 'checked',
    columns,
    done: found.rows,
    ...effect,
    left_out_count: leftOut.count,
    left_out: JSON.stringify(leftOut.brands),
    error_count: found.errorCount + total,
    errors: JSON.stringify(listed),
    changes: JSON.stringify(changes),
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
    await setAuditActor(tx, by)
    await lockApplying(tx)
    const effect = await deps.kinds[file.kind].run(tx, file, by, async (share) => {
      deps.work.signal.throwIfAborted()
      // On another connection, because this transaction is not visible. If there is none, the progress is shown later.
      await repository
        .updateImport(deps.db, id, { done: Math.floor(share * file.rows) })
        .catch((error: unknown) => deps.log.warn({ err: error }, 'could not store the progress of an import'))
    })
    await repository.updateImport(tx, id, { state: 'done', ...effect, done: file.rows })
  })
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
    if (failure === unexpectedFailure) log.error({ err: error }, 'could not import a file')
    await repository.updateImport(db, id, { state: 'failed', failure })
    isStored = true
  }
  const running = db.transaction().execute(async (tx) => {
    if (!(await repository.lockImports(tx))) throw new ShopError('IMPORT_IN_PROGRESS')
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
