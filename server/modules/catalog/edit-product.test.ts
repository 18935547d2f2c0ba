import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { EditedProduct } from '../../../contract/catalog.ts'
import { anAdmin, anOrder, aProduct, type TestCustomer } from '../../../tests/factories.ts'
import { openTestShop, refused, type TestShop } from '../../../tests/shop.ts'

let shop: TestShop
let admin: TestCustomer

beforeAll(async () => {
  shop = await openTestShop()
})
afterAll(() => shop.close())
beforeEach(async () => {
  await shop.database.empty()
  admin = await anAdmin(shop)
})

const edited: EditedProduct = {
  name: 'Race chain',
  price: 95,
  minimum: 2,
  description: 'Steel.',
  image: '/pictures/chain.svg',
}
const edit = (id: string, body: object = edited, as: TestCustomer | undefined = admin) =>
  shop.call('editProduct', { as, params: { id }, body })

describe('PUT /v1/products/{id}', () => {
  test('replaces all fields except the stock, clears missing ones, and records the admin', async () => {
    const id = await aProduct(shop, { sku: 'P-1', supplier: 'Link & Sons', quantity: 7 })
    expect((await edit(id, { ...edited, quantity: 99 })).body).toEqual({
      acknowledged: true,
      modifiedCount: 1,
    })
    const { body } = await shop.call('getProduct', { params: { id } })
    const variants = [{ id, price: 95, quantity: 7 }]
    const others = { quantity: 7, options: 'standard', variants, fitKind: 'vehicle' }
    expect(body).toEqual({ _id: id, ...edited, ...others })
    const changes = await shop.db
      .selectFrom('product_changes')
      .selectAll()
      .where('kind', '=', 'edited')
      .execute()
    expect(changes).toMatchObject([
      { product_id: id, variant_id: null, actor_id: admin.id, before: { price_cents: 4000 } },
      { product_id: id, variant_id: id, actor_id: admin.id, before: { sku: 'P-1' }, after: { sku: null } },
    ])
  })

  test.each([0.01, 12.5, 19.99, 39, 999_999])('accepts the price %d', async (price) => {
    const id = await aProduct(shop)
    expect((await edit(id, { ...edited, price })).status).toBe(200)
    expect((await shop.call('getProduct', { params: { id } })).body.price).toBe(price)
  })

  test.each([
    [undefined, 'Price is required'],
    [0, 'At least $0.01'],
    [-12.5, 'At least $0.01'],
    [1e21, 'At most $999,999'],
    [12.345, 'Enter dollars with at most two decimals, such as 12.50'],
    ['12.50', 'Enter dollars with at most two decimals, such as 12.50'],
    ['12,50', 'Enter dollars with at most two decimals, such as 12.50'],
    [null, 'Enter dollars with at most two decimals, such as 12.50'],
  ])('rejects the price %j', async (price, message) => {
    const id = await aProduct(shop)
    expect(await edit(id, { ...edited, price })).toMatchObject(
      refused('INVALID_REQUEST', { fields: { price: message } }),
    )
  })

  test('does not change the picture of orders', async () => {
    const id = await aProduct(shop)
    const order = await anOrder(shop, admin, { productId: id })
    await edit(id)
    const { body } = await shop.call('getOrder', { as: admin, query: { id: order } })
    expect(body.image).toBe('/pictures/brake-pads.svg')
  })

  test('rejects the part number of another product, and values that are invalid for a new one', async () => {
    await aProduct(shop, { sku: 'P-1' })
    const id = await aProduct(shop, { sku: 'P-2' })
    expect(await edit(id, { ...edited, sku: 'p 1' })).toMatchObject(refused('SKU_TAKEN'))
    expect(await edit(id, { ...edited, name: '' })).toMatchObject(
      refused('INVALID_REQUEST', { fields: { name: 'Name is required' } }),
    )
    expect((await edit(id, { ...edited, sku: 'P2' })).status).toBe(200)
  })

  test('is 404 for an unknown or deleted product', async () => {
    const id = await aProduct(shop)
    await shop.call('deleteProduct', { as: admin, query: { id } })
    for (const missing of [id, 'none'])
      expect(await edit(missing)).toMatchObject(refused('PRODUCT_NOT_FOUND'))
  })
})
