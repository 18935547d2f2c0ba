import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { fillCatalog } from '../../seed/fill-catalog.ts'
import { aBike, aCheckout, aCustomer, anAdmin, aProduct, type TestCustomer } from '../factories.ts'
import type { Check } from './check.ts'
import { type Client, emptyTally, openClient } from './client.ts'
import { inLanes } from './parallel.ts'
import { randomFor } from './random.ts'
import { openShopUnderTest, type ShopUnderTest, untilTrue } from './shop-under-test.ts'

/** `heldMs`: few products are changed at once, so another transaction holds one of them for this time. */
const sizes = {
  small: { parts: 20, heldMs: 2_000, maxWaitMs: 1_000 },
  full: { parts: 50_000, heldMs: 0, maxWaitMs: 500 },
}
/** As many as the connections of the shop for writes, by default. */
const buyers = 15
const orderedParts = 10
const stock = 100_000
const price = 40
/** Before a buyer repeats an order that got 503. */
const pauseMs = 200
const releasedWithinMs = 1_500

/**
 * An admin adds years to a model with many products, while buyers order these products on all connections of the
 * shop.
 */
export const bikes: Check = {
  name: 'bikes',
  isTimed: true,
  async run(size, print, seed) {
    const { parts, heldMs, maxWaitMs } = sizes[size]
    const shop = await openShopUnderTest()
    const admin = await anAdmin(shop)
    // Orders of one customer wait for one another.
    const newBuyers = (count: number) => Promise.all(Array.from({ length: count }, () => aCustomer(shop)))
    const [customers, otherCustomers] = [await newBuyers(buyers), await newBuyers(2)]
    const { ordered, last, others } = await addProducts(shop, parts)
    print(`${parts + orderedParts} products of one model, ${buyers} buyers`)

    const began = performance.now()
    const body = { make: 'Hayashi', model: 'K6', yearFrom: 2013, yearTo: 2014 }
    const add = () => shop.processes[0].call('addBikes', { as: admin, body })
    const ended = new AbortController()
    const adding = (heldMs > 0 ? whileHeld(shop, last, heldMs, add) : add()).finally(() => ended.abort())
    await untilTrue(() => isAdding(shop), 60_000, 'locking the products')

    const random = randomFor(seed, 0)
    const [tally, otherTally] = [emptyTally(), emptyTally()]
    const client = openClient(shop.processes, random, tally)
    const otherClient = openClient(shop.processes, random, otherTally)
    const placed = { ordered: 0, others: 0 }
    let stuck = 0
    await Promise.all([
      inLanes(customers, buyers, async (buyer) => {
        while (!ended.signal.aborted) {
          if (await order(client, buyer, random.pick(ordered))) placed.ordered += 1
          else await delay(pauseMs)
        }
      }),
      inLanes(otherCustomers.entries(), others.length, async ([index, buyer]) => {
        const id = others[index] ?? ''
        while (!ended.signal.aborted) if (await order(otherClient, buyer, id)) placed.others += 1
      }),
      (async () => {
        while (!ended.signal.aborted) {
          stuck = Math.max(stuck, await countStuck(shop))
          await delay(pauseMs)
        }
      })(),
    ])
    const added = await adding
    const seconds = ((performance.now() - began) / 1000).toFixed(1)
    const releasedMs = await untilTrue(() => isReleased(shop), 60_000, 'the release of all connections')

    const slowestMs = Math.round(otherTally.slowestMs)
    const violations = [...new Set([...tally.faults, ...otherTally.faults])]
    if (added.status !== 200) violations.push(`adding bikes returned ${added.status}`)
    if (tally.unavailable === 0) violations.push('no order had to wait for the change')
    if (otherTally.unavailable > 0)
      violations.push(`${otherTally.unavailable} orders for other products were 503`)
    if (slowestMs > maxWaitMs) violations.push(`an order for another product took ${slowestMs} ms`)
    if (stuck > 0) violations.push(`${stuck} connections waited for longer than ${releasedWithinMs} ms`)
    if (releasedMs > releasedWithinMs)
      violations.push(`the connections were back after ${Math.round(releasedMs)} ms`)
    return {
      figures: [
        { what: 'products of the model, buyers', measured: `${parts + orderedParts}, ${buyers}` },
        { what: 'adding two years', measured: `${seconds} s` },
        {
          what: 'orders for the products meanwhile: 503, placed',
          measured: `${tally.unavailable}, ${placed.ordered}`,
        },
        { what: 'orders for other products placed meanwhile', measured: `${placed.others}` },
        { what: 'of these 503', measured: `${otherTally.unavailable}`, bound: '0' },
        { what: 'longest of these', measured: `${slowestMs} ms`, bound: `${maxWaitMs} ms` },
        {
          what: `connections that waited for longer than ${releasedWithinMs} ms`,
          measured: `${stuck}`,
          bound: '0',
        },
        {
          what: 'all connections are back after',
          measured: `${Math.round(releasedMs)} ms`,
          bound: `${releasedWithinMs} ms`,
        },
      ],
      violations,
    }
  },
}

/** Adds products for one model, including the ordered ones, and two products without a model. */
async function addProducts(shop: ShopUnderTest, parts: number) {
  const bike = await aBike(shop)
  await fillCatalog(shop.db, parts, () => undefined, { toFit: () => ({ fitKind: 'vehicle', bikes: [bike] }) })
  const sold: string[] = []
  for (let index = 0; index < orderedParts + 2; index++)
    sold.push(await aProduct(shop, { price, quantity: stock, fitKind: 'vehicle' }))
  const others = sold.splice(0, 2)
  const { rows } = await shop.db.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx)
    await sql`update products set fits = ${[bike]}::integer[] where id = any(${sold}::text[])`.execute(tx)
    return sql<{ product_id: string }>`
      with added as (
        insert into fitments (product_id, model_id, year_from, year_to, source)
        select products.id, models.id, 2012, 2014, 'test' from products, models
        where products.id <> all(${others}::text[]) returning product_id
      ) select max(product_id) as product_id from added`.execute(tx)
  })
  const last = rows[0]?.product_id ?? ''
  return { ordered: sold.filter((id) => id !== last), others, last }
}

/** Places an order of one piece. Returns whether it was placed. */
async function order(client: Client, as: TestCustomer, variantId: string): Promise<boolean> {
  const response = await client.attempt('checkOut', {
    as,
    headers: { 'idempotency-key': randomUUID() },
    body: aCheckout([{ variantId, quantity: 1, unitPrice: price }]),
  })
  return response?.status === 200
}

/** Starts `work` while another transaction holds a product. */
async function whileHeld<Result>(
  { db }: ShopUnderTest,
  product: string,
  heldMs: number,
  work: () => Promise<Result>,
): Promise<Result> {
  const { result } = await db.transaction().execute(async (tx) => {
    await sql`select from products where id = ${product} for update`.execute(tx)
    const result = work()
    await delay(heldMs)
    return { result }
  })
  return result
}

const ofShop = sql`from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`

async function isAdding({ db }: ShopUnderTest): Promise<boolean> {
  const { rows } = await sql`
    select ${ofShop} and state = 'active' and query like '%select refresh_fits(array(%'`.execute(db)
  return rows.length > 0
}

/** Counts connections whose statement waits for a lock for longer than its buyer. */
async function countStuck({ db }: ShopUnderTest): Promise<number> {
  const { rows } = await sql`
    select ${ofShop} and wait_event_type = 'Lock' and query like '%locked_products%'
      and now() - query_start > ${releasedWithinMs} * interval '1 millisecond'`.execute(db)
  return rows.length
}

async function isReleased({ db }: ShopUnderTest): Promise<boolean> {
  const { rows } = await sql`select ${ofShop} and wait_event_type = 'Lock'`.execute(db)
  return rows.length === 0
}
