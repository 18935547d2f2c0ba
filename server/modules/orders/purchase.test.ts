import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  aCustomer,
  anAdmin,
  aProduct,
  aProductInSizes,
  type TestCustomer,
  untilDecided,
} from '../../../tests/factories.ts'
import { refused, useTestShop } from '../../../tests/shop.ts'
import { expectLedgerToAddUp, readStock } from '../../../tests/stock.ts'

const shop = useTestShop()
let rider: TestCustomer

beforeEach(async () => {
  rider = await aCustomer(shop)
})

describe('POST /confirm-purchase', () => {
  const buy = (productId: string, more: object = {}, headers: Record<string, string> = {}) =>
    untilDecided(() =>
      shop.call('confirmPurchase', {
        as: rider,
        headers,
        body: { productId, quantity: 2, amount: 80, customerAddress: '1 Road', ...more },
      }),
    )

  test('places an unpaid order with the current date and reduces the stock', async () => {
    const productId = await aProduct(shop, { name: 'Chain', price: 40, quantity: 10 })
    const { status, body } = await buy(productId, { customerName: 'Ada', customerPhone: '555' })
    expect({ status, body }).toEqual({
      status: 200,
      body: { acknowledged: true, insertedId: expect.any(String) },
    })
    expect(body.insertedId).toMatch(/^[0-9a-f]{24}$/)
    expect(await readStock(shop, productId)).toBe(8)
    await expectLedgerToAddUp(shop, productId)

    const order = await shop.call('getOrder', { as: rider, query: { id: body.insertedId } })
    expect(order.body).toEqual({
      _id: body.insertedId,
      productId,
      productName: 'Chain',
      image: '/pictures/brake-pads.svg',
      quantity: 2,
      unitPrice: 40,
      amount: 80,
      refunded: 0,
      customerEmail: rider.email,
      customerName: 'Ada',
      customerPhone: '555',
      customerAddress: '1 Road',
      payment: false,
      processing: false,
      refunds: [],
      returns: [],
      shipments: [],
      shipment: '',
      status: 'unpaid',
      lineCount: 1,
      charges: [],
      lines: [
        {
          productId,
          variantId: productId,
          name: 'Chain',
          image: '/pictures/brake-pads.svg',
          quantity: 2,
          unitPrice: 40,
          total: 80,
          paid: 80,
          refunded: 0,
          openPieces: 2,
          shippedPieces: 0,
          cancelledPieces: 0,
          returnedPieces: 0,
        },
      ],
      date: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      payBy: new Date(Date.parse(String(order.body.date)) + 72 * 3_600_000).toISOString(),
      history: [{ kind: 'placed', at: order.body.date, by: 'customer' }],
    })
  })

  test('uses name and phone of the profile if they are blank', async () => {
    const body = { name: 'Grace', phone: '777' }
    await shop.call('updateProfile', { as: rider, params: { email: rider.email }, body })
    const placed = await buy(await aProduct(shop), { customerName: ' ' })
    const { body: order } = await shop.call('getOrder', { as: rider, query: { id: placed.body.insertedId } })
    expect(order).toMatchObject({ customerName: 'Grace', customerPhone: '777' })
  })

  test('uses the stored email and product name instead of those in the body', async () => {
    const productId = await aProduct(shop, { name: 'Chain' })
    const claims = { customerEmail: 'boss@example.com', productName: 'Gold' }
    const placed = await buy(productId, claims)
    const { body: order } = await shop.call('getOrder', { as: rider, query: { id: placed.body.insertedId } })
    expect(order).toMatchObject({ customerEmail: rider.email, productName: 'Chain' })
  })

  test.each([
    ['below the minimum', { quantity: 1, amount: 40 }, 'QUANTITY_NOT_MATCHED'],
    ['of zero', { quantity: 0, amount: 0 }, 'QUANTITY_NOT_MATCHED'],
    ['below zero', { quantity: -2, amount: -80 }, 'QUANTITY_NOT_MATCHED'],
    ['above the stock', { quantity: 11, amount: 440 }, 'OUT_OF_STOCK'],
    ['above every integer', { quantity: 2_147_483_647, amount: 85_899_345_880 }, 'OUT_OF_STOCK'],
  ] as const)('refuses a quantity %s, and takes nothing', async (_, claim, code) => {
    const productId = await aProduct(shop, { minimum: 2, quantity: 10, price: 40 })
    expect(await buy(productId, claim)).toMatchObject(refused(code, { acknowledged: false }))
    expect(await readStock(shop, productId)).toBe(10)
  })

  test.each([
    ['half a piece', 1.5],
    ['a word', 'two'],
    ['nothing', null],
  ])('refuses %s', async (_, quantity) => {
    const productId = await aProduct(shop)
    const fields = { quantity: 'Quantity not matched' }
    expect(await buy(productId, { quantity })).toMatchObject(refused('INVALID_REQUEST', { fields }))
  })

  test('accepts exactly the minimum and exactly the whole stock', async () => {
    const productId = await aProduct(shop, { minimum: 2, quantity: 5, price: 40 })
    expect((await buy(productId, { quantity: 2, amount: 80 })).status).toBe(200)
    expect((await buy(productId, { quantity: 3, amount: 120 })).status).toBe(200)
    expect(await readStock(shop, productId)).toBe(0)
  })

  test.each([79, 81, 80.01, 80.001, 0, -80, 1e300])(
    'rejects an amount of %d if the total is 80',
    async (amount) => {
      const productId = await aProduct(shop, { price: 40 })
      expect(await buy(productId, { amount })).toMatchObject(
        refused('PRICE_CHANGED', { acknowledged: false, amount: 80 }),
      )
      expect(await readStock(shop, productId)).toBe(10)
    },
  )

  test.each([38.7, 3 * 12.9])('accepts %d for three pieces of $12.90', async (amount) => {
    const productId = await aProduct(shop, { price: 12.9 })
    const { body, status } = await buy(productId, { quantity: 3, amount })
    expect(status).toBe(200)
    const order = await shop.call('getOrder', { as: rider, query: { id: body.insertedId } })
    expect(order.body).toMatchObject({ unitPrice: 12.9, amount: 38.7 })
    const orders = await shop.call('listOrders', { as: rider, query: { email: rider.email } })
    expect(orders.body).toMatchObject([{ unitPrice: 12.9, amount: 38.7 }])
  })

  test.each([38.69, 38.71, 38.704, 39])('rejects an amount of %d if the total is 38.7', async (amount) => {
    const productId = await aProduct(shop, { price: 12.9 })
    expect(await buy(productId, { quantity: 3, amount })).toMatchObject(
      refused('PRICE_CHANGED', { acknowledged: false, amount: 38.7 }),
    )
  })

  test('rejects a total below the minimum of the payment provider', async () => {
    const productId = await aProduct(shop, { price: 0.1 })
    expect(await buy(productId, { quantity: 4, amount: 0.4 })).toMatchObject(refused('ORDER_TOO_SMALL'))
    expect(await readStock(shop, productId)).toBe(10)
    expect(await buy(productId, { quantity: 5, amount: 0.5 })).toMatchObject({ status: 200 })
  })

  test('rejects a total above the limit of the payment provider', async () => {
    const productId = await aProduct(shop, { price: 999_999, quantity: 10 })
    expect(await buy(productId, { amount: 1_999_998 })).toMatchObject(refused('ORDER_TOO_LARGE'))
  })

  test('requires an address', async () => {
    const fields = { customerAddress: 'Address is required' }
    const error = refused('INVALID_REQUEST', { fields })
    expect(await buy(await aProduct(shop), { customerAddress: '  ' })).toMatchObject(error)
    expect(await buy(await aProduct(shop), { customerAddress: undefined })).toMatchObject(error)
  })

  test('is 404 for an unknown or deleted product', async () => {
    expect(await buy('nothing')).toMatchObject(refused('PRODUCT_NOT_FOUND'))
    const productId = await aProduct(shop)
    await shop.call('deleteProduct', { as: await anAdmin(shop), query: { id: productId } })
    expect(await buy(productId)).toMatchObject(refused('PRODUCT_NOT_FOUND'))
  })

  test('returns the same order for the same key, even if it took the last piece', async () => {
    const productId = await aProduct(shop, { quantity: 2, price: 40 })
    const key = { 'idempotency-key': 'fill-1' }
    const first = await buy(productId, {}, key)
    const second = await buy(productId, {}, key)
    expect(second.body).toEqual(first.body)
    expect((await shop.call('listOrders', { as: rider, query: { email: rider.email } })).body).toHaveLength(1)
  })

  test('places one order for ten concurrent requests with the same key', async () => {
    const productId = await aProduct(shop, { quantity: 10, price: 40 })
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => buy(productId, {}, { 'idempotency-key': 'double-click' })),
    )
    expect(new Set(responses.map(({ body }) => body.insertedId)).size).toBe(1)
    expect(await readStock(shop, productId)).toBe(8)
  })

  test('keeps the hash of the request as earlier versions did, so that one repeated during a deploy matches', async () => {
    const productId = await aProduct(shop)
    await buy(productId, {}, { 'idempotency-key': 'k' })
    const stored = await shop.db.selectFrom('orders').select('request_hash').executeTakeFirst()
    const hash = createHash('sha256').update(`["${productId}",null,2]`).digest()
    expect(stored?.request_hash).toEqual(hash)
  })

  test('rejects the key of a different order', async () => {
    const productId = await aProduct(shop)
    const key = { 'idempotency-key': 'k' }
    await buy(productId, {}, key)
    expect(await buy(productId, { quantity: 3, amount: 120 }, key)).toMatchObject(
      refused('IDEMPOTENCY_KEY_REUSED'),
    )
  })

  test('accepts the same key from two customers', async () => {
    const productId = await aProduct(shop)
    const key = { 'idempotency-key': 'k' }
    const first = await buy(productId, {}, key)
    rider = await aCustomer(shop)
    expect((await buy(productId, {}, key)).body.insertedId).not.toBe(first.body.insertedId)
  })

  test('sells ten pieces once in forty concurrent purchases', async () => {
    const productId = await aProduct(shop, { quantity: 10, price: 40 })
    const buyers = await Promise.all(Array.from({ length: 40 }, () => aCustomer(shop)))
    const body = { productId, quantity: 1, amount: 40, customerAddress: '1 Road' }
    const responses = await Promise.all(
      buyers.map((as) => untilDecided(() => shop.call('confirmPurchase', { as, body }))),
    )
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(10)
    expect(responses.filter(({ status }) => status !== 200).map((each) => each.body.code)).toEqual(
      Array.from({ length: 30 }, () => 'OUT_OF_STOCK'),
    )
    expect(await readStock(shop, productId)).toBe(0)
    await expectLedgerToAddUp(shop, productId)
  })

  test('without a variant takes the first that has enough stock, even while others buy it', async () => {
    const sizes = await aProductInSizes(shop, { S: 1, M: 3, L: 5 })
    await shop.db.updateTable('variants').set({ price_cents: 5000 }).where('id', '=', sizes.L).execute()
    const one = { quantity: 1, amount: 40 }
    const first = await buy(sizes.S, { quantity: 2 })
    expect((await buy(sizes.S, { ...one, variantId: sizes.M })).status).toBe(200)
    const responses = await Promise.all(Array.from({ length: 4 }, () => buy(sizes.S, one)))
    const placed = responses.filter(({ status }) => status === 200).map(({ body }) => body.insertedId)
    expect(placed).toHaveLength(1)
    // The next one with enough stock costs more.
    expect(await buy(sizes.S, one)).toMatchObject(refused('PRICE_CHANGED', { amount: 50 }))
    const lines = await shop.db.selectFrom('order_lines').select(['order_id', 'variant_id']).execute()
    const chosen = new Map(lines.map(({ order_id, variant_id }) => [order_id, variant_id]))
    expect([chosen.get(first.body.insertedId), chosen.get(placed[0] ?? '')]).toEqual([sizes.M, sizes.S])
    expect(await buy(sizes.S, { ...one, variantId: await aProduct(shop) })).toMatchObject(
      refused('VARIANT_NOT_FOUND'),
    )
  })
})
