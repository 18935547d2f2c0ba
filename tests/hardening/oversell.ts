import { COMPLETION_UNKNOWN } from '../../server/platform/database/connection-pool.ts'
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
    const shop = await openShopUnderTest({
      settings: { LOG_LEVEL: 'warn' },
      each: ports.map((port) => ({ METRICS_PORT: String(port) })),
    })
    const workload = await openWorkload(shop, seed, { buyers, products })
    print(`${buyers} buyers, ${products} products, ${iterations} iterations`)
    const began = performance.now()
    await inLanes(Array(iterations).keys(), connections, (number) => runIteration(workload, number))
    const seconds = (performance.now() - began) / 1000

    const { tally, orders, refused } = workload
    const count = (status: string) => [...orders.values()].filter((order) => order.status === status).length
    const violations = [...(await findViolations(workload)), ...(await stockDifferences(workload))]
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

/**
 * Compares the order counters of all processes with the database. Returns one message per event that differs. The change
 * of a request that failed because the database was late may be committed, and is not counted.
 */
async function counterDifferences(shop: ShopUnderTest, metricsPorts: number[]): Promise<string[]> {
  const counted = new Map<string, number>()
  for (const port of metricsPorts) {
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    for (const [, event = '', count] of text.matchAll(/^shop_orders_total\{event="(\w+)"\} (\d+)$/gm))
      counted.set(event, (counted.get(event) ?? 0) + Number(count))
  }
  const stored = await shop.db
    .selectFrom('order_events')
    .select(['kind', (eb) => eb.fn.countAll<number>().as('count')])
    .where('kind', 'in', ['placed', 'paid', 'shipped', 'cancelled', 'expired'])
    .groupBy('kind')
    .execute()
  if (counted.size === 0) return ['no process has counted an order']
  const unknown = countUnknown(shop)
  return stored
    .map(({ kind, count }) => ({ kind, count, found: counted.get(kind) ?? 0 }))
    .filter(({ count, found }) => found > count || found < count - unknown)
    .map(({ kind, count, found }) => `${count} orders were ${kind}, and ${found} were counted`)
}

/** Counts the requests whose last statement may have been committed or not. Needs the log level `warn`. */
function countUnknown({ processes }: ShopUnderTest): number {
  const lines = processes.flatMap((process) => process.printed().split('\n'))
  return lines.filter((line) => line.includes(`"reason":"${COMPLETION_UNKNOWN}"`)).length
}
