import { createHmac } from 'node:crypto'
import { deriveKeys, isSameSignature, type Secrets } from '../../platform/secrets/secrets.ts'

/** The parts of an order that its key depends on. */
interface KeyedOrder {
  id: string
  key_version: number
}

/** Whether an order has a key: the order of a guest, or one by phone, even if it belongs to an account. */
export const hasKey = (order: { customer_id: string | null; placed_by: string | null }): boolean =>
  order.customer_id === null || order.placed_by !== null

export type OrderKeys = ReturnType<typeof createOrderKeys>

/** Keys that open orders of guests, and orders by phone, without an account. No table contains them: they are derived from the shop's secret. */
export function createOrderKeys(secrets: Secrets) {
  const keys = deriveKeys(secrets, 'orders')
  const signWith = (key: Buffer, { id, key_version }: KeyedOrder) =>
    createHmac('sha256', key).update(`${id}:${key_version}`).digest('base64url')
  const sign = (order: KeyedOrder): string => signWith(keys[0], order)
  return {
    sign,
    /** Returns the page of an order. Browsers do not send the fragment, which is the key, to servers. */
    toUrl: (origin: string, order: KeyedOrder): string => `${origin}/order/${order.id}#${sign(order)}`,
    isValid: (order: KeyedOrder, given: string): boolean =>
      keys.some((key) => isSameSignature(given, signWith(key, order))),
  }
}
