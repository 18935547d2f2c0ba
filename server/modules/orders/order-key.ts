import { createHmac, timingSafeEqual } from 'node:crypto'
import { deriveKey } from '../../platform/secrets.ts'

/** The parts of an order that its key depends on. */
interface KeyedOrder {
  id: string
  key_version: number
}

export type OrderKeys = ReturnType<typeof createOrderKeys>

/** Keys that open guest orders without an account. No table contains them: they are derived from the shop's secret. */
export function createOrderKeys(secret: string) {
  const signing = deriveKey(secret, 'orders')
  const sign = ({ id, key_version }: KeyedOrder) =>
    createHmac('sha256', signing).update(`${id}:${key_version}`).digest('base64url')
  return {
    sign,
    isValid(order: KeyedOrder, key: string): boolean {
      const [given, expected] = [Buffer.from(key), Buffer.from(sign(order))]
      return given.length === expected.length && timingSafeEqual(given, expected)
    },
  }
}
