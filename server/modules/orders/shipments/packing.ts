import type { Kysely } from 'kysely'
import type { SlipRequest } from '../../../../contract/packing.ts'
import type { Database } from '../../../../db/schema.ts'
import { inTransaction } from '../../../platform/database/database.ts'
import { ShopError } from '../../../platform/errors.ts'
import { listOrdersById, type Order } from '../queries.ts'
import * as queries from './queries.ts'
import * as repository from './repository.ts'

/** An order to pack, with the places of its items. */
export interface PackedOrder {
  order: Order
  /** By the id of the variant. */
  items: Map<string, queries.StoredItem>
  /** Whether a withdrawal of items to ship is open. */
  isWithdrawn: boolean
}

/**
 * Takes the packing slips of the next orders to ship, or of the named orders, and records that they are printed. Two admins
 * who take the next ones get different orders. The slip of a single order, which is packed, is only read.
 *
 * @param options.withdrawn ids of orders with an open withdrawal of items to ship: they are not among the next ones
 * @param options.key the next orders are the same again for the same key; null: each call takes others
 * @returns the next orders, the oldest first, or the named ones in their sequence
 * @throws ORDER_NOT_FOUND, ORDER_REFUNDED, each with the `ids`
 */
export function takeSlips(
  db: Kysely<Database>,
  { next, ids, order }: SlipRequest,
  { withdrawn, key }: { withdrawn: string[]; key: string | null },
): Promise<PackedOrder[]> {
  return inTransaction(db, async (tx) => {
    const named = order === undefined ? ids && [...new Set(ids)] : [order]
    const taken = named ?? (await takeNext(tx, next ?? 1, { withdrawn, key }))
    if (ids) await repository.markPrinted(tx, taken)
    const found = new Map((await listOrdersById(tx, taken)).map((order) => [order.id, order]))
    refuseIds(
      'ORDER_NOT_FOUND',
      taken.filter((id) => (found.get(id)?.status ?? 'cancelled') === 'cancelled'),
    )
    refuseIds(
      'ORDER_REFUNDED',
      taken.filter((id) => found.get(id)?.status === 'refunded'),
    )
    const orders = taken.flatMap((id) => found.get(id) ?? [])
    const variantIds = orders.flatMap(({ lines }) => lines.map(({ variant_id }) => variant_id))
    const items = new Map((await queries.listStoredItems(tx, variantIds)).map((item) => [item.id, item]))
    return orders.map((order) => ({ order, items, isWithdrawn: withdrawn.includes(order.id) }))
  })
}

/** Returns the orders of an earlier print with the same key, whose response was lost, or takes the next ones. */
async function takeNext(
  tx: Kysely<Database>,
  max: number,
  { withdrawn, key }: { withdrawn: string[]; key: string | null },
): Promise<string[]> {
  if (key !== null) {
    await repository.lockSlipRun(tx, key)
    const earlier = await queries.listSlipRun(tx, key)
    if (earlier.length > 0) return earlier
  }
  return repository.takeUnprinted(tx, max, withdrawn, key)
}

function refuseIds(code: 'ORDER_NOT_FOUND' | 'ORDER_REFUNDED', ids: string[]): void {
  if (ids.length > 0) throw new ShopError(code, { details: { ids } })
}
