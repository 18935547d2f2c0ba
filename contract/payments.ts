import * as z from 'zod/mini'
import { foreignKey, id } from './fields.ts'

/** `amount` in dollars. Without `orderId` the caller's newest unpaid order of exactly that amount is meant. */
export const NewPaymentIntent = z.object({ amount: z.number(), orderId: z.optional(id) })
export type NewPaymentIntent = z.infer<typeof NewPaymentIntent>

export const PaymentIntentSecret = z.object({ client_secret: z.string() })

export const PaymentHint = z.object({ transactionId: foreignKey(200) })
