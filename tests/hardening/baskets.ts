import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { toDollars } from '../../contract/money.ts'
import { fillCatalog } from '../../seed/fill-catalog.ts'
import { saveFitments } from '../../server/modules/fitment/service.ts'
import { confirmCard } from '../confirm-card.ts'
import { aBike, aCheckout, aCustomer, anAdmin, aProductInSizes, type TestCustomer } from '../factories.ts'
import { checkFile, runImport } from '../product-import.ts'
import type { Check, Size } from './check.ts'
import { emptyTally, openClient, type Tally } from './client.ts'
import { countDeadlocks } from './consistency.ts'
import { inLanes } from './parallel.ts'
import { type Random, randomFor, shuffled } from './random.ts'
import { openShopUnderTest, type ShopUnderTest } from './shop-under-test.ts'

interface Volume {
  buyers: number
  /** Products that buyers order. */
  products: number
  /** Products that are only in the fitment files. */
  parts: number
  iterations: number
}
const sizes: Record<Size, Volume> = {
  small: { buyers: 100, products: 8, parts: 10, iterations: 400 },
  full: { buyers: 500, products: 30, parts: 6_000, iterations: 4_000 },
}
const connections = 16
const maxLines = 6
/** Years of ordered products, which have bikes, and of other parts. Together a file has 100,000 fitments. */
const [years, yearsOfParts] = [[2012, 2013], Array.from({ length: 20 }, (_, index) => 1994 + index)]

interface Variant {
  id: string
  productId: string
  price: number
  /** First stock plus all acknowledged restocks and imports. */
  added: number
}

/** An order as the successful response of the shop describes it. */
interface Basket {
  orderId: string
  /** Pieces of each variant. */
  pieces: Map<string, number>
  isCancelled: boolean
}

interface Workload {
  shop: ShopUnderTest
  seed: number
  buyers: TestCustomer[]
  admin: TestCustomer
  variants: Variant[]
  /** The bikes of the years. */
  bikes: number[]
  /** The years that each product fits. Imports change the years of every second product. */
  fitYears: Map<string, number[]>
  baskets: Map<string, Basket>
  refused: number
  imports: Record<'products' | 'fitments', number>
  /** Rows of the largest imported file. */
  largest: number
  tally: Tally
}

/**
 * Customers and guests order several scarce variants at once, in any sequence, at two processes, while an admin restocks
 * and edits them and imports change the same products and their fitments.
 */
export const baskets: Check = {
  name: 'baskets',
  async run(size, print, seed) {
    const { buyers, products, iterations } = sizes[size]
    const shop = await openShopUnderTest({ processes: 2 })
    const workload = await openWorkload(shop, seed, sizes[size])
    print(
      `${buyers} buyers, half of them guests, ${products} products with 3 variants, ${iterations} iterations`,
    )
    const began = performance.now()
    const buying = new AbortController()
    const importing = importWhile(workload, buying.signal)
    await inLanes(Array(iterations).keys(), connections, (number) => runIteration(workload, number)).finally(
      () => buying.abort(),
    )
    await importing
    const seconds = (performance.now() - began) / 1000

    const { tally, refused, imports } = workload
    const all = [...workload.baskets.values()]
    const deadlocks = await countDeadlocks(shop.db)
    const violations = [
      ...new Set(tally.faults),
      ...(await findWrongOrders(workload)),
      ...(await findWrongStock(workload)),
    ]
    violations.push(...tally.lost.map((reason) => `a response was lost: ${reason}`))
    if (deadlocks > 0) violations.push(`Postgres has broken ${deadlocks} deadlocks`)
    if (imports.products === 0 || imports.fitments === 0) violations.push('no import ran')
    return {
      figures: [
        { what: 'buyers, connections, processes', measured: `${buyers}, ${connections}, 2` },
        { what: 'orders placed', measured: `${all.length}` },
        { what: 'of these cancelled', measured: `${all.filter(({ isCancelled }) => isCancelled).length}` },
        {
          what: 'orders with several lines',
          measured: `${all.filter(({ pieces }) => pieces.size > 1).length}`,
        },
        { what: 'orders rejected: sold out', measured: `${refused}` },
        {
          what: 'imports of products, of fitments meanwhile',
          measured: `${imports.products}, ${imports.fitments}`,
        },
        { what: 'rows of the largest file', measured: `${workload.largest}` },
        { what: 'deadlocks', measured: `${deadlocks}`, bound: '0' },
        { what: 'responses', measured: `${Math.round(tally.responses / seconds)} per second` },
        { what: 'longest response', measured: `${Math.round(tally.slowestMs)} ms` },
      ],
      violations,
    }
  },
}

async function openWorkload(
  shop: ShopUnderTest,
  seed: number,
  { buyers, products, parts }: Volume,
): Promise<Workload> {
  const random = randomFor(seed, 0)
  const bikes: number[] = []
  for (const year of years) bikes.push(await aBike(shop, { year }))
  await fillCatalog(shop.db, parts, () => undefined)
  const unsold = await shop.db.selectFrom('products').select('id').execute()
  const variants: Variant[] = []
  const fitYears = new Map<string, number[]>(unsold.map(({ id }) => [id, []]))
  for (let index = 0; index < products; index++) {
    const price = toDollars(50 + random.below(20_000))
    const stocks = { M: 1 + random.below(30), L: 1 + random.below(30), XL: random.below(5) }
    const ids = await aProductInSizes(shop, stocks, { name: `Jacket ${index}`, price })
    for (const [size, id] of Object.entries(ids))
      variants.push({ id, productId: ids.M, price, added: stocks[size as keyof typeof stocks] })
    const fitments = [{ make: 'hayashi', model: 'k6', yearFrom: 2012, yearTo: 2012 }]
    await saveFitments(shop.db, ids.M, { fitKind: 'vehicle', complete: false, fitments }, null)
    fitYears.set(ids.M, [2012])
  }
  const customers: TestCustomer[] = []
  for (let index = 0; index < buyers / 2; index++) customers.push(await aCustomer(shop))
  return {
    shop,
    seed,
    buyers: customers,
    admin: await anAdmin(shop),
    variants,
    bikes,
    fitYears,
    baskets: new Map(),
    refused: 0,
    imports: { products: 0, fitments: 0 },
    largest: 0,
    tally: emptyTally(),
  }
}

/** Orders a random basket, then pays it, cancels it or leaves it unpaid. Sometimes an admin restocks or edits first. */
async function runIteration(workload: Workload, number: number): Promise<void> {
  const random = randomFor(workload.seed, number + 1)
  if (random.chance(0.2)) await restock(workload, random)
  if (random.chance(0.05)) await edit(workload, random)
  const placed = await order(workload, random)
  if (!placed) return
  if (random.chance(0.35)) await cancel(workload, random, placed)
  else if (random.chance(0.15)) await pay(workload, random, placed)
}

/** How the buyer reaches the order: an account, or the key of the order. */
interface Placed {
  basket: Basket
  access: { as: TestCustomer } | { headers: Record<string, string> }
}

async function order(workload: Workload, random: Random): Promise<Placed | null> {
  const { shop, tally } = workload
  const lines = Array.from({ length: 1 + random.below(maxLines) }, () => {
    const { id, price } = random.pick(workload.variants)
    const bike = random.chance(0.5) ? { bike: random.pick(workload.bikes) } : {}
    return { variantId: id, quantity: 1 + random.below(2), unitPrice: price, ...bike }
  })
  // One in five buyers has the same variant on two lines.
  const [first] = lines
  if (first && random.chance(0.2)) lines.push({ ...first })
  const buyer = random.chance(0.5) ? random.pick(workload.buyers) : null
  const guest = { email: `guest-${randomUUID()}@example.com`, asGuest: true }
  const options = {
    ...(buyer && { as: buyer }),
    headers: { 'idempotency-key': randomUUID() },
    body: aCheckout(lines, buyer ? {} : guest),
  }
  const client = openClient(shop.processes, random, tally)
  // One in ten buyers clicks twice, perhaps at two processes.
  const clicks = Array.from({ length: random.chance(0.1) ? 2 : 1 }, () => client.insist('checkOut', options))
  const [one, two] = (await Promise.all(clicks)).toSorted((a, b) => a.status - b.status)
  if (two?.status === 200 && two.body.id !== one?.body.id)
    tally.faults.push('one Idempotency-Key placed two orders')
  if (one?.status !== 200) {
    workload.refused += 1
    if (one?.body.code !== 'CART_CHANGED') tally.faults.push(`an order was rejected: ${one?.body.code}`)
    return null
  }
  const { id: orderId, amount, key = '' } = one.body
  if (workload.baskets.has(orderId)) tally.faults.push('two checkouts returned one order')
  if (amount !== options.body.total) tally.faults.push('an order has another total than the buyer agreed to')
  const pieces = new Map<string, number>()
  for (const { variantId, quantity } of lines) pieces.set(variantId, (pieces.get(variantId) ?? 0) + quantity)
  const basket = { orderId, pieces, isCancelled: false }
  workload.baskets.set(orderId, basket)
  return { basket, access: buyer ? { as: buyer } : { headers: { 'order-key': key } } }
}

async function cancel({ shop, tally }: Workload, random: Random, { basket, access }: Placed): Promise<void> {
  const client = openClient(shop.processes, random, tally)
  const { status, body } = await client.insist('cancelOrder', { ...access, params: { id: basket.orderId } })
  if (status === 200) basket.isCancelled = true
  else tally.faults.push(`an unpaid order could not be cancelled: ${body.code}`)
}

async function pay({ shop, tally }: Workload, random: Random, { basket, access }: Placed): Promise<void> {
  const client = openClient(shop.processes, random, tally)
  const call = { ...access, params: { id: basket.orderId } }
  const opened = await client.insist('openOrderPayment', call)
  if (opened.status !== 200) return void tally.faults.push(`no payment could be opened: ${opened.body.code}`)
  const api = `${random.pick(shop.processes).origin}/sandbox/payments`
  const { intentId } = await client.repeat(() =>
    confirmCard(api, shop.publishableKey, opened.body.clientSecret),
  )
  const paid = await client.insist('confirmOrderPayment', { ...call, body: { transactionId: intentId } })
  if (paid.status !== 200) tally.faults.push(`a successful payment was not accepted: ${paid.body.code}`)
}

/** Adds pieces to one variant. Never repeated: a delta is not idempotent. */
async function restock({ shop, admin, variants, tally }: Workload, random: Random): Promise<void> {
  const variant = random.pick(variants)
  const delta = 1 + random.below(3)
  const response = await openClient(shop.processes, random, tally).attempt('updateProduct', {
    as: admin,
    params: { id: variant.productId },
    body: { quantity: 0, delta, variantId: variant.id },
  })
  if (response?.status === 200) variant.added += delta
  else if (response?.status !== 503) tally.faults.push(`a restock was rejected: ${response?.body.code}`)
}

async function edit({ shop, admin, variants, tally }: Workload, random: Random): Promise<void> {
  const { productId, price } = random.pick(variants)
  const description = `Edition ${random.below(1000)}.`
  const body = { name: 'Jacket', price, minimum: 1, description, image: '/pictures/jacket.svg' }
  const client = openClient(shop.processes, random, tally)
  const product = { as: admin, params: { id: productId } }
  const { headers: read } = await client.insist('getEditableProduct', product)
  const headers = { 'if-match': read.get('etag') ?? '' }
  const { status, body: error } = await client.insist('editProduct', { ...product, headers, body })
  // An import or the same edit, repeated after a lost response, may have changed the product.
  if (status !== 200 && status !== 412) tally.faults.push(`an edit was rejected: ${error.code}`)
}

/** Imports files until the buyers are done. */
async function importWhile(workload: Workload, buying: AbortSignal): Promise<void> {
  const random = randomFor(workload.seed, -1)
  while (!buying.aborted) {
    await importProducts(workload, random)
    await importFitments(workload, random)
    await delay(200, undefined, { signal: buying }).catch(() => undefined)
  }
}

/** Restocks a random half of the variants in random order by one piece. */
async function importProducts(workload: Workload, random: Random): Promise<void> {
  const chosen = shuffled(
    workload.variants.filter(() => random.chance(0.5)),
    random,
  )
  // All rows of a product have its description.
  const edition = random.below(1000)
  const rows = chosen.map(({ id, productId }) => `${id},1,0,Edition ${edition} of ${productId}.`)
  const file = ['id,quantity,quantity_exported,description', ...rows].join('\n')
  if (await importFile(workload, 'products', file)) for (const variant of chosen) variant.added += 1
}

/** Replaces the fitments of all products, in random order. */
async function importFitments(workload: Workload, random: Random): Promise<void> {
  const sold = new Set(workload.variants.map(({ productId }) => productId))
  const next = new Map(
    [...workload.fitYears].map(([id, current], index) => {
      if (!sold.has(id)) return [id, yearsOfParts.filter(() => random.chance(0.9))]
      return [id, index % 2 === 0 ? years.filter(() => random.chance(0.5)) : current]
    }),
  )
  const rows = [...next].flatMap(([id, fits]) =>
    fits.length === 0 ? [`${id},,,`] : fits.map((year) => `${id},Hayashi,K6,${year}`),
  )
  const file = ['part_number,make,model,year_from', ...shuffled(rows, random)].join('\n')
  if (await importFile(workload, 'fitments', file)) {
    workload.fitYears = next
    workload.largest = Math.max(workload.largest, rows.length)
  }
  const saved = await sql<{ id: string; fits: number[] }>`
    select id, array(select year_from from fitments where product_id = products.id order by 1) as fits
    from products`.execute(workload.shop.db)
  const isWrong = saved.rows.some(({ id, fits }) => String(fits) !== String(workload.fitYears.get(id)))
  if (isWrong) workload.tally.faults.push('the fitments are not those of the last import')
}

/** Returns whether the file was imported. */
async function importFile(workload: Workload, kind: 'products' | 'fitments', file: string): Promise<boolean> {
  const { shop, admin, imports, tally } = workload
  const [process] = shop.processes
  const importChecked = async () => {
    const checked = await checkFile(process, admin, file, kind)
    return checked.errorCount === 0 ? runImport(process, admin, checked) : checked
  }
  const done = await importChecked().catch((error: unknown) => ({ state: String(error) }))
  if (done.state === 'done') imports[kind] += 1
  else tally.faults.push(`an import failed: ${JSON.stringify(done).slice(0, 300)}`)
  return done.state === 'done'
}

async function findWrongOrders({ shop, baskets }: Workload): Promise<string[]> {
  const { rows } = await sql<{ id: string; status: string; amount: number; pieces: Record<string, number> }>`
    select orders.id, status, amount_cents as amount, (
      select jsonb_object_agg(variant_id, quantity) from (
        select variant_id, sum(quantity) as quantity from order_lines where order_id = orders.id group by variant_id
      ) as lines) as pieces
    from orders`.execute(shop.db)
  const saved = new Map(rows.map((row) => [row.id, row]))
  const wrong = [...baskets.values()].filter(({ orderId, pieces, isCancelled }) => {
    const row = saved.get(orderId)
    return (
      !row ||
      (row.status === 'cancelled') !== isCancelled ||
      Object.keys(row.pieces).length !== pieces.size ||
      [...pieces].some(([variant, quantity]) => row.pieces[variant] !== quantity)
    )
  })
  const invented = rows.filter(({ id }) => !baskets.has(id))
  return [
    ...(wrong.length > 0
      ? [`${wrong.length} orders are not what was acknowledged: ${JSON.stringify(wrong[0])}`]
      : []),
    ...(invented.length > 0 ? [`${invented.length} orders exist that were not acknowledged`] : []),
  ]
}

/** Checks for each variant that stock = pieces added - pieces sold. */
async function findWrongStock({ shop, baskets, variants }: Workload): Promise<string[]> {
  const rows = await shop.db.selectFrom('variants').select(['id', 'stock']).execute()
  const stock = new Map(rows.map((row) => [row.id, row.stock]))
  const sold = new Map<string, number>()
  for (const { pieces, isCancelled } of baskets.values())
    if (!isCancelled) for (const [id, quantity] of pieces) sold.set(id, (sold.get(id) ?? 0) + quantity)
  return variants.flatMap(({ id, added }) =>
    stock.get(id) === added - (sold.get(id) ?? 0)
      ? []
      : [`of ${added} pieces ${sold.get(id) ?? 0} were sold, and ${stock.get(id)} are left`],
  )
}
