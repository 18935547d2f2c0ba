import { type RawBuilder, sql } from 'kysely'
import { type AuditArea, type AuditEntry, type AuditQuery, auditAreas } from '../../../contract/audit.ts'
import { toNumberKey } from '../../../contract/part-numbers.ts'
import type { StaffRole } from '../../../contract/permissions.ts'
import type { ChangedColumns } from '../../../db/catalog-schema.ts'

/** Position in the list: newest first; at the same time, by area and then by id. */
export interface Cursor {
  /** Microseconds since 1970, as in Postgres; a Date has only milliseconds. */
  micros: number
  /** Index of the area in `auditAreas`. */
  rank: number
  id: number
}

/** A change, with the names of its subject and its actor. */
export interface Change extends Cursor {
  kind: AuditEntry['kind']
  client_ip: string | null
  subject_id: string
  order_id: string | null
  pieces: number | null
  before: ChangedColumns | null
  after: ChangedColumns | null
  actor_id: string | null
  actor_email: string | null
  actor_name: string | null
  /** The role that the actor had then; null for a customer. */
  actor_role: StaffRole | null
  /** The role that a change of roles gave; null if it removed one, or in another area. */
  given_role: StaffRole | null
  subject_name: string
  /** Whether the subject is a size or colour of a product. */
  is_variant: boolean
  is_deleted: boolean
  /** Whether the guest who placed the order made the change. */
  by_guest: boolean
  /** The customer of the order; null if the change has no order, or if a guest placed it. */
  customer_id: string | null
  /** The email of the order's customer; null if the change has no order. */
  customer_email: string | null
}

type Condition = RawBuilder<unknown>

const customerWith = (email: string) => sql`(select id from customers where email = ${email.toLowerCase()})`

/** Orders of a customer and those that a guest placed with the same email. An array, which Postgres reads first. */
const ordersWith = (email: string) => sql`array(
  select id from orders where customer_id = ${customerWith(email)}
  union all select id from orders where customer_id is null and customer_email = ${email.toLowerCase()})`

function conditions(area: AuditArea, query: AuditQuery, after: Cursor | null): Condition {
  const all: Condition[] = [sql`area = ${sql.lit(area)}`]
  if (query.from) all.push(sql`at >= ${query.from}::timestamptz`)
  if (query.to) all.push(sql`at < ${query.to}::timestamptz`)
  if (query.by === 'shop') all.push(sql`actor_id is null and not by_guest`)
  else if (query.by) {
    const isGuest = sql`by_guest and order_id = any(${ordersWith(query.by)})`
    all.push(sql`(actor_id = ${customerWith(query.by)} or ${isGuest})`)
  }
  // An import is one entry, in the area of imports. The history of a product or of an import has all its changes.
  if (query.subject) all.push(isAbout(area, query.subject))
  else all.push(sql`import_id is null`)
  if (after) all.push(comesAfter(auditAreas.indexOf(area), after))
  return sql.join(all, sql` and `)
}

/**
 * Changes of a customer's role and orders, of a product by a part number, or of an order or a product by the beginning of
 * its id. Each condition is one that an index of the area's table can find.
 */
function isAbout(area: AuditArea, subject: string): Condition {
  const importId = /^import:(.+)$/.exec(subject)?.[1]
  if (importId) return sql`import_id = ${importId}`
  const { orders, variants, others } = subject.includes('@') ? resolveEmail(subject) : resolveId(subject)
  const isOfOrder = sql`order_id = any(${orders})`
  if (area === 'orders') return isOfOrder
  // The first variant has the id of its product.
  const isOfVariant = sql`subject_id = any(${variants})`
  if (area === 'products') return isOfVariant
  if (area !== 'stock') return others
  return sql`(${isOfVariant} or ${isOfOrder} and kind in ('sale', 'release') or ${isOfOrder} and kind = 'return')`
}

/** Ids of the orders and variants of a subject, as arrays, which Postgres reads first, and a condition for other areas. */
interface Subject {
  orders: Condition
  variants: Condition
  others: Condition
}

const resolveEmail = (email: string): Subject => ({
  orders: ordersWith(email),
  variants: sql`'{}'`,
  others: sql`(subject_id = ${customerWith(email)} or subject_id = any(${ordersWith(email)}))`,
})

function resolveId(subject: string): Subject {
  const prefix = /^#?([0-9a-f]{6,24})$/.exec(subject.toLowerCase())?.[1]
  // Ids are hexadecimal, so `g` sorts after all ids with this prefix.
  const is = (id: Condition) =>
    prefix ? sql`(${id} >= ${prefix} and ${id} < ${`${prefix}g`})` : sql`${id} = ${subject}`
  return {
    orders: sql`array(select id from orders where ${is(sql`id`)})`,
    variants: sql`array(
      select id from variants where ${is(sql`product_id`)}
      union all
      select id from variants
      where product_id in (select product_id from variants where sku_key = ${toNumberKey(subject)} and removed_at is null))`,
    others: is(sql`subject_id`),
  }
}

/** Older than the cursor, or of the same time and further down. */
function comesAfter(rank: number, after: Cursor): Condition {
  const timestamp = sql`(timestamptz 'epoch' + ${after.micros}::float8 * interval '1 microsecond')`
  if (rank === after.rank) return sql`(at, id) < (${timestamp}, ${after.id}::bigint)`
  return rank > after.rank ? sql`at <= ${timestamp}` : sql`at < ${timestamp}`
}

/**
 * Selects the newest changes of all areas, or of one. Each table contributes one page, whose cost does not grow
 * with the table because its time index is used.
 */
export function changesQuery(query: AuditQuery, after: Cursor | null, limit: number): RawBuilder<Change> {
  const areas = query.area ? [query.area] : auditAreas
  const pages = areas.map(
    (area) => sql`(
      select ${sql.lit(auditAreas.indexOf(area))} as rank, id, at, kind, client_ip, subject_id, subject_name, order_id,
        variant_id, pieces, before, after, actor_id, by_guest
      from audit_changes where ${conditions(area, query, after)}
      order by at desc, id desc limit ${limit})`,
  )
  return sql<Change>`
    with changes as (
      select * from (${sql.join(pages, sql` union all `)}) as pages order by at desc, rank, id desc limit ${limit}
    )
    select rank, changes.id, (extract(epoch from at) * 1000000)::bigint as micros, changes.kind,
      host(changes.client_ip) as client_ip, coalesce(variants.product_id, subject_id) as subject_id, changes.order_id, changes.pieces, before, after, actor_id,
      actors.email as actor_email, actors.name as actor_name, by_guest,
      (
        select role from role_changes
        where customer_id = actor_id and created_at <= at order by role_changes.id desc limit 1
      ) as actor_role,
      (
        select role from role_changes
        where role_changes.id = changes.id and rank = ${sql.lit(auditAreas.indexOf('roles'))}
      ) as given_role,
      orders.customer_id, orders.customer_email,
      coalesce(changes.subject_name, nullif(concat_ws(', ', products.name, variants.size, variants.colour), ''), people.email,
        product_name || case when line_count > 1 then ' and ' || line_count - 1 || ' more' else '' end) as subject_name,
      coalesce(variants.size, variants.colour) is not null as is_variant,
      products.deleted_at is not null or (rank = 0 and orders.status = 'cancelled') as is_deleted
    from changes
      left join customers as actors on actors.id = actor_id
      left join variants on variants.id = changes.variant_id
      left join products on products.id = coalesce(variants.product_id, subject_id)
      left join customers as people on people.id = subject_id
      left join orders on orders.id = changes.order_id
      left join order_lines on order_lines.order_id = orders.id and line_number = 1
    order by at desc, rank, changes.id desc`
}
