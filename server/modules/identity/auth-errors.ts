import type { FastifyReply } from 'fastify'
import type * as z from 'zod/mini'
import { errors } from '../../../contract/errors.ts'
import { tooManyAttempts } from '../../../contract/waiting-time.ts'
import { isDatabaseUnavailable } from '../../platform/errors.ts'
import { describeError } from '../../platform/log.ts'
import type { Log } from './better-auth.ts'

/** Errors of the identity provider: HTTP status and message for the user. */
export const authErrors = {
  NO_ACCOUNT: { status: 401, message: 'No account with this email' },
  WRONG_PASSWORD: { status: 401, message: 'Wrong Password' },
  SIGN_IN_FAILED: { status: 401, message: 'Login failed' },
  EMAIL_TAKEN: { status: 409, message: 'Email already exist' },
  INVALID_EMAIL: { status: 400, message: 'Invalid Email' },
  PASSWORD_TOO_SHORT: { status: 400, message: 'Minimum 6 characters required' },
  PASSWORD_TOO_LONG: { status: 400, message: 'At most 128 characters' },
  LINK_OVER: { status: 410, message: 'This link is no longer valid.' },
  LINK_NOT_YOURS: { status: 403, message: 'This link belongs to another account.' },
  MAIL_OFF: { status: 503, message: "This shop can't send email." },
  NOT_SIGNED_IN: { status: 401, message: 'Please log in.' },
  INVALID_REQUEST: { status: 400, message: 'Some values are not valid.' },
  FOREIGN_ORIGIN: { status: 403, message: 'This request must come from a page of the shop.' },
  NOT_FOUND: { status: 404, message: 'Not found.' },
  TOO_MANY_REQUESTS: { status: 429, message: errors.TOO_MANY_REQUESTS.message },
  UNAVAILABLE: { status: 503, message: errors.UNAVAILABLE.message },
  FAILED: { status: 500, message: 'Something goes wrong' },
} as const satisfies Record<string, { status: number; message: string }>

type AuthErrorCode = keyof typeof authErrors

export class AuthError extends Error {
  readonly code: AuthErrorCode
  /** Seconds to wait. */
  readonly retryAfter: number | undefined

  constructor(code: AuthErrorCode, more: { retryAfter?: number; cause?: unknown } = {}) {
    const message = code === 'TOO_MANY_REQUESTS' ? tooManyAttempts(more.retryAfter) : authErrors[code].message
    super(message, { cause: more.cause })
    this.name = 'AuthError'
    this.code = code
    this.retryAfter = more.retryAfter
  }
}

/** Maps better-auth's error codes. Any other code becomes `FAILED`. */
const theirs: Readonly<Record<string, AuthErrorCode>> = {
  INVALID_EMAIL_OR_PASSWORD: 'SIGN_IN_FAILED',
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: 'EMAIL_TAKEN',
  INVALID_EMAIL: 'INVALID_EMAIL',
  PASSWORD_TOO_SHORT: 'PASSWORD_TOO_SHORT',
  PASSWORD_TOO_LONG: 'PASSWORD_TOO_LONG',
  UNAUTHORIZED: 'NOT_SIGNED_IN',
}

/** Converts an error response of better-auth. */
export async function readAuthError(response: Response): Promise<AuthError> {
  const text = await response.text()
  const code = /"code":"(\w+)"/.exec(text)?.[1] ?? (response.status === 401 ? 'UNAUTHORIZED' : '')
  return new AuthError(theirs[code] ?? 'FAILED', {
    cause: new Error(`better-auth returned ${response.status} ${code}`),
  })
}

/** Sends `{ code, message }`. Logs unexpected errors, without their values. */
export function sendAuthError(reply: FastifyReply, error: unknown, log: Log): FastifyReply {
  const failure = toAuthError(error)
  if (failure.code === 'FAILED' || failure.code === 'UNAVAILABLE') {
    log.error({ error: describeError(failure.cause ?? error) }, 'identity provider: call failed')
  }
  if (failure.retryAfter) reply.header('retry-after', failure.retryAfter)
  const { code, message } = failure
  return reply.code(authErrors[code].status).send({ code, message })
}

/** Fastify throws its own errors for bodies that are too long or not valid JSON. */
export function toAuthError(error: unknown): AuthError {
  if (error instanceof AuthError) return error
  if (isDatabaseUnavailable(error)) return new AuthError('UNAVAILABLE', { retryAfter: 2, cause: error })
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
  return new AuthError(status >= 400 && status < 500 ? 'INVALID_REQUEST' : 'FAILED', { cause: error })
}

/** @throws AuthError INVALID_EMAIL if the email is invalid, otherwise INVALID_REQUEST */
export function parseBody<Schema extends z.ZodMiniType>(schema: Schema, body: unknown): z.output<Schema> {
  const result = schema.safeParse(body)
  if (result.success) return result.data
  const isEmail = result.error.issues.some(({ path }) => path[0] === 'email')
  throw new AuthError(isEmail ? 'INVALID_EMAIL' : 'INVALID_REQUEST')
}
