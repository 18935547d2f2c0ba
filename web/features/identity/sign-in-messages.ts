import { ApiError } from '../../api.ts'
import { SignInError } from './provider.ts'

const tooMany = 'Too many tries. Please wait a minute and try again.'

/** What a person reads when signing in did not work. */
export function signInMessage(error: unknown): string {
  if (error instanceof ApiError && error.code === 'EMAIL_TAKEN') return error.message
  if (!(error instanceof SignInError)) return 'Login failed'
  switch (error.code) {
    case 'NO_ACCOUNT':
      return 'No account with this email'
    case 'WRONG_PASSWORD':
      return 'Wrong Password'
    case 'TOO_MANY_REQUESTS':
      return tooMany
    case 'POPUP_BLOCKED':
      return 'Your browser blocked the Google window. Please allow pop-up windows for this site and try again.'
    case 'NOT_LINKED':
      return 'There is an account with this e-mail already. Please sign in with its password.'
    default:
      return 'Login failed'
  }
}

/** What a person reads when signing up did not work. */
export function signUpMessage(error: unknown): string {
  if (!(error instanceof SignInError)) return 'Something goes wrong'
  switch (error.code) {
    case 'EMAIL_TAKEN':
      return 'Email already exist'
    case 'INVALID_EMAIL':
      return 'Invalid Email'
    case 'TOO_MANY_REQUESTS':
      return tooMany
    default:
      return 'Something goes wrong'
  }
}
