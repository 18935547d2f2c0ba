import type { SandboxDb } from './tables.ts'

/** The kind of API key: the server's secret key for all calls, or the publishable key of browsers. */
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
export interface Reply {
  status: number
  body: object
}

export function ok(body: object): Reply {
  return { status: 200, body }
}
