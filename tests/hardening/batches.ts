import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import type { ImportKind, ProductImport } from '../../contract/imports.ts'
import { aCustomer, anAdmin, type TestCustomer } from '../factories.ts'
import { checkFile, productHeader, productRow, runImport, waitForImport } from '../product-import.ts'
import type { Check, Size } from './check.ts'
import { countDeadlocks } from './consistency.ts'
import { type Random, randomFor } from './random.ts'
import { openShopUnderTest, type ShopUnderTest, untilTrue } from './shop-under-test.ts'

interface Volume {
  products: number
  buyers: number
  /** The share of orders that must be accepted. At the small size a few waits on a busy machine weigh more. */
  minAccepted: number
}
const sizes: Record<Size, Volume> = {
  small: { products: 1_300, buyers: 4, minAccepted: 0.95 },
  full: { products: 40_000, buyers: 10, minAccepted: 0.99 },
}
/** Every tenth product has a second size. */
const isInSizes = (index: number) => index % 10 === 0
const [oldPrice, newPrice] = [40, 50]
const [stock, delivered] = [1_000_000, 7]
/** The process is killed up to this time after the commit of a batch: most batches take less. */
const maxKillDelayMs = 400
const killsOfImport = 2

interface Orders {
  accepted: number
  refused: number
  repriced: number
  slowestMs: number
  /** The ids of the accepted orders. */
  placed: string[]
  faults: Set<string>
}

/**
 * Buyers order products at two processes while a third one imports new prices and part numbers of all of them, then a
 * delivery. The importing process is killed, and its connection with the lock of imports is cut.
 */
export const batches: Check = {
  name: 'batches',
  isChosenOnly: true,
  async run(size, print, seed) {
    const { products, buyers, minAccepted } = sizes[size]
    const shop = await openShopUnderTest({ each: [{}, { ROLE: 'web' }, { ROLE: 'web' }] })
    const admin = await anAdmin(shop)
    const variants = await fill(shop, admin, products)
    print(`${products} products, ${variants.length} variants`)

    const buying = new AbortController()
    const orders: Orders = {
      accepted: 0,
      refused: 0,
      repriced: 0,
      slowestMs: 0,
      placed: [],
      faults: new Set(),
    }
    const ids = variants.map(({ id, product_id }) => ({ id, productId: product_id }))
    const shopping = Array.from({ length: buyers }, async (_, index) =>
      buy(shop, await aCustomer(shop), ids, randomFor(seed, index), orders, buying.signal),
    )
    const watching = watch(shop, orders.faults, buying.signal)
    const random = randomFor(seed, buyers)
    const attack = async () => {
      const prices = await importUnderAttack(shop, admin, toPriceFile(variants), random)
      print(`prices: ${describe(prices)}`)
      const delivery = await importUnderAttack(shop, admin, toDeliveryFile(variants), random)
      print(`delivery: ${describe(delivery)}`)
      return { prices, delivery }
    }
    const { prices, delivery } = await attack().finally(() => buying.abort())
    await Promise.all([...shopping, watching])

    const { accepted, refused, repriced, slowestMs } = orders
    const share = accepted / Math.max(1, accepted + refused)
    const deadlocks = await countDeadlocks(shop.db)
    const violations = [
      ...orders.faults,
      ...(await findWrongProducts(shop, variants)),
      ...(await findLostOrders(shop, orders.placed)),
    ]
    for (const { state, failure, skippedCount } of [prices.done, delivery.done]) {
      if (state !== 'done') violations.push(`an import ended as ${state}: ${failure}`)
      if (skippedCount > 0) violations.push(`an import left out ${skippedCount} products`)
    }
    if (prices.kills + delivery.kills < 2)
      violations.push('the importing process was not killed in an import')
    if (accepted === 0) violations.push('no order was accepted')
    if (share < minAccepted) violations.push(`${refused} of ${accepted + refused} orders were refused`)
    if (deadlocks > 0) violations.push(`Postgres has broken ${deadlocks} deadlocks`)
    return {
      figures: [
        { what: 'products, variants, buyers', measured: `${products}, ${variants.length}, ${buyers}` },
        { what: 'imports, kills of their process', measured: `2, ${prices.kills + delivery.kills}` },
        { what: 'import of prices, with the kills', measured: `${(prices.ms / 1000).toFixed(1)} s` },
        { what: 'orders placed meanwhile', measured: `${accepted}` },
        { what: 'orders with a new price, placed again', measured: `${repriced}` },
        {
          what: 'orders refused',
          measured: `${refused} (${((1 - share) * 100).toFixed(2)} %)`,
          bound: `${Math.round((1 - minAccepted) * 100)} %`,
        },
        { what: 'longest order', measured: `${Math.round(slowestMs)} ms` },
        { what: 'deadlocks', measured: `${deadlocks}`, bound: '0' },
      ],
      violations,
    }
  },
}

interface Variant {
  id: string
  product_id: string
  sku: string
  size: string | null
}

/** Adds the products by an import. */
async function fill(shop: ShopUnderTest, admin: TestCustomer, products: number): Promise<Variant[]> {
  const rows = Array.from({ length: products }, (_, index) => {
    const row = (sku: string) => productRow(sku, { price: oldPrice, quantity: String(stock) })
    if (!isInSizes(index)) return `${row(`P-${index}`)},,`
    return `${row(`P-${index}`)},g${index},M\n${row(`P-${index}-L`)},g${index},L`
  })
  const file = [`${productHeader},group,size`, ...rows].join('\n')
  const [process] = shop.processes
  const done = await runImport(process, admin, await checkFile(process, admin, file))
  if (done.state !== 'done') throw new Error(`the products were not added: ${JSON.stringify(done)}`)
  const { rows: variants } = await sql<Variant>`
    select variants.id, product_id, sku, size from variants join products on products.id = product_id
    order by products.created_at, position`.execute(shop.db)
  return variants
}

/**
 * New prices and suppliers of all products. The first and the last product without sizes exchange their part numbers. The
 * variants of a product are far apart, so that batches of rows would divide it.
 */
function toPriceFile(variants: Variant[]): string {
  const plain = variants.filter(({ size }) => size === null)
  const [first, last] = [plain.at(0), plain.at(-1)]
  const toSku = (variant: Variant) =>
    (variant === first ? last?.sku : variant === last ? first?.sku : variant.sku) ?? ''
  const sorted = [
    ...variants.filter(({ size }) => size !== 'L'),
    ...variants.filter(({ size }) => size === 'L'),
  ]
  const rows = sorted.map((variant) => {
    const group = variant.size === null ? '' : variant.product_id
    return `${variant.id},${toSku(variant)},${newPrice},New,${group},${variant.size ?? ''}`
  })
  return ['id,sku,price,supplier,group,size', ...rows].join('\n')
}

const toDeliveryFile = (variants: Variant[]) =>
  ['id,quantity,quantity_exported', ...variants.map(({ id }) => `${id},${delivered},0`)].join('\n')

export interface Attacked {
  checked: ProductImport
  done: ProductImport
  kills: number
  ms: number
}

const describe = ({ done, kills, ms }: Attacked) =>
  `${done.state}, ${done.changed} changed, killed ${kills} times, ${Math.round(ms)} ms`

/**
 * Imports a file without its wrong rows, and kills the process at some time in some of its batches. It continues when it is
 * started again.
 */
export async function importUnderAttack(
  shop: ShopUnderTest,
  admin: TestCustomer,
  file: string,
  random: Random,
  kind: ImportKind = 'products',
): Promise<Attacked> {
  const [importer] = shop.processes
  const checked = await checkFile(importer, admin, file, kind)
  const began = performance.now()
  await importer.call('runImport', { as: admin, params: { id: checked.id }, query: { skipErrors: 'true' } })
  await cutLock(shop)
  let kills = 0
  for (let batch = 1; kills < killsOfImport; batch++) {
    if (!(await hasReached(shop, checked.id, batch))) break
    await delay(random.below(maxKillDelayMs))
    await importer.kill()
    if (await isRunning(shop, checked.id)) kills += 1
    // The job would continue it within a minute.
    await sql`update jobs set due_at = now() where name = 'continue imports'`.execute(shop.db)
    await importer.start()
    await untilTrue(() => importer.isReady(), 60_000, 'serving again')
  }
  const done = await waitForImport(importer, admin, checked.id)
  return { checked, done, kills, ms: performance.now() - began }
}

/** Ends the connection that holds the lock of imports, as a failing network does. */
async function cutLock({ db }: ShopUnderTest): Promise<void> {
  await sql`
    select pg_terminate_backend(pid) from pg_locks
    where locktype = 'advisory' and objid = 7461023 and granted`.execute(db)
}

const readState = async ({ db }: ShopUnderTest, id: string) =>
  db
    .selectFrom('product_imports')
    .select(['state', 'next_batch', 'batch_count'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

const isRunning = async (shop: ShopUnderTest, id: string) => (await readState(shop, id)).state === 'importing'

/** Waits until a batch is committed. Returns false if the import ends before. */
async function hasReached(shop: ShopUnderTest, id: string, batch: number): Promise<boolean> {
  for (;;) {
    const { state, next_batch, batch_count } = await readState(shop, id)
    if (state !== 'importing') return false
    if (batch_count !== null && (next_batch ?? 0) >= batch) return true
    await delay(2)
  }
}

/** Orders random variants at the present price until the signal aborts. */
async function buy(
  shop: ShopUnderTest,
  buyer: TestCustomer,
  variants: { id: string; productId: string }[],
  random: Random,
  orders: Orders,
  signal: AbortSignal,
): Promise<void> {
  const others = shop.processes.slice(1)
  let price = oldPrice
  while (!signal.aborted) {
    const { id, productId } = random.pick(variants)
    for (;;) {
      const began = performance.now()
      const { status, body } = await random.pick(others).call('confirmPurchase', {
        as: buyer,
        body: { productId, variantId: id, quantity: 1, amount: price, customerAddress: '1 Road' },
      })
      orders.slowestMs = Math.max(orders.slowestMs, performance.now() - began)
      const code = 'code' in body ? body.code : undefined
      if (code === 'PRICE_CHANGED') {
        orders.repriced += 1
        price = price === oldPrice ? newPrice : oldPrice
        continue
      }
      if (status === 200) {
        orders.accepted += 1
        orders.placed.push(body.insertedId)
      } else if (code === 'UNAVAILABLE') orders.refused += 1
      else orders.faults.add(`an order was rejected: ${status} ${String(code)}`)
      break
    }
  }
}

/** Reads all products again and again: each one is old or new as a whole. */
async function watch({ db }: ShopUnderTest, faults: Set<string>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const { rows } = await sql<{ product_id: string }>`
      select product_id from products join variants on product_id = products.id
      group by product_id, supplier, products.price_cents
      having count(distinct coalesce(variants.price_cents, products.price_cents)) > 1
        or (supplier is null) <> (products.price_cents = ${oldPrice * 100}::integer) limit 1`.execute(db)
    if (rows.length > 0) faults.add('a product was seen half changed')
    await delay(20)
  }
}

async function findLostOrders({ db }: ShopUnderTest, placed: string[]): Promise<string[]> {
  const stored = new Set((await db.selectFrom('orders').select('id').execute()).map(({ id }) => id))
  return placed.some((id) => !stored.has(id)) ? ['an accepted order is missing'] : []
}

/** Counts the stored orders, because one that was answered with 503 may have been placed. */
async function findWrongProducts({ db }: ShopUnderTest, variants: Variant[]): Promise<string[]> {
  const { rows } = await sql<{
    id: string
    sku: string
    cents: number
    supplier: string
    stock: number
    sold: number
  }>`
    select variants.id, sku, coalesce(variants.price_cents, products.price_cents) as cents, supplier, variants.stock,
      coalesce(ordered.pieces, 0)::integer as sold
    from variants join products on products.id = product_id
      left join (select variant_id, sum(quantity) as pieces from order_lines group by variant_id) as ordered
        on ordered.variant_id = variants.id`.execute(db)
  const stored = new Map(rows.map((row) => [row.id, row]))
  const plain = variants.filter(({ size }) => size === null)
  const exchanged = [plain.at(0)?.id, plain.at(-1)?.id]
  const violations = new Set<string>()
  for (const { id, sku } of variants) {
    const row = stored.get(id)
    if (row?.cents !== newPrice * 100 || row.supplier !== 'New') violations.add('a product has an old value')
    if ((row?.sku === sku) === exchanged.includes(id)) violations.add('a product has the wrong part number')
    if (row?.stock !== stock + delivered - (row?.sold ?? 0)) violations.add('a product has the wrong stock')
  }
  return [...violations]
}
