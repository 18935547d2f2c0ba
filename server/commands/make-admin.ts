import * as customers from '../modules/customers/service.ts'
import { connectDatabase, requireMigrated } from '../open-database.ts'
import { StartupError } from '../platform/errors.ts'
import { runCommand } from './run-command.ts'

/** `npm run make-admin -- jane@example.com`: makes a customer who has signed in before an admin. The first admin owns the shop. */
await runCommand(process.env, async ({ config, log, cleanup }) => {
  const email = process.argv[2]?.trim().toLowerCase()
  if (!email) throw new StartupError('Usage: npm run make-admin -- jane@example.com')
  const { db } = await connectDatabase(config, log, cleanup)
  await requireMigrated(db)
  const isNew = await customers.makeAdmin(db, email, null)
  process.stdout.write(`${email} is ${isNew ? 'now' : 'already'} an admin.\n`)
})
