import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import type { Database } from '../../../db/schema.ts'
import type { Actor } from '../../platform/actor.ts'
import { lockBatch } from '../../platform/database/advisory-locks.ts'
import { setAuditActor } from '../../platform/database/audit-actor.ts'
import { inTransaction, LOCK_NOT_AVAILABLE } from '../../platform/database/database.ts'
import { hasCode, isDatabaseUnavailable } from '../../platform/errors.ts'
import { catalogChanged, type InBatches } from './file-kind.ts'
import * as queries from './queries.ts'
import { FileRefused } from './read-file.ts'
import { recordImport } from './record.ts'
import * as repository from './repository.ts'

interface Deps {
  db: Kysely<Database>
  log: FastifyBaseLogger
}

type Kind = InBatches & { rowTable: string }

export const unexpectedFailure =
  'Something went wrong on our side. Nothing was changed. Upload the file again.'
const locked =
  'Another change locked these products for too long. Nothing was imported. Upload the file again.'

/** Half a second each, and the products stay unlocked in between. */
const maxLockAttempts = 20

/**
 * Runs the rest of an import in batches, each in a transaction of its own. What is committed stays: after a crash the
 * next call continues with the first batch that is not committed. Two calls at the same time commit each batch once.
 *
 * @throws on shutdown and if the database is unavailable: then the import is not ended
 */
export async function runBatches(deps: Deps, id: string, kind: Kind, signal: AbortSignal): Promise<void> {
  let lockAttempts = 0
  for (;;) {
    signal.throwIfAborted()
    const file = await repository.findImport(deps.db, id)
    if (file?.state !== 'importing' || file.next_batch === null || file.run_by === null) return
    const { next_batch: batch, batch_count: count } = file
    if (count !== null && batch >= count) return end(deps.db, id, { state: 'done' })
    // A restored backup has no rows.
    if (!(await queries.hasRows(deps.db, id, kind.rowTable))) {
      return end(deps.db, id, { state: 'failed', failure: toLostRows(file) })
    }
    const by = { customerId: file.run_by, ip: file.run_ip }
    try {
      if (count === null) await prepare(deps.db, file, kind)
      else await runBatch(deps.db, file, batch, kind, by)
      lockAttempts = 0
    } catch (error) {
      if (error instanceof FileRefused) return end(deps.db, id, { state: 'failed', failure: error.message })
      const isLocked = hasCode(error, LOCK_NOT_AVAILABLE)
      if (isLocked && ++lockAttempts < maxLockAttempts) continue
      if (!isLocked && isDatabaseUnavailable(error)) throw error
      deps.log.error({ err: error, importId: id, batch }, 'a batch of an import failed')
      if (count === null || isWhole(file)) {
        return end(deps.db, id, { state: 'failed', failure: isLocked ? locked : toFailure(error) })
      }
      await divideOrSkip(deps.db, file, batch, kind, toReason(error))
      lockAttempts = 0
    }
  }
}

/** A file of one batch is imported completely or not at all. */
const isWhole = ({ source, batch_count }: repository.ProductImport) => source === 'file' && batch_count === 1

function prepare(db: Kysely<Database>, file: repository.ProductImport, kind: Kind): Promise<void> {
  return inTransaction(db, async (tx) => {
    await repository.withoutTimeout(tx)
    // If two processes divided the import, the second one would number the rest again, and products would be left out.
    if (!(await repository.lockUndivided(tx, file.id))) return
    const { unknown, ...result } = await kind.batches.prepare(tx, file)
    await repository.setBatches(tx, file.id, result)
    if (unknown) await repository.addUnknown(tx, file.id, unknown)
  })
}

function runBatch(
  db: Kysely<Database>,
  file: repository.ProductImport,
  batch: number,
  kind: Kind,
  by: Actor,
): Promise<void> {
  return inTransaction(db, async (tx) => {
    await lockBatch(tx)
    if (!(await repository.takeBatch(tx, file.id, batch))) return
    await setAuditActor(tx, by, file.id)
    const products = await kind.batches.list(tx, file.id, batch)
    const result = await kind.batches.run(tx, file, { number: batch, products }, by)
    if (isWhole(file) && result.skipped.length > 0) throw new FileRefused(catalogChanged)
    await repository.addResult(tx, file.id, result)
  })
}

/** Divides a batch that failed into smaller ones, which run last. Leaves out a product that has failed by itself. */
function divideOrSkip(
  db: Kysely<Database>,
  { id, batch_count: first }: repository.ProductImport,
  batch: number,
  { batches, rowTable }: Kind,
  reason: string,
): Promise<void> {
  return inTransaction(db, async (tx) => {
    if (first === null || !(await repository.takeBatch(tx, id, batch))) return
    const products = await batches.list(tx, id, batch)
    if (products.length > 1) {
      const parts = await queries.divideBatch(tx, { importId: id, rowTable, batch, first }, products)
      await repository.addResult(tx, id, { effect: {}, skipped: [] }, parts)
    } else {
      const skipped = products.map(({ product_id, name }) => ({ productId: product_id, name, reason }))
      await repository.addResult(tx, id, { effect: {}, skipped })
    }
  })
}

type Outcome = Parameters<typeof repository.endImport>[2]

/** Ends the import and records it, once. An import that has changed nothing is not recorded. */
function end(db: Kysely<Database>, id: string, outcome: Outcome): Promise<void> {
  return inTransaction(db, async (tx) => {
    if (!(await repository.endImport(tx, id, outcome))) return
    const found = await repository.findImport(tx, id)
    if (outcome.state === 'done' || (found?.next_batch ?? 0) > 0) await recordImport(tx, id)
  })
}

export function toLostRows({ next_batch, added, changed, removed }: repository.ProductImport): string {
  if (!next_batch)
    return 'The rows of this file are no longer stored. Nothing was changed. Upload the file again.'
  const records = (added + changed + removed).toLocaleString('en-US')
  return `The rows of this file are no longer stored. ${records} records were changed. Undo the import, or upload the file again.`
}

/** Returns why nothing was changed. */
export function toFailure(error: unknown): string {
  // A part number was taken or a stock fell between the check and the change.
  return hasCode(error, '23505') || hasCode(error, '23514') ? catalogChanged : unexpectedFailure
}

/** Returns why a product could not be changed. */
function toReason(error: unknown): string {
  if (hasCode(error, '23505'))
    return 'Another product has its part number, or it has this size and colour twice'
  if (hasCode(error, '23514')) return 'Its stock or another value would not be allowed'
  if (hasCode(error, '23503')) return 'A bike or product that it refers to was removed'
  if (hasCode(error, LOCK_NOT_AVAILABLE)) return 'It was locked by another change for too long'
  return 'Something went wrong on our side'
}
