import type { Kysely } from 'kysely'
import type { ImportWarning } from '../../../contract/imports.ts'
import { pluralize } from '../../../contract/plurals.ts'
import type { Database } from '../../../db/schema.ts'
import type { Actor } from '../../platform/actor.ts'
import { isDatabaseUnavailable, ShopError } from '../../platform/errors.ts'
import { shopRestarted } from './background.ts'
import { toFailure } from './batches.ts'
import type { DryRun } from './file-kind.ts'
import { FileRefused } from './read-file.ts'
import * as repository from './repository.ts'
import { continueImports, type ImportDeps, type RunOptions, requireConfirmed } from './service.ts'

const maxDelayMs = 7 * 24 * 3_600_000

/**
 * Schedules a checked file. A job imports it at this time, or within a minute after it.
 *
 * @param at in ISO 8601
 * @throws IMPORT_NOT_READY, IMPORT_NOT_SCHEDULABLE, WARNINGS_NOT_ACCEPTED, HOST_NOT_IN_FILE
 */
export async function scheduleImport(
  { db, kinds }: Pick<ImportDeps, 'db' | 'kinds'>,
  file: repository.ProductImport,
  by: Actor,
  at: string,
  options: RunOptions,
): Promise<void> {
  requireConfirmed(file, options)
  const isInBatches = file.source === 'file' && 'batches' in kinds[file.kind]
  if (!isInBatches || Date.parse(at) > Date.now() + maxDelayMs) throw new ShopError('IMPORT_NOT_SCHEDULABLE')
  const schedule = { at, skipsErrors: options.skipsErrors, hosts: options.hosts }
  if (!(await repository.setSchedule(db, file.id, by, schedule))) throw new ShopError('IMPORT_NOT_READY')
}

/** The file stays checked. @throws IMPORT_NOT_READY */
export async function cancelSchedule(db: Kysely<Database>, id: string): Promise<void> {
  if (!(await repository.clearSchedule(db, id))) throw new ShopError('IMPORT_NOT_READY')
}

export interface ScheduleDeps extends Pick<ImportDeps, 'db' | 'log' | 'kinds'> {
  /** Returns whether this person may import files now. */
  mayImport: (db: Kysely<Database>, customerId: string) => Promise<boolean>
}

const notAllowed =
  'The person who chose the time may no longer import files. Nothing was changed. Upload the file again.'

/** The time was cancelled or moved during the check, which is rolled back. */
class NoLongerDue extends Error {}

/**
 * Checks a file again whose time has come, and starts its import. New errors or large changes stop it: then it fails, and
 * nothing is changed.
 */
async function startDueImport({ db, log, kinds, mayImport }: ScheduleDeps): Promise<void> {
  if (!(await repository.findDue(db))) return
  let dueId = ''
  try {
    await db.transaction().execute(async (tx) => {
      if (!(await repository.tryLockImports(tx)) || (await repository.findRunning(tx))) return
      const file = await repository.findDue(tx)
      if (!file) return
      dueId = file.id
      const by = { customerId: file.run_by ?? '', ip: file.run_ip }
      if (!(await mayImport(tx, by.customerId))) throw new FileRefused(notAllowed)
      const dryRun = await kinds[file.kind].check(tx, file.id, file.columns, file.mode)
      const problem = describeNew(file.warnings, dryRun)
      if (problem !== null) throw new FileRefused(problem)
      if (dryRun.unknown) await repository.addUnknown(tx, file.id, dryRun.unknown)
      const options = { skipsErrors: file.skips_errors, hosts: file.copied_hosts, mustBeDue: true }
      if (!(await repository.beginImporting(tx, file.id, by, { ...options, inBatches: true })))
        throw new NoLongerDue()
    })
  } catch (error) {
    if (error instanceof NoLongerDue) return
    // The next run of the job tries again.
    if (dueId === '' || isDatabaseUnavailable(error)) throw error
    if (!(error instanceof FileRefused)) log.error({ err: error }, 'could not start a scheduled import')
    await repository.failScheduled(db, dueId, error instanceof FileRefused ? error.message : toFailure(error))
  }
}

/** Starts an import whose time has come, and continues or fails those whose process has ended. For a job. */
export async function runImports(
  deps: ScheduleDeps & Pick<ImportDeps, 'undo'>,
  signal: AbortSignal,
): Promise<number | void> {
  await repository.failAbandoned(deps.db, shopRestarted)
  await startDueImport(deps)
  return continueImports(deps, signal)
}

/** Returns the new errors and large changes, or null. The wrong rows of the first check are left out already. */
function describeNew(known: ImportWarning[], { errors, total, warnings = [] }: DryRun): string | null {
  const found = warnings.filter(
    ({ code, count }) => count > (known.find((each) => each.code === code)?.count ?? 0),
  )
  const [first] = errors
  const example = first && ` Row ${first.row}${first.column && `, ${first.column}`}: ${first.message}.`
  const news = [
    ...(total > 0 ? [pluralize(total, 'new error')] : []),
    ...(found.length > 0 ? ['new large changes'] : []),
  ]
  if (news.length === 0) return null
  return `The check before the import found ${news.join(' and ')}.${example ?? ''} Nothing was changed. Upload the file again.`
}
