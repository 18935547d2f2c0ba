import { readConfig } from '../config/config.ts'
import * as customers from '../modules/customers/service.ts'
import { openDatabase } from '../open-database.ts'
import { Cleanup } from '../platform/cleanup.ts'
import { ShopError, StartupError } from '../platform/errors.ts'
import { openLog } from '../platform/log.ts'

/** `npm run make-admin -- jane@example.com`: makes a customer who has signed in before an admin. */
const cleanup = new Cleanup()
try {
  const email = process.argv[2]?.trim().toLowerCase()
  if (!email) throw new StartupError('Usage: npm run make-admin -- jane@example.com')
  const config = readConfig(process.env)
  const { db } = await openDatabase(config, openLog(config.logLevel), cleanup)
  const isNew = await customers.makeAdmin(db, email, null)
  process.stdout.write(`${email} is ${isNew ? 'now' : 'already'} an admin.\n`)
} catch (error) {
  if (!(error instanceof StartupError || error instanceof ShopError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
} finally {
  await cleanup.close()
}
