import { type ExpressionBuilder, type Kysely, sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { Database } from '../../../../db/schema.ts'
import { refundedOfLine } from '../queries.ts'

/** A shipment with its lines. `is_partial`: other items follow, or have followed. */
export type Shipment = Awaited<ReturnType<typeof listShipments>>[number]

/** The lines that are still open, or were shipped later. What was open at the shipment may be cancelled by now. */
const laterLines = (eb: ExpressionBuilder<Database, 'shipments'>) =>
  eb
    .selectFrom('order_lines')
    .innerJoinLateral(refundedOfLine, (join) => join.onTrue())
    .leftJoin('shipments as other', 'other.id', 'order_lines.shipment_id')
    .whereRef('order_lines.order_id', '=', 'shipments.order_id')
    .where(
      sql<boolean>`case when order_lines.shipment_id is null then quantity > cancelled_pieces
        else other.shipped_at > shipments.shipped_at end`,
    )

const shipments = (db: Kysely<Database>) =>
  db
    .selectFrom('shipments')
    .select(['shipments.id', 'order_id', 'carrier', 'tracking_numbers', 'shipped_at'])
    .select((eb) =>
      eb
        .and([eb.ref('is_partial'), eb.exists(laterLines(eb))])
        .$castTo<boolean>()
        .as('is_partial'),
    )
    .select((eb) =>
      jsonArrayFrom(
        eb
          .selectFrom('order_lines')
          .innerJoinLateral(refundedOfLine, (join) => join.onTrue())
          .select(['line_number', sql<number>`quantity - cancelled_pieces`.as('pieces')])
          .whereRef('order_lines.order_id', '=', 'shipments.order_id')
          .whereRef('shipment_id', '=', 'shipments.id')
          .orderBy('line_number'),
      ).as('lines'),
    )

/** Lists the shipments of an order, oldest first. */
export const listShipments = (db: Kysely<Database>, orderId: string) =>
  shipments(db).where('order_id', '=', orderId).orderBy('shipped_at').orderBy('id').execute()

export const findShipment = (db: Kysely<Database>, id: string): Promise<Shipment | undefined> =>
  shipments(db).where('shipments.id', '=', id).executeTakeFirst()

/** Returns whether a shipment is younger than this, by the clock of the database. */
export async function isShippedWithin(db: Kysely<Database>, id: string, seconds: number): Promise<boolean> {
  const { rows } = await sql`
    select from shipments
    where id = ${id} and shipped_at > clock_timestamp() - ${seconds}::float8 * interval '1 second'`.execute(
    db,
  )
  return rows.length === 1
}

/** The set-back of a shipment, for its email. `is_outdated`: something of the order was shipped afterwards. */
export async function findSetBackForEmail(
  db: Kysely<Database>,
  eventId: string,
): Promise<
  { order_id: string; reason: string | null; is_outdated: boolean; has_shipments: boolean } | undefined
> {
  const { rows } = await sql<{
    order_id: string
    reason: string | null
    is_outdated: boolean
    has_shipments: boolean
  }>`
    select order_id, reason,
      exists (select from shipments s where s.order_id = e.order_id and shipped_at > occurred_at) as is_outdated,
      exists (select from shipments s where s.order_id = e.order_id) as has_shipments
    from order_events e where id = ${eventId}::bigint and kind = 'unshipped'`.execute(db)
  return rows[0]
}

/** Lists the orders to ship that a print with this key took, the first paid first. */
export async function listSlipRun(db: Kysely<Database>, key: string): Promise<string[]> {
  const orders = db.selectFrom('orders').select('id').where('status', '=', 'paid').where('slip_run', '=', key)
  const rows = await orders.orderBy('paid_at').orderBy('id').execute()
  return rows.map(({ id }) => id)
}

/** A variant as the shelf has it, removed or not, with the options of its product. */
export type StoredItem = Awaited<ReturnType<typeof listStoredItems>>[number]

export const listStoredItems = (db: Kysely<Database>, variantIds: string[]) =>
  db
    .selectFrom('variants')
    .innerJoin('products', 'products.id', 'product_id')
    .select(['variants.id', 'shelf', 'gtin', 'sku', 'options'])
    .where('variants.id', '=', sql<string>`any(${variantIds}::text[])`)
    .execute()
