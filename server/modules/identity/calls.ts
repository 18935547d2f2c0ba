import * as z from 'zod/mini'
import { email, requiredLine } from '../../../contract/fields.ts'

const name = requiredLine(120, 'Name is required')
// better-auth judges its length, and says which way it is wrong.
const password = z.string().check(z.minLength(1), z.maxLength(1024))

/**
 * What better-auth is asked to do, and nothing else: no change of email or password, no linking by hand, no deletion,
 * no list of sessions. A body is passed on as the schema leaves it; a field that is not named here is refused.
 */
export const calls = {
  signUp: { method: 'POST', path: '/sign-up/email', body: z.strictObject({ email, password, name }) },
  signIn: { method: 'POST', path: '/sign-in/email', body: z.strictObject({ email, password }) },
  setDisplayName: { method: 'POST', path: '/update-user', body: z.strictObject({ name }) },
  signOut: { method: 'POST', path: '/sign-out', body: z.strictObject({}) },
  idToken: { method: 'GET', path: '/token' },
  publicKeys: { method: 'GET', path: '/jwks' },
} as const

/** Where Google sends a browser back to; `id` is the provider's. */
export const callbackCall = (id: string) => ({ method: 'GET', path: `/callback/${id}` }) as const

export interface Call {
  method: 'GET' | 'POST'
  path: string
}
