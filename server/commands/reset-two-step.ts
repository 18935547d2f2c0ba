import { resetTwoStep } from '../modules/customers/two-step/service.ts'
import { connectDatabase, requireMigrated } from '../open-database.ts'
import { StartupError } from '../platform/errors.ts'
import { runCommand } from './run-command.ts'

/** `npm run reset-two-step -- jane@example.com`: removes the two-step login of someone on the staff. */
await runCommand(async ({ config, log, cleanup }) => {
  const email = process.argv[2]?.trim().toLowerCase()
  if (!email) throw new StartupError('Usage: npm run reset-two-step -- jane@example.com')
  const { db } = await connectDatabase(config, log, cleanup)
  await requireMigrated(db)
  const isReset = await resetTwoStep(db, email, null)
  process.stdout.write(
    isReset
      ? `The two-step login of ${email} was removed. The password alone opens this account until they set it up again.\n`
      : `${email} has no two-step login.\n`,
  )
})
