import { sql } from 'kysely'
import { type Logger, pino } from 'pino'
import { openMail } from '../../server/modules/mail/service.ts'
import { createOrderKeys, openOrderEmails, orderEmailLimits } from '../../server/modules/orders/service.ts'
import { expireUnpaidOrders } from '../../server/modules/payments/cancellation.ts'
import { reconcilePayments, retryRefunds } from '../../server/modules/payments/jobs.ts'
import { webhookPath } from '../../server/modules/payments/routes.ts'
import type { PaymentDeps } from '../../server/modules/payments/service.ts'
import { openRateLimiter } from '../../server/platform/rate-limiter.ts'
import { plainSender } from '../email-sender.ts'
import { aCustomer, aProduct, type TestCustomer } from '../factories.ts'
import type { Fate } from '../proxy.ts'
import type { Check } from './check.ts'
import { type Checkout, payOnce } from './checkout.ts'
import { emptyTally } from './client.ts'
import { openEmailsUnderTest } from './emails.ts'
import { inLanes } from './parallel.ts'
import { openProviderUnderTest } from './provider-under-test.ts'
import { openRandom, type Random } from './random.ts'
import { openShopUnderTest, type ShopUnderTest } from './shop-under-test.ts'
import { openWebhookSender } from './webhook-sender.ts'

const sizes = {
  small: { orders: 80, connections: 16, customers: 20 },
  full: { orders: 1_000, connections: 32, customers: 200 },
}
/** Maximum duration of a shop response, even if the provider is slow. */
const maxResponseMs = 20_000

/** Pays orders in many ways, while calls to the provider fail and its webhooks are delayed, repeated or lost. */
export const money: Check = {
  name: 'money',
  async run(size, print, seed) {
    const { orders, connections, customers } = sizes[size]
    const provider = await openProviderUnderTest()
    const emails = await openEmailsUnderTest()
    const settings = { ...provider.settings, ...emails.settings }
    const shop = await openShopUnderTest({ processes: 2, settings, isSettled: true })
    const random = openRandom(seed)
    const urls = shop.processes.map(({ origin }) => `${origin}/api${webhookPath}`)
    const webhookSender = openWebhookSender(urls, provider.webhookSecret, random)
    const gateway = await provider.open(shop, webhookSender.enqueue)
    const checkout = await openCheckout({ shop, provider, seed }, customers)

    print(`${orders} orders over a faulty connection`)
    provider.proxy.fate = () => randomFate(random)
    await inLanes(Array(orders).keys(), connections, (number) => payOnce(checkout, number))
    provider.proxy.fate = () => ({ kind: 'pass' })
    await webhookSender.waitForDeliveries()
    const unsettled = await countUnsettled(checkout)
    print(`${unsettled} payments are known only to the provider; reconciling`)
    await settleAll(openPaymentDeps(shop, gateway, pino({ level: 'silent' })), orders)
    await webhookSender.waitForDeliveries()
    const sent = await emails.check(shop.db)

    const { tally, received } = checkout
    const { counts } = webhookSender
    const { pass, ...faults } = provider.proxy.counts
    const violations = [
      ...new Set([...tally.faults, ...webhookSender.faults]),
      ...sent.violations,
      ...(await findWrongOrders(checkout)),
    ]
    if (tally.slowestMs > maxResponseMs) violations.push(`a response took ${Math.round(tally.slowestMs)} ms`)
    violations.push(...tally.lost.map((reason) => `a response of the shop was lost: ${reason}`))
    return {
      figures: [
        { what: 'orders, connections', measured: `${received.size}, ${connections}` },
        { what: 'calls to the provider', measured: `${pass}, and with faults ${formatCounts(faults)}` },
        { what: 'webhooks', measured: formatCounts(counts) },
        { what: 'charges found only by the reconciling job', measured: `${unsettled}` },
        { what: 'charges: paid an order, refunded', measured: await countCharges(checkout) },
        sent.figure,
        { what: 'responses 503', measured: `${tally.unavailable}` },
        {
          what: 'longest response of the shop',
          measured: `${Math.round(tally.slowestMs)} ms`,
          bound: `${maxResponseMs} ms`,
        },
      ],
      violations,
    }
  },
}

/** Queues the emails about orders that the harness itself settles. The processes of the shop send them. */
export function openPaymentDeps(
  { db }: ShopUnderTest,
  gateway: PaymentDeps['gateway'],
  log: Logger,
): PaymentDeps {
  const { outbox } = openMail({
    db,
    mailer: { send: () => Promise.reject(new Error('not started')) },
    readSender: async () => plainSender,
    log,
  })
  const more = {
    orderKeys: createOrderKeys(['money']),
    terms: {
      unpaidOrderHours: 0,
      unpaidGuestOrderMinutes: 0,
      unpaidOrdersPerCustomer: 10,
      guestOrdersPerEmail: 3,
      guestOrdersPerNetwork: 10,
      guestOrderPieces: 50,
      shippingUndoSeconds: 0,
      countries: null,
    },
  }
  const rateLimiter = openRateLimiter(db, 'money', orderEmailLimits)
  const orderEmails = openOrderEmails({ ...more, rateLimiter, outbox, log, origin: 'http://localhost' })
  return { ...more, db, gateway, log, orderEmails }
}

async function openCheckout(
  checkout: Pick<Checkout, 'shop' | 'provider' | 'seed'>,
  customers: number,
): Promise<Checkout> {
  const price = 12.9
  const id = await aProduct(checkout.shop, { price, quantity: 100_000 })
  const created: TestCustomer[] = []
  for (let count = 0; count < customers; count++) created.push(await aCustomer(checkout.shop))
  return {
    ...checkout,
    customers: created,
    product: { id, price },
    received: new Map(),
    tally: emptyTally(),
  }
}

/** Delays about a tenth of the requests, 1% by 11 s, and breaks about a fifth of the others. */
export function randomFate(random: Random): Fate {
  if (random.chance(0.01)) return { kind: 'pass', lateByMs: 11_000 }
  if (random.chance(0.1)) return { kind: 'pass', lateByMs: 1 + random.below(1_500) }
  if (random.chance(0.2)) return { kind: random.pick(['break', 'fail', 'lose', 'cut'] as const) }
  return { kind: 'pass' }
}

/** Runs the payment jobs without waiting, then expires all unpaid orders. */
async function settleAll(deps: PaymentDeps, orders: number): Promise<void> {
  // The pause between refund attempts grows, so claim refunds due within a day.
  const dayMs = 24 * 60 * 60_000
  for (let round = 0; round <= orders; round += 100) await reconcilePayments(deps, undefined, 0)
  for (let round = 0; round <= orders; round += 100) await retryRefunds(deps, undefined, dayMs)
  for (let round = 0; round <= orders; round += 100) await expireUnpaidOrders(deps)
}

/** Returns messages about orders that are unpaid, missing, or stored with another status than in the last response. */
async function findWrongOrders({ shop, received }: Checkout): Promise<string[]> {
  const rows = await shop.db.selectFrom('orders').select(['id', 'status']).execute()
  const saved = new Map(rows.map(({ id, status }) => [id, status]))
  const wrong = [...received].filter(
    ([id, status]) => !saved.has(id) || (status !== 'placed' && saved.get(id) !== status),
  )
  const unpaid = rows.filter(({ status }) => status === 'unpaid')
  return [
    ...wrong.map(([id, status]) => `an order was reported as ${status}, and is ${saved.get(id) ?? 'lost'}`),
    ...unpaid.map(({ id }) => `the order ${id} was not settled`),
    ...(rows.length === received.size
      ? []
      : [`${rows.length} orders exist, and ${received.size} were acknowledged`]),
  ]
}

/** Counts payments that have succeeded at the provider and are not settled in the shop. */
async function countUnsettled({ shop }: Checkout): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from sandbox.payment_intents i
    join payments p on p.intent_id = i.id
    where i.status = 'succeeded' and p.status not in ('succeeded', 'unmatched')`.execute(shop.db)
  return rows[0]?.count ?? 0
}

async function countCharges({ shop }: Checkout): Promise<string> {
  const { rows } = await sql<{ saved: number; refunded: number }>`
    select count(*) filter (where amount_refunded_cents = 0) as saved,
      count(*) filter (where amount_refunded_cents > 0) as refunded
    from sandbox.charges where status = 'succeeded'`.execute(shop.db)
  return `${rows[0]?.saved}, ${rows[0]?.refunded}`
}

function formatCounts(counts: Record<string, number>): string {
  return Object.entries(counts)
    .map(([what, count]) => `${count} ${what}`)
    .join(', ')
}
