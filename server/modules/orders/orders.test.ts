import { beforeEach, describe, expect, test } from 'vitest'
import { untilWaiting } from '../../../tests/database.ts'
import {
  aCheckout,
  aCustomer,
  anAdmin,
  anOrder,
  aPlacedCheckout,
  aProduct,
  aProductInSizes,
  type TestCustomer,
  untilDecided,
} from '../../../tests/factories.ts'
import { refused, useTestShop } from '../../../tests/shop.ts'
import { expectLedgerToAddUp, readStock } from '../../../tests/stock.ts'
import { markPaid, shipOrder } from './service.ts'

const shop = useTestShop()
let rider: TestCustomer

beforeEach(async () => {
  rider = await aCustomer(shop)
})

describe('GET /orders', () => {
  test("returns only the caller's orders, newest first", async () => {
    const first = await anOrder(shop, rider)
    const second = await anOrder(shop, rider)
    await anOrder(shop, await aCustomer(shop))
    const { body } = await shop.call('listOrders', { as: rider, query: { email: rider.email.toUpperCase() } })
    expect(body.map((order: { _id: string }) => order._id)).toEqual([second, first])
  })

  test("rejects another customer's orders and all orders for a customer", async () => {
    const other = await aCustomer(shop)
    expect(await shop.call('listOrders', { as: rider, query: { email: other.email } })).toMatchObject(
      refused('ADMIN_REQUIRED'),
    )
    expect(await shop.call('listOrders', { as: rider })).toMatchObject(refused('ADMIN_REQUIRED'))
  })

  test("returns all orders, or one customer's orders, to an admin", async () => {
    const admin = await anAdmin(shop)
    await anOrder(shop, rider)
    await anOrder(shop, await aCustomer(shop))
    expect((await shop.call('listOrders', { as: admin })).body).toHaveLength(2)
    expect((await shop.call('listOrders', { as: admin, query: { email: rider.email } })).body).toHaveLength(1)
  })

  test('returns one page with the total and links to its neighbours', async () => {
    const admin = await anAdmin(shop)
    for (const price of [10, 30, 20]) await anOrder(shop, rider, { price })
    const query = { sort: '-amount', page: 2, pageSize: 1 }
    const { body, headers } = await shop.call('listOrders', { as: admin, query })
    expect(body.map((order: { amount: number }) => order.amount)).toEqual([20])
    expect(headers.get('x-total-count')).toBe('3')
    expect(headers.get('link')).toMatch(/[?&]page=1[^>]*>; rel="prev".*[?&]page=3[^>]*>; rel="next"/)
  })

  test('sorts an order without a date as the oldest', async () => {
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

  test('searches by product, part number, customer and order number, and escapes special characters', async () => {
    const admin = await anAdmin(shop)
    rider = await aCustomer(shop, { name: 'Petra Pillion' })
    const productId = await aProduct(shop, { name: '100% cotton_glove', sku: 'GLV-100_S' })
    const id = await anOrder(shop, rider, { productId })
    await anOrder(shop, await aCustomer(shop), { productId: await aProduct(shop, { name: 'Chain' }) })
    const found = async (q: string) =>
      (await shop.call('listOrders', { as: admin, query: { q } })).body.map(
        (order: { _id: string }) => order._id,
      )
    const number = id.slice(0, 6)
    for (const q of ['100%', 'cotton_', 'GLOVE', 'glv-100', rider.email, 'pillion', `#${number}`, number])
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
  test("is 404 for another customer's order, as for an unknown one", async () => {
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

describe('an order of several lines', () => {
  test('has its lines, the parts of its address and its note in GET /order, but not in lists', async () => {
    const pads = await aProduct(shop, { name: 'Pads', sku: 'P-1' })
    const jacket = await aProduct(shop, { name: 'Jacket', price: 200, options: 'standard' })
    const lines = [
      { variantId: pads, quantity: 2, unitPrice: 40 },
      { variantId: jacket, quantity: 1, unitPrice: 200, size: 'L', colour: 'Red' },
    ]
    const id = await aPlacedCheckout(shop, rider, aCheckout(lines, { note: 'Ring twice.' }))
    const { body } = await shop.call('getOrder', { as: rider, query: { id } })
    expect(body).toMatchObject({
      productName: 'Pads and 1 more',
      lineCount: 2,
      quantity: 3,
      amount: 280,
      addressLines: ['14 Kickstand Lane', 'Springfield, IL 62701', 'United States'],
      note: 'Ring twice.',
      lines: [
        { name: 'Pads', sku: 'P-1', quantity: 2, unitPrice: 40, total: 80 },
        { name: 'Jacket', size: 'L', colour: 'Red', quantity: 1, unitPrice: 200, total: 200 },
      ],
    })
    for (const field of ['unitPrice', 'size', 'colour']) expect(body).not.toHaveProperty(field)
    const [listed] = (await shop.call('listOrders', { as: rider, query: { email: rider.email } })).body
    expect(listed).toMatchObject({ productName: 'Pads and 1 more', lineCount: 2 })
    for (const field of ['lines', 'addressLines', 'note']) expect(listed).not.toHaveProperty(field)
  })

  test('is found by each of its products and part numbers, once', async () => {
    const admin = await anAdmin(shop)
    const lines = await Promise.all(
      ['Pads front', 'Pads rear'].map(async (name, index) => ({
        variantId: await aProduct(shop, { name, sku: `PAD-${index}` }),
        quantity: 1,
        unitPrice: 40,
      })),
    )
    const id = await aPlacedCheckout(shop, rider, aCheckout(lines))
    for (const q of ['pads', 'front', 'rear', 'pad-0', 'pad-1']) {
      const { body } = await shop.call('listOrders', { as: admin, query: { q } })
      expect(
        body.map(({ _id }) => _id),
        q,
      ).toEqual([id])
    }
  })

  test('is cancelled and shipped as a whole', async () => {
    const admin = await anAdmin(shop)
    const products = [await aProduct(shop), await aProduct(shop)]
    const place = () =>
      aPlacedCheckout(
        shop,
        rider,
        aCheckout(products.map((variantId, index) => ({ variantId, quantity: 2 + index, unitPrice: 40 }))),
      )
    const cancelled = await place()
    expect(await Promise.all(products.map((id) => readStock(shop, id)))).toEqual([8, 7])
    await shop.call('deleteOrder', { as: rider, query: { id: cancelled } })
    expect(await Promise.all(products.map((id) => readStock(shop, id)))).toEqual([10, 10])
    for (const product of products) await expectLedgerToAddUp(shop, product)

    const id = await place()
    await markPaid(shop.db, id, { provider: 'stripe', id: 'pi_1' })
    const ship = { as: admin, params: { id }, body: { shipping: 'Shipped' } }
    expect((await shop.call('updateShipping', ship)).body.modifiedCount).toBe(1)
    expect((await shop.call('updateShipping', ship)).body.modifiedCount).toBe(0)
    expect((await shop.call('getOrder', { as: rider, query: { id } })).body).toMatchObject({
      shipment: 'Shipped',
      lineCount: 2,
    })
  })
})

describe('DELETE /delete-order', () => {
  const cancel = (id: string, as: TestCustomer = rider) => shop.call('deleteOrder', { as, query: { id } })

  test('returns the stock once and removes the order', async () => {
    const productId = await aProduct(shop, { quantity: 10, price: 40 })
    const id = await anOrder(shop, rider, { productId, quantity: 3 })
    expect(await readStock(shop, productId)).toBe(7)
    expect((await cancel(id)).body).toEqual({ acknowledged: true, deletedCount: 1 })
    expect((await cancel(id)).body).toEqual({ acknowledged: true, deletedCount: 0 })
    expect(await readStock(shop, productId)).toBe(10)
    await expectLedgerToAddUp(shop, productId)
    expect(await shop.call('getOrder', { as: rider, query: { id } })).toMatchObject(
      refused('ORDER_NOT_FOUND'),
    )
    expect((await shop.call('listOrders', { as: rider, query: { email: rider.email } })).body).toEqual([])
  })

  test("moves the order to the customer's cancelled ones, newest first", async () => {
    const list = async (as: TestCustomer, email = as.email) =>
      (await shop.call('listOrders', { as, query: { email, status: 'cancelled' } })).body
    const first = await anOrder(shop, rider)
    const second = await anOrder(shop, rider)
    expect(await list(rider)).toEqual([])
    await cancel(first)
    await cancel(second)
    await anOrder(shop, rider)
    expect(await list(rider)).toMatchObject([{ _id: second }, { _id: first }])
    const other = await aCustomer(shop, { email: 'other@example.com' })
    expect(await list(other)).toEqual([])
    expect(await list(other, rider.email)).toMatchObject({ code: 'ADMIN_REQUIRED' })
    const marked = await aCustomer(shop, { email: `\u202a${rider.email}` })
    expect(await list(marked)).toMatchObject({ code: 'ADMIN_REQUIRED' })
  })

  test('returns the stock once for ten concurrent cancellations', async () => {
    const productId = await aProduct(shop, { quantity: 10, price: 40 })
    const id = await anOrder(shop, rider, { productId, quantity: 3 })
    const responses = await Promise.all(Array.from({ length: 10 }, () => untilDecided(() => cancel(id))))
    expect(responses.reduce((sum, { body }) => sum + body.deletedCount, 0)).toBe(1)
    expect(await readStock(shop, productId)).toBe(10)
  })

  test('returns the stock to a deleted product', async () => {
    const productId = await aProduct(shop, { quantity: 10, price: 40 })
    const id = await anOrder(shop, rider, { productId, quantity: 3 })
    await shop.call('deleteProduct', { as: await anAdmin(shop), query: { id: productId } })
    expect((await cancel(id)).body.deletedCount).toBe(1)
    const query = shop.db.selectFrom('variants').select('stock').where('id', '=', productId)
    expect(await query.executeTakeFirst()).toEqual({ stock: 10 })
  })

  test("is 404 for another customer's order; an admin can cancel any order", async () => {
    const id = await anOrder(shop, await aCustomer(shop))
    expect(await cancel(id)).toMatchObject(refused('ORDER_NOT_FOUND'))
    expect((await cancel(id, await anAdmin(shop))).body.deletedCount).toBe(1)
  })
})

describe('PATCH /update-shipping', () => {
  test('rejects an unpaid order, an unknown order and an unknown status', async () => {
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
  test('saves size and colour for the owner only', async () => {
    const id = await anOrder(shop, rider, { productId: await aProduct(shop, { options: 'standard' }) })
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

  test('changes one of both and keeps the other', async () => {
    const id = await anOrder(shop, rider, { productId: await aProduct(shop, { options: 'standard' }) })
    const set = (body: object) => shop.call('setOrderOptions', { as: rider, params: { id }, body })
    await set({ size: 'M', colour: 'Blue' })
    await set({ colour: 'Red' })
    const [found] = (await shop.call('listOrders', { as: rider, query: { email: rider.email } })).body
    expect(found).toMatchObject({ size: 'M', colour: 'Red' })
    expect((await set({})).status).toBe(200)
  })

  test('is for a line that had standard options when it was ordered, even if its product has others now', async () => {
    const set = (id: string) =>
      shop.call('setOrderOptions', { as: rider, params: { id }, body: { size: 'M' } })
    const { S } = await aProductInSizes(shop, { S: 1 })
    const pads = await aProduct(shop, { options: 'standard' })
    const inSizes = await anOrder(shop, rider, { productId: S })
    const standard = await anOrder(shop, rider, { productId: pads })
    await shop.db.updateTable('products').set({ options: 'standard' }).where('id', '=', S).execute()
    await shop.db.updateTable('products').set({ options: 'none' }).where('id', '=', pads).execute()
    expect(await set(inSizes)).toMatchObject(refused('OPTIONS_FIXED'))
    expect((await set(standard)).status).toBe(200)
  })

  test('is rejected if the parcel is shipped at the same time', async () => {
    const id = await anOrder(shop, rider, { productId: await aProduct(shop, { options: 'standard' }) })
    await markPaid(shop.db, id, { provider: 'stripe', id: 'pi_1' })
    const { id: customerId } = await anAdmin(shop)
    const { reply } = await shop.db.transaction().execute(async (tx) => {
      await shipOrder({ db: tx, orderEmails: null }, { customerId, ip: null }, id)
      const reply = shop.call('setOrderOptions', { as: rider, params: { id }, body: { size: 'M' } })
      await untilWaiting(shop)
      return { reply }
    })
    expect(await reply).toMatchObject(refused('ORDER_ALREADY_SHIPPED'))
    const lines = shop.db.selectFrom('order_lines').select('size').where('order_id', '=', id)
    expect(await lines.execute()).toEqual([{ size: null }])
  })

  test('rejects unknown sizes and colours', async () => {
    const id = await anOrder(shop, rider)
    const response = await shop.call('setOrderOptions', { as: rider, params: { id }, body: { size: 'XXS' } })
    expect(response).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST' } })
  })
})
