import { requireSecrets } from '../config/config.ts'
import { deleteSigningKeys } from '../modules/identity/service.ts'
import { connectDatabase, loadSecrets, requireMigrated } from '../open-database.ts'
import { replaceFingerprint } from '../platform/secrets/secret-fingerprint.ts'
import { runCommand } from './run-command.ts'
import { printUnreadableLogins } from './unreadable-logins.ts'

/** `npm run reset-secret`: makes SHOP_SECRET the secret of a shop whose previous one is lost. The shop must be stopped. */
await runCommand(async ({ config, log, cleanup }) => {
  requireSecrets({ ...config, demo: false })
  const { db } = await connectDatabase(config, log, cleanup)
  await requireMigrated(db)
  await db.transaction().execute(async (tx) => {
    await deleteSigningKeys(tx)
    await replaceFingerprint(tx, loadSecrets(config))
  })
  process.stdout.write(
    'The shop now has this secret. All users must log in again, and links of earlier guest and phone orders no longer work.\n',
  )
  await printUnreadableLogins(db, loadSecrets(config))
})
