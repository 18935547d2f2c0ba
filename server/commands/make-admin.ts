import { parseArgs } from 'node:util'
import * as customers from '../modules/customers/service.ts'
import { connectDatabase, requireMigrated } from '../open-database.ts'
import { StartupError } from '../platform/errors.ts'
import { runCommand } from './run-command.ts'

/**
 * `npm run make-admin -- jane@example.com`: makes a customer who has signed in before an admin. The first admin owns the shop.
 * With `--owner` the customer owns the shop too, for a shop whose owners cannot sign in any more.
 */
await runCommand(process.env, async ({ config, log, cleanup }) => {
  const { email, isOwner } = readArguments()
  const { db } = await connectDatabase(config, log, cleanup)
  await requireMigrated(db)
  const isNew = isOwner ? await customers.makeOwner(db, email) : await customers.makeAdmin(db, email, null)
  const role = customers.toStaffRole(await customers.requireCustomerByEmail(db, email))
  process.stdout.write(`${email} is ${isNew ? 'now' : 'already'} an ${role}.\n`)
})

function readArguments() {
  const usage = 'Usage: npm run make-admin -- jane@example.com, or with --owner before the email'
  try {
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: { owner: { type: 'boolean', default: false } },
    })
    const email = positionals[0]?.trim().toLowerCase()
    if (!email || positionals.length > 1) throw new RangeError(usage)
    return { email, isOwner: values.owner }
  } catch (cause) {
    throw new StartupError(usage, { cause })
  }
}
