import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { Client, Pool } from 'pg'
import type { Checkout } from '../contract/checkout.ts'
import type { Database } from '../db/schema.ts'
import { saveFitments } from '../server/modules/fitment/service.ts'
import { placeOrder } from '../server/modules/orders/repository.ts'
import * as pricing from '../server/modules/pricing/service.ts'
import { SUPERUSER } from '../server/platform/embedded-postgres/cluster.ts'
import { aCheckout, aCustomer, aProduct, type TestCustomer } from '../tests/factories.ts'
import { cleanup } from '../tests/hardening/cleanup.ts'
import { randomFor } from '../tests/hardening/random.ts'
import { openShopUnderTest, type ShopUnderTest } from '../tests/hardening/shop-under-test.ts'
import { median } from '../tests/quantiles.ts'
import { addGeneratedBikes } from './generated-fitments.ts'
import { load } from './load.ts'
import { above, alternate, atLeast, type Measure, notMeasured, type Row } from './measure.ts'
import { openPictureCopies } from './picture-copies.ts'

const connections = 16
/** An order is 503 while another order of its buyer takes long, so each buyer orders rarely. */
const buyers = 32 * connections
const productSets = 4 * connections
const rounds = 3
const seconds = 4
const price = 40
const what = 'an order placed, HTTP to commit, 16 connections'
const manyLines = 4
const whatOfMany = `an order of ${manyLines} lines placed, HTTP to commit, 16 connections`

const fitmentsOfProduct = 30
const whatOfBike = 'an order with a bike, against the same without, 16 connections'

const whatOfCharges = `an order of ${manyLines} lines with shipping, tax and a code, against the same without`
const whatOfCopies = 'an order while another process copies pictures, against without, 16 connections'
const whatOfCode = 'orders with one code, commits take 10 ms, against one order for each commit'
const whatBesideCode = 'other orders at the same time, against alone, 2 connections'

/**
 * Orders over HTTP, against the same statement in `pgbench`, with a bike and with charges against without, and with commits
 * of 10 ms.
 */
export const orders: Measure = {
  name: 'orders',
  async run(print) {
    const shop = await openShopUnderTest()
    const purchases = await createPurchases(shop)
    const placeOrders: PlaceOrders = (toRequest) => placeFor(shop, purchases, toRequest)
    const placePurchases = () => placeOrders((purchase) => toPurchaseRequest(purchase))
    // A process gets faster during its first thousands of orders.
    for (let round = 1; round <= rounds; round++) await placePurchases()
    const single = { what, lines: 1, bound: 0.45, place: placePurchases }
    const many = {
      what: whatOfMany,
      lines: manyLines,
      bound: 0.25,
      place: () => placeOrders(toCheckoutRequest),
    }
    return [
      await compareWithStatement(shop, purchases, single, print),
      await compareWithStatement(shop, purchases, many, print),
      await compareWithBike(shop, purchases, placeOrders, print),
      ...(await compareWithCharges(print)),
      await withSlowCommits(shop, placePurchases, print),
      // The process with the pictures runs until the end.
      await compareWithCopies(print),
    ]
  },
}

/** Places orders for some seconds. Returns orders per second. */
type PlaceOrders = (toRequest: (purchase: Purchase) => Request) => Promise<number>

async function placeFor(
  shop: ShopUnderTest,
  purchases: Purchase[],
  toRequest: Parameters<PlaceOrders>[0],
): Promise<number> {
  const { perSecond } = await load({
    origin: shop.processes[0].origin,
    connections: (connections * purchases.length) / buyers,
    seconds,
    request: (count) => toRequest(purchases[count % purchases.length] as Purchase),
  })
  return perSecond
}

interface Comparison {
  what: string
  /** Lines of each order. */
  lines: number
  /** Lowest allowed ratio. */
  bound: number
  /** Places orders for some seconds. Returns orders per second. */
  place: () => Promise<number>
}

async function compareWithStatement(
  shop: ShopUnderTest,
  purchases: Purchase[],
  { what, lines, bound, place }: Comparison,
  print: (progress: string) => void,
): Promise<Row> {
  if (spawnSync('pgbench', ['--version']).status !== 0)
    return notMeasured(what, `≥ ${bound}`, 'pgbench is not installed')
  const script = await writeScript(shop.databaseUrl, purchases.slice(0, connections), lines)
  const benched = async () => benchStatement(shop.databaseUrl, script)
  return atLeast(bound, { what, unit: '/s', ...(await alternate(place, benched, `${lines} lines`, print)) })
}

/** Compares orders for a bike, which also read the fit, with orders of the same products without one. */
async function compareWithBike(
  shop: ShopUnderTest,
  purchases: Purchase[],
  placeOrders: PlaceOrders,
  print: (progress: string) => void,
): Promise<Row> {
  await addGeneratedBikes(shop.db)
  const bikes = await shop.db
    .selectFrom('bikes')
    .innerJoin('models', 'models.id', 'model_id')
    .innerJoin('makes', 'makes.id', 'make_id')
    .select(['bikes.id', 'year', 'makes.slug as make', 'models.slug as model'])
    .orderBy('bikes.id')
    .execute()
  const random = randomFor(1, 0)
  const bikeOf = new Map<string | undefined, number | undefined>()
  for (const { productIds } of purchases.slice(0, productSets)) {
    // A fitment is in a list once, and several bikes can have its model and year.
    const chosen = new Map<string, (typeof bikes)[number]>()
    while (chosen.size < fitmentsOfProduct) {
      const bike = random.pick(bikes)
      chosen.set(`${bike.make} ${bike.model} ${bike.year}`, bike)
    }
    const listed = [...chosen.values()]
    const fitments = listed.map(({ make, model, year }) => ({ make, model, yearFrom: year, yearTo: year }))
    await saveFitments(shop.db, productIds[0] ?? '', { fitKind: 'vehicle', complete: true, fitments }, null)
    bikeOf.set(productIds[0], listed[0]?.id)
  }
  await sql`analyze`.execute(shop.db)
  const withBike = () =>
    placeOrders((purchase) => toPurchaseRequest(purchase, bikeOf.get(purchase.productIds[0])))
  const without = () => placeOrders((purchase) => toPurchaseRequest(purchase))
  const rates = await alternate(withBike, without, 'with a bike', print, 2 * rounds)
  return atLeast(0.95, { what: whatOfBike, unit: '/s', ...rates })
}

/** Compares orders while pictures of other products are copied with orders at other times. */
async function compareWithCopies(print: (progress: string) => void): Promise<Row> {
  // Its own job would refuse the pictures, which are on this machine.
  const shop = await openShopUnderTest({ settings: { ROLE: 'web' } })
  const purchases = await createPurchases(shop)
  const place = () => placeFor(shop, purchases, (purchase) => toPurchaseRequest(purchase))
  const copies = await openPictureCopies(shop)
  const besideCopies = async () => {
    copies.resume()
    return place().finally(copies.pause)
  }
  const rates = await alternate(besideCopies, place, 'beside copies of pictures', print)
  await copies.requireRunning()
  return atLeast(0.8, { what: whatOfCopies, unit: '/s', ...rates })
}

/**
 * Compares orders with all charges, at a shop that has some, with orders of a shop without any. Both shops have placed the
 * same number of orders, because a process gets faster during its first thousands of orders.
 */
async function compareWithCharges(print: (progress: string) => void): Promise<Row[]> {
  const plain = await openShopUnderTest()
  const plainPurchases = await createPurchases(plain)
  const placeWithout = () => placeFor(plain, plainPurchases, toCheckoutRequest)
  const shop = await openShopUnderTest()
  const [rate, tax] = [
    { name: 'Standard', places: [], price: 5, position: 0 },
    { place: 'US', label: 'Sales tax', rate: 8.875, included: false, taxesShipping: true },
  ]
  const coupon = { code: 'TORQUE10', kind: 'percent', rate: 10, oncePerBuyer: false } as const
  await pricing.saveShippingRate(shop.db, randomUUID(), rate, null)
  await pricing.saveTaxRate(shop.db, randomUUID(), tax, null)
  await pricing.saveCoupon(shop.db, randomUUID(), coupon, null)
  const purchases = await createPurchases(shop)
  // Of $160: 10 % less, $5 of shipping, and the tax of both.
  const withCode = (purchase: Purchase) => toCheckoutRequest(purchase, { total: 162.22, coupon: 'TORQUE10' })
  const withoutCode = (purchase: Purchase) => toCheckoutRequest(purchase, { total: 179.64 })
  const charged = () => placeFor(shop, purchases, withCode)
  await alternate(charged, placeWithout, 'with charges, warming up', print, rounds)
  const rates = await alternate(charged, placeWithout, 'with charges', print, 2 * rounds)
  const rows = [atLeast(0.75, { what: whatOfCharges, unit: '/s', ...rates })]

  await slowDownCommits(shop)
  await charged() // Warms up: every connection then has the new settings.
  // Of other products: an order that waits for its turn with the code has locked its own.
  const some = purchases.filter((_, index) => index % 2 === 0)
  // Few, so that two cores have time left for both: then the ratio shows who waits for the code.
  const others = purchases.filter((_, index) => index % 8 === 1)
  const ofOthers = () => placeFor(shop, others, withoutCode)
  const measured: Record<'code' | 'beside' | 'alone', number[]> = { code: [], beside: [], alone: [] }
  // Twice as many rounds, because these figures vary the most.
  for (let round = 1; round <= 2 * rounds; round++) {
    print(`one code and slow commits, round ${round} of ${2 * rounds}`)
    measured.code.push(await charged())
    measured.alone.push(await ofOthers())
    const [, beside] = await Promise.all([placeFor(shop, some, withCode), ofOthers()])
    measured.beside.push(beside)
    measured.alone.push(await ofOthers())
  }
  return [
    ...rows,
    atLeast(0.8, { what: whatOfCode, unit: '/s', ours: median(measured.code), limit: 100 }),
    atLeast(0.9, {
      what: whatBesideCode,
      unit: '/s',
      ours: median(measured.beside),
      limit: median(measured.alone),
    }),
  ]
}

/** Makes each commit wait 10 ms. Sequential commits would reach 100 a second. */
async function slowDownCommits({ databaseUrl }: ShopUnderTest): Promise<void> {
  const url = new URL(databaseUrl)
  url.username = SUPERUSER // It has the password of the shop's role.
  const admin = new Client({ connectionString: url.href })
  await admin.connect()
  // With `commit_siblings` 0, a single commit waits as well.
  for (const setting of ['commit_delay = 10000', 'commit_siblings = 0', 'fsync = on'])
    await admin.query(`alter system set ${setting}`)
  await admin.query('select pg_reload_conf()')
  await admin.end()
}

async function withSlowCommits(
  shop: ShopUnderTest,
  placeOrders: () => Promise<number>,
  print: (progress: string) => void,
): Promise<Row> {
  await slowDownCommits(shop)
  await placeOrders() // Warms up: every connection then has the new settings.
  const rates: number[] = []
  for (let round = 1; round <= rounds; round++) {
    print(`slow commits, round ${round} of ${rounds}`)
    rates.push(await placeOrders())
  }
  return above(`${what}, commits take 10 ms`, '/s', median(rates), 500)
}

export interface Purchase {
  buyer: TestCustomer
  /** An order of one line has the first one. */
  productIds: string[]
}

/** Creates many buyers of some sets of products. */
async function createPurchases(shop: ShopUnderTest): Promise<Purchase[]> {
  const sets = await Promise.all(Array.from({ length: productSets }, () => createPurchase(shop)))
  const purchases: Purchase[] = []
  while (purchases.length < buyers) {
    const { productIds } = sets[purchases.length % productSets] as Purchase
    purchases.push({ buyer: await aCustomer(shop), productIds })
  }
  // Postgres has statistics of a shop that is some minutes old.
  await sql`analyze`.execute(shop.db)
  return purchases
}

/** Creates a buyer and the products of an order. */
export async function createPurchase(shop: ShopUnderTest): Promise<Purchase> {
  const buyer = await aCustomer(shop)
  const products = Array.from({ length: manyLines }, () => aProduct(shop, { quantity: 1_000_000, price }))
  return { buyer, productIds: await Promise.all(products) }
}

interface Request {
  method: 'POST'
  path: string
  headers: Record<string, string>
  body: string
}

/** Returns the request for an order of one line, with a bike if there is one. */
export const toPurchaseRequest = (
  { buyer, productIds: [productId] }: Purchase,
  bikeId?: number,
): Request => ({
  method: 'POST',
  path: '/api/confirm-purchase',
  headers: { authorization: `Bearer ${buyer.token}`, 'content-type': 'application/json' },
  body: JSON.stringify({ productId, quantity: 1, amount: price, customerAddress: '1 Road', bikeId }),
})

const toCheckoutRequest = ({ buyer, productIds }: Purchase, more: Partial<Checkout> = {}): Request => ({
  method: 'POST',
  path: '/api/v1/orders',
  headers: {
    authorization: `Bearer ${buyer.token}`,
    'content-type': 'application/json',
    'idempotency-key': randomUUID(),
  },
  body: JSON.stringify(
    aCheckout(
      productIds.map((variantId) => ({ variantId, quantity: 1, unitPrice: price })),
      more,
    ),
  ),
})

/** Writes the pgbench script, and returns its path. */
async function writeScript(url: string, purchases: Purchase[], lines: number): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'pgbench-'))
  cleanup.add(async () => rmSync(folder, { recursive: true, force: true }))
  const script = path.join(folder, 'order.sql')
  writeFileSync(script, await scriptFor(url, purchases, lines))
  return script
}

/** Runs the shop's order statement with as many clients as connections. Returns orders per second. */
function benchStatement(url: string, script: string): number {
  const arguments_ = ['-n', '-M', 'prepared', '-c', String(connections), '-T', String(seconds), '-f', script]
  const { stdout, stderr, status } = spawnSync('pgbench', [...arguments_, url], { encoding: 'utf8' })
  const rate = /tps = ([\d.]+)/.exec(stdout)?.[1]
  if (status !== 0 || rate === undefined) throw new Error(`pgbench failed: ${stderr}`)
  return Number(rate)
}

const orderPlaceholder = 'the order'
const buyerPlaceholder = 'the buyer'
const productPlaceholder = 'the product'
const keyPlaceholder = 'the idempotency key'

/** Returns the order statement, with pgbench variables in place of the values. */
async function scriptFor(url: string, purchases: Purchase[], lines: number): Promise<string> {
  let text = ''
  let values: readonly unknown[] = []
  const db = new Kysely<Database>({
    dialect: new PostgresDialect({ pool: new Pool({ connectionString: url, max: 1 }) }),
    log({ query }) {
      text = query.sql
      values = query.parameters
    },
  })
  cleanup.add(() => db.destroy())
  // The product does not exist, so no order is stored.
  await placeOrder(db, {
    id: orderPlaceholder,
    buyer: { customerId: buyerPlaceholder, ip: '127.0.0.1' },
    email: null,
    name: '',
    phone: '',
    address: '1 Road',
    shipping: null,
    note: '',
    needsChoice: lines > 1,
    emptiesCart: lines > 1,
    condition: lines === 1 ? pricing.noCharges : null,
    requestHash: Buffer.from('00', 'hex'),
    lines: Array.from({ length: lines }, (_, index) => ({
      // Like the two calls of the shop: a purchase names the product, a checkout the variant.
      productId: lines === 1 ? `${productPlaceholder} ${index}` : null,
      variantId: lines === 1 ? null : `${productPlaceholder} ${index}`,
      quantity: 1,
      unitPriceCents: price * 100,
      size: null,
      colour: null,
      bikeId: null,
      totalCents: price * 100,
      taxCents: 0,
    })),
    charges: [],
    isPickup: false,
    coupon: null,
    totalCents: lines * price * 100,
    idempotencyKey: lines === 1 ? null : keyPlaceholder,
  })
  const pickByClient = (column: string[]) =>
    `(array[${column.map((id) => `'${id}'`).join(',')}])[:client_id::integer + 1]`
  const placeholders = new Map([
    [orderPlaceholder, "lpad(to_hex(:number::bigint), 24, '0')"],
    [buyerPlaceholder, pickByClient(purchases.map(({ buyer }) => buyer.id))],
    [keyPlaceholder, 'to_hex(:number::bigint)'],
    ...Array.from(
      { length: lines },
      (_, index) =>
        [
          `${productPlaceholder} ${index}`,
          pickByClient(purchases.map(({ productIds }) => productIds[index] ?? '')),
        ] as const,
    ),
  ])
  const statement = text.replaceAll(/\$(\d+)/g, (_, index: string) => {
    const value = values[Number(index) - 1]
    const toSql = (each: unknown) => (typeof each === 'string' && placeholders.get(each)) || literal(each)
    return Array.isArray(value) ? `array[${value.map(toSql).join(',')}]` : toSql(value)
  })
  return `\\set number random(1, 9000000000000000000)\n${statement.replaceAll(/\s+/g, ' ')};\n`
}

function literal(value: unknown): string {
  if (value === null) return 'null'
  if (value instanceof Date) return `'${value.toISOString()}'`
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Buffer.isBuffer(value)) return `'\\x${value.toString('hex')}'`
  if (typeof value !== 'string') throw new Error(`the statement has a value of type ${typeof value}`)
  return `'${value.replaceAll("'", "''")}'`
}
