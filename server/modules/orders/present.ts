import { addressLines } from '../../../contract/address-rules.ts'
import type { Address } from '../../../contract/addresses.ts'
import type { OrderDetails } from '../../../contract/checkout.ts'
import type { LineFit } from '../../../contract/fit.ts'
import { toDollars } from '../../../contract/money.ts'
import type { OrderStatus } from '../../../contract/order-status.ts'
import type { Order, OrderEvent, OrderLine } from '../../../contract/orders.ts'
import type { PackingSlip } from '../../../contract/packing.ts'
import type { Shipment } from '../../../contract/shipments.ts'
import type { Caller } from '../../platform/actor.ts'
import { presentCharge, toGoods } from '../pricing/service.ts'
import type * as queries from './queries.ts'
import { type OrderTerms, toUnpaidSeconds } from './rules.ts'
import type { PackedOrder } from './shipments/packing.ts'
import type { Shipment as StoredShipment } from './shipments/queries.ts'
import { toLinePieces, toPaymentAmounts, toWireStates } from './states.ts'

/** The name of an order in lists: `Brake pads`, or `Brake pads and 2 more`. */
export function nameOrder({
  lines: [first],
  line_count,
}: Pick<queries.Order, 'lines' | 'line_count'>): string {
  return `${first?.product_name ?? ''}${line_count > 1 ? ` and ${line_count - 1} more` : ''}`
}

/** Converts an order to the API's format, without its lines. */
export function presentOrder(order: queries.Order, terms: OrderTerms): Order {
  const [first] = order.lines
  const only = order.line_count === 1 ? first : undefined
  return {
    _id: order.id,
    productId: first?.product_id ?? '',
    productName: nameOrder(order),
    image: first?.product_image ?? '',
    quantity: order.pieces,
    unitPrice: only && toDollars(only.unit_price_cents),
    amount: toDollars(order.amount_cents),
    refunded: toDollars(order.refunded_cents),
    customerEmail: order.customer_email,
    customerName: order.customer_name,
    customerPhone: order.customer_phone,
    customerAddress: order.shipping_address,
    ...toWireStates(order),
    processing: order.status === 'unpaid' && order.is_processing,
    transactionId: order.transaction_id ?? undefined,
    size: only?.size ?? undefined,
    colour: only?.colour ?? undefined,
    status: order.status,
    partlyShipped: (order.status === 'paid' && order.lines.some((line) => line.shipment_id)) || undefined,
    guest: order.customer_id === null || undefined,
    lineCount: order.line_count,
    pickup: order.is_pickup || undefined,
    date: order.placed_at?.toISOString(),
    payBy: presentPayBy(order, terms),
  }
}

/** Converts an order to pack. Only staff get the places of its items. */
export function presentSlip({ order, items, isWithdrawn }: PackedOrder, terms: OrderTerms): PackingSlip {
  return {
    ...presentOrder(order, terms),
    charges: order.charges.map(presentCharge),
    addressLines: presentAddressLines(order),
    note: order.note || undefined,
    lines: order.lines.map((line) => {
      const item = items.get(line.variant_id)
      // Its variant has a size or a colour now, which the customer has not chosen.
      if (line.options !== 'variants' && item?.options === 'variants') {
        return { ...presentLine(order.status, line), unspecified: true, codes: [] }
      }
      const codes = [item?.gtin, line.sku, item?.sku].flatMap((code) => code ?? [])
      return {
        ...presentLine(order.status, line),
        shelf: item?.shelf ?? undefined,
        codes: [...new Set(codes)],
      }
    }),
    slipPrintedAt: order.slip_printed_at?.toISOString(),
    withdrawn: isWithdrawn,
  }
}

export const presentLines = (order: queries.Order): OrderLine[] =>
  order.lines.map((line) => presentLine(order.status, line))

function presentLine(status: OrderStatus, line: queries.Order['lines'][number]): OrderLine {
  const goodsCents = toGoods({ quantity: line.quantity, unitPriceCents: line.unit_price_cents })
  return {
    productId: line.product_id,
    variantId: line.variant_id,
    name: line.product_name,
    image: line.product_image,
    sku: line.sku ?? undefined,
    size: line.size ?? undefined,
    colour: line.colour ?? undefined,
    quantity: line.quantity,
    unitPrice: toDollars(line.unit_price_cents),
    total: toDollars(goodsCents),
    paid: toDollars(line.total_cents ?? goodsCents),
    refunded: toDollars(line.refunded_cents),
    ...toLinePieces(status, line),
    fit: presentFit(line),
  }
}

/** The fit of a line when it was ordered. Undefined without a bike. */
export function presentFit({
  bike_id,
  bike,
  fit_answer,
  fit_position,
}: Pick<queries.Order['lines'][number], 'bike_id' | 'bike' | 'fit_answer' | 'fit_position'>):
  | LineFit
  | undefined {
  if (bike_id === null || bike === null || fit_answer === null) return undefined
  return { bike: { id: bike_id, name: bike }, answer: fit_answer, position: fit_position ?? undefined }
}

/** Undefined if only the whole address is known. */
export function presentAddress(order: queries.SentOrder): Address | undefined {
  const { ship_line1, ship_city, ship_country } = order
  if (ship_line1 === null || ship_city === null || ship_country === null) return undefined
  return {
    name: order.customer_name,
    phone: order.customer_phone || undefined,
    line1: ship_line1,
    line2: order.ship_line2 ?? undefined,
    city: ship_city,
    region: order.ship_region ?? undefined,
    postalCode: order.ship_postal_code ?? undefined,
    country: ship_country,
  }
}

export function presentAddressLines(order: queries.Order): string[] | undefined {
  const address = presentAddress(order)
  return address && addressLines(address)
}

/** Undefined if the order does not expire. */
function presentPayBy(order: queries.Order, terms: OrderTerms): string | undefined {
  const { placed_at, status, is_processing, expires, pay_by } = order
  if (status !== 'unpaid' || is_processing || !expires || !placed_at) return undefined
  if (pay_by) return pay_by.toISOString()
  return new Date(placed_at.getTime() + toUnpaidSeconds(order, terms) * 1000).toISOString()
}

/** `customerId`: null for a reader with the key, who does not learn that there is an account. */
export type Reader = Pick<Caller, 'permissions'> & { customerId: string | null }

/** Converts an order to the format of `/v1`. */
export const presentDetails = (
  order: queries.Order,
  events: queries.OrderEvent[],
  shipments: StoredShipment[],
  reader: Reader,
  terms: OrderTerms,
): Omit<OrderDetails, 'returns' | 'returnable'> => ({
  id: order.id,
  status: order.status,
  placedAt: order.placed_at?.toISOString(),
  shippedAt: order.shipped_at?.toISOString(),
  payBy: presentPayBy(order, terms),
  processing: order.status === 'unpaid' && order.is_processing,
  lines: presentLines(order),
  charges: order.charges.map(presentCharge),
  pickup: order.is_pickup,
  total: toDollars(order.amount_cents),
  refunded: toDollars(toPaymentAmounts(order).refundedCents),
  email: order.customer_email,
  name: order.customer_name,
  phone: order.customer_phone,
  address: order.shipping_address,
  note: order.note,
  guest: order.customer_id === null || reader.customerId === null,
  own: order.customer_id !== null && order.customer_id === reader.customerId,
  transactionId: order.transaction_id ?? undefined,
  history: events
    .filter(({ kind }) => kind !== 'claimed' || reader.customerId !== null)
    .map((event) => presentEvent(order, event, reader)),
  shipments: shipments.map(presentShipment),
})

export const presentShipment = (shipment: StoredShipment): Shipment => ({
  id: shipment.id,
  carrier: shipment.carrier ?? undefined,
  trackingNumbers: shipment.tracking_numbers,
  shippedAt: shipment.shipped_at.toISOString(),
  lines: shipment.lines.map(({ line_number, pieces }) => ({ line: line_number, pieces })),
})

/** Converts a shipment for the admin who ships it. */
export function presentNewShipment(shipment: StoredShipment, { shippingUndoSeconds }: OrderTerms): Shipment {
  const undoUntil = new Date(shipment.shipped_at.getTime() + shippingUndoSeconds * 1000)
  return {
    ...presentShipment(shipment),
    undoUntil: shippingUndoSeconds > 0 ? undoUntil.toISOString() : undefined,
  }
}

/** Converts an event to the API's format. Only staff who may read all orders learn who the actor is. */
export function presentEvent(order: queries.Order, event: queries.OrderEvent, reader: Reader): OrderEvent {
  const by = toActor(order, event, reader)
  return {
    kind: event.kind,
    at: event.occurred_at.toISOString(),
    by,
    ...(reader.permissions.has('orders') && {
      email: event.email ?? undefined,
      reason: event.reason ?? undefined,
      ...(by === 'admin' && { name: event.name || undefined, staffRole: event.staff_role ?? undefined }),
    }),
  }
}

function toActor(
  { customer_id }: queries.Order,
  { actor_id, by_guest }: queries.OrderEvent,
  reader: Reader,
): OrderEvent['by'] {
  if (by_guest) return 'guest'
  if (actor_id === null) return 'shop'
  if (actor_id !== customer_id) return 'admin'
  return reader.customerId === null ? 'guest' : 'customer'
}
