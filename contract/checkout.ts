import * as z from 'zod/mini'
import { Address } from './addresses.ts'
import { CartLine } from './cart.ts'
import { email, foreignKey, idempotencyKey, lines, price } from './fields.ts'
import { StaffNote } from './notes.ts'
import { orderStatuses } from './order-status.ts'
import { Order, OrderEvent, OrderLine } from './orders.ts'
import { Refund } from './payments.ts'
import { Charge, ChargeChoice } from './quote.ts'
import { Return } from './returns.ts'
import { Shipment } from './shipments.ts'

const notATotal = 'Enter dollars with at most two decimals, such as 12.50'

/** An order of the whole cart. Prices and `total` in dollars, as shown to the buyer: any difference is refused. */
export const Checkout = z.object({
  lines: z.array(z.extend(CartLine, { unitPrice: price('Price is required') })),
  total: z
    .number(notATotal)
    .check(z.gte(0, 'At least $0'), z.lte(10_000_000, 'At most $10,000,000'), z.multipleOf(0.01, notATotal)),
  /** Required from guests. A customer's order has the email of the account. */
  email: z.optional(email),
  address: Address,
  note: z.optional(lines(300)),
  ...ChargeChoice.shape,
  /** Without a valid access token the order is refused, unless the buyer wants to order as a guest. */
  asGuest: z.optional(z.boolean()),
})
export type Checkout = z.infer<typeof Checkout>

export const CheckoutHeaders = z.object({ 'idempotency-key': idempotencyKey })

/** `key`: only for guests; it opens the order without an account. `amount` in dollars. */
export const PlacedOrder = z.object({ id: z.string(), amount: z.number(), key: z.optional(z.string()) })
export type PlacedOrder = z.infer<typeof PlacedOrder>

/** An order that an admin places for a caller, with or without an account. `payWithinDays`: the last day to pay, from today. */
export const PhoneOrder = z.extend(z.omit(Checkout, { asGuest: true }), {
  email,
  payWithinDays: z.int('Choose a day').check(z.gte(1, 'At least 1 day'), z.lte(14, 'At most 14 days')),
})
export type PhoneOrder = z.infer<typeof PhoneOrder>

/** `url` opens the order without an account; `payBy` in ISO 8601: the order is cancelled after this. */
export const PaymentLink = z.object({ url: z.string(), payBy: z.string() })
export type PaymentLink = z.infer<typeof PaymentLink>

export const PlacedPhoneOrder = z.extend(PaymentLink, { id: z.string(), amount: z.number() })
export type PlacedPhoneOrder = z.infer<typeof PlacedPhoneOrder>

/** Without `payWithinDays` the last day to pay stays. */
export const NewPaymentLink = z.object({ payWithinDays: z.optional(PhoneOrder.shape.payWithinDays) })

/** The key of a guest order. */
export const OrderKeyHeaders = z.object({ 'order-key': z.optional(foreignKey) })

/** The headers of a request by the buyer of an order. A page of an earlier version sends no `idempotency-key`. */
export const BuyerRequestHeaders = z.extend(OrderKeyHeaders, {
  'idempotency-key': z.optional(idempotencyKey),
})

/** An order with everything that its buyer may see. Amounts in dollars, times in ISO 8601. */
export const OrderDetails = z.object({
  id: z.string(),
  status: z.enum(orderStatuses),
  placedAt: z.optional(z.string()),
  shippedAt: z.optional(z.string()),
  /** An unpaid order is cancelled after this. Missing if the order does not expire. */
  payBy: z.optional(z.string()),
  /** Whether a payment is in progress at the provider. */
  processing: z.boolean(),
  lines: z.array(OrderLine),
  charges: z.array(Charge),
  /** Whether the buyer collects the order. */
  pickup: z.boolean(),
  total: z.number(),
  /** The refunded part of the total. */
  refunded: z.number(),
  /** Without refunds of payments that paid no order. Missing if there are none. */
  refunds: z.optional(z.array(z.pick(Refund, { id: true, amount: true, status: true }))),
  email: z.string(),
  name: z.string(),
  phone: z.string(),
  /** The delivery address as one text. */
  address: z.string(),
  note: z.string(),
  /** Whether the order has no account. Also for a reader with the key of an order by phone. */
  guest: z.boolean(),
  /** Whether the order is of the reader's account. A process of the previous version does not send it. */
  own: z.optional(z.boolean()),
  transactionId: z.optional(z.string()),
  returns: z.array(Return),
  /**
   * Whether the reader cannot cancel this paid order, because it has items with special return terms. A process of the
   * previous version does not send it.
   */
  needsReview: z.optional(z.boolean()),
  /** The pieces for which a return can be requested now, by line. */
  returnable: z.array(z.object({ line: z.int(), pieces: z.int() })),
  /** Oldest first. */
  history: z.array(OrderEvent),
  /** Oldest first. Empty for orders of earlier versions. */
  shipments: z.array(Shipment),
  /** Only for staff who read orders. */
  staff: z.optional(
    z.object({
      /** As in the specified calls, with all that is not in lists. Cancelled orders too. */
      order: Order,
      /** The present email of the account, or the one that a guest gave. A process of an earlier version does not send it. */
      email: z.optional(z.string()),
      /** The number of further orders with this email. */
      otherOrders: z.int(),
      /** The email of the staff member who placed the order for a caller. Missing if the buyer placed it. */
      placedBy: z.optional(z.string()),
      /** Newest first. */
      notes: z.array(StaffNote),
    }),
  ),
})
export type OrderDetails = z.infer<typeof OrderDetails>

export const OrderPayment = z.object({ clientSecret: z.string(), amount: z.number() })
