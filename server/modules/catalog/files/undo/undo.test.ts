import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { StockChange } from '../../../../../contract/catalog.ts'
import type { ProductImport } from '../../../../../contract/imports.ts'
import {
  aBike,
  aCustomer,
  anAdmin,
  anOrder,
  aProduct,
  aProductInSizes,
  readProductEtag,
} from '../../../../../tests/factories.ts'
import {
  checkFile,
  checkUndo,
  productHeader,
  productRow,
  runImport,
  waitForImport,
} from '../../../../../tests/product-import.ts'
import { expectConsistent, refused, useCustomer, useTestShop } from '../../../../../tests/shop.ts'

const shop = useTestShop()
const admin = useCustomer(() => anAdmin(shop))
const other = useCustomer(() => anAdmin(shop))

const read = async (id: string) => (await shop.call('getProduct', { params: { id } })).body
const importFile = async (file: string) => runImport(shop, admin, await checkFile(shop, admin, file))
const undo = async (undone: ProductImport) => runImport(shop, admin, await checkUndo(shop, admin, undone))
const listImports = async () => (await shop.call('listImports', { as: admin })).body

/** Changes a product by hand, as another admin. */
async function edit(id: string, changes: object): Promise<void> {
  const { body } = await shop.call('getEditableProduct', { as: other, params: { id } })
  const { certificates: _, ...product } = body
  const { status } = await shop.call('editProduct', {
    as: other,
    params: { id },
    headers: { 'if-match': await readProductEtag(shop, other, id) },
    body: { ...product, ...changes },
  })
  expect(status).toBe(200)
}

async function changeStock(id: string, body: StockChange): Promise<void> {
  expect((await shop.call('updateProduct', { as: other, params: { id }, body })).status).toBe(200)
}

describe('the undo of an import', () => {
  test('restores values that are still the imported ones, and moves the stock back by the difference', async () => {
    const buyer = await aCustomer(shop)
    const pads = await aProduct(shop, { sku: 'P-1', name: 'Pads', quantity: 10 })
    const disc = await aProduct(shop, { sku: 'P-2', name: 'Disc', quantity: 10 })
    const lever = await aProduct(shop, { sku: 'P-3', name: 'Lever', quantity: 10 })
    const done = await importFile(
      'sku,price,supplier,quantity\nP-1,50,Grauwerk,15\nP-2,50,Grauwerk,15\nP-3,50,Grauwerk,15\n',
    )
    expect(done).toMatchObject({ state: 'done', changed: 3, undoable: true })
    await anOrder(shop, buyer, { productId: pads, quantity: 2, price: 50 })
    await anOrder(shop, buyer, { productId: lever, quantity: 12, price: 50 })
    await edit(disc, { price: 60 })

    const preview = await checkUndo(shop, admin, done)
    expect(preview).toMatchObject({ state: 'checked', source: 'undo', undoOf: done.id, changed: 3 })
    expect(preview.changes.find(({ name }) => name === 'Pads')).toEqual({
      row: 0,
      name: 'Pads',
      before: { price: '50', supplier: 'Grauwerk' },
      after: { price: '40', supplier: null },
    })
    expect(preview.changes).toContainEqual({
      row: 0,
      name: 'Pads',
      before: { quantity: '13' },
      after: { quantity: '8' },
    })
    const reasons = (skipped: ProductImport['skipped']) =>
      Object.fromEntries(skipped.map(({ name, reason }) => [name, reason]))
    const leftOut = {
      Disc: 'Changed since the import: price',
      Lever: 'Its stock would go below 0',
    }
    expect(reasons(preview.skipped)).toEqual(leftOut)
    expect(await read(pads)).toMatchObject({ price: 50, quantity: 13 })

    const undone = await runImport(shop, admin, preview)
    expect(undone).toMatchObject({ state: 'done', changed: 3, skippedCount: 2 })
    expect(reasons(undone.skipped)).toEqual(leftOut)
    expect(await read(pads)).toMatchObject({ price: 40, quantity: 8 })
    expect((await read(pads)).supplier).toBeUndefined()
    expect(await read(disc)).toMatchObject({ price: 60, quantity: 10 })
    expect(await read(lever)).toMatchObject({ price: 40, quantity: 3 })
    await expectConsistent(shop.db)

    // The undo can be undone too.
    expect(await undo(undone)).toMatchObject({ state: 'done', changed: 3, skippedCount: 0 })
    expect(await read(pads)).toMatchObject({ price: 50, quantity: 13, supplier: 'Grauwerk' })
    expect(await read(disc)).toMatchObject({ price: 60, quantity: 15 })
    expect(await read(lever)).toMatchObject({ price: 50, quantity: 3 })
    await expectConsistent(shop.db)
  })

  test('judges the products again when it runs', async () => {
    const pads = await aProduct(shop, { sku: 'P-1', name: 'Pads' })
    await aProduct(shop, { sku: 'P-2', name: 'Disc' })
    const done = await importFile('sku,price\nP-1,50\nP-2,50\n')
    const preview = await checkUndo(shop, admin, done)
    expect(preview.skipped).toEqual([])
    await edit(pads, { price: 60 })
    expect(await runImport(shop, admin, preview)).toMatchObject({ changed: 1, skippedCount: 1 })
    expect((await read(pads)).price).toBe(60)
  })

  test('judges the products again under their locks', async () => {
    const pads = await aProduct(shop, { sku: 'P-1', name: 'Pads' })
    const disc = await aProduct(shop, { sku: 'P-2', name: 'Disc' })
    const preview = await checkUndo(shop, admin, await importFile('sku,price\nP-1,50\nP-2,50\n'))
    const tx = await shop.db.startTransaction().execute()
    await sql`select from products where id = ${disc} for no key update`.execute(tx)
    const running = runImport(shop, admin, preview)
    const countPrepared = async () =>
      (await sql`select from product_imports where id = ${preview.id} and batch_count = 1`.execute(shop.db))
        .rows.length
    await expect.poll(countPrepared).toBe(1)
    await edit(pads, { price: 60 })
    await tx.commit().execute()
    expect(await running).toMatchObject({ state: 'done', changed: 1, skippedCount: 1 })
    expect((await read(pads)).price).toBe(60)
    expect((await read(disc)).price).toBe(40)
  })

  test('deletes the products that the import added, and its own undo brings them back', async () => {
    const done = await importFile([productHeader, productRow('N-1'), productRow('N-2')].join('\n'))
    const { rows } = await sql<{ id: string }>`select id from products order by created_at`.execute(shop.db)
    const [first = '', second = ''] = rows.map(({ id }) => id)
    await edit(second, { price: 60 })
    const undone = await undo(done)
    expect(undone).toMatchObject({ removed: 1, changed: 0, skippedCount: 1 })
    expect(await shop.call('getProduct', { params: { id: first } })).toMatchObject({ status: 404 })
    expect((await read(second)).price).toBe(60)
    expect(await undo(undone)).toMatchObject({ added: 1 })
    expect(await read(first)).toMatchObject({ price: 40, quantity: 10, sku: 'N-1' })
    await expectConsistent(shop.db)
  })

  test.each([
    ['keeps an added product that received goods since', { quantity: 15, delta: 5 }, 1],
    ['keeps an added product with a larger count since', { quantity: 11 }, 1],
    ['deletes an added product with a smaller stock since', { quantity: 9, delta: -1 }, 0],
  ])('%s', async (_, change, skippedCount) => {
    const done = await importFile([productHeader, productRow('N-1')].join('\n'))
    const { id } = await shop.db.selectFrom('products').select('id').executeTakeFirstOrThrow()
    const preview = await checkUndo(shop, admin, done)
    expect(preview).toMatchObject({ removed: 1, skippedCount: 0 })
    await changeStock(id, change)
    expect(await checkUndo(shop, admin, done)).toMatchObject({ removed: 1 - skippedCount, skippedCount })
    const undone = await runImport(shop, admin, preview)
    expect(undone).toMatchObject({ removed: 1 - skippedCount, skippedCount })
    const reason = 'Changed since the import'
    expect(undone.skipped).toMatchObject(skippedCount === 1 ? [{ productId: id, reason }] : [])
    await expectConsistent(shop.db)
  })

  test('deletes a returned product that had received goods before', async () => {
    const id = await aProduct(shop)
    await changeStock(id, { quantity: 15, delta: 5 })
    const change = { deleted: true }
    const { body } = await shop.call('changeProducts', {
      as: admin,
      body: { selection: { ids: [id] }, change },
    })
    const deleted = await runImport(shop, admin, await waitForImport(shop, admin, body.id))
    const returned = await undo(deleted)
    expect(returned).toMatchObject({ added: 1 })
    expect(await undo(returned)).toMatchObject({ removed: 1, skippedCount: 0 })
  })

  test('leaves out a returned product whose part number another product has by then', async () => {
    const done = await importFile([productHeader, productRow('N-1')].join('\n'))
    const undone = await undo(done)
    await aProduct(shop, { sku: 'N-1' })
    const again = await undo(undone)
    expect(again).toMatchObject({ state: 'done', added: 0, skippedCount: 1 })
    expect(again.skipped).toMatchObject([
      { reason: expect.stringMatching(/^Another product has its part number/) },
    ])
    await expectConsistent(shop.db)
  })

  test('restores a product with sizes as a whole or not at all, and exchanges part numbers back', async () => {
    const { M: jacket } = await aProductInSizes(shop, { M: 3, L: 2 }, { price: 200 })
    const plain = await aProduct(shop, { sku: 'P-1' })
    const before = await shop.call('listVariants', { as: admin, params: { id: jacket } })
    const { body: file } = await shop.request<string>('GET', '/api/v1/products.csv', { as: admin })
    const [head = '', ...rows] = file.trim().split('\n')
    const names = head.split(',')
    const setCell = (row: string, name: string, value: string) =>
      row
        .split(',')
        .map((cell, index) => (names[index] === name ? value : cell))
        .join(',')
    const own = rows.filter((row) => row.includes(jacket))
    const raised = own.map((row, index) =>
      setCell(setCell(row, 'price', String(90 + index)), 'weight', '700'),
    )
    const added = setCell(setCell(setCell(own[0] ?? '', 'id', ''), 'sku', 'NEW-1'), 'size', 'XL')
    const done = await importFile([head, ...raised, setCell(added, 'price', '95')].join('\n'))
    expect(done).toMatchObject({ state: 'done', added: 1, changed: own.length })
    const undone = await undo(done)
    expect(undone).toMatchObject({ state: 'done', changed: 1, skippedCount: 0 })
    const after = await shop.call('listVariants', { as: admin, params: { id: jacket } })
    expect(after.body).toEqual(before.body)
    await expectConsistent(shop.db)

    const again = await undo(undone)
    await sql`update variants set weight_grams = 5 where id = ${jacket}`.execute(shop.db)
    expect(await undo(again)).toMatchObject({ changed: 0, skippedCount: 1 })
    expect((await read(jacket)).price).toBe(90)
    expect((await read(plain)).price).toBe(40)
    await expectConsistent(shop.db)

    const [one, two] = [await aProduct(shop, { sku: 'A-1' }), await aProduct(shop, { sku: 'A-2' })]
    const swapped = await importFile(`id,sku\n${one},A-2\n${two},A-1\n`)
    await undo(swapped)
    expect([(await read(one)).sku, (await read(two)).sku]).toEqual(['A-1', 'A-2'])
    await expectConsistent(shop.db)
  })

  test.each([
    ['stock', 'stock = stock + 10'],
    ['shelf', "shelf = 'A-1'"],
  ])('keeps an added size whose %s was changed since', async (_, change) => {
    const { M: jacket } = await aProductInSizes(shop, { M: 3, L: 2 }, { price: 200 })
    const { body: file } = await shop.request<string>('GET', '/api/v1/products.csv', { as: admin })
    const [head = '', ...rows] = file.trim().split('\n')
    const names = head.split(',')
    const cells = (rows.find((row) => row.includes(jacket)) ?? '').split(',')
    const changes: Record<string, string> = { id: '', sku: 'NEW-1', size: 'XL' }
    const added = cells.map((cell, index) => changes[names[index] ?? ''] ?? cell)
    const done = await importFile([head, ...rows, added.join(',')].join('\n'))
    expect(done).toMatchObject({ state: 'done', added: 1 })
    await sql`update variants set ${sql.raw(change)} where sku = 'NEW-1'`.execute(shop.db)
    expect(await undo(done)).toMatchObject({ changed: 0, skippedCount: 1 })
    const { body } = await shop.call('listVariants', { as: admin, params: { id: jacket } })
    expect(body.variants.find(({ size }) => size === 'XL')?.removed).toBeFalsy()
  })

  test('restores the attributes of a part', async () => {
    const pads = await aProduct(shop, { sku: 'P-1' })
    const done = await importFile('sku,price\nP-1,50\n')
    // As an import with a column for the attribute records it.
    await sql`update products set attributes = '{"length": "2"}' where id = ${pads}`.execute(shop.db)
    await sql`
      insert into product_changes (product_id, kind, before, after, import_id)
      values (${pads}, 'edited', '{"attributes": {"length": "1"}}', '{"attributes": {"length": "2"}}', ${done.id})`.execute(
      shop.db,
    )
    expect(await undo(done)).toMatchObject({ changed: 1, skippedCount: 0 })
    const { rows } = await sql`select attributes, price_cents from products`.execute(shop.db)
    expect(rows).toEqual([{ attributes: { length: '1' }, price_cents: 4000 }])
  })

  test('runs once, even if it is requested and started twice', async () => {
    await aProduct(shop, { sku: 'P-1', quantity: 10 })
    const done = await importFile('sku,quantity\nP-1,15\n')
    const previews = [await checkUndo(shop, admin, done), await checkUndo(shop, admin, done)]
    const [first, second] = previews
    const responses = await Promise.all(
      [first, first, second].map((preview) =>
        shop.call('runImport', { as: admin, params: { id: preview?.id ?? '' } }),
      ),
    )
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
    await expect.poll(async () => (await listImports()).some(({ undoneBy }) => undoneBy)).toBe(true)
    await expect
      .poll(async () => (await listImports()).filter(({ state }) => state === 'done'))
      .toHaveLength(2)
    const { rows } = await sql`select stock from variants`.execute(shop.db)
    expect(rows).toEqual([{ stock: 10 }])
    const params = { id: done.id }
    expect(await shop.call('undoImport', { as: admin, params })).toMatchObject(
      refused('IMPORT_ALREADY_UNDONE'),
    )
    expect(await shop.call('runImport', { as: admin, params: { id: second?.id ?? '' } })).toMatchObject({
      status: 409,
    })
  })

  test('is refused for imports that were not run, have changed nothing, or are of bikes', async () => {
    await aProduct(shop, { sku: 'P-1' })
    const undoOf = async (id: string) => shop.call('undoImport', { as: admin, params: { id } })
    const checked = await checkFile(shop, admin, 'sku,price\nP-1,50\n')
    expect(await undoOf(checked.id)).toMatchObject(refused('IMPORT_NOT_UNDOABLE'))
    const bikes = await runImport(
      shop,
      admin,
      await checkFile(shop, admin, 'make,model,year_from\nHayashi,K6,2012\n', 'bikes'),
    )
    expect(bikes).toMatchObject({ state: 'done', undoable: false })
    expect(await undoOf(bikes.id)).toMatchObject(refused('IMPORT_NOT_UNDOABLE'))
    expect(await undoOf('missing')).toMatchObject(refused('NOT_FOUND'))
  })
})

test('the list of imports has who, what and the result, newest first', async () => {
  await aProduct(shop, { sku: 'P-1' })
  const done = await importFile('sku,price\nP-1,50\n')
  const undone = await undo(done)
  expect(await listImports()).toMatchObject([
    { id: undone.id, source: 'undo', undoOf: done.id, fileName: 'products.csv', startedBy: admin.email },
    { id: done.id, source: 'file', state: 'done', changed: 1, undoneBy: undone.id, undoable: false },
  ])
  const page = await shop.call('listImports', { as: admin, query: { page: '2', pageSize: '1' } })
  expect(page.headers.get('x-total-count')).toBe('2')
  expect(page.body).toMatchObject([{ id: done.id }])
})

test('the audit lists an import as one entry, and its changes with the product or the import', async () => {
  const pads = await aProduct(shop, { sku: 'P-1' })
  const done = await importFile('sku,price,quantity\nP-1,50,12\n')
  const list = async (query: Record<string, string>) =>
    (await shop.call('listAudit', { as: admin, query })).body.entries.map(({ area, kind, subject }) => ({
      area,
      kind,
      id: subject.id,
    }))
  const imported = { area: 'imports', kind: 'added', id: done.id }
  const price = { area: 'products', kind: 'edited', id: pads }
  const stock = { area: 'stock', kind: 'count', id: pads }
  const own = await list({ by: admin.email })
  expect(own).toEqual([imported])
  expect(await list({ subject: `import:${done.id}` })).toEqual(expect.arrayContaining([price, stock]))
  expect(await list({ subject: pads })).toEqual(expect.arrayContaining([price, stock]))
  const { entries } = (await shop.call('listAudit', { as: admin, query: { area: 'imports' } })).body
  expect(entries).toMatchObject([
    {
      subject: { name: 'products.csv' },
      changes: [
        { field: 'changed', after: '1' },
        { field: 'kind', after: 'products' },
      ],
    },
  ])
})

describe('the undo of a part number file', () => {
  const importNumbers = async (rows: string[]) =>
    runImport(
      shop,
      admin,
      await checkFile(shop, admin, `part_number,kind,maker,number\n${rows.join('\n')}\n`, 'part-numbers'),
    )
  async function saveNumbers(id: string, number: string) {
    const { revision } = (await shop.call('listPartNumbers', { as: other, params: { id } })).body
    const body = { numbers: [{ kind: 'oem' as const, maker: 'Honda', number }], revision }
    expect((await shop.call('savePartNumbers', { as: other, params: { id }, body })).status).toBe(200)
  }
  const readNumbers = async (ids: string[]) => {
    const lists = await Promise.all(
      ids.map((id) => shop.call('listPartNumbers', { as: admin, params: { id } })),
    )
    return lists.map(({ body }) => body.numbers.map(({ number }) => number).join())
  }

  test('restores the numbers before it, unless they were changed since, and can be undone', async () => {
    const ids = await Promise.all(
      ['P-1', 'P-2', 'P-3', 'P-4'].map((sku) => aProduct(shop, { sku, name: sku })),
    )
    const [first = '', second = '', third = '', fourth = ''] = ids
    await saveNumbers(first, 'OLD-1')
    const done = await importNumbers([
      'P-1,oem,Honda,H-1',
      'P-2,oem,Honda,H-2',
      'P-3,oem,Honda,H-3',
      'P-4,,,',
    ])
    // The file did not change it.
    await saveNumbers(fourth, 'OWN-4')
    await saveNumbers(third, 'OWN-3')
    const preview = await checkUndo(shop, admin, done)
    expect(preview).toMatchObject({
      state: 'checked',
      added: 1,
      removed: 2,
      skipped: [{ productId: third, name: 'P-3', reason: 'Changed since the import' }],
    })
    await saveNumbers(second, 'OWN-2')
    const undone = await runImport(shop, admin, preview)
    expect(undone).toMatchObject({ state: 'done', added: 1, removed: 1, skippedCount: 2 })
    expect(await readNumbers(ids)).toEqual(['OLD-1', 'OWN-2', 'OWN-3', 'OWN-4'])
    expect((await listImports())[1]).toMatchObject({ id: done.id, undoneBy: undone.id, undoable: false })
    await undo(undone)
    expect(await readNumbers(ids)).toEqual(['H-1', 'OWN-2', 'OWN-3', 'OWN-4'])
    await expectConsistent(shop.db)
  })
})

test('the undo of a fitment file restores the fitments from its sources', async () => {
  await aBike(shop, { year: 2012 })
  const [pads, disc] = [await aProduct(shop, { sku: 'P-1' }), await aProduct(shop, { sku: 'P-2' })]
  const importFitments = async (rows: string[]) => {
    const file = `part_number,make,model,year_from,year_to,pieces,source\n${rows.join('\n')}\n`
    return runImport(shop, admin, await checkFile(shop, admin, file, 'fitments'))
  }
  const readFitments = async () => {
    const { rows } = await sql`
      select product_id as id, year_from as year, pieces, source from fitments order by product_id = ${pads} desc, source`.execute(
      shop.db,
    )
    return rows
  }
  await importFitments(['P-1,Hayashi,K6,2012,,2,Nord', 'P-1,Hayashi,K6,2012,,,Sud'])
  const before = await readFitments()
  const done = await importFitments(['P-1,Hayashi,K6,2011,2012,1,Nord', 'P-2,Hayashi,K6,2012,,,Nord'])
  const after = await readFitments()
  expect(after).toMatchObject([{ year: 2011 }, { source: 'Sud' }, { id: disc }])
  const undone = await undo(done)
  expect(undone).toMatchObject({ state: 'done', added: 1, removed: 2, skippedCount: 0 })
  expect(await readFitments()).toEqual(before)
  await undo(undone)
  expect(await readFitments()).toEqual(after)
  await expectConsistent(shop.db)
})
