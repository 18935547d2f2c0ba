import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { aCustomer, anAdmin, anOrder, aProduct, type TestCustomer } from '../../../tests/factories.ts'
import { openTestShop, refused, type TestShop } from '../../../tests/shop.ts'

let shop: TestShop
let rider: TestCustomer

beforeAll(async () => {
  shop = await openTestShop()
})
afterAll(() => shop.close())
beforeEach(async () => {
  await shop.database.empty()
  rider = await aCustomer(shop)
})

const stockOf = async (id: string): Promise<number> =>
  (await shop.call('getProduct', { params: { id } })).body.quantity

/** The ledger of a product adds up to its stock. */
async function expectLedgerToAddUp(productId: string) {
  const { sum } = await shop.db
    .selectFrom('stock_movements')
    .select((eb) => eb.fn.sum<number>('quantity').as('sum'))
    .where('product_id', '=', productId)
    .executeTakeFirstOrThrow()
  const { stock } = await shop.db
    .selectFrom('products')
    .select('stock')
    .where('id', '=', productId)
    .executeTakeFirstOrThrow()
  expect(sum).toBe(stock)
}

describe('POST /confirm-purchase', () => {
  const buy = (productId: string, more: object = {}, headers: Record<string, string> = {}) =>
    shop.call('confirmPurchase', {
      as: rider,
      headers,
      body: { productId, quantity: 2, amount: 80, customerAddress: '1 Road', ...more },
    })

  test('needs a signed-in customer', async () => {
    expect(await shop.call('confirmPurchase', { body: {} })).toMatchObject(refused('NOT_SIGNED_IN'))
  })

  test('places an unpaid order of the day and takes its stock', async () => {
    const productId = await aProduct(shop, { name: 'Chain', price: 40, quantity: 10 })
    const { status, body } = await buy(productId, { customerName: 'Ada', customerPhone: '555' })
    expect({ status, body }).toEqual({
      status: 200,
      body: { acknowledged: true, insertedId: expect.any(String) },
    })
    expect(body.insertedId).toMatch(/^[0-9a-f]{24}$/)
    expect(await stockOf(productId)).toBe(8)
    await expectLedgerToAddUp(productId)

    const order = await shop.call('getOrder', { as: rider, query: { id: body.insertedId } })
    expect(order.body).toEqual({
      _id: body.insertedId,
      productId,
      productName: 'Chain',
      image: '/pictures/brake-pads.svg',
      quantity: 2,
      unitPrice: 40,
      amount: 80,
      customerEmail: rider.email,
      customerName: 'Ada',
      customerPhone: '555',
      customerAddress: '1 Road',
      payment: false,
      shipment: '',
      date: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    })
  })

  test('takes name and phone of the profile where they are blank', async () => {
    const body = { name: 'Grace', phone: '777' }
    await shop.call('updateProfile', { as: rider, params: { email: rider.email }, body })
    const placed = await buy(await aProduct(shop), { customerName: ' ' })
    const { body: order } = await shop.call('getOrder', { as: rider, query: { id: placed.body.insertedId } })
    expect(order).toMatchObject({ customerName: 'Grace', customerPhone: '777' })
  })

  test('takes e-mail and product name from its own records, whatever the body claims', async () => {
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
    ['beyond every integer', { quantity: 2_147_483_647, amount: 85_899_345_880 }, 'OUT_OF_STOCK'],
  ] as const)('refuses a quantity %s, and takes nothing', async (_, claim, code) => {
    const productId = await aProduct(shop, { minimum: 2, quantity: 10, price: 40 })
    expect(await buy(productId, claim)).toMatchObject(refused(code, { acknowledged: false }))
    expect(await stockOf(productId)).toBe(10)
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

  test('takes exactly the minimum and exactly the whole stock', async () => {
    const productId = await aProduct(shop, { minimum: 2, quantity: 5, price: 40 })
    expect((await buy(productId, { quantity: 2, amount: 80 })).status).toBe(200)
    expect((await buy(productId, { quantity: 3, amount: 120 })).status).toBe(200)
    expect(await stockOf(productId)).toBe(0)
  })

  test.each([79, 81, 0, -80, 1e300])('refuses an amount of %d where the price makes 80', async (amount) => {
    const productId = await aProduct(shop, { price: 40 })
    expect(await buy(productId, { amount })).toMatchObject(
      refused('PRICE_CHANGED', { acknowledged: false, amount: 80 }),
    )
    expect(await stockOf(productId)).toBe(10)
  })

  test('refuses what the payment provider would not charge', async () => {
    const productId = await aProduct(shop, { price: 999_999, quantity: 10 })
    expect(await buy(productId, { amount: 1_999_998 })).toMatchObject(refused('ORDER_TOO_LARGE'))
  })

  test('needs an address', async () => {
    const fields = { customerAddress: 'Address is required' }
    const refusal = refused('INVALID_REQUEST', { fields })
    expect(await buy(await aProduct(shop), { customerAddress: '  ' })).toMatchObject(refusal)
    expect(await buy(await aProduct(shop), { customerAddress: undefined })).toMatchObject(refusal)
  })

  test('does not find a product that is not there, or not any more', async () => {
    expect(await buy('nothing')).toMatchObject(refused('PRODUCT_NOT_FOUND'))
    const productId = await aProduct(shop)
    await shop.call('deleteProduct', { as: await anAdmin(shop), query: { id: productId } })
    expect(await buy(productId)).toMatchObject(refused('PRODUCT_NOT_FOUND'))
  })

  test('answers the same order to the same key, even where it took the last piece', async () => {
    const productId = await aProduct(shop, { quantity: 2, price: 40 })
    const key = { 'idempotency-key': 'fill-1' }
    const first = await buy(productId, {}, key)
    const second = await buy(productId, {}, key)
    expect(second.body).toEqual(first.body)
    expect((await shop.call('listOrders', { as: rider, query: { email: rider.email } })).body).toHaveLength(1)
  })

  test('answers one order to one key that comes ten times at once', async () => {
    const productId = await aProduct(shop, { quantity: 10, price: 40 })
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => buy(productId, {}, { 'idempotency-key': 'double-click' })),
    )
    expect(new Set(answers.map(({ body }) => body.insertedId)).size).toBe(1)
    expect(await stockOf(productId)).toBe(8)
  })

  test('refuses a key that stands for another order', async () => {
    const productId = await aProduct(shop)
    const key = { 'idempotency-key': 'k' }
    await buy(productId, {}, key)
    expect(await buy(productId, { quantity: 3, amount: 120 }, key)).toMatchObject(
      refused('IDEMPOTENCY_KEY_REUSED'),
    )
  })

  test('lets two customers use the same key', async () => {
    const productId = await aProduct(shop)
    const key = { 'idempotency-key': 'k' }
    const first = await buy(productId, {}, key)
    rider = await aCustomer(shop)
    expect((await buy(productId, {}, key)).body.insertedId).not.toBe(first.body.insertedId)
  })

  test('sells ten pieces to ten of forty who want them at once', async () => {
    const productId = await aProduct(shop, { quantity: 10, price: 40 })
    const buyers = await Promise.all(Array.from({ length: 40 }, () => aCustomer(shop)))
    const body = { productId, quantity: 1, amount: 40, customerAddress: '1 Road' }
    const answers = await Promise.all(buyers.map((as) => shop.call('confirmPurchase', { as, body })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10)
    expect(answers.filter(({ status }) => status !== 200).map((each) => each.body.code)).toEqual(
      Array.from({ length: 30 }, () => 'OUT_OF_STOCK'),
    )
    expect(await stockOf(productId)).toBe(0)
    await expectLedgerToAddUp(productId)
  })
})

describe('GET /orders', () => {
  test('needs a signed-in customer', async () => {
    expect(await shop.call('listOrders')).toMatchObject(refused('NOT_SIGNED_IN'))
  })

  test("answers one's own, newest first, and nobody else's", async () => {
    const first = await anOrder(shop, rider)
    const second = await anOrder(shop, rider)
    await anOrder(shop, await aCustomer(shop))
    const { body } = await shop.call('listOrders', { as: rider, query: { email: rider.email.toUpperCase() } })
    expect(body.map((order: { _id: string }) => order._id)).toEqual([second, first])
  })

  test("refuses another's orders, and everybody's, to a customer", async () => {
    const other = await aCustomer(shop)
    expect(await shop.call('listOrders', { as: rider, query: { email: other.email } })).toMatchObject(
      refused('ADMIN_REQUIRED'),
    )
    expect(await shop.call('listOrders', { as: rider })).toMatchObject(refused('ADMIN_REQUIRED'))
  })

  test("answers everybody's, or one customer's, to an admin", async () => {
    const admin = await anAdmin(shop)
    await anOrder(shop, rider)
    await anOrder(shop, await aCustomer(shop))
    expect((await shop.call('listOrders', { as: admin })).body).toHaveLength(2)
    expect((await shop.call('listOrders', { as: admin, query: { email: rider.email } })).body).toHaveLength(1)
  })

  test('cuts the list to a page, with total and neighbours', async () => {
    const admin = await anAdmin(shop)
    for (const price of [10, 30, 20]) await anOrder(shop, rider, { price })
    const query = { sort: '-amount', page: 2, pageSize: 1 }
    const { body, headers } = await shop.call('listOrders', { as: admin, query })
    expect(body.map((order: { amount: number }) => order.amount)).toEqual([20])
    expect(headers.get('x-total-count')).toBe('3')
    expect(headers.get('link')).toMatch(/[?&]page=1[^>]*>; rel="prev".*[?&]page=3[^>]*>; rel="next"/)
  })

  test('takes an order whose date nobody knows for the oldest', async () => {
    const admin = await anAdmin(shop)
    const imported = await anOrder(shop, rider)
    const older = await anOrder(shop, rider)
    const newer = await anOrder(shop, rider)
    await shop.db.updateTable('orders').set({ placed_at: null }).where('id', '=', imported).execute()
    const list = async (query: Record<string, string>) =>
      (await shop.call('listOrders', { as: admin, query })).body.map((order: { _id: string }) => order._id)
    expect(await list({})).toEqual([newer, older, imported])
    expect(await list({ sort: '-date' })).toEqual([newer, older, imported])
    expect(await list({ sort: 'date' })).toEqual([imported, older, newer])
  })

  test('finds by product, customer and order number, and takes every sign as it is', async () => {
    const admin = await anAdmin(shop)
    const productId = await aProduct(shop, { name: '100% cotton_glove', price: 40 })
    const id = await anOrder(shop, rider, { productId })
    await anOrder(shop, await aCustomer(shop), { productId: await aProduct(shop, { name: 'Chain' }) })
    const found = async (q: string) =>
      (await shop.call('listOrders', { as: admin, query: { q } })).body.map(
        (order: { _id: string }) => order._id,
      )
    for (const q of ['100%', 'cotton_', 'GLOVE', rider.email, `#${id.slice(0, 6)}`])
      expect(await found(q), q).toEqual([id])
    expect(await found('1_0')).toEqual([])
  })

  test('filters by payment and shipment', async () => {
    const admin = await anAdmin(shop)
    await anOrder(shop, rider)
    const count = async (query: Record<string, string>) =>
      (await shop.call('listOrders', { as: admin, query })).body.length
    expect([await count({ payment: 'false' }), await count({ payment: 'true' })]).toEqual([1, 0])
    expect([await count({ shipment: '' }), await count({ shipment: 'Shipped' })]).toEqual([1, 0])
  })
})

describe('GET /order', () => {
  test('needs a signed-in customer', async () => {
    expect(await shop.call('getOrder', { query: { id: 'x' } })).toMatchObject(refused('NOT_SIGNED_IN'))
  })

  test("answers another's order as one that does not exist", async () => {
    const id = await anOrder(shop, await aCustomer(shop))
    expect(await shop.call('getOrder', { as: rider, query: { id } })).toMatchObject(
      refused('ORDER_NOT_FOUND'),
    )
    expect(await shop.call('getOrder', { as: rider, query: { id: 'none' } })).toMatchObject(
      refused('ORDER_NOT_FOUND'),
    )
    expect((await shop.call('getOrder', { as: await anAdmin(shop), query: { id } })).body._id).toBe(id)
  })
})

describe('DELETE /delete-order', () => {
  const cancel = (id: string, as: TestCustomer = rider) => shop.call('deleteOrder', { as, query: { id } })

  test('needs a signed-in customer', async () => {
    expect(await shop.call('deleteOrder', { query: { id: 'x' } })).toMatchObject(refused('NOT_SIGNED_IN'))
  })

  test('gives the stock back once, and the order is gone', async () => {
    const productId = await aProduct(shop, { quantity: 10, price: 40 })
    const id = await anOrder(shop, rider, { productId, quantity: 3 })
    expect(await stockOf(productId)).toBe(7)
    expect((await cancel(id)).body).toEqual({ acknowledged: true, deletedCount: 1 })
    expect((await cancel(id)).body).toEqual({ acknowledged: true, deletedCount: 0 })
    expect(await stockOf(productId)).toBe(10)
    await expectLedgerToAddUp(productId)
    expect(await shop.call('getOrder', { as: rider, query: { id } })).toMatchObject(
      refused('ORDER_NOT_FOUND'),
    )
    expect((await shop.call('listOrders', { as: rider, query: { email: rider.email } })).body).toEqual([])
  })

  test('gives the stock back once to ten who cancel at once', async () => {
    const productId = await aProduct(shop, { quantity: 10, price: 40 })
    const id = await anOrder(shop, rider, { productId, quantity: 3 })
    const answers = await Promise.all(Array.from({ length: 10 }, () => cancel(id)))
    expect(answers.reduce((sum, { body }) => sum + body.deletedCount, 0)).toBe(1)
    expect(await stockOf(productId)).toBe(10)
  })

  test('gives the stock back to a product that was deleted meanwhile', async () => {
    const productId = await aProduct(shop, { quantity: 10, price: 40 })
    const id = await anOrder(shop, rider, { productId, quantity: 3 })
    await shop.call('deleteProduct', { as: await anAdmin(shop), query: { id: productId } })
    expect((await cancel(id)).body.deletedCount).toBe(1)
    const query = shop.db.selectFrom('products').select('stock').where('id', '=', productId)
    expect(await query.executeTakeFirst()).toEqual({ stock: 10 })
  })

  test("does not find another's order; an admin cancels anybody's", async () => {
    const id = await anOrder(shop, await aCustomer(shop))
    expect(await cancel(id)).toMatchObject(refused('ORDER_NOT_FOUND'))
    expect((await cancel(id, await anAdmin(shop))).body.deletedCount).toBe(1)
  })
})

describe('PATCH /update-shipping', () => {
  test('is for admins', async () => {
    const id = await anOrder(shop, rider)
    const call = { params: { id }, body: { shipping: 'Shipped' } }
    expect(await shop.call('updateShipping', call)).toMatchObject(refused('NOT_SIGNED_IN'))
    expect(await shop.call('updateShipping', { ...call, as: rider })).toMatchObject(refused('ADMIN_REQUIRED'))
  })

  test('refuses an unpaid order, an unknown one, and any other word', async () => {
    const as = await anAdmin(shop)
    const id = await anOrder(shop, rider)
    const ship = (params: { id: string }, shipping: string) =>
      shop.call('updateShipping', { as, params, body: { shipping } })
    expect(await ship({ id }, 'Shipped')).toMatchObject(refused('ORDER_NOT_PAID'))
    expect(await ship({ id: 'none' }, 'Shipped')).toMatchObject(refused('ORDER_NOT_FOUND'))
    expect(await ship({ id }, 'Lost')).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST' } })
  })
})

describe('PUT /v1/orders/{id}/options', () => {
  test('keeps size and colour for the owner alone', async () => {
    const id = await anOrder(shop, rider)
    const body = { size: 'L', colour: 'Red' }
    expect((await shop.call('setOrderOptions', { as: rider, params: { id }, body })).status).toBe(200)
    const order = await shop.call('getOrder', { as: rider, query: { id } })
    expect(order.body).toMatchObject(body)
    const other = await aCustomer(shop)
    expect(await shop.call('setOrderOptions', { as: other, params: { id }, body })).toMatchObject(
      refused('ORDER_NOT_FOUND'),
    )
    expect(await shop.call('setOrderOptions', { params: { id }, body })).toMatchObject(
      refused('NOT_SIGNED_IN'),
    )
  })

  test('refuses sizes and colours that there are none of', async () => {
    const id = await anOrder(shop, rider)
    const answer = await shop.call('setOrderOptions', { as: rider, params: { id }, body: { size: 'XXS' } })
    expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST' } })
  })
})
