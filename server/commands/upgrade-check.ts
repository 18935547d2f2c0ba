import type { findPendingMigrations } from '../open-database.ts'
import { oldestVersion } from '../platform/database/migrations.ts'

/** The running processes must stop before the migration. */
const STOP_FIRST = 2

/** Returns what `npm run migrate -- --check` prints, and its exit code: 0, or 2 if the running version must stop first. */
export function describeUpgrade({ isEmpty, pending }: Awaited<ReturnType<typeof findPendingMigrations>>): {
  sentence: string
  exitCode: number
} {
  if (isEmpty) {
    return { sentence: 'The database is empty: npm run migrate will create its tables.', exitCode: 0 }
  }
  if (pending.length === 0) return { sentence: 'The database is up to date.', exitCode: 0 }
  const names = pending.map(({ name }) => name).join(', ')
  const upgrade = `The database can be upgraded, as each one since version ${oldestVersion}: npm run migrate will apply ${names}.`
  const stop = pending.find(({ isRunnable }) => !isRunnable)
  if (!stop) {
    return {
      sentence: `${upgrade} The running version can continue until new features are used.`,
      exitCode: 0,
    }
  }
  const advice = `Stop the running version first: it does not work with the result of ${stop.name}.`
  return { sentence: `${upgrade} ${advice}`, exitCode: STOP_FIRST }
}
