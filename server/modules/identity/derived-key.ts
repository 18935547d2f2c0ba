import { hkdfSync } from 'node:crypto'

/** Derives a 32-byte key from the shop's secret. Signatures for one purpose are invalid for any other. */
export function deriveKey(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `torque-yard ${purpose}`, 32))
}
