import type { Kysely } from 'kysely'
import type { Pool } from 'pg'
import type { OrderDetails, PaymentLink } from '../../../contract/checkout.ts'
import type { Seller } from '../../../contract/invoices.ts'
import { toDollars } from '../../../contract/money.ts'
import { orderNumber } from '../../../contract/order-number.ts'
import type { Order } from '../../../contract/orders.ts'
import type { Refund } from '../../../contract/payments.ts'
import { noPermissions } from '../../../contract/permissions.ts'
import type { ChargeChoice } from '../../../contract/quote.ts'
import type { Return } from '../../../contract/returns.ts'
import { maxOrderCount } from '../../../contract/work-lists.ts'
import type { Database } from '../../../db/schema.ts'
import type { Calls } from '../../http/calls.ts'
import { sendCsv } from '../../platform/database/csv-export.ts'
import { ShopError } from '../../platform/errors.ts'
import { normalizeIp } from '../../platform/http/ip.ts'
import { sendPage } from '../../platform/http/paging.ts'
import { findCustomer } from '../customers/service.ts'
import { type CouponLimiter, presentCharge } from '../pricing/service.ts'
import {
  presentAddress,
  presentAddressLines,
  presentDetails,
  presentEvent,
  presentLines,
  presentNewShipment,
  presentOrder,
  presentShipment,
  presentSlip,
  type Reader,
} from './present.ts'
import * as orders from './service.ts'

/** Leaves out the errors of the provider, and how staff has closed a refund. */
const withoutFailures = ({
  failure: _failure,
  nextAttemptAt: _nextAttemptAt,
  note: _note,
  ...refund
}: Refund): Refund => ({ ...refund, failures: 0 })

interface OrderDeps {
  /** Public origin of the shop, for links. */
  origin: string
  /** Null if the shop does not send email. */
  orderEmails: orders.OrderEmails | null
  terms: orders.OrderTerms
  orderKeys: orders.OrderKeys
  rateLimiter: CouponLimiter
  /** Of `background`, for queries that stream their rows. */
  pool: Pool
  /** The return address of packing slips. */
  readSeller: (db: Kysely<Database>) => Promise<Seller>
  /** Of `payments`, which imports this module. */
  listRefunds: (db: Kysely<Database>, orderId: string) => Promise<Refund[]>
  /** Of `returns`, which imports this module. */
  listReturns: (db: Kysely<Database>, orderId: string) => Promise<Return[]>
  hasOpenReturn: (db: Kysely<Database>, orderId: string, lines: number[], since: Date) => Promise<boolean>
  /** Returns the ids of orders with an open withdrawal of items to ship. */
  listWithdrawn: (db: Kysely<Database>) => Promise<string[]>
  listReturnable: (db: Kysely<Database>, order: orders.Order) => Promise<OrderDetails['returnable']>
}

export function registerOrders(calls: Calls, deps: OrderDeps): void {
  const { origin, orderEmails, terms, orderKeys, rateLimiter, pool, readSeller } = deps
  const { listRefunds, listReturns, listReturnable, hasOpenReturn, listWithdrawn } = deps
  calls.handle('listOrders', async ({ query, reply, caller, db }) => {
    // In My Orders staff are buyers, who cannot pay a guest's order by their account.
    const isOwn = query.email?.toLowerCase() === caller.email
    const page = await orders.listOrders(db, query, {
      forStaff: caller.permissions.has('orders') && !isOwn,
    })
    return sendPage(reply, page).map((order) => presentOrder(order, terms))
  })

  /** Reads the history, shipments and returns of an order. */
  const readParts = async (db: Kysely<Database>, id: string) => ({
    events: await orders.listEvents(db, id),
    shipments: await orders.listShipments(db, id),
    returns: await listReturns(db, id),
  })
  type Parts = Awaited<ReturnType<typeof readParts>>

  /** Returns an order as the specified calls do, with all that is not in lists. */
  async function presentWhole(
    db: Kysely<Database>,
    order: orders.Order,
    { events, shipments, returns }: Parts,
    reader: Reader,
  ): Promise<Order> {
    const refunds = await listRefunds(db, order.id)
    return {
      ...presentOrder(order, terms),
      lines: presentLines(order),
      charges: order.charges.map(presentCharge),
      addressLines: presentAddressLines(order),
      note: order.note || undefined,
      history: events.map((event) => presentEvent(order, event, reader)),
      shipments: shipments.map(presentShipment),
      refunds: reader.permissions.has('orders') ? refunds : refunds.map(withoutFailures),
      returns,
    }
  }

  calls.handle('getOrder', async ({ query, caller, db }) => {
    const order = await orders.requireOrder(db, caller, query.id, 'orders')
    return presentWhole(db, order, await readParts(db, order.id), caller)
  })

  /** Returns what only staff read of an order; nothing for others. */
  async function presentForStaff(
    db: Kysely<Database>,
    order: orders.Order,
    parts: Parts,
    reader: Reader,
  ): Promise<Pick<OrderDetails, 'staff'>> {
    if (!reader.permissions.has('orders')) return {}
    const account = order.customer_id === null ? undefined : await findCustomer(db, order.customer_id)
    const email = account?.email ?? order.customer_email
    const counts = await orders.countOrdersByEmail(db, [email])
    const placed = parts.events.find(({ kind }) => kind === 'placed')
    return {
      staff: {
        order: await presentWhole(db, order, parts, reader),
        placedBy: order.placed_by === null ? undefined : (placed?.email ?? undefined),
        email,
        otherOrders: Math.max(0, (counts.get(email) ?? 0) - 1),
        notes: await orders.listNotes(db, { orderId: order.id }),
      },
    }
  }

  const toTypedCoupon = ({ coupon }: ChargeChoice, { ip }: { ip: string }) =>
    coupon ? { code: coupon, ip, limiter: rateLimiter } : undefined

  calls.handle('confirmPurchase', async ({ body, headers, caller, db }) => ({
    acknowledged: true,
    insertedId: await orders.placePurchase(
      { terms, orderEmails, db },
      caller,
      body,
      headers['idempotency-key'] ?? null,
    ),
  }))

  calls.handle('checkOut', async ({ body, headers, caller, db, request }) => {
    // A stale token must not turn a customer's order into a guest's order.
    if (!caller && body.asGuest !== true) throw new ShopError('NOT_SIGNED_IN')
    const buyer = caller ?? { customerId: null, permissions: noPermissions, ip: normalizeIp(request.ip) }
    const order = await orders.checkOut(
      { db, terms, orderEmails },
      buyer,
      { ...body, coupon: toTypedCoupon(body, request) },
      headers['idempotency-key'],
    )
    // An account may have claimed the order of a repeated request.
    const key = order.customer_id === null ? orderKeys.sign(order) : undefined
    return { id: order.id, amount: toDollars(order.amount_cents), key }
  })

  const presentLink = (order: { id: string; key_version: number; pay_by: Date }): PaymentLink => ({
    url: orderKeys.toUrl(origin, order),
    payBy: order.pay_by.toISOString(),
  })

  calls.handle('placePhoneOrder', async ({ body, headers, caller, db, request }) => {
    const order = await orders.placePhoneOrder(
      { db, terms, orderEmails },
      caller,
      { ...body, coupon: toTypedCoupon(body, request) },
      headers['idempotency-key'],
    )
    return { id: order.id, amount: toDollars(order.amount_cents), ...presentLink(order) }
  })

  calls.handle('sendPaymentLink', async ({ params, body, caller, db }) =>
    presentLink(
      await orders.sendPaymentLink({ db, terms, orderEmails }, params.id, body.payWithinDays, caller),
    ),
  )

  calls.handle('listWork', async ({ query, reply, db }) => {
    const { rows, total, isCounted } = await orders.listWork(db, query)
    if (!isCounted) reply.header('X-Total-Estimated', 'true')
    return sendPage(reply, { rows, total }).map((order) => ({
      ...presentOrder(order, terms),
      number: orderNumber(order.id),
      tags: order.tags,
      slipPrintedAt: order.slip_printed_at?.toISOString(),
    }))
  })

  calls.handle('countWork', async ({ query, db }) => {
    const { to_ship: toShip, newer, at, ...counts } = await orders.countWork(db, query)
    return {
      ...counts,
      toShip,
      newer: newer ?? undefined,
      capped: maxOrderCount,
      at: at.toISOString(),
    }
  })

  calls.handle('exportOrderLines', async ({ query, reply, db }) =>
    sendCsv(reply, {
      pool,
      name: 'order-lines',
      query: orders.exportOrderLines(db, query),
      decimals: query.decimals,
      bom: query.bom,
    }),
  )

  calls.handle('getOrderDetails', async (input) => {
    const { db } = input
    const { order, reader } = await orders.requireOrderByKey(
      { db, orderKeys },
      input,
      input.params.id,
      'orders',
    )
    const parts = await readParts(db, order.id)
    const details = {
      ...presentDetails(order, parts.events, parts.shipments, reader, terms),
      returns: parts.returns,
      returnable: await listReturnable(db, order),
      needsReview:
        order.status === 'paid' &&
        !reader.permissions.has('refunds') &&
        (await orders.hasReturnNote(db, order.id)),
      ...(await presentForStaff(db, order, parts, reader)),
    }
    if (details.refunded === 0) return details
    const refunds = (await listRefunds(db, order.id)).filter(({ kind }) => kind !== 'unmatched')
    return { ...details, refunds: refunds.map(({ id, amount, status }) => ({ id, amount, status })) }
  })

  calls.handle('getLastAddress', async ({ caller, db }) => {
    const order = await orders.findLastSentOrder(db, caller.customerId)
    return { address: order && presentAddress(order) }
  })

  calls.handle('countGuestOrders', async ({ caller, db }) => ({
    count: await orders.countGuestOrders(db, caller),
  }))
  calls.handle('claimGuestOrders', async ({ caller, db }) => ({
    claimed: await orders.claimGuestOrders(db, caller),
  }))

  calls.handle('setOrderOptions', async ({ params, body, caller, db }) => {
    await orders.setOptions(db, caller, params.id, body)
    return { acknowledged: true, modifiedCount: 1 }
  })

  calls.handle('addNote', ({ body, caller, db }) => orders.addNote(db, body, caller))

  calls.handle('removeNote', async ({ params, caller, db }) => {
    await orders.removeNote(db, params.id, caller)
    return { acknowledged: true, deletedCount: 1 }
  })

  calls.handle('updateShipping', async ({ params, caller, db }) => {
    const shipment = await orders.shipOrder({ db, orderEmails }, caller, params.id)
    return {
      acknowledged: true,
      modifiedCount: shipment ? 1 : 0,
      shipped: shipment ? presentNewShipment(shipment, terms) : undefined,
    }
  })

  calls.handle('shipOrder', async ({ params, body, caller, db }) => {
    const shipment = await orders.shipOrder({ db, orderEmails }, caller, params.id, body)
    if (!shipment) throw new ShopError('NOTHING_TO_SHIP')
    return presentNewShipment(shipment, terms)
  })

  calls.handle('setBackShipment', async ({ params, body, caller, db }) => {
    const deps = { db, orderEmails, terms, hasOpenReturn }
    const { emailWithdrawn } = await orders.setBackShipment(deps, caller, params.id, body.reason ?? '')
    return { restored: true, emailWithdrawn }
  })

  calls.handle('takePackingSlips', async ({ body, headers, db }) => {
    const { name, address } = await readSeller(db)
    const slips = await orders.takeSlips(db, body, {
      withdrawn: await listWithdrawn(db),
      key: headers['idempotency-key'] ?? null,
    })
    return { sender: { name, address }, slips: slips.map((slip) => presentSlip(slip, terms)) }
  })

  calls.handle('editShipment', async ({ params, body, caller, db }) =>
    presentShipment(await orders.editShipment({ db, orderEmails }, caller, params.id, body)),
  )
}
