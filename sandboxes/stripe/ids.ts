import { randomBytes } from 'node:crypto'

/** Returns an id in Stripe's format, with a prefix for the type: `pi_5f0c…`. */
export function newId(prefix: string): string {
  return `${prefix}_${randomBytes(12).toString('hex')}`
}

/** Returns a secret that authorizes a browser for this intent only. Stripe.js reads the intent's id from it. */
export function newClientSecret(intentId: string): string {
  return `${intentId}_secret_${randomBytes(16).toString('hex')}`
}
