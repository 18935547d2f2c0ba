import {
  type Expression,
  type Kysely,
  type RawBuilder,
  type Selectable,
  type SqlBool,
  sql,
  type Updateable,
} from 'kysely'
import type { UserQuery, userSorts } from '../../../contract/customers.ts'
import type {
  CustomerIdentitiesTable,
  CustomersTable,
  Database,
  ProfilePhotosTable,
} from '../../../db/schema.ts'
import { ShopError } from '../../platform/errors.ts'
import { type Page, toLimitOffset, toSort } from '../../platform/http/paging.ts'

export type Customer = Selectable<CustomersTable>
/** The shop's copy of the photo with this URL. */
export type Photo = Pick<Selectable<ProfilePhotosTable>, 'url' | 'hash' | 'problem'>
export type DuePhoto = Pick<Selectable<ProfilePhotosTable>, 'customer_id' | 'url' | 'attempts'>
/** Issuer and subject identify a sign-in. */
type IdentityKey = Pick<Selectable<CustomerIdentitiesTable>, 'issuer' | 'subject'>

const customerColumns = [
  'customers.id',
  'customers.email',
  'customers.name',
  'customers.phone',
  'customers.birthday',
  'customers.sex',
  'customers.bio',
  'customers.photo',
  'customers.role',
  'customers.is_owner',
  'customers.token_version',
  'customers.created_at',
] as const

const sortColumns = {
  name: sql`lower(name)`,
  email: sql.ref('email'),
  birthday: sql.ref('birthday'),
} as const satisfies Record<(typeof userSorts)[number], Expression<unknown>>

/** All words, in any order, in the name or the email, or the end of the phone number. */
const matches = (q: string) => sql<SqlBool>`person_document(name, email, phone) @@ (select desk_query(${q}))`

/** The newest customers, which are read first: the index would list all customers with a frequent word. */
const maxRead = 100
/** The index is read for at most as many customers, in no particular order. */
const maxSearched = 1_000

/** `isVerified`: whether the email is. */
type FoundCustomer = Pick<Customer, 'email' | 'name' | 'phone'> & { isVerified: boolean }

/** Finds the newest customers of an input, and whether their emails are verified. */
export async function searchCustomers(
  db: Kysely<Database>,
  q: string,
  limit: number,
): Promise<FoundCustomer[]> {
  const columns = sql`id, email, name, phone, created_at`
  const read = async (found: RawBuilder<unknown>) => {
    const isVerified = sql`exists (${verifiedIdentity(sql.ref('found.id'))})`
    const { rows } = await sql<FoundCustomer>`
      select email, name, phone, ${isVerified} as "isVerified"
      from (${found}) as found order by created_at desc, id limit ${limit}`.execute(db)
    return rows
  }
  const newest = await read(sql`
    select * from (select ${columns} from customers order by created_at desc, id limit ${maxRead}) as newest
    where ${matches(q)}`)
  if (newest.length === limit) return newest
  const found = await read(sql`select ${columns} from customers where ${matches(q)} limit ${maxSearched}`)
  // With more matches than the index is read for, the newest are perhaps not among them.
  const others = found.filter(({ email }) => newest.every((each) => each.email !== email))
  return [...newest, ...others].slice(0, limit)
}

/** Returns a page of customers and admins, newest first unless `query.sort` is set. */
export async function listCustomers(db: Kysely<Database>, query: UserQuery): Promise<Page<Customer>> {
  let found = db.selectFrom('customers')
  if (query.role === 'admin') found = found.where('role', '=', 'admin')
  if (query.role === 'customer') found = found.where(sql<SqlBool>`role is distinct from 'admin'`)
  if (query.q) {
    found = found.where(matches(query.q))
  }
  const { limit, offset } = toLimitOffset(query)
  let rows = found.select(customerColumns).limit(limit).offset(offset)
  if (query.sort) {
    const { field, direction } = toSort<keyof typeof sortColumns>(query.sort)
    rows = rows.orderBy(sortColumns[field], (order) =>
      field === 'birthday' ? order[direction]().nullsLast() : order[direction](),
    )
  }
  const [page, { total }] = await Promise.all([
    rows.orderBy('created_at', 'desc').orderBy('id').execute(),
    found.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ])
  return { rows: page, total }
}

export function findCustomer(db: Kysely<Database>, id: string): Promise<Customer | undefined> {
  return db.selectFrom('customers').select(customerColumns).where('id', '=', id).executeTakeFirst()
}

export function findCustomerByEmail(db: Kysely<Database>, email: string): Promise<Customer | undefined> {
  return db.selectFrom('customers').select(customerColumns).where('email', '=', email).executeTakeFirst()
}

/** @throws USER_NOT_FOUND */
export async function requireCustomerByEmail(db: Kysely<Database>, email: string): Promise<Customer> {
  const customer = await findCustomerByEmail(db, email)
  if (!customer) throw new ShopError('USER_NOT_FOUND')
  return customer
}

export function findCustomerByIdentity(
  db: Kysely<Database>,
  { issuer, subject }: IdentityKey,
): Promise<Customer | undefined> {
  return db
    .selectFrom('customers')
    .innerJoin('customer_identities', 'customer_identities.customer_id', 'customers.id')
    .select(customerColumns)
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
}

/** A subquery that has a row if an identity with the customer's present email has verified it. */
export const verifiedIdentity = (customerId: string | Expression<unknown> | null) => sql`
  select from customer_identities as identity join customers on customers.id = customer_id
  where customer_id = ${customerId}::text and email_verified
    -- An older version stored no email.
    and coalesce(identity.email, customers.email) = customers.email`

/** Returns which of these customers have a verified email. */
export async function findVerified(db: Kysely<Database>, ids: string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select listed.id from unnest(${ids}::text[]) as listed (id)
    where exists (${verifiedIdentity(sql.ref('listed.id'))})`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** Returns whether the customer's email is verified by the provider that gave it. */
export async function hasVerifiedIdentity(db: Kysely<Database>, customerId: string): Promise<boolean> {
  const { rows } = await verifiedIdentity(customerId).execute(db)
  return rows.length > 0
}

/**
 * Locks a customer until the transaction ends. This covers a list of the customer that is empty, such as a cart without
 * lines. Orders of the same customer do not wait.
 */
export async function lockCustomer(tx: Kysely<Database>, id: string): Promise<void> {
  await tx.selectFrom('customers').select('id').where('id', '=', id).forNoKeyUpdate().execute()
}

/** Returns false if the email has a customer already. Waits for a concurrent insert of the same email. */
export async function insertCustomer(
  db: Kysely<Database>,
  customer: Pick<Customer, 'id' | 'email' | 'name' | 'photo'>,
): Promise<boolean> {
  const inserted = await db
    .insertInto('customers')
    .values(customer)
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

/** Inserts an identity of a customer. If it exists, updates its email and whether the email is verified. */
export async function upsertIdentity(
  db: Kysely<Database>,
  customer_id: string,
  {
    issuer,
    subject,
    email,
    emailVerified: email_verified,
  }: IdentityKey & { email: string; emailVerified: boolean },
): Promise<void> {
  await db
    .insertInto('customer_identities')
    .values({ customer_id, issuer, subject, email, email_verified })
    .onConflict((conflict) => conflict.columns(['issuer', 'subject']).doUpdateSet({ email, email_verified }))
    .execute()
}

export async function updateCustomer(
  db: Kysely<Database>,
  id: string,
  changes: Updateable<CustomersTable>,
): Promise<void> {
  await db.updateTable('customers').set(changes).where('id', '=', id).execute()
}

/** Voids all access tokens of the customer with this identity, if there is one. */
export async function voidTokensOfIdentity(
  db: Kysely<Database>,
  { issuer, subject }: IdentityKey,
): Promise<void> {
  await sql`
    update customers set token_version = token_version + 1
    from customer_identities where customer_id = id and issuer = ${issuer} and subject = ${subject}`.execute(
    db,
  )
}

/** Voids all access tokens of a customer, as after a sign-out. */
export async function voidTokens(db: Kysely<Database>, id: string): Promise<void> {
  await sql`update customers set token_version = token_version + 1 where id = ${id}`.execute(db)
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

export function findPhoto(db: Kysely<Database>, customerId: string): Promise<Photo | undefined> {
  return db
    .selectFrom('profile_photos')
    .select(['url', 'hash', 'problem'])
    .where('customer_id', '=', customerId)
    .executeTakeFirst()
}

/** Returns the photos of customers with the copies of the shop. */
export async function findPhotos(
  db: Kysely<Database>,
  ids: string[],
): Promise<(Photo & { id: string; photo: string })[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('customers')
    .leftJoin('profile_photos', 'customer_id', 'id')
    .select(['id', 'photo', 'url', 'hash', 'problem'])
    .where('id', 'in', ids)
    .execute()
  return rows.map(({ url, ...row }) => ({ url: url ?? '', ...row }))
}

/** Replaces the photo of a customer. */
export async function putPhoto(
  tx: Kysely<Database>,
  { customer_id, ...photo }: { customer_id: string; url: string; hash: string | null },
  isDue: boolean,
): Promise<void> {
  const values = { ...photo, problem: null, attempts: 0, due_at: isDue ? sql<Date>`now()` : null }
  await tx
    .insertInto('profile_photos')
    .values({ customer_id, ...values })
    .onConflict((conflict) => conflict.column('customer_id').doUpdateSet(values))
    .execute()
}

/** Claims a photo that is due, so that no other process fetches it. It is due again after 1, 4, 16 … minutes. */
export async function claimPhoto(db: Kysely<Database>): Promise<DuePhoto | undefined> {
  const { rows } = await sql<DuePhoto>`
    update profile_photos
    set attempts = attempts + 1, due_at = now() + interval '1 minute' * 4 ^ least(attempts, 6)
    where customer_id = (
      select customer_id from profile_photos where due_at <= now() order by due_at limit 1 for update skip locked
    )
    returning customer_id, url, attempts`.execute(db)
  return rows[0]
}

/** Stores the fetched photo. Returns false if the customer has replaced its URL. */
export async function storePhoto(
  tx: Kysely<Database>,
  { customer_id, url, hash }: { customer_id: string; url: string; hash: string },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('profile_photos')
    .set({ hash, problem: null, due_at: null })
    .where('customer_id', '=', customer_id)
    .where('url', '=', url)
    .executeTakeFirst()
  return numUpdatedRows > 0
}

/** Records why a photo could not be fetched. */
export async function failPhoto(
  db: Kysely<Database>,
  { customer_id, url, problem }: { customer_id: string; url: string; problem: Photo['problem'] },
  isRepeated: boolean,
): Promise<void> {
  await db
    .updateTable('profile_photos')
    .set({ problem, ...(!isRepeated && { due_at: null }) })
    .where('customer_id', '=', customer_id)
    .where('url', '=', url)
    .execute()
}
