import { parseArgs } from 'node:util'
import { connectDatabase, findPendingMigrations, migrateShop } from '../open-database.ts'
import { oldestVersion } from '../platform/database/migrations.ts'
import { StartupError } from '../platform/errors.ts'
import { runCommand } from './run-command.ts'

const usage = 'Usage: npm run migrate [-- --check]. --check changes nothing.'

/**
 * `npm run migrate [-- --check]`: applies pending migrations before the first process of a new version starts, or says
 * whether that will work.
 */
await runCommand(process.env, async ({ config, log, cleanup }) => {
  const isCheck = readArguments()
  const database = await connectDatabase(config, log, cleanup)
  const print = (message: string) => void process.stdout.write(`${message}\n`)
  if (isCheck) return print(toSentence(await findPendingMigrations(database.db)))
  const names = await migrateShop(database, print)
  print(names.length > 0 ? `Applied ${names.join(', ')}.` : 'The database is up to date.')
})

function readArguments(): boolean {
  try {
    return parseArgs({ options: { check: { type: 'boolean', default: false } } }).values.check
  } catch (cause) {
    throw new StartupError(usage, { cause })
  }
}

function toSentence({ isEmpty, pending }: Awaited<ReturnType<typeof findPendingMigrations>>): string {
  if (isEmpty) return 'The database is empty: npm run migrate will create its tables.'
  if (pending.length === 0) return 'The database is up to date.'
  const names = pending.map(({ name }) => name).join(', ')
  const stop = pending.find(({ isRunnable }) => !isRunnable)
  const advice = stop
    ? `Stop the running version first: it does not work with the result of ${stop.name}.`
    : 'The running version can continue.'
  return `The database can be upgraded, as each one since version ${oldestVersion}: npm run migrate will apply ${names}. ${advice}`
}
