import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openOwnShop, type TestShop } from '../../../../tests/shop.ts'
import { saveAttributes } from '../attributes/service.ts'
import { countNumbers } from './attributes.ts'

describe('countNumbers', () => {
  const numbers = (...counts: number[]) => counts.map((count, index) => ({ value: index + 1, count }))

  test('lists up to 8 different numbers in their order', () => {
    const counted = countNumbers([
      { value: 10, count: 1 },
      { value: 9.5, count: 2 },
    ])
    expect(counted).toEqual([
      { value: '9.5', count: 2 },
      { value: '10', count: 1 },
    ])
    expect(countNumbers(numbers(1, 1, 1, 1, 1, 1, 1, 1))).toHaveLength(8)
  })

  test('divides more numbers into 6 ranges, each number in one of them', () => {
    expect(countNumbers(numbers(...Array.from({ length: 12 }, () => 5)))).toEqual(
      ['1..2', '3..4', '5..6', '7..8', '9..10', '11..12'].map((value) => ({ value, count: 10 })),
    )
    const uneven = countNumbers(numbers(100, 1, 1, 1, 1, 1, 1, 1, 1, 1))
    expect(uneven.map(({ value, count }) => `${value}: ${count}`)).toEqual([
      '1: 100',
      '2..3: 2',
      '4..5: 2',
      '6..7: 2',
      '8..9: 2',
      '10: 1',
    ])
  })

  test('lists a chosen range that is none of these, with its count', () => {
    const [chosen, ...others] = countNumbers(numbers(1, 2, 3), ['2..', '3'])
    expect(chosen).toEqual({ value: '2..', count: 5 })
    expect(others.map(({ value }) => value)).toEqual(['1', '2', '3'])
  })
})

describe('a large kind of part', () => {
  let shop: TestShop

  beforeAll(async () => {
    shop = await openOwnShop()
    const attributes = [
      { name: 'Length', type: 'number' as const, unit: 'mm' },
      { name: "O'Seal", type: 'choice' as const, choices: ['None', '"x" \\ y', 'Rare'] },
    ]
    await saveAttributes(shop.db, 'Chains', { attributes }, null)
    await sql`
      insert into products (id, name, description, image, kind, minimum_quantity, stock, price_cents, attributes)
      select substr(md5('part ' || n), 1, 24), 'Chain', '', '', 'Chains', 1, 1, 100 + n, jsonb_build_object('Length', n % 50,
        'O''Seal', case when n % 1000 = 0 then 'Rare' when n % 4 = 0 then '"x" \\ y' else 'None' end)
      from generate_series(1, 4000) as n`.execute(shop.db)
  })
  afterAll(() => shop.close())

  const count = async (attribute: string[]) =>
    (await shop.call('countProducts', { query: { kind: ['Chains'], attribute } })).body
  const list = async (attribute: string[], sort: 'price' | '-price') =>
    (await shop.call('listProducts', { query: { kind: ['Chains'], attribute, sort, pageSize: 20 } })).body

  test('has estimated counts, as in a search with many hits', async () => {
    const { total, facets, attributes = [] } = await count([])
    expect({ total, kinds: facets.kind.values }).toEqual({
      total: 4000,
      kinds: [{ value: 'Chains', count: 4000 }],
    })
    const [length, seal] = attributes
    expect(length?.values).toHaveLength(6)
    expect(seal?.estimated).toBe(true)
    const none = seal?.values.find(({ value }) => value === 'None')?.count ?? 0
    expect(none / 3000).toBeGreaterThan(0.8)
    expect(none / 3000).toBeLessThan(1.2)
  })

  test('a rare value is counted exactly, and its own filter still has the other values', async () => {
    const { total, estimated, facets, attributes = [] } = await count(["O'Seal:Rare"])
    expect({ total, estimated }).toEqual({ total: 4, estimated: false })
    expect(facets.kind.values).toEqual([{ value: 'Chains', count: 4000 }])
    expect(attributes[0]?.values).toEqual([{ value: '0', label: '0 mm', count: 4 }])
    expect(attributes[1]?.values.map(({ value }) => value)).toContain('None')
  })

  /** The numbers of the products, as in the insert. */
  const numbers = Array.from({ length: 4000 }, (_, index) => index + 1)
  const isMarked = (n: number) => n % 4 === 0 && n % 1000 !== 0

  test.each<[string[], (n: number) => boolean]>([
    [['Length:49'], (n) => n % 50 === 49],
    [['Length:40..'], (n) => n % 50 >= 40],
    [['Length:40..44', 'Length:49'], (n) => (n % 50 >= 40 && n % 50 <= 44) || n % 50 === 49],
    [['Length:10..19', 'O\'Seal:"x" \\ y'], (n) => n % 50 >= 10 && n % 50 <= 19 && isMarked(n)],
  ])('%j finds its products in every order', async (attribute, has) => {
    const prices = numbers.filter(has).map((n) => (100 + n) / 100)
    const { total } = await count(attribute)
    expect(total / prices.length).toBeGreaterThan(0.8)
    expect(total / prices.length).toBeLessThan(1.2)
    const readPrices = async (sort: 'price' | '-price') =>
      (await list(attribute, sort)).map(({ price }) => price)
    expect(await readPrices('price')).toEqual(prices.slice(0, 20))
    expect(await readPrices('-price')).toEqual(prices.toReversed().slice(0, 20))
  })
})
