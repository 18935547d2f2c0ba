import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { toCents, toDollars } from '../../contract/money.ts'
import { saveCoupon } from '../../server/modules/pricing/service.ts'
import { aCheckout, aCustomer, aProduct, type TestCustomer } from '../factories.ts'
import type { Check, Size } from './check.ts'
import { emptyTally, openClient, type Tally } from './client.ts'
import { countDeadlocks } from './consistency.ts'
import { openEmailsUnderTest } from './emails.ts'
import { inLanes } from './parallel.ts'
import { type Random, randomFor, shuffled } from './random.ts'
import { openShopUnderTest, type ShopUnderTest } from './shop-under-test.ts'

const sizes: Record<Size, { buyers: number; iterations: number; rounds: number }> = {
  small: { buyers: 30, iterations: 300, rounds: 3 },
  full: { buyers: 100, iterations: 3_000, rounds: 20 },
}
const connections = 16
const products = 6
const maxUses = 10
/** Orders that one buyer sends at once. */
const parallel = 20
const off = { limited: 10, once: 5 }

interface Workload {
  shop: ShopUnderTest
  buyers: TestCustomer[]
  products: { id: string; price: number }[]
  /** The ids of the coupons. */
  limited: string
  once: string
  placed: number
  cancelled: number
  usedUp: number
  /** The most orders with the limited code at one time. */
  mostUses: number
  tally: Tally
}

/**
 * Customers and guests want a code that is left for a few orders, with crossing carts at two processes, and cancel; then
 * single buyers use a code for one order many times at once.
 */
export const coupons: Check = {
  name: 'coupons',
  async run(size, print, seed) {
    const { buyers, iterations, rounds } = sizes[size]
    const emails = await openEmailsUnderTest()
    const settings = { ...emails.settings, TRUSTED_PROXIES: '1' }
    const shop = await openShopUnderTest({ processes: 2, settings })
    const workload = await openWorkload(shop, seed, buyers)
    print(`${buyers} buyers and as many guests, a code for ${maxUses} orders, ${iterations} iterations`)
    await inLanes(Array(iterations).keys(), connections, (number) =>
      runIteration(workload, randomFor(seed, number + 1)),
    )
    const limited = { placed: workload.placed, cancelled: workload.cancelled }
    print(`${rounds} rounds of ${parallel} orders of one buyer with a code for one order`)
    for (let round = 0; round < rounds; round++)
      await useOnceInParallel(workload, randomFor(seed, iterations + round + 1))
    const sent = await emails.check(shop.db)

    const { tally, usedUp, mostUses } = workload
    const deadlocks = await countDeadlocks(shop.db)
    const violations = [...new Set(tally.faults), ...sent.violations]
    if (mostUses > maxUses) violations.push(`a code for ${maxUses} orders had ${mostUses}`)
    if (usedUp === 0) violations.push('no order was rejected: the code was never used up')
    if (deadlocks > 0) violations.push(`Postgres has broken ${deadlocks} deadlocks`)
    return {
      figures: [
        { what: 'buyers, connections, processes', measured: `${2 * buyers}, ${connections}, 2` },
        {
          what: 'orders with the code placed, cancelled',
          measured: `${limited.placed}, ${limited.cancelled}`,
        },
        { what: 'orders rejected: used up', measured: `${usedUp}` },
        { what: 'most orders with the code at one time', measured: `${mostUses}`, bound: `${maxUses}` },
        { what: 'orders of one buyer with a code for one', measured: `${rounds * parallel} sent` },
        sent.figure,
        { what: 'deadlocks', measured: `${deadlocks}`, bound: '0' },
        { what: 'longest response', measured: `${Math.round(tally.slowestMs)} ms` },
      ],
      violations,
    }
  },
}

async function openWorkload(shop: ShopUnderTest, seed: number, buyers: number): Promise<Workload> {
  const random = randomFor(seed, 0)
  const [limited, once] = [randomUUID(), randomUUID()]
  await saveCoupon(
    shop.db,
    limited,
    { code: 'LIMITED', kind: 'percent', rate: off.limited, maxUses, oncePerBuyer: false },
    null,
  )
  await saveCoupon(
    shop.db,
    once,
    { code: 'ONLYONCE', kind: 'amount', amount: off.once, oncePerBuyer: true },
    null,
  )
  const sold: Workload['products'] = []
  for (let index = 0; index < products; index++) {
    const price = toDollars(1000 + random.below(20_000))
    sold.push({ id: await aProduct(shop, { quantity: 1_000_000, price }), price })
  }
  const customers: TestCustomer[] = []
  for (let index = 0; index < buyers; index++) customers.push(await aCustomer(shop))
  return {
    shop,
    buyers: customers,
    products: sold,
    limited,
    once,
    placed: 0,
    cancelled: 0,
    usedUp: 0,
    mostUses: 0,
    tally: emptyTally(),
  }
}

/** Orders with the limited code, or sometimes without one, and cancels some orders. */
async function runIteration(workload: Workload, random: Random): Promise<void> {
  const { shop, buyers, tally } = workload
  const client = openClient(shop.processes, random, tally)
  const body = aCart(workload, random)
  const coupon = random.chance(0.8) ? 'limited' : undefined
  const discountCents = coupon ? Math.round((toCents(body.total) * off.limited) / 100) : 0
  const buyer = random.chance(0.5) ? random.pick(buyers) : null
  const guest = { email: `guest-${randomUUID()}@example.com`, asGuest: true }
  const order = {
    ...body,
    ...(!buyer && guest),
    coupon,
    total: toDollars(toCents(body.total) - discountCents),
  }
  // Guests with the code share a network, and so the counter of its emails. Other orders would exceed the limit of a network.
  const ip = coupon ? '10.0.0.1' : `10.1.${random.below(256)}.${random.below(256)}`
  const placed = await client.insist('checkOut', {
    ...(buyer && { as: buyer }),
    headers: { 'x-forwarded-for': ip, 'idempotency-key': randomUUID() },
    body: order,
  })
  await watchUses(workload)
  if (placed.status !== 200) {
    if (placed.body.code === 'COUPON_USED_UP') workload.usedUp += 1
    else tally.faults.push(`an order was rejected: ${placed.body.code}`)
    return
  }
  if (coupon) workload.placed += 1
  if (!random.chance(0.6)) return
  const { id, key = '' } = placed.body
  const access = buyer ? { as: buyer } : { headers: { 'order-key': key } }
  const cancelled = await client.insist('cancelOrder', { ...access, params: { id } })
  if (cancelled.status !== 200) tally.faults.push(`an order could not be cancelled: ${cancelled.body.code}`)
  else if (coupon) workload.cancelled += 1
}

/** Most products, in any sequence. */
function aCart({ products }: Workload, random: Random) {
  const [first, ...others] = shuffled(products, random)
  const chosen = [first, ...others.filter(() => random.chance(0.7))].filter(
    (product) => product !== undefined,
  )
  return aCheckout(chosen.map(({ id, price }) => ({ variantId: id, quantity: 1, unitPrice: price })))
}

async function watchUses(workload: Workload): Promise<void> {
  const { rows } = await sql<{ uses: number }>`
    select count(*)::integer as uses from orders
    where coupon_id = ${workload.limited} and status <> 'cancelled'`.execute(workload.shop.db)
  workload.mostUses = Math.max(workload.mostUses, rows[0]?.uses ?? 0)
}

/** One buyer sends many orders with a code for one order. One is placed; after its cancellation, another one. */
async function useOnceInParallel(workload: Workload, random: Random): Promise<void> {
  const { shop, tally } = workload
  const client = openClient(shop.processes, random, tally)
  const buyer = await aCustomer(shop)
  const send = async () => {
    const body = aCart(workload, random)
    const total = toDollars(toCents(body.total) - off.once * 100)
    return client.insist('checkOut', {
      as: buyer,
      headers: { 'idempotency-key': randomUUID() },
      body: { ...body, coupon: 'only-once', total },
    })
  }
  for (let turn = 0; turn < 2; turn++) {
    const replies = await Promise.all(Array.from({ length: parallel }, send))
    const placed = replies.filter(({ status }) => status === 200)
    const codes = new Set(replies.flatMap(({ status, body }) => (status === 200 ? [] : [body.code])))
    codes.delete('COUPON_ALREADY_USED')
    if (placed.length !== 1) tally.faults.push(`a buyer used a code for one order ${placed.length} times`)
    for (const code of codes) tally.faults.push(`an order was rejected: ${code}`)
    for (const { body } of placed) await client.insist('cancelOrder', { as: buyer, params: { id: body.id } })
  }
}
