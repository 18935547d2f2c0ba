import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Database } from '../../../db/schema.ts'
import {
  confirmCommits,
  isForeignKeyViolation,
  isUniqueViolation,
  newId,
} from '../../platform/database/database.ts'
import { ShopError } from '../../platform/errors.ts'
import { countOrder } from './order-metrics.ts'
import * as queries from './queries.ts'
import type { NewOrder } from './repository.ts'
import { largestAmountCents, smallestAmountCents } from './rules.ts'

/** An order as it is stored, without its lines. */
export type StoredOrder = NonNullable<Awaited<ReturnType<typeof queries.findOrderByKey>>>

interface Placement {
  order: Omit<NewOrder, 'id' | 'requestHash'> & { requestHash: Buffer }
  /** Places the order. Returns false if stock, minimum or price do not match. */
  attempt: (order: NewOrder) => Promise<boolean>
  /**
   * Throws the reason why the order cannot be placed. Returns if all matches now.
   *
   * @param isLast throws in any case: stock or price change all the time
   */
  refuse: (isLast: boolean) => Promise<void>
}

/** An order that fails although all matches is tried again: stock or price have changed in between. */
const maxAttempts = 5

const keyConstraints = ['orders_idempotency_key', 'orders_idempotency_key_guest', 'orders_guest_request_key']

/**
 * Places an order once: the same idempotency key returns the same order.
 *
 * @throws IDEMPOTENCY_KEY_REUSED, and the errors of `refuse`
 */
export async function place(
  db: Kysely<Database>,
  { order, attempt, refuse }: Placement,
): Promise<StoredOrder> {
  const { amountCents, idempotencyKey, requestHash } = order
  const { customerId } = order.buyer
  let { lines } = order
  for (let attempts = 0; attempts < maxAttempts; attempts++) {
    const id = newId()
    // Other amounts cannot be paid, and may not fit into the integer columns of the database.
    if (amountCents >= smallestAmountCents && amountCents <= largestAmountCents) {
      try {
        if (await attempt({ ...order, lines, id })) {
          countOrder('placed')
          return {
            id,
            customer_id: customerId,
            key_version: 1,
            amount_cents: amountCents,
            request_hash: requestHash,
          }
        }
      } catch (error) {
        if (isForeignKeyViolation(error, 'order_lines_bike_id_fkey')) {
          // A bike was removed after its fit was read. The next attempt orders the parts without bikes.
          lines = lines.map((line) => ({ ...line, fit: null }))
        } else if (!keyConstraints.some((constraint) => isUniqueViolation(error, constraint))) throw error
      }
    }
    const placed = idempotencyKey && (await queries.findOrderByKey(db, customerId, idempotencyKey))
    if (placed) {
      // Orders from before this column have no hash.
      if (placed.request_hash?.equals(requestHash) ?? true) {
        // The first request may have failed because no standby had confirmed the order.
        await confirmCommits(db)
        return placed
      }
      throw new ShopError('IDEMPOTENCY_KEY_REUSED', { details: { acknowledged: false } })
    }
    await refuse(attempts === maxAttempts - 1)
  }
  throw new Error('an order was neither placed nor refused')
}

/** Equal requests have the same hash. */
export const hashRequest = (...values: unknown[]): Buffer =>
  createHash('sha256').update(JSON.stringify(values)).digest()
