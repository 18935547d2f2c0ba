import { setTimeout as delay } from 'node:timers/promises'
import { formatRange } from '../quantiles.ts'
import type { Check } from './check.ts'
import { countLost, findViolations } from './consistency.ts'
import {
  judge503,
  maxResponseMs,
  probeReads,
  probeSession,
  probeWrites,
  type Watch,
  watch,
} from './probes.ts'
import { openSeparateProvider } from './provider-under-test.ts'
import { openReplicatedPostgres, type ReplicatedPostgres } from './replicated-postgres.ts'
import { openShopOn } from './shop-under-test.ts'
import { openWorkload, runLoad } from './shopping.ts'

const sizes = {
  small: { buyers: 60, products: 10, connections: 8, failovers: 1 },
  full: { buyers: 500, products: 30, connections: 16, failovers: 5 },
}
const orderingMs = 1_500
/** Longer than a write may wait for a standby. */
const silentMs = 3_000
/** The small size also runs on busy machines: it fails if writes wait until the silence ends. */
const maxWaitMs = { small: silentMs - 200, full: maxResponseMs }
const cancels = { count: 10, pauseMs: 100 }
const recoverWithinMs = 10_000

/**
 * The standby becomes silent during purchases, waiting commits are cancelled, then the primary is killed and the standby
 * promoted. Every order that was acknowledged must exist.
 */
export const failover: Check = {
  name: 'failover',
  isTimed: true,
  async run(size, print, seed) {
    const { buyers, products, connections, failovers } = sizes[size]
    // The provider has its own database, because a real provider does not fail with the shop's.
    const [postgres, { settings, publishableKey, proxy }] = await Promise.all([
      openReplicatedPostgres(),
      openSeparateProvider(),
    ])
    const process = { ...settings, TRUSTED_PROXIES: '1' }
    const shop = await openShopOn(postgres.url, [process, process])
    const storefront = { ...shop, publishableKey, cardApi: proxy.url }
    const workload = await openWorkload(storefront, seed, { buyers, products })
    const maxMs = maxWaitMs[size]
    const writing = await Promise.all(shop.processes.map((process) => probeWrites(process, shop)))
    const writes = watch(writing, maxMs)
    const reads = watch(shop.processes.map(probeReads), maxMs)
    const sessions = watch((await Promise.all(shop.processes.map(probeSession))).flat(), maxMs)

    const recoveriesMs: number[] = []
    const violations: string[] = []
    const failOverAll = async () => {
      for (let count = 0; count < failovers; count++) {
        await postgres.addStandby()
        await delay(orderingMs)
        violations.push(...(await silenceStandby(postgres, writes, reads)))
        const began = performance.now()
        await postgres.failOver()
        await Promise.all(
          [writes, reads, sessions].map(({ untilRecovered }) => untilRecovered(recoverWithinMs)),
        )
        recoveriesMs.push(performance.now() - began)
        print(`failed over; writes succeeded again after ${Math.round(recoveriesMs.at(-1) ?? 0)} ms`)
      }
    }
    await runLoad(workload, size, connections, failOverAll)
    const watches = [writes, reads, sessions]
    await Promise.all(watches.map(({ end }) => end()))

    const { tally, orders } = workload
    const refused = watches.flatMap(({ responses }) => responses).filter(({ status }) => status === 503)
    const slowest503 = judge503(tally, watches, maxMs)
    return {
      figures: [
        { what: 'buyers, connections, processes', measured: `${buyers}, ${connections}, 2` },
        { what: 'failovers', measured: `${failovers}` },
        {
          what: 'writes succeed again after',
          measured: formatRange(recoveriesMs),
          bound: `${recoverWithinMs / 1000} s`,
        },
        { what: 'orders acknowledged', measured: `${orders.size}` },
        { what: 'of these lost', measured: `${await countLost(workload)}`, bound: '0' },
        { what: 'responses 503', measured: `${tally.unavailable + refused.length}` },
        ...slowest503.figures,
      ],
      violations: [
        ...new Set(violations),
        ...slowest503.violations,
        ...watches.flatMap(({ faults }) => [...faults]),
        ...(await findViolations(workload)),
      ],
    }
  },
}

/** Commits wait for a standby that does not respond. Meanwhile reads continue, and cancelled commits are not acknowledged. */
async function silenceStandby(postgres: ReplicatedPostgres, writes: Watch, reads: Watch): Promise<string[]> {
  const before = { writes: writes.responses.length, reads: reads.responses.length }
  postgres.silenceStandby()
  await delay(silentMs)
  let cancelled = 0
  for (let count = 0; count < cancels.count; count++) {
    cancelled += await postgres.cancelWaits()
    await delay(cancels.pauseMs)
  }
  const waited = writes.responses.slice(before.writes).filter(({ status }) => status === 503)
  const rejected = reads.responses.slice(before.reads).filter(({ status }) => status === 503)
  return [
    ...(waited.length === 0 || cancelled === 0 ? ['no commit waited for the standby'] : []),
    ...(rejected.length > 0 ? ['reads were rejected while the standby was silent'] : []),
  ]
}
