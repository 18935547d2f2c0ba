import { type Kysely, type RawBuilder, sql } from 'kysely'
import { type AuditArea, type AuditEntry, type AuditQuery, auditAreas } from '../../../contract/audit.ts'
import type { ChangedColumns } from '../../../db/catalog-schema.ts'
import type { Database } from '../../../db/schema.ts'

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
  subject_name: string
  is_deleted: boolean
  /** Customer of the order; null if the change has no order. */
  customer_id: string | null
}

type Condition = RawBuilder<unknown>

/** Maps one history table to the common audit columns. */
interface Source {
  table: string
  at: string
  actor: string
  subject: string
  kind: Condition
  /** SQL for the columns pieces, order_id, before, after. */
  details: Condition
  /** Condition for changes about these customers; null if the table has none. */
  concernsCustomer: ((customer: Condition) => Condition) | null
}

/** An array, which Postgres reads first: it then finds the changes of these orders by index. */
const belongsToCustomer = (customer: Condition) =>
  sql`order_id = any(array(select id from orders where customer_id = ${customer}))`

/** Stock moved for an order. Repeats the condition of the partial index on these rows. */
const isOrderMovement = sql`kind in ('sale', 'release')`

const sources: Record<AuditArea, Source> = {
  orders: {
    table: 'order_events',
    at: 'occurred_at',
    actor: 'actor_id',
    subject: 'order_id',
    kind: sql`kind`,
    details: sql`null::integer as pieces, order_id, null::jsonb as before, null::jsonb as after`,
    concernsCustomer: belongsToCustomer,
  },
  stock: {
    table: 'stock_movements',
    at: 'created_at',
    actor: 'moved_by',
    subject: 'product_id',
    kind: sql`kind`,
    details: sql`quantity as pieces, order_id, null::jsonb as before, null::jsonb as after`,
    concernsCustomer: (customer) => sql`${isOrderMovement} and ${belongsToCustomer(customer)}`,
  },
  products: {
    table: 'product_changes',
    at: 'occurred_at',
    actor: 'actor_id',
    subject: 'product_id',
    kind: sql`kind`,
    details: sql`null::integer as pieces, null::text as order_id, before, after`,
    concernsCustomer: null,
  },
  roles: {
    table: 'role_changes',
    at: 'created_at',
    actor: 'changed_by',
    subject: 'customer_id',
    kind: sql`case granted_by when 'settings' then 'admin_by_settings' when 'command' then 'admin_by_command' else coalesce(role, 'admin_removed') end`,
    details: sql`null::integer as pieces, null::text as order_id, null::jsonb as before, null::jsonb as after`,
    concernsCustomer: (customer) => sql`customer_id = ${customer}`,
  },
}

const customerWith = (email: string) => sql`(select id from customers where email = ${email.toLowerCase()})`

function conditions(source: Source, rank: number, query: AuditQuery, after: Cursor | null): Condition {
  const at = sql.ref(source.at)
  const all: Condition[] = [sql`true`]
  if (query.from) all.push(sql`${at} >= ${query.from}::timestamptz`)
  if (query.to) all.push(sql`${at} < ${query.to}::timestamptz`)
  if (query.by === 'shop') all.push(sql`${sql.ref(source.actor)} is null`)
  else if (query.by) all.push(sql`${sql.ref(source.actor)} = ${customerWith(query.by)}`)
  if (query.subject) all.push(isAbout(source, query.subject))
  if (after) all.push(comesAfter(at, rank, after))
  return sql.join(all, sql` and `)
}

function isAbout(source: Source, subject: string): Condition {
  if (subject.includes('@')) return source.concernsCustomer?.(customerWith(subject)) ?? sql`false`
  const prefix = /^#?([0-9a-f]{6,24})$/.exec(subject.toLowerCase())?.[1]
  const is = (column: string) => {
    const id = sql.ref(column)
    // Ids are hexadecimal, so `g` sorts after all ids with this prefix.
    return prefix ? sql`(${id} >= ${prefix} and ${id} < ${`${prefix}g`})` : sql`${id} = ${subject}`
  }
  if (source !== sources.stock) return is(source.subject)
  return sql`(${is(source.subject)} or (${isOrderMovement} and ${is('order_id')}))`
}

/** Older than the cursor, or of the same time and further down. */
function comesAfter(at: Condition, rank: number, after: Cursor): Condition {
  const timestamp = sql`(timestamptz 'epoch' + ${after.micros}::float8 * interval '1 microsecond')`
  if (rank === after.rank) return sql`(${at}, id) < (${timestamp}, ${after.id}::bigint)`
  return rank > after.rank ? sql`${at} <= ${timestamp}` : sql`${at} < ${timestamp}`
}

/**
 * Returns the newest changes of all areas, or of one. Each table contributes one page, whose cost does not grow
 * with the table because its time index is used.
 */
export async function listChanges(
  db: Kysely<Database>,
  query: AuditQuery,
  after: Cursor | null,
  limit: number,
): Promise<Change[]> {
  const { rows } = await listing(query, after, limit).execute(db)
  return rows
}

/** Builds the query of `listChanges`. Exported for `EXPLAIN` in tests. */
export function listing(query: AuditQuery, after: Cursor | null, limit: number): RawBuilder<Change> {
  const pages = auditAreas
    .filter((area) => query.area === undefined || query.area === area)
    .map((area) => {
      const source = sources[area]
      const rank = auditAreas.indexOf(area)
      return sql`(
        select ${sql.lit(rank)} as rank, id, ${sql.ref(source.at)} as at, ${source.kind} as kind,
          ${sql.ref(source.actor)} as actor_id, host(client_ip) as client_ip,
          ${sql.ref(source.subject)} as subject_id, ${source.details}
        from ${sql.table(source.table)}
        where ${conditions(source, rank, query, after)}
        order by ${sql.ref(source.at)} desc, id desc limit ${limit}
      )`
    })
  return sql<Change>`
    with changes as (
      select * from (${sql.join(pages, sql` union all `)}) as pages order by at desc, rank, id desc limit ${limit}
    )
    select rank, changes.id, (extract(epoch from at) * 1000000)::bigint as micros, changes.kind, changes.client_ip,
      subject_id, changes.order_id, pieces, before, after, actor_id, actors.email as actor_email,
      orders.customer_id,
      case when rank in (1, 2) then products.name when rank = 3 then people.email else product_name end as subject_name,
      case when rank in (1, 2) then products.deleted_at is not null
        when rank = 3 then false else orders.status = 'cancelled' end as is_deleted
    from changes
      left join customers as actors on actors.id = actor_id
      left join products on rank in (1, 2) and products.id = subject_id
      left join customers as people on rank = 3 and people.id = subject_id
      left join orders on orders.id = changes.order_id
      left join order_lines on order_lines.order_id = orders.id and line_number = 1
    order by at desc, rank, changes.id desc`
}
