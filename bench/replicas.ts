import { freePort } from '../tests/free-port.ts'
import { openReplicatedPostgres } from '../tests/hardening/replicated-postgres.ts'
import { openShopOn } from '../tests/hardening/shop-under-test.ts'
import { countSources } from '../tests/hardening/staleness.ts'
import { median } from '../tests/quantiles.ts'
import { fill } from './catalog-under-test.ts'
import { readCpuMs } from './cpu.ts'
import { load } from './load.ts'
import { above, atMost, type Measure, notMeasured } from './measure.ts'
import { productQueries } from './queries.ts'
import { filterValues } from './uncached.ts'

const connections = 16
const rounds = 3
const seconds = 4
const products = 20_000
/** More pages than are requested. */
const queryCount = 50_000
const what = 'CPU of the primary per product list page never seen before, with a replica against without'

/** The work that a replica takes from the primary. */
export const replicas: Measure = {
  name: 'replicas',
  async run(print) {
    if (process.platform !== 'linux') return [notMeasured(what, '≤ 0.15', 'needs /proc')]
    const postgres = await openReplicatedPostgres()
    const standby = await postgres.addStandby()
    const metricsPort = await freePort()
    const shop = await openShopOn(postgres.url, [
      { DATABASE_REPLICA_URLS: standby.url, METRICS_PORT: String(metricsPort) },
      {},
    ])
    const [withReplica, without] = shop.processes
    await fill(shop, products, print)
    const { kinds, brands } = await filterValues(shop)
    const queries = productQueries(queryCount, 1, kinds, brands)
    let next = 0

    /** Requests unseen pages for some seconds. Returns the CPU time of the primary per page, in milliseconds. */
    async function measure(origin: string): Promise<number> {
      const first = next
      const before = readCpuMs(postgres.primaryPid())
      await load({
        origin,
        connections,
        seconds,
        request: () => ({ method: 'GET', path: `/products?${queries[next++]}` }),
      })
      return (readCpuMs(postgres.primaryPid()) - before) / (next - first)
    }

    const times: { ours: number[]; limit: number[] } = { ours: [], limit: [] }
    let sources = await countSources([metricsPort])
    for (let round = 0; round <= rounds; round++) {
      const ours = await measure(withReplica.origin)
      const limit = await measure(without?.origin ?? '')
      print(`round ${round} of ${rounds}: ${ours.toFixed(3)} against ${limit.toFixed(3)} ms`)
      // The first round warms up.
      if (round === 0) sources = await countSources([metricsPort])
      else
        for (const [side, time] of [[times.ours, ours] as const, [times.limit, limit] as const])
          side.push(time)
    }
    const { replica, primary } = await countSources([metricsPort])
    const fromReplica = replica - sources.replica
    const share = fromReplica / (fromReplica + primary - sources.primary)
    return [
      atMost(0.15, { what, unit: 'ms', ours: median(times.ours), limit: median(times.limit) }),
      above('share of these pages that was read on the replica', '', share, 0.9),
    ]
  },
}
