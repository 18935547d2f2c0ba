import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { productsPerBatch } from '../../../contract/imports.ts'
import { untilWaiting } from '../../../tests/database.ts'
import { aCustomer, anAdmin, aProduct } from '../../../tests/factories.ts'
import { randomFor } from '../../../tests/hardening/random.ts'
import {
  checkFile,
  importDeps,
  productHeader,
  productRow,
  runImport,
  waitForImport,
} from '../../../tests/product-import.ts'
import { expectConsistent, refused, useCustomer, useTestShop } from '../../../tests/shop.ts'
import { productFile } from '../catalog/files/products/file.ts'
import { shopRestarted } from './background.ts'
import { runBatches } from './batches.ts'
import { assignBatches, rowsPerBatch } from './queries.ts'
import { beginImporting, insertImport, lockImports } from './repository.ts'
import { runImports } from './schedule.ts'

const shop = useTestShop()
const admin = useCustomer(() => anAdmin(shop))

/** Three batches. */
const count = 2 * productsPerBatch + 10
/** A product in the second batch. */
const inSecond = productsPerBatch + 100
const sku = (index: number) => `S-${String(index).padStart(4, '0')}`
const all = Array.from({ length: count }, (_, index) => index)
const toFile = (head: string, toRow: (index: number) => string, indexes = all) =>
  [head, ...indexes.map(toRow)].join('\n')
const idOf = async (number: string) =>
  (
    await shop.db
      .selectFrom('variants')
      .select('product_id')
      .where('sku', '=', number)
      .where('removed_at', 'is', null)
      .executeTakeFirstOrThrow()
  ).product_id
const priceOf = async (number: string) =>
  (await shop.call('getProduct', { params: { id: await idOf(number) } })).body.price
const getImport = async (id: string) => (await shop.call('getImport', { as: admin, params: { id } })).body

/** Adds products, with ids in the order of their part numbers. */
async function addProducts(): Promise<void> {
  await sql`
    insert into products (id, name, description, image, minimum_quantity, stock, price_cents)
    select 'p' || to_char(n, 'fm0000'), 'Chain', '', '', 1, 10, 4000
    from generate_series(0, ${count - 1}::integer) n`.execute(shop.db)
  await sql`update variants set sku = 'S-' || substr(product_id, 2)`.execute(shop.db)
}

/** Checks a file and begins its import, which no process runs yet. Returns its id. */
async function begin(file: string): Promise<string> {
  const { id } = await checkFile(shop, admin, file)
  const author = { customerId: admin.id, ip: null }
  await beginImporting(shop.db, id, author, { inBatches: true, skipsErrors: false, hosts: [] })
  return id
}

/** Locks a product until the returned function is called. */
async function lock(id: string): Promise<() => Promise<void>> {
  const tx = await shop.db.startTransaction().execute()
  await sql`select from products where id = ${id} for no key update`.execute(tx)
  return async () => {
    await tx.commit().execute()
  }
}

describe('a file of several batches', () => {
  test('adds products in the order of the file', async () => {
    const added = await checkFile(
      shop,
      admin,
      toFile(productHeader, (index) => productRow(sku(index))),
    )
    expect(await runImport(shop, admin, added)).toMatchObject({ state: 'done', added: count })
    const { rows } = await sql<{ sku: string }>`
      select sku from products join variants on variants.id = products.id order by products.created_at`.execute(
      shop.db,
    )
    expect(rows.map((row) => row.sku)).toEqual(all.map(sku))
    await expectConsistent(shop.db)
  })

  test('lets buyers order products of other batches, at the price that each has', async () => {
    await addProducts()
    const buyer = await aCustomer(shop)
    const dryRun = await checkFile(
      shop,
      admin,
      toFile('sku,price', (index) => `${sku(index)},50`),
    )
    const release = await lock(await idOf(sku(count - 1)))
    const { as, params } = { as: admin, params: { id: dryRun.id } }
    await shop.call('runImport', { as, params })
    const buy = async (number: string, amount: number) =>
      shop.call('confirmPurchase', {
        as: buyer,
        body: { productId: await idOf(number), quantity: 1, amount, customerAddress: '1 Road' },
      })
    await expect.poll(() => priceOf(sku(2 * productsPerBatch - 1))).toBe(50)
    expect(await priceOf(sku(2 * productsPerBatch))).toBe(40)
    expect(await buy(sku(0), 50)).toMatchObject({ status: 200 })
    expect(await buy(sku(0), 40)).toMatchObject(refused('PRICE_CHANGED'))
    // Waits while the batch has the lock, and not longer.
    expect(await buy(sku(2 * productsPerBatch), 40)).toMatchObject({ status: 200 })
    expect((await getImport(dryRun.id)).state).toBe('importing')
    await release()
    expect(await waitForImport(shop, admin, dryRun.id)).toMatchObject({ state: 'done', changed: count })
    expect(await priceOf(sku(2 * productsPerBatch))).toBe(50)
    await expectConsistent(shop.db)
  })

  test('leaves out products that have changed so that they do not match any more, and lists them', async () => {
    await addProducts()
    const dryRun = await checkFile(
      shop,
      admin,
      toFile('sku,price', (index) => `${sku(index)},50`),
    )
    const release = await lock(await idOf(sku(0)))
    await shop.call('runImport', { as: admin, params: { id: dryRun.id } })
    await expect
      .poll(async () => {
        const imports = shop.db.selectFrom('product_imports').select('batch_count')
        return (await imports.where('id', '=', dryRun.id).executeTakeFirst())?.batch_count
      })
      .toBe(3)
    const deleted = await idOf(sku(inSecond))
    await shop.call('deleteProduct', { as: admin, query: { id: deleted } })
    await release()
    const done = await waitForImport(shop, admin, dryRun.id)
    expect(done).toMatchObject({ state: 'done', changed: count - 1, skippedCount: 1 })
    expect(done.skipped).toEqual([
      { productId: deleted, name: 'Chain', reason: 'It was deleted, or one of its variants was' },
    ])
    expect(await priceOf(sku(inSecond - 1))).toBe(50)
    await expectConsistent(shop.db)
  })

  test('repeats a batch that fails product by product, and leaves out the product that fails', async () => {
    await addProducts()
    const file = toFile('sku,price', (index) => `${sku(index)},${index === inSecond ? 66 : 50}`)
    const dryRun = await checkFile(shop, admin, file)
    await sql`
      create function refuse_price() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
      create trigger refuse_price before update on products for each row
        when (new.price_cents = 6600) execute function refuse_price()`.execute(shop.db)
    try {
      const done = await runImport(shop, admin, dryRun)
      expect(done).toMatchObject({ state: 'done', changed: count - 1, skippedCount: 1 })
      expect(done.skipped).toMatchObject([{ name: 'Chain', reason: 'Something went wrong on our side' }])
    } finally {
      await sql`drop function refuse_price cascade`.execute(shop.db)
    }
    expect(await priceOf(sku(inSecond))).toBe(40)
    expect(await priceOf(sku(inSecond + 1))).toBe(50)
    await expectConsistent(shop.db)
  })

  test('exchanges the part numbers of its first and its last product', async () => {
    await addProducts()
    const [first, last] = [await idOf(sku(0)), await idOf(sku(count - 1))]
    const { rows } = await sql<{ product_id: string }>`select product_id from variants order by sku`.execute(
      shop.db,
    )
    const ids = rows.map(({ product_id }) => product_id)
    const swapped = (index: number) =>
      index === 0 ? sku(count - 1) : index === count - 1 ? sku(0) : sku(index)
    const file = toFile('id,sku,price', (index) => `${ids[index]},${swapped(index)},50`)
    const done = await runImport(shop, admin, await checkFile(shop, admin, file))
    expect(done).toMatchObject({ state: 'done', changed: count, skippedCount: 0 })
    expect([await idOf(sku(0)), await idOf(sku(count - 1))]).toEqual([last, first])
    await expectConsistent(shop.db)
  })

  test('adds a delivery once, although two processes run its batches at the same time', async () => {
    await addProducts()
    const file = toFile('sku,quantity,quantity_exported', (index) => `${sku(index)},7,0`)
    const id = await begin(file)
    const run = () => runBatches(importDeps(shop), id, productFile, new AbortController().signal)
    await Promise.all([run(), run(), run()])
    expect(await getImport(id)).toMatchObject({ state: 'done', changed: count })
    const { rows } = await sql<{ stock: number; variants: number }>`
      select stock, count(*) as variants from variants group by stock`.execute(shop.db)
    expect(rows).toEqual([{ stock: 17, variants: count }])
    await expectConsistent(shop.db)
  })

  test('changes all products if a second process begins while the first one divides it', async () => {
    await addProducts()
    const id = await begin(toFile('sku,price', (index) => `${sku(index)},50`))
    const { batches } = productFile
    const run = (kind: typeof productFile) =>
      runBatches(importDeps(shop), id, kind, new AbortController().signal)
    let second: Promise<void> | undefined
    const prepare: typeof batches.prepare = async (...args) => {
      second = run(productFile)
      // Without a lock it would divide the file again.
      await untilWaiting(shop)
      return batches.prepare(...args)
    }
    await run({ ...productFile, batches: { ...batches, prepare } })
    await second
    expect(await getImport(id)).toMatchObject({ state: 'done', changed: count, skippedCount: 0 })
    expect(await priceOf(sku(inSecond))).toBe(50)
    await expectConsistent(shop.db)
  })

  test('fails if its rows are gone, as after a restored backup, and says what was changed', async () => {
    await addProducts()
    const id = await begin(toFile('sku,price', (index) => `${sku(index)},50`))
    const stopping = new AbortController()
    const release = await lock(await idOf(sku(inSecond)))
    const running = runBatches(importDeps(shop), id, productFile, stopping.signal)
    await expect.poll(() => priceOf(sku(productsPerBatch - 1))).toBe(50)
    stopping.abort()
    await expect(running).rejects.toThrow('aborted')
    await release()
    await sql`delete from product_import_rows`.execute(shop.db)
    await runBatches(importDeps(shop), id, productFile, new AbortController().signal)
    expect(await getImport(id)).toMatchObject({
      state: 'failed',
      failure: expect.stringContaining(`${productsPerBatch} records were changed`),
      undoable: true,
    })
  })
})

test('a file in one transaction fails if its rows are gone, as after a restored backup', async () => {
  const checked = await checkFile(shop, admin, 'make,model,year_from\nHayashi,K6,2012\n', 'bikes')
  expect(checked).toMatchObject({ state: 'checked', added: 1 })
  await sql`delete from bike_import_rows`.execute(shop.db)
  expect(await runImport(shop, admin, checked)).toMatchObject({
    state: 'failed',
    failure: 'The rows of this file are no longer stored. Nothing was changed. Upload the file again.',
  })
})

test('an import whose process was killed fails by a job, and one in progress does not', async () => {
  const row = { kind: 'products', file_name: 'a.csv', started_by: admin.id } as const
  await insertImport(shop.db, { ...row, id: 'killed', state: 'reading' })
  const listOpen = async () => (await shop.call('getToday', { as: admin })).body.imports
  const runJob = () => runImports(importDeps(shop), new AbortController().signal)
  const tx = await shop.db.startTransaction().execute()
  expect(await lockImports(tx)).toBe(true)
  await runJob()
  expect(await listOpen()).toMatchObject([{ id: 'killed', state: 'reading' }])
  await tx.commit().execute()
  await runJob()
  expect(await listOpen()).toEqual([])
  expect((await shop.call('listImports', { as: admin })).body).toMatchObject([
    { id: 'killed', state: 'failed', failure: shopRestarted },
  ])
})

test('a file of one batch changes all of its products or none', async () => {
  await aProduct(shop, { sku: 'P-1' })
  await aProduct(shop, { sku: 'P-2' })
  const dryRun = await checkFile(shop, admin, 'sku,price\nP-1,50\nP-2,66\n')
  await sql`
    create function refuse_price() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
    create trigger refuse_price before update on products for each row
      when (new.price_cents = 6600) execute function refuse_price()`.execute(shop.db)
  try {
    expect(await runImport(shop, admin, dryRun)).toMatchObject({
      state: 'failed',
      failure: expect.stringContaining('Nothing was changed'),
    })
  } finally {
    await sql`drop function refuse_price cascade`.execute(shop.db)
  }
  expect(await priceOf('P-1')).toBe(40)
})

test('a batch ends at the limit of products, or with the product that reaches the limit of rows', async () => {
  const file = { importId: 'import', rowTable: 'file_rows' }
  const assign = (rowsOfProducts: number[]) =>
    shop.db.transaction().execute(async (tx) => {
      await sql`
        create temp table file_rows (import_id text, row serial, product_id text, batch integer) on commit drop`.execute(
        tx,
      )
      await sql`
        insert into file_rows (import_id, product_id)
        select ${file.importId}, to_char(number, 'fm00000')
        from unnest(${rowsOfProducts}::integer[]) with ordinality as product (rows, number), generate_series(1, rows)
        order by number`.execute(tx)
      const batches = await assignBatches(tx, file, sql`select product_id from file_rows`)
      const { rows } = await sql<{ products: number; rows: number; last: number }>`
        select count(distinct product_id)::integer as products, count(*)::integer as rows,
          (array_agg(size order by product_id desc))[1]::integer as last
        from (select *, count(*) over (partition by product_id) as size from file_rows) as sized
        group by batch order by batch`.execute(tx)
      expect(batches).toBe(rows.length)
      return rows
    })
  const ofOneRow = await assign(Array.from({ length: 4 * rowsPerBatch + 1 }, () => 1))
  expect(ofOneRow).toHaveLength(Math.ceil((4 * rowsPerBatch + 1) / productsPerBatch))

  const random = randomFor(1, 0)
  const mixed = await assign(
    Array.from({ length: productsPerBatch }, () =>
      random.pick([1, 1, 1, 1, 1, 1, 1, 1, 3, 30, 2 * rowsPerBatch]),
    ),
  )
  for (const { products, rows, last } of [...ofOneRow, ...mixed]) {
    expect(products).toBeLessThanOrEqual(productsPerBatch)
    expect(rows - last).toBeLessThan(rowsPerBatch)
  }
})
