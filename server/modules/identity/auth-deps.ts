import type { Limiter } from '../../platform/limiter.ts'
import type { RateLimiter } from '../../platform/rate-limiter.ts'
import type { AuthSecrets, BetterAuth } from './better-auth.ts'
import type { KnownDevices } from './known-devices.ts'
import type { IdentityOptions, Limits } from './options.ts'

/** Dependencies of the identity provider's routes. */
export interface AuthDeps extends IdentityOptions {
  auth: BetterAuth
  authSecrets: AuthSecrets
  rateLimiter: RateLimiter<keyof Limits>
  /** Limits concurrent password hashing: each takes a core and 16 MiB, and a sign-up also a connection. */
  hashLimiter: Limiter
  devices: KnownDevices
}
