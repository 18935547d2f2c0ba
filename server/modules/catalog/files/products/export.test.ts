import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import type { ProductImport } from '../../../../../contract/imports.ts'
import { anAdmin, aProduct, type TestCustomer } from '../../../../../tests/factories.ts'
import { checkFile, runImport } from '../../../../../tests/product-import.ts'
import { useTestShop } from '../../../../../tests/shop.ts'
import { copyCsv, exportCsv } from '../../../../platform/database/csv-export.ts'
import { exportQuery } from './export.ts'

const shop = useTestShop()
let admin: TestCustomer

beforeEach(async () => {
  admin = await anAdmin(shop)
})

const check = (file: string | Buffer) => checkFile(shop, admin, file)
const run = (dryRun: ProductImport) => runImport(shop, admin, dryRun)

const download = async (query = {}) =>
  (await shop.request<string>('GET', '/api/v1/products.csv', { as: admin, query })).body

describe('GET /v1/products.csv', () => {
  test('contains all products, and escapes spreadsheet formulas', async () => {
    const id = await aProduct(shop, {
      sku: '=1+1',
      name: "@SUM(A1), '-",
      description: 'one\n"two"',
      brand: "'=quoted",
      supplier: "O'Neil",
      category: 'Local',
      options: 'standard',
    })
    expect(await download()).toBe(
      `id,sku,name,brand,kind,category,price,quantity,quantity_exported,minimum,description,image,pictures,supplier,returns,gtin,options,group,size,colour,swatch,weight,shelf,low_stock,hidden\n` +
        `${id},'=1+1,"'@SUM(A1), '-",''=quoted,,Local,40,10,10,1,"one\n""two""",/pictures/brake-pads.svg,,O'Neil,,,standard,,,,,,,,\n`,
    )
  })

  test('starts with a byte order mark on request', async () => {
    const { as, query } = { as: admin, query: { bom: 'true' } }
    const url = `${shop.config.origin}/api/v1/products.csv?${new URLSearchParams(query)}`
    const response = await fetch(url, { headers: { authorization: `Bearer ${as.token}` } })
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect([...new Uint8Array(await response.arrayBuffer()).subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
  })

  test('for Excel has semicolons, decimal commas and a byte order mark', async () => {
    await aProduct(shop, { sku: 'P-1', name: 'Pads; front', price: 12.5, options: 'standard' })
    const file = await download({ decimals: 'comma' })
    expect(file).toMatch(/^(\uFEFF)?id;sku;name;.*\n[0-9a-f]{24};P-1;"Pads; front";;;;12,50;10;10;1;/)
    expect(await check(file)).toMatchObject({ errors: [], changed: 0, unchanged: 1 })
  })

  test('for Excel has codes of digits as formulas, which Excel does not change', async () => {
    const [sku, gtin, shelf, size] = ['00123', '4006381333931', '1-2-3', '1/2']
    const variants = [
      { size, sku, gtin, shelf, quantity: 1 },
      { size: '1e5', sku: 'P-1', quantity: 2 },
    ]
    await aProduct(shop, { name: '12', options: 'variants', variants })
    const file = await download({ decimals: 'comma' })
    const cells = [sku, gtin, size, shelf, '1e5'].map((text) => `;"=""${text}""";`)
    expect(cells.filter((cell) => !file.includes(cell))).toEqual([])
    expect(file.match(/"=""/g)).toHaveLength(cells.length)
    const saved = file.replaceAll(/"=""([^"]*)"""/g, '$1')
    for (const each of [file, saved]) {
      expect(await check(each)).toMatchObject({ errors: [], changed: 0, unchanged: 2 })
    }
    expect(await download()).not.toContain('=')
  })

  test('changes nothing when it is imported again, for any cell content', async () => {
    const odd = [
      '=1',
      '+1',
      '-1',
      '@a',
      "'=1",
      "''+",
      "'a",
      '＝x',
      'ä, "b"; c',
      '日本',
      '\u{1F3CD}',
      '00123',
      '1e5',
    ]
    for (const [index, name] of odd.entries()) {
      await aProduct(shop, {
        name,
        brand: name,
        supplier: name,
        description: `${name}\n\t${name}`,
        sku: `S-${index}`,
      })
    }
    await aProduct(shop, { name: 'without a part number' })
    const prices = [0.01, 0.1, 12.5, 19.99, 39, 1000, 999_998.99]
    for (const price of prices) await aProduct(shop, { price })
    const before = await download()
    for (const file of [before, await download({ bom: 'true' })]) {
      const dryRun = await check(file)
      expect(dryRun).toMatchObject({
        added: 0,
        changed: 0,
        unchanged: odd.length + 1 + prices.length,
        errors: [],
      })
      await run(dryRun)
      expect(await download()).toBe(before)
    }
    expect(
      [...before.matchAll(/^[0-9a-f]{24},,Sintered.*?,([\d.]+),10,/gm)].map(([, price]) => price),
    ).toEqual(['0.01', '0.10', '12.50', '19.99', '39', '1000', '999998.99'])
    const edits = await shop.db
      .selectFrom('product_changes')
      .selectAll()
      .where('kind', '=', 'edited')
      .execute()
    expect(edits).toEqual([])
  })

  test('contains products at all limits, and changes nothing when it is imported again', async () => {
    const signs = `!"#$%&'()*+,-./:;<=>?@[\\]^_\`{|}~aA09`
    const minimal = {
      name: "'",
      description: '"',
      image: '/pictures/a.svg',
      price: 1,
      quantity: 0,
      minimum: 1,
    }
    const maximal = {
      name: '\u{1F3CD}'.repeat(100),
      description: `=${'"'.repeat(1999)}\r\n${'ä'.repeat(1996)},\n`.padEnd(4000, 'x'),
      image: `https://maker.example/${'x'.repeat(1978)}`,
      category: 'Imported' as const,
      price: 999_999,
      quantity: 1_000_000,
      minimum: 1_000_000,
      supplier: `'=${"'".repeat(118)}`,
      brand: '＝'.repeat(80),
      kind: `@${','.repeat(79)}`,
      sku: signs.slice(0, 40),
      gtin: '10012345678902',
    }
    for (const body of [minimal, maximal]) {
      const added = await shop.call('addProduct', { as: admin, body })
      expect(added.status).toBe(200)
      const stock = { params: { id: added.body.insertedId }, body: { quantity: 2_147_483_647 } }
      expect(await shop.call('updateProduct', { as: admin, ...stock })).toMatchObject({ status: 200 })
    }
    const before = await download()
    const dryRun = await check(before)
    expect(dryRun).toMatchObject({ added: 0, changed: 0, unchanged: 2, errors: [] })
    await run(dryRun)
    expect(await download()).toBe(before)
    const more = await check(before.replaceAll(',2147483647,2147483647,', ',2147483647,2147483646,'))
    expect(more.errors.map(({ column, message }) => [column, message])).toEqual(
      [1, 2].map(() => ['quantity', 'The number is too large: current stock is 2147483647']),
    )
  })

  test('is streamed, and ends when the client disconnects', async () => {
    await sql`
      insert into products (id, name, description, image, minimum_quantity, stock, price_cents)
      select 'p' || n, 'Chain', repeat('x', 4000), '', 1, 1, 100 from generate_series(1, 4000) n`.execute(
      shop.db,
    )
    const { pool } = shop.database
    const copying = async () =>
      (
        await pool.query(
          "select from pg_stat_activity where datname = current_database() and state = 'active' and query like 'copy (%'",
        )
      ).rowCount
    const { query } = await exportQuery(shop.db, { ids: null })
    for await (const piece of exportCsv(pool, copyCsv(query, { separator: ',', hasHeader: false }), '')) {
      expect(String(piece)).toMatch(/^p1,/)
      expect(await copying(), 'the first lines are here, and the last are not written yet').toBe(1)
      break
    }
    await expect.poll(copying, { interval: 10 }).toBe(0)
  })

  test('creates the same products when it is imported into an empty shop', async () => {
    await aProduct(shop, {
      name: '=Pads',
      sku: 'P-1',
      brand: 'Grauwerk',
      kind: 'Brake pads',
      category: 'Local',
    })
    const withoutIds = (text: string) => text.replaceAll(/^[0-9a-f]{24},/gm, ',')
    const before = withoutIds(await download())
    await shop.database.empty()
    admin = await anAdmin(shop)
    await run(await check(before))
    expect(withoutIds(await download())).toBe(before)
  })
})
