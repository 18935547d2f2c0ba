import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { ImportMode, ProductImport } from '../../../../../contract/imports.ts'
import { anAdmin, aProduct, aProductInSizes } from '../../../../../tests/factories.ts'
import { checkFile, runImport } from '../../../../../tests/product-import.ts'
import { refused, useCustomer, useTestShop } from '../../../../../tests/shop.ts'
import { expectLedgerToAddUp } from '../../../../../tests/stock.ts'

const shop = useTestShop()
const admin = useCustomer(() => anAdmin(shop))

const check = (mode: ImportMode, file: string) => checkFile(shop, admin, file, 'products', mode)
const run = (dryRun: ProductImport) => runImport(shop, admin, dryRun)
const read = async (id: string) => (await shop.call('getProduct', { params: { id } })).body

describe('a price list of products that the shop has', () => {
  test('changes these, and lists the rows of all others without requiring their names', async () => {
    const pads = await aProduct(shop, { sku: 'P-1' })
    const dryRun = await check('existing', 'sku,price\nX-1,10\nP-1,50\nX-2,20\n')
    expect(dryRun).toMatchObject({ errorCount: 0, changed: 1, added: 0, unknownCount: 2 })
    expect(dryRun.unknown).toEqual([
      { row: 2, partNumber: 'X-1' },
      { row: 4, partNumber: 'X-2' },
    ])
    expect(await run(dryRun)).toMatchObject({ state: 'done', changed: 1, added: 0 })
    expect((await read(pads)).price).toBe(50)
    expect((await shop.call('listProducts')).body).toHaveLength(1)
  })

  test('still has the errors of its own rows', async () => {
    await aProduct(shop, { sku: 'P-1' })
    const { errors } = await check('existing', 'sku,price\nP-1,twelve\nX-1,10\n')
    expect(errors.map(({ row, column }) => `${row} ${column}`)).toEqual(['2 price'])
  })

  test('keeps the changes of a product whose first row is for an unknown variant', async () => {
    const { M: id } = await aProductInSizes(shop, { M: 3, L: 2 })
    const dryRun = await check('existing', `id,group,size,supplier\n,${id},S,New\n${id},${id},M,New\n`)
    expect(dryRun).toMatchObject({ errorCount: 0, unknownCount: 1, changed: 1 })
    await run(dryRun)
    expect((await read(id)).supplier).toBe('New')
  })
})

describe('a delivery note', () => {
  test('lists the rows whose product was deleted since the check', async () => {
    const [pads, disc] = [
      await aProduct(shop, { sku: 'P-1', quantity: 3 }),
      await aProduct(shop, { sku: 'P-2' }),
    ]
    const dryRun = await check('deliveries', 'sku,quantity\nP-1,10\nP-2,5\n')
    await shop.call('deleteProduct', { as: admin, query: { id: disc } })
    expect(await run(dryRun)).toMatchObject({
      state: 'done',
      changed: 1,
      unknownCount: 1,
      unknown: [{ row: 3, partNumber: 'P-2' }],
    })
    expect((await read(pads)).quantity).toBe(13)
  })

  test('adds its quantities to the stock, adds up rows of one variant, and changes nothing else', async () => {
    const pads = await aProduct(shop, { sku: 'P-1', quantity: 36 })
    const disc = await aProduct(shop, { sku: 'P-2', quantity: 1 })
    const dryRun = await check(
      'deliveries',
      'sku,name,price,quantity\nP-1,Other,99,6\nX-1,New,1,1\np1,,,4\nP-2,,,\nP-2,,,\n',
    )
    expect(dryRun).toMatchObject({ errorCount: 0, changed: 1, unknownCount: 1 })
    expect(dryRun.changes).toEqual([
      { row: 2, name: 'Sintered brake pads', before: { quantity: '36' }, after: { quantity: '46' } },
    ])
    await run(dryRun)
    expect(await read(pads)).toMatchObject({
      quantity: 46,
      price: 40,
      sku: 'P-1',
      name: 'Sintered brake pads',
    })
    expect((await read(disc)).quantity).toBe(1)
    await expectLedgerToAddUp(shop, pads)
  })

  test('of sizes needs neither a group nor options', async () => {
    const { M: id, L } = await aProductInSizes(shop, { M: 3, L: 2 })
    const dryRun = await check('deliveries', `id,quantity\n${id},5\n${L},1\n`)
    expect(dryRun).toMatchObject({ errorCount: 0, changed: 2 })
    await run(dryRun)
    expect((await read(id)).quantity).toBe(11)
  })

  test('needs a quantity', async () => {
    await aProduct(shop, { sku: 'P-1' })
    expect(await check('deliveries', 'sku,price\nP-1,5\n')).toMatchObject({
      state: 'failed',
      failure: 'Row 1: the column “quantity” is missing.',
    })
  })
})

test('a stock count sets the quantity and ignores the stock of an export', async () => {
  const pads = await aProduct(shop, { sku: 'P-1', quantity: 36 })
  const dryRun = await check('counts', 'sku,quantity,quantity_exported,price\nP-1,6,20,99\n')
  expect(dryRun.changes).toMatchObject([{ before: { quantity: '36' }, after: { quantity: '6' } }])
  await run(dryRun)
  expect(await read(pads)).toMatchObject({ quantity: 6, price: 40 })
  await expectLedgerToAddUp(shop, pads)
})

test('a stock count that names a product twice by its GTIN is refused', async () => {
  const gtin = '4006381333931'
  const id = await aProduct(shop, { quantity: 1 })
  await sql`update variants set gtin = ${gtin} where id = ${id}`.execute(shop.db)
  expect(await check('counts', `gtin,quantity\n${gtin},5\n${gtin},7\n`)).toMatchObject({
    errors: [{ row: 3, column: 'gtin', message: 'Row 2 is for the same product' }],
  })
})

describe('large changes', () => {
  const start = (id: string, query: { acceptWarnings?: string }) =>
    shop.call('runImport', { as: admin, params: { id }, query })

  test('must be confirmed before the import runs', async () => {
    await aProduct(shop, { sku: 'P-1', price: 40, quantity: 36 })
    await aProduct(shop, { sku: 'P-2', price: 40, quantity: 36 })
    const dryRun = await check('all', 'sku,price,quantity\nP-1,400,36\nP-2,41,6\n')
    const example = { name: 'Sintered brake pads' }
    expect(dryRun.warnings).toEqual([
      { code: 'PRICE_JUMP', count: 1, examples: [{ ...example, row: 2, before: '40', after: '400' }] },
      { code: 'STOCK_DROP', count: 1, examples: [{ ...example, row: 3, before: '36', after: '6' }] },
    ])
    expect(await start(dryRun.id, {})).toMatchObject(refused('WARNINGS_NOT_ACCEPTED'))
    expect((await shop.call('getImport', { as: admin, params: { id: dryRun.id } })).body.state).toBe(
      'checked',
    )
    expect(await start(dryRun.id, { acceptWarnings: 'true' })).toMatchObject({ status: 200 })
  })

  test('are not smaller ones, nor a few stocks among many', async () => {
    const rows = Array.from({ length: 30 }, (_, index) => `P-${index}`)
    for (const sku of rows) await aProduct(shop, { sku, quantity: 10 })
    const toFile = (drops: number) =>
      rows.map((sku, index) => `${sku},${index % 2 ? 119 : 13.34},${index < drops ? 2 : 3}`).join('\n')
    expect((await check('all', `sku,price,quantity\n${toFile(2)}`)).warnings).toEqual([])
    expect((await check('all', `sku,price,quantity\n${toFile(3)}`)).warnings).toMatchObject([
      { code: 'STOCK_DROP', count: 3 },
    ])
  })
})
