import { randomUUID } from 'node:crypto'
import type { TestResponse } from '../call.ts'
import { aCheckout, aCustomer, aProduct, type TestCustomer } from '../factories.ts'
import type { Check, Size } from './check.ts'
import { emptyTally, openClient } from './client.ts'
import { inLanes } from './parallel.ts'
import { openRandom } from './random.ts'
import { openShopUnderTest } from './shop-under-test.ts'

/** Orders that each flood tries to place. */
const attempts: Record<Size, number> = { small: 50, full: 1_000 }
const connections = 12
const [perCustomer, perEmail, perNetwork] = [10, 3, 10]
/** Orders above a limit that two processes may place in the moment between snapshot and lock. */
const tolerance = 2
const price = 40
/** More than all floods together may reserve, and less than they try to. */
const stock = 100

interface Attempt {
  ip: string
  as?: TestCustomer
  email?: string
}

interface Flood {
  who: string
  max: number
  toAttempt: (index: number) => Attempt
}

/** Accounts and guests want to reserve the whole stock of a product with unpaid orders, at two processes at once. */
export const floods: Check = {
  name: 'floods',
  async run(size, print, seed) {
    const shop = await openShopUnderTest({
      processes: 2,
      settings: {
        TRUSTED_PROXIES: '1',
        UNPAID_ORDERS_PER_CUSTOMER: String(perCustomer),
        GUEST_ORDERS_PER_EMAIL: String(perEmail),
        GUEST_ORDERS_PER_NETWORK: String(perNetwork),
      },
    })
    const tally = emptyTally()
    const client = openClient(shop.processes, openRandom(seed), tally)
    const productId = await aProduct(shop, { quantity: stock, price })
    const [account, buyer] = [await aCustomer(shop), await aCustomer(shop)]
    const unverified: TestCustomer[] = []
    while (unverified.length < 8) unverified.push(await aCustomer(shop, { emailVerified: false }))

    const newEmail = () => `guest-${randomUUID()}@example.com`
    const all: Flood[] = [
      {
        who: 'one account, from many networks',
        max: perCustomer,
        toAttempt: (index) => ({ ip: `198.51.100.${index % 250}`, as: account }),
      },
      {
        who: 'unverified accounts of one network',
        max: perNetwork,
        toAttempt: (index) => ({ ip: '192.0.2.1', as: unverified[index % unverified.length] }),
      },
      {
        who: 'guests of one network',
        max: perNetwork,
        toAttempt: () => ({ ip: '192.0.2.2', email: newEmail() }),
      },
      {
        who: 'guests with one email, from many networks',
        max: perEmail,
        toAttempt: (index) => ({ ip: `203.0.113.${index % 250}`, email: 'guest@example.com' }),
      },
      {
        who: 'guests of many IPv6 /64 of one /56',
        max: 4 * perNetwork,
        toAttempt: (index) => ({ ip: `2001:db8:0:${(index % 256).toString(16)}::1`, email: newEmail() }),
      },
    ]

    const order = ({ ip, as, email }: Attempt, byCheckout: boolean) => {
      const headers = { 'x-forwarded-for': ip, 'idempotency-key': randomUUID() }
      const sender = { ...(as && { as }), headers }
      if (as && !byCheckout) {
        const body = { productId, quantity: 1, amount: price, customerAddress: '1 Road' }
        return client.insist('confirmPurchase', { ...sender, body })
      }
      const line = { variantId: productId, quantity: 1, unitPrice: price }
      const body = aCheckout([line], as ? {} : { email, asGuest: true })
      return client.insist('checkOut', { ...sender, body })
    }

    print(`${all.length} floods of ${attempts[size]} orders, ${connections} connections each`)
    const began = performance.now()
    const placed = await Promise.all(
      all.map(async ({ who, toAttempt }) => {
        let orders = 0
        await inLanes(Array(attempts[size]).keys(), connections, async (index) => {
          const response = await order(toAttempt(index), index % 2 === 0)
          if (response.status === 200) orders += 1
          else tally.faults.push(...findFaults(who, response))
        })
        return { who, orders }
      }),
    )
    const seconds = (performance.now() - began) / 1000

    const violations = [...new Set(tally.faults)]
    for (const [index, { who, orders }] of placed.entries()) {
      const max = all[index]?.max ?? 0
      if (orders < max || orders > max + tolerance)
        violations.push(`${who} placed ${orders} unpaid orders, the limit is ${max}`)
    }
    const another = await order({ ip: '192.0.2.3', as: buyer }, true)
    if (another.status !== 200) violations.push(`another buyer was refused: ${another.body.code}`)
    const unpaid = await shop.db.selectFrom('orders').select(['id', 'customer_id']).execute()
    const ofAccount = unpaid.filter(({ customer_id }) => customer_id === account.id)
    for (const { id } of ofAccount.slice(0, 1 + ofAccount.length - perCustomer))
      await client.insist('cancelOrder', { as: account, params: { id } })
    const next = await order({ ip: '192.0.2.4', as: account }, false)
    if (next.status !== 200) violations.push(`a cancelled order still counts: ${next.body.code}`)
    return {
      figures: [
        { what: 'orders tried, processes', measured: `${all.length * attempts[size]}, 2` },
        ...placed.map(({ who, orders }, index) => ({
          what: `unpaid orders of ${who}`,
          measured: `${orders}`,
          bound: `${all[index]?.max} to ${(all[index]?.max ?? 0) + tolerance}`,
        })),
        { what: 'responses', measured: `${Math.round(tally.responses / seconds)} per second` },
        { what: 'longest response', measured: `${Math.round(tally.slowestMs)} ms` },
      ],
      violations,
    }
  },
}

/** A refusal says when to try again. */
function findFaults(
  who: string,
  { body, headers }: Pick<TestResponse<{ code?: string }>, 'body' | 'headers'>,
): string[] {
  if (body.code !== 'TOO_MANY_OPEN_ORDERS') return [`${who} got ${body.code}`]
  return headers.get('retry-after') ? [] : [`${who} got no Retry-After`]
}
