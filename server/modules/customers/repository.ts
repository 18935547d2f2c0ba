import {
  type Expression,
  type ExpressionBuilder,
  type Kysely,
  type Selectable,
  type SqlBool,
  sql,
  type Updateable,
} from 'kysely'
import type { UserQuery, userSorts } from '../../../contract/customers.ts'
import type { CustomerIdentitiesTable, CustomersTable, Database } from '../../../db/schema.ts'
import type { Actor } from '../../http/access.ts'
import { containing, type Page, toLimitOffset, toSort } from '../../platform/paging.ts'

export type Customer = Selectable<CustomersTable>
type CustomerIdentity = Omit<Selectable<CustomerIdentitiesTable>, 'created_at'>

const sortColumns = {
  name: sql`lower(name)`,
  email: sql.ref('email'),
  birthday: sql.ref('birthday'),
} as const satisfies Record<(typeof userSorts)[number], Expression<unknown>>

function matching(query: UserQuery) {
  return (eb: ExpressionBuilder<Database, 'customers'>) => {
    const conditions: Expression<SqlBool>[] = []
    if (query.role === 'admin') conditions.push(eb('role', '=', 'admin'))
    if (query.role === 'customer') conditions.push(eb('role', 'is', null))
    if (query.q) {
      const pattern = containing(query.q)
      conditions.push(
        eb.or([eb('name', 'ilike', pattern), eb('email', 'ilike', pattern), eb('phone', 'ilike', pattern)]),
      )
    }
    return eb.and(conditions)
  }
}

/** Returns a page of customers and admins, newest first unless `query.sort` is set. */
export async function listCustomers(db: Kysely<Database>, query: UserQuery): Promise<Page<Customer>> {
  const { limit, offset } = toLimitOffset(query)
  let rows = db.selectFrom('customers').selectAll().where(matching(query)).limit(limit).offset(offset)
  if (query.sort) {
    const { field, direction } = toSort<keyof typeof sortColumns>(query.sort)
    rows = rows.orderBy(sortColumns[field], (order) =>
      field === 'birthday' ? order[direction]().nullsLast() : order[direction](),
    )
  }
  const count = db
    .selectFrom('customers')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where(matching(query))
  const [page, { total }] = await Promise.all([
    rows.orderBy('created_at', 'desc').orderBy('id').execute(),
    count.executeTakeFirstOrThrow(),
  ])
  return { rows: page, total }
}

export function findCustomer(db: Kysely<Database>, id: string): Promise<Customer | undefined> {
  return db.selectFrom('customers').selectAll().where('id', '=', id).executeTakeFirst()
}

export function findCustomerByEmail(db: Kysely<Database>, email: string): Promise<Customer | undefined> {
  return db.selectFrom('customers').selectAll().where('email', '=', email).executeTakeFirst()
}

export function findCustomerByIdentity(
  db: Kysely<Database>,
  { issuer, subject }: { issuer: string; subject: string },
): Promise<Customer | undefined> {
  return db
    .selectFrom('customers')
    .innerJoin('customer_identities', 'customer_identities.customer_id', 'customers.id')
    .selectAll('customers')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
}

/** Returns whether one of the customer's identities has a verified email. */
export async function hasVerifiedIdentity(db: Kysely<Database>, customerId: string): Promise<boolean> {
  const row = await db
    .selectFrom('customer_identities')
    .select('issuer')
    .where('customer_id', '=', customerId)
    .where('email_verified', '=', true)
    .executeTakeFirst()
  return row !== undefined
}

export async function insertCustomer(
  db: Kysely<Database>,
  customer: Pick<Customer, 'id' | 'email' | 'name' | 'photo'>,
): Promise<void> {
  await db.insertInto('customers').values(customer).execute()
}

/** Inserts an identity of a customer. If it exists, updates only `email_verified`. */
export async function upsertIdentity(db: Kysely<Database>, identity: CustomerIdentity): Promise<void> {
  await db
    .insertInto('customer_identities')
    .values(identity)
    .onConflict((conflict) =>
      conflict.columns(['issuer', 'subject']).doUpdateSet({ email_verified: identity.email_verified }),
    )
    .execute()
}

export async function updateCustomer(
  db: Kysely<Database>,
  id: string,
  changes: Updateable<CustomersTable>,
): Promise<void> {
  await db.updateTable('customers').set(changes).where('id', '=', id).execute()
}

/** How the role was granted without an admin. `ip` is the client IP of the sign-in. */
type AdminGrant = { grantedBy: 'settings'; ip: string | null } | { grantedBy: 'command'; ip: null }

/** Makes a customer an admin, records it and voids their tokens. Returns false if they already are one. */
export async function grantAdmin(db: Kysely<Database>, id: string, by: Actor | AdminGrant): Promise<boolean> {
  const { customerId, grantedBy } =
    'grantedBy' in by ? { customerId: null, ...by } : { grantedBy: null, ...by }
  const { rows } = await sql<{ id: string }>`
    with granted as (
      update customers set role = 'admin', token_version = token_version + 1
      where id = ${id} and role is null
      returning id
    ), recorded as (
      insert into role_changes (customer_id, role, changed_by, granted_by, client_ip)
      select id, 'admin', ${customerId}::text, ${grantedBy}::text, ${by.ip}::inet from granted
    )
    select id from granted`.execute(db)
  return rows.length === 1
}

/** Locks two customers until the transaction ends, always in the same order to prevent deadlocks. */
export async function lockCustomers(tx: Kysely<Database>, ids: [string, string]): Promise<Customer[]> {
  return tx.selectFrom('customers').selectAll().where('id', 'in', ids).orderBy('id').forUpdate().execute()
}

/** Removes the admin role of a locked customer, records it, and voids their tokens. */
export async function revokeAdmin(tx: Kysely<Database>, id: string, by: Actor): Promise<void> {
  await tx
    .updateTable('customers')
    .set((eb) => ({ role: null, token_version: eb('token_version', '+', 1) }))
    .where('id', '=', id)
    .execute()
  await tx
    .insertInto('role_changes')
    .values({ customer_id: id, role: null, changed_by: by.customerId, client_ip: by.ip })
    .execute()
}

/** Voids all access tokens of the customer with this identity, if there is one. */
export async function voidTokensOfIdentity(
  db: Kysely<Database>,
  { issuer, subject }: { issuer: string; subject: string },
): Promise<void> {
  await db
    .updateTable('customers')
    .from('customer_identities')
    .set((eb) => ({ token_version: eb('customers.token_version', '+', 1) }))
    .whereRef('customers.id', '=', 'customer_identities.customer_id')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .execute()
}

/** Voids all access tokens of a customer, as after a sign-out. */
export async function voidTokens(db: Kysely<Database>, id: string): Promise<void> {
  await db
    .updateTable('customers')
    .set((eb) => ({ token_version: eb('token_version', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

/**
 * Voids all access tokens, as after a restore. The restored versions are older and would later reach voided ones
 * again, so each increases by a random step.
 */
export async function voidAllTokens(db: Kysely<Database>): Promise<void> {
  await sql`update customers set token_version = token_version + 1 + floor(random() * 1000000)::int`.execute(
    db,
  )
}
