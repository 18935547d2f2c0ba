import type { Kysely } from 'kysely'
import type { Profile } from '../../../contract/customers.ts'
import { getPermissions, noPermissions } from '../../../contract/permissions.ts'
import { isUploadedImage } from '../../../contract/pictures.ts'
import type { Database } from '../../../db/schema.ts'
import type { Caller, SignIn } from '../../platform/actor.ts'
import { inTransaction, newId, rejectTaken } from '../../platform/database/database.ts'
import { ShopError } from '../../platform/errors.ts'
import { type AccessTokens, isIdentityCurrent, type VerifiedIdentity } from '../identity/service.ts'
import { setPhoto } from './photos.ts'
import { findCaller } from './queries.ts'
import * as repository from './repository.ts'
import { hadRole } from './staff/repository.ts'
import { grantAdmin } from './staff/service.ts'

export { createInvitationLinks } from './invitations/links.ts'
export { revokeOpenInvitations } from './invitations/repository.ts'
export {
  createInvitationEmails,
  type InvitationServices,
  invitationLimits,
} from './invitations/service.ts'
export { fetchPhotos, findAvatars, type PhotoLimiter, photoLimits, presentPhoto } from './photos.ts'

export { deleteOldSignIns } from './queries.ts'
export {
  type Customer,
  findCustomer,
  findCustomerByEmail,
  findPhoto,
  findVerified,
  hasVerifiedIdentity,
  listCustomers,
  lockCustomer,
  requireCustomerByEmail,
  searchCustomers,
  verifiedIdentity,
  voidAllTokens,
  voidTokens,
  voidTokensOfIdentity,
} from './repository.ts'

export { hasOwner, toStaffRole } from './staff/repository.ts'
export { makeAdmin, makeOwner, removeAdmin } from './staff/service.ts'

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

/** Returns whether a person may import files now, such as one that was scheduled days ago. */
export const mayImport = async (db: Kysely<Database>, customerId: string): Promise<boolean> =>
  getPermissions((await findCaller(db, customerId, null))?.role).has('catalog')

/** Moves the notes about a person to a new email. Of `orders`, which imports this module. */
export type MoveNotes = (tx: Kysely<Database>, from: string, to: string) => Promise<void>

/**
 * Gives the customer of an account its new, confirmed email, and voids the access tokens.
 *
 * @throws EMAIL_TAKEN
 */
export async function changeEmailOfIdentity(
  tx: Kysely<Database>,
  identity: { issuer: string; subject: string },
  email: string,
  moveNotes: MoveNotes,
): Promise<void> {
  const known = await repository.findCustomerByIdentity(tx, identity)
  if (!known) return
  await changeEmail(tx, known, email, moveNotes).catch(rejectTaken({ customers_email_key: 'EMAIL_TAKEN' }))
  // Without it, emails about orders would go to the old email until the next sign-in.
  await repository.upsertIdentity(tx, known.id, { ...identity, email, emailVerified: true })
  await repository.voidTokens(tx, known.id)
}

/** Call it before the identity is updated. Notes about an email that was never verified may be about another person. */
async function changeEmail(
  tx: Kysely<Database>,
  { id, email: from }: repository.Customer,
  email: string,
  moveNotes: MoveNotes,
): Promise<void> {
  const isVerified = await repository.hasVerifiedIdentity(tx, id)
  await repository.updateCustomer(tx, id, { email })
  if (isVerified) await moveNotes(tx, from, email)
}

/**
 * Updates a profile. A blank field keeps its old value. Returns false if all fields are blank. A path of an uploaded photo
 * is ignored: only the upload sets it, and a form that was loaded before a newer upload sends the old path.
 */
export async function updateProfile(db: Kysely<Database>, id: string, profile: Profile): Promise<boolean> {
  const { name, birthday, phone, sex, bio } = profile
  const photo = isUploadedImage(profile.photo ?? '') ? '' : profile.photo
  const filled = Object.entries({ name, birthday, phone, sex, bio, photo }).filter(([, value]) => value)
  if (filled.length === 0) return false
  await inTransaction(db, async (tx) => {
    await repository.updateCustomer(tx, id, Object.fromEntries(filled))
    if (photo) await setPhoto(tx, id, photo)
  })
  return true
}

/**
 * Clears the profile of an account's customer except the name, and locks the customer.
 *
 * @returns the id; null if the account has no customer
 */
export async function clearProfile(
  tx: Kysely<Database>,
  identity: { issuer: string; subject: string },
): Promise<string | null> {
  const known = await repository.findCustomerByIdentity(tx, identity)
  if (!known) return null
  await repository.updateCustomer(tx, known.id, { phone: '', birthday: null, sex: null, bio: '', photo: '' })
  if (known.photo) await setPhoto(tx, known.id, '')
  return known.id
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
 * @throws INVALID_ID_TOKEN if the account has changed since; EMAIL_NOT_VERIFIED
 */
export async function findOrCreateCustomer(
  db: Kysely<Database>,
  identity: VerifiedIdentity,
  name: string,
  admins: AdminRule,
  ip: string | null = null,
  moveNotes?: MoveNotes,
): Promise<repository.Customer> {
  const { id } = await inTransaction(db, async (tx) => {
    // An older ID token would set the customer's email back to the one before a change.
    if (!(await isIdentityCurrent(tx, identity))) throw new ShopError('INVALID_ID_TOKEN')
    return linkIdentity(tx, identity, name, moveNotes)
  })
  const isListed = admins.emails.includes(identity.email)
  const isTrusted = identity.emailVerified || admins.trustUnverified
  const { email } = identity
  // Staff whose role was removed stays without it, and a new account with their email does not get it.
  if (isListed && isTrusted && !(await hadRole(db, { id, email }))) {
    await grantAdmin(db, { id, email }, { granted_by: 'settings', client_ip: ip })
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
  moveNotes: MoveNotes = async () => {},
): Promise<{ id: string }> {
  const known = await repository.findCustomerByIdentity(db, identity)
  if (known) {
    if (known.email !== identity.email) {
      // The identity provider reports a new email of the same person.
      await changeEmail(db, known, identity.email, moveNotes).catch(
        rejectTaken({ customers_email_key: 'EMAIL_NOT_VERIFIED' }),
      )
    }
    await repository.upsertIdentity(db, known.id, identity)
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
  const { id } = await repository.requireCustomerByEmail(db, email)
  const bothVerified = identity.emailVerified && (await repository.hasVerifiedIdentity(db, id))
  if (!bothVerified) throw new ShopError('EMAIL_NOT_VERIFIED')
  await repository.upsertIdentity(db, id, identity)
  return { id }
}
