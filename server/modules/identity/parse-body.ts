import type * as z from 'zod/mini'
import { AuthError } from './auth-errors.ts'

/** @throws AuthError INVALID_EMAIL if the email is invalid, otherwise INVALID_REQUEST */
export function parseBody<Schema extends z.ZodMiniType>(
  { body: schema }: { body: Schema },
  body: unknown,
): z.output<Schema> {
  const result = schema.safeParse(body)
  if (result.success) return result.data
  const isEmail = result.error.issues.some(({ path }) => path[0] === 'email')
  throw new AuthError(isEmail ? 'INVALID_EMAIL' : 'INVALID_REQUEST')
}
