import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** An id as Stripe's look, with the kind in front: `pi_5f0c…`. */
export function newId(prefix: string): string {
  return `${prefix}_${randomBytes(12).toString('hex')}`
}

/** What lets a browser act on this one intent. Stripe.js reads the intent's id back out of it. */
export function newClientSecret(intentId: string): string {
  return `${intentId}_secret_${randomBytes(16).toString('hex')}`
}

/** Compares in a time that tells nothing about where the two differ. */
export function sameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
