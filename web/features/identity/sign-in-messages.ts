import { ApiError } from '../../api.ts'

/** A failure with a message for the user. */
export class ShownError extends Error {
  override name = 'ShownError'
}

/** Errors whose message is for the user. */
const shownCodes: readonly ApiError['code'][] = [
  'NO_ACCOUNT',
  'WRONG_PASSWORD',
  'EMAIL_TAKEN',
  'EMAIL_NOT_VERIFIED',
  'INVALID_EMAIL',
  'TOO_MANY_REQUESTS',
  'LINK_OVER',
  'LINK_NOT_YOURS',
  'SESSION_OVER',
  'TWO_STEP_CODE_WRONG',
  'TWO_STEP_IS_SET_UP',
  'TWO_STEP_NOT_SET_UP',
  'TWO_STEP_UNREADABLE',
  'INVITATION_OVER',
  'INVITATION_NOT_YOURS',
]

/**
 * Returns the message of a failed sign-in, sign-up or email request. `specified`: the specified message of all other
 * failures, even of a shop that cannot be reached.
 */
export function authMessage(error: unknown, specified?: string): string {
  const codes = specified === undefined ? [...shownCodes, 'NO_ANSWER'] : shownCodes
  const isShown = error instanceof ShownError || (error instanceof ApiError && codes.includes(error.code))
  return isShown ? error.message : (specified ?? 'Something went wrong. Please try again.')
}
