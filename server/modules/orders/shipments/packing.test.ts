import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { untilWaiting } from '../../../../tests/database.ts'
import {
  aCheckout,
  aCustomer,
  anAdmin,
  aPlacedCheckout,
  aProduct,
  payOrder,
  type TestCustomer,
} from '../../../../tests/factories.ts'
import { whileWebhooksAreLost } from '../../../../tests/lost-webhooks.ts'
import { expectConsistent, refused, useCustomer, useTestShop } from '../../../../tests/shop.ts'

const shop = useTestShop({ unpaidOrdersPerCustomer: 100 })
const rider = useCustomer(() => aCustomer(shop))
const admin = useCustomer(() => anAdmin(shop))
let variantId: string

beforeEach(async () => {
  variantId = await aProduct(shop, { sku: 'SP-1', gtin: '40170725', price: 20, quantity: 500 })
})

const place = (choice = {}) =>
  aPlacedCheckout(shop, rider, aCheckout([{ variantId, quantity: 2, unitPrice: 20, ...choice }]))
// A webhook that arrives later locks the order, and a print of several orders leaves out locked ones.
const pay = (id: string) => whileWebhooksAreLost(shop, () => payOrder(shop, { as: rider }, id))
async function aPaidOrder(choice = {}): Promise<string> {
  const id = await place(choice)
  await pay(id)
  return id
}
const take = (
  body: { next?: number; ids?: string[]; order?: string },
  as: TestCustomer | undefined = admin,
) => shop.call('takePackingSlips', { as, body })
const takeIds = async (next: number) => (await take({ next })).body.slips.map(({ _id }) => _id)

describe('POST /v1/packing-slips', () => {
  test('takes the oldest orders to ship, each once', async () => {
    const ids = [await aPaidOrder(), await aPaidOrder(), await aPaidOrder()]
    await place()
    expect(await takeIds(2)).toEqual(ids.slice(0, 2))
    expect(await takeIds(2)).toEqual(ids.slice(2))
    expect(await takeIds(2)).toEqual([])
  })

  test('takes the same orders again for the same key, without those that have shipped', async () => {
    const ids = [await aPaidOrder(), await aPaidOrder(), await aPaidOrder(), await aPaidOrder()]
    const [one, other] = [randomUUID(), randomUUID()]
    const takeWith = async (key: string, next = 2) => {
      const headers = { 'idempotency-key': key }
      const { body } = await shop.call('takePackingSlips', { as: admin, headers, body: { next } })
      return body.slips.map(({ _id }) => _id)
    }
    expect(await Promise.all([takeWith(one), takeWith(one)])).toEqual([ids.slice(0, 2), ids.slice(0, 2)])
    expect(await takeWith(other)).toEqual(ids.slice(2))
    expect(await takeWith(one, 50)).toEqual(ids.slice(0, 2))
    await shop.call('shipOrder', { as: admin, params: { id: ids[0] ?? '' }, body: {} })
    expect(await takeWith(one)).toEqual([ids[1]])
  })

  test('leaves out orders whose withdrawal waits for an admin, and marks their slip', async () => {
    await shop.db.updateTable('products').set({ return_note: 'Made to order' }).execute()
    const [withdrawn, other] = [await aPaidOrder(), await aPaidOrder()]
    const body = { email: rider.email, name: 'Robin Rider', orderNumber: 'a1b2c3', orderId: withdrawn }
    await shop.call('withdraw', { as: rider, headers: { 'idempotency-key': randomUUID() }, body })
    expect(await takeIds(2)).toEqual([other])
    const marks = async (order: string) => (await take({ order })).body.slips.map((slip) => slip.withdrawn)
    expect([await marks(withdrawn), await marks(other)]).toEqual([[true], [false]])
  })

  test.each([
    ['leaves out an order with an approved withdrawal until its open items are refunded', false],
    ['does not leave out an order with an approved withdrawal of shipped items', true],
  ])('%s', async (_title, isShipped) => {
    const other = { variantId: await aProduct(shop, { price: 20 }), quantity: 1, unitPrice: 20 }
    await shop.db.updateTable('products').set({ return_note: 'Made to order' }).execute()
    const id = await aPlacedCheckout(
      shop,
      rider,
      aCheckout([{ variantId, quantity: 2, unitPrice: 20 }, other]),
    )
    await pay(id)
    if (isShipped) await shop.call('shipOrder', { as: admin, params: { id }, body: { lines: [1] } })
    const lines = [{ line: 1, pieces: 1 }]
    const statement = { email: rider.email, name: 'Robin Rider', orderNumber: 'a1b2c3', orderId: id, lines }
    const headers = () => ({ 'idempotency-key': randomUUID() })
    await shop.call('withdraw', { as: rider, headers: headers(), body: statement })
    expect(await takeIds(1)).toEqual([])
    const [withdrawal] = (await shop.call('listReturns', { as: admin })).body
    const returnId = withdrawal?.id ?? ''
    await shop.call('decideReturn', { as: admin, params: { id: returnId }, body: { status: 'approved' } })
    const isWithdrawn = async () => (await take({ order: id })).body.slips[0]?.withdrawn
    expect([await isWithdrawn(), await takeIds(1)]).toEqual(isShipped ? [false, [id]] : [true, []])
    const body = {
      kind: isShipped ? ('return' as const) : ('cancellation' as const),
      lines: [{ line: 1, pieces: 1, amount: 20 }],
      reason: 'Withdrawal',
      returnId,
    }
    await shop.call('refundOrder', { as: admin, params: { id }, headers: headers(), body })
    expect([await isWithdrawn(), await takeIds(1)]).toEqual([false, isShipped ? [] : [id]])
  })

  test('gives different orders to two admins at the same time', async () => {
    const ids: string[] = []
    while (ids.length < 6) ids.push(await aPaidOrder())
    const taken = await Promise.all([takeIds(2), takeIds(2), takeIds(2)])
    expect(taken.flat().toSorted()).toEqual(ids.toSorted())
    await expectConsistent(shop.db)
  })

  test('waits for orders that are locked for a moment, if there are no others', async () => {
    const ids = [await aPaidOrder(), await aPaidOrder()]
    const { taking } = await shop.db.transaction().execute(async (tx) => {
      await sql`select from orders for update`.execute(tx)
      const taking = takeIds(2)
      await untilWaiting(shop)
      return { taking }
    })
    expect(await taking).toEqual(ids)
    expect(await takeIds(2)).toEqual([])
  })

  test('has the place and the codes of each item as they are now, and the return address', async () => {
    const id = await aPaidOrder()
    const set = { shelf: 'B-12-3', sku: 'SP-2' }
    await shop.db.updateTable('variants').set(set).where('id', '=', variantId).execute()
    const { body } = await take({ ids: [id] })
    expect(body.sender).toEqual({ name: 'Torque Yard', address: [] })
    expect(body.slips).toMatchObject([
      {
        _id: id,
        customerName: 'Robin Rider',
        lines: [{ openPieces: 2, sku: 'SP-1', shelf: 'B-12-3', codes: ['40170725', 'SP-1', 'SP-2'] }],
        slipPrintedAt: expect.any(String),
      },
    ])
    expect(await takeIds(1)).toEqual([])
  })

  test.each([
    ['none', {}],
    ['standard', { size: 'M', colour: 'Red' }],
  ] as const)(
    'has no place and no codes of an item that was ordered with the options %s, before its variants',
    async (options, choice) => {
      await shop.db.updateTable('products').set({ options }).execute()
      const id = await aPaidOrder(choice)
      await shop.db.updateTable('variants').set({ shelf: 'B-12-3' }).execute()
      const readLine = async () => (await take({ order: id })).body.slips[0]?.lines[0]
      expect(await readLine()).toMatchObject({ shelf: 'B-12-3', codes: ['40170725', 'SP-1'] })

      const params = { id: variantId }
      const { headers } = await shop.call('listVariants', { as: admin, params })
      const saved = await shop.call('saveVariants', {
        as: admin,
        params,
        headers: { 'if-match': headers.get('etag') ?? '' },
        body: { options: 'variants', variants: [{ ...params, size: 'S', shelf: 'C-1' }, { size: 'M' }] },
      })
      expect(saved.status).toBe(200)
      const line = await readLine()
      expect(line).toMatchObject({ variantId, sku: 'SP-1', unspecified: true, codes: [] })
      expect(line).not.toHaveProperty('shelf')
    },
  )

  test('repeats the slips of named orders in their sequence, shipped ones too', async () => {
    const [first, second] = [await aPaidOrder(), await aPaidOrder()]
    await shop.call('shipOrder', { as: admin, params: { id: first }, body: {} })
    const { body } = await take({ ids: [second, first, second] })
    expect(body.slips).toMatchObject([
      { _id: second, status: 'paid' },
      { _id: first, status: 'shipped' },
    ])
  })

  test('reads the slip of an order that is packed, whose slip is still to be printed', async () => {
    const id = await aPaidOrder()
    const { body } = await take({ order: id })
    expect(body.slips).toMatchObject([{ _id: id, lines: [{ openPieces: 2 }] }])
    expect(await take({ order: 'none' })).toMatchObject(refused('ORDER_NOT_FOUND', { ids: ['none'] }))
    expect((await shop.call('listWork', { as: admin })).body[0]).not.toHaveProperty('slipPrintedAt')
    expect(await takeIds(1)).toEqual([id])
    expect((await shop.call('listWork', { as: admin })).body).toMatchObject([
      { _id: id, slipPrintedAt: expect.any(String) },
    ])
  })

  test('refuses orders that do not exist, and cancelled ones, and prints none', async () => {
    const id = await aPaidOrder()
    expect(await take({ ids: [id, 'none'] })).toMatchObject(refused('ORDER_NOT_FOUND', { ids: ['none'] }))
    const refunded = await aPaidOrder()
    await shop.call('cancelOrder', { as: rider, params: { id: refunded } })
    expect(await take({ ids: [id, refunded] })).toMatchObject(refused('ORDER_REFUNDED', { ids: [refunded] }))
    const cancelled = await place()
    await shop.call('cancelOrder', { as: rider, params: { id: cancelled } })
    expect(await take({ ids: [cancelled] })).toMatchObject(refused('ORDER_NOT_FOUND'))
    expect(await takeIds(5)).toEqual([id])
  })

  test.each([
    [{}, { next: 'Send `next`, `ids` or `order`' }],
    [{ next: 1, ids: ['a'] }, { next: 'Send `next`, `ids` or `order`' }],
    [{ next: 1, order: 'a' }, { next: 'Send `next`, `ids` or `order`' }],
    [{ next: 101 }, { next: 'At most 100 packing slips' }],
    [{ ids: [] }, { ids: 'Name at least one order' }],
    [{ ids: Array.from({ length: 101 }, String) }, { ids: 'At most 100 orders' }],
  ])('refuses %o', async (body, fields) => {
    expect(await take(body)).toMatchObject(refused('INVALID_REQUEST', { fields }))
  })
})
