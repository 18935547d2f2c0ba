import { freePort } from '../free-port.ts'
import type { Check } from './check.ts'
import { findViolations, stockDifferences } from './consistency.ts'
import { inLanes } from './parallel.ts'
import { openShopUnderTest, type ShopUnderTest } from './shop-under-test.ts'
import { openWorkload, runIteration } from './shopping.ts'

const sizes = {
  small: { buyers: 150, products: 10, iterations: 600 },
  full: { buyers: 500, products: 30, iterations: 5_000 },
}
const connections = 16

/** Many buyers order the last pieces at two processes of one shop, while others cancel and an admin restocks. */
export const oversell: Check = {
  name: 'oversell',
  async run(size, print, seed) {
    const { buyers, products, iterations } = sizes[size]
    const ports = [await freePort(), await freePort()]
    const shop = await openShopUnderTest({ each: ports.map((port) => ({ METRICS_PORT: String(port) })) })
    const workload = await openWorkload(shop, seed, { buyers, products })
    print(`${buyers} buyers, ${products} products, ${iterations} iterations`)
    const began = performance.now()
    await inLanes(Array(iterations).keys(), connections, (number) => runIteration(workload, number))
    const seconds = (performance.now() - began) / 1000

    const { tally, orders, refused } = workload
    const count = (status: string) => [...orders.values()].filter((order) => order.status === status).length
    const violations = [...(await findViolations(shop, workload)), ...(await stockDifferences(workload))]
    violations.push(...(await counterDifferences(shop, ports)))
    if (refused === 0) violations.push('nothing was sold out')
    violations.push(...tally.lost.map((reason) => `a response was lost: ${reason}`))
    return {
      figures: [
        { what: 'buyers, connections, processes', measured: `${buyers}, ${connections}, 2` },
        { what: 'orders placed', measured: `${orders.size}` },
        { what: 'of these cancelled, paid', measured: `${count('cancelled')}, ${count('paid')}` },
        { what: 'purchases rejected: sold out', measured: `${refused}` },
        { what: 'responses', measured: `${Math.round(tally.responses / seconds)} per second` },
        { what: 'longest response', measured: `${Math.round(tally.slowestMs)} ms` },
      ],
      violations,
    }
  },
}

/** Compares the order counters of all processes with the database. Returns one message per event that differs. */
async function counterDifferences({ db }: ShopUnderTest, metricsPorts: number[]): Promise<string[]> {
  const counted = new Map<string, number>()
  for (const port of metricsPorts) {
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    for (const [, event = '', count] of text.matchAll(/^shop_orders_total\{event="(\w+)"\} (\d+)$/gm))
      counted.set(event, (counted.get(event) ?? 0) + Number(count))
  }
  const stored = await db
    .selectFrom('order_events')
    .select(['kind', (eb) => eb.fn.countAll<number>().as('count')])
    .where('kind', 'in', ['placed', 'paid', 'shipped', 'cancelled', 'expired'])
    .groupBy('kind')
    .execute()
  if (counted.size === 0) return ['no process has counted an order']
  return stored
    .filter(({ kind, count }) => counted.get(kind) !== count)
    .map(({ kind, count }) => `${count} orders were ${kind}, and ${counted.get(kind) ?? 0} were counted`)
}
