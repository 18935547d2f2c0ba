import * as z from 'zod/mini'
import { email, requiredLine } from '../../../contract/fields.ts'

const name = requiredLine(120, 'Name is required')
// better-auth checks the allowed length and reports whether it is too short or too long.
const password = z.string().check(z.minLength(1), z.maxLength(1024))

/**
 * The calls that are forwarded to better-auth. Others, such as changing an email or listing sessions, are
 * deliberately missing. Unknown body fields are rejected.
 */
export const calls = {
  signUp: { method: 'POST', path: '/sign-up/email', body: z.strictObject({ email, password, name }) },
  signIn: { method: 'POST', path: '/sign-in/email', body: z.strictObject({ email, password }) },
  setDisplayName: { method: 'POST', path: '/update-user', body: z.strictObject({ name }) },
  signOut: { method: 'POST', path: '/sign-out', body: z.strictObject({}) },
  idToken: { method: 'GET', path: '/token' },
  publicKeys: { method: 'GET', path: '/jwks' },
} as const

/** Google redirects the browser to this call. `id` is the provider's id. */
export const callbackCall = (id: string) => ({ method: 'GET', path: `/callback/${id}` }) as const

export interface Call {
  method: 'GET' | 'POST'
  path: string
}
