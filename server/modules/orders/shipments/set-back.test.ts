import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  aCheckout,
  aCustomer,
  anAdmin,
  aPlacedCheckout,
  aProduct,
  payOrder,
  untilDecided,
} from '../../../../tests/factories.ts'
import { sentEmails } from '../../../../tests/mailbox.ts'
import { expectConsistent, refused, useCustomer, useTestShop } from '../../../../tests/shop.ts'

const shop = useTestShop({ mail: 'mailbox', unpaidOrdersPerCustomer: 100, shippingUndoSeconds: 10 })
const rider = useCustomer(() => aCustomer(shop))
const admin = useCustomer(() => anAdmin(shop))
/** Spark plugs for $20, and a chain for $60. */
let lines: { variantId: string; quantity: number; unitPrice: number }[]

beforeEach(async () => {
  lines = [
    { variantId: await aProduct(shop, { name: 'Spark plug', price: 20 }), quantity: 3, unitPrice: 20 },
    { variantId: await aProduct(shop, { name: 'Chain', price: 60 }), quantity: 1, unitPrice: 60 },
  ]
})

async function aPaidOrder(): Promise<string> {
  const id = await aPlacedCheckout(shop, rider, aCheckout(lines))
  await payOrder(shop, { as: rider }, id)
  await sentEmails(shop.db, rider.email)
  return id
}
const ship = async (id: string, body = {}) =>
  (await shop.call('shipOrder', { as: admin, params: { id }, body })).body
const setBack = (id: string, body: { reason?: string } = {}) =>
  shop.call('setBackShipment', { as: admin, params: { id }, body })
const readOrder = async (id: string, as = admin) => (await shop.call('getOrder', { as, query: { id } })).body
/** Subjects and texts of the emails after the payment. */
const emailsAfterPayment = async () => (await sentEmails(shop.db, rider.email)).slice(1)

/** Ends the time in which a shipment can be undone, and sends its email. */
async function sendEmails(): Promise<void> {
  await shop.db.updateTable('mail_outbox').set({ next_attempt_at: new Date() }).execute()
  shop.payments.orderEmails?.wake()
  await sentEmails(shop.db, rider.email)
}

describe('an email about a part that is sent after a change of the order', () => {
  const cancelChains = (id: string, pieces: number) =>
    shop.call('refundOrder', {
      as: admin,
      params: { id },
      headers: { 'idempotency-key': randomUUID() },
      body: {
        kind: 'cancellation',
        lines: [{ line: 2, pieces, amount: 60 * pieces }],
        reason: 'Not in stock',
      },
    })
  /** Ships the plugs. Returns the email about them, which is sent after the change. */
  async function emailAfter(change: (id: string) => Promise<unknown>) {
    const id = await aPaidOrder()
    await ship(id, { lines: [1] })
    await change(id)
    await sendEmails()
    return (await emailsAfterPayment()).find(({ body }) => body.includes('3 × Spark plug'))
  }

  test('promises no other items if they were cancelled', async () => {
    const email = await emailAfter((id) => cancelChains(id, 1))
    expect(email?.subject).toMatch(/^Order #.* has shipped$/)
    expect(email?.body).not.toContain('follow separately')
  })

  test('promises the other items if only some of them were cancelled', async () => {
    lines = lines.map((line) => ({ ...line, quantity: 3 }))
    const email = await emailAfter((id) => cancelChains(id, 2))
    expect(email?.body).toContain('The other items follow separately.')
  })

  test('promises the other items if they have shipped since', async () => {
    const email = await emailAfter((id) => ship(id))
    expect(email?.subject).toMatch(/^Part of order #/)
    expect(email?.body).toContain('The other items follow separately.')
  })
})

describe('DELETE /v1/shipments/{id}', () => {
  test('withdraws the email that still waits: the buyer gets only the one about the next shipment', async () => {
    const id = await aPaidOrder()
    const shipment = await ship(id, { carrier: 'UPS', trackingNumbers: ['1Z1'] })
    const undoMs = Date.parse(shipment.undoUntil ?? '') - Date.parse(shipment.shippedAt)
    expect(undoMs).toBe(10_000)
    expect((await setBack(shipment.id)).body).toEqual({ restored: true, emailWithdrawn: true })
    const order = await readOrder(id)
    expect(order).toMatchObject({ status: 'paid', shipment: '', shipments: [] })
    expect(order.lines).toMatchObject([
      { openPieces: 3, shippedPieces: 0 },
      { openPieces: 1, shippedPieces: 0 },
    ])
    expect(order.history?.map(({ kind }) => kind)).toEqual(['placed', 'paid', 'shipped', 'unshipped'])
    expect(order.history?.at(-1)).toMatchObject({ by: 'admin', email: admin.email })
    await expectConsistent(shop.db)

    await ship(id)
    await sendEmails()
    expect((await emailsAfterPayment()).map(({ subject }) => subject)).toEqual([
      `Order #${id.slice(0, 6)} has shipped`,
    ])
    await expectConsistent(shop.db)
  })

  test('needs a reason once the email was sent, and corrects it', async () => {
    const id = await aPaidOrder()
    const { id: shipmentId } = await ship(id)
    await sendEmails()
    for (const body of [{}, { reason: ' ' }])
      expect(await setBack(shipmentId, body)).toMatchObject(refused('REASON_REQUIRED'))
    expect(await readOrder(id)).toMatchObject({ status: 'shipped' })

    const reason = 'The parcel is still here.'
    expect((await setBack(shipmentId, { reason })).body).toEqual({ restored: true, emailWithdrawn: false })
    const [, correction] = await emailsAfterPayment()
    expect(correction?.subject).toBe(`Order #${id.slice(0, 6)} has not shipped yet`)
    expect(correction?.body).toContain(`We marked your order as shipped by mistake.\n\n${reason}\n\n`)
    expect((await readOrder(id)).history?.at(-1)).toMatchObject({ kind: 'unshipped', reason })
    const { body } = await shop.call('getOrderDetails', { as: rider, params: { id } })
    expect(body.history.at(-1)).toMatchObject({ kind: 'unshipped' })
    expect(JSON.stringify(body)).not.toContain(reason)
    await expectConsistent(shop.db)
  })

  test('leaves out a reason with a link', async () => {
    const id = await aPaidOrder()
    const { id: shipmentId } = await ship(id)
    await sendEmails()
    await setBack(shipmentId, { reason: 'See www.example.com' })
    expect((await emailsAfterPayment()).at(-1)?.body).not.toContain('example.com')
  })

  test('needs a reason while a process sends the email, which names no shipment afterwards', async () => {
    const id = await aPaidOrder()
    const { id: shipmentId } = await ship(id)
    const claim = { attempts: 1, next_attempt_at: new Date(Date.now() + 60_000) }
    await shop.db.updateTable('mail_outbox').set(claim).execute()
    expect(await setBack(shipmentId)).toMatchObject(refused('REASON_REQUIRED'))
    expect((await setBack(shipmentId, { reason: 'Not packed' })).status).toBe(200)
    await expectConsistent(shop.db)
    expect((await emailsAfterPayment()).map(({ subject }) => subject)).toEqual([
      `Order #${id.slice(0, 6)} has not shipped yet`,
    ])
  })

  test('is done once, however many requests arrive together', async () => {
    const id = await aPaidOrder()
    const { id: shipmentId } = await ship(id)
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => untilDecided(() => setBack(shipmentId))),
    )
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const reply of replies.filter(({ status }) => status !== 200))
      expect(reply).toMatchObject(refused('NOT_FOUND'))
    expect(await setBack('none')).toMatchObject(refused('NOT_FOUND'))
    await expectConsistent(shop.db)
  })

  test('sets back one part of an order, and its email follows the other part', async () => {
    const id = await aPaidOrder()
    const first = await ship(id, { lines: [1] })
    const rest = await ship(id)
    await setBack(first.id)
    expect(await readOrder(id)).toMatchObject({
      status: 'paid',
      partlyShipped: true,
      lines: [{ openPieces: 3 }, { openPieces: 0, shippedPieces: 1 }],
      shipments: [{ id: rest.id }],
    })
    await expectConsistent(shop.db)
    await ship(id)
    expect(await readOrder(id)).toMatchObject({ status: 'shipped' })
    await expectConsistent(shop.db)
    await sendEmails()
    expect((await emailsAfterPayment()).map(({ subject }) => subject).toSorted()).toEqual([
      `Order #${id.slice(0, 6)} has shipped`,
      `Part of order #${id.slice(0, 6)} has shipped`,
    ])
  })

  test('makes pieces available to cancel, and the order is shipped again without them', async () => {
    const id = await aPaidOrder()
    const { id: shipmentId } = await ship(id)
    const refund = () =>
      shop.call('refundOrder', {
        as: admin,
        params: { id },
        headers: { 'idempotency-key': randomUUID() },
        body: { kind: 'cancellation', lines: [{ line: 2, pieces: 1, amount: 60 }], reason: 'Sold out' },
      })
    expect(await refund()).toMatchObject(refused('PIECES_NOT_AVAILABLE'))
    await setBack(shipmentId)
    expect((await refund()).status).toBe(200)
    expect((await ship(id)).lines).toEqual([{ line: 1, pieces: 3 }])
    await expectConsistent(shop.db)
  })

  test('sets back what was shipped before the rest was cancelled', async () => {
    const id = await aPaidOrder()
    const { id: shipmentId } = await ship(id, { lines: [1] })
    await shop.call('refundOrder', {
      as: admin,
      params: { id },
      headers: { 'idempotency-key': randomUUID() },
      body: { kind: 'cancellation', lines: [{ line: 2, pieces: 1, amount: 60 }], reason: 'Sold out' },
    })
    expect(await readOrder(id)).toMatchObject({ status: 'shipped' })
    await setBack(shipmentId)
    expect(await readOrder(id)).toMatchObject({
      status: 'paid',
      lines: [{ openPieces: 3 }, { openPieces: 0 }],
    })
    await expectConsistent(shop.db)
    await ship(id)
    await expectConsistent(shop.db)
  })

  test('is refused while a return of its items is open, and after they came back', async () => {
    const id = await aPaidOrder()
    const first = await ship(id, { lines: [1] })
    const rest = await ship(id)
    const { body: requested } = await shop.call('requestReturn', {
      as: rider,
      params: { id },
      body: { lines: [{ line: 1, pieces: 1, reason: 'damaged' }] },
    })
    const reason = 'Not packed'
    expect(await setBack(first.id, { reason })).toMatchObject(refused('SHIPMENT_HAS_RETURN'))
    expect((await setBack(rest.id, { reason })).status).toBe(200)
    const decide = (body: { status: 'rejected' | 'closed'; reply?: string }) =>
      shop.call('decideReturn', { as: admin, params: { id: requested.id }, body })
    await decide({ status: 'rejected', reply: 'Not shipped' })
    const returned = {
      kind: 'return',
      lines: [{ line: 1, pieces: 1, amount: 20 }],
      reason: 'Damaged',
    } as const
    await shop.call('refundOrder', {
      as: admin,
      params: { id },
      headers: { 'idempotency-key': randomUUID() },
      body: returned,
    })
    expect(await setBack(first.id, { reason })).toMatchObject(refused('SHIPMENT_RETURNED'))
    await expectConsistent(shop.db)
  })

  test('is possible if the buyer had withdrawn before the shipment, and not if after it', async () => {
    await shop.db.updateTable('products').set({ return_note: 'Made to order' }).execute()
    const id = await aPaidOrder()
    const withdraw = (line: number) =>
      shop.call('withdraw', {
        as: rider,
        headers: { 'idempotency-key': randomUUID() },
        body: {
          orderNumber: id.slice(0, 6),
          email: rider.email,
          name: 'Robin Rider',
          orderId: id,
          lines: [{ line, pieces: 1 }],
        },
      })
    expect((await withdraw(1)).status).toBe(200)
    expect((await setBack((await ship(id)).id)).body).toEqual({ restored: true, emailWithdrawn: true })
    const { id: shipmentId } = await ship(id)
    expect((await withdraw(2)).status).toBe(200)
    expect(await setBack(shipmentId)).toMatchObject(refused('SHIPMENT_HAS_RETURN'))
    await expectConsistent(shop.db)
  })

  test('of an order without an email is silent for ten seconds, by the clock of the database', async () => {
    const id = await aPaidOrder()
    await shop.db.updateTable('orders').set({ customer_email: '' }).execute()
    expect((await setBack((await ship(id)).id)).body).toEqual({ restored: true, emailWithdrawn: false })
    const { id: shipmentId } = await ship(id)
    await shop.db
      .updateTable('shipments')
      .set({ shipped_at: new Date(Date.now() - 11_000) })
      .execute()
    expect(await setBack(shipmentId)).toMatchObject(refused('REASON_REQUIRED'))
    expect((await setBack(shipmentId, { reason: 'Not packed' })).status).toBe(200)
    expect(await emailsAfterPayment()).toEqual([])
  })

  test('has a reason of at most 300 characters', async () => {
    const { id } = await ship(await aPaidOrder())
    expect(await setBack(id, { reason: 'x'.repeat(301) })).toMatchObject(
      refused('INVALID_REQUEST', { fields: { reason: 'At most 300 characters' } }),
    )
  })
})

test('the correction is not sent if the order was shipped in the meantime', async () => {
  const id = await aPaidOrder()
  const { id: shipmentId } = await ship(id)
  await sendEmails()
  await setBack(shipmentId, { reason: 'Not packed' })
  await emailsAfterPayment()
  await ship(id)
  const { id: eventId } = await shop.db
    .selectFrom('order_events')
    .select('id')
    .where('kind', '=', 'unshipped')
    .executeTakeFirstOrThrow()
  const queued = { kind: 'shipment-withdrawn', email: rider.email, subject: String(eventId) } as const
  await shop.db
    .insertInto('mail_outbox')
    .values({ id: 'late', ...queued, expires_at: new Date(Date.now() + 60_000) })
    .execute()
  await sendEmails()
  expect((await emailsAfterPayment()).map(({ subject }) => subject)).toEqual([
    `Order #${id.slice(0, 6)} has shipped`,
    `Order #${id.slice(0, 6)} has not shipped yet`,
    `Order #${id.slice(0, 6)} has shipped`,
  ])
})

test('an order for pickup is not ready yet', async () => {
  const id = await aPaidOrder()
  await shop.db.updateTable('orders').set({ is_pickup: true }).execute()
  const { id: shipmentId } = await ship(id)
  await sendEmails()
  await setBack(shipmentId, { reason: 'A part is missing.' })
  const correction = (await emailsAfterPayment()).at(-1)
  expect(correction?.subject).toBe(`Order #${id.slice(0, 6)} is not ready for pickup yet`)
  expect(correction?.body).toContain('We will email you again when it is ready.')
})

test('tracking that is added while the email waits is in it, and sends no other email', async () => {
  const id = await aPaidOrder()
  const { id: shipmentId } = await ship(id)
  const edit = (trackingNumbers: string[]) =>
    shop.call('editShipment', { as: admin, params: { id: shipmentId }, body: { trackingNumbers } })
  await edit(['1Z1'])
  await sendEmails()
  const [sent, ...others] = await emailsAfterPayment()
  expect(sent?.body).toContain('1Z1')
  expect(others).toEqual([])
})
