import type * as z from 'zod/mini'
import { ShopError } from '../errors.ts'

/**
 * Validates a part of a request and returns the output of the schema. A missing body is an empty object; `null` is not.
 *
 * @throws INVALID_REQUEST with one message per field
 */
export function parsed(schema: z.ZodMiniType, value: unknown): unknown {
  const result = schema.safeParse(value === undefined ? {} : value)
  if (result.success) return result.data
  const fields: Record<string, string> = {}
  for (const issue of result.error.issues) fields[issue.path.join('.') || 'body'] ??= issue.message
  throw new ShopError('INVALID_REQUEST', { fields })
}
