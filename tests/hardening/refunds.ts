import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { pino } from 'pino'
import { toDollars } from '../../contract/money.ts'
import type { Order } from '../../contract/orders.ts'
import type { NewRefund } from '../../contract/payments.ts'
import { retryRefunds } from '../../server/modules/payments/jobs.ts'
import { webhookPath } from '../../server/modules/payments/routes.ts'
import type { PaymentDeps } from '../../server/modules/payments/service.ts'
import { saveShippingRate, saveTaxRate } from '../../server/modules/pricing/service.ts'
import { confirmCard } from '../confirm-card.ts'
import { aCheckout, aCustomer, anAdmin, aProduct, type TestCustomer } from '../factories.ts'
import type { Check, Size } from './check.ts'
import { type Client, emptyTally, openClient, type Tally } from './client.ts'
import { countDeadlocks } from './consistency.ts'
import { openEmailsUnderTest } from './emails.ts'
import { killAll, planKills } from './kills.ts'
import { openPaymentDeps, randomFate } from './money.ts'
import { inLanes } from './parallel.ts'
import { openProviderUnderTest, type ProviderUnderTest } from './provider-under-test.ts'
import { openRandom, type Random, randomFor, shuffled } from './random.ts'
import { openShopUnderTest, type ShopUnderTest } from './shop-under-test.ts'
import { openWebhookSender } from './webhook-sender.ts'

const sizes: Record<Size, { orders: number; connections: number; kills: number }> = {
  small: { orders: 24, connections: 12, kills: 2 },
  full: { orders: 200, connections: 12, kills: 5 },
}
/** Enough different prices that some lines cannot be divided by their pieces. */
const products = 15
const admins = 3
/** Each of them refunds this many parts of an order at once with the others. */
const partsPerAdmin = 4
/** Of decisions by the provider and new attempts by the shop. */
const maxRounds = 10
const cards = ['pm_card_visa', 'pm_card_visa', 'pm_card_pendingRefund', 'pm_card_refundFail']

interface Workload {
  shop: ShopUnderTest
  provider: ProviderUnderTest
  buyers: TestCustomer[]
  admins: TestCustomer[]
  products: { id: string; price: number }[]
  refunds: number
  refused: number
  cancelled: number
  shipped: number
  returns: number
  tally: Tally
}

/** A paid order and who can change it. */
interface PaidOrder {
  id: string
  buyer: TestCustomer
  client: Client
  random: Random
}

/**
 * Three admins refund pieces and amounts of paid orders and ship them, while their buyers cancel, the provider fails and
 * processes are killed. Other orders are refunded piece by piece, and some in the dashboard of the provider.
 */
export const refunds: Check = {
  name: 'refunds',
  async run(size, print, seed) {
    const { orders, connections, kills } = sizes[size]
    const provider = await openProviderUnderTest()
    const emails = await openEmailsUnderTest()
    // Buyers come from networks of their own, because the withdrawals of a network are limited.
    const settings = { ...provider.settings, ...emails.settings, TRUSTED_PROXIES: '1' }
    const shop = await openShopUnderTest({ processes: 2, settings, isSettled: true })
    const random = openRandom(seed)
    const urls = shop.processes.map(({ origin }) => `${origin}/api${webhookPath}`)
    // Without a webhook the shop learns only a day later that a refund failed after its success, so none is lost.
    const webhooks = openWebhookSender(urls, provider.webhookSecret, random, 0)
    const gateway = await provider.open(shop, webhooks.enqueue)
    const workload = await openWorkload(shop, provider, seed)

    print(`${orders} paid orders, refunded by ${admins} admins and cancelled by their buyers`)
    const [recoveries] = await Promise.all([
      killAll(shop, planKills(random, { shop: kills, postgres: 0 }), random, print),
      inLanes(Array(orders).keys(), connections, (number) =>
        refundOnce(workload, randomFor(seed, number + 1), number),
      ),
    ])
    provider.proxy.fate = () => ({ kind: 'pass' })
    print('deciding and repeating refunds')
    const deps = openPaymentDeps(shop, gateway, pino({ level: 'silent' }))
    // A refund that is made again can be pending again.
    for (let round = 0; round < maxRounds && (round === 0 || (await decideAll(workload)) > 0); round++) {
      await webhooks.waitForDeliveries()
      await retryAll(deps, orders)
    }
    await closeFailed(workload, randomFor(seed, 0))
    const sent = await emails.check(shop.db)

    const { tally, refunds, refused, cancelled, shipped, returns } = workload
    const deadlocks = await countDeadlocks(shop.db)
    const violations = [...new Set([...tally.faults, ...webhooks.faults]), ...sent.violations]
    if (deadlocks > 0) violations.push(`Postgres has broken ${deadlocks} deadlocks`)
    return {
      figures: [
        {
          what: 'paid orders, connections, kills',
          measured: `${orders}, ${connections}, ${recoveries.shop.length}`,
        },
        { what: 'refunds recorded, refused', measured: `${refunds}, ${refused}` },
        { what: 'orders cancelled, shipments', measured: `${cancelled}, ${shipped}` },
        { what: 'returns and withdrawals', measured: `${returns}` },
        sent.figure,
        { what: 'responses lost, responses 503', measured: `${tally.lost.length}, ${tally.unavailable}` },
        { what: 'deadlocks', measured: `${deadlocks}`, bound: '0' },
      ],
      violations,
    }
  },
}

async function openWorkload(
  shop: ShopUnderTest,
  provider: ProviderUnderTest,
  seed: number,
): Promise<Workload> {
  const random = randomFor(seed, 0)
  const tax = { place: 'US', label: 'Sales tax', rate: 8.875, included: false, taxesShipping: true }
  await saveTaxRate(shop.db, randomUUID(), tax, null)
  await saveShippingRate(
    shop.db,
    randomUUID(),
    { name: 'Standard', places: [], price: 12.95, position: 0 },
    null,
  )
  const sold: Workload['products'] = []
  for (let index = 0; index < products; index++) {
    const price = toDollars(1000 + random.below(20_000))
    sold.push({ id: await aProduct(shop, { quantity: 1_000_000, price }), price })
  }
  const people = async (count: number, create: (shop: ShopUnderTest) => Promise<TestCustomer>) => {
    const created: TestCustomer[] = []
    for (let index = 0; index < count; index++) created.push(await create(shop))
    return created
  }
  return {
    shop,
    provider,
    buyers: await people(30, aCustomer),
    admins: await people(admins, anAdmin),
    products: sold,
    refunds: 0,
    refused: 0,
    cancelled: 0,
    shipped: 0,
    returns: 0,
    tally: emptyTally(),
  }
}

const stories = [refundInPieces, refundAtOnce, refundAtOnce, refundInDashboard]

async function refundOnce(workload: Workload, random: Random, number: number): Promise<void> {
  const order = await placePaid(workload, random, number)
  const story = stories[number % stories.length]
  await story?.(workload, order)
}

/** Places an order of 1 to 4 lines and pays it, before the provider fails. */
async function placePaid(workload: Workload, random: Random, number: number): Promise<PaidOrder> {
  const { shop, provider, tally, buyers } = workload
  const client = openClient(shop.processes, random, tally)
  const buyer = buyers[number % buyers.length] ?? random.pick(buyers)
  const lines = shuffled(workload.products, random)
    .slice(0, 1 + random.below(4))
    .map(({ id, price }) => ({ variantId: id, quantity: 1 + random.below(5), unitPrice: price }))
  const body = aCheckout(lines)
  const headers = { 'idempotency-key': randomUUID() }
  const quote = await client.insist('quoteCart', {
    body: { lines: body.lines, destination: { country: 'US' } },
  })
  const total = quote.body.total
  const placed = await client.insist('checkOut', { as: buyer, headers, body: { ...body, total } })
  if (placed.status !== 200) throw new Error(`an order was rejected: ${placed.body.code}`)
  const { id } = placed.body
  const opened = await client.insist('openOrderPayment', { as: buyer, params: { id } })
  const card = random.pick(cards)
  const { intentId } = await client.repeat(() =>
    confirmCard(provider.proxy.url, provider.publishableKey, opened.body.clientSecret, card),
  )
  const hint = { params: { id }, body: { transactionId: intentId } }
  const paid = await client.insist('confirmOrderPayment', { as: buyer, ...hint })
  if (paid.status !== 200) throw new Error(`a payment was refused: ${paid.body.code}`)
  return { id, buyer, client, random }
}

const readOrder = async ({ admins }: Workload, { client, id }: PaidOrder): Promise<Order> =>
  (await client.insist('getOrder', { as: admins[0], query: { id } })).body

type RefundKind = NewRefund['kind']
interface RefundLine {
  line: number
  amount: number
  pieces?: number
  restock?: number
}

/** Sends a refund, sometimes twice at once. Returns the code if it was refused. */
async function refund(
  workload: Workload,
  { id, client, random }: PaidOrder,
  { kind, lines, as }: { kind: RefundKind; lines: RefundLine[]; as: TestCustomer },
): Promise<string | null> {
  const headers = { 'idempotency-key': randomUUID() }
  const send = () =>
    client.insist('refundOrder', { as, params: { id }, headers, body: { kind, lines, reason: 'A scratch' } })
  const replies = await Promise.all(random.chance(0.3) ? [send(), send()] : [send()])
  const [first] = replies
  // A refused one may be possible a moment later, after the order was shipped.
  const ids = replies.flatMap(({ status, body }) => (status === 200 ? [body.id] : []))
  if (new Set(ids).size > 1) workload.tally.faults.push('a refund was repeated with another result')
  if (first?.status === 200) {
    workload.refunds += 1
    return null
  }
  workload.refused += 1
  return first?.body.code ?? 'nothing'
}

const isAllowed = (code: string | null) =>
  code === null || code === 'PIECES_NOT_AVAILABLE' || code === 'REFUND_TOO_LARGE'

/**
 * Refunds each piece on its own, before or after shipping, and then the shipping. An amount is the difference of two rounded
 * shares, so all are exactly what was paid.
 */
async function refundInPieces(workload: Workload, order: PaidOrder): Promise<void> {
  const { client, id, random } = order
  const [as] = workload.admins
  if (!as) return
  const isShipped = random.chance(0.5)
  if (isShipped) await ship(workload, order)
  const { lines = [], amount } = await readOrder(workload, order)
  const kind = isShipped ? 'return' : 'cancellation'
  const pieces = lines.flatMap(({ quantity }, index) =>
    Array.from({ length: quantity }, (_, piece) => ({ line: index + 1, piece })),
  )
  const byLine = pieces.toSorted((one, other) => one.piece - other.piece)
  for (const { line, piece } of byLine) {
    const { paid = 0, quantity = 1 } = lines[line - 1] ?? {}
    const cents = Math.round(paid * 100)
    const upTo = (count: number) => Math.floor((2 * cents * count + quantity) / (2 * quantity))
    const worth = toDollars(upTo(piece + 1) - upTo(piece))
    const code = await refund(workload, order, { kind, lines: [{ line, pieces: 1, amount: worth }], as })
    if (code) workload.tally.faults.push(`a piece for $${worth} was refused: ${code}`)
  }
  const paid = lines.reduce((sum, line) => sum + Math.round(line.paid * 100), 0)
  const shipping = toDollars(Math.round(amount * 100) - paid)
  if (shipping > 0)
    await refund(workload, order, { kind: 'goodwill', lines: [{ line: 0, amount: shipping }], as })
  const after = await client.insist('getOrder', { as, query: { id } })
  const refunded = after.body.refunds?.reduce((sum, each) => sum + Math.round(each.amount * 100), 0)
  if (refunded !== Math.round(amount * 100))
    workload.tally.faults.push(`$${amount} were paid, and ${refunded} cents refunded piece by piece`)
}

/** The admins refund and ship, and the buyer cancels, returns and withdraws at the same time, while the provider fails. */
async function refundAtOnce(workload: Workload, order: PaidOrder): Promise<void> {
  const { random, client, id, buyer } = order
  workload.provider.proxy.fate = () => randomFate(random)
  const { lines = [] } = await readOrder(workload, order)
  const byAdmin = async (as: TestCustomer) => {
    for (let part = 0; part < partsPerAdmin; part++) {
      const line = random.below(lines.length + 1)
      const { paid = 10, quantity = 1 } = lines[line - 1] ?? {}
      const kind = line === 0 ? 'goodwill' : random.pick(['cancellation', 'return', 'goodwill'] as const)
      const amount = toDollars(1 + random.below(Math.floor((paid * 100) / quantity)))
      const pieces = kind === 'goodwill' ? 0 : 1 + random.below(quantity)
      const restock = random.below(pieces + 1)
      const code = await refund(workload, order, { kind, lines: [{ line, amount, pieces, restock }], as })
      if (!isAllowed(code)) workload.tally.faults.push(`a refund was refused: ${code}`)
    }
  }
  const cancel = async () => {
    const { status, body } = await client.insist('cancelOrder', { as: buyer, params: { id } })
    if (status === 200) workload.cancelled += 1
    else if (body.code !== 'ORDER_ALREADY_SHIPPED')
      workload.tally.faults.push(`an order could not be cancelled: ${body.code}`)
  }
  await Promise.all([
    ...workload.admins.map(byAdmin),
    random.chance(0.5) ? ship(workload, order).then(() => requestReturn(workload, order)) : null,
    random.chance(0.5) ? shipLine(workload, order, 1 + random.below(lines.length)) : null,
    random.chance(0.4) ? cancel() : null,
    random.chance(0.3) ? withdraw(workload, order) : null,
  ])
}

/** Requests the return of a piece twice at once, and an admin approves it. */
async function requestReturn(workload: Workload, { client, id, buyer }: PaidOrder): Promise<void> {
  const body = { lines: [{ line: 1, pieces: 1, reason: 'damaged' as const }] }
  const send = () => client.insist('requestReturn', { as: buyer, params: { id }, body })
  for (const { status, body: reply } of await Promise.all([send(), send()])) {
    if (status === 200) {
      workload.returns += 1
      const approval = { as: workload.admins[0], params: { id: reply.id }, body: { status: 'approved' } }
      await client.insist('decideReturn', approval)
    } else if (reply.code !== 'RETURN_NOT_POSSIBLE')
      workload.tally.faults.push(`a return was refused: ${reply.code}`)
  }
}

/** Withdraws from the order, or from a piece of it, twice at once. */
async function withdraw(workload: Workload, { client, id, buyer, random }: PaidOrder): Promise<void> {
  const lines = random.chance(0.5) ? [{ line: 1, pieces: 1 }] : undefined
  const key = randomUUID()
  const randomIp = () => `10.${random.below(256)}.${random.below(256)}.${1 + random.below(255)}`
  const send = () =>
    client.insist('withdraw', {
      as: buyer,
      headers: { 'x-forwarded-for': randomIp(), 'idempotency-key': key },
      body: { orderId: id, orderNumber: id.slice(0, 6), email: buyer.email, name: 'Ada', lines },
    })
  const [one, other] = await Promise.all([send(), send()])
  if (one.status !== 200 || one.body.receivedAt !== other.body.receivedAt)
    workload.tally.faults.push(`a withdrawal was not recorded once: ${one.body.code}`)
  workload.returns += 1
}

async function ship(workload: Workload, { client, id }: PaidOrder): Promise<void> {
  const body = { shipping: 'Shipped' } as const
  const { status, body: reply } = await client.insist('updateShipping', {
    as: workload.admins[0],
    params: { id },
    body,
  })
  if (status === 200) workload.shipped += 1
  else if (reply.code !== 'ORDER_REFUNDED') workload.tally.faults.push(`shipping was refused: ${reply.code}`)
}

/** Ships one line, unless it was shipped or cancelled before. */
async function shipLine(workload: Workload, { client, id }: PaidOrder, line: number): Promise<void> {
  const { status, body } = await client.insist('shipOrder', {
    as: workload.admins[1],
    params: { id },
    body: { lines: [line], carrier: 'UPS', trackingNumbers: ['1Z'] },
  })
  if (status === 200) workload.shipped += 1
  else if (body.code !== 'ORDER_REFUNDED' && body.code !== 'NOTHING_TO_SHIP')
    workload.tally.faults.push(`a line could not be shipped: ${body.code}`)
}

/** An employee has refunded the whole payment in the dashboard. It is not taken for a part that an admin refunds. */
async function refundInDashboard(workload: Workload, order: PaidOrder): Promise<void> {
  const { transactionId = '' } = await readOrder(workload, order)
  await workload.provider.refundAtDesk(transactionId)
  const [as] = workload.admins
  if (as) await refund(workload, order, { kind: 'goodwill', lines: [{ line: 1, amount: 0.5 }], as })
}

/** Makes the provider decide on all refunds. Returns their number. */
async function decideAll({ shop, provider }: Workload): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    select id from sandbox.refunds where decided_at is not null`.execute(shop.db)
  for (const { id } of rows) {
    const { ok, status } = await fetch(`${provider.proxy.url}/v1/refunds/${id}/sandbox_decide`, {
      method: 'POST',
      headers: { authorization: `Bearer ${provider.publishableKey}` },
    })
    if (!ok) throw new Error(`the decision on a refund returned ${status}`)
  }
  return rows.length
}

async function retryAll(deps: PaymentDeps, orders: number): Promise<void> {
  const dayMs = 24 * 60 * 60_000
  for (let round = 0; round <= orders; round += 20) await retryRefunds(deps, undefined, dayMs)
}

/** Closes the refunds that fail because an employee has returned the money. */
async function closeFailed({ shop, admins, tally }: Workload, random: Random): Promise<void> {
  const client = openClient(shop.processes, random, tally)
  const { rows } = await sql<{ id: string }>`select id from refunds r where status = 'failed' and exists (
    select from sandbox.refunds s where s.payment_intent_id = r.intent_id and s.metadata ->> 'desk' = 'yes')`.execute(
    shop.db,
  )
  if (rows.length === 0) tally.faults.push('no refund in the dashboard was noticed')
  for (const { id } of rows) {
    const body = { note: 'Refunded in the dashboard' }
    const { status } = await client.insist('closeRefund', { as: admins[0], params: { id }, body })
    if (status !== 200) tally.faults.push(`a failed refund could not be closed: ${status}`)
  }
}
