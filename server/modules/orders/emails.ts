import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import { toTrackingUrl } from '../../../contract/carriers.ts'
import { listFitTexts } from '../../../contract/fit-answer.ts'
import { emailImage } from '../../../contract/pictures.ts'
import { pluralize } from '../../../contract/plurals.ts'
import type { Database } from '../../../db/schema.ts'
import { groupIp } from '../../platform/http/ip.ts'
import type { RateLimiter } from '../../platform/rate-limiter.ts'
import {
  type EmailContent,
  type EmailOrder,
  type EmailRenderers,
  type EmailShipment,
  emailContents,
  listSafeTexts,
  listUnlinkedTexts,
  type Outbox,
} from '../mail/service.ts'
import { toGoods } from '../pricing/service.ts'
import { hasKey, type OrderKeys } from './order-key.ts'
import { presentFit } from './present.ts'
import * as queries from './queries.ts'
import { type OrderTerms, toUnpaidSeconds } from './rules.ts'
import { findSetBackForEmail, findShipment, type Shipment } from './shipments/queries.ts'

export type OrderEmails = ReturnType<typeof openOrderEmails>

interface OrderEmailOptions {
  outbox: Outbox
  rateLimiter: RateLimiter<keyof typeof orderEmailLimits>
  log: Pick<FastifyBaseLogger, 'warn'>
  /** Public origin of the shop, for links. */
  origin: string
  terms: OrderTerms
  orderKeys: OrderKeys
}

/**
 * Emails about unpaid orders to unverified emails: to one email, and about the orders of one network. Many buyers of a mobile
 * network share an IP, so the second limit is far above the first. Above a limit, buyers can still order and pay.
 */
export const orderEmailLimits = {
  unpaidOrderEmailsPerEmail: { max: 10, seconds: 24 * 3600 },
  unpaidOrderEmailsPerIp: { max: 60, seconds: 24 * 3600 },
}

type OrderEmailKind = 'order-placed' | 'order-received' | 'order-cancelled' | 'order-expired'
/** `order-shipped`: queued by an earlier version. */
type AnyOrderEmailKind =
  | OrderEmailKind
  | 'order-shipped'
  | 'order-refunded'
  | 'shipment-sent'
  | 'tracking-added'
  | 'shipment-withdrawn'
  | 'payment-link'

/** Reasons of refunds by the shop itself: of a whole order, and of items. */
export const cancelledReasons = { order: 'order cancelled', items: 'items cancelled' }
const shopReasons = Object.values(cancelledReasons)

/** Opens the emails about changes of an order. */
export function openOrderEmails({ outbox, rateLimiter, log, origin, terms, orderKeys }: OrderEmailOptions) {
  /** The page with the order. */
  const toUrl = (order: queries.EmailedOrder) =>
    hasKey(order) ? orderKeys.toUrl(origin, order) : `${origin}/dashboard/my-orders`

  /** The page that offers to put the items of a cancelled order back into the cart. */
  const toCancelledUrl = (order: queries.EmailedOrder) =>
    hasKey(order) ? toUrl(order) : `${origin}/order/${order.id}`

  /** An order by phone has whole days, and the rest of the day on which it was placed. */
  const toPayWithin = (order: queries.EmailedOrder) => {
    const { placed_at, pay_by } = order
    if (!placed_at || !pay_by) return formatTimeToPay(toUnpaidSeconds(order, terms))
    const days = Math.floor((pay_by.getTime() - placed_at.getTime()) / 86_400_000)
    return pluralize(days, 'day')
  }

  /** Renders an email about a subject of an order; none if the subject or its order is missing. */
  const emailAbout =
    <Subject extends { order_id: string }>(
      find: (tx: Kysely<Database>, id: string) => Promise<Subject | undefined>,
      write: (order: queries.EmailedOrder, email: EmailOrder, subject: Subject) => EmailContent | null,
    ): EmailRenderers[AnyOrderEmailKind] =>
    async (tx, { subject: id }) => {
      const subject = await find(tx, id)
      const order = subject && (await queries.findOrderForEmail(tx, subject.order_id))
      return order ? write(order, toEmailOrder(order, origin, toUrl(order)), subject) : null
    }
  const emailAboutOrder = (write: (order: queries.EmailedOrder, email: EmailOrder) => EmailContent | null) =>
    emailAbout(async (_tx, id) => ({ order_id: id }), write)

  const renderers: Pick<EmailRenderers, AnyOrderEmailKind> = {
    'order-placed': emailAboutOrder((order, email) =>
      // It may be paid or cancelled by now.
      order.status === 'unpaid' ? emailContents.orderPlaced(email, toPayWithin(order)) : null,
    ),
    'order-received': emailAboutOrder((order, email) => {
      const isCancelled = order.status === 'refunded'
      const delivery = isCancelled ? null : { pickup: toPickup(order), recipient: listRecipient(order) }
      return emailContents.orderReceived(email, delivery)
    }),
    'order-shipped': emailAboutOrder((order, email) =>
      emailContents.shipmentSent(email, toWholeShipment(email), listRecipient(order)),
    ),
    'order-cancelled': emailAboutOrder((order, email) =>
      emailContents.orderCancelled(
        { ...email, url: toCancelledUrl(order) },
        order.is_cancelled_by_buyer ? 'buyer' : 'shop',
      ),
    ),
    'order-expired': emailAboutOrder((order, email) =>
      emailContents.orderExpired({ ...email, url: toCancelledUrl(order) }, toPayWithin(order), origin),
    ),
    'payment-link': emailAboutOrder((order, email) => {
      // It may be paid or cancelled by now.
      if (order.status !== 'unpaid' || !order.pay_by || order.pay_by < new Date()) return null
      return emailContents.paymentLink(email, order.pay_by)
    }),
    'order-refunded': emailAbout(queries.findRefundForEmail, (order, email, refund) => {
      const reason = shopReasons.includes(refund.reason) ? [] : listSafeTexts(refund.reason)
      const reasons = [...(refund.cancels_order ? ['This order was cancelled.'] : []), ...reason]
      // After other refunds it has only the rest.
      const isWhole = refund.cancels_order && refund.amount_cents === order.amount_cents
      const lines = isWhole && reason.length === 0 ? [] : refund.lines
      const cancelsItems = refund.kind === 'cancellation' && !refund.cancels_order
      const write = refund.amount_cents > 0 ? emailContents.orderRefunded : emailContents.itemsCancelled
      return write(email, { amountCents: refund.amount_cents, reasons, cancelsItems, lines })
    }),
    'tracking-added': emailAbout(findShipment, (order, email, shipment) => {
      // The numbers may be removed by now.
      if (shipment.tracking_numbers.length === 0) return null
      return emailContents.trackingAdded(email, toEmailShipment(order, shipment, origin))
    }),
    'shipment-withdrawn': emailAbout(findSetBackForEmail, (order, email, setBack) => {
      // The email about the next shipment corrects it.
      if (setBack.is_outdated) return null
      return emailContents.shipmentWithdrawn(email, {
        isPartial: setBack.has_shipments,
        isPickup: order.is_pickup,
        reasons: listSafeTexts(setBack.reason),
      })
    }),
    'shipment-sent': emailAbout(findShipment, (order, email, shipment) =>
      emailContents.shipmentSent(email, toEmailShipment(order, shipment, origin), listRecipient(order)),
    ),
  }

  async function enqueueAbout(
    tx: Kysely<Database>,
    orderId: string,
    kind: AnyOrderEmailKind,
    subject: string,
    options?: { ttlMs?: number; delayMs?: number },
  ): Promise<void> {
    const recipient = await queries.findRecipient(tx, orderId)
    if (recipient) await outbox.enqueue(tx, kind, recipient.email, subject, options)
  }

  /**
   * Counts an email. Returns the seconds to wait: 0 up to the limits. A network above its limit does not count for the email,
   * so that no one uses up a stranger's limit.
   */
  async function tryCount(
    tx: Kysely<Database>,
    { email, counted_ip: ip }: queries.Recipient,
  ): Promise<number> {
    const wait = ip ? await rateLimiter.countIn(tx, 'unpaidOrderEmailsPerIp', groupIp(ip)) : 0
    return wait || rateLimiter.countIn(tx, 'unpaidOrderEmailsPerEmail', email)
  }

  return {
    renderers,
    /**
     * Queues an email in the transaction that changes the order: a state changes once, so each email is queued once.
     * Call it last: a counter that it locks has no place in the lock order. Call `wake` after the commit.
     */
    async enqueue(tx: Kysely<Database>, kind: OrderEmailKind, orderId: string): Promise<void> {
      const recipient = await queries.findRecipient(tx, orderId)
      if (!recipient) return
      // An order costs nothing until it is paid, so anyone could order in the name of third parties.
      if (kind !== 'order-received' && !recipient.is_verified && (await tryCount(tx, recipient)) > 0) {
        log.warn({ orderId, kind }, 'dropped an email about an unpaid order: too many in a day')
        return
      }
      await outbox.enqueue(tx, kind, recipient.email, orderId)
    },
    /**
     * Queues the email with the link that pays an order by phone, in the same way. It replaces one that waits or has failed, and
     * is worthless after the last day to pay.
     */
    async enqueuePaymentLink(tx: Kysely<Database>, orderId: string): Promise<void> {
      const order = await queries.findLinkedOrder(tx, orderId)
      if (!order) return
      const ttlMs = order.pay_by.getTime() - Date.now()
      await outbox.withdraw(tx, 'payment-link', orderId)
      await enqueueAbout(tx, orderId, 'payment-link', orderId, { ttlMs })
    },
    /** Queues the email about a refund of a paid order in the transaction that records it. Call it last, and then `wake`. */
    enqueueRefund: (tx: Kysely<Database>, refundId: string, orderId: string): Promise<void> =>
      enqueueAbout(tx, orderId, 'order-refunded', refundId),
    /**
     * Queues an email about a shipment, in the same way. The first one waits while the staff can undo the
     * shipment, and has the tracking of that moment.
     */
    enqueueShipment: (
      tx: Kysely<Database>,
      kind: 'shipment-sent' | 'tracking-added',
      shipmentId: string,
      orderId: string,
    ): Promise<void> =>
      enqueueAbout(tx, orderId, kind, shipmentId, {
        delayMs: kind === 'shipment-sent' ? terms.shippingUndoSeconds * 1000 : 0,
      }),
    /** Returns whether the email about a shipment waits. No process begins to send it before the transaction ends. */
    holdShipment: (tx: Kysely<Database>, shipmentId: string): Promise<boolean> =>
      outbox.hold(tx, 'shipment-sent', shipmentId),
    /** Deletes the emails about a shipment from the queue. Returns whether no process has begun to send the first one. */
    async withdrawShipment(tx: Kysely<Database>, shipmentId: string): Promise<boolean> {
      await outbox.withdraw(tx, 'tracking-added', shipmentId)
      return outbox.withdraw(tx, 'shipment-sent', shipmentId)
    },
    /** Queues the correction for the buyer, with the id of the event, in the same way. */
    enqueueSetBack: (tx: Kysely<Database>, eventId: number, orderId: string): Promise<void> =>
      enqueueAbout(tx, orderId, 'shipment-withdrawn', String(eventId)),
    /** Returns an order as its emails show it, if they go to this email. Only the buyer may get its link. */
    async findOrder(tx: Kysely<Database>, id: string, to: string): Promise<EmailOrder | undefined> {
      const recipient = await queries.findRecipient(tx, id)
      const order = recipient?.email === to ? await queries.findOrderForEmail(tx, id) : undefined
      return order && toEmailOrder(order, origin, toUrl(order))
    },
    /** Sends new emails immediately. */
    wake: outbox.wake,
  }
}

/** Formats a whole number of minutes. A rounded time would end after the order is cancelled. */
function formatTimeToPay(seconds: number): string {
  const minutes = seconds / 60
  return minutes % 60 === 0 ? pluralize(minutes / 60, 'hour') : pluralize(minutes, 'minute')
}

function toEmailOrder(order: queries.EmailedOrder, origin: string, url: string): EmailOrder {
  return {
    id: order.id,
    url,
    placedAt: order.placed_at,
    amountCents: order.amount_cents,
    charges: order.charges,
    lines: order.lines.map((line) => ({
      name: line.product_name,
      picture: emailImage(origin, line.product_image),
      partNumber: listSafeTexts(line.sku)[0] ?? null,
      options: listSafeTexts(line.size, line.colour),
      quantity: line.quantity,
      unitPriceCents: line.unit_price_cents,
      totalCents: toGoods({ quantity: line.quantity, unitPriceCents: line.unit_price_cents }),
      fit: listFitTexts(presentFit(line)),
    })),
  }
}

function toEmailShipment(order: queries.EmailedOrder, shipment: Shipment, origin: string): EmailShipment {
  const carrier = listSafeTexts(shipment.carrier)[0] ?? null
  return {
    items: shipment.lines.flatMap(({ line_number, pieces }) =>
      order.lines
        .filter((line) => line.line_number === line_number)
        .map(({ product_name, product_image, size, colour }) => ({
          name: product_name,
          picture: emailImage(origin, product_image),
          options: listSafeTexts(size, colour),
          pieces,
        })),
    ),
    isPartial: shipment.is_partial,
    pickup: toPickup(order),
    carrier,
    parcels: shipment.tracking_numbers.map((number) => ({
      number,
      url: toTrackingUrl(shipment.carrier ?? undefined, number),
    })),
  }
}

/** All items of an order, for an email that an earlier version queued. */
const toWholeShipment = ({ lines }: EmailOrder): EmailShipment => ({
  items: lines.map(({ quantity, ...line }) => ({ ...line, pieces: quantity })),
  isPartial: false,
  pickup: null,
  carrier: null,
  parcels: [],
})

/** Returns the pickup option, which may be empty; null if the order is sent. */
const toPickup = ({ is_pickup, charges }: queries.EmailedOrder): string | null =>
  is_pickup ? (charges.find(({ kind }) => kind === 'shipping')?.label ?? '') : null

/** Only for emails about paid orders: a stranger must not be able to send messages through the shop. */
const listRecipient = (order: queries.EmailedOrder): string[] =>
  order.is_pickup ? [] : listUnlinkedTexts(order.customer_name, order.shipping_address)
