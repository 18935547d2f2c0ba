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

/** What the calls of the identity provider need. */
export interface AuthDeps {
  auth: BetterAuth
  pool: Pool
  db: Kysely<Database>
  /** Null if the shop sends no mail. */
  outbox: Outbox | null
  /** Voids what the shop gave to an account, within the transaction that gives it another password. */
  onPasswordReset: (tx: Kysely<Database>, subject: string) => Promise<void>
  /** The shop's public address: a browser's requests come from its pages, or from those of `trustedOrigins`. */
  origin: string
  trustedOrigins: readonly string[]
  google: GoogleProvider | null
  rateLimiter: RateLimiter
  /** Hashing a password takes a core, 16 MiB and, for a sign-up, a connection: only a few at a time. */
  hashLimiter: Limiter
  devices: KnownDevices
  mergeSignInMessages: boolean
  log: Log
}
