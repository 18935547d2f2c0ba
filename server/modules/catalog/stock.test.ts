import { describe, expect, test } from 'vitest'
import {
  aCustomer,
  anAdmin,
  anOrder,
  aProduct,
  type TestCustomer,
  untilDecided,
} from '../../../tests/factories.ts'
import { refused, useCustomer, useTestShop } from '../../../tests/shop.ts'
import { readStock } from '../../../tests/stock.ts'

const shop = useTestShop()
const rider = useCustomer(() => aCustomer(shop))
const admin = useCustomer(() => anAdmin(shop))

const movements = (productId: string) =>
  shop.db
    .selectFrom('stock_movements')
    .select(['kind', 'quantity', 'moved_by'])
    .where('variant_id', '=', productId)
    .orderBy('id')
    .execute()

describe('PUT /update-product/{id}', () => {
  const update = (id: string, body: object, as?: TestCustomer) =>
    shop.call('updateProduct', { as, params: { id }, body })

  test('sets a counted stock and records the difference', async () => {
    const id = await aProduct(shop, { quantity: 10 })
    expect((await update(id, { quantity: 7 }, admin)).body).toEqual({
      acknowledged: true,
      modifiedCount: 1,
      quantity: 7,
    })
    expect((await update(id, { quantity: 7 }, admin)).body).toMatchObject({ modifiedCount: 0, quantity: 7 })
    expect(await movements(id)).toEqual([
      { kind: 'count', quantity: 10, moved_by: null },
      { kind: 'count', quantity: -3, moved_by: admin.id },
    ])
  })

  test('adds a delta to the current stock and ignores the quantity of the form', async () => {
    const id = await aProduct(shop, { quantity: 10 })
    await anOrder(shop, rider, { productId: id, quantity: 4 })
    expect((await update(id, { quantity: 15, delta: 5 }, admin)).body).toMatchObject({
      quantity: 11,
      modifiedCount: 1,
    })
    expect((await update(id, { quantity: 11, delta: -11 }, admin)).body).toMatchObject({ quantity: 0 })
  })

  test('a delta of zero changes and records nothing', async () => {
    const id = await aProduct(shop, { quantity: 10 })
    expect((await update(id, { quantity: 10, delta: 0 }, admin)).body).toMatchObject({
      modifiedCount: 0,
      quantity: 10,
    })
    expect(await movements(id)).toHaveLength(1)
  })

  test('rejects a stock below 0 and changes nothing', async () => {
    const id = await aProduct(shop, { quantity: 10 })
    expect(await update(id, { quantity: 0, delta: -11 }, admin)).toMatchObject(refused('STOCK_BELOW_ZERO'))
    expect(await update(id, { quantity: -1 }, admin)).toMatchObject(refused('STOCK_BELOW_ZERO'))
    expect((await shop.call('getProduct', { params: { id } })).body.quantity).toBe(10)
    expect(await movements(id)).toHaveLength(1)
  })

  test('rejects a stock above the maximum', async () => {
    const id = await aProduct(shop, { quantity: 10 })
    const response = await update(id, { quantity: 0, delta: 2_147_483_647 }, admin)
    expect(response).toMatchObject({
      status: 400,
      body: { code: 'INVALID_REQUEST', fields: { delta: expect.any(String) } },
    })
  })

  test('adds ten concurrent restocks', async () => {
    const id = await aProduct(shop, { quantity: 10 })
    const restock = () => untilDecided(() => update(id, { quantity: 11, delta: 1 }, admin))
    const replies = await Promise.all(Array.from({ length: 10 }, restock))
    // A request whose commit is late is 503, and adds its piece. The repeated request adds another one.
    const stock = await readStock(shop, id)
    expect(stock).toBe(9 + (await movements(id)).length)
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200))
    expect(new Set(replies.map(({ body }) => body.quantity)).size).toBe(10)
  })

  test('is 404 for an unknown product', async () => {
    expect(await update('none', { quantity: 1 }, admin)).toMatchObject(refused('PRODUCT_NOT_FOUND'))
    expect(await update('none', { quantity: 1, delta: 1 }, admin)).toMatchObject(refused('PRODUCT_NOT_FOUND'))
    expect(await update('none', { quantity: 1, delta: 0 }, admin)).toMatchObject(refused('PRODUCT_NOT_FOUND'))
  })
})
