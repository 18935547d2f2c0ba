import { randomUUID } from 'node:crypto'
import { toCents } from '../../contract/money.ts'
import { confirmCard } from '../confirm-card.ts'
import type { TestCustomer } from '../factories.ts'
import { openClient, type Tally } from './client.ts'
import type { ProviderUnderTest } from './provider-under-test.ts'
import { type Random, randomFor } from './random.ts'
import type { ShopUnderTest } from './shop-under-test.ts'

/** Customers who pay orders while the payment provider sometimes fails. */
export interface Checkout {
  shop: ShopUnderTest
  provider: ProviderUnderTest
  seed: number
  customers: TestCustomer[]
  product: { id: string; price: number }
  /** The last status of each order that the shop's responses confirmed. */
  received: Map<string, 'placed' | 'paid' | 'cancelled' | 'refunded'>
  tally: Tally
}

/** The actions of a buyer on one order. Each gives up after `maxAttempts` calls without a usable response. */
interface Purchase {
  open(): Promise<string | null>
  confirm(secret: string | null, card?: string): Promise<string | null>
  report(intentId: string | null): Promise<void>
  cancel(): Promise<void>
  /** Cancels the order, paid or not. */
  refund(): Promise<void>
  payAtDesk(): Promise<void>
}

const maxAttempts = 3

/** The ways to pay, by name. */
const stories: Record<string, (purchase: Purchase) => Promise<unknown>> = {
  'pays, and the browser reports it': ({ open, confirm, report }) => open().then(confirm).then(report),
  'pays and leaves': async ({ open, confirm }) => confirm(await open()),
  'clicks twice everywhere': async ({ open, confirm, report }) => {
    const [secret] = await Promise.all([open(), open()])
    const [intentId] = await Promise.all([confirm(secret), confirm(secret)])
    await Promise.all([report(intentId), report(intentId)])
  },
  'pays in two tabs': async ({ open, confirm, report }) => {
    const tab = async () => report(await confirm(await open()))
    await Promise.all([tab(), tab()])
  },
  'cancels while paying': async ({ open, confirm, report, cancel }) => {
    const secret = await open()
    await Promise.all([confirm(secret).then(report), cancel()])
  },
  'cancels, then pays in the other tab': async ({ open, confirm, report, cancel }) => {
    const secret = await open()
    await cancel()
    await report(await confirm(secret))
  },
  'opens a payment while cancelling': async ({ open, confirm, report, cancel }) => {
    const [secret] = await Promise.all([open(), cancel()])
    await report(await confirm(secret))
  },
  'is declined, then pays with another card': async ({ open, confirm, report }) => {
    const secret = await open()
    await confirm(secret, 'pm_card_chargeDeclined')
    await report(await confirm(secret))
  },
  'pays, then cancels twice': async ({ open, confirm, report, refund }) => {
    await report(await confirm(await open()))
    await Promise.all([refund(), refund()])
  },
  'cancels while the payment arrives': async ({ open, confirm, refund }) => {
    const secret = await open()
    await Promise.all([confirm(secret), refund()])
    await refund()
  },
  'pays, cancels, and pays by telephone': async ({ open, confirm, report, refund, payAtDesk }) => {
    await report(await confirm(await open()))
    await refund()
    await payAtDesk()
  },
  'pays by telephone while a payment is open': async ({ open, payAtDesk }) => {
    await open()
    await payAtDesk()
  },
  'pays, and by telephone as well': async ({ open, confirm, report, payAtDesk }) => {
    await Promise.all([open().then(confirm).then(report), payAtDesk()])
  },
  'cancels, and pays by telephone': async ({ cancel, payAtDesk }) => {
    await cancel()
    await payAtDesk()
  },
  'opens a payment and never comes back': async ({ open }) => open(),
}

/** Places an order and pays it in a randomly chosen way. */
export async function payOnce(checkout: Checkout, iteration: number): Promise<void> {
  const random = randomFor(checkout.seed, iteration + 1)
  const purchase = await place(checkout, random, iteration)
  const story = stories[random.pick(Object.keys(stories))]
  await story?.(purchase)
}

async function place(checkout: Checkout, random: Random, iteration: number): Promise<Purchase> {
  const { shop, provider, product, tally, received } = checkout
  const buyer = checkout.customers[iteration % checkout.customers.length]
  const client = openClient(shop.processes, random, tally)
  const quantity = 1 + random.below(3)
  const amount = quantity * product.price
  const placed = await client.insist('confirmPurchase', {
    as: buyer,
    headers: { 'idempotency-key': randomUUID() },
    body: { productId: product.id, quantity, amount, customerAddress: '1 Road' },
  })
  if (placed.status !== 200) throw new Error(`an order was rejected: ${placed.body.code}`)
  const orderId = placed.body.insertedId
  received.set(orderId, 'placed')

  /** Repeats an idempotent call. Returns null after `maxAttempts` without a status below 500. */
  async function withRetries<Got extends { status: number }>(
    ask: () => Promise<Got | null>,
  ): Promise<Got | null> {
    for (let attempts = 0; attempts < maxAttempts; attempts++) {
      const response = await ask()
      if (response && response.status < 500) return response
    }
    return null
  }
  return {
    async open() {
      const body = { orderId, amount }
      const response = await withRetries(() => client.attempt('createPaymentIntent', { as: buyer, body }))
      return response?.status === 200 ? response.body.client_secret : null
    },
    async confirm(secret, card) {
      if (secret === null) return null
      const ask = () =>
        confirmCard(provider.proxy.url, provider.publishableKey, secret, card).catch(() => null)
      const response = await withRetries(ask)
      return response?.status === 200 ? response.intentId : null
    },
    async report(intentId) {
      if (intentId === null) return
      const hint = { params: { id: orderId }, body: { transactionId: intentId } }
      const response = await withRetries(() => client.attempt('payOrder', { as: buyer, ...hint }))
      if (response?.status === 200) recordResult(checkout, orderId, 'paid')
    },
    payAtDesk: () => provider.payAtDesk(orderId, toCents(amount)),
    async cancel() {
      const response = await withRetries(() =>
        client.attempt('deleteOrder', { as: buyer, query: { id: orderId } }),
      )
      if (response?.status === 200) recordResult(checkout, orderId, 'cancelled')
    },
    async refund() {
      // Without a response its status is not known any more.
      received.set(orderId, 'placed')
      const response = await withRetries(() =>
        client.attempt('cancelOrder', { as: buyer, params: { id: orderId } }),
      )
      if (response?.status !== 200 || !response.body.cancelled) return
      recordResult(checkout, orderId, response.body.refunded === undefined ? 'cancelled' : 'refunded')
    },
  }
}

function recordResult(
  { received, tally }: Checkout,
  orderId: string,
  status: 'paid' | 'cancelled' | 'refunded',
): void {
  const before = received.get(orderId)
  if (before !== 'placed' && before !== status)
    tally.faults.push(`an order was ${before}, and then ${status}`)
  received.set(orderId, status)
}
