import * as z from 'zod/mini'
import { importKinds } from './imports.ts'

/**
 * An import that is not finished, or that new errors have stopped at its time. `progress`: the part that is done, 0 to 1.
 */
const OpenImport = z.object({
  id: z.string(),
  kind: z.enum(importKinds),
  fileName: z.string(),
  state: z.enum(['reading', 'checking', 'checked', 'importing', 'failed']),
  /** When it runs, or was to run, in ISO 8601. */
  runAt: z.nullable(z.string()),
  progress: z.number(),
})

/** The work of the day. */
export const Today = z.object({
  /** Paid orders with open pieces. */
  toShip: z.int(),
  /** When the oldest of them was paid, in ISO 8601. */
  oldestToShip: z.optional(z.string()),
  unpaid: z.int(),
  /** Orders of the last 24 hours that are not cancelled. */
  newOrders: z.int(),
  failedRefunds: z.int(),
  failedEmails: z.int(),
  /** Products with a variant whose stock is low. Up to a minute old. */
  lowStock: z.int(),
  imports: z.array(OpenImport),
  /** Requested or approved. */
  returns: z.int(),
  withdrawals: z.int(),
})
export type Today = z.infer<typeof Today>
