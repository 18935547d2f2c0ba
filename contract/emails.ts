import * as z from 'zod/mini'
import { id, paging } from './fields.ts'

export const EmailQuery = z.object({ page: paging.page, pageSize: paging.pageSize })

export type EmailQuery = z.infer<typeof EmailQuery>

export const EmailId = z.object({ id })

/** The emails about orders, by their content. Accounts have others, which are dropped when they fail. */
export const orderEmailKinds = [
  'order-placed',
  'order-received',
  'order-shipped',
  'order-cancelled',
  'order-expired',
  'order-refunded',
  'return-approved',
  'return-rejected',
  'withdrawal-received',
  'shipment-sent',
  'tracking-added',
  'shipment-withdrawn',
  'payment-link',
] as const

/** An email about an order that the mail server did not accept, and that is not tried again. */
export const FailedEmail = z.object({
  id: z.string(),
  kind: z.enum(orderEmailKinds),
  email: z.string(),
  /** Missing for a withdrawal that is not assigned to an order. */
  orderId: z.optional(z.string()),
  /** ISO 8601. */
  failedAt: z.string(),
  /** `mailbox`: the mail server does not know the recipient. `expired`: it was unavailable for a week. */
  reason: z.enum(['mailbox', 'expired']),
  /** The last response of the mail server, as codes such as `EENVELOPE 550`. */
  codes: z.optional(z.string()),
})
export type FailedEmail = z.infer<typeof FailedEmail>

/** `email`: the recipient, who is the caller. */
export const TestedEmail = z.object({ acknowledged: z.literal(true), email: z.string() })
