import { setTimeout as delay } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { toDollars } from '../contract/money.ts'
import type { Database } from '../db/schema.ts'
import { vacuum } from '../seed/fill-catalog.ts'
import * as catalog from '../server/modules/catalog/service.ts'
import { aCustomer, anAdmin, type TestCustomer } from '../tests/factories.ts'
import { randomFor, shuffled } from '../tests/hardening/random.ts'
import type { ShopUnderTest } from '../tests/hardening/shop-under-test.ts'
import { checkFile, runImport, waitForImport } from '../tests/product-import.ts'
import { median } from '../tests/quantiles.ts'
import { openCatalog } from './catalog-under-test.ts'
import { load } from './load.ts'
import { alternate, atLeast, below, type Measure, type Row } from './measure.ts'
import { productQueries } from './queries.ts'
import { filterValues } from './uncached.ts'

/** Products of the shop, all of them in the price list. */
export const listedProducts = 40_000
const connections = 16
const seconds = 4
const rounds = 3
/** An order is 503 while another order of its buyer takes long, so each buyer orders rarely. */
const buyers = 32 * connections
const queryCount = 80_000
/** Lists have few filters: each is requested with several page sizes, so that none is repeated. */
const pageSizes = [24, 23, 25, 22, 26, 21, 27, 20, 28]

/** A price list of all products, orders of these products in the meantime, and lists with hidden products. */
export const priceList: Measure = {
  name: 'price-list',
  async run(print) {
    const shop = await openCatalog(listedProducts, print)
    const admin = await anAdmin(shop)
    print('importing a price list')
    // The first one gives the other sizes their own price, because the price of the product was theirs too.
    await importPrices(shop, admin)
    const batches = await readBatches(shop.db, (await importPrices(shop, admin)).id)
    return [
      below('price list of 40,000 products, longest batch', 'ms', Math.max(...batches), 400),
      ...(await orderDuringImports(shop, admin, print)),
      ...(await hideSome(shop, print)),
    ]
  },
}

/**
 * Uploads and checks a price list with the first size of each of 40,000 products: one cent less than all its sizes. The
 * prices of the others stay.
 */
async function checkPrices(shop: ShopUnderTest, admin: TestCustomer) {
  const { rows } = await sql<{ sku: string; cents: number }>`
    select sku, products.price_cents - 1 as cents
    from products join variants on product_id = products.id and position = 1
    where deleted_at is null order by products.created_at, products.id limit ${listedProducts}`.execute(
    shop.db,
  )
  const file = ['sku,price', ...rows.map(({ sku, cents }) => `${sku},${toDollars(cents)}`)].join('\n')
  const checked = await checkFile(shop.processes[0], admin, file, 'products', 'existing')
  if (checked.state !== 'checked' || checked.changed !== listedProducts)
    throw new Error(`the price list changes ${checked.changed} products: ${checked.failure}`)
  return checked
}

/** Imports a price list of 40,000 products. Returns the id and the seconds of the check and the import. */
export async function importPrices(
  shop: ShopUnderTest,
  admin: TestCustomer,
): Promise<{ id: string; seconds: number }> {
  const began = performance.now()
  const checked = await checkPrices(shop, admin)
  const { id, state, skippedCount, failure } = await runImport(shop.processes[0], admin, checked)
  if (state !== 'done' || skippedCount > 0)
    throw new Error(`the price list is ${state}, without ${skippedCount} products: ${failure}`)
  return { id, seconds: (performance.now() - began) / 1000 }
}

/** Returns the milliseconds from the start of each batch to the start of the next one. */
async function readBatches(db: Kysely<Database>, importId: string): Promise<number[]> {
  const { rows } = await sql<{ ms: number }>`
    select extract(epoch from lead(began) over (order by began) - began)::float8 * 1000 as ms
    from (select distinct occurred_at as began from product_changes where import_id = ${importId}) as batch`.execute(
    db,
  )
  return rows.slice(0, -1).map(({ ms }) => ms)
}

/** Orders of the second size of random products, whose price stays, while a price list runs and without one. */
async function orderDuringImports(
  shop: ShopUnderTest,
  admin: TestCustomer,
  print: (progress: string) => void,
): Promise<Row[]> {
  const [{ origin, call }] = shop.processes
  const { rows: variants } = await sql<{ id: string; product_id: string; cents: number }>`
    select variants.id, product_id, coalesce(variants.price_cents, products.price_cents) as cents
    from products join variants on product_id = products.id and position = 2
    where deleted_at is null and variants.stock > 5`.execute(shop.db)
  const riders: TestCustomer[] = []
  while (riders.length < buyers) riders.push(await aCustomer(shop))
  const random = randomFor(1, 0)
  const request = (count: number) => {
    const { id, product_id, cents } = random.pick(variants)
    return {
      method: 'POST' as const,
      path: '/api/confirm-purchase',
      headers: {
        authorization: `Bearer ${riders[count % buyers]?.token}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({
        productId: product_id,
        variantId: id,
        quantity: 1,
        amount: toDollars(cents),
        customerAddress: '1 Road',
      }),
    }
  }
  const place = () => load({ origin, connections, seconds, request, mayRefuse: true })

  const rates: { during: number[]; alone: number[] } = { during: [], alone: [] }
  let [placed, refused] = [0, 0]
  await place() // Warms up.
  for (let round = 1; round <= rounds; round++) {
    print(`orders during a price list, round ${round} of ${rounds}`)
    rates.alone.push((await place()).perSecond)
    const { id } = await checkPrices(shop, admin)
    await call('runImport', { as: admin, params: { id } })
    await waitForBatch(shop.db, id)
    const during = await place()
    const { body } = await call('getImport', { as: admin, params: { id } })
    if (body.state !== 'importing') throw new Error(`the price list was ${body.state} before the orders`)
    rates.during.push(during.perSecond)
    placed += during.latencies.length
    refused += during.refused
    await waitForImport(shop.processes[0], admin, id)
  }
  return [
    atLeast(0.7, {
      what: 'orders of these products while a price list runs, against without',
      unit: '/s',
      ours: median(rates.during),
      limit: median(rates.alone),
    }),
    below('– of them refused', '%', (100 * refused) / placed, 1),
  ]
}

/** Waits until the first batch is committed. Before it an import only checks its rows. */
async function waitForBatch(db: Kysely<Database>, id: string): Promise<void> {
  const findImport = db.selectFrom('product_imports').select('next_batch').where('id', '=', id)
  while (!(await findImport.executeTakeFirst())?.next_batch) await delay(20)
}

/** Lists and searches that were never requested, with 5 % of the products hidden against none. */
async function hideSome(shop: ShopUnderTest, print: (progress: string) => void): Promise<Row[]> {
  const { origin } = shop.processes[0]
  const { kinds, brands } = await filterValues(shop)
  const queries = productQueries(queryCount, 1, kinds, brands)
  const isSearch = (query: string) => new URLSearchParams(query).has('q')
  const lists = queries.filter((query) => !isSearch(query))
  const random = randomFor(1, 1)
  const compare = async (what: string, inOrder: string[]): Promise<Row> => {
    // The first queries have few filters. Each measurement needs the same mix.
    const own = shuffled(inOrder, random)
    let next = 0
    const request = () => {
      const query = own[next++]
      if (query === undefined) throw new Error(`${own.length} queries were not enough`)
      return { method: 'GET' as const, path: `/api/products?${query}` }
    }
    const rateWith = (hidden: boolean) => async () => {
      await setHidden(shop.db, hidden)
      return (await load({ origin, connections, seconds, request })).perSecond
    }
    const rates = await alternate(rateWith(true), rateWith(false), what, print)
    return atLeast(0.95, { what, unit: '/s', ...rates })
  }
  return [
    await compare(
      'public list with 5 % of the products hidden, against none',
      pageSizes.flatMap((size) => lists.map((query) => query.replace('pageSize=24', `pageSize=${size}`))),
    ),
    await compare('public search with 5 % of the products hidden, against none', queries.filter(isSearch)),
  ]
}

/**
 * Hides or shows 5 % of the products: their ids are random hexadecimal numbers. Not by the first digits, which choose the samples
 * of the search: without them, each search would read all of its hits.
 */
async function setHidden(db: Kysely<Database>, hidden: boolean): Promise<void> {
  await sql`update products set hidden = ${hidden} where right(id, 2) < '0d'`.execute(db)
  await catalog.compactCounts(db)
  await vacuum(db, ['products', 'product_counts'])
}
