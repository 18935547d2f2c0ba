import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { ImportKind, ImportMode, ProductImport } from '../../../../contract/imports.ts'
import { aBike, anAdmin, aProduct, aProductInSizes } from '../../../../tests/factories.ts'
import { checkFile, importDeps, runImport, waitForImport } from '../../../../tests/product-import.ts'
import { refused, useCustomer, useTestShop } from '../../../../tests/shop.ts'
import { rowTables } from '../../../compose-files.ts'
import { unguard } from '../read-file.ts'
import { runImports, type ScheduleDeps } from '../schedule.ts'
import { deleteOldRows } from '../service.ts'

const shop = useTestShop()
const admin = useCustomer(() => anAdmin(shop))

const check = (file: string | Buffer, mode: ImportMode = 'all') =>
  checkFile(shop, admin, file, 'products', mode)
const run = (dryRun: ProductImport) => runImport(shop, admin, dryRun, { skipErrors: 'true' })
const start = (id: string, query: Record<string, string> = {}) =>
  shop.call('runImport', { as: admin, params: { id }, query })
const readPrice = async (id: string) => (await shop.call('getProduct', { params: { id } })).body.price
const readPrices = (ids: string[]) => Promise.all(ids.map(readPrice))

async function download({ id }: ProductImport): Promise<string> {
  const { body } = await shop.request<string>('GET', `/api/v1/imports/${id}/left-out.csv`, { as: admin })
  return body.replace(/^\uFEFF/, '')
}

/** Imports a file of which one row goes in, without the wrong rows. Returns those with their reasons. */
async function runOthers(
  kind: ImportKind,
  lines: string[],
  counts: { errorCount: number; wrongRows: number },
): Promise<string> {
  const dryRun = await checkFile(shop, admin, `${lines.join('\n')}\n`, kind)
  expect(dryRun).toMatchObject({ ...counts, added: 1 })
  const leftOut = await download(dryRun)
  expect(await start(dryRun.id)).toMatchObject(refused('IMPORT_NOT_READY'))
  expect(await run(dryRun)).toMatchObject({ state: 'done', added: 1, skipsErrors: true })
  return leftOut
}

describe('wrong rows of a product file', () => {
  test('are left out if the admin says so, and the others go in', async () => {
    const ids = [await aProduct(shop, { sku: 'P-1' }), await aProduct(shop, { sku: 'P-2' })]
    const dryRun = await check('sku,price\nP-1,41\nP-2,=twelve\nX-1,13\n')
    expect(dryRun).toMatchObject({ errorCount: 6, wrongRows: 2, changed: 1, added: 0, skipsErrors: false })
    expect(await start(dryRun.id)).toMatchObject(refused('IMPORT_NOT_READY'))
    expect(await run(dryRun)).toMatchObject({ state: 'done', changed: 1, added: 0, skipsErrors: true })
    expect(await readPrices(ids)).toEqual([41, 40])
  })

  test('are a file with their cells and reasons, which can be fixed and imported', async () => {
    const pads = await aProduct(shop, { sku: 'P-2' })
    const file = 'sku;price;brand\r\nP-2;12,x;"Müller; ""A"""\r\n'
    const dryRun = await check(Buffer.from(file, 'latin1'))
    const text = await download(dryRun)
    expect(text).toBe(
      'sku;price;brand;reason\nP-2;12,x;"Müller; ""A""";price: Enter dollars with at most two decimals, such as 12.50\n',
    )
    await runImport(shop, admin, await check(text.replace('12,x', '12,50')))
    expect((await shop.call('getProduct', { params: { id: pads } })).body).toMatchObject({
      price: 12.5,
      brand: 'Müller; "A"',
    })
  })

  test('cannot start a formula in that file', async () => {
    const dryRun = await check('sku,price,\n=1+1,x,"@a"\n"-1\ta",1,\n')
    expect(await download(dryRun)).toMatch(/^sku,price,,reason\n'=1\+1,x,'@a,.*\n'-1\ta,1,,/)
  })

  test('are read from that file as from the first one, with and without formulas', async () => {
    const pads = await aProduct(shop, { sku: '0815' })
    for (const description of ["'- Fits Honda", '-1', "''=1", '="-1"', '="a""b"', '="a"&A1&"b"']) {
      const cell = `"${description.replaceAll('"', '""')}"`
      const text = await download(await check(`sku,price,description\n"=""0815""",x,${cell}\n`))
      expect(text).not.toMatch(/,"?(?:-|="+a"+&)/)
      await runImport(shop, admin, await check(text.replace(',x,', ',41,')))
      expect((await shop.call('getProduct', { params: { id: pads } })).body).toMatchObject({
        price: 41,
        description: unguard(description),
      })
    }
  })

  test('take all rows of their product with them', async () => {
    const { M: id, L } = await aProductInSizes(shop, { M: 3, L: 2 })
    const other = await aProduct(shop, { sku: 'P-1' })
    const file = (price: string, size: string) =>
      `id,group,size,price,sku\n${id},${id},M,60,\n${L},${id},${size},${price},\n${other},,,41,P-1\n`
    for (const wrong of [file('60', 'M'), file('x', 'L')]) {
      const dryRun = await check(wrong)
      expect(dryRun).toMatchObject({ wrongRows: 2, changed: 1 })
      expect(await download(dryRun)).toContain('Another row of this product is wrong')
    }
    await run(await check(file('x', 'L')))
    expect(await readPrices([id, other])).toEqual([40, 41])
  })

  test('take products with them that need their part numbers', async () => {
    const ids = [await aProduct(shop, { sku: 'P-1' }), await aProduct(shop, { sku: 'P-2' })]
    const rows = [`${ids[0]},P-2,0,0`, `${ids[1]},P-3,0,1000`]
    const dryRun = await check(`id,sku,quantity,quantity_exported\n${rows.join('\n')}\n`)
    expect(dryRun).toMatchObject({ errorCount: 1, wrongRows: 2, changed: 0 })
    expect(await download(dryRun)).toContain('Another product has this part number')
  })

  test('are grouped by column and message, with examples', async () => {
    const rows = Array.from({ length: 30 }, (_, index) => `P-${index},x,${index % 2 ? '' : 'P-1'}`)
    await aProduct(shop, { sku: 'P-1' })
    const { errorGroups } = await check(`sku,price,\n${rows.join('\n')}\n`)
    expect(errorGroups).toEqual([
      {
        column: '',
        message: 'Cell 3 has a value, but its column has no name',
        count: 15,
        examples: [0, 2, 4, 6, 8].map((index) => ({
          row: index + 2,
          partNumber: `P-${index}`,
          value: 'P-1',
        })),
      },
      {
        column: 'price',
        message: 'Enter dollars with at most two decimals, such as 12.50',
        count: 15,
        examples: [1, 3, 5, 7, 9].map((index) => ({ row: index + 2, partNumber: `P-${index}`, value: 'x' })),
      },
    ])
  })

  test('of a part number file take all rows of their product with them, in any spelling', async () => {
    const pads = await aProduct(shop, { sku: 'P-1' })
    const { M: jacket, L } = await aProductInSizes(shop, { M: 1, L: 1 })
    await shop.db.updateTable('variants').set({ sku: 'J-M' }).where('id', '=', jacket).execute()
    await shop.db.updateTable('variants').set({ sku: 'J-L' }).where('id', '=', L).execute()
    await aProduct(shop, { sku: 'P-2' })
    const rows = [
      'P-1,oem,Honda,A-1',
      'J-M,oem,Honda,B-1',
      'j l,oem,,B-2',
      'P-2,oem,Honda,C-1',
      'p2,oem,Honda,C 1',
      'X-1,oem,Honda,D-1',
    ]
    const leftOut = await runOthers('part-numbers', ['part_number,kind,maker,number', ...rows], {
      errorCount: 3,
      wrongRows: 5,
    })
    expect(leftOut).toBe(
      [
        'part_number,kind,maker,number,reason',
        'J-M,oem,Honda,B-1,Another row of this product is wrong',
        'j l,oem,,B-2,maker: Maker is required',
        'P-2,oem,Honda,C-1,Another row of this product is wrong',
        'p2,oem,Honda,C 1,Row 5 has the same number',
        'X-1,oem,Honda,D-1,part_number: No product in the shop has this part number',
        '',
      ].join('\n'),
    )
    const { rows: numbers } = await sql`select product_id, number from part_numbers`.execute(shop.db)
    expect(numbers).toEqual([{ product_id: pads, number: 'A-1' }])
  })

  test('of a fitment file take all rows of their product with them', async () => {
    await aBike(shop, { year: 2012 })
    const [pads] = [await aProduct(shop, { sku: 'P-1' }), await aProduct(shop, { sku: 'P-2' })]
    await aProduct(shop, { sku: 'P-3' })
    const rows = [
      'P-1,Hayashi,K6,2012',
      'P-2,Hayashi,K6,2012',
      'p-2,Hayashi,K6,x',
      'P-3,Hayashi,K6,2012',
      'P-3,Hayashi,CB,2012',
    ]
    const leftOut = await runOthers('fitments', ['part_number,make,model,year_from', ...rows], {
      errorCount: 2,
      wrongRows: 4,
    })
    expect(leftOut).toContain('p-2,Hayashi,K6,x,year_from: A year from 1900 to 2100 is needed\n')
    const { rows: fitments } = await sql`select distinct product_id from fitments`.execute(shop.db)
    expect(fitments).toEqual([{ product_id: pads }])
  })

  test('of other kinds of files cannot be left out', async () => {
    const dryRun = await checkFile(shop, admin, 'make,model,year_from\nHayashi,K6,x\n', 'bikes')
    expect(dryRun).toMatchObject({ errorCount: 1, wrongRows: 0, errorGroups: [] })
    expect(await start(dryRun.id, { skipErrors: 'true' })).toMatchObject(refused('IMPORT_NOT_READY'))
    const leftOut = await shop.request('GET', `/api/v1/imports/${dryRun.id}/left-out.csv`, { as: admin })
    expect(leftOut.status).toBe(404)
  })
})

describe('a scheduled import', () => {
  const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()
  const runJob = (changes: Partial<ScheduleDeps> = {}) =>
    runImports({ ...importDeps(shop), ...changes }, new AbortController().signal)
  /** The time of all scheduled imports has come. */
  const setDue = () =>
    shop.db.updateTable('product_imports').set({ scheduled_for: sql<Date>`now()` }).execute()
  async function runDue(): Promise<void> {
    await setDue()
    await runJob()
  }
  const readImport = async (id: string, as = admin) =>
    (await shop.call('getImport', { as, params: { id } })).body
  const listToday = async () => (await shop.call('getToday', { as: admin })).body.imports

  test('runs at its time, without the wrong rows, as the admin who scheduled it', async () => {
    const ids = [await aProduct(shop, { sku: 'P-1' }), await aProduct(shop, { sku: 'P-2' })]
    const { id } = await check('sku,price\nP-1,41\nP-2,x\n')
    const at = inAnHour()
    expect((await start(id, { at, skipErrors: 'true' })).body).toMatchObject({ state: 'checked', runAt: at })
    await runJob()
    expect(await readPrices(ids)).toEqual([40, 40])
    expect(await listToday()).toMatchObject([{ id, state: 'checked' }])
    await runDue()
    expect(await waitForImport(shop, admin, id)).toMatchObject({
      state: 'done',
      changed: 1,
      skipsErrors: true,
    })
    expect(await readPrices(ids)).toEqual([41, 40])
    const { actor_id } = await shop.db
      .selectFrom('product_changes')
      .select('actor_id')
      .where('import_id', '=', id)
      .executeTakeFirstOrThrow()
    expect(actor_id).toBe(admin.id)
  })

  test('is stopped by a new error, which Today shows', async () => {
    const pads = await aProduct(shop, { sku: 'P-1' })
    const { id } = await check(`id,price\n${pads},41\n`)
    await start(id, { at: inAnHour() })
    await shop.call('deleteProduct', { as: admin, query: { id: pads } })
    await runDue()
    expect((await shop.call('getImport', { as: admin, params: { id } })).body).toMatchObject({
      state: 'failed',
      failure:
        'The check before the import found 1 new error. Row 2, id: No product has this id. Nothing was changed. Upload the file again.',
    })
    expect(await listToday()).toMatchObject([{ id, state: 'failed' }])
  })

  test('is stopped by new large changes', async () => {
    const pads = await aProduct(shop, { sku: 'P-1', price: 40 })
    const { id } = await check('sku,price\nP-1,41\n')
    await start(id, { at: inAnHour() })
    await shop.db.updateTable('products').set({ price_cents: 1000 }).execute()
    await runDue()
    expect((await shop.call('getImport', { as: admin, params: { id } })).body).toMatchObject({
      state: 'failed',
      failure: expect.stringContaining('new large changes'),
    })
    expect(await readPrice(pads)).toBe(10)
  })

  test('can be cancelled, and then runs by hand', async () => {
    const pads = await aProduct(shop, { sku: 'P-1' })
    const dryRun = await check('sku,price\nP-1,41\n')
    const cancel = () => shop.call('cancelImport', { as: admin, params: { id: dryRun.id } })
    expect(await cancel()).toMatchObject(refused('IMPORT_NOT_READY'))
    await start(dryRun.id, { at: inAnHour() })
    expect((await cancel()).body.runAt).toBeUndefined()
    await runJob()
    expect(await readPrice(pads)).toBe(40)
    await runImport(shop, admin, dryRun)
    expect(await readPrice(pads)).toBe(41)
  })

  test('does not run if its time is cancelled while it is checked', async () => {
    const pads = await aProduct(shop, { sku: 'P-1' })
    const { id } = await check('sku,price\nP-1,41\n')
    await start(id, { at: inAnHour() })
    await setDue()
    const cancel = () => shop.call('cancelImport', { as: admin, params: { id } })
    await runJob({ mayImport: async () => (await cancel()).status === 200 })
    expect(await readImport(id)).toMatchObject({ state: 'checked' })
    expect(await readPrice(pads)).toBe(40)
  })

  test('is tried again after an interruption of the database', async () => {
    await aProduct(shop, { sku: 'P-1' })
    const { id } = await check('sku,price\nP-1,41\n')
    await start(id, { at: inAnHour() })
    await setDue()
    const ended = Object.assign(new Error('terminating connection'), { code: '57P01' })
    await expect(runJob({ mayImport: () => Promise.reject(ended) })).rejects.toThrow(ended)
    expect(await readImport(id)).toMatchObject({ state: 'checked' })
    await runJob()
    expect(await waitForImport(shop, admin, id)).toMatchObject({ state: 'done', changed: 1 })
  })

  test('fails if the person who scheduled it may no longer import', async () => {
    const pads = await aProduct(shop, { sku: 'P-1' })
    const { id } = await check('sku,price\nP-1,41\n')
    await start(id, { at: inAnHour() })
    const owner = await anAdmin(shop)
    await shop.db
      .updateTable('customers')
      .set({ role: 'packer', is_owner: false })
      .where('id', '=', admin.id)
      .execute()
    await runDue()
    expect(await readImport(id, owner)).toMatchObject({
      state: 'failed',
      failure: expect.stringContaining('may no longer import files'),
    })
    expect(await readPrice(pads)).toBe(40)
  })

  test('lists the rows whose product was deleted in the meantime', async () => {
    const [pads, disc] = [await aProduct(shop, { sku: 'P-1' }), await aProduct(shop, { sku: 'P-2' })]
    const { id } = await check('sku,price\nX-1,10\nP-1,41\nP-2,42\n', 'existing')
    await start(id, { at: inAnHour() })
    await shop.call('deleteProduct', { as: admin, query: { id: disc } })
    await runDue()
    expect(await waitForImport(shop, admin, id)).toMatchObject({
      state: 'done',
      changed: 1,
      unknownCount: 2,
      unknown: [
        { row: 2, partNumber: 'X-1' },
        { row: 4, partNumber: 'P-2' },
      ],
    })
    expect(await readPrice(pads)).toBe(41)
  })

  test('that was cancelled can be imported for another week', async () => {
    await aProduct(shop, { sku: 'P-1' })
    const { id } = await check('sku,price\nP-1,41\n')
    await start(id, { at: inAnHour() })
    await shop.call('cancelImport', { as: admin, params: { id } })
    const age = (days: number) =>
      shop.db
        .updateTable('product_imports')
        .set({ started_at: sql<Date>`now() - ${days}::integer * interval '1 day'` })
        .execute()
    await age(7)
    await deleteOldRows(shop.db, rowTables)
    expect(await readImport(id)).toMatchObject({ state: 'checked' })
    await age(9)
    await deleteOldRows(shop.db, rowTables)
    expect(await readImport(id)).toMatchObject({ state: 'failed' })
  })

  test('is for files in batches, within 7 days', async () => {
    await aProduct(shop, { sku: 'P-1' })
    const { id } = await check('sku,price\nP-1,41\n')
    const late = new Date(Date.now() + 8 * 24 * 3_600_000).toISOString()
    expect(await start(id, { at: late })).toMatchObject(refused('IMPORT_NOT_SCHEDULABLE'))
    expect((await start(id, { at: 'tonight' })).status).toBe(400)
    const bikes = await checkFile(shop, admin, 'make,model,year_from\nHayashi,K6,2012\n', 'bikes')
    expect(await start(bikes.id, { at: inAnHour() })).toMatchObject(refused('IMPORT_NOT_SCHEDULABLE'))
  })
})
