import { describe, expect, test } from 'vitest'
import type { EditedProduct } from '../../../contract/catalog.ts'
import { anAdmin, anOrder, aProduct, readProductEtag } from '../../../tests/factories.ts'
import { refused, useCustomer, useTestShop } from '../../../tests/shop.ts'

const shop = useTestShop()
const admin = useCustomer(() => anAdmin(shop))

const edited: EditedProduct = {
  name: 'Race chain',
  price: 95,
  minimum: 2,
  description: 'Steel.',
  image: '/pictures/chain.svg',
}
const editWith = (etag: string, id: string, body: object = edited) =>
  shop.call('editProduct', { as: admin, params: { id }, body, headers: { 'if-match': etag } })
/** Edits the present product. */
const edit = async (id: string, body: object = edited) =>
  editWith(await readProductEtag(shop, admin, id), id, body)

describe('PUT /v1/products/{id}', () => {
  test('replaces all fields except the stock, clears missing ones, and records the admin', async () => {
    const id = await aProduct(shop, { sku: 'P-1', supplier: 'Link & Sons', quantity: 7 })
    expect((await edit(id, { ...edited, quantity: 99 })).body).toEqual({
      acknowledged: true,
      modifiedCount: 1,
    })
    const { body } = await shop.call('getProduct', { params: { id } })
    const variants = [{ id, price: 95, quantity: 7 }]
    const others = { quantity: 7, options: 'none', variants, fitKind: 'vehicle' }
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

  test('keeps a return note that is not sent, and clears a blank one', async () => {
    const id = await aProduct(shop)
    await edit(id, { ...edited, returns: 'Made to order' })
    await edit(id, { ...edited, price: 90 })
    const read = async () => (await shop.call('getEditableProduct', { as: admin, params: { id } })).body
    expect(await read()).toMatchObject({ price: 90, returns: 'Made to order' })
    await edit(id, { ...edited, returns: '' })
    expect(await read()).not.toHaveProperty('returns')
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

  test("refuses another admin's stale form with the present values, and takes it with their ETag", async () => {
    const id = await aProduct(shop, { price: 49 })
    const etag = await readProductEtag(shop, admin, id)
    const word = await editWith(etag, id, { ...edited, price: 39.9 })
    expect(word.status).toBe(200)
    const stale = await editWith(etag, id, { ...edited, price: 49, description: 'Steel and brass.' })
    expect(stale).toMatchObject({
      ...refused('PRODUCT_CHANGED'),
      body: {
        product: { name: 'Race chain', price: 39.9, certificates: [] },
        etag: word.headers.get('etag'),
      },
    })
    const read = () => shop.call('getEditableProduct', { as: admin, params: { id } })
    expect((await read()).body).toMatchObject({ price: 39.9, description: 'Steel.' })
    const own = await editWith(`W/${word.headers.get('etag')}`, id, { ...edited, price: 45 })
    expect(own.status).toBe(200)
    expect((await read()).headers.get('etag')).toBe(own.headers.get('etag'))
  })

  test('has an ETag that changes with the certificates and an only part number, but not with the stock', async () => {
    const id = await aProduct(shop, { quantity: 7 })
    const etag = await readProductEtag(shop, admin, id)
    await shop.call('updateProduct', { as: admin, params: { id }, body: { quantity: 9 } })
    expect(await readProductEtag(shop, admin, id)).toBe(etag)
    const certificates = [{ standard: 'ECE 22.06' }]
    const save = () =>
      shop.call('saveCertificates', {
        as: admin,
        params: { id },
        body: { certificates },
        headers: { 'if-match': etag },
      })
    const saved = await save()
    expect(saved.headers.get('etag')).not.toBe(etag)
    expect(await save()).toMatchObject({
      ...refused('PRODUCT_CHANGED'),
      body: { product: { certificates }, etag: saved.headers.get('etag') },
    })
    await shop.db.updateTable('variants').set({ sku: 'P-9' }).where('product_id', '=', id).execute()
    expect(await editWith(saved.headers.get('etag') ?? '', id)).toMatchObject({ status: 412 })
  })

  test('of ten concurrent edits with one ETag, one is saved', async () => {
    const id = await aProduct(shop)
    const etag = await readProductEtag(shop, admin, id)
    const saved = await Promise.all(
      Array.from({ length: 10 }, (_, index) => editWith(etag, id, { ...edited, price: 50 + index })),
    )
    expect(saved.map(({ status }) => `${status}`).toSorted()).toEqual(['200', ...Array(9).fill('412')])
  })

  test.each([undefined, '', '*', 'abc'])('rejects the If-Match header %j', async (etag) => {
    const id = await aProduct(shop)
    const response = await shop.call('editProduct', {
      as: admin,
      params: { id },
      body: edited,
      ...(etag !== undefined && { headers: { 'if-match': etag } }),
    })
    expect(response).toMatchObject({ status: 400, body: { fields: { 'if-match': expect.anything() } } })
  })

  test('is 404 for an unknown or deleted product', async () => {
    const id = await aProduct(shop)
    await shop.call('deleteProduct', { as: admin, query: { id } })
    for (const missing of [id, 'none'])
      expect(await editWith('"x"', missing)).toMatchObject(refused('PRODUCT_NOT_FOUND'))
  })
})
