import type { SandboxDb } from './tables.ts'

/** The key of a request: the server's, which may call everything, or the one that browsers have. */
export type Caller = 'secret' | 'publishable'

/** One authenticated and parsed API request. */
export interface Call {
  /** The request's transaction if the request changes data. */
  db: SandboxDb
  caller: Caller
  /** The id in the path; empty if the path has none. */
  id: string
  /** Body or query, in Stripe's bracket notation: `card[number]`. */
  params: URLSearchParams
  requestId: string
  idempotencyKey: string | null
}

/** The response. A declined charge is not an exception, because its transaction must commit. */
export interface Answer {
  status: number
  body: object
}

export function ok(body: object): Answer {
  return { status: 200, body }
}
