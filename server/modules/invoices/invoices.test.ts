import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Caller, toCaller } from '../../../tests/call.ts'
import {
  aCheckout,
  aCustomer,
  aGuestOrder,
  anAdmin,
  anOrder,
  aPaidOrder,
  aPlacedCheckout,
  aProduct,
  payOrder,
  someAddress,
  type TestCustomer,
  untilDecided,
} from '../../../tests/factories.ts'
import { freePort } from '../../../tests/free-port.ts'
import { brokenRules } from '../../../tests/hardening/invariants.ts'
import { expectConsistent, openOwnShop, refused, type TestShop } from '../../../tests/shop.ts'
import { composeShop, type Shop } from '../../compose.ts'
import { openLog } from '../../platform/telemetry/log.ts'
import { addDemoOrder } from '../orders/service.ts'
import * as pricing from '../pricing/service.ts'
import { issueInvoice } from './service.ts'

const seller = { name: 'Torque Yard GmbH', address: ['Werkstr. 1', '10115 Berlin'], taxId: 'DE123456789' }

let shop: TestShop
/** Another process of the shop, which was started after the seller had moved. */
let other: Shop & Caller
let rider: TestCustomer
let admin: TestCustomer

beforeAll(async () => {
  shop = await openOwnShop({ seller: { ...seller, email: null } })
  const port = await freePort()
  const config = { ...shop.config, port, origin: `http://localhost:${port}` }
  const moved = { ...config, seller: { name: 'Torque Yard', address: [], taxId: undefined, email: null } }
  other = { ...(await composeShop(moved, null, openLog('silent'))), ...toCaller(config.origin) }
})
afterAll(async () => {
  await other.close()
  await shop.close()
})
beforeEach(async () => {
  await shop.database.empty()
  rider = await aCustomer(shop)
  admin = await anAdmin(shop)
})

/** An order of $100 for one line and $20 for another one, with $5 of shipping and 10 % tax: $137.50. */
async function aTaxedOrder(): Promise<string> {
  const tax = { place: 'US', label: 'Sales tax', rate: 10, included: false, taxesShipping: true }
  const rate = { name: 'Standard', places: [], price: 5, position: 0 }
  await pricing.saveTaxRate(shop.db, 't1', tax, null)
  await pricing.saveShippingRate(shop.db, 's1', rate, null)
  const lines = [
    { variantId: await aProduct(shop, { price: 100, sku: 'GRA-1' }), quantity: 1, unitPrice: 100 },
    { variantId: await aProduct(shop, { price: 10, name: 'Oil' }), quantity: 2, unitPrice: 10 },
  ]
  const id = await aPlacedCheckout(shop, rider, { ...aCheckout(lines), total: 137.5 })
  await payOrder(shop, { as: rider }, id)
  return id
}

type Sent = Partial<Parameters<Caller['call']>[1]>
const issue = (id: string, refundId?: string, sent: Sent = { as: rider }, at: Caller = shop) =>
  untilDecided(() => at.call('issueInvoice', { ...sent, params: { id }, body: { refundId } }))

async function refund(id: string, lines: { line: number; amount: number }[]): Promise<string> {
  const { body } = await shop.call('refundOrder', {
    as: admin,
    params: { id },
    headers: { 'idempotency-key': randomUUID() },
    body: { lines, reason: 'A scratch' },
  })
  return body.id
}
const listNumbers = async () =>
  (await shop.db.selectFrom('invoices').select(['kind', 'number']).orderBy('issued_at').execute()).map(
    ({ kind, number }) => `${kind} ${number}`,
  )

describe('the invoice of an order', () => {
  test('has the seller, the buyer, the lines and the charges, and is the same for each call', async () => {
    const id = await aTaxedOrder()
    const { status, body } = await issue(id)
    expect(status).toBe(200)
    expect(body).toEqual({
      kind: 'invoice',
      number: 'INV-000001',
      issuedAt: expect.stringMatching(/^\d{4}-/),
      seller,
      buyer: {
        name: 'Robin Rider',
        email: rider.email,
        address: ['14 Kickstand Lane', 'Springfield, IL 62701', 'United States'],
      },
      orderId: id,
      orderedAt: expect.stringMatching(/^\d{4}-/),
      paidAt: expect.stringMatching(/^\d{4}-/),
      lines: [
        { name: 'Sintered brake pads', sku: 'GRA-1', quantity: 1, unitPrice: 100, total: 100 },
        { name: 'Oil', quantity: 2, unitPrice: 10, total: 20 },
      ],
      charges: [
        { kind: 'shipping', label: 'Shipping (Standard)', amount: 5, included: false },
        { kind: 'tax', label: 'Sales tax 10%', amount: 12.5, included: false },
      ],
      total: 137.5,
    })
    await shop.call('updateShipping', { as: admin, params: { id }, body: { shipping: 'Shipped' } })
    for (const as of [rider, admin]) expect((await issue(id, undefined, { as })).body).toEqual(body)
    expect(await listNumbers()).toEqual(['invoice 1'])
    await expectConsistent(shop.db)
  })

  test('keeps its seller when the settings change', async () => {
    const [first, second] = [await aPaidOrder(shop, rider), await aPaidOrder(shop, rider)]
    const { body } = await issue(first)
    expect((await issue(first, undefined, { as: rider }, other)).body).toEqual(body)
    const { body: later } = await issue(second, undefined, { as: rider }, other)
    expect(later).toMatchObject({ number: 'INV-000002', seller: { name: 'Torque Yard', address: [] } })
    expect(later.seller.taxId).toBeUndefined()
  })

  test('of an order without charges has neither shipping nor tax', async () => {
    const id = await aPaidOrder(shop, rider)
    expect((await issue(id)).body).toMatchObject({
      buyer: { address: ['1 Road'] },
      lines: [{ quantity: 1, unitPrice: 40, total: 40 }],
      charges: [],
      total: 40,
    })
    const refundId = await refund(id, [{ line: 1, amount: 10 }])
    expect((await issue(id, refundId)).body).toMatchObject({
      lines: [{ total: 10, tax: 0 }],
      charges: [],
      total: 10,
    })
  })

  test('has the next number, without gaps, for parallel first calls to two processes', async () => {
    const lines = [{ productId: await aProduct(shop, { quantity: 20 }), quantity: 1, unitPriceCents: 4000 }]
    const order = { address: someAddress, note: '', lines, status: 'paid', placedAt: new Date() } as const
    for (let count = 0; count < 20; count++)
      await addDemoOrder(shop.db, { ...order, customer: { customerId: rider.id, ip: null } })
    const orders = await shop.db.selectFrom('orders').select('id').execute()
    const ids = orders.map(({ id }) => id)
    expect(ids).toHaveLength(20)
    const replies = await Promise.all(
      ids.map((id, index) => issue(id, undefined, { as: rider }, index % 2 === 0 ? shop : other)),
    )
    expect(replies.map(({ status }) => status)).toEqual(ids.map(() => 200))
    expect(replies.map(({ body }) => body.number).toSorted()).toEqual(
      ids.map((_id, index) => `INV-0000${String(index + 1).padStart(2, '0')}`),
    )
    // The orders are paid without a payment.
    expect(await brokenRules(shop.db)).toEqual([])
  })

  test('is issued once by parallel first calls', async () => {
    const id = await aPaidOrder(shop, rider)
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        issue(id, undefined, { as: rider }, index % 2 === 0 ? shop : other),
      ),
    )
    expect(replies.map(({ body }) => body)).toEqual(replies.map(() => replies[0]?.body))
    expect(await listNumbers()).toEqual(['invoice 1'])
  })

  test('leaves no gap if its transaction is rolled back', async () => {
    const [first, second] = [await aPaidOrder(shop, rider), await aPaidOrder(shop, rider)]
    const lost = shop.db.transaction().execute(async (tx) => {
      await issueInvoice({ db: tx, readSeller: async () => seller }, first, null)
      throw new Error('connection lost')
    })
    await expect(lost).rejects.toThrow('connection lost')
    expect((await issue(second)).body.number).toBe('INV-000001')
    expect((await issue(first)).body.number).toBe('INV-000002')
    await expectConsistent(shop.db)
  })

  test('needs a paid order', async () => {
    const id = await anOrder(shop, rider)
    expect(await issue(id)).toMatchObject(refused('ORDER_NOT_PAID'))
    await shop.call('cancelOrder', { as: rider, params: { id } })
    expect(await issue(id)).toMatchObject(refused('ORDER_NOT_PAID'))
    expect(await issue('none')).toMatchObject(refused('ORDER_NOT_FOUND'))
    expect(await listNumbers()).toEqual([])
  })

  test('is for its buyer, a guest with the key and admins only', async () => {
    const id = await aPaidOrder(shop, rider)
    expect(await issue(id, undefined, {})).toMatchObject({ status: 401 })
    expect(await issue(id, undefined, { as: await aCustomer(shop) })).toMatchObject(
      refused('ORDER_NOT_FOUND'),
    )
    const guest = await aGuestOrder(shop)
    await payOrder(shop, guest, guest.id)
    expect(await issue(guest.id, undefined, { headers: { 'order-key': 'wrong' } })).toMatchObject(
      refused('ORDER_NOT_FOUND'),
    )
    expect(await issue(guest.id)).toMatchObject(refused('ORDER_NOT_FOUND'))
    expect(await listNumbers()).toEqual([])
    const { body } = await issue(guest.id, undefined, { headers: guest.headers })
    expect(body).toMatchObject({
      number: 'INV-000001',
      buyer: { name: someAddress.name, email: guest.email },
    })
  })
})

describe('the credit note of a refund', () => {
  test('has the refunded amounts and their tax, and issues the invoice that it names', async () => {
    const id = await aTaxedOrder()
    const refundId = await refund(id, [
      { line: 0, amount: 5.5 },
      { line: 1, amount: 11 },
    ])
    const { body } = await issue(id, refundId)
    expect(body).toMatchObject({
      kind: 'credit_note',
      number: 'CN-000001',
      seller,
      charges: [{ kind: 'tax', label: 'Sales tax 10%', amount: 1.5, included: true }],
      total: 16.5,
      refund: { reason: 'A scratch', invoiceNumber: 'INV-000001' },
    })
    expect(body.lines).toEqual([
      { name: 'Sintered brake pads', sku: 'GRA-1', total: 11, tax: 1 },
      { name: 'Shipping (Standard)', total: 5.5, tax: 0.5 },
    ])
    expect((await issue(id, refundId)).body).toEqual(body)
    expect((await issue(id)).body).toMatchObject({ number: 'INV-000001', total: 137.5 })
    expect(await listNumbers()).toEqual(['invoice 1', 'credit_note 1'])

    // The cancellation refunds the rest.
    await shop.call('cancelOrder', { as: rider, params: { id } })
    const { body: details } = await shop.call('getOrderDetails', { as: rider, params: { id } })
    expect(details.refunds).toEqual([
      { id: refundId, amount: 16.5, status: 'succeeded' },
      { id: expect.any(String), amount: 121, status: 'succeeded' },
    ])
    const rest = (await issue(id, details.refunds?.[1]?.id)).body
    expect(rest).toMatchObject({
      number: 'CN-000002',
      charges: [{ amount: 11 }],
      total: 121,
      refund: { reason: 'order cancelled', invoiceNumber: 'INV-000001' },
    })
    // Nothing is left of the shipping.
    expect(rest.lines).toEqual([
      { name: 'Sintered brake pads', sku: 'GRA-1', quantity: 1, total: 99, tax: 9 },
      { name: 'Oil', quantity: 2, total: 22, tax: 2 },
    ])
    await expectConsistent(shop.db)
  })

  test('needs a refund of this order that is complete', async () => {
    const [id, another] = [await aPaidOrder(shop, rider), await aPaidOrder(shop, rider)]
    const refundId = await refund(id, [{ line: 1, amount: 10 }])
    // A later attempt: the event of the payment may still record the result of the first one.
    const set = (values: { status: 'failed' | 'closed'; next_attempt_at: Date | null }) =>
      shop.db
        .updateTable('refunds')
        .set({ ...values, attempt: 2 })
        .where('id', '=', refundId)
        .execute()
    expect(await issue(another, refundId)).toMatchObject(refused('NOT_FOUND'))
    expect(await issue(id, 'none')).toMatchObject(refused('NOT_FOUND'))
    // Not due: the job would repeat it meanwhile.
    await set({ status: 'failed', next_attempt_at: new Date(Date.now() + 3_600_000) })
    expect(await issue(id, refundId)).toMatchObject(refused('REFUND_NOT_COMPLETE'))
    expect(await listNumbers()).toEqual([])
    await set({ status: 'closed', next_attempt_at: null })
    expect((await issue(id, refundId)).body).toMatchObject({ number: 'CN-000001', total: 10 })

    // Nothing is left for the cancellation.
    await refund(id, [{ line: 1, amount: 30 }])
    await shop.call('cancelOrder', { as: rider, params: { id } })
    const refunds = shop.db.selectFrom('refunds').select('id').where('amount_cents', '=', 0)
    const { id: emptyId } = await refunds.executeTakeFirstOrThrow()
    expect(await issue(id, emptyId)).toMatchObject(refused('NOT_FOUND'))
    expect((await issue(id)).status).toBe(200)
  })

  test('is not issued for a refund of a payment that paid no order', async () => {
    const id = await aPaidOrder(shop, rider)
    await shop.db
      .insertInto('refunds')
      .values({
        id: 'r1',
        provider: 'stripe',
        intent_id: 'pi_1',
        provider_refund_id: 're_1',
        order_id: id,
        amount_cents: 4000,
        reason: 'order already paid',
        status: 'succeeded',
        next_attempt_at: null,
      })
      .execute()
    expect(await issue(id, 'r1')).toMatchObject(refused('NOT_FOUND'))
    expect(await listNumbers()).toEqual([])
  })
})
