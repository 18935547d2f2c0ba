import { describe, expect, test } from 'vitest'
import { anAdmin, aProduct } from '../../../../tests/factories.ts'
import { refused, useCustomer, useTestShop } from '../../../../tests/shop.ts'

const shop = useTestShop()
const admin = useCustomer(() => anAdmin(shop))

const pads = {
  name: 'Brake pads',
  price: 40,
  quantity: 5,
  minimum: 1,
  description: 'Sintered.',
  image: '/pictures/brake-pads.svg',
}
const add = (more: object) => shop.call('addProduct', { as: admin, body: { ...pads, ...more } })

describe('POST /add-product with brand, kind, part number and GTIN', () => {
  test('saves all four', async () => {
    const more = { brand: 'Grauwerk', kind: 'Brake pads', sku: 'GRA-47 11/b', gtin: '4006381333931' }
    const { body } = await add(more)
    const { body: product } = await shop.call('getProduct', { params: { id: body.insertedId } })
    expect(product).toMatchObject(more)
  })

  test('requires none of them, and treats a blank as missing', async () => {
    const blank = { brand: '', kind: ' ', sku: '', gtin: '' }
    const responses = [await add({}), await add(blank), await add(blank)]
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200])
  })

  test.each(['GRA-4711', 'gra 4711', 'GRA4711', 'g.r.a.4711'])(
    'rejects a duplicate part number: %s is GRA-4711',
    async (sku) => {
      await aProduct(shop, { sku: 'GRA-4711' })
      expect(await add({ sku })).toMatchObject(refused('SKU_TAKEN'))
    },
  )

  test('accepts the part number of a deleted product', async () => {
    const id = await aProduct(shop, { sku: 'GRA-4711' })
    await shop.call('deleteProduct', { as: admin, query: { id } })
    expect((await add({ sku: 'GRA-4711' })).status).toBe(200)
  })

  test('rejects one of two concurrent products with the same part number', async () => {
    const responses = await Promise.all([add({ sku: 'A1' }), add({ sku: 'a-1' })])
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200, 409]))
  })

  test.each(['96385074', '036000291452', '4006381333931', '00012345600012'])(
    'accepts the GTIN %s',
    async (gtin) => {
      expect((await add({ gtin })).status).toBe(200)
    },
  )

  test.each([
    ['sku', '---'],
    ['sku', 'É-1'],
    ['sku', 'x'.repeat(41)],
    ['gtin', '4006381333932'],
    ['gtin', '0360002914520'],
    ['gtin', '123'],
    ['gtin', '40063813339 31'],
    ['brand', 'x'.repeat(81)],
    ['kind', 'x'.repeat(81)],
  ])('rejects %s %j', async (field, value) => {
    const response = await add({ [field]: value })
    expect(response).toMatchObject({ status: 400, body: { fields: { [field]: expect.any(String) } } })
  })

  test.each(['4006381333932', '0360002914520', '123'])('the database rejects the GTIN %s', async (gtin) => {
    const id = await aProduct(shop)
    const change = shop.db.updateTable('variants').set({ gtin }).where('id', '=', id).execute()
    await expect(change).rejects.toThrow('variants_gtin_check')
  })
})
