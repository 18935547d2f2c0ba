import { parseArgs } from 'node:util'
import { connectDatabase, findPendingMigrations, migrateShop } from '../open-database.ts'
import { readArguments, runCommand } from './run-command.ts'
import { describeUpgrade } from './upgrade-check.ts'

const usage = 'Usage: npm run migrate [-- --check]. --check changes nothing.'

/**
 * `npm run migrate [-- --check]`: applies pending migrations before the first process of a new version starts, or says
 * whether that will work.
 */
await runCommand(async ({ config, log, cleanup }) => {
  const isCheck = readArguments(usage, parse)
  const database = await connectDatabase(config, log, cleanup)
  const print = (message: string) => void process.stdout.write(`${message}\n`)
  if (isCheck) {
    const { sentence, exitCode } = describeUpgrade(await findPendingMigrations(database.db))
    process.exitCode = exitCode
    return print(sentence)
  }
  const names = await migrateShop(database, print)
  print(names.length > 0 ? `Applied ${names.join(', ')}.` : 'The database is up to date.')
})

function parse(): boolean {
  return parseArgs({ options: { check: { type: 'boolean', default: false } } }).values.check
}
