import type { Kysely } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { deriveStorageKeys, listUnreadable } from '../modules/customers/two-step/service.ts'
import type { Secrets } from '../platform/secrets/secrets.ts'

/** Prints the command for each member of the staff whose two-step login was set up with another secret. */
export async function printUnreadableLogins(db: Kysely<Database>, secrets: Secrets): Promise<void> {
  for (const email of await listUnreadable(db, deriveStorageKeys(secrets))) {
    process.stdout.write(
      `The two-step login of ${email} was set up with another SHOP_SECRET. Run: npm run reset-two-step -- ${email}\n`,
    )
  }
}
