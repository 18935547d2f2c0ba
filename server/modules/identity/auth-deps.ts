import type { Kysely } from 'kysely'
import type { Pool } from 'pg'
import type { Database } from '../../../db/schema.ts'
import type { Limiter } from '../../platform/limiter.ts'
import type { Outbox } from '../mail/service.ts'
import type { BetterAuth } from './better-auth.ts'
import type { GoogleProvider } from './google.ts'
import type { KnownDevices } from './known-device.ts'
import type { Log } from './log.ts'
import type { RateLimiter } from './rate-limits.ts'

/** Dependencies of the identity provider's routes. */
export interface AuthDeps {
  auth: BetterAuth
  pool: Pool
  db: Kysely<Database>
  /** Null if the shop sends no mail. */
  outbox: Outbox | null
  /** Voids the account's access tokens, in the transaction that sets a new password. */
  onPasswordReset: (tx: Kysely<Database>, subject: string) => Promise<void>
  /** Public origin of the shop. Only its pages and those of `trustedOrigins` may send POST requests. */
  origin: string
  trustedOrigins: readonly string[]
  google: GoogleProvider | null
  rateLimiter: RateLimiter
  /** Limits concurrent password hashing: each takes a core and 16 MiB, and a sign-up also a connection. */
  hashLimiter: Limiter
  devices: KnownDevices
  mergeSignInMessages: boolean
  log: Log
}
