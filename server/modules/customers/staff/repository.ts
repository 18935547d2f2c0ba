import { type Insertable, type Kysely, sql } from 'kysely'
import type { StaffRole } from '../../../../contract/permissions.ts'
import type { Database } from '../../../../db/schema.ts'
import { GRANTING_ADMIN } from '../../../platform/database/advisory-locks.ts'
import type { Customer } from '../repository.ts'

/** Author of a role change: a person in `changed_by`, or `granted_by`. `client_ip`: the IP of the request. */
export type RoleAuthor = Pick<Insertable<Database['role_changes']>, 'changed_by' | 'granted_by' | 'client_ip'>

/** A person with a role, and who changed it last. `changed_by`: their email; null for the shop itself. */
interface StaffRow {
  email: string
  name: string
  role: StaffRole
  two_step: boolean
  changed_at: Date | null
  changed_by: string | null
}

/** Returns the role of a stored customer: an owner is an admin with a mark, because earlier versions know only admins. */
export const toStaffRole = ({ role, is_owner }: Pick<Customer, 'role' | 'is_owner'>): StaffRole | null =>
  is_owner ? 'owner' : role

/** Lists all staff by email. */
export async function listStaff(db: Kysely<Database>): Promise<StaffRow[]> {
  const { rows } = await sql<StaffRow>`
    select customers.email, customers.name, case when customers.is_owner then 'owner' else customers.role end as role,
      exists (select from two_step_logins where customer_id = customers.id and confirmed_at is not null) as two_step,
      latest.created_at as changed_at, authors.email as changed_by
    from customers
      left join lateral (
        select created_at, changed_by from role_changes where customer_id = customers.id order by id desc limit 1
      ) as latest on true
      left join customers as authors on authors.id = latest.changed_by
    where customers.role is not null
    order by customers.email`.execute(db)
  return rows
}

/**
 * Locks customers until the transaction ends, always in the same order to prevent deadlocks.
 *
 * @returns their roles by id
 */
export async function lockRoles(
  tx: Kysely<Database>,
  ids: readonly string[],
): Promise<Map<string, StaffRole | null>> {
  const locked = await tx
    .selectFrom('customers')
    .select(['id', 'role', 'is_owner'])
    .where('id', 'in', ids)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return new Map(locked.map((customer) => [customer.id, toStaffRole(customer)]))
}

/** Changes a role, records it and voids the customer's tokens. Returns false if they already have it. */
export async function changeRole(
  db: Kysely<Database>,
  id: string,
  role: StaffRole | null,
  { changed_by = null, granted_by = null, client_ip = null }: RoleAuthor,
): Promise<boolean> {
  const isOwner = role === 'owner'
  const stored = isOwner ? 'admin' : role
  const { rows } = await sql`
    with changed as (
      update customers set role = ${stored}, is_owner = ${isOwner}, token_version = token_version + 1
      where id = ${id} and (role is distinct from ${stored}::text or is_owner <> ${isOwner})
      returning id, email
    )
    insert into role_changes (customer_id, email, role, changed_by, granted_by, client_ip)
    select id, email, ${role}::text, ${changed_by}::text, ${granted_by}::text, ${client_ip}::inet from changed
    returning customer_id`.execute(db)
  return rows.length === 1
}

/** Returns whether the customer has or had a role. An earlier customer with the same email counts too. */
export async function hadRole(
  db: Kysely<Database>,
  { id, email }: Pick<Customer, 'id' | 'email'>,
): Promise<boolean> {
  const change = db
    .selectFrom('role_changes')
    .select('id')
    .where((eb) => eb.or([eb('customer_id', '=', id), eb('email', '=', email)]))
    .limit(1)
  return (await change.executeTakeFirst()) !== undefined
}

/** Allows one transaction at a time to check whether the shop has an owner. Must come before any row lock. */
export async function lockGrants(tx: Kysely<Database>): Promise<void> {
  await sql`select pg_advisory_xact_lock(${GRANTING_ADMIN})`.execute(tx)
}

export async function hasOwner(tx: Kysely<Database>): Promise<boolean> {
  const owner = tx
    .selectFrom('customers')
    .select('id')
    .where('role', 'is not', null)
    .where('is_owner', '=', true)
  return (await owner.limit(1).executeTakeFirst()) !== undefined
}
