import type { Kysely } from 'kysely'
import type { Database } from '../../../db/schema.ts'
import { isUniqueViolation, newId } from '../../platform/database.ts'
import { ShopError } from '../../platform/errors.ts'
import type { VerifiedIdentity } from '../identity/service.ts'
import * as repository from './repository.ts'

/** Emails that the shop's settings make admins. */
export interface AdminRule {
  emails: readonly string[]
  /** Whether unverified emails count. Only true for a local demo with the embedded database. */
  trustUnverified: boolean
}

/**
 * Returns the customer of a verified sign-in; creates one at the first sign-in.
 *
 * Issuer and subject identify a sign-in. A new one is linked to a customer with the same email only if both have
 * verified it. Otherwise registering a foreign email elsewhere would give access to its customer.
 *
 * @param ip client IP of the sign-in; null if unknown
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
    // A concurrent first sign-in has created the customer, so look again.
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
  if (!customer) throw new Error(`customer ${id} not found`)
  return customer
}

/** Finds or creates the customer of a sign-in, within the caller's transaction. */
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
    // A concurrent sign-in may have created both between the two queries.
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

/** Applies a new email that the identity provider reports for the same person. */
async function moveEmail(db: Kysely<Database>, customerId: string, email: string): Promise<void> {
  if (await repository.findCustomerByEmail(db, email)) throw new ShopError('EMAIL_TAKEN')
  await repository.updateCustomer(db, customerId, { email })
}
