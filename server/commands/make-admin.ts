import { parseArgs } from 'node:util'
import * as customers from '../modules/customers/service.ts'
import { connectDatabase, requireMigrated } from '../open-database.ts'
import { readArguments, runCommand } from './run-command.ts'

const usage = 'Usage: npm run make-admin -- jane@example.com, or with --owner before the email'

/**
 * `npm run make-admin -- jane@example.com`: makes a customer who has signed in before an admin. The first admin owns the shop.
 * With `--owner` the customer owns the shop too, for a shop whose owners cannot sign in any more.
 */
await runCommand(async ({ config, log, cleanup }) => {
  const { email, isOwner } = readArguments(usage, parse)
  const { db } = await connectDatabase(config, log, cleanup)
  await requireMigrated(db)
  const isNew = isOwner ? await customers.makeOwner(db, email) : await customers.makeAdmin(db, email, null)
  const role = customers.toStaffRole(await customers.requireCustomerByEmail(db, email))
  process.stdout.write(`${email} is ${isNew ? 'now' : 'already'} an ${role}.\n`)
})

function parse() {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { owner: { type: 'boolean', default: false } },
  })
  const email = positionals[0]?.trim().toLowerCase()
  return email && positionals.length === 1 ? { email, isOwner: values.owner } : null
}
