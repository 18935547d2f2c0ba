import { describe, expect, test } from 'vitest'
import { routes } from '../../../contract/routes.ts'
import { maxVariants } from '../../../contract/variants.ts'
import {
  aCustomer,
  anAdmin,
  anOrder,
  aProduct,
  readProductEtag,
  untilDecided,
} from '../../../tests/factories.ts'
import { expectConsistent, refused, useCustomer, useTestShop } from '../../../tests/shop.ts'
import { readStock } from '../../../tests/stock.ts'

const shop = useTestShop()
const admin = useCustomer(() => anAdmin(shop))

const list = (id: string) => shop.call('listVariants', { as: admin, params: { id } })
const readEtag = async (id: string) => (await list(id)).headers.get('etag') ?? ''
/** Saves without waiting for the ETag of another save. */
const saveWith = (etag: string, id: string, variants: object[], options = 'variants') =>
  shop.call('saveVariants', {
    as: admin,
    params: { id },
    headers: { 'if-match': etag },
    body: { options, variants },
  })
const save = async (id: string, variants: object[], options?: string) =>
  saveWith(await readEtag(id), id, variants, options)
const restock = (id: string, variantId: string, delta: number) =>
  shop.call('updateProduct', { as: admin, params: { id }, body: { quantity: 0, delta, variantId } })
const fieldError = (field: string, message: unknown = expect.any(String)) =>
  refused('INVALID_REQUEST', { fields: { [field]: message as string } })

/** Adds a jacket in S, M and L without stock. Returns the ids of the variants; the first is also the product's id. */
async function aJacket(): Promise<string[]> {
  const id = await aProduct(shop, { name: 'Jacket', price: 100, quantity: 0 })
  const { body } = await save(id, [{ id, size: 'S', sku: 'J-S' }, { size: 'M', sku: 'J-M' }, { size: 'L' }])
  return body.variants.map((variant) => variant.id)
}

describe('GET /v1/products/{id}/variants', () => {
  test('lists the only variant of a new product without the values of the product', async () => {
    const id = await aProduct(shop, { sku: 'P-1', quantity: 7, options: 'standard' })
    const { body, headers } = await list(id)
    expect(body).toEqual({ options: 'standard', variants: [{ id, sku: 'P-1', quantity: 7 }] })
    expect(headers.get('etag')).toMatch(/^"[\w-]+"$/)
  })

  test('has an ETag that changes with the variants, but not with their stock', async () => {
    const id = await aProduct(shop)
    const etag = await readEtag(id)
    await restock(id, id, 5)
    expect(await readEtag(id)).toBe(etag)
    await save(id, [{ weight: 900 }], 'none')
    expect(await readEtag(id)).not.toBe(etag)
  })

  test('is 404 for an unknown or deleted product', async () => {
    const id = await aProduct(shop)
    await shop.call('deleteProduct', { as: admin, query: { id } })
    for (const missing of [id, 'none'])
      expect(await list(missing)).toMatchObject(refused('PRODUCT_NOT_FOUND'))
  })
})

describe('PUT /v1/products/{id}/variants', () => {
  test('saves all fields in the given order, and returns them with the next ETag', async () => {
    const id = await aProduct(shop, { price: 100, quantity: 3 })
    const blue = {
      size: 'M',
      colour: 'Blue',
      swatch: '#1d3f8f',
      sku: 'J-1',
      gtin: '40170725',
      price: 109.5,
      image: '/pictures/chain.svg',
      weight: 1450,
      shelf: 'B-12-3',
      lowStock: 0,
    }
    const { body, headers } = await save(id, [blue, { id, size: 'S', colour: 'Black', swatch: '#000000' }])
    expect(body).toEqual({
      options: 'variants',
      variants: [
        { id: expect.any(String), ...blue, quantity: 0 },
        { id, size: 'S', colour: 'Black', swatch: '#000000', quantity: 3 },
      ],
    })
    expect(headers.get('etag')).toBe(await readEtag(id))
    const product = (await shop.call('getProduct', { params: { id } })).body
    expect(product).toMatchObject({ options: 'variants', price: 100, from: true, quantity: 3 })
    expect(product.variants?.map(({ price }) => price)).toEqual([109.5, 100])
    // The place and the low stock are only for admins.
    expect(JSON.stringify(product)).not.toMatch(/B-12-3|low/i)
    await expectConsistent(shop.db)
  })

  test.each(['standard', 'variants'])(
    'keeps shelf and low stock that are not sent, and clears blank ones, with the options "%s"',
    async (options) => {
      const id = await aProduct(shop, { quantity: 3 })
      const variant = { id, ...(options === 'variants' && { size: 'S' }) }
      const placed = { ...variant, shelf: 'B-12-3', lowStock: 2 }
      await save(id, [placed], options)
      const weighed = await save(id, [{ ...variant, weight: 900 }], options)
      expect(weighed.body.variants).toEqual([{ ...placed, weight: 900, quantity: 3 }])
      const cleared = await save(id, [{ ...variant, shelf: '', lowStock: null }], options)
      expect(cleared.body.variants).toEqual([{ ...variant, quantity: 3 }])
    },
  )

  test('accepts the largest valid body, and rejects a larger one', async () => {
    // A character outside ASCII with the most bytes for its length.
    const pad = (text: string, length: number) => text.padEnd(length, '車')
    const largest = (id: string, index: number) => ({
      id,
      size: pad(`${index}`, 60),
      colour: pad('', 60),
      swatch: '#1d3f8f',
      sku: `${index}`.padEnd(40, '"'),
      gtin: '10614141000415',
      ...(index > 0 && { price: 999_998.99 }),
      image: pad('http://a/', 2000),
      weight: 1_000_000,
      shelf: pad('', 20),
      lowStock: 1_000_000,
    })
    const id = await aProduct(shop, { quantity: 0 })
    // Slow machines take longer than the time of a call.
    const saveLarge = (variants: object[]) => untilDecided(() => save(id, variants))
    const added = await saveLarge(Array.from({ length: maxVariants }, (_, index) => ({ size: `${index}` })))
    const saved = await saveLarge(added.body.variants.map((each, index) => largest(each.id, index)))
    expect(saved.status).toBe(200)
    expect(saved.body.variants[199]).toEqual({
      ...largest(saved.body.variants[199]?.id ?? '', 199),
      quantity: 0,
    })

    const unknown = Array.from({ length: maxVariants }, (_, index) => largest(pad(`${index}`, 200), index))
    const bytes = Buffer.byteLength(JSON.stringify({ options: 'variants', variants: unknown }))
    const { maxBodyBytes } = routes.saveVariants
    expect(bytes).toBeGreaterThan(0.9 * maxBodyBytes)
    expect(await saveLarge(unknown)).toMatchObject(refused('VARIANT_NOT_FOUND'))
    const padding = 'x'.repeat(maxBodyBytes - bytes)
    expect(await save(id, [...unknown, { padding }])).toMatchObject(refused('BODY_TOO_LARGE'))
  })

  test('rejects a save whose ETag does not match the current variants, and changes nothing', async () => {
    const [id = '', medium] = await aJacket()
    const etag = await readEtag(id)
    expect(
      (
        await saveWith(etag, id, [
          { id, size: 'S' },
          { id: medium, size: 'M' },
        ])
      ).status,
    ).toBe(200)
    expect(await saveWith(etag, id, [{ id, size: 'XS' }])).toMatchObject(refused('VARIANTS_CHANGED'))
    expect((await list(id)).body.variants.map(({ size }) => size)).toEqual(['S', 'M'])
    expect((await saveWith(`W/${await readEtag(id)}`, id, [{ id, size: 'XS' }])).status).toBe(200)
  })

  test.each([undefined, '', '*', 'abc', '"a", "b"'])('rejects the If-Match header %j', async (etag) => {
    const id = await aProduct(shop)
    const response = await shop.call('saveVariants', {
      as: admin,
      params: { id },
      ...(etag !== undefined && { headers: { 'if-match': etag } }),
      body: { options: 'none', variants: [{}] },
    })
    expect(response).toMatchObject(fieldError('if-match'))
  })

  test('swaps part numbers, sizes and the order in one save, and records each change once', async () => {
    const [id = '', medium = '', large = ''] = await aJacket()
    await restock(id, medium, 4)
    const { status } = await save(id, [
      { id: large, size: 'S', sku: 'J-M' },
      { id: medium, size: 'M', sku: 'J-S' },
      { id, size: 'L' },
    ])
    expect(status).toBe(200)
    const { body } = await list(id)
    expect(body.variants).toEqual([
      { id: large, size: 'S', sku: 'J-M', quantity: 0 },
      { id: medium, size: 'M', sku: 'J-S', quantity: 4 },
      { id, size: 'L', quantity: 0 },
    ])
    const { entries } = (await shop.call('listAudit', { as: admin, query: { area: 'products' } })).body
    const edits = entries.filter(({ kind }) => kind === 'edited').slice(0, 3)
    expect(edits.map(({ subject, changes, by }) => [subject.name, changes, by?.email])).toEqual(
      expect.arrayContaining([
        [
          'Jacket, S',
          [
            { field: 'sku', after: 'J-M' },
            { field: 'size', before: 'L', after: 'S' },
          ],
          admin.email,
        ],
        ['Jacket, M', [{ field: 'sku', before: 'J-M', after: 'J-S' }], admin.email],
      ]),
    )
    expect(entries.filter(({ kind }) => kind !== 'edited').map(({ kind }) => kind)).toEqual([
      'added',
      'added',
      'added',
    ])
    expect(await readStock(shop, id)).toBe(4)
    await expectConsistent(shop.db)
  })

  test('a new order of the variants is not a change of the audit', async () => {
    const [id = '', medium, large] = await aJacket()
    const count = async () => (await shop.call('listAudit', { as: admin })).body.entries.length
    const before = await count()
    const moved = [
      { id: large, size: 'L' },
      { id: medium, size: 'M', sku: 'J-M' },
      { id, size: 'S', sku: 'J-S' },
    ]
    expect((await save(id, moved)).body.variants.map(({ size }) => size)).toEqual(['L', 'M', 'S'])
    expect(await count()).toBe(before)
  })

  test('records options, weight, price, picture and swatch with product, size and colour', async () => {
    const id = await aProduct(shop, { name: 'Jacket', price: 100, quantity: 0 })
    const first = { id, size: 'S', colour: 'Red' }
    await save(id, [
      { ...first, weight: 900, swatch: '#ff0000', image: '/pictures/chain.svg', shelf: 'B-1', lowStock: 2 },
    ])
    await save(id, [first, { size: 'L', colour: 'Red', price: 120 }])
    const { entries } = (await shop.call('listAudit', { as: admin, query: { area: 'products' } })).body
    const lines = entries.flatMap(({ kind, subject, changes = [] }) =>
      changes.map(({ field, after = '' }) => `${subject.name} ${kind} ${field} ${after}`),
    )
    expect(lines).toEqual(
      expect.arrayContaining([
        'Jacket edited options variants',
        'Jacket, S, Red edited weight 900',
        'Jacket, S, Red edited shelf B-1',
        'Jacket, S, Red edited low_stock 2',
        'Jacket, S, Red edited swatch #ff0000',
        'Jacket, S, Red edited image /pictures/chain.svg',
        'Jacket, S, Red edited size S',
        'Jacket, L, Red added price 120',
      ]),
    )
  })

  test('removes a variant only without stock, and restores it with the same size and colour', async () => {
    const [id = '', medium = '', large = ''] = await aJacket()
    await restock(id, medium, 2)
    const others = [
      { id, size: 'S', sku: 'J-S' },
      { id: large, size: 'L' },
    ]
    expect(await save(id, others)).toMatchObject(
      refused('VARIANT_HAS_STOCK', { fields: { variants: 'M: 2 pcs in stock.' } }),
    )
    await restock(id, medium, -2)
    expect((await save(id, others)).status).toBe(200)
    expect((await shop.call('getProduct', { params: { id } })).body.variants).toHaveLength(2)
    const { body } = await save(id, [...others, { size: 'M' }])
    expect(body.variants[2]).toEqual({ id: medium, size: 'M', quantity: 0 })
    const { entries } = (await shop.call('listAudit', { as: admin, query: { area: 'products' } })).body
    expect(entries.slice(0, 2).map(({ kind, subject }) => [kind, subject.name, subject.variant])).toEqual([
      ['added', 'Jacket, M', true],
      ['deleted', 'Jacket, M', true],
    ])
  })

  test('lists a removed variant to which an order returned its pieces, and sells them after it is restored', async () => {
    const [id = '', medium = ''] = await aJacket()
    await restock(id, medium, 1)
    const orderId = await anOrder(shop, await aCustomer(shop), { productId: id, price: 100 })
    await save(id, [{ id, size: 'S' }])
    await shop.call('deleteOrder', { as: admin, query: { id: orderId } })
    expect(await readStock(shop, id)).toBe(0)
    const { body } = await list(id)
    expect(body.variants[1]).toMatchObject({ id: medium, removed: true, quantity: 1 })
    expect(
      (
        await save(id, [
          { id, size: 'S' },
          { id: medium, size: 'M' },
        ])
      ).status,
    ).toBe(200)
    expect(await readStock(shop, id)).toBe(1)
    await expectConsistent(shop.db)
  })

  test('without own options exactly the first variant is left, without size and colour', async () => {
    const [id = '', medium = '', large = ''] = await aJacket()
    expect((await save(id, [{ id: large, size: 'L' }])).status).toBe(200)
    const { body } = await save(id, [{ weight: 800 }], 'none')
    expect(body).toEqual({ options: 'none', variants: [{ id, weight: 800, quantity: 0 }] })
    expect(await save(id, [{ id: medium }], 'none')).toMatchObject(fieldError('variants.0.id'))
    expect(await save(id, [{}, {}], 'standard')).toMatchObject(fieldError('variants'))
    for (const field of ['size', 'colour', 'price', 'image', 'swatch']) {
      const value = { price: 200, image: '/pictures/chain.svg', swatch: '#000000' }[field] ?? 'M'
      expect(await save(id, [{ [field]: value }], 'none')).toMatchObject(fieldError(`variants.0.${field}`))
    }
    await expectConsistent(shop.db)
  })

  test('rejects the same size and colour twice', async () => {
    const [id = ''] = await aJacket()
    expect(
      await save(id, [
        { id, size: 'S', colour: 'Red' },
        { size: 'S', colour: ' Red ' },
      ]),
    ).toMatchObject(refused('VARIANT_TAKEN', { fields: { 'variants.1.size': expect.any(String) } }))
  })

  test("rejects the same part number twice, or another product's part number", async () => {
    await aProduct(shop, { sku: 'P-1' })
    const [id = ''] = await aJacket()
    const taken = refused('SKU_TAKEN', { fields: { 'variants.1.sku': expect.any(String) } })
    expect(
      await save(id, [
        { id, size: 'S', sku: 'A1' },
        { size: 'M', sku: 'a-1' },
      ]),
    ).toMatchObject(taken)
    expect(
      await save(id, [
        { id, size: 'S' },
        { size: 'M', sku: 'p 1' },
      ]),
    ).toMatchObject(taken)
  })

  test('rejects the id of a variant that does not exist or belongs to another product', async () => {
    const other = await aProduct(shop)
    const [id = ''] = await aJacket()
    for (const unknown of [other, 'none'])
      expect(
        await save(id, [
          { id, size: 'S' },
          { id: unknown, size: 'M' },
        ]),
      ).toMatchObject(refused('VARIANT_NOT_FOUND'))
    expect(
      await save(id, [
        { id, size: 'S' },
        { id, size: 'M' },
      ]),
    ).toMatchObject(fieldError('variants.1.id'))
  })

  test.each([
    [{}, 'variants.1.size', 'Enter a size or a colour'],
    [{ colour: 'Red' }, 'variants.1.size', 'Enter a size, as for the other variants'],
    [{ size: 'M', colour: 'Red' }, 'variants.0.colour', 'Enter a colour, as for the other variants'],
    [{ size: 'M', price: 99.99 }, 'variants.1.price', 'At least the price of the product, $100'],
    [{ size: 'M', swatch: 'blue' }, 'variants.1.swatch', 'Enter a colour such as #1d3f8f'],
    [{ size: 'M', shelf: 'x'.repeat(21) }, 'variants.1.shelf', 'At most 20 characters'],
    [{ size: 'M', lowStock: -1 }, 'variants.1.lowStock', 'At least 0'],
    [{ size: 'M', lowStock: '2' }, 'variants.1.lowStock', 'Enter a whole number'],
    [{ size: 'M', weight: 0 }, 'variants.1.weight', 'At least 1 g'],
    [{ size: 'M', weight: 1.5 }, 'variants.1.weight', 'Enter a whole number'],
    [{ size: 'M', gtin: '123' }, 'variants.1.gtin', 'A GTIN has 8, 12, 13 or 14 digits'],
    [{ size: 'x'.repeat(61) }, 'variants.1.size', 'At most 60 characters'],
    [{ size: 'M', sku: '--' }, 'variants.1.sku', 'Use at least one letter or digit'],
  ])('rejects the variant %j', async (variant, field, message) => {
    const [id = ''] = await aJacket()
    expect(await save(id, [{ id, size: 'S' }, variant])).toMatchObject(fieldError(field, message))
  })

  test('rejects 0 or 201 variants, a price for each variant, and a minimum order above 1', async () => {
    const [id = ''] = await aJacket()
    expect(await save(id, [])).toMatchObject(fieldError('variants', 'At least one variant'))
    const many = Array.from({ length: 201 }, (_, index) => ({ size: `${index}` }))
    expect(await save(id, many)).toMatchObject(fieldError('variants', 'At most 200 variants'))
    expect((await save(id, [{ id, size: 'S' }, ...many.slice(2)])).body.variants).toHaveLength(200)
    expect(await save(id, [{ id, size: 'S', price: 120 }])).toMatchObject(fieldError('variants'))
    const pair = await aProduct(shop, { minimum: 2 })
    expect(await save(pair, [{ size: 'S' }])).toMatchObject(fieldError('options'))
  })

  test('of ten concurrent saves of one list one succeeds, and one of six products gets the same part numbers', async () => {
    const [id = ''] = await aJacket()
    const etag = await readEtag(id)
    const sizes = Array.from({ length: 10 }, (_, index) => `${40 + index}`)
    const answers = await Promise.all(
      sizes.map((size) => untilDecided(() => saveWith(etag, id, [{ id, size }]))),
    )
    expect(answers.map(({ status }) => `${status}`).toSorted()).toEqual(['200', ...Array(9).fill('412')])

    const numbers = Array.from({ length: 100 }, (_, index) => `X${index}`)
    const rows = (skus: string[]) => skus.map((sku, index) => ({ size: `${index}`, sku }))
    const ids = await Promise.all(numbers.slice(0, 6).map(() => aProduct(shop, { quantity: 0 })))
    const saved = await Promise.all(
      ids.map((each, index) =>
        untilDecided(() => save(each, rows(index % 2 === 0 ? numbers : numbers.toReversed()))),
      ),
    )
    expect(saved.map(({ status }) => `${status}`).toSorted()).toEqual(['200', ...Array(5).fill('409')])
    await expectConsistent(shop.db)
  })
})

describe('PUT /v1/products/{id} of a product with own sizes and colours', () => {
  const edited = { name: 'Jacket', minimum: 1, description: 'Warm.', image: '/pictures/chain.svg' }
  const edit = async (id: string, body: object) =>
    shop.call('editProduct', {
      as: admin,
      params: { id },
      headers: { 'if-match': await readProductEtag(shop, admin, id) },
      body: { ...edited, ...body },
    })

  test('keeps the price of the product the lowest one, the minimum order 1 and the part numbers', async () => {
    const id = await aProduct(shop, { price: 100 })
    await save(id, [
      { id, size: 'S', sku: 'J-S' },
      { size: 'XL', price: 120 },
    ])
    expect(await edit(id, { price: 121 })).toMatchObject(
      fieldError('price', 'A size or colour costs $120. Change its price first.'),
    )
    expect(await edit(id, { price: 100, minimum: 2 })).toMatchObject(fieldError('minimum'))
    expect(await edit(id, { price: 100, sku: 'P-1' })).toMatchObject(fieldError('sku'))
    expect((await edit(id, { price: 120 })).status).toBe(200)
    expect((await list(id)).body.variants[0]).toMatchObject({ sku: 'J-S' })
    await expectConsistent(shop.db)
  })
})
