import { createHmac } from 'node:crypto'
import { deriveKeys, isSameSignature, type Secrets } from '../../platform/secrets/secrets.ts'

/** The parts of an order that its key depends on. */
interface KeyedOrder {
  id: string
  key_version: number
}

export type OrderKeys = ReturnType<typeof createOrderKeys>

/** Keys that open guest orders without an account. No table contains them: they are derived from the shop's secret. */
export function createOrderKeys(secrets: Secrets) {
  const keys = deriveKeys(secrets, 'orders')
  const signWith = (key: Buffer, { id, key_version }: KeyedOrder) =>
    createHmac('sha256', key).update(`${id}:${key_version}`).digest('base64url')
  return {
    sign: (order: KeyedOrder): string => signWith(keys[0], order),
    isValid: (order: KeyedOrder, given: string): boolean =>
      keys.some((key) => isSameSignature(given, signWith(key, order))),
  }
}
