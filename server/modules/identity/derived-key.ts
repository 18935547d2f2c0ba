import { hkdfSync } from 'node:crypto'

/**
 * A key of 32 bytes for one purpose, drawn from the shop's one secret: what is signed for one purpose is worth
 * nothing for another.
 */
export function deriveKey(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `torque-yard ${purpose}`, 32))
}
