import { type ErrorCode, errors } from '../../contract/errors.ts'

/** An expected error for the client. Its code determines status and message; throwing it rolls back a transaction. */
export class ShopError extends Error {
  readonly code: ErrorCode
  /** For routes with their own error format. */
  readonly statusCode: number
  /** Messages by field. */
  readonly fields: Record<string, string> | undefined
  /** Additional properties of the response, as defined by the contract. */
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
