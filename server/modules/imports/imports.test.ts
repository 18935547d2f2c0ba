import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { importKinds, type ProductImport, runsInBatches } from '../../../contract/imports.ts'
import { aCustomer, anAdmin, anOrder, aProduct } from '../../../tests/factories.ts'
import { checkFile, runImport } from '../../../tests/product-import.ts'
import { refused, useCustomer, useTestShop } from '../../../tests/shop.ts'
import { expectLedgerToAddUp, readStock } from '../../../tests/stock.ts'
import { fileKinds, rowTables } from '../../compose-files.ts'
import { deleteOldRows } from './service.ts'

const shop = useTestShop()
const admin = useCustomer(() => anAdmin(shop))

const check = (file: string | Buffer) => checkFile(shop, admin, file)
const run = (dryRun: ProductImport) => runImport(shop, admin, dryRun)

const download = async (query = {}) =>
  (await shop.request<string>('GET', '/api/v1/products.csv', { as: admin, query })).body

const list = async () => (await shop.call('listProducts')).body

const header = 'sku,name,price,quantity,minimum,description,image'
const pads = 'P-1,Brake pads,40,10,1,For the front.,/pictures/brake-pads.svg'

test('the screens know which kinds of files run in batches', () => {
  expect(importKinds.filter(runsInBatches)).toEqual(
    importKinds.filter((kind) => 'batches' in fileKinds[kind]),
  )
})

describe('a new file', () => {
  test('is checked without changes, then imported completely, with stock movements and history', async () => {
    const dryRun = await check(`${header}\n${pads}\nP-2,Chain,90,5,1,Steel.,/pictures/chain.svg\n`)
    expect(dryRun).toMatchObject({
      state: 'checked',
      rows: 2,
      added: 2,
      changed: 0,
      unchanged: 0,
      errorCount: 0,
      changes: [
        { row: 2, name: 'Brake pads', before: null, after: { price: '40', quantity: '10' } },
        { row: 3 },
      ],
    })
    expect(await list()).toEqual([])

    expect(await run(dryRun)).toMatchObject({ state: 'done', added: 2, done: 2 })
    const products = await list()
    expect(products.map(({ name, price, quantity }) => [name, price, quantity])).toEqual([
      ['Brake pads', 40, 10],
      ['Chain', 90, 5],
    ])
    const movements = await shop.db.selectFrom('stock_movements').selectAll().execute()
    expect(
      movements.map(({ kind, quantity, moved_by, client_ip }) => [kind, quantity, moved_by, client_ip]),
    ).toEqual([
      ['count', 10, admin.id, '127.0.0.1'],
      ['count', 5, admin.id, '127.0.0.1'],
    ])
    const history = await shop.db.selectFrom('product_changes').selectAll().execute()
    expect(history.map(({ kind, actor_id }) => [kind, actor_id])).toEqual([
      ['added', admin.id],
      ['added', admin.id],
    ])
  })

  test('is imported once', async () => {
    const dryRun = await check(`${header}\n${pads}\n`)
    await run(dryRun)
    const { params, as } = { params: { id: dryRun.id }, as: admin }
    expect(await shop.call('runImport', { as, params })).toMatchObject(refused('IMPORT_NOT_READY'))
    expect(await list()).toHaveLength(1)
  })

  test('keeps its rows until it is imported, and expires after a day', async () => {
    const countRows = async () => (await sql`select from product_import_rows`.execute(shop.db)).rows.length
    const imported = await check(`${header}\n${pads}\n`)
    await deleteOldRows(shop.db, rowTables)
    expect(await countRows()).toBe(1)
    await run(imported)
    const expired = await check(`${header}\n${pads}\n`)
    await shop.db
      .updateTable('product_imports')
      .set({ started_at: new Date(Date.now() - 25 * 3_600_000) })
      .where('id', '=', expired.id)
      .execute()
    await deleteOldRows(shop.db, rowTables)
    expect(await countRows()).toBe(0)
    const { body } = await shop.call('getImport', { as: admin, params: { id: expired.id } })
    expect(body).toMatchObject({ state: 'failed', failure: expect.stringContaining('has expired') })
  })

  test('loses many old rows in several statements, and the rest in the next run', async () => {
    const { id } = await run(await check(`${header}\n${pads}\n`))
    await sql`
      insert into product_import_rows (import_id, row, new_id)
      select ${id}, row, 'x' from generate_series(1000, 13000) as row`.execute(shop.db)
    const countRows = async () => (await sql`select from product_import_rows`.execute(shop.db)).rows.length
    const before = await countRows()
    expect(await deleteOldRows(shop.db, rowTables, AbortSignal.abort())).toBe(0)
    expect(await countRows()).toBe(before - 5000)
    await deleteOldRows(shop.db, rowTables)
    expect(await countRows()).toBe(0)
  })

  test.each([
    ['semicolons', header.replaceAll(',', ';'), 'P-1;Pads, front;40;10;1;x;/pictures/a.svg', 'Pads, front'],
    ['tabs', header.replaceAll(',', '\t'), 'P-1\tPads;front\t40\t10\t1\tx\t/pictures/a.svg', 'Pads;front'],
    ['quotation marks', header, 'P-1,"Pads, ""front""",40,10,1,x,/pictures/a.svg', 'Pads, "front"'],
    ['formulas', header, '"=""P-1""","=""Pads 3/8""""""",40,10,1,x,/pictures/a.svg', 'Pads 3/8"'],
    ['a byte order mark', `\uFEFF${header}`, pads, 'Brake pads'],
    ['column names in any case', header.toUpperCase(), pads, 'Brake pads'],
  ])('can have %s', async (_what, head, row, name) => {
    await run(await check(`${head}\r\n${row}\r\n\r\n`))
    expect(await list()).toMatchObject([{ name, sku: 'P-1' }])
  })

  test('can have cells with several lines; rows are counted as in a spreadsheet', async () => {
    const dryRun = await check(
      `${header}\nP-1,Pads,40,10,1,"one\ntwo\r\nthree",/pictures/a.svg\nP-2,,1,1,1,x,/pictures/a.svg\n`,
    )
    expect(dryRun.errors).toEqual([{ row: 3, column: 'name', message: 'Name is required' }])
    await run(await check(`${header}\nP-1,Pads,40,10,1,"one\ntwo\r\nthree",/pictures/a.svg\n`))
    expect((await list())[0]?.description).toBe('one\ntwo\r\nthree')
  })
})

describe('existing products', () => {
  test('are changed if the file differs; missing columns stay, blank ones are cleared', async () => {
    const id = await aProduct(shop, { sku: 'P-1', brand: 'Grauwerk', supplier: 'Link & Sons', quantity: 7 })
    await aProduct(shop, { sku: 'P-2', name: 'Chain' })
    const dryRun = await check('sku,name,supplier,quantity,price\np1,Pads,,,12.5\nP-2,Chain,,,40.00\n')
    expect(dryRun).toMatchObject({ added: 0, changed: 1, unchanged: 1, errors: [] })
    expect(dryRun.changes).toEqual([
      {
        row: 2,
        name: 'Sintered brake pads',
        before: { sku: 'P-1', name: 'Sintered brake pads', supplier: 'Link & Sons', price: '40' },
        after: { sku: 'p1', name: 'Pads', supplier: null, price: '12.50' },
      },
    ])
    expect(await run(dryRun)).toMatchObject({ state: 'done', changed: 1, unchanged: 1 })
    const { body } = await shop.call('getProduct', { params: { id } })
    expect(body).toMatchObject({ name: 'Pads', brand: 'Grauwerk', quantity: 7, price: 12.5 })
    expect(body.supplier).toBeUndefined()
    const edits = await shop.db
      .selectFrom('product_changes')
      .selectAll()
      .where('kind', '=', 'edited')
      .execute()
    // The variant has the part number.
    expect(edits).toMatchObject([
      { product_id: id, variant_id: id, actor_id: admin.id, client_ip: '127.0.0.1' },
      { product_id: id, variant_id: null, actor_id: admin.id, client_ip: '127.0.0.1' },
    ])
  })

  test('a quantity sets the current stock', async () => {
    const id = await aProduct(shop, { sku: 'P-1', quantity: 10 })
    const dryRun = await check('sku,quantity\nP-1,8\n')
    await anOrder(shop, await aCustomer(shop), { productId: id, quantity: 3 })
    await run(dryRun)
    expect(await readStock(shop, id)).toBe(8)
    await expectLedgerToAddUp(shop, id)
  })

  test('with quantity_exported, the difference is added, so later sales still count', async () => {
    const id = await aProduct(shop, { sku: 'P-1', quantity: 10 })
    const other = await aProduct(shop, { sku: 'P-2', quantity: 10 })
    const file = (await download()).replace(
      'P-1,Sintered brake pads,,,,40,10,10',
      'P-1,Sintered brake pads,,,,40,15,10',
    )
    const buyer = await aCustomer(shop)
    await anOrder(shop, buyer, { productId: id, quantity: 3 })
    await anOrder(shop, buyer, { productId: other, quantity: 4 })
    expect(await run(await check(file))).toMatchObject({ changed: 1, unchanged: 1 })
    expect([await readStock(shop, id), await readStock(shop, other)]).toEqual([12, 6])
    await expectLedgerToAddUp(shop, id)
  })

  test('a stock below zero is rejected, even if the pieces were sold after the dry run', async () => {
    const id = await aProduct(shop, { sku: 'P-1', quantity: 10 })
    const file = 'sku,quantity,quantity_exported\nP-1,2,10\n'
    const dryRun = await check(file)
    await anOrder(shop, await aCustomer(shop), { productId: id, quantity: 5 })
    expect(await run(dryRun)).toMatchObject({
      state: 'failed',
      failure: expect.stringContaining('The catalog changed'),
    })
    expect(await readStock(shop, id)).toBe(5)
    expect((await check(file)).errors).toEqual([
      { row: 2, column: 'quantity', message: 'Stock cannot go below 0: current stock is 5' },
    ])
  })

  test.each([
    ['with some columns', 'id,sku,price', 'P-1,50', 'P-2,50'],
    ['with all columns', `id,${header}`, pads, pads.replace('P-1', 'P-2')],
  ])(
    'a product deleted after the dry run stops the import of a file %s, and nothing is imported',
    async (_, head, one, other) => {
      const gone = await aProduct(shop, { sku: 'P-1' })
      const saved = await aProduct(shop, { sku: 'P-2', price: 30 })
      const dryRun = await check(`${head}\n${gone},${one}\n${saved},${other}\n`)
      expect(dryRun).toMatchObject({ state: 'checked', changed: 2 })
      await shop.call('deleteProduct', { as: admin, query: { id: gone } })
      expect(await run(dryRun)).toMatchObject({
        state: 'failed',
        failure: expect.stringContaining('The catalog changed'),
      })
      expect(await list()).toMatchObject([{ _id: saved, price: 30 }])
    },
  )
})
