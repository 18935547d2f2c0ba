import * as z from 'zod/mini'
import { lineBike } from './bikes.ts'
import { colours, sizes } from './choice.ts'
import { foreignKey, id, integer, line, paging, requiredLine, sortBy } from './fields.ts'
import { LineFit } from './fit.ts'
import { orderSorts, orderStatuses } from './order-status.ts'
import { Refund } from './payments.ts'
import { Charge } from './quote.ts'
import { Return } from './returns.ts'
import { Shipment } from './shipments.ts'
import { staffActor } from './staff.ts'

export const orderEventKinds = [
  'placed',
  'options',
  'claimed',
  'processing',
  'payment_failed',
  'paid',
  'shipped',
  'cancelled',
  'expired',
  'refund_due',
  'refunded',
  'refund_failed',
  'part_shipped',
  'tracking_changed',
  'unshipped',
  'items_cancelled',
  'return_requested',
  'return_approved',
  'return_rejected',
  'return_closed',
  'withdrawn',
] as const

/** An event of an order. `at` is in ISO 8601. `shop`: the event was automatic. */
export const OrderEvent = z.object({
  kind: z.enum(orderEventKinds),
  at: z.string(),
  by: z.enum(['customer', 'guest', 'admin', 'shop']),
  /** The actor's email; of staff also name and role. Only for staff. */
  email: z.optional(z.string()),
  ...staffActor,
  /** Why a shipment was set back. Only for staff. */
  reason: z.optional(z.string()),
})
export type OrderEvent = z.infer<typeof OrderEvent>

/** A line of an order, as it was when the order was placed. `unitPrice` and `total` in dollars. */
export const OrderLine = z.object({
  productId: z.string(),
  variantId: z.string(),
  name: z.string(),
  image: z.string(),
  sku: z.optional(z.string()),
  size: z.optional(z.string()),
  colour: z.optional(z.string()),
  quantity: z.int(),
  unitPrice: z.number(),
  total: z.number(),
  /** The amount that the buyer paid or will pay for the line, with its shares of discount and added tax. */
  paid: z.number(),
  /** The refunded part of it. */
  refunded: z.number(),
  /** Neither shipped nor cancelled. */
  openPieces: z.int(),
  shippedPieces: z.int(),
  cancelledPieces: z.int(),
  /** Shipped pieces that came back. */
  returnedPieces: z.int(),
  fit: z.optional(LineFit),
})
export type OrderLine = z.infer<typeof OrderLine>

/**
 * An order in API responses. `amount` and `unitPrice` in dollars; `shipment` is `Shipped` or empty. An order of several
 * lines has the product and picture of the first, a name such as `Brake pads and 2 more`, and all pieces as `quantity`.
 */
export const Order = z.object({
  _id: z.string(),
  productId: z.string(),
  productName: z.string(),
  image: z.string(),
  quantity: z.int(),
  /** Missing if the order has several lines. */
  unitPrice: z.optional(z.number()),
  amount: z.number(),
  /** The refunded part of it. A process of an earlier version does not send it. */
  refunded: z.optional(z.number()),
  customerEmail: z.string(),
  customerName: z.string(),
  customerPhone: z.string(),
  customerAddress: z.string(),
  payment: z.boolean(),
  /** Whether a payment is in progress at the provider. */
  processing: z.optional(z.boolean()),
  shipment: z.string(),
  transactionId: z.optional(z.string()),
  size: z.optional(z.string()),
  colour: z.optional(z.string()),
  status: z.enum(orderStatuses),
  /** A part of it was shipped, and the rest is open. */
  partlyShipped: z.optional(z.boolean()),
  /** A guest ordered it. */
  guest: z.optional(z.boolean()),
  lineCount: z.int(),
  /** Not in lists. */
  lines: z.optional(z.array(OrderLine)),
  /** Amounts beside the lines. Not in lists. */
  charges: z.optional(z.array(Charge)),
  /** The buyer collects the order. */
  pickup: z.optional(z.boolean()),
  /** The delivery address in lines, if its parts are known. Not in lists. */
  addressLines: z.optional(z.array(z.string())),
  /** For the delivery. Not in lists. */
  note: z.optional(z.string()),
  /** ISO 8601; absent on imported orders that never had one. */
  date: z.optional(z.string()),
  /** ISO 8601: an unpaid order is cancelled after this. Absent if the order does not expire. */
  payBy: z.optional(z.string()),
  /** Oldest first. Not in lists. */
  history: z.optional(z.array(OrderEvent)),
  /** Not in lists. */
  returns: z.optional(z.array(Return)),
  /** Oldest first. Not in lists, and empty for orders of earlier versions. */
  shipments: z.optional(z.array(Shipment)),
  /** Payments for the order that are refunded. Not in lists. */
  refunds: z.optional(z.array(Refund)),
})
export type Order = z.infer<typeof Order>

export const OrderQuery = z.object({
  ...paging,
  sort: sortBy(orderSorts),
  email: z.optional(line(254)),
  payment: z.optional(z.enum(['true', 'false'])),
  shipment: z.optional(z.enum(['Shipped', ''])),
  /** `paid`: the orders to ship. Only `cancelled` lists cancelled orders. */
  status: z.optional(z.enum(orderStatuses)),
})
export type OrderQuery = z.infer<typeof OrderQuery>

export const OrderId = z.object({ id })

/** Sent by the browser. The server uses its own records for email, product name and price. */
export const Purchase = z.object({
  productId: id,
  /** Without it: the first variant that has enough stock. */
  variantId: z.optional(id),
  productName: z.optional(line(200)),
  quantity: integer('Quantity not matched'),
  amount: z.number(),
  customerEmail: z.optional(line(254)),
  customerName: z.optional(line(120)),
  customerPhone: z.optional(line(40)),
  customerAddress: requiredLine(500, 'Address is required'),
  /** The bike that the buyer orders for. */
  bikeId: z.optional(lineBike),
})
export type Purchase = z.infer<typeof Purchase>

export const PurchaseHeaders = z.object({
  'idempotency-key': z.optional(foreignKey),
})

export const OrderOptions = z.object({ size: z.optional(z.enum(sizes)), colour: z.optional(z.enum(colours)) })
export type OrderOptions = z.infer<typeof OrderOptions>

export const Shipping = z.object({ shipping: z.literal('Shipped') })
