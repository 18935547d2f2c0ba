import type { Kysely } from 'kysely'
import { getPermissions, mayGiveRole, type StaffRole, staffRoles } from '../../../../contract/permissions.ts'
import type { StaffMember } from '../../../../contract/staff.ts'
import type { Database } from '../../../../db/schema.ts'
import type { Actor } from '../../../platform/actor.ts'
import { inTransaction } from '../../../platform/database/database.ts'
import { ShopError } from '../../../platform/errors.ts'
import { revokeInvitationTo } from '../invitations/repository.ts'
import { type Customer, requireCustomerByEmail } from '../repository.ts'
import * as repository from './repository.ts'

/** Lists the people with a role, owners first. */
export async function listStaff(db: Kysely<Database>): Promise<StaffMember[]> {
  const rows = await repository.listStaff(db)
  return rows
    .map(({ email, name, role, two_step, changed_at, changed_by }) => ({
      email,
      name,
      role,
      twoStep: two_step,
      changedAt: changed_at?.toISOString(),
      changedBy: changed_by ?? undefined,
    }))
    .toSorted((one, other) => staffRoles.indexOf(one.role) - staffRoles.indexOf(other.role))
}

/**
 * Changes the role of a person on behalf of another one: the only way to do so. Locks both rows, and checks the right of
 * the giver again: if two owners remove each other concurrently, the second change is refused, so one owner remains.
 *
 * @param choose returns the new role of the person; the present one if nothing is to change
 * @returns false if nothing has changed
 * @throws ADMIN_REQUIRED and NOT_ALLOWED if the giver may not change roles (any more), OWN_ROLE, ROLE_NOT_YOURS_TO_GIVE
 */
export async function changeRoleBy(
  tx: Kysely<Database>,
  giver: Actor,
  id: string,
  choose: (present: StaffRole | null) => StaffRole | null,
): Promise<boolean> {
  const roles = await repository.lockRoles(tx, [id, giver.customerId])
  const giverRole = roles.get(giver.customerId) ?? null
  requireRight(giverRole)
  const present = roles.get(id) ?? null
  const next = choose(present)
  if (next === present) return false
  if (id === giver.customerId) throw new ShopError('OWN_ROLE')
  requireRight(giverRole, present, next)
  return repository.changeRole(tx, id, next, { changed_by: giver.customerId, client_ip: giver.ip })
}

/** Throws unless staff with the role `held` may change roles, and give and remove each of `roles`. See `changeRoleBy`. */
function requireRight(held: StaffRole | null, ...roles: (StaffRole | null)[]): void {
  const permissions = getPermissions(held)
  if (!permissions.has('staff')) throw new ShopError(held ? 'NOT_ALLOWED' : 'ADMIN_REQUIRED')
  if (!roles.every((role) => mayGiveRole(permissions, role))) throw new ShopError('ROLE_NOT_YOURS_TO_GIVE')
}

/**
 * Locks the row of the giver, so that their role cannot change until the transaction ends.
 *
 * @throws ADMIN_REQUIRED, NOT_ALLOWED, ROLE_NOT_YOURS_TO_GIVE
 */
export async function requireGiver(tx: Kysely<Database>, giver: Actor, role: StaffRole): Promise<void> {
  const roles = await repository.lockRoles(tx, [giver.customerId])
  requireRight(roles.get(giver.customerId) ?? null, role)
}

/**
 * Changes a role as `changeRoleBy`, and revokes the person's open invitation: it would give back a role that is removed.
 */
const changeRoleDirectly = (
  db: Kysely<Database>,
  { id, email }: Pick<Customer, 'id' | 'email'>,
  giver: Actor,
  choose: (present: StaffRole | null) => StaffRole | null,
): Promise<boolean> =>
  inTransaction(db, async (tx) => {
    const isChanged = await changeRoleBy(tx, giver, id, choose)
    if (isChanged) await revokeInvitationTo(tx, email)
    return isChanged
  })

/**
 * Gives a customer a role, or removes it.
 *
 * @returns false if they have it already
 * @throws USER_NOT_FOUND, and as `changeRoleBy`
 */
export async function changeRole(
  db: Kysely<Database>,
  email: string,
  role: StaffRole | null,
  giver: Actor,
): Promise<boolean> {
  return changeRoleDirectly(db, await requireCustomerByEmail(db, email), giver, () => role)
}

const isAdmin = (role: StaffRole | null): boolean => role === 'admin' || role === 'owner'

/**
 * Makes a customer an admin, records it and voids their tokens.
 *
 * @param changedBy null for the command line, which makes the first admin of a shop its owner
 * @returns false if they are an admin already
 * @throws USER_NOT_FOUND, and as `changeRoleBy`
 */
export async function makeAdmin(
  db: Kysely<Database>,
  email: string,
  changedBy: Actor | null,
): Promise<boolean> {
  const customer = await requireCustomerByEmail(db, email)
  if (!changedBy) return grantAdmin(db, customer, { granted_by: 'command' })
  return changeRoleDirectly(db, customer, changedBy, (present) => (isAdmin(present) ? present : 'admin'))
}

/**
 * Makes a customer an owner beside the present ones, on behalf of the operator, records it, voids their tokens and revokes
 * their open invitation, which would give a lower role.
 *
 * @returns false if they are an owner already
 * @throws USER_NOT_FOUND
 */
export async function makeOwner(db: Kysely<Database>, email: string): Promise<boolean> {
  const customer = await requireCustomerByEmail(db, email)
  return inTransaction(db, async (tx) => {
    const isChanged = await repository.changeRole(tx, customer.id, 'owner', { granted_by: 'command' })
    if (isChanged) await revokeInvitationTo(tx, customer.email)
    return isChanged
  })
}

/**
 * Removes another admin's role, records it and voids their tokens.
 *
 * @returns false if the customer is not an admin
 * @throws USER_NOT_FOUND, OWN_ADMIN_ROLE, and as `changeRoleBy`
 */
export async function removeAdmin(db: Kysely<Database>, email: string, caller: Actor): Promise<boolean> {
  const customer = await requireCustomerByEmail(db, email)
  if (customer.id === caller.customerId) throw new ShopError('OWN_ADMIN_ROLE')
  return changeRoleDirectly(db, customer, caller, (present) => (isAdmin(present) ? null : present))
}

/**
 * Makes a customer an admin on behalf of the shop, and revokes their open invitation, which would change the role. The first
 * admin of a shop is its owner.
 *
 * @returns false if they are an admin already
 */
export function grantAdmin(
  db: Kysely<Database>,
  { id, email }: Pick<Customer, 'id' | 'email'>,
  author: repository.RoleAuthor,
): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    await repository.lockGrants(tx)
    const hasOwner = await repository.hasOwner(tx)
    const present = (await repository.lockRoles(tx, [id])).get(id) ?? null
    if (hasOwner && isAdmin(present)) return false
    const isChanged = await repository.changeRole(tx, id, hasOwner ? 'admin' : 'owner', author)
    if (isChanged) await revokeInvitationTo(tx, email)
    return isChanged
  })
}
