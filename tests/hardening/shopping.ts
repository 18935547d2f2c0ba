import { randomUUID } from 'node:crypto'
import type { EditedFitments } from '../../contract/fitments.ts'
import { toDollars } from '../../contract/money.ts'
import { saveFitments } from '../../server/modules/fitment/service.ts'
import type { Caller } from '../call.ts'
import { confirmCard } from '../confirm-card.ts'
import { aBike, aCustomer, anAdmin, aProduct, type TestCustomer } from '../factories.ts'
import type { Size } from './check.ts'
import { emptyTally, openClient, type Tally } from './client.ts'
import { inLanes } from './parallel.ts'
import { type Random, randomFor } from './random.ts'
import type { ShopUnderTest } from './shop-under-test.ts'

/** An order as the successful responses of the shop describe it. */
export interface Acknowledged {
  orderId: string
  customerId: string
  productId: string
  quantity: number
  status: 'unpaid' | 'paid' | 'cancelled'
}

export interface Product {
  id: string
  price: number
  /** Initial stock plus all acknowledged restocks. */
  added: number
}

/** A shop as its customers reach it. */
export interface Storefront extends Pick<ShopUnderTest, 'db' | 'accessTokens' | 'publishableKey'> {
  /** Its processes, or a load balancer in front of them. */
  processes: readonly [Entry, ...Entry[]]
  /** Where a browser confirms a card. By default the sandbox of the shop. */
  cardApi?: string
}

type Entry = Caller & { origin: string }

/** Test data of a shop with low stock. */
export interface Workload {
  shop: Storefront
  seed: number
  buyers: TestCustomer[]
  admin: TestCustomer
  products: Product[]
  /** The ids of bikes of one model. */
  bikes: number[]
  orders: Map<string, Acknowledged>
  /** The paid orders that were shipped and refunded in part, or null to leave paid orders as they are. */
  fulfilled: Set<string> | null
  refused: number
  tally: Tally
}

const maxInitialStock = 40
const maxQuantity = 4
/** The refund of a shipped order, in dollars. The cheapest product costs as much. */
export const goodwill = 0.5
const iterationsAfterwards = { small: 30, full: 100 }

export async function openWorkload(
  shop: Storefront,
  seed: number,
  counts: { buyers: number; products: number; fulfils?: boolean },
): Promise<Workload> {
  const random = randomFor(seed, 0)
  const bikes = [
    await aBike(shop, { year: 2012 }),
    await aBike(shop, { year: 2012, version: 'ABS' }),
    await aBike(shop, { year: 2013 }),
  ]
  const products: Product[] = []
  for (let index = 0; index < counts.products; index++) {
    const [quantity, price] = [1 + random.below(maxInitialStock), toDollars(50 + random.below(20_000))]
    const id = await aProduct(shop, { quantity, price, name: `Part ${index}` })
    await saveFitments(shop.db, id, pickFitments(random), null)
    products.push({ id, price, added: quantity })
  }
  const buyers: TestCustomer[] = []
  for (let index = 0; index < counts.buyers; index++) buyers.push(await aCustomer(shop))
  const admin = await anAdmin(shop)
  const fulfilled = counts.fulfils ? new Set<string>() : null
  const emptyRecords = { orders: new Map(), fulfilled, refused: 0, tally: emptyTally() }
  return { shop, seed, buyers, admin, products, bikes, ...emptyRecords }
}

/** Returns random fitments of the workload's model. */
function pickFitments(random: Random): Omit<EditedFitments, 'revision'> {
  const model = { make: 'hayashi', model: 'k6' }
  const fitments = random.pick([
    [],
    [{ ...model, yearFrom: 2012, yearTo: 2013 }],
    [{ ...model, yearFrom: 2012, yearTo: 2012, version: 'ABS', position: 'front' }],
    [{ ...model, yearFrom: 2013, yearTo: 2014 }],
  ])
  return { fitKind: 'vehicle', complete: fitments.length > 0 && random.chance(0.5), fitments }
}

/**
 * Buys a random product, for a random bike or for none, then pays the order, cancels it or leaves it unpaid; sometimes an
 * admin restocks or replaces fitments first.
 * Purchases without a response are repeated with the same Idempotency-Key.
 * @param iteration its number, from which its random numbers derive
 */
export async function runIteration(workload: Workload, iteration: number): Promise<void> {
  const random = randomFor(workload.seed, iteration + 1)
  const buyer = workload.buyers[iteration % workload.buyers.length]
  if (!buyer) throw new Error('the workload has no buyers')
  if (random.chance(0.2)) await restock(workload, random)
  if (random.chance(0.1)) await replaceFitments(workload, random)
  const order = await buy(workload, random, buyer)
  if (!order) return
  if (random.chance(0.35)) await cancel(workload, random, buyer, order)
  else if (random.chance(0.25)) await pay(workload, random, buyer, order)
}

/**
 * Runs the workload on concurrent connections until the attack is over, and a number of iterations more, to check
 * that the shop still sells. Returns the result of the attack.
 */
export async function runLoad<Result>(
  workload: Workload,
  size: Size,
  connections: number,
  attack: () => Promise<Result>,
): Promise<Result> {
  const state = { isOver: false, placed: 0 }
  function* iterations() {
    for (let number = 0; !state.isOver || number < state.placed + iterationsAfterwards[size]; number++) {
      if (!state.isOver) state.placed = number
      yield number
    }
  }
  const shopping = inLanes(iterations(), connections, (number) => runIteration(workload, number))
  const attacking = attack().finally(() => (state.isOver = true))
  const [result] = await Promise.all([attacking, shopping])
  return result
}

async function buy(workload: Workload, random: Random, buyer: TestCustomer): Promise<Acknowledged | null> {
  const product = random.pick(workload.products)
  const quantity = 1 + random.below(maxQuantity)
  const options = {
    as: buyer,
    headers: { 'idempotency-key': randomUUID() },
    body: {
      productId: product.id,
      quantity,
      amount: quantity * product.price,
      customerAddress: '1 Road',
      ...(random.chance(0.5) && { bikeId: random.pick(workload.bikes) }),
    },
  }
  const client = openClient(workload.shop.processes, random, workload.tally)
  // One in ten buyers sends the purchase twice, perhaps to two processes.
  const clicks = Array.from({ length: random.chance(0.1) ? 2 : 1 }, () =>
    client.insist('confirmPurchase', options),
  )
  const responses = await Promise.all(clicks)
  const [first, second] = responses.toSorted((one, other) => one.status - other.status)
  if (second?.status === 200 && second.body.insertedId !== first?.body.insertedId)
    workload.tally.faults.push('one Idempotency-Key placed two orders')
  if (first?.status !== 200) {
    workload.refused += 1
    if (first?.body.code !== 'OUT_OF_STOCK')
      workload.tally.faults.push(`a purchase was rejected: ${first?.body.code}`)
    return null
  }
  const orderId = first.body.insertedId
  if (workload.orders.has(orderId)) workload.tally.faults.push('two purchases returned one order')
  const order = { orderId, customerId: buyer.id, productId: product.id, quantity, status: 'unpaid' } as const
  workload.orders.set(orderId, order)
  return order
}

async function cancel(workload: Workload, random: Random, buyer: TestCustomer, order: Acknowledged) {
  const client = openClient(workload.shop.processes, random, workload.tally)
  const { status, body } = await client.insist('deleteOrder', { as: buyer, query: { id: order.orderId } })
  if (status === 200) workload.orders.set(order.orderId, { ...order, status: 'cancelled' })
  else workload.tally.faults.push(`an unpaid order could not be cancelled: ${body.code}`)
}

async function pay(workload: Workload, random: Random, buyer: TestCustomer, order: Acknowledged) {
  const { shop, products, tally } = workload
  const client = openClient(shop.processes, random, tally)
  const price = products.find(({ id }) => id === order.productId)?.price ?? 0
  const opened = await client.insist('createPaymentIntent', {
    as: buyer,
    body: { orderId: order.orderId, amount: price * order.quantity },
  })
  if (opened.status !== 200) return void tally.faults.push(`no payment could be opened: ${opened.body.code}`)
  const confirmed = await client.repeat(() =>
    confirmAt(random.pick(shop.processes).origin, shop, opened.body),
  )
  if (confirmed.status !== 200 && confirmed.body.error?.code !== 'payment_intent_unexpected_state')
    return void tally.faults.push(`a card was rejected: ${JSON.stringify(confirmed.body)}`)
  const hint = { params: { id: order.orderId }, body: { transactionId: confirmed.intentId } }
  const paid = await client.insist('payOrder', { as: buyer, ...hint })
  if (paid.status !== 200)
    return void tally.faults.push(`a successful payment was not accepted: ${paid.body.code}`)
  workload.orders.set(order.orderId, { ...order, status: 'paid' })
  const document = { as: buyer, params: { id: order.orderId }, body: {} }
  const [issued] = await Promise.all([
    Promise.all([1, 2].map(() => client.insist('issueInvoice', document))),
    fulfil(workload, random, order),
  ])
  if (issued.some(({ status }) => status !== 200) || issued[0]?.body.number !== issued[1]?.body.number)
    tally.faults.push('an order has no invoice, or two')
}

/** Ships a paid order and refunds 50 cents of it, at the same time. */
async function fulfil(
  { shop, admin, fulfilled, tally }: Workload,
  random: Random,
  { orderId }: Acknowledged,
) {
  if (!fulfilled) return
  const client = openClient(shop.processes, random, tally)
  const call = { as: admin, params: { id: orderId } }
  const headers = { 'idempotency-key': randomUUID() }
  const lines = [{ line: 1, amount: goodwill }]
  const [shipped, refunded] = await Promise.all([
    client.insist('updateShipping', { ...call, body: { shipping: 'Shipped' } }),
    client.insist('refundOrder', {
      ...call,
      headers,
      body: { kind: 'goodwill', lines, reason: 'A scratch' },
    }),
  ])
  fulfilled.add(orderId)
  if (shipped.status !== 200) tally.faults.push(`shipping was refused: ${shipped.body.code}`)
  if (refunded.status !== 200) tally.faults.push(`a refund was refused: ${refunded.body.code}`)
}

function confirmAt(origin: string, shop: Storefront, opened: { client_secret: string }) {
  const api = shop.cardApi ?? `${origin}/sandbox/payments`
  return confirmCard(api, shop.publishableKey, opened.client_secret)
}

/** Adds some pieces to the stock, or removes one. Never repeated: a delta is not idempotent. */
async function restock(workload: Workload, random: Random): Promise<void> {
  const product = random.pick(workload.products)
  const delta = random.chance(0.2) ? -1 : 1 + random.below(5)
  const client = openClient(workload.shop.processes, random, workload.tally)
  const response = await client.attempt('updateProduct', {
    as: workload.admin,
    params: { id: product.id },
    body: { quantity: 0, delta },
  })
  // Without a response the change may have happened or not.
  if (!response || response.status === 503) return
  if (response.status === 200) product.added += delta
  else if (response.body.code !== 'STOCK_BELOW_ZERO')
    workload.tally.faults.push(`a restock was rejected: ${response.body.code}`)
}

/**
 * Replaces the fitments of a product. Another admin may do so at the same time. Half of the products keep theirs, so that
 * the fit in their orders can be compared with the rules afterwards.
 */
async function replaceFitments(workload: Workload, random: Random): Promise<void> {
  const changing = workload.products.slice(0, Math.ceil(workload.products.length / 2))
  const params = { id: random.pick(changing).id }
  const client = openClient(workload.shop.processes, random, workload.tally)
  const { body: list } = await client.insist('listFitments', { params })
  const body = { ...pickFitments(random), revision: list.revision }
  const saved = await client.attempt('saveFitments', { as: workload.admin, params, body })
  if (!saved || saved.status === 200 || saved.status === 503) return
  if (saved.body.code !== 'FITMENTS_CHANGED')
    workload.tally.faults.push(`fitments were rejected: ${saved.body.code}`)
}
