import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fillCatalog } from '../../../../seed/fill-catalog.ts'
import { openOwnShop, type TestShop } from '../../../../tests/shop.ts'
import { listProducts } from '../service.ts'
import { searchMisfits } from './search.ts'

let shop: TestShop

beforeAll(async () => {
  shop = await openOwnShop()
  await fillCatalog(shop.db, 12_000, () => {})
})
afterAll(() => shop.close())

/** Counts the products of this category in the table, without the shop's search. */
async function countPlainly(category: 'Local' | 'Imported'): Promise<number> {
  const { total } = await shop.db
    .selectFrom('products')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('category', '=', category)
    .executeTakeFirstOrThrow()
  return total
}

test('a search with thousands of hits returns an estimated total and marks it as an estimate', async () => {
  const plain = await countPlainly('Local')
  expect(plain).toBeGreaterThan(5_000)
  const { headers } = await shop.call('listProducts', { query: { q: 'local', pageSize: 24 } })
  expect(headers.get('x-total-estimated')).toBe('true')
  const total = Number(headers.get('x-total-count'))
  expect(Math.abs(total - plain) / plain).toBeLessThan(0.25)
  expect(String(total)).toMatch(/^\d\d0+$/)
  const { body } = await shop.call('countProducts', { query: { q: 'local' } })
  expect(body).toMatchObject({ total, estimated: true, facets: { kind: { estimated: true } } })
})

test('a search with few hits after filtering returns the exact total', async () => {
  const query = { q: 'local', kind: 'Tank bags' }
  const { body } = await shop.call('countProducts', { query })
  const { headers } = await shop.call('listProducts', { query })
  expect(body).toMatchObject({ estimated: false, total: Number(headers.get('x-total-count')) })
  expect(body.facets.kind.estimated).toBe(true)
  expect(body.facets.brand.estimated).toBe(false)
})

test.each(['', 'price', '-name'])(
  'pages are stable and contain no product twice, sorted by %j',
  async (sort) => {
    const read = async () => {
      const pages = await Promise.all(
        [1, 2, 3, 4].map((page) =>
          shop.call('listProducts', { query: { q: 'local', page, pageSize: 100, ...(sort && { sort }) } }),
        ),
      )
      return pages.flatMap(({ body }) => body)
    }
    const shown = await read()
    expect(new Set(shown.map(({ _id }) => _id)).size).toBe(400)
    expect(new Set(shown.map(({ category }) => category))).toEqual(new Set(['Local']))
    expect(await read()).toEqual(shown)
  },
)

test('sorting by price returns the cheapest hits first', async () => {
  const { body } = await shop.call('listProducts', { query: { q: 'local', sort: 'price', pageSize: 100 } })
  const prices = body.map(({ price }) => price)
  expect(prices).toEqual(prices.toSorted((one, other) => one - other))
  const cheapest = await shop.call('listProducts', {
    query: { category: 'Local', sort: 'price', pageSize: 1 },
  })
  expect(prices[0]).toBe(cheapest.body[0]?.price)
})

test.each(['name', '-price', 'created'])(
  'hidden products are in no page of many hits, sorted by %s',
  async (sort) => {
    const read = async (query: object) =>
      (await shop.call('listProducts', { query: { ...query, sort, pageSize: 40 } })).body.map(
        ({ _id }) => _id,
      )
    const hide = (ids: string[], hidden: boolean) =>
      shop.db.updateTable('products').set({ hidden }).where('id', 'in', ids).execute()
    for (const query of [{ q: 'local' }, { category: 'Local' }]) {
      const first = await read(query)
      await hide(first, true)
      const next = await read(query)
      await hide(first, false)
      expect(next).toHaveLength(40)
      expect(next.filter((id) => first.includes(id))).toEqual([])
    }
  },
)

describe('hits that are close together at one end of the sort order', () => {
  beforeAll(async () => {
    // Local products get the last names, the latest times and high prices. In parts, because of the statement timeout.
    for (const first of '0123456789abcdef') {
      await sql`update products set name = 'zz ' || name, created_at = created_at + interval '1 day',
        price_cents = price_cents + case when supplier like 'Northgate%' then 6000000 else 20000 end
        where category = 'Local' and starts_with(id, ${first})`.execute(shop.db)
    }
  })

  // First some have a brand and a kind that are in no sample, then they have none.
  describe.each(['Zephrane', null])('some of them with the brand and kind %s', (value) => {
    beforeAll(async () => {
      await sql`update products set brand = ${value}, kind = ${value}
        where category = 'Local' and id collate "C" >= 'f'`.execute(shop.db)
    })

    test.each(['name', '-name', 'price', '-price', 'created', '-created', 'quantity'])(
      'are sorted by %s',
      async (sort) => {
        const page = async (query: Record<string, string>, number: number) =>
          (
            await shop.call('listProducts', { query: { ...query, sort, page: number, pageSize: 40 } })
          ).body.map(({ _id }) => _id)
        for (const number of [1, 2, 7]) {
          expect(await page({ q: 'local' }, number)).toEqual(await page({ category: 'Local' }, number))
        }
      },
    )
  })
})

test('a page that starts with all hits of the sample goes on behind them', async () => {
  await sql`update products set name = 'aa ' || name where category = 'Local' and id collate "C" < '1'`.execute(
    shop.db,
  )
  const page = async (query: Record<string, string>) =>
    (await shop.call('listProducts', { query: { ...query, sort: 'name', pageSize: 1000 } })).body.map(
      ({ _id }) => _id,
    )
  expect(await page({ q: 'local' })).toEqual(await page({ category: 'Local' }))
})

test('page links end at the maximum number of results', async () => {
  const page = async (page: number) =>
    (await shop.call('listProducts', { query: { q: 'local', page, pageSize: 1000 } })).body.length
  expect([await page(2), await page(3)]).toEqual([1000, 0])
})

test('the best match comes first', async () => {
  // Newer than all others, and with the word several times in the name.
  const { rows } = await sql<{ id: string }>`
    update products set name = 'Brake brake brake ' || name, created_at = created_at + interval '9 days'
    where document @@ 'brake' and id collate "C" < '01' returning id`.execute(shop.db)
  const { body, headers } = await shop.call('listProducts', { query: { q: 'brake', pageSize: 40 } })
  expect(headers.get('x-total-estimated')).toBe('true')
  expect(rows.length).toBeGreaterThan(0)
  const best = body.slice(0, rows.length).map(({ _id }) => _id)
  expect(best.toSorted()).toEqual(rows.map(({ id }) => id).toSorted())
})

test('no linked page is empty', async () => {
  const { reachableTotal, estimated } = await listProducts(shop.db, { q: 'brake' })
  expect(estimated).toBe(true)
  const { body } = await shop.call('listProducts', {
    query: { q: 'brake', page: reachableTotal, pageSize: 1 },
  })
  expect(body.length).toBe(1)
})

test.each(['name', '-name', 'price', '-price', '-created'])(
  'searching for a brand and filtering by it return the same order: %s',
  async (sort) => {
    await sql`update products set brand = 'Moegg', name = 'Moegg ' || name
      where kind in ('Gloves', 'Jackets', 'Boots', 'Chains', 'Oils') and name not like 'Moegg %'`.execute(
      shop.db,
    )
    const page = async (query: Record<string, string>) =>
      (await shop.call('listProducts', { query: { ...query, sort, page: 2, pageSize: 40 } })).body.map(
        ({ name, _id }) => `${name} ${_id}`,
      )
    expect(await page({ q: 'moegg' })).toEqual(await page({ brand: 'Moegg' }))
  },
)

test.each([
  { size: '61', variants: 2_100 },
  { size: '62', variants: 3 },
])('a size of $variants variants is found among thousands of hits', async ({ size, variants }) => {
  await sql`
    insert into variants (id, product_id, position, size, stock)
    select ${size} || '-' || id, id, 90, ${size}, 0 from products where category = 'Local'
    order by name desc, id limit ${variants}`.execute(shop.db)
  const query = { q: `local size ${size}`, sort: '-price', pageSize: 40 }
  const { body } = await shop.call('listProducts', { query })
  const { rows } = await sql<{ id: string }>`
    select id from products
    where exists (select from variants where product_id = products.id and size = ${size})
    order by price_cents desc, created_at desc, id desc limit 40`.execute(shop.db)
  expect(body.map(({ _id }) => _id)).toEqual(rows.map(({ id }) => id))
  expect(body.length).toBe(Math.min(variants, 40))
})

test('an exact part number is found among thousands of text matches', async () => {
  const [first] = (await shop.call('listProducts', { query: { q: 'local', pageSize: 1 } })).body
  const { body } = await shop.call('listProducts', { query: { q: first?.sku ?? '' } })
  expect(body[0]?.sku).toBe(first?.sku)
})

test('many universal parts are counted exactly, and the most expensive ones come first', async () => {
  const { numUpdatedRows } = await shop.db
    .updateTable('products')
    .set({ fit_kind: 'universal' })
    .where(sql<boolean>`id ~ '[0-2]$'`)
    .executeTakeFirstOrThrow()
  const query = { fit: 'universal', sort: '-price', pageSize: 1000 }
  const { headers, body } = await shop.call('listProducts', { query })
  expect(headers.get('x-total-count')).toBe(String(numUpdatedRows))
  expect(headers.get('x-total-estimated')).toBeNull()
  const { rows } = await sql<{ id: string }>`
    select id from products where fit_kind = 'universal'
    order by price_cents desc, created_at desc, id desc limit 1000`.execute(shop.db)
  expect(body.map(({ _id }) => _id)).toEqual(rows.map(({ id }) => id))
  expect((await shop.call('countProducts', { query })).body).toMatchObject({
    total: Number(numUpdatedRows),
    estimated: false,
    facets: { kind: { estimated: false } },
  })
})

test('of thousands of products that do not fit a bike the first ones of the order are found', async () => {
  await shop.db
    .updateTable('products')
    .set({ fit_complete: true })
    .where('fit_kind', '=', 'vehicle')
    .where(sql<boolean>`id ~ '[3-5]$'`)
    .execute()
  const plain = shop.db
    .selectFrom('products')
    .where('fit_kind', '=', 'vehicle')
    .where('fit_complete', '=', true)
  const { kind } = await plain
    .select('kind')
    .where('kind', 'is not', null)
    .groupBy('kind')
    .orderBy((eb) => eb.fn.countAll(), 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  const bikes = [0]
  const first = (column: 'price_cents' | 'created_at', ofKind: string | null = null) =>
    (ofKind === null ? plain : plain.where('kind', '=', ofKind))
      .select('id')
      .orderBy(column)
      .orderBy('created_at')
      .orderBy('id')
      .limit(8)
      .execute()
      .then((rows) => rows.map(({ id }) => id))
  expect(await searchMisfits(shop.db, { bikes, sort: 'price' }, 8)).toEqual(await first('price_cents'))
  expect(await searchMisfits(shop.db, { bikes }, 8)).toEqual(await first('created_at'))
  const found = await searchMisfits(shop.db, { bikes, kind: [kind ?? ''], sort: 'price' }, 8)
  expect(found).toEqual(await first('price_cents', kind))
  expect(found).toHaveLength(8)
})
