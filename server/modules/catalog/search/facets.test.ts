import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type FacetName,
  facetNames,
  priceBandNames,
  priceBands,
} from '../../../../contract/product-filters.ts'
import { fillCatalog } from '../../../../seed/fill-catalog.ts'
import { aCustomer, anAdmin, anOrder, type TestCustomer } from '../../../../tests/factories.ts'
import { openOwnShop, type TestShop } from '../../../../tests/shop.ts'
import { compactCounts } from './search.ts'

interface Counted {
  id: string
  name: string
  facets: Record<FacetName, string[]>
}

type Query = Partial<Record<FacetName | 'q' | 'sort', string | string[]>>

/** Some contain the syntax of a `tsquery`, which is data here. */
const certificates = ['EN 17092 AA', 'EN 17092 AAA', "' | certificate:EN", 'a & !b:* <-> \\', '::*']

let shop: TestShop
let admin: TestCustomer

beforeAll(async () => {
  shop = await openOwnShop()
  admin = await anAdmin(shop)
  await fillCatalog(shop.db, 1_500, () => {})
  for (const [index, value] of [...certificates, ...certificates.toReversed()].entries()) {
    await sql`
      update products set certificate_values = certificate_values || ${value}::text
      where id collate "C" >= ${(index % 5).toString(16)} and id collate "C" < ${(index + 3).toString(16)}
        and not ${value}::text = any(certificate_values)`.execute(shop.db)
  }
})
afterAll(() => shop.close())

/** Reads all products with their facet values. Does not use the shop's SQL functions. */
async function everything(): Promise<Counted[]> {
  const rows = await shop.db
    .selectFrom('products')
    .select(['id', 'name', 'category', 'kind', 'brand', 'price_cents', 'stock', 'minimum_quantity'])
    .select('certificate_values')
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(({ id, name, category, kind, brand, certificate_values, ...row }) => ({
    id,
    name,
    facets: {
      category: [category ?? []].flat(),
      kind: [kind ?? []].flat(),
      brand: [brand ?? []].flat(),
      certificate: certificate_values,
      price: [toBand(row.price_cents / 100) ?? []].flat(),
      inStock: row.stock >= row.minimum_quantity ? ['true'] : [],
    },
  }))
}

const toBand = (price: number) =>
  priceBandNames.find((name) => price >= priceBands[name][0] && price < priceBands[name][1]) ?? null

/** Returns the expected result of a query. `has` selects the products that match the words. */
async function countPlainly(query: Query, has: (product: Counted) => boolean = () => true) {
  const products = (await everything()).filter(has)
  const passes = (product: Counted, but?: FacetName) =>
    facetNames.every(
      (name) =>
        name === but ||
        !query[name] ||
        product.facets[name].some((value) => [query[name]].flat().includes(value)),
    )
  const facets = facetNames.map((name) => {
    const counts: Record<string, number> = {}
    for (const product of products.filter((product) => passes(product, name))) {
      for (const value of product.facets[name]) counts[value] = (counts[value] ?? 0) + 1
    }
    return [name, { counts, estimated: false }] as const
  })
  const ids = products.filter((product) => passes(product)).map(({ id }) => id)
  return { facets: Object.fromEntries(facets), total: ids.length, ids: new Set(ids.slice(0, maxPageSize)) }
}

const maxPageSize = 1000

/** Returns the actual result in the same shape. */
async function ask(query: Query) {
  const { body } = await shop.call('countProducts', { query: { ...query } })
  const list = await shop.call('listProducts', { query: { ...query, pageSize: maxPageSize } })
  const facets = facetNames.map((name) => {
    const { values, estimated } = body.facets[name]
    return [name, { counts: Object.fromEntries(values.map(({ value, count }) => [value, count])), estimated }]
  })
  expect(Number(list.headers.get('x-total-count'))).toBe(body.total)
  return {
    facets: Object.fromEntries(facets),
    total: body.total,
    ids: new Set(list.body.map(({ _id }) => _id)),
  }
}

const combinations: Query[] = [
  {},
  { inStock: 'true' },
  { category: 'Local' },
  { kind: 'Brake pads' },
  { brand: 'Grauwerk' },
  { price: '500-' },
  { price: '0-25', inStock: 'true' },
  { brand: 'Grauwerk', kind: 'Brake pads' },
  { brand: 'Grauwerk', kind: 'Brake pads', price: '25-50', inStock: 'true', category: 'Imported' },
  { brand: 'Grauwerk', kind: 'Oils' },
  { brand: ['Grauwerk', 'Castella', 'Nobody'], price: ['0-25', '500-'] },
  { kind: ['Brake pads', 'Oils'], category: ['Local', 'Imported'], inStock: 'true' },
  { certificate: 'EN 17092 AA' },
  { certificate: ['EN 17092 AA', 'EN 17092 AAA'], price: '25-50' },
  ...certificates.slice(2).map((certificate) => ({ certificate, category: 'Local' })),
  { certificate: "x' | 'category:Local" },
  { brand: 'O\'Nobody \\ "x"', category: 'Local' },
  { kind: 'Nothing of the kind' },
]

describe('GET /v1/products/facets', () => {
  test.each(combinations)('returns exact counts with %j', async (query) => {
    expect(await ask(query)).toEqual(await countPlainly(query))
  })

  test.each(combinations)('returns exact counts with "castella" and %j', async (query) => {
    const plain = await countPlainly(query, ({ name }) => name.includes('Castella'))
    expect(await ask({ ...query, q: 'castella' })).toEqual(plain)
  })

  test('counts follow sales, stock counts, additions and deletions, before and after compaction', async () => {
    const rider = await aCustomer(shop)
    const lots = await shop.db
      .selectFrom('products')
      .selectAll()
      .where('stock', '>', sql<number>`minimum_quantity`)
      .where('minimum_quantity', '=', 1)
      // One variant has all pieces.
      .where('options', '=', 'none')
      .limit(3)
      .execute()
    const [sold, counted, deleted] = lots
    if (!sold || !counted || !deleted) throw new Error('the catalogue is too small')
    await anOrder(shop, rider, { productId: sold.id, quantity: sold.stock, price: sold.price_cents / 100 })
    await shop.call('updateProduct', { as: admin, params: { id: counted.id }, body: { quantity: 0 } })
    await shop.call('deleteProduct', { as: admin, query: { id: deleted.id } })
    const strange = { name: 'Odd', brand: 'O\'Nobody \\ "x"', kind: 'Nothing of the kind', category: 'Local' }
    const body = {
      ...strange,
      price: 500,
      quantity: 0,
      minimum: 1,
      description: 'x',
      image: '/pictures/oil.svg',
    }
    await shop.call('addProduct', { as: admin, body })
    await sql`update products set price_cents = 2500, brand = 'Renamed' where id = ${counted.id}`.execute(
      shop.db,
    )
    for (const query of combinations) expect(await ask(query)).toEqual(await countPlainly(query))
    await Promise.all([compactCounts(shop.db), compactCounts(shop.db), compactCounts(shop.db)])
    for (const query of [...combinations, { brand: 'Renamed' }]) {
      expect(await ask(query)).toEqual(await countPlainly(query))
    }
    const { rows } = await sql<{ rows: number; combinations: number }>`
      select count(*) as rows, count(distinct terms) as combinations
      from product_counts`.execute(shop.db)
    expect(rows[0]?.rows).toBe(rows[0]?.combinations)
  })

  test('has the price bands of the contract', async () => {
    for (const name of priceBandNames) {
      const [from, below] = priceBands[name]
      for (const [cents, band] of [
        [Math.max(1, from * 100), name],
        [Math.min(below * 100, 99_999_999) - 1, name],
      ] as const) {
        const { rows } = await sql<{ isInBand: boolean }>`
          select product_terms(null, null, null, ${cents}::integer, false) @@ ${`'price:${band}'`}::tsquery as "isInBand"`.execute(
          shop.db,
        )
        expect(rows).toEqual([{ isInBand: true }])
      }
    }
  })

  test.each<Query>([{ price: '0-26' }, { inStock: 'yes' }, { kind: 'x'.repeat(81) }, { category: 'Mars' }])(
    'rejects %j',
    async (query) => {
      expect(await shop.call('countProducts', { query: { ...query } })).toMatchObject({ status: 400 })
    },
  )
})

describe('GET /products, page by page', () => {
  const orders: Query[] = [
    'name',
    '-name',
    'price',
    '-price',
    'created',
    '-created',
    'quantity',
    '-minimum',
    'category',
  ].map((sort) => ({ sort }))
  const lists: Query[] = [
    ...orders,
    { q: 'castella' },
    { q: 'castella', sort: 'price' },
    { kind: 'Oils', sort: '-price' },
  ]

  test.each(lists)('returns each product once with %j', async (query) => {
    const seen: string[] = []
    for (let page = 1; ; page += 1) {
      const { body } = await shop.call('listProducts', { query: { ...query, page, pageSize: 250 } })
      if (body.length === 0) break
      seen.push(...body.map(({ _id }) => _id))
    }
    const whole = await shop.call('listProducts', { query: { ...query, pageSize: 1 } })
    expect(new Set(seen).size).toBe(seen.length)
    expect(String(seen.length)).toBe(whole.headers.get('x-total-count'))
  })
})
