import { type Kysely, sql } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { type Acknowledged, goodwill, type Workload } from './shopping.ts'

/** Compares a workload's responses with the database. Returns the differences and the workload's faults. */
export async function findViolations(workload: Workload): Promise<string[]> {
  return [...new Set(workload.tally.faults), ...(await differences(workload))]
}

/** Compares the acknowledged orders with the stored ones. Returns one message per kind of difference. */
async function differences({ shop, orders, fulfilled }: Workload): Promise<string[]> {
  const saved = new Map((await listOrders(shop.db)).map((order) => [order.orderId, order]))
  const received = [...orders.values()]
  const changed = received
    .map((order) => ({ received: order, saved: saved.get(order.orderId) }))
    .filter((pair) => pair.saved && JSON.stringify(pair.saved) !== JSON.stringify(pair.received))
  return [
    ...summarize(
      'orders were acknowledged and do not exist',
      received.filter(({ orderId }) => !saved.has(orderId)),
    ),
    ...summarize('orders are not what was acknowledged', changed),
    ...summarize(
      'orders exist that were not acknowledged',
      [...saved.keys()].filter((id) => !orders.has(id)),
    ),
    ...(fulfilled
      ? summarize('orders are not shipped and refunded once', await notOnce(shop.db, fulfilled))
      : []),
  ]
}

/** Returns the orders without exactly one shipment and one refund, and the others that have any. */
async function notOnce(db: Kysely<Database>, fulfilled: ReadonlySet<string>): Promise<unknown[]> {
  const { rows } = await sql<{ id: string; shipments: number; refunds: number; cents: number }>`
    select o.id, (select count(*)::int from shipments where order_id = o.id) as shipments,
      count(r.id)::int as refunds, coalesce(sum(r.amount_cents), 0)::int as cents
    from orders o left join refunds r on r.order_id = o.id group by o.id`.execute(db)
  return rows.filter(({ id, shipments, refunds, cents }) => {
    const count = fulfilled.has(id) ? 1 : 0
    return shipments !== count || refunds !== count || cents !== count * goodwill * 100
  })
}

/** Counts the acknowledged orders that do not exist. */
export async function countLost({ shop, orders }: Workload): Promise<number> {
  const saved = new Set((await listOrders(shop.db)).map(({ orderId }) => orderId))
  return [...orders.keys()].filter((id) => !saved.has(id)).length
}

/** Returns one message with the count and the first item, or none for an empty list. */
function summarize(what: string, items: unknown[]): string[] {
  return items.length > 0 ? [`${items.length} ${what}, the first is ${JSON.stringify(items[0])}`] : []
}

/** Checks that stock = pieces added - pieces sold. Use it only if no response to a restock was lost. */
export async function stockDifferences({ shop, orders, products }: Workload): Promise<string[]> {
  const rows = await shop.db.selectFrom('products').select(['id', 'stock']).execute()
  const stock = new Map(rows.map((row) => [row.id, row.stock]))
  return products.flatMap(({ id, added }) => {
    const sold = [...orders.values()]
      .filter(({ productId, status }) => productId === id && status !== 'cancelled')
      .reduce((sum, { quantity }) => sum + quantity, 0)
    const left = stock.get(id)
    return left === added - sold ? [] : [`of ${added} pieces ${sold} were sold, and ${left} are left`]
  })
}

async function listOrders(db: Kysely<Database>): Promise<Acknowledged[]> {
  const rows = await db
    .selectFrom('orders')
    .innerJoin('order_lines', 'order_lines.order_id', 'orders.id')
    .select(['orders.id', 'customer_id', 'product_id', 'quantity', 'status'])
    .execute()
  return rows.map(({ id, customer_id, product_id, quantity, status }) => ({
    orderId: id,
    customerId: customer_id ?? '',
    productId: product_id,
    quantity,
    status: status === 'shipped' || status === 'refunded' ? 'paid' : status,
  }))
}

/** Returns how many deadlocks Postgres has broken. */
export async function countDeadlocks(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ deadlocks: number }>`
    select deadlocks from pg_stat_database where datname = current_database()`.execute(db)
  return rows[0]?.deadlocks ?? 0
}
