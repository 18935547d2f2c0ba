import type { Kysely } from 'kysely'
import type { Database } from '../../../db/schema.ts'
import { isUniqueViolation } from '../../platform/database.ts'
import { newId } from '../../platform/ids.ts'
import { ShopError } from '../../platform/shop-error.ts'
import type { VerifiedIdentity } from '../identity/service.ts'
import * as repository from './repository.ts'

/** Who becomes an admin by the shop's settings. */
export interface AdminRule {
  emails: readonly string[]
  /** Whether an address counts that no one has verified: only where the shop runs on its embedded default. */
  trustUnverified: boolean
}

/**
 * The customer that a verified sign-in stands for, made at the first sign-in.
 *
 * A sign-in is known by issuer and subject. A new one joins a customer with the same email only where both have
 * verified it: else whoever registers a stranger's address somewhere would become that stranger.
 *
 * @param ip where the sign-in comes from; null if that is not known
 * @throws EMAIL_TAKEN
 */
export async function findOrCreateCustomer(
  db: Kysely<Database>,
  identity: VerifiedIdentity,
  name: string,
  admins: AdminRule,
  ip: string | null = null,
): Promise<repository.Customer> {
  const join = () => db.transaction().execute((tx) => linkIdentity(tx, identity, name))
  const { id } = await join().catch((error: unknown) => {
    // Two first sign-ins at once: the other one has made the customer in the meantime.
    const isMade = ['customers_email_key', 'customer_identities_pkey'].some((key) =>
      isUniqueViolation(error, key),
    )
    if (!isMade) throw error
    return join()
  })
  if (admins.emails.includes(identity.email) && (identity.emailVerified || admins.trustUnverified)) {
    await repository.grantAdmin(db, id, { grantedBy: 'settings', ip })
  }
  const customer = await repository.findCustomer(db, id)
  if (!customer) throw new Error(`customer ${id} vanished`)
  return customer
}

/** Finds or makes the customer of a sign-in, within the caller's transaction. */
export async function linkIdentity(
  db: Kysely<Database>,
  identity: VerifiedIdentity,
  name: string,
): Promise<{ id: string }> {
  const known = await repository.findCustomerByIdentity(db, identity)
  if (known) {
    await insertIdentity(db, known.id, identity)
    if (known.email !== identity.email) await moveEmail(db, known.id, identity.email)
    return known
  }
  const customerWithSameEmail = await repository.findCustomerByEmail(db, identity.email)
  if (customerWithSameEmail) {
    // Another first sign-in of this person may have made both between the two looks.
    const made = await repository.findCustomerByIdentity(db, identity)
    if (made?.id === customerWithSameEmail.id) return made
    const bothVerified =
      identity.emailVerified && (await repository.hasVerifiedIdentity(db, customerWithSameEmail.id))
    if (!bothVerified) throw new ShopError('EMAIL_TAKEN')
    await insertIdentity(db, customerWithSameEmail.id, identity)
    return customerWithSameEmail
  }
  const id = newId()
  const photo = /^https?:\/\//.test(identity.picture ?? '') ? (identity.picture ?? '') : ''
  await repository.insertCustomer(db, { id, email: identity.email, name: name || identity.name || '', photo })
  await insertIdentity(db, id, identity)
  return { id }
}

function insertIdentity(db: Kysely<Database>, customerId: string, identity: VerifiedIdentity): Promise<void> {
  return repository.upsertIdentity(db, {
    issuer: identity.issuer,
    subject: identity.subject,
    customer_id: customerId,
    email_verified: identity.emailVerified,
  })
}

/** The identity provider knows a new address for the same person. */
async function moveEmail(db: Kysely<Database>, customerId: string, email: string): Promise<void> {
  if (await repository.findCustomerByEmail(db, email)) throw new ShopError('EMAIL_TAKEN')
  await repository.updateCustomer(db, customerId, { email })
}
