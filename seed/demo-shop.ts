import type { Kysely } from 'kysely'
import type { Database } from '../db/schema.ts'
import type { Config } from '../server/config/config.ts'
import type { Identity } from '../server/modules/identity/service.ts'
import { generatePassword, loadOrCreateSecret } from '../server/platform/secrets/secrets.ts'
import { demoAccounts, seedDemoShop } from './seed.ts'

/** Credentials of the demo accounts. */
interface DemoShop {
  emails: string[]
  password: string
}

/** Fills an empty database with the demo shop and its accounts. */
export async function openDemoShop(
  config: Config,
  db: Kysely<Database>,
  identity: Identity,
): Promise<DemoShop> {
  const password =
    config.demoPassword ?? loadOrCreateSecret(config.dataDir, 'demo-password', generatePassword)
  const emails = Object.values(demoAccounts).map((account) => account.email)
  const isNew = await seedDemoShop(db, {
    async createAccount(account) {
      const { subject } = await identity.createAccount({ ...account, password })
      return { issuer: identity.issuer.issuer, subject }
    },
  })
  // The accounts may have been created with another password. The printed one must work.
  if (!isNew) await Promise.all(emails.map((email) => identity.setPassword(email, password)))
  return { emails, password }
}
