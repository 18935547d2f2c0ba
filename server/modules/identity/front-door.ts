import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import type { Pool } from 'pg'
import type { Database } from '../../../db/schema.ts'
import type { Turnstile } from '../../platform/turnstile.ts'
import type { Outbox } from '../mail/service.ts'
import type { BetterAuth } from './better-auth.ts'
import type { GoogleProvider } from './google.ts'
import { registerGoogleCalls } from './google-calls.ts'
import type { KnownDevices } from './known-device.ts'
import type { Tries } from './limits.ts'
import type { Log } from './log.ts'
import { registerMailCalls } from './mail-calls.ts'
import { registerPasswordCalls } from './password-calls.ts'
import { Refusal } from './refusals.ts'
import { sendRefusal } from './send-refusal.ts'
import { registerSessionCalls } from './session-calls.ts'

export interface FrontDoorDeps {
  auth: BetterAuth
  pool: Pool
  db: Kysely<Database>
  /** Null where the shop sends no mail. */
  outbox: Outbox | null
  /** Voids what the shop gave to an account, within the transaction that gives it another password. */
  onPasswordReset: (tx: Kysely<Database>, subject: string) => Promise<void>
  /** The shop's public address: a browser's requests come from its pages, or from those of `trustedOrigins`. */
  origin: string
  trustedOrigins: readonly string[]
  google: GoogleProvider | null
  tries: Tries
  /** Hashing a password takes a core, 16 MiB and, for a sign-up, a connection: only a few at a time. */
  hashing: Turnstile
  devices: KnownDevices
  mergeSignInMessages: boolean
  log: Log
}

/** Registers the calls of the identity provider; there is no other way to better-auth. */
export function registerFrontDoor(door: FastifyInstance, deps: FrontDoorDeps): void {
  const origins = new Set([deps.origin, ...deps.trustedOrigins])

  door.removeContentTypeParser('text/plain')
  door.setErrorHandler((error, _request, reply) => sendRefusal(reply, error, deps.log))
  door.setNotFoundHandler(() => {
    throw new Refusal('NOT_FOUND')
  })
  door.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    if (isForeign(request, origins)) throw new Refusal('FOREIGN_ORIGIN')
    await deps.tries.countAddress('callsPerAddress', request.ip)
  })

  registerPasswordCalls(door, deps)
  registerMailCalls(door, deps)
  registerSessionCalls(door, deps)
  registerGoogleCalls(door, deps)
}

/** A page elsewhere must not sign anybody up, in or out. Every browser says where a POST comes from. */
function isForeign({ method, headers }: FastifyRequest, origins: ReadonlySet<string>): boolean {
  return method !== 'GET' && !origins.has(headers.origin ?? '')
}
