import { type Kysely, sql } from 'kysely'
import type { Database } from '../db/schema.ts'
import { vacuum } from '../seed/fill-catalog.ts'
import { anAdmin, type TestCustomer } from '../tests/factories.ts'
import type { ShopUnderTest } from '../tests/hardening/shop-under-test.ts'
import { runImport, waitForImport } from '../tests/product-import.ts'
import { median, quantile } from '../tests/quantiles.ts'
import { fillWithFitments, openEmptyCatalog } from './catalog-under-test.ts'
import { addGeneratedBikes } from './generated-fitments.ts'
import { atMost, type Row, timeCalls } from './measure.ts'
import { importPrices, listedProducts } from './price-list.ts'
import { filterValues } from './uncached.ts'

const selected = 1_316
const supplier = 'Winter stock'
const rounds = 3
const requests = 100

/** Changes of many products in a shop with 1,000,000, against one with 40,000, and its lists for admins. */
export async function compareManyProducts(
  large: ShopUnderTest,
  print: (progress: string) => void,
): Promise<Row[]> {
  const small = await openEmptyCatalog()
  await fillWithFitments(small, listedProducts, await addGeneratedBikes(small.db), print)
  const [ours, limit] = [await changeProducts(large, print), await changeProducts(small, print)]
  return [
    atMost(1.5, {
      what: 'price list of 40,000 products at 1,000,000 products, against at 40,000',
      unit: 's',
      ours: ours.importSeconds,
      limit: limit.importSeconds,
    }),
    atMost(1.3, {
      what: 'preview and run of hiding 1,316 products at 1,000,000 products, against at 40,000',
      unit: 's',
      ours: ours.hideSeconds,
      limit: limit.hideSeconds,
    }),
    ...(await compareLists(large, print)),
  ]
}

/** Ends with hidden products. */
async function changeProducts(shop: ShopUnderTest, print: (progress: string) => void) {
  const admin = await anAdmin(shop)
  await sql`
    update products set supplier = ${supplier}
    where id in (select id from products where deleted_at is null order by created_at, id limit ${selected})`.execute(
    shop.db,
  )
  print('importing a price list of 40,000 products')
  const { seconds } = await importPrices(shop, admin)
  const times: number[] = []
  for (let round = 1; round <= rounds; round++) {
    print(`hiding ${selected} products, round ${round} of ${rounds}`)
    times.push(await setHidden(shop, admin, true))
    if (round < rounds) await setHidden(shop, admin, false)
  }
  return { importSeconds: seconds, hideSeconds: median(times) }
}

/** Hides or shows the selected products. Returns the seconds of the preview and the run. */
async function setHidden(shop: ShopUnderTest, as: TestCustomer, hidden: boolean): Promise<number> {
  const [process] = shop.processes
  const selection = { query: { supplier }, total: selected }
  const began = performance.now()
  const { body } = await process.call('changeProducts', { as, body: { selection, change: { hidden } } })
  const done = await runImport(process, as, await waitForImport(process, as, body.id))
  if (done.changed !== selected) throw new Error(`${done.changed} products changed: ${done.failure}`)
  return (performance.now() - began) / 1000
}

async function compareLists(shop: ShopUnderTest, print: (progress: string) => void): Promise<Row[]> {
  print('reading the lists of admins')
  const [{ call }] = shop.processes
  const as = await anAdmin(shop)
  const { brands } = await filterValues(shop)
  const suppliers = await setLowStock(shop.db)
  /** A page that was not requested before, so that it is not in the cache. */
  const toPage = (count: number, values: string[]) => ({
    pageSize: 24,
    page: 1 + Math.floor(count / values.length),
  })
  const pick = (count: number, values: string[]) => values[count % values.length] ?? ''
  const ofBrand = await timeCalls({ count: requests, warmUps: 1 }, (count) =>
    call('listProducts', { query: { brand: pick(count, brands), ...toPage(count, brands) } }),
  )
  const ofSupplier = await timeCalls({ count: requests, warmUps: 1 }, (count) => {
    const hidden = { supplier, hidden: 'true', ...toPage(count, suppliers) }
    const shown = { supplier: pick(count, suppliers), hidden: 'false', ...toPage(count, suppliers) }
    return call('listAllProducts', { as, query: count % 2 === 0 ? shown : hidden })
  })
  const low = await timeCalls({ count: requests / 10, warmUps: 1 }, (count) =>
    call('listAllProducts', { as, query: { low: 'true', pageSize: 24, page: 1 + count } }),
  )
  const counted = await timeCalls({ count: requests / 10, warmUps: 1 }, async () => {
    await sql`select count(*) from variants`.execute(shop.db)
    return { status: 200 }
  })
  const p95 = (values: number[]) => quantile(values, 0.95)
  return [
    atMost(2, {
      what: 'GET /v1/products by supplier and hidden at 1,000,000 products, 95th percentile, against the public list by brand',
      unit: 'ms',
      ours: p95(ofSupplier),
      limit: p95(ofBrand),
    }),
    atMost(3, {
      what: 'GET /v1/products with low stock at 1,000,000 products, against count(*) of the variants',
      unit: 'ms',
      ours: median(low),
      limit: median(counted),
    }),
  ]
}

/** Watches the stock of 1 % of the variants. Returns the suppliers of the shop. */
async function setLowStock(db: Kysely<Database>): Promise<string[]> {
  await db.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx)
    await sql`update variants set low_stock = 5 where id < '03'`.execute(tx)
  })
  await vacuum(db, ['variants', 'products'])
  const { rows } = await sql<{ supplier: string }>`
    select distinct supplier from products where supplier is not null and supplier <> ${supplier}
    order by supplier`.execute(db)
  return rows.map((row) => row.supplier)
}
