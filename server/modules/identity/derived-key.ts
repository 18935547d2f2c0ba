import { hkdfSync } from 'node:crypto'

/**
 * Derives a 32-byte key for one purpose from the shop's secret. A signature for one purpose is invalid for any
 * other.
 */
export function deriveKey(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `torque-yard ${purpose}`, 32))
}
