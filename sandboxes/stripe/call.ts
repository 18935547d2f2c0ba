import type { SandboxDb } from './tables.ts'

/** Which key a request came with: the server's, which may do anything, or the one every browser has. */
export type Caller = 'secret' | 'publishable'

/** One request to the API, checked and unpacked. */
export interface Call {
  /** The request's transaction where it changes something, so that all of it happens or nothing. */
  db: SandboxDb
  caller: Caller
  /** The id in the path; empty if the path has none. */
  id: string
  /** Body or query, in Stripe's bracket notation: `card[number]`. */
  params: URLSearchParams
  requestId: string
  idempotencyKey: string | null
}

/** What to send back. A declined charge is an answer too, not an exception: its traces must be kept. */
export interface Answer {
  status: number
  body: object
}

export function ok(body: object): Answer {
  return { status: 200, body }
}
