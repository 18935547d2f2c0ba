import { setTimeout as delay } from 'node:timers/promises'
import { confirmCard } from '../confirm-card.ts'
import { aCustomer, anOrder, aProduct, type TestCustomer } from '../factories.ts'
import type { Fate } from '../proxy.ts'
import type { Finding } from './check.ts'
import { locksLeft } from './database-faults.ts'
import { openProviderUnderTest, type ProviderUnderTest } from './provider-under-test.ts'
import { openShopUnderTest, type ShopUnderTest } from './shop-under-test.ts'

const slowMs = 10_000
/** Maximum time until a payment call responds that the provider is unavailable. */
const maxResponseMs = 20_000
/** Maximum duration of other calls on the order, which do not wait for the provider. */
const maxOtherMs = 2_000
const price = 40

interface Purchase {
  buyer: TestCustomer
  orderId: string
}

/** Makes the payment provider slow, failing and unreachable in turn. Calls must end in time and leave no lock. */
export async function providerFaults(orders: number, print: (progress: string) => void): Promise<Finding> {
  const provider = await openProviderUnderTest()
  const shop = await openShopUnderTest({ settings: provider.settings, isSettled: true })
  await provider.open(shop, () => undefined)
  const purchases = await place(shop, orders)
  const violations: string[] = []

  async function measureFault(name: string, fate: Fate): Promise<number> {
    provider.proxy.fate = () => fate
    const opening = Promise.all(purchases.map((purchase) => open(shop, purchase)))
    await delay(500) // By now the calls wait for the provider.
    violations.push(...(await editOrders(shop, purchases)), ...(await locksLeft(shop)))
    const responses = await opening
    const refused = responses.filter(({ status }) => status === 503).length
    if (refused !== responses.length)
      violations.push(`with a provider that ${name}, ${responses.length - refused} payments were opened`)
    const slowestMs = Math.max(...responses.map(({ ms }) => ms))
    if (slowestMs > maxResponseMs)
      violations.push(`with a provider that ${name}, a response took ${Math.round(slowestMs)} ms`)
    print(`the provider ${name}: ${refused} payments refused, the last after ${Math.round(slowestMs)} ms`)
    return slowestMs
  }

  const slowest = {
    'is slow': await measureFault('is slow', { kind: 'pass', lateByMs: slowMs }),
    fails: await measureFault('fails', { kind: 'fail' }),
    'breaks off': await measureFault('breaks off', { kind: 'break' }),
  }
  provider.proxy.fate = () => ({ kind: 'pass' })
  const began = performance.now()
  const paid = await Promise.all(purchases.map((purchase) => pay(shop, provider, purchase)))
  const unpaid = paid.filter((status) => status !== 200).length
  if (unpaid > 0) violations.push(`${unpaid} orders could not be paid after the provider recovered`)
  return {
    figures: [
      ...Object.entries(slowest).map(([what, ms]) => ({
        what: `the provider ${what}: longest response`,
        measured: `${(ms / 1000).toFixed(1)} s`,
        bound: `${maxResponseMs / 1000} s`,
      })),
      {
        what: `the provider recovers: ${orders} orders paid after`,
        measured: `${((performance.now() - began) / 1000).toFixed(1)} s`,
      },
    ],
    violations: [...violations, ...(await locksLeft(shop))],
  }
}

async function place(shop: ShopUnderTest, orders: number): Promise<Purchase[]> {
  const [process] = shop.processes
  const productId = await aProduct(shop, { price, quantity: 1_000, options: 'standard' })
  const purchases: Purchase[] = []
  for (let count = 0; count < orders; count++) {
    const buyer = await aCustomer(shop)
    purchases.push({
      buyer,
      orderId: await anOrder({ ...shop, call: process.call }, buyer, { productId, price }),
    })
  }
  return purchases
}

async function open({ processes: [process] }: ShopUnderTest, { buyer, orderId }: Purchase) {
  const began = performance.now()
  const response = await process.call('createPaymentIntent', { as: buyer, body: { orderId, amount: price } })
  return { ...response, ms: performance.now() - began }
}

/** Changes the orders while their payments are being opened. A lock on their rows would delay these calls. */
async function editOrders({ processes: [process] }: ShopUnderTest, purchases: Purchase[]): Promise<string[]> {
  const found = new Set<string>()
  for (const { buyer, orderId } of purchases) {
    const began = performance.now()
    const options = { as: buyer, params: { id: orderId }, body: { size: 'M', colour: 'Black' } }
    const { status } = await process.call('setOrderOptions', options)
    if (status !== 200) found.add(`an order could not be changed during a payment: ${status}`)
    if (performance.now() - began > maxOtherMs) found.add('a change of an order waited for the provider')
  }
  return [...found]
}

async function pay(shop: ShopUnderTest, provider: ProviderUnderTest, purchase: Purchase): Promise<number> {
  const { body, status } = await open(shop, purchase)
  if (status !== 200) return status
  const { intentId } = await confirmCard(provider.proxy.url, provider.publishableKey, body.client_secret)
  const hint = { params: { id: purchase.orderId }, body: { transactionId: intentId } }
  return (await shop.processes[0].call('payOrder', { as: purchase.buyer, ...hint })).status
}
