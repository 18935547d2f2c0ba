import type { FastifyBaseLogger } from 'fastify'
import type { Kysely, Transaction } from 'kysely'
import type { Database } from '../../../db/schema.ts'
import { hasCode, ShopError } from '../../platform/errors.ts'
import type { BackgroundWork } from '../../platform/jobs.ts'
import { toFailure, unexpectedFailure } from './batches.ts'
import { FileRefused } from './read-file.ts'
import * as repository from './repository.ts'

export interface BackgroundDeps {
  db: Kysely<Database>
  log: FastifyBaseLogger
  /** Work that continues after the response. On shutdown it is aborted and awaited. */
  work: BackgroundWork
}

export const shopRestarted =
  'The shop was restarted during the import. Nothing was changed. Upload the file again.'

/**
 * Runs `handle` in a transaction while no other import runs. Resolves when `handle` calls `begun`, and rejects if it
 * throws a ShopError. Stores the reason of any other failure.
 */
export async function runInBackground(
  { db, log, work }: BackgroundDeps,
  id: string,
  handle: (tx: Transaction<Database>, begun: () => void) => Promise<void>,
): Promise<void> {
  const begun = Promise.withResolvers<void>()
  let isStored = false
  const storeFailure = async (error: unknown) => {
    const failure = toReason(error, work.signal)
    if (failure === unexpectedFailure) log.error({ err: error }, 'could not import a file')
    await repository.failImport(db, id, failure)
    isStored = true
  }
  const running = db.transaction().execute(async (tx) => {
    if (!(await repository.lockImports(tx))) throw new ShopError('IMPORT_IN_PROGRESS')
    // Nothing runs it at this moment, but a job will.
    if (await repository.findRunning(db, id)) throw new ShopError('IMPORT_IN_PROGRESS')
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

function toReason(error: unknown, stopping: AbortSignal): string {
  if (error instanceof FileRefused || error instanceof ShopError) return error.message
  if (stopping.aborted) return shopRestarted
  return hasCode(error, 'ECONNRESET') ? 'The upload was interrupted.' : toFailure(error)
}
