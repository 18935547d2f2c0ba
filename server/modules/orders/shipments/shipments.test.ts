import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import type { EditedTracking, NewShipment } from '../../../../contract/shipments.ts'
import {
  aCheckout,
  aCustomer,
  anAdmin,
  aPlacedCheckout,
  aProduct,
  payOrder,
  type TestCustomer,
} from '../../../../tests/factories.ts'
import { sentEmails } from '../../../../tests/mailbox.ts'
import { expectConsistent, refused, useCustomer, useTestShop } from '../../../../tests/shop.ts'
import * as pricing from '../../pricing/service.ts'

const shop = useTestShop({ mail: 'mailbox', unpaidOrdersPerCustomer: 100 })
const rider = useCustomer(() => aCustomer(shop))
const admin = useCustomer(() => anAdmin(shop))
/** Spark plugs for $20, and a chain for $60. */
let lines: { variantId: string; quantity: number; unitPrice: number }[]

beforeEach(async () => {
  lines = [
    {
      variantId: await aProduct(shop, { name: 'Spark plug', price: 20, quantity: 90 }),
      quantity: 3,
      unitPrice: 20,
    },
    {
      variantId: await aProduct(shop, { name: 'Chain', price: 60, quantity: 30 }),
      quantity: 1,
      unitPrice: 60,
    },
  ]
})

/** An order of three plugs and a chain. */
async function aPaidOrder(more: Parameters<typeof aCheckout>[1] = {}): Promise<string> {
  const id = await aPlacedCheckout(shop, rider, aCheckout(lines, more))
  await payOrder(shop, { as: rider }, id)
  // `emailsAfterPayment` leaves the first one out.
  await sentEmails(shop.db, rider.email)
  return id
}
const ship = (id: string, body: Partial<NewShipment> = {}, as: TestCustomer | undefined = admin) =>
  shop.call('shipOrder', { as, params: { id }, body })
const edit = (id: string, body: EditedTracking, as: TestCustomer | undefined = admin) =>
  shop.call('editShipment', { as, params: { id }, body })
const deliver = (id: string) =>
  shop.call('updateShipping', { as: admin, params: { id }, body: { shipping: 'Shipped' } })
const cancel = (id: string) => shop.call('cancelOrder', { as: rider, params: { id } })
const refund = (id: string, kind: 'cancellation' | 'return', refunded: object[]) =>
  shop.call('refundOrder', {
    as: admin,
    params: { id },
    headers: { 'idempotency-key': randomUUID() },
    body: { kind, lines: refunded, reason: 'Not in stock' },
  })
const readOrder = async (id: string) => (await shop.call('getOrder', { as: admin, query: { id } })).body
const listHistory = async (id: string) => (await readOrder(id)).history?.map(({ kind }) => kind)
const toTitle = (id: string) => `rder #${id.slice(0, 6)}`
/** Emails about the order that has been paid, without the one about its payment. */
const emailsAfterPayment = async () => (await sentEmails(shop.db, rider.email)).slice(1)
/** The emails about a part of an order and about the rest, which are sent in any order. */
const emailsAboutParts = async () =>
  (await emailsAfterPayment()).toSorted((a, b) => b.subject.localeCompare(a.subject))

describe('an order that ships in two parts', () => {
  test('is partly shipped, then shipped, with an email about each part', async () => {
    const id = await aPaidOrder()
    const first = await ship(id, { lines: [2], carrier: 'UPS', trackingNumbers: ['1Z 999 AA1', ' 1Z-2 '] })
    expect(first).toMatchObject({
      status: 200,
      body: { carrier: 'UPS', trackingNumbers: ['1Z 999 AA1', '1Z-2'], lines: [{ line: 2, pieces: 1 }] },
    })
    const partly = await readOrder(id)
    expect(partly).toMatchObject({
      status: 'paid',
      shipment: '',
      partlyShipped: true,
      lines: [
        { openPieces: 3, shippedPieces: 0 },
        { openPieces: 0, shippedPieces: 1 },
      ],
      shipments: [first.body],
    })
    await expectConsistent(shop.db)

    const second = await ship(id)
    expect(second.body).toMatchObject({ trackingNumbers: [], lines: [{ line: 1, pieces: 3 }] })
    expect(second.body).not.toHaveProperty('carrier')
    const whole = await readOrder(id)
    expect(whole).toMatchObject({
      status: 'shipped',
      shipment: 'Shipped',
      shipments: [first.body, second.body],
    })
    expect(whole).not.toHaveProperty('partlyShipped')
    expect(whole.history?.slice(-2)).toMatchObject([
      { kind: 'part_shipped', by: 'admin' },
      { kind: 'shipped', by: 'admin' },
    ])
    const { body: details } = await shop.call('getOrderDetails', { as: rider, params: { id } })
    expect(details).toMatchObject({ shippedAt: second.body.shippedAt, shipments: [first.body, second.body] })

    const [part, rest] = await emailsAboutParts()
    expect(part?.subject).toBe(`Part of o${toTitle(id)} has shipped`)
    expect(part?.body).toMatch(
      /on their way to you:\n\n1 × Chain\n\n.*\nThe other items follow separately\./s,
    )
    expect(part?.body).toContain('Delivery address:\nRobin Rider')
    expect(part?.body).toContain('Carrier: UPS')
    expect(part?.body).toContain('Track parcel 1Z 999 AA1:\nhttps://www.ups.com/track?tracknum=1Z999AA1\n')
    expect(part?.html).toContain('href="https://www.ups.com/track?tracknum=1Z-2"')
    expect(rest?.subject).toBe(`O${toTitle(id)} has shipped`)
    expect(rest?.body).toContain('3 × Spark plug')
    expect(rest?.body).not.toMatch(/Chain|follow separately|Carrier|Track/)
    await expectConsistent(shop.db)
  })

  test('is in the list of orders to ship until nothing is open', async () => {
    const id = await aPaidOrder()
    const list = async () => (await shop.call('listOrders', { as: admin, query: { status: 'paid' } })).body
    await aPlacedCheckout(shop, rider, aCheckout(lines))
    expect(await list()).toMatchObject([{ _id: id }])
    await ship(id, { lines: [1] })
    expect(await list()).toMatchObject([{ _id: id, partlyShipped: true }])
    await ship(id)
    expect(await list()).toEqual([])
  })

  test('ships the rest by the specified call, once', async () => {
    const id = await aPaidOrder()
    await ship(id, { lines: [1] })
    expect((await deliver(id)).body).toMatchObject({
      acknowledged: true,
      modifiedCount: 1,
      shipped: { lines: [{ line: 2 }] },
    })
    expect((await deliver(id)).body).toEqual({ acknowledged: true, modifiedCount: 0 })
    expect((await readOrder(id)).shipments).toMatchObject([
      { lines: [{ line: 1 }] },
      { lines: [{ line: 2 }], trackingNumbers: [] },
    ])
    await expectConsistent(shop.db)
  })

  test('is not cancelled by its buyer any more', async () => {
    const id = await aPaidOrder()
    await ship(id, { lines: [1] })
    expect(await cancel(id)).toMatchObject(refused('ORDER_ALREADY_SHIPPED'))
    await expectConsistent(shop.db)
  })

  test('has returns of the shipped items only, as long as each is not too late', async () => {
    const id = await aPaidOrder()
    await ship(id, { lines: [1] })
    const request = (line: number) =>
      shop.call('requestReturn', {
        as: rider,
        params: { id },
        body: { lines: [{ line, pieces: 1, reason: 'damaged' }] },
      })
    expect((await request(1)).status).toBe(200)
    expect(await request(2)).toMatchObject(refused('RETURN_NOT_POSSIBLE'))
    await shop.db
      .updateTable('shipments')
      .set({ shipped_at: new Date('2020-01-01') })
      .execute()
    await ship(id)
    expect(await request(1)).toMatchObject(refused('RETURN_NOT_POSSIBLE'))
    expect((await request(2)).status).toBe(200)
  })

  test('is shipped when its other pieces are cancelled, and the shipped ones can only come back', async () => {
    const id = await aPaidOrder()
    const { body: shipment } = await ship(id, { lines: [1] })
    const plugs = [{ line: 1, pieces: 1, amount: 20 }]
    expect(await refund(id, 'cancellation', plugs)).toMatchObject(refused('PIECES_NOT_AVAILABLE'))
    expect((await refund(id, 'return', plugs)).status).toBe(200)
    const chain = [{ line: 2, pieces: 1, amount: 60 }]
    expect(await refund(id, 'return', chain)).toMatchObject(refused('PIECES_NOT_AVAILABLE'))
    expect((await refund(id, 'cancellation', chain)).status).toBe(200)
    const { body: order } = await shop.call('getOrderDetails', { as: rider, params: { id } })
    expect(order).toMatchObject({ status: 'shipped', shippedAt: shipment.shippedAt, shipments: [shipment] })
    const whole = await shop.call('getOrder', { as: admin, query: { id } })
    const shipped = whole.body.history?.filter(({ kind }) => kind === 'shipped')
    expect(shipped?.map(({ by }) => by)).toEqual(['shop'])
    expect(await ship(id)).toMatchObject(refused('NOTHING_TO_SHIP'))
    const subjects = (await emailsAfterPayment()).map(({ subject }) => subject)
    expect(subjects).not.toContain(`O${toTitle(id)} has shipped`)
    await expectConsistent(shop.db)
  })
})

describe('POST /v1/orders/{id}/shipments', () => {
  test('leaves out cancelled pieces, and lines without other pieces', async () => {
    const id = await aPaidOrder()
    await refund(id, 'cancellation', [
      { line: 1, pieces: 2, amount: 40 },
      { line: 2, pieces: 1, amount: 60 },
    ])
    expect(await ship(id, { lines: [1, 2] })).toMatchObject(refused('NOTHING_TO_SHIP'))
    expect((await ship(id)).body.lines).toEqual([{ line: 1, pieces: 1 }])
    expect(await readOrder(id)).toMatchObject({
      status: 'shipped',
      lines: [
        { shippedPieces: 1, cancelledPieces: 2 },
        { shippedPieces: 0, cancelledPieces: 1 },
      ],
    })
    const email = (await emailsAfterPayment()).find(({ subject }) => subject.endsWith('has shipped'))
    expect(email?.body).toContain('\n1 × Spark plug\n')
    await expectConsistent(shop.db)
  })

  test('refuses lines that are shipped, even in part, and lines that the order does not have', async () => {
    const id = await aPaidOrder()
    await ship(id, { lines: [1] })
    for (const numbers of [[1], [1, 2], [2, 3]]) {
      expect(await ship(id, { lines: numbers })).toMatchObject(refused('NOTHING_TO_SHIP'))
    }
    expect((await ship(id, { lines: [2, 2] })).status).toBe(200)
    expect(await ship(id)).toMatchObject(refused('NOTHING_TO_SHIP'))
    expect(await listHistory(id)).toEqual(['placed', 'paid', 'part_shipped', 'shipped'])
  })

  test('refuses orders that are not paid, cancelled, or missing', async () => {
    const unpaid = await aPlacedCheckout(shop, rider, aCheckout(lines))
    expect(await ship(unpaid)).toMatchObject(refused('ORDER_NOT_PAID'))
    await cancel(unpaid)
    expect(await ship(unpaid)).toMatchObject(refused('ORDER_NOT_FOUND'))
    expect(await ship('none')).toMatchObject(refused('ORDER_NOT_FOUND'))
    const id = await aPaidOrder()
    await cancel(id)
    expect(await ship(id)).toMatchObject(refused('ORDER_REFUNDED'))
  })

  test.each([
    ['trackingNumbers.1', { trackingNumbers: ['1Z', ' '] }, 'Tracking number is required'],
    ['trackingNumbers.0', { trackingNumbers: ['1'.repeat(61)] }, 'At most 60 characters'],
    ['trackingNumbers.0', { trackingNumbers: ['1Z/..?x=1'] }, 'Use letters, digits, spaces and dashes'],
    ['trackingNumbers.0', { trackingNumbers: ['--'] }, 'Use letters, digits, spaces and dashes'],
    [
      'trackingNumbers',
      { trackingNumbers: Array.from({ length: 11 }, String) },
      'At most 10 tracking numbers',
    ],
    ['trackingNumbers', { trackingNumbers: ['1Z', '1Z '] }, 'Name each number once'],
    ['carrier', { carrier: 'x'.repeat(61) }, 'At most 60 characters'],
    ['lines', { lines: [] }, 'Choose at least one item'],
  ])('with a wrong value in %s is an error of its field: %o', async (field, body, message) => {
    const id = await aPaidOrder()
    expect(await ship(id, body)).toMatchObject(refused('INVALID_REQUEST', { fields: { [field]: message } }))
    expect((await readOrder(id)).shipments).toEqual([])
  })
})

describe('PUT /v1/shipments/{id}', () => {
  test('emails the first numbers of a shipment without any, once, even if two admins add them', async () => {
    const id = await aPaidOrder()
    const { body: shipment } = await ship(id, { lines: [2] })
    const before = (await sentEmails(shop.db, rider.email)).length
    const sent = async () => (await sentEmails(shop.db, rider.email)).slice(before)
    await edit(shipment.id, { carrier: 'UPS', trackingNumbers: [] })
    expect(await sent()).toEqual([])
    const tracking = { carrier: 'UPS', trackingNumbers: ['1Z1'] }
    await Promise.all([edit(shipment.id, tracking), edit(shipment.id, tracking)])
    expect(await sent()).toMatchObject([{ subject: `Track your o${toTitle(id)}` }])
    const [email] = await sent()
    expect(email?.body).toMatch(/^You can track these items now:\n\n1 × Chain\n\nOrder: #/)
    expect(email?.body).toContain('Track parcel 1Z1:\nhttps://www.ups.com/track?tracknum=1Z1\n')
    await edit(shipment.id, { trackingNumbers: [] })
    await edit(shipment.id, { trackingNumbers: ['1Z2'] })
    expect(await sent()).toHaveLength(1)
    await expectConsistent(shop.db)
  })

  test('corrects carrier and numbers, with an event for a change and without an email', async () => {
    const id = await aPaidOrder()
    const { body: shipment } = await ship(id, { carrier: 'UPS', trackingNumbers: ['1Z1'] })
    const emails = await sentEmails(shop.db, rider.email)
    const tracking = { carrier: 'The bike courier', trackingNumbers: ['7', '8'] }
    const corrected = { ...shipment, ...tracking }
    expect((await edit(shipment.id, tracking)).body).toEqual(corrected)
    expect((await edit(shipment.id, tracking)).body).toEqual(corrected)
    expect((await readOrder(id)).shipments).toEqual([corrected])
    expect((await edit(shipment.id, { carrier: ' ', trackingNumbers: [] })).body).not.toHaveProperty(
      'carrier',
    )
    expect((await listHistory(id))?.slice(2)).toEqual(['shipped', 'tracking_changed', 'tracking_changed'])
    expect(await sentEmails(shop.db, rider.email)).toEqual(emails)
    await expectConsistent(shop.db)
  })

  test('refuses the second of two edits of the same tracking, and accepts a repeated one', async () => {
    const id = await aPaidOrder()
    const { body: shipment } = await ship(id)
    const before = { trackingNumbers: shipment.trackingNumbers }
    const first = { trackingNumbers: ['1Z1'], before }
    const saved = await edit(shipment.id, first)
    expect(saved).toMatchObject({ status: 200, body: { trackingNumbers: ['1Z1'] } })
    const second = { carrier: 'UPS', trackingNumbers: [], before }
    expect(await edit(shipment.id, second)).toMatchObject(refused('RECORD_CHANGED'))
    expect((await edit(shipment.id, first)).body).toEqual(saved.body)
    expect((await readOrder(id)).shipments).toEqual([saved.body])
    expect((await listHistory(id))?.slice(2)).toEqual(['shipped', 'tracking_changed'])

    const corrected = { carrier: 'UPS', trackingNumbers: ['1Z1'] }
    const now = { carrier: '', trackingNumbers: ['1Z1'] }
    expect((await edit(shipment.id, { ...corrected, before: now })).body).toMatchObject(corrected)
    expect(await edit(shipment.id, { ...second, before: now })).toMatchObject(refused('RECORD_CHANGED'))
    await edit(shipment.id, { trackingNumbers: [], before: corrected })
    expect((await readOrder(id)).shipments).toEqual([shipment])
  })

  test('is not found for another id, and checks the numbers', async () => {
    expect(await edit('none', { trackingNumbers: [] })).toMatchObject(refused('NOT_FOUND'))
    const { body: shipment } = await ship(await aPaidOrder())
    expect(await edit(shipment.id, { trackingNumbers: ['<b>'] })).toMatchObject(refused('INVALID_REQUEST'))
  })
})

test('a carrier without a tracking page has its number as text', async () => {
  const id = await aPaidOrder()
  await ship(id, { carrier: 'The bike courier', trackingNumbers: ['7'] })
  const [email] = await emailsAfterPayment()
  expect(email?.body).toContain('Carrier: The bike courier\n\nTracking number: 7\n')
  expect(email?.html).not.toContain('Track parcel')
})

test('an order for pickup has no delivery address in its emails, and is ready for pickup', async () => {
  const rate = { name: 'Pick up in the workshop', places: [], price: 0, position: 0, pickupPlace: 'US-OR' }
  await pricing.saveShippingRate(shop.db, 'p1', rate, null)
  const id = await aPaidOrder({ shippingRate: rate.name })
  const [received] = await sentEmails(shop.db, rider.email)
  expect(received?.body).toMatch(
    /Total: .*\n\nPick up in the workshop\n\nWe will email you when your order is ready for pickup\.\n/,
  )
  expect(received?.body).not.toMatch(/Delivery address|ships/)
  const parcel = { carrier: 'UPS', trackingNumbers: ['1Z999AA10123456784'] }
  await ship(id, { lines: [2], ...parcel })
  const { body } = await ship(id)
  expect(body).toMatchObject({ trackingNumbers: [] })
  expect(await edit(body.id, parcel)).toMatchObject({ status: 200, body })
  const [part, rest] = await emailsAboutParts()
  expect(part?.subject).toBe(`Part of o${toTitle(id)} is ready for pickup`)
  expect(part?.body).not.toMatch(/UPS|1Z999/)
  expect(rest?.subject).toBe(`O${toTitle(id)} is ready for pickup`)
  expect(rest?.body).toMatch(/ready for pickup:\n\n3 × Spark plug\n\n.*\nPick up in the workshop\n/s)
  expect(rest?.body).not.toContain('Delivery address')
})

test('a guest sees the shipments by the key of the order', async () => {
  const placed = await shop.call('checkOut', {
    headers: { 'idempotency-key': randomUUID() },
    body: aCheckout(lines, { email: 'guest@example.com', asGuest: true }),
  })
  const { id, key = '' } = placed.body
  const guest = { headers: { 'order-key': key } }
  await payOrder(shop, guest, id)
  await ship(id, { lines: [1], carrier: 'DHL', trackingNumbers: ['JD01'] })
  const { body } = await shop.call('getOrderDetails', { ...guest, params: { id } })
  expect(body).toMatchObject({ status: 'paid', shipments: [{ carrier: 'DHL', trackingNumbers: ['JD01'] }] })
  const stranger = await shop.call('getOrderDetails', { as: rider, params: { id } })
  expect(stranger).toMatchObject(refused('ORDER_NOT_FOUND'))
})

describe('at the same time', () => {
  test('two admins ship an order once, and both parts once', async () => {
    for (let round = 0; round < 5; round++) {
      const id = await aPaidOrder()
      const replies = await Promise.all([ship(id), ship(id), deliver(id), ship(id, { lines: [1] })])
      const { shipments = [] } = await readOrder(id)
      const shipped = shipments.flatMap((shipment) => shipment.lines.map(({ line }) => line))
      expect(shipped).toEqual([...new Set(shipped)])
      expect(
        replies.map(({ body }) => body.code).filter((code) => code && code !== 'NOTHING_TO_SHIP'),
      ).toEqual([])
    }
    await expectConsistent(shop.db)
  })

  test('a buyer cancels an order and an admin ships a part of it: one of them is refused', async () => {
    for (let round = 0; round < 10; round++) {
      const id = await aPaidOrder()
      const [cancelled, shipped] = await Promise.all([cancel(id), ship(id, { lines: [1] })])
      expect([
        ['ORDER_ALREADY_SHIPPED', undefined],
        [undefined, 'ORDER_REFUNDED'],
      ]).toContainEqual([cancelled.body.code, shipped.body.code])
    }
    await expectConsistent(shop.db)
  })

  test('an admin cancels a line that another one ships: one of them is refused', async () => {
    for (let round = 0; round < 10; round++) {
      const id = await aPaidOrder()
      const [cancelled, shipped] = await Promise.all([
        refund(id, 'cancellation', [{ line: 1, pieces: 3, amount: 60 }]),
        ship(id, { lines: [1] }),
      ])
      expect([
        ['PIECES_NOT_AVAILABLE', undefined],
        [undefined, 'NOTHING_TO_SHIP'],
      ]).toContainEqual([cancelled.body.code, shipped.body.code])
    }
    await expectConsistent(shop.db)
  })
})
