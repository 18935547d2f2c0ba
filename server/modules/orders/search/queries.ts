import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import { dropHash, orderNumber } from '../../../../contract/order-number.ts'
import type { OrderStatus } from '../../../../contract/order-status.ts'
import { listGtins } from '../../../../contract/part-numbers.ts'
import type { Database } from '../../../../db/schema.ts'

/** An order that a search finds. */
export interface FoundRow {
  id: string
  status: OrderStatus
  placed_at: Date | null
  product_name: string
  line_count: number
  customer_name: string
  /** The present email of the account, or the one that a guest gave. */
  email: string
  customer_phone: string
  shipping_address: string
  ship_city: string | null
  amount_cents: number
}

/** The search terms of an input, in a subquery, which is computed once and not for each row. A bar code finds the orders of its variant, removed or not. */
function toTextQuery(q: string, words = sql`(select desk_query(${q}))`): RawBuilder<unknown> {
  const gtins = listGtins(q.replaceAll(/[\s-]/g, ''))
  if (gtins.length === 0) return words
  return sql`(${words} || (
    select coalesce(string_agg('''variant:' || id || '''', ' | '), '')::tsquery
    from (
      select id from variants where gtin in (${sql.join(gtins)}) and removed_at is null
      union all
      select id from variants where gtin in (${sql.join(gtins)}) and removed_at is not null
    ) as coded))`
}

/** The documents of an input. The index is read for its rare words alone: `offset 0` keeps the other condition out of it, and the index of dates too. */
const findDocuments = (q: string): RawBuilder<{ order_id: string; placed_at: Date | null }> => sql`
  select order_id, placed_at from (
    select order_id, placed_at, document from order_documents
    where document @@ ${toTextQuery(q, sql`(select rare_desk_query(${q}))`)} offset 0
  ) as candidates
  where document @@ ${toTextQuery(q)}`

/**
 * The condition for orders whose number begins with the input, which may have separators if it is a whole number, such as
 * `A1B-2C3`. Null if the input is shorter, or not hexadecimal.
 */
function hasNumber(q: string, minLength: number): RawBuilder<SqlBool> | null {
  const typed = dropHash(q.toLowerCase())
  const joined = typed.replaceAll(/[\s-]/g, '')
  const start = /^[0-9a-f]{1,24}$/.exec(joined.length < 6 ? typed : joined)?.[0] ?? ''
  // Ids are hexadecimal, so all ids with this prefix sort before the prefix followed by `g`.
  return start.length < minLength ? null : sql`id >= ${start} and id < ${`${start}g`}`
}

/** The condition for the orders of a person: of the account with this email, and those that a guest placed with it. */
const placedBy = (email: string) => sql`(
  customer_id = (select id from customers where email = ${email})
  or customer_id is null and customer_email = ${email})`

/** Queries for the ids of the orders that an input names exactly: by the beginning of the id, by a payment, or by the buyer's email. */
function listNamed(q: string): RawBuilder<{ id: string }>[] {
  const isNumbered = hasNumber(q, 4)
  if (isNumbered) return [sql`select id from orders where ${isNumbered}`]
  // The terms of an order have the email that the account had when it was placed.
  if (/^\S+@\S+$/.test(q)) return [sql`select id from orders where ${placedBy(q.toLowerCase())}`]
  if (!/^pi_\w+$/.test(q)) return []
  return [
    // This includes payments that did not succeed.
    sql`select order_id as id from payments where intent_id = ${q}`,
    sql`select id from orders where transaction_id = ${q}`,
  ]
}

/** The condition of orders that an input finds. An array, so that the plan does not depend on an estimate of their number. */
export const isFound = (q: string): RawBuilder<SqlBool> =>
  sql`orders.id = any(array(${sql.join(
    [sql`select order_id as id from (${findDocuments(q)}) as found`, ...listNamed(q)],
    sql` union all `,
  )}))`

/**
 * The newest orders, which are read first. A word of many orders is among them, and one of few orders is read from the
 * index: neither reads more than some thousand rows.
 */
const maxRead = 2_000

/**
 * Finds the newest orders of an input, cancelled ones too. Those that it names exactly are first.
 *
 * @returns at most `limit` ids
 */
export async function searchOrders(db: Kysely<Database>, q: string, limit: number): Promise<string[]> {
  const query = toTextQuery(q)
  const named = listNamed(q)
  const read = async (statement: RawBuilder<{ id: string }>) =>
    (await statement.execute(db)).rows.map(({ id }) => id)
  const ids = new Set(
    named.length === 0
      ? []
      : await read(sql`
          select id from orders where id in (${sql.join(named, sql` union all `)})
          order by placed_at desc nulls last, id limit ${limit}`),
  )
  const newest = await read(sql`
    select order_id as id from (
      select order_id, placed_at, document from order_documents
      order by placed_at desc nulls last, order_id limit ${maxRead}
    ) as newest
    where document @@ ${query} order by placed_at desc nulls last, order_id limit ${limit}`)
  const found =
    newest.length === limit
      ? newest
      : await read(sql`
          select order_id as id from (${findDocuments(q)}) as found
          order by placed_at desc nulls last, order_id limit ${limit}`)
  for (const id of found) ids.add(id)
  return [...ids].slice(0, limit)
}

/** Returns these orders, in the same sequence. */
export async function listFound(db: Kysely<Database>, ids: string[]): Promise<FoundRow[]> {
  const { rows } = await sql<FoundRow>`
    select orders.id, status, placed_at, product_name, line_count, customer_name,
      coalesce(customers.email, customer_email) as email, customer_phone, shipping_address, ship_city, amount_cents
    from unnest(${ids}::text[]) with ordinality as found (id, place)
      join orders on orders.id = found.id
      join order_lines on order_id = orders.id and line_number = 1
      left join customers on customers.id = customer_id
    order by place`.execute(db)
  return rows
}

/** Returns whether orders of an earlier version have no search terms yet. */
export async function hasUnindexed(db: Kysely<Database>): Promise<boolean> {
  const { rows } = await sql`select from orders where not is_indexed limit 1`.execute(db)
  return rows.length > 0
}

/** Counts the orders of people by email, with those that they placed as a guest. Without a row: none. */
export async function countOrdersByEmail(
  db: Kysely<Database>,
  emails: string[],
): Promise<Map<string, number>> {
  const { rows } = await sql<{ email: string; count: number }>`
    select email, count(*) from (
      select email from customers join orders on customer_id = customers.id where email = any(${emails}::text[])
      union all
      select customer_email from orders where customer_id is null and customer_email = any(${emails}::text[])
    ) as placed
    group by email`.execute(db)
  return new Map(rows.map(({ email, count }) => [email, count]))
}

/** Finds the newest orders of a person by email, cancelled ones too. Returns their ids. */
export async function listOrderIdsOf(db: Kysely<Database>, email: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from orders where ${placedBy(email)} order by placed_at desc nulls last, id limit ${limit}`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

/** Returns the address of the newest of these orders that has one in parts. */
export const findLastAddress = (db: Kysely<Database>, ids: string[]) =>
  db
    .selectFrom('orders')
    .select(['customer_name', 'customer_phone', 'ship_line1', 'ship_line2', 'ship_city', 'ship_region'])
    .select(['ship_postal_code', 'ship_country'])
    .where('id', '=', sql<string>`any(${ids}::text[])`)
    .where('ship_line1', 'is not', null)
    .orderBy('placed_at', (order) => order.desc().nullsLast())
    .limit(1)
    .executeTakeFirst()

/** Counts the orders of a person by status. */
export async function countByStatus(
  db: Kysely<Database>,
  email: string,
): Promise<{ status: OrderStatus; count: number }[]> {
  const { rows } = await sql<{ status: OrderStatus; count: number }>`
    select status, count(*) from orders where ${placedBy(email)} group by status`.execute(db)
  return rows
}

/** Lists the orders whose id begins with a scanned code of at least 6 characters, the newest first. */
export async function listOrdersByCode(
  db: Kysely<Database>,
  code: string,
): Promise<{ id: string; number: string; status: OrderStatus }[]> {
  const isScanned = hasNumber(code, 6)
  if (!isScanned) return []
  const { rows } = await sql<{ id: string; status: OrderStatus }>`
    select id, status from orders where ${isScanned} order by placed_at desc nulls last, id limit 5`.execute(
    db,
  )
  return rows.map(({ id, status }) => ({ id, number: orderNumber(id), status }))
}
