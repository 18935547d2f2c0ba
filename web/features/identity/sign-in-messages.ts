import { tooManyAttempts } from '../../../contract/waiting-time.ts'
import { ApiError } from '../../api.ts'
import { SignInError } from './provider.ts'

/** The two passwords that the user typed are not equal. */
export class PasswordsDiffer extends Error {
  override name = 'PasswordsDiffer'
  override message = "Password did't matched"
}

/** Error message of a failed sign-in. */
export function signInMessage(error: unknown): string {
  if (error instanceof ApiError && error.code === 'EMAIL_TAKEN') return error.message
  if (!(error instanceof SignInError)) return 'Login failed'
  switch (error.code) {
    case 'NO_ACCOUNT':
      return 'No account with this email'
    case 'WRONG_PASSWORD':
      return 'Wrong Password'
    case 'TOO_MANY_REQUESTS':
      return tooManyAttempts(error.retryAfter)
    case 'POPUP_BLOCKED':
      return 'Your browser blocked the Google window. Please allow pop-up windows for this site and try again.'
    case 'NOT_LINKED':
      return 'An account with this email already exists. Please log in with your password.'
    default:
      return 'Login failed'
  }
}

/** Error message of a failed email request or a link that could not be used. */
export function emailMessage(error: unknown): string {
  if (error instanceof PasswordsDiffer) return error.message
  if (!(error instanceof SignInError)) return 'Something went wrong. Please try again.'
  switch (error.code) {
    case 'INVALID_EMAIL':
      return 'Email not valid'
    case 'TOO_MANY_REQUESTS':
      return tooManyAttempts(error.retryAfter)
    case 'NOT_SIGNED_IN':
      return 'Your session has expired. Log in again and reopen the link.'
    case 'LINK_NOT_YOURS':
      return 'This link belongs to another account. Log in to that account and reopen the link.'
    case 'LINK_OVER':
      return 'This link is no longer valid. Use the link in the latest email.'
    default:
      return 'Something went wrong. Please try again.'
  }
}

/** Error message of a failed sign-up. */
export function signUpMessage(error: unknown): string {
  if (error instanceof PasswordsDiffer) return error.message
  if (!(error instanceof SignInError)) return 'Something goes wrong'
  switch (error.code) {
    case 'EMAIL_TAKEN':
      return 'Email already exist'
    case 'INVALID_EMAIL':
      return 'Invalid Email'
    case 'TOO_MANY_REQUESTS':
      return tooManyAttempts(error.retryAfter)
    default:
      return 'Something goes wrong'
  }
}
