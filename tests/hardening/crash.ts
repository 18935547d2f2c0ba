import { formatRange } from '../quantiles.ts'
import { openBalancer } from './balancer.ts'
import type { Check } from './check.ts'
import { findViolations } from './consistency.ts'
import { openEmailsUnderTest } from './emails.ts'
import { killAll, planKills } from './kills.ts'
import { openRandom } from './random.ts'
import { openShopUnderTest } from './shop-under-test.ts'
import { openWorkload, runLoad } from './shopping.ts'

const sizes = {
  small: {
    buyers: 60,
    products: 10,
    connections: 8,
    roles: ['web', 'web', 'worker'],
    kills: { shop: 3, postgres: 1 },
  },
  full: {
    buyers: 500,
    products: 30,
    connections: 16,
    roles: ['web', 'web', 'web', 'worker'],
    kills: { shop: 20, postgres: 5 },
  },
}

/** Kills web processes behind a load balancer, their worker and its Postgres at random times during purchases. */
export const crash: Check = {
  name: 'crash',
  async run(size, print, seed) {
    const { buyers, products, connections, roles, kills } = sizes[size]
    const emails = await openEmailsUnderTest()
    const balancer = await openBalancer(size, roles.filter((role) => role === 'web').length)
    const shop = await openShopUnderTest({
      settings: { ...emails.settings, HOST: '127.0.0.1', PUBLIC_URL: balancer.origin },
      each: await balancer.assignPorts(roles),
    })
    const workload = await openWorkload({ ...shop, processes: [balancer] }, seed, {
      buyers,
      products,
      fulfils: true,
    })
    const random = openRandom(seed)
    const recoveries = await runLoad(workload, size, connections, () =>
      killAll(shop, planKills(random, kills), random, print),
    )

    const { tally, orders, fulfilled } = workload
    const sent = await emails.check(shop.db)
    return {
      figures: [
        { what: `processes behind ${balancer.name}`, measured: roles.join(', ') },
        { what: 'kills of the shop, of Postgres', measured: `${kills.shop}, ${kills.postgres}` },
        { what: 'shop serves again after', measured: formatRange(recoveries.shop) },
        { what: 'Postgres serves again after', measured: formatRange(recoveries.postgres) },
        {
          what: 'orders acknowledged, shipped and refunded in part',
          measured: `${orders.size}, ${fulfilled?.size}`,
        },
        sent.figure,
        { what: 'responses lost, responses 503', measured: `${tally.lost.length}, ${tally.unavailable}` },
        { what: 'longest response', measured: `${Math.round(tally.slowestMs)} ms` },
      ],
      violations: [...(await findViolations(workload)), ...sent.violations],
    }
  },
}
