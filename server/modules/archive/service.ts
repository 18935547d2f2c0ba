import type { Kysely } from 'kysely'
import { toDollars } from '../../../contract/money.ts'
import { maxPastOrders, type PastOrders } from '../../../contract/past-orders.ts'
import type { Database } from '../../../db/schema.ts'
import type { Caller } from '../../platform/actor.ts'
import { ShopError } from '../../platform/errors.ts'
import { hasVerifiedIdentity } from '../customers/service.ts'
import * as queries from './queries.ts'

/** Lists the newest past orders with a text. */
export const searchPastOrders = async (db: Kysely<Database>, q: string): Promise<PastOrders> =>
  present(await queries.searchOrders(db, q))

/**
 * Lists the newest past orders with the caller's email. Only for a verified email, because it could be a stranger's.
 *
 * @throws EMAIL_UNCONFIRMED
 */
export async function listOwnPastOrders(db: Kysely<Database>, caller: Caller): Promise<PastOrders> {
  if (!(await hasVerifiedIdentity(db, caller.customerId))) throw new ShopError('EMAIL_UNCONFIRMED')
  return present(await queries.listOrdersOf(db, caller.email))
}

const present = (orders: queries.StoredOrder[]): PastOrders => ({
  orders: orders.slice(0, maxPastOrders).map(({ placed_at, total_cents, lines, ...order }) => ({
    ...order,
    date: placed_at.toISOString(),
    total: toDollars(total_cents),
    lines: lines.map(({ price_cents, ...line }) => ({ ...line, price: toDollars(price_cents) })),
  })),
  more: orders.length > maxPastOrders,
})
