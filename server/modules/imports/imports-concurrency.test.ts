import { once } from 'node:events'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { maxProductFileBytes } from '../../../contract/product-files.ts'
import { toCaller } from '../../../tests/call.ts'
import { untilWaiting } from '../../../tests/database.ts'
import { aCustomer, anAdmin, anOrder, aProduct, type TestCustomer } from '../../../tests/factories.ts'
import {
  checkFile,
  importDeps,
  productHeader,
  productRow,
  runImport,
  uploadFile,
  waitForImport,
} from '../../../tests/product-import.ts'
import { openOwnShop, refused, type TestShop } from '../../../tests/shop.ts'
import { openShopProcesses, type ShopProcesses } from '../../../tests/shop-process.ts'
import { expectLedgerToAddUp, readStock } from '../../../tests/stock.ts'
import { lockApplying } from '../../platform/database/advisory-locks.ts'
import { lockImports } from './repository.ts'
import { continueImports } from './service.ts'

let shop: TestShop
let processes: ShopProcesses
let admin: TestCustomer

beforeAll(async () => {
  shop = await openOwnShop()
  processes = openShopProcesses()
})
afterAll(async () => {
  await processes.remove()
  await shop.close()
})
beforeEach(async () => {
  await shop.database.empty()
  admin = await anAdmin(shop)
})

const countProducts = async () => (await shop.call('listProducts')).headers.get('x-total-count')

/** Locks a product and takes stock, as an open purchase does. Returns a function that commits. */
async function holdProduct(id: string, { pieces = 0, asImport = false } = {}): Promise<() => Promise<void>> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  const transaction = shop.db.transaction().execute(async (tx) => {
    if (asImport) await lockApplying(tx)
    await sql`
      with locked as (
        select id from products where id = ${id} for no key update
      ), taken as (
        update variants set stock = stock - ${pieces}::integer from locked where variants.id = locked.id
      )
      insert into stock_movements (variant_id, kind, quantity) values (${id}, 'count', -${pieces}::integer)`.execute(
      tx,
    )
    held.resolve()
    await promise
  })
  await held.promise
  return async () => {
    resolve()
    await transaction
  }
}

/** Resolves when a query with this text waits for a lock; by default, a batch for its products. */
const waitUntilBlocked = (text = 'order by id for no key update') => untilWaiting(shop, 1, text)

/** Starts an upload without ending it. */
function beginUpload(part: string) {
  const upload = request(`${shop.config.origin}/api/v1/imports?fileName=a.csv`, {
    method: 'POST',
    headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'text/csv' },
  })
  upload.write(part)
  return upload
}

const importInProgress = () =>
  shop.db.selectFrom('product_imports').select('id').where('state', '=', 'reading').executeTakeFirst()

describe('a file of several batches', () => {
  /** Three batches of the dry run. */
  const count = 5_500
  const file = (broken?: number) =>
    [
      productHeader,
      ...Array.from({ length: count }, (_, index) =>
        productRow(`S-${index}`, { name: index === broken ? '' : `Chain ${index}` }),
      ),
    ].join('\n')

  test('one invalid row among many is reported and changes nothing; the corrected file can be imported', async () => {
    const broken = await checkFile(shop, admin, file(3_000))
    expect(broken).toMatchObject({
      state: 'checked',
      rows: count,
      errorCount: 1,
      errors: [{ row: 3_002, column: 'name', message: 'Name is required' }],
    })
    expect(await shop.call('runImport', { as: admin, params: { id: broken.id } })).toMatchObject(
      refused('IMPORT_NOT_READY'),
    )
    expect(await countProducts()).toBe('0')

    const corrected = await checkFile(shop, admin, file())
    expect(corrected).toMatchObject({ state: 'checked', added: count, errorCount: 0 })
  })
})

describe('during sales', () => {
  test('importing an older export undoes no sale and sells nothing twice', async () => {
    const buyers = await Promise.all(Array.from({ length: 4 }, () => aCustomer(shop)))
    const ids = await Promise.all(
      Array.from({ length: 5 }, (_, index) => aProduct(shop, { sku: `P-${index}`, quantity: 50 })),
    )
    const { body: exported } = await shop.request<string>('GET', '/api/v1/products.csv', { as: admin })
    const raised = exported.replaceAll(',50,50,', ',60,50,')
    const selling = ids.flatMap((productId) =>
      buyers.map((buyer) => anOrder(shop, buyer, { productId, quantity: 2 })),
    )
    const done = await runImport(shop, admin, await checkFile(shop, admin, raised))
    await Promise.all(selling)
    expect(done).toMatchObject({ state: 'done', changed: 5 })
    for (const id of ids) {
      expect(await readStock(shop, id)).toBe(60 - 8)
      await expectLedgerToAddUp(shop, id)
    }
  })

  test('orders that wait for an import leave connections for other orders', async () => {
    const buyer = await aCustomer(shop)
    const [imported, other] = [await aProduct(shop, { sku: 'P-1' }), await aProduct(shop, { sku: 'P-2' })]
    const commit = await holdProduct(imported, { asImport: true })
    const buy = (productId: string) =>
      shop.call('confirmPurchase', {
        as: buyer,
        body: { productId, quantity: 1, amount: 40, customerAddress: '1 Road' },
      })
    const waiting = await Promise.all(Array.from({ length: shop.config.poolSize }, () => buy(imported)))
    expect(new Set(waiting.map(({ status }) => status))).toEqual(new Set([503]))
    expect(await buy(other)).toMatchObject({ status: 200 })
    await commit()
    expect(await buy(imported)).toMatchObject({ status: 200 })
  })

  test('an import waits for a purchase of the product, and uses the stock after it', async () => {
    const id = await aProduct(shop, { sku: 'P-1', quantity: 10 })
    const dryRun = await checkFile(shop, admin, 'sku,quantity\nP-1,8\n')
    const release = await holdProduct(id, { pieces: 3 })
    const imported = runImport(shop, admin, dryRun)
    await waitUntilBlocked()
    await release()
    expect((await imported).state).toBe('done')
    expect(await readStock(shop, id)).toBe(8)
    await expectLedgerToAddUp(shop, id)
  })
})

describe('concurrency', () => {
  test('a second file is rejected while the first is uploaded, and accepted afterwards', async () => {
    const first = beginUpload(`${productHeader}\n`)
    await expect.poll(importInProgress).toBeDefined()
    const file = `${productHeader}\n${productRow('P-2')}\n`
    expect(await uploadFile(shop, admin, file)).toMatchObject(refused('IMPORT_IN_PROGRESS'))
    first.end(`${productRow('P-1')}\n`)
    const [response] = await once(first, 'response')
    const { id } = JSON.parse(await text(response))
    expect(await waitForImport(shop, admin, id)).toMatchObject({ state: 'checked', added: 1 })
    expect(await checkFile(shop, admin, file)).toMatchObject({ state: 'checked', added: 1 })
  })

  test('an import waits a moment for one that has ended: a commit is visible before it releases its locks', async () => {
    const dryRun = await checkFile(shop, admin, `${productHeader}\n${productRow('P-1')}\n`)
    let imported: Promise<unknown> = Promise.resolve()
    await shop.db.transaction().execute(async (tx) => {
      expect(await lockImports(tx)).toBe(true)
      imported = runImport(shop, admin, dryRun)
      await waitUntilBlocked('pg_advisory_xact_lock')
    })
    expect(await imported).toMatchObject({ state: 'done', added: 1 })
  })

  test('two concurrent import requests import the file once', async () => {
    const dryRun = await checkFile(shop, admin, `${productHeader}\n${productRow('P-1')}\n`)
    const { as, params } = { as: admin, params: { id: dryRun.id } }
    const responses = await Promise.all([1, 2, 3].map(() => shop.call('runImport', { as, params })))
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
    await waitForImport(shop, admin, dryRun.id)
    expect(await countProducts()).toBe('1')
  })
})

test('variants can be saved while a file is uploaded, checked and imported', async () => {
  const id = await aProduct(shop, { sku: 'P-1' })
  const other = await aProduct(shop)
  const save = async (weight: number) => {
    const { headers } = await shop.call('listVariants', { as: admin, params: { id: other } })
    return shop.call('saveVariants', {
      as: admin,
      params: { id: other },
      headers: { 'if-match': headers.get('etag') ?? '' },
      body: { options: 'none', variants: [{ weight }] },
    })
  }
  const upload = beginUpload('sku,price\n')
  await expect.poll(importInProgress).toBeDefined()
  expect((await save(900)).status).toBe(200)
  upload.end('P-1,50\n')
  const [response] = await once(upload, 'response')
  const dryRun = await waitForImport(shop, admin, JSON.parse(await text(response)).id)
  const release = await holdProduct(id)
  const imported = runImport(shop, admin, dryRun)
  await waitUntilBlocked()
  // Waits for the batch, which gives up its locks after half a second and starts again.
  expect((await save(800)).status).toBe(200)
  await release()
  expect((await imported).state).toBe('done')
})

describe('interruptions', () => {
  test('an interrupted upload is reported and changes nothing', async () => {
    const upload = beginUpload(`${productHeader}\n${productRow('P-1')}\n`)
    upload.on('error', () => undefined)
    await expect.poll(importInProgress).toBeDefined()
    const { id = '' } = (await importInProgress()) ?? {}
    upload.destroy()
    expect(await waitForImport(shop, admin, id)).toMatchObject({
      state: 'failed',
      failure: 'The upload was interrupted.',
    })
    expect((await sql`select from product_import_rows`.execute(shop.db)).rows).toEqual([])
  })

  test('a file above the size limit is rejected before it is uploaded', async () => {
    const upload = request(`${shop.config.origin}/api/v1/imports?fileName=a.csv`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${admin.token}`,
        'content-type': 'text/csv',
        'content-length': maxProductFileBytes + 1,
      },
    })
    upload.on('error', () => undefined)
    upload.flushHeaders()
    const [response] = await once(upload, 'response')
    expect(response.statusCode).toBe(413)
    upload.destroy()
  })

  test('an import whose process is killed is continued by another one, and no stock is added twice', async () => {
    const first = await aProduct(shop, { sku: 'P-1', quantity: 10 })
    const last = await aProduct(shop, { sku: 'P-2', quantity: 10 })
    const { child, origin } = await processes.open({
      DATABASE_URL: shop.database.url,
      DEMO: '0',
      NODE_ENV: 'development',
      ROLE: 'web',
    })
    const other = toCaller(origin)
    const file = `sku,price,quantity,quantity_exported\nP-1,50,5,0\nP-2,50,5,0\n`
    const release = await holdProduct(last)
    const dryRun = await checkFile(other, admin, file)
    await other.call('runImport', { as: admin, params: { id: dryRun.id } })
    await waitUntilBlocked()
    await child.kill()
    await release()
    expect(await uploadFile(shop, admin, file)).toMatchObject(refused('IMPORT_IN_PROGRESS'))
    expect((await shop.call('getImport', { as: admin, params: { id: dryRun.id } })).body.state).toBe(
      'importing',
    )
    await continueImports(importDeps(shop), new AbortController().signal)
    expect(await waitForImport(shop, admin, dryRun.id)).toMatchObject({ state: 'done', changed: 2 })
    for (const id of [first, last]) {
      expect((await shop.call('getProduct', { params: { id } })).body).toMatchObject({
        price: 50,
        quantity: 15,
      })
      await expectLedgerToAddUp(shop, id)
    }
    expect(await checkFile(shop, admin, 'sku,price\nP-1,60\n')).toMatchObject({
      state: 'checked',
      changed: 1,
    })
  })
})
