import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { NewProduct } from '../../../../contract/catalog.ts'
import { anAdmin, aProduct, readProductEtag, type TestCustomer } from '../../../../tests/factories.ts'
import { openTestShop, type TestShop } from '../../../../tests/shop.ts'

let shop: TestShop
let admin: TestCustomer

const shelf: Partial<NewProduct>[] = [
  {
    name: 'Floating disc, 320 mm',
    brand: 'Grauwerk',
    kind: 'Brake discs',
    sku: 'GRA-004711',
    category: 'Imported',
  },
  {
    name: 'Sintered pads, front',
    brand: 'Grauwerk',
    kind: 'Brake pads',
    sku: 'GRA-004712',
    category: 'Imported',
  },
  { name: 'Organic pads', brand: 'Ölberg', kind: 'Brake pads', sku: '47 11/B', gtin: '4006381333931' },
  {
    name: 'Café helmet, 100 % carbon',
    brand: 'Halden',
    kind: 'Open-face helmets',
    supplier: 'Saltmarsh Riding Gear',
  },
  {
    name: 'X-ring chain 520',
    brand: 'Dravic',
    kind: 'Chains',
    sku: 'DRA-520',
    gtin: '00036000291452',
    supplier: 'Brake & Chain Ltd',
  },
  { name: 'Engine oil 10W-40, 4 L', brand: 'Stagholt', kind: 'Oils', category: 'Local' },
  { name: 'Polish (M6\\M8) "_blank_"', brand: 'Most', kind: 'Tools' },
  { name: 'GRA004711 poster', brand: 'Paperworks', kind: 'Gifts' },
  { name: 'Шлем Юпитер', brand: 'ヤマハ', kind: 'Full-face helmets' },
]

beforeAll(async () => {
  shop = await openTestShop()
  for (const product of shelf) await aProduct(shop, product)
  admin = await anAdmin(shop)
})
afterAll(() => shop.close())

const find = async (q: string, more: Record<string, string | number> = {}) => {
  const { status, body } = await shop.call('listProducts', { query: { q, ...more } })
  expect(status).toBe(200)
  return body.map(({ name }) => name.split(/[ ,]/)[0])
}

describe('GET /products?q=', () => {
  test.each([
    ['its name', 'floating disc', ['Floating']],
    ['words in any order', 'pads front sintered', ['Sintered']],
    ['its brand', 'grauwerk', ['Floating', 'Sintered']],
    ['its kind, in the singular', 'chain', ['X-ring']],
    ['its supplier', 'saltmarsh', ['Café']],
    ['its category', 'local', ['Engine']],
    ['a prefix of a word', 'hel', ['Café', 'Шлем']],
    ['words of name, brand and kind together', 'olberg brake organic', ['Organic']],
    ['a brand that is also a common word', 'most', ['Polish']],
    ['another alphabet', 'шлем', ['Шлем']],
    ['characters of another script', 'ヤマハ', ['Шлем']],
  ])('finds a product by %s', async (_how, q, found) => {
    expect(await find(q)).toEqual(found)
  })

  test('ranks matches in the name before other matches', async () => {
    expect(await find('chain')).toEqual(['X-ring'])
    await aProduct(shop, { name: 'Cleaner', kind: 'Chains' })
    await aProduct(shop, { name: 'Chain brush', supplier: 'Somebody' })
    for (const typed of ['chain', 'Chain chain', 'drive chain chain'])
      expect(await find(typed)).toEqual(['X-ring', 'Chain', 'Cleaner'])
  })

  test.each(['oelberg', 'ölberg', 'OLBERG', 'O\u0308lberg'])('ignores accents and case: %j', async (q) => {
    expect(await find(q)).toEqual(['Organic'])
  })

  test.each(['cafe', 'café', 'CAFÉ', 'cafe\u0301'])('finds %j in every Unicode form', async (q) => {
    expect(await find(q)).toEqual(['Café'])
  })

  test.each([
    ['x-ring', 'X-ring'],
    ['xring', 'X-ring'],
    ['x ring', 'X-ring'],
    ['10w-40', 'Engine'],
    ['10w40', 'Engine'],
    ['10W 40', 'Engine'],
  ])('finds %j with and without the dash', async (q, name) => {
    expect(await find(q)).toEqual([name])
  })

  test.each(['GRA-004711', 'gra004711', 'gra 004711', ' Gra 00 47-11 ', 'GRA.004711'])(
    'ranks the part number %j before matches in the name',
    async (q) => {
      expect((await find(q))[0]).toBe('Floating')
    },
  )

  test.each([
    ['a prefix of a part number', 'gra-0047', ['Floating', 'Sintered', 'GRA004711']],
    ['a part number that starts with digits', '4711b', ['Organic']],
    ['a GTIN', '4006381333931', ['Organic']],
    ['a GTIN with spaces', '4 006381 333931', ['Organic']],
    ['a GTIN with a zero before it', '04006381333931', ['Organic']],
    ['a GTIN without the zeros before it', '36000291452', ['X-ring']],
  ])('finds %s', async (_what, q, found) => {
    expect(await find(q)).toEqual(found)
  })

  test.each([
    ['grauwrek', 'grauwerk', ['Floating', 'Sintered']],
    ['sintred pasd', 'sintered pads', ['Sintered']],
    ['flaoting dsic', 'floating disc', ['Floating']],
    ['haldne', 'halden', ['Café']],
    ['stagholdt', 'stagholt', ['Engine']],
  ])('corrects %j to %j and reports the correction', async (q, meant, found) => {
    expect(await find(q)).toEqual(found)
    const { body } = await shop.call('countProducts', { query: { q } })
    expect(body.searchedFor).toBe(meant)
  })

  test('does not correct a known word when filters exclude all its hits', async () => {
    expect(await find('sintered', { kind: 'Oils' })).toEqual([])
    const { body } = await shop.call('countProducts', { query: { q: 'sintered', kind: 'Oils' } })
    expect(body).toMatchObject({
      total: 0,
      facets: { kind: { values: [{ value: 'Brake pads', count: 1 }] } },
    })
    expect(body.searchedFor).toBeUndefined()
  })

  test.each(['', ' ', '   '])('returns all products for the blank search %j', async (q) => {
    expect((await find(q)).length).toBeGreaterThanOrEqual(shelf.length)
  })

  test.each(['%', '_', '*', '.*', '?', "'", '"', '\\', '()', '& | !', '<->', ':*', '--', '…', '🏍️', '$1'])(
    'finds nothing for %j, which has no letters or digits',
    async (q) => {
      expect(await find(q)).toEqual([])
      expect((await shop.call('countProducts', { query: { q } })).body.total).toBe(0)
    },
  )

  test.each([
    "floating' or 1=1 --",
    "floating'; drop table products; --",
    'floating & !disc | pads:*',
    '(floating|pads)',
    'float%',
    "':kind:Oils'",
    ':kind:Oils',
    '\\floating\\',
    '[[:alpha:]]+',
    '{"floating": 1}',
  ])('treats %j as its words', async (q) => {
    const { status } = await shop.call('listProducts', { query: { q } })
    expect(status).toBe(200)
    expect((await find('floating')).length).toBe(1)
  })

  test.each(['a', 'x', 'é', '1', 'я'])('accepts the single character %j', async (q) => {
    expect(Array.isArray(await find(q))).toBe(true)
  })

  test.each([
    ['one word', 'x'.repeat(500), []],
    ['250 letters', 'x '.repeat(250).trim(), ['X-ring']],
    ['the same word again and again', 'floating '.repeat(55).trim(), ['Floating']],
    ['signs', '%_\\'.repeat(166), []],
  ])('accepts 500 characters of %s', async (_what, q, found) => {
    expect(await find(q)).toEqual(found)
  })

  test('rejects more than 500 characters', async () => {
    const response = await shop.call('listProducts', { query: { q: 'x'.repeat(501) } })
    expect(response).toMatchObject({ status: 400, body: { fields: { q: 'At most 500 characters' } } })
  })

  test('finds words that the Postgres parser splits', async () => {
    await aProduct(shop, { name: 'Adaptör 5E3X' })
    expect(await find('adaptör 5e3x')).toEqual(['Adaptör'])
    expect(await find('5e3x', { sort: 'name' })).toEqual(['Adaptör'])
  })

  test('finds a product by its current words, with and without its kind and brand', async () => {
    const id = await aProduct(shop, { name: 'Theremin' })
    expect(await find('theremin')).toEqual(['Theremin'])
    const was = {
      name: 'Theremin',
      description: 'Hums.',
      image: '/pictures/chain.svg',
      price: 40,
      minimum: 1,
    }
    const change = async (product: Partial<NewProduct>) =>
      expect(
        await shop.call('editProduct', {
          as: admin,
          params: { id },
          headers: { 'if-match': await readProductEtag(shop, admin, id) },
          body: { ...was, ...product },
        }),
      ).toMatchObject({ status: 200 })
    await change({ kind: 'Instruments', brand: 'Moegg' })
    expect(await find('theremin', { kind: 'Instruments', brand: 'Moegg' })).toEqual(['Theremin'])
    await change({ kind: 'Chains', brand: 'Dravic', name: 'Ondes martenot' })
    expect(await find('martenot', { kind: 'Chains', brand: 'Dravic' })).toEqual(['Ondes'])
    expect(await find('martenot', { kind: 'Instruments' })).toEqual([])
  })

  test('does not find a deleted product', async () => {
    const id = await aProduct(shop, { name: 'Xylophone', sku: 'XYL-1' })
    expect(await find('xylophone')).toEqual(['Xylophone'])
    await shop.call('deleteProduct', { as: admin, query: { id } })
    expect(await find('xylophone')).toEqual([])
    expect(await find('xyl-1')).toEqual([])
  })

  test('sorts the hits as requested', async () => {
    await aProduct(shop, { name: 'Wool hat', price: 30 })
    await aProduct(shop, { name: 'Wool scarf', price: 20 })
    await aProduct(shop, { name: 'Argyle, wool', price: 25 })
    expect(await find('wool', { sort: 'price' })).toEqual(['Wool', 'Argyle', 'Wool'])
    expect(await find('wool', { sort: '-price', pageSize: 1, page: 2 })).toEqual(['Argyle'])
    expect(await find('wool', { sort: 'name', pageSize: 1 })).toEqual(['Argyle'])
    expect((await find('wool', { sort: '-created' }))[0]).toBe('Argyle')
  })
})
