import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import type { NewRefund } from '../../../contract/payments.ts'
import {
  aCheckout,
  aCustomer,
  anAdmin,
  aPlacedCheckout,
  aProduct,
  payOrder,
} from '../../../tests/factories.ts'
import { sentEmails } from '../../../tests/mailbox.ts'
import { expectConsistent, refused, useCustomer, useTestShop } from '../../../tests/shop.ts'
import { readStock } from '../../../tests/stock.ts'
import * as pricing from '../pricing/service.ts'

const shop = useTestShop({ mail: 'mailbox' })
const rider = useCustomer(() => aCustomer(shop))
const admin = useCustomer(() => anAdmin(shop))
/** Spark plugs for $20, 10 in stock. */
let plugs: string
/** A chain for $60, 10 in stock. */
let chain: string

beforeEach(async () => {
  plugs = await aProduct(shop, { price: 20 })
  chain = await aProduct(shop, { price: 60 })
})

/** An order of three plugs and a chain with $8 of shipping and 8.875 % tax: $60, $60 and $8, with $10.65 of tax. */
async function aPaidOrder(): Promise<string> {
  const tax = { place: 'US', label: 'Sales tax', rate: 8.875, included: false, taxesShipping: false }
  await pricing.saveTaxRate(shop.db, 't1', tax, null)
  const rate = { name: 'Standard', places: [], price: 8, position: 0 }
  await pricing.saveShippingRate(shop.db, 's1', rate, null)
  const lines = [
    { variantId: plugs, quantity: 3, unitPrice: 20 },
    { variantId: chain, quantity: 1, unitPrice: 60 },
  ]
  const id = await aPlacedCheckout(shop, rider, { ...aCheckout(lines), total: 138.65 })
  await payOrder(shop, { as: rider }, id)
  return id
}
const ship = (id: string) =>
  shop.call('updateShipping', { as: admin, params: { id }, body: { shipping: 'Shipped' } })
const refund = (
  id: string,
  kind: NewRefund['kind'],
  lines: { line: number; amount: number; pieces?: number; restock?: number }[],
  key: string = randomUUID(),
) =>
  shop.call('refundOrder', {
    as: admin,
    params: { id },
    headers: { 'idempotency-key': key },
    body: { kind, lines, reason: 'Not in stock' },
  })
const cancel = (id: string) => shop.call('cancelOrder', { as: rider, params: { id } })
const readOrder = async (id: string) => (await shop.call('getOrder', { as: admin, query: { id } })).body

test('pieces that are not shipped are cancelled, with their stock, tax, history and email', async () => {
  const id = await aPaidOrder()
  expect(await readStock(shop, plugs)).toBe(7)
  const { body } = await refund(id, 'cancellation', [{ line: 1, pieces: 1, amount: 21.78 }])
  expect(body).toMatchObject({ kind: 'cancellation', amount: 21.78, status: 'succeeded' })
  expect(body.lines).toEqual([{ line: 1, amount: 21.78, pieces: 1 }])
  expect(await readStock(shop, plugs)).toBe(8)
  const order = await readOrder(id)
  expect(order).toMatchObject({
    status: 'paid',
    lines: [
      { openPieces: 2, cancelledPieces: 1, returnedPieces: 0, refunded: 21.78 },
      { openPieces: 1, cancelledPieces: 0, refunded: 0 },
    ],
  })
  expect(order.history?.slice(-3)).toMatchObject([
    { kind: 'items_cancelled', by: 'admin' },
    { kind: 'refund_due' },
    { kind: 'refunded' },
  ])
  const emails = await sentEmails(shop.db, rider.email)
  const sent = emails.find(({ subject }) => subject.startsWith('Refund'))
  expect(sent?.body).toMatch(
    /We refund \$21\.78.*Not in stock.*\nThese items were cancelled:\n\n1 × .*: \$21\.78\n/s,
  )
  expect(sent?.body).not.toContain('We also refund')
  expect(sent?.body).not.toContain('This order was cancelled')
  const { tax_cents } = await shop.db.selectFrom('refund_lines').select('tax_cents').executeTakeFirstOrThrow()
  expect(tax_cents).toBe(178)
  await expectConsistent(shop.db)
})

test('the email of a cancellation calls only its pieces cancelled, and a return calls none so', async () => {
  const id = await aPaidOrder()
  const readRefund = async () =>
    (await sentEmails(shop.db, rider.email)).findLast(({ subject }) => subject.startsWith('Refund'))?.body
  await refund(id, 'cancellation', [
    { line: 2, amount: 5 },
    { line: 1, pieces: 1, amount: 20 },
    { line: 0, amount: 8 },
  ])
  expect(await readRefund()).toMatch(
    /cancelled:\n\n1 × [^\n]*: \$20\.00\n\nWe also refund:\n\n\w[^×]*: \$5\.00\n\nShipping: \$8\.00\n/,
  )
  await ship(id)
  await refund(id, 'return', [{ line: 1, pieces: 1, amount: 20 }])
  const returned = await readRefund()
  expect(returned).toMatch(/\n\n1 × [^\n]*: \$20\.00\n/)
  expect(returned).not.toMatch(/cancelled|also/)
})

test('pieces that are cancelled for nothing are in an email that promises no money', async () => {
  const id = await aPaidOrder()
  const sent = (await sentEmails(shop.db, rider.email)).length
  await refund(id, 'cancellation', [{ line: 1, pieces: 3, amount: 0 }])
  const readNew = async () => (await sentEmails(shop.db, rider.email)).slice(sent)
  const [part, ...others] = await readNew()
  expect(others).toEqual([])
  expect(part?.subject).toBe(`Items of order #${id.slice(0, 6)} were cancelled`)
  expect(part?.body).toMatch(/no refund with this cancellation.*Not in stock.*3 × /s)
  expect(part?.body).not.toMatch(/\$|card|This order was cancelled/)
  await refund(id, 'cancellation', [{ line: 2, pieces: 1, amount: 0 }])
  expect((await readNew()).map(({ body }) => body.includes('This order was cancelled.'))).toEqual([
    false,
    true,
  ])
  expect(await readOrder(id)).toMatchObject({ status: 'refunded', refunded: 0 })
  await expectConsistent(shop.db)
})

test('an order whose pieces are cancelled one after the other is refunded to the cent, and releases its code', async () => {
  const id = await aPaidOrder()
  const amounts = [21.78, 21.77, 21.78]
  for (const amount of amounts) {
    expect((await refund(id, 'cancellation', [{ line: 1, pieces: 1, amount }])).status).toBe(200)
  }
  expect((await readOrder(id)).status).toBe('paid')
  const last = await refund(id, 'cancellation', [
    { line: 2, pieces: 1, amount: 65.32 },
    { line: 0, amount: 8 },
  ])
  expect(last.status).toBe(200)
  expect(await readOrder(id)).toMatchObject({
    status: 'refunded',
    lines: [{ openPieces: 0 }, { openPieces: 0 }],
  })
  expect(await readStock(shop, plugs)).toBe(10)
  expect(await ship(id)).toMatchObject(refused('ORDER_REFUNDED'))
  const { refunded_cents } = await shop.db
    .selectFrom('orders')
    .select('refunded_cents')
    .executeTakeFirstOrThrow()
  expect(refunded_cents).toBe(13_865)
  await expectConsistent(shop.db)
})

test('the buyer cancels what is left of an order, and gets the rest', async () => {
  const id = await aPaidOrder()
  await refund(id, 'cancellation', [{ line: 1, pieces: 2, amount: 10 }])
  expect((await cancel(id)).body).toEqual({ cancelled: true, refunded: 128.65 })
  expect([await readStock(shop, plugs), await readStock(shop, chain)]).toEqual([10, 10])
  await expectConsistent(shop.db)
})

test('shipped pieces come back, and only those that the admin names go to the stock', async () => {
  const id = await aPaidOrder()
  await ship(id)
  const returned = [{ line: 1, pieces: 2, restock: 1, amount: 43.55 }]
  expect((await refund(id, 'return', returned)).body).toMatchObject({ kind: 'return', amount: 43.55 })
  expect(await readStock(shop, plugs)).toBe(8)
  expect(await readOrder(id)).toMatchObject({
    status: 'shipped',
    lines: [{ shippedPieces: 3, returnedPieces: 2 }, { returnedPieces: 0 }],
  })
  await expectConsistent(shop.db)
})

test('pieces are refunded once, even by three admins at once, and repeated requests count once', async () => {
  const id = await aPaidOrder()
  const one = [{ line: 1, pieces: 1, amount: 20 }]
  const replies = await Promise.all([0, 1, 2, 3, 4].map(() => refund(id, 'cancellation', one)))
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(3)
  expect(replies.find(({ status }) => status === 409)?.body).toMatchObject({
    code: 'PIECES_NOT_AVAILABLE',
    lines: [1],
  })
  const key = randomUUID()
  const piece = { line: 2, pieces: 1, amount: 60 }
  const repeated = await Promise.all([0, 1, 2].map(() => refund(id, 'cancellation', [piece], key)))
  expect(new Set(repeated.map(({ body }) => body.id)).size).toBe(1)
  expect(await refund(id, 'cancellation', [{ ...piece, restock: 0 }], key)).toMatchObject(
    refused('IDEMPOTENCY_KEY_REUSED'),
  )
  expect([await readStock(shop, plugs), await readStock(shop, chain)]).toEqual([10, 10])
  await expectConsistent(shop.db)
})

test('cancelled pieces are not shipped, and shipped ones are not cancelled', async () => {
  // All five orders may be shipped.
  plugs = await aProduct(shop, { price: 20, quantity: 15 })
  for (let round = 0; round < 5; round++) {
    const id = await aPaidOrder()
    const all = [
      { line: 1, pieces: 3, amount: 65.33 },
      { line: 2, pieces: 1, amount: 65.32 },
    ]
    const [cancelled, shipped] = await Promise.all([refund(id, 'cancellation', all), ship(id)])
    expect([
      ['PIECES_NOT_AVAILABLE', undefined],
      [undefined, 'ORDER_REFUNDED'],
    ]).toContainEqual([cancelled.body.code, shipped.body.code])
  }
  await expectConsistent(shop.db)
})

test('an amount above the worth of the pieces is refused, and so are pieces that were not shipped', async () => {
  const id = await aPaidOrder()
  expect(await refund(id, 'cancellation', [{ line: 1, pieces: 1, amount: 21.79 }])).toMatchObject({
    status: 409,
    body: { code: 'REFUND_TOO_LARGE', left: 21.78 },
  })
  const pieces = [{ line: 1, pieces: 1, amount: 20 }]
  expect(await refund(id, 'return', pieces)).toMatchObject(refused('PIECES_NOT_AVAILABLE'))
  for (const [kind, lines] of [
    ['goodwill', pieces],
    ['cancellation', [{ line: 1, amount: 20 }]],
    ['cancellation', [{ line: 0, pieces: 1, amount: 8 }]],
    ['cancellation', [{ line: 1, pieces: 1, restock: 2, amount: 8 }]],
    ['goodwill', [{ line: 1, amount: 0 }]],
    ['goodwill', [{ line: 1, amount: 1.005 }]],
  ] as const) {
    expect(await refund(id, kind, [...lines])).toMatchObject(refused('INVALID_REQUEST'))
  }
  expect(await readOrder(id)).toMatchObject({ refunds: [] })
})
