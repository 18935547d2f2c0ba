import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../tests/database.ts'
import { brokenRules } from '../tests/hardening/invariants.ts'
import { catalogProduct } from './catalog.ts'
import { fillCatalog } from './fill-catalog.ts'
import { families } from './product-names.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())
beforeEach(() => database.empty())

const fill = (count: number) => fillCatalog(database.db, count, () => {})
const count = async (condition: string) => {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from products where ${sql.raw(condition)}`.execute(database.db)
  return rows[0]?.count
}

describe('the generated catalog', () => {
  test('is generated from a number: always the same, and different for each number', () => {
    const catalog = Array.from({ length: 20_000 }, (_, index) => catalogProduct(index + 1))
    expect(catalog[4710]).toEqual(catalogProduct(4711))
    const variants = catalog.flatMap((product) => product.variants)
    for (const key of ['id', 'sku', 'gtin'] as const) {
      expect(new Set(variants.map((variant) => variant[key])).size).toBe(variants.length)
    }
    const lines = families.flatMap(({ lines }) => lines)
    expect(new Set(catalog.map(({ kind }) => kind)).size).toBe(lines.length)
    expect(new Set(catalog.map(({ brand }) => brand))).toEqual(
      new Set(families.flatMap(({ brands }) => brands)),
    )
    const outOfStock = catalog.filter(({ stock, minimum }) => stock < minimum).length
    expect(outOfStock / catalog.length).toBeGreaterThan(0.05)
    expect(outOfStock / catalog.length).toBeLessThan(0.2)
  })

  test('fills the shop, and adds only missing products when it is run again', async () => {
    expect(await fill(5_100)).toBe(5_100)
    await sql`update products set name = 'Renamed' where id = (select id from variants where sku_key like '%000017')`.execute(
      database.db,
    )
    expect(await fill(5_100)).toBe(0)
    expect(await fill(5_200)).toBe(100)
    expect(await count('true')).toBe(5_200)
    expect(await count("name = 'Renamed'")).toBe(1)
  })

  test('has stock movements that add up to the stock of each product', async () => {
    await fill(300)
    await fill(300)
    const moved = 'select sum(m.quantity) from stock_movements m join variants v on v.id = variant_id'
    expect(await count(`stock = (${moved} where product_id = products.id)`)).toBe(300)
  })

  test('has three sizes for gear, with the option for all products, and no options otherwise', async () => {
    const sizes = 'select count(*) from variants v where v.product_id = products.id and size is not null'
    const isGear = "kind ~ 'elmets|Jackets|Trousers|Gloves|Boots|Protectors'"
    await fill(300)
    expect(await count(`(options, (${sizes})) = ('variants', 3) and ${isGear}`)).toBeGreaterThan(50)
    expect(await count(`(options, (${sizes})) = ('none', 0) and not ${isGear}`)).toBeGreaterThan(100)
    expect(await count(`(options = 'variants') = (${isGear})`)).toBe(300)
    expect(
      await count(
        `exists (select from variants v where v.product_id = products.id and v.stock = 0) and stock > 0`,
      ),
    ).toBeGreaterThan(10)
    expect(await brokenRules(database.db)).toEqual([])

    await database.empty()
    await fillCatalog(database.db, 300, () => {}, { allHaveSizes: true })
    expect(await count(`(options, (${sizes})) = ('variants', 3) and minimum_quantity = 1`)).toBe(300)
    expect(await brokenRules(database.db)).toEqual([])
  })

  test('has valid part numbers and GTINs', async () => {
    await fill(300)
    const numbered = 'select id from variants where is_gtin(gtin) and sku_key is not null'
    expect(await count(`id in (${numbered}) and brand <> kind`)).toBe(300)
  })
})
