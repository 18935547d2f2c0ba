import type { Kysely } from 'kysely'
import type { Profile } from '../../../contract/customers.ts'
import type { Database } from '../../../db/schema.ts'
import type { Actor, Caller } from '../../http/access.ts'
import { inTransaction } from '../../platform/database.ts'
import { ShopError } from '../../platform/errors.ts'
import type { AccessTokens } from '../identity/service.ts'
import * as repository from './repository.ts'

export {
  type Customer,
  findCustomer,
  listCustomers,
  voidAllTokens,
  voidTokens,
  voidTokensOfIdentity,
} from './repository.ts'
export { type AdminRule, findOrCreateCustomer, linkIdentity } from './sign-in.ts'

/** Returns the caller with the current role, or null if the token is void. `ip` is the client IP. */
export async function identifyCaller(
  db: Kysely<Database>,
  accessTokens: AccessTokens,
  token: string,
  ip: string | null,
): Promise<Caller | null> {
  const claims = await accessTokens.verify(token)
  const customer = claims && (await repository.findCustomer(db, claims.customerId))
  if (customer?.token_version !== claims?.tokenVersion || !customer) return null
  return { customerId: customer.id, email: customer.email, role: customer.role, ip }
}

/** @throws USER_NOT_FOUND */
export async function requireCustomerByEmail(
  db: Kysely<Database>,
  email: string,
): Promise<repository.Customer> {
  const customer = await repository.findCustomerByEmail(db, email)
  if (!customer) throw new ShopError('USER_NOT_FOUND')
  return customer
}

/** Updates a profile. A blank field keeps its old value. Returns false if all fields are blank. */
export async function updateProfile(db: Kysely<Database>, id: string, profile: Profile): Promise<boolean> {
  const { name, birthday, phone, sex, bio, photo } = profile
  const changes = {
    name: name || undefined,
    birthday: birthday || undefined,
    phone: phone || undefined,
    sex: sex || undefined,
    bio: bio || undefined,
    photo: photo || undefined,
  }
  if (Object.values(changes).every((value) => value === undefined)) return false
  await repository.updateCustomer(db, id, changes)
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
  return repository.grantAdmin(db, customer.id, changedBy ?? { grantedBy: 'command', ip: null })
}

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
    const locked = await repository.lockCustomers(tx, [id, caller.customerId])
    const isAdmin = (customerId: string) =>
      locked.some((each) => each.id === customerId && each.role === 'admin')
    if (!isAdmin(caller.customerId)) throw new ShopError('ADMIN_REQUIRED')
    if (!isAdmin(id)) return false
    await repository.revokeAdmin(tx, id, caller)
    return true
  })
}
