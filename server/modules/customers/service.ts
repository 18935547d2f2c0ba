import type { Kysely } from 'kysely'
import type { Profile } from '../../../contract/customers.ts'
import { getPermissions, noPermissions } from '../../../contract/permissions.ts'
import type { Database } from '../../../db/schema.ts'
import type { Actor, Caller, SignIn } from '../../platform/actor.ts'
import { inTransaction, isUniqueViolation, newId } from '../../platform/database/database.ts'
import { ShopError } from '../../platform/errors.ts'
import type { AccessTokens, VerifiedIdentity } from '../identity/service.ts'
import { setPhoto } from './photos.ts'
import { findCaller } from './queries.ts'
import * as repository from './repository.ts'

export { fetchPhotos, findAvatars, type PhotoLimiter, photoLimits, presentPhoto } from './photos.ts'

export { deleteOldSignIns } from './queries.ts'
export {
  type Customer,
  findCustomer,
  findCustomerByEmail,
  findPhoto,
  hasVerifiedIdentity,
  listCustomers,
  lockCustomer,
  searchCustomers,
  verifiedIdentity,
  voidAllTokens,
  voidTokens,
  voidTokensOfIdentity,
} from './repository.ts'

/**
 * Returns the caller with the current role, or null if the token is void. Staff whose sign-in lacks the second step have
 * no permissions. It does not matter which provider the sign-in is from.
 *
 * @param ip the client IP
 */
export async function identifyCaller(
  db: Kysely<Database>,
  accessTokens: AccessTokens,
  token: string,
  ip: string | null,
): Promise<Caller | null> {
  const claims = await accessTokens.verify(token)
  const found = claims && (await findCaller(db, claims.customerId, claims.signIn))
  if (!found || found.token_version !== claims.tokenVersion) return null
  const { id: customerId, email, role, openStep } = found
  const permissions = openStep ? noPermissions : getPermissions(role)
  return { customerId, email, role, permissions, openStep, signIn: claims.signIn, ip }
}

/** Returns the step that a sign-in of staff still needs; null if none is open. */
export const findOpenStep = async (
  db: Kysely<Database>,
  customerId: string,
  signIn: SignIn | null,
): Promise<Caller['openStep']> => (await findCaller(db, customerId, signIn))?.openStep ?? null

/** @throws USER_NOT_FOUND */
export async function requireCustomerByEmail(
  db: Kysely<Database>,
  email: string,
): Promise<repository.Customer> {
  const customer = await repository.findCustomerByEmail(db, email)
  if (!customer) throw new ShopError('USER_NOT_FOUND')
  return customer
}

/**
 * Gives the customer of an account its new, confirmed email, and voids the access tokens.
 *
 * @throws EMAIL_TAKEN
 */
export async function changeEmailOfIdentity(
  tx: Kysely<Database>,
  identity: { issuer: string; subject: string },
  email: string,
): Promise<void> {
  const known = await repository.findCustomerByIdentity(tx, identity)
  if (!known) return
  await repository.updateCustomer(tx, known.id, { email }).catch((error: unknown) => {
    throw isUniqueViolation(error, 'customers_email_key') ? new ShopError('EMAIL_TAKEN') : error
  })
  await repository.voidTokens(tx, known.id)
}

/** Updates a profile. A blank field keeps its old value. Returns false if all fields are blank. */
export async function updateProfile(db: Kysely<Database>, id: string, profile: Profile): Promise<boolean> {
  const { name, birthday, phone, sex, bio, photo } = profile
  const filled = Object.entries({ name, birthday, phone, sex, bio, photo }).filter(([, value]) => value)
  if (filled.length === 0) return false
  await inTransaction(db, async (tx) => {
    await repository.updateCustomer(tx, id, Object.fromEntries(filled))
    if (photo) await setPhoto(tx, id, photo)
  })
  return true
}

/**
 * Makes a customer an admin, records it and voids their tokens.
 *
 * @param changedBy the admin, or null for the command line
 * @returns false if they are an admin already
 * @throws USER_NOT_FOUND
 */
export async function makeAdmin(
  db: Kysely<Database>,
  email: string,
  changedBy: Actor | null,
): Promise<boolean> {
  const customer = await requireCustomerByEmail(db, email)
  const author = changedBy ? toAuthor(changedBy) : { granted_by: 'command' as const }
  return repository.changeRole(db, customer.id, 'admin', author)
}

const toAuthor = ({ customerId, ip }: Actor) => ({ changed_by: customerId, client_ip: ip })

/**
 * Removes another admin's role, records it and voids their tokens. Locks both rows and checks the caller's role
 * again: if two admins remove each other concurrently, the second call is refused.
 *
 * @returns false if the customer is not an admin
 * @throws USER_NOT_FOUND, OWN_ADMIN_ROLE, ADMIN_REQUIRED
 */
export async function removeAdmin(db: Kysely<Database>, email: string, caller: Actor): Promise<boolean> {
  const { id } = await requireCustomerByEmail(db, email)
  if (id === caller.customerId) throw new ShopError('OWN_ADMIN_ROLE')
  return inTransaction(db, async (tx) => {
    const admins = await repository.lockAdmins(tx, [id, caller.customerId])
    if (!admins.includes(caller.customerId)) throw new ShopError('ADMIN_REQUIRED')
    return repository.changeRole(tx, id, null, toAuthor(caller))
  })
}

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
 * @throws EMAIL_NOT_VERIFIED
 */
export async function findOrCreateCustomer(
  db: Kysely<Database>,
  identity: VerifiedIdentity,
  name: string,
  admins: AdminRule,
  ip: string | null = null,
): Promise<repository.Customer> {
  const { id } = await inTransaction(db, (tx) => linkIdentity(tx, identity, name))
  const isListed = admins.emails.includes(identity.email)
  const isTrusted = identity.emailVerified || admins.trustUnverified
  // An admin whose role was removed stays without it.
  if (isListed && isTrusted && !(await repository.hadRole(db, id))) {
    await repository.changeRole(db, id, 'admin', { granted_by: 'settings', client_ip: ip })
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
    await repository.upsertIdentity(db, known.id, identity)
    if (known.email !== identity.email) {
      // The identity provider reports a new email of the same person.
      await repository.updateCustomer(db, known.id, { email: identity.email }).catch((error: unknown) => {
        throw isUniqueViolation(error, 'customers_email_key') ? new ShopError('EMAIL_NOT_VERIFIED') : error
      })
    }
    return known
  }
  const { email, picture } = identity
  const customer = { id: newId(), email, name: name || identity.name || '', photo: picture ?? '' }
  if (await repository.insertCustomer(db, customer)) {
    await repository.upsertIdentity(db, customer.id, identity)
    if (customer.photo) await setPhoto(db, customer.id, customer.photo)
    return customer
  }
  // A concurrent first sign-in may have created both in the meantime.
  const made = await repository.findCustomerByIdentity(db, identity)
  if (made) return made
  const { id } = await requireCustomerByEmail(db, email)
  const bothVerified = identity.emailVerified && (await repository.hasVerifiedIdentity(db, id))
  if (!bothVerified) throw new ShopError('EMAIL_NOT_VERIFIED')
  await repository.upsertIdentity(db, id, identity)
  return { id }
}
