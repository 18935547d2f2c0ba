import type { Kysely } from 'kysely'
import type { CustomerOrders, DeskCustomer, FoundOrder } from '../../../../contract/desk.ts'
import { toDollars } from '../../../../contract/money.ts'
import { orderNumber } from '../../../../contract/order-number.ts'
import type { Database } from '../../../../db/schema.ts'
import { presentAddress } from '../present.ts'
import * as queries from './queries.ts'
import { indexOrders } from './repository.ts'

const maxFound = 20
/** A run of the job indexes 5,000 orders. */
const maxBatches = 10

/**
 * Finds the newest 20 orders of an input, cancelled ones too.
 *
 * @returns `more`: it finds more; `isIndexing`: the search misses orders of an earlier version
 */
export async function searchOrders(
  db: Kysely<Database>,
  q: string,
): Promise<{ orders: FoundOrder[]; more: boolean; isIndexing: boolean }> {
  const ids = await queries.searchOrders(db, q, maxFound + 1)
  const [rows, isIndexing] = await Promise.all([
    queries.listFound(db, ids.slice(0, maxFound)),
    queries.hasUnindexed(db),
  ])
  return { orders: rows.map(presentFound), more: ids.length > maxFound, isIndexing }
}

const presentFound = (row: queries.FoundRow): FoundOrder => ({
  id: row.id,
  number: orderNumber(row.id),
  status: row.status,
  date: row.placed_at?.toISOString(),
  product: `${row.product_name}${row.line_count > 1 ? ` and ${row.line_count - 1} more` : ''}`,
  name: row.customer_name,
  email: row.email,
  phone: row.customer_phone,
  city: row.ship_city ?? undefined,
  amount: toDollars(row.amount_cents),
})

/**
 * Adds the search terms of up to 5,000 orders that an earlier version placed, newest first.
 *
 * @returns 0 if more are left
 */
export async function indexEarlierOrders(db: Kysely<Database>, signal?: AbortSignal): Promise<number | void> {
  for (let batch = 0; batch < maxBatches; batch++) {
    if (signal?.aborted) break
    if ((await indexOrders(db)) === 0) return
  }
  return 0
}

/** Returns the newest 20 orders of a person by email, the number of all by status, and where they were sent. */
export async function readOrdersOf(
  db: Kysely<Database>,
  email: string,
): Promise<CustomerOrders & Pick<DeskCustomer, 'addresses' | 'last'>> {
  const ids = await queries.listOrderIdsOf(db, email, maxFound)
  const [rows, counts, last] = await Promise.all([
    queries.listFound(db, ids),
    queries.countByStatus(db, email),
    queries.findLastAddress(db, ids),
  ])
  return {
    orders: rows.map(presentFound),
    counts: Object.fromEntries(counts.map(({ status, count }) => [status, count])),
    addresses: [...new Set(rows.map(({ shipping_address }) => shipping_address))],
    last: last && presentAddress(last),
  }
}
