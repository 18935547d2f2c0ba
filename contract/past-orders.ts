import * as z from 'zod/mini'
import { line } from './fields.ts'

/** An order of an earlier shop. Amounts are in its currency. */
export const PastOrder = z.object({
  number: z.string(),
  /** In ISO 8601. */
  date: z.string(),
  /** Empty if the order has none. */
  email: z.string(),
  name: z.string(),
  address: z.string(),
  /** In the words of the earlier shop. */
  status: z.string(),
  /** ISO 4217. */
  currency: z.string(),
  total: z.number(),
  lines: z.array(
    z.object({
      name: z.string(),
      quantity: z.int(),
      /** Of one piece. */
      price: z.number(),
      sku: z.optional(z.string()),
    }),
  ),
})
export type PastOrder = z.infer<typeof PastOrder>

/** The newest ones. `more`: there are others. */
export const PastOrders = z.object({ orders: z.array(PastOrder), more: z.boolean() })
export type PastOrders = z.infer<typeof PastOrders>

/** `q`: an email, or a part of an order number or a name. */
export const PastOrderQuery = z.object({ q: line(200).check(z.minLength(2, 'Enter at least 2 characters')) })

export const maxPastOrders = 50
