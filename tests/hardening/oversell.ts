import type { Check } from './check.ts'
import { findViolations, stockDifferences } from './consistency.ts'
import { inLanes } from './parallel.ts'
import { openShopUnderTest } from './shop-under-test.ts'
import { openMarket, visit } from './shopping.ts'

const sizes = {
  small: { buyers: 150, products: 10, visits: 600 },
  full: { buyers: 500, products: 30, visits: 5_000 },
}
const connections = 16

/** Many buyers order the last pieces at two processes of one shop, while others cancel and an admin restocks. */
export const oversell: Check = {
  name: 'oversell',
  async run(size, print, seed) {
    const { buyers, products, visits } = sizes[size]
    const shop = await openShopUnderTest({ processes: 2 })
    const market = await openMarket(shop, seed, { buyers, products })
    print(`${buyers} buyers, ${products} products, ${visits} visits`)
    const began = performance.now()
    await inLanes(Array(visits).keys(), connections, (number) => visit(market, number))
    const seconds = (performance.now() - began) / 1000

    const { tally, orders, refused } = market
    const count = (status: string) => [...orders.values()].filter((order) => order.status === status).length
    const violations = [...(await findViolations(shop, market)), ...(await stockDifferences(market))]
    if (tally.lost > 0) violations.push(`${tally.lost} responses were lost`)
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
