import { type ErrorCode, errors } from '../../contract/errors.ts'

/** A refusal that the caller is told: its code decides the status and the sentence. Rolls back the transaction it leaves. */
export class ShopError extends Error {
  readonly code: ErrorCode
  /** For those doors that have error shapes of their own. */
  readonly statusCode: number
  /** What is wrong with which field. */
  readonly fields: Record<string, string> | undefined
  /** What the answer carries beside code and message, where the contract says so. */
  readonly details: Record<string, unknown> | undefined

  constructor(
    code: ErrorCode,
    more: { fields?: Record<string, string>; details?: Record<string, unknown>; cause?: unknown } = {},
  ) {
    super(errors[code].message, { cause: more.cause })
    this.name = 'ShopError'
    this.code = code
    this.statusCode = errors[code].status
    this.fields = more.fields
    this.details = more.details
  }
}
