import { setTimeout as delay } from 'node:timers/promises'
import { toCaller } from '../call.ts'
import { freePort } from '../free-port.ts'
import type { Check, Figure, Finding } from './check.ts'
import { type Member, openPatroniCluster, type PatroniCluster } from './cluster/patroni-cluster.ts'
import { countLost, findViolations } from './consistency.ts'
import { judge503, type Probe, probeReads, probeSession, probeWrites, type Watch, watch } from './probes.ts'
import { openSeparateProvider } from './provider-under-test.ts'
import { openRandom, type Random } from './random.ts'
import { openShopOn, type ShopUnderTest, untilTrue } from './shop-under-test.ts'
import { openWorkload, runLoad, type Workload } from './shopping.ts'
import { freezeReplay } from './staleness.ts'

const counts = { buyers: 500, products: 30 }
const connections = 16
/** Purchases between two faults. */
const orderingMs = 2_000
const kills = 20
const maxKillPauseMs = 1_500
const recoverWithinMs = 60_000
const readyWithinMs = 60_000

/**
 * A failure of the primary. `inject` resolves when the primary has failed, and returns how it comes back as a
 * standby.
 */
interface Fault {
  what: string
  times: number
  kind: keyof typeof bounds
  inject(primary: Member, cluster: PatroniCluster): Promise<() => void>
}

/** Maximum seconds without a successful write. Another member replaces a failed machine after 20 s. */
const bounds = {
  'Postgres killed': { median: 6, worst: 10 },
  'machine lost': { median: 30, worst: null },
  'switched over': { median: null, worst: null },
}

const failovers: readonly Fault[] = [
  {
    what: 'Postgres killed',
    times: 3,
    kind: 'Postgres killed',
    async inject(primary) {
      primary.killPostgres()
      return () => undefined // Patroni restarts it.
    },
  },
  {
    what: 'machine killed',
    times: 2,
    kind: 'machine lost',
    async inject(primary) {
      await primary.kill()
      return primary.start
    },
  },
  {
    what: 'machine frozen',
    times: 1,
    kind: 'machine lost',
    async inject(primary) {
      primary.freeze()
      return primary.thaw
    },
  },
  {
    what: 'machine cut off from all',
    times: 1,
    kind: 'machine lost',
    async inject(primary) {
      primary.cutFromAll()
      return primary.reconnect
    },
  },
  {
    // The harshest: clients still reach a primary that has lost its standbys.
    what: 'machine cut off from the cluster',
    times: 1,
    kind: 'machine lost',
    async inject(primary) {
      primary.cutFromCluster()
      return primary.reconnect
    },
  },
  {
    what: 'switched over',
    times: 2,
    kind: 'switched over',
    async inject(_primary, cluster) {
      await cluster.switchOver()
      return () => undefined
    },
  },
]
const maxStandbyOutageSeconds = 8

/**
 * Three web processes and a worker behind HAProxy, on three Postgres servers under Patroni: during purchases, the
 * primary fails ten times and the standby once, some of these times together with processes of the shop. Then the
 * replay of the standbys is frozen, and more processes are killed. Every acknowledged order must exist.
 */
export const cluster: Check = {
  name: 'cluster',
  isFullOnly: true,
  async run(size, print, seed) {
    const cluster = await openPatroniCluster()
    // The provider has its own database, because a real provider does not fail with the shop's.
    const { settings, publishableKey, proxy } = await openSeparateProvider()
    const metricsPorts = [await freePort(), await freePort(), await freePort()]
    const shop = await openShop(cluster, settings, metricsPorts)
    const balancer = { ...toCaller(cluster.shopOrigin), origin: cluster.shopOrigin }
    const workload = await openWorkload(
      { ...shop, processes: [balancer], publishableKey, cardApi: proxy.url },
      seed,
      counts,
    )
    const mayBreak = (probe: Probe) => ({ ...probe, mayBreak: true })
    const writes = watch([mayBreak(await probeWrites(balancer, shop))])
    const reads = watch([mayBreak(probeReads(balancer))])
    const sessions = watch((await probeSession(balancer)).map(mayBreak))
    const pages = watchPage(balancer)
    const watches = [writes, reads, sessions, pages]
    const random = openRandom(seed)

    async function attack() {
      const lost = await losePrimaries(cluster, () => killOne(shop, random), { writes, pages }, print)
      const standby = await loseStandby(cluster, writes, reads, print)
      await delay(orderingMs)
      const stale = await freezeReplay(
        { shop, metricsPorts, origin: balancer.origin },
        cluster.freezeReplay,
        print,
      )
      await Promise.all(watches.map(({ end }) => end()))
      const killed = await killProcesses(shop, random, print)
      return {
        figures: [...lost.figures, ...standby.figures, ...stale.figures, ...killed],
        violations: [...lost.violations, ...standby.violations, ...stale.violations],
      }
    }
    const { figures, violations } = await runLoad(workload, size, connections, attack)
    const slowest503 = judge503(workload.tally, watches)
    return {
      figures: [
        {
          what: 'buyers, connections, web processes, workers',
          measured: `${counts.buyers}, ${connections}, 3, 1`,
        },
        ...figures,
        ...(await summarize(workload, watches)),
        ...slowest503.figures,
      ],
      violations: [
        ...violations,
        ...slowest503.violations,
        ...watches.flatMap(({ faults }) => [...faults]),
        ...(await findViolations(workload)),
      ],
    }
  },
}

function openShop(
  { databaseUrl, replicaUrls, shopOrigin, webPorts }: PatroniCluster,
  provider: Record<string, string>,
  metricsPorts: readonly number[],
): Promise<ShopUnderTest> {
  const settings = { ...provider, HOST: '127.0.0.1', PUBLIC_URL: shopOrigin, TRUSTED_PROXIES: '1' }
  const web = webPorts.map((port, index) => ({
    ...settings,
    ROLE: 'web',
    PORT: String(port),
    METRICS_PORT: String(metricsPorts[index]),
    DATABASE_REPLICA_URLS: replicaUrls.join(),
  }))
  return openShopOn(databaseUrl, [...web, { ...settings, ROLE: 'worker' }])
}

interface PageWatch extends Watch {
  /** Returns the number of responses without the database. */
  countStale(): number
}

/** Requests the home page all the time, so that each web process has it soon after its start. */
function watchPage({ origin }: { origin: string }): PageWatch {
  let stale = 0
  async function ask(): Promise<Response> {
    const response = await fetch(origin)
    if (response.headers.get('cache-status')?.includes('detail=stale')) stale++
    return response
  }
  const probe = { name: 'a known page', ask, expected: 200, may503: true, mayBreak: true }
  return { ...watch([probe]), countStale: () => stale }
}

async function losePrimaries(
  cluster: PatroniCluster,
  killOne: () => Promise<{ startedAt: number }>,
  { writes, pages }: { writes: Watch; pages: PageWatch },
  print: (progress: string) => void,
): Promise<Finding> {
  const outages: { kind: string; what: string; seconds: number }[] = []
  let rejectedPages = 0
  for (const { what, kind, times, inject } of failovers) {
    for (let count = 0; count < times; count++) {
      await delay(orderingMs)
      const primary = await cluster.findPrimary()
      const began = performance.now()
      const before = pages.responses.length
      const repair = await inject(primary, cluster)
      const restarting = killOne()
      const isReplaced = async () => (await cluster.findPrimary().catch(() => primary)).name !== primary.name
      await untilTrue(isReplaced, recoverWithinMs, 'replacing the primary')
      await writes.untilRecovered(recoverWithinMs)
      const seconds = measureOutage(writes, began)
      outages.push({ kind, what, seconds })
      repair()
      const complete = await cluster.untilComplete()
      const { startedAt } = await restarting
      // Until then, HAProxy reaches only processes that have the page.
      rejectedPages += pages.responses
        .slice(before)
        .filter(({ status, endedAt }) => status === 503 && endedAt < startedAt).length
      print(`${what}; no write for ${seconds.toFixed(1)} s, complete ${(complete / 1000).toFixed(1)} s later`)
    }
  }
  const findings = Object.entries(bounds).map(([kind, bound]) =>
    judgeOutages(
      kind,
      outages.filter((outage) => outage.kind === kind),
      bound,
    ),
  )
  return {
    figures: [
      ...failovers.map(({ what }) => ({
        what: `${what}: no successful write for`,
        measured: outages
          .filter((outage) => outage.what === what)
          .map(({ seconds }) => `${seconds.toFixed(1)} s`)
          .join(', '),
      })),
      ...findings.flatMap(({ figures }) => figures),
      { what: 'known pages served without the database', measured: `${pages.countStale()}` },
      { what: 'known pages rejected', measured: `${rejectedPages}`, bound: '0' },
    ],
    violations: [
      ...findings.flatMap(({ violations }) => violations),
      ...(pages.countStale() === 0 ? ['no page was served without the database'] : []),
      ...(rejectedPages > 0 ? [`a known page was rejected ${rejectedPages} times`] : []),
    ],
  }
}

function judgeOutages(
  kind: string,
  outages: { seconds: number }[],
  bound: { median: number | null; worst: number | null },
): Finding {
  const { median, worst } = summarizeSeconds(outages.map(({ seconds }) => seconds))
  const isTooLong = Number(median) > (bound.median ?? Infinity) || Number(worst) > (bound.worst ?? Infinity)
  const measured = `median ${median} s, at most ${worst} s`
  const limits = [bound.median, bound.worst].filter((limit) => limit !== null).map((limit) => `${limit} s`)
  return {
    figures: [
      {
        what: `all of ${kind}: writes succeed after`,
        measured,
        ...(limits.length > 0 && { bound: limits.join(', ') }),
      },
    ],
    violations: isTooLong ? [`${kind}: writes succeeded after ${measured}`] : [],
  }
}

/** Commits wait until Patroni names the other standby. In the meantime reads continue and writes are rejected in time. */
async function loseStandby(
  cluster: PatroniCluster,
  writes: Watch,
  reads: Watch,
  print: (progress: string) => void,
): Promise<Finding> {
  await delay(orderingMs)
  const standby = await cluster.findSynchronousStandby()
  const before = { writes: writes.responses.length, reads: reads.responses.length }
  const began = performance.now()
  standby.freeze()
  const isReplaced = async () =>
    (await cluster.findSynchronousStandby().catch(() => standby)).name !== standby.name
  await untilTrue(isReplaced, recoverWithinMs, 'replacing the standby')
  await writes.untilRecovered(recoverWithinMs)
  const outage = measureOutage(writes, began)
  const rejectedWrites = writes.responses.slice(before.writes).filter(({ status }) => status === 503)
  const rejectedReads = reads.responses.slice(before.reads).filter(({ status }) => status === 503)
  standby.thaw()
  await cluster.untilComplete()
  print(`synchronous standby frozen; no write for ${outage.toFixed(1)} s`)
  return {
    figures: [
      {
        what: 'synchronous standby frozen: writes succeed after',
        measured: `${outage.toFixed(1)} s`,
        bound: `${maxStandbyOutageSeconds} s`,
      },
      { what: 'reads rejected in the meantime', measured: `${rejectedReads.length}`, bound: '0' },
    ],
    violations: [
      ...(rejectedWrites.length === 0 ? ['no write waited for the frozen standby'] : []),
      ...(rejectedReads.length > 0 ? ['reads were rejected while the standby was frozen'] : []),
      ...(outage > maxStandbyOutageSeconds
        ? [`writes succeeded ${outage.toFixed(1)} s after the standby was frozen`]
        : []),
    ],
  }
}

/**
 * Kills a random process of the shop. Starts it again, like a supervisor, until it is ready: without a database it ends.
 * Returns when it has accepted connections again, and the seconds until it was ready.
 */
async function killOne(
  { processes }: ShopUnderTest,
  random: Random,
): Promise<{ startedAt: number; seconds: number }> {
  const process = random.pick(processes)
  const began = performance.now()
  await process.kill()
  const starts = () =>
    process.start().then(
      () => true,
      () => false,
    )
  await untilTrue(starts, readyWithinMs, 'starting a process again')
  const startedAt = performance.now()
  await untilTrue(process.isReady, readyWithinMs, 'getting ready again')
  return { startedAt, seconds: (performance.now() - began) / 1000 }
}

async function killProcesses(
  shop: ShopUnderTest,
  random: Random,
  print: (progress: string) => void,
): Promise<Figure[]> {
  const seconds: number[] = []
  for (let count = 0; count < kills; count++) {
    await delay(random.below(maxKillPauseMs))
    seconds.push((await killOne(shop, random)).seconds)
  }
  print(`killed processes of the shop ${kills} times`)
  const { median, worst } = summarizeSeconds(seconds)
  return [
    {
      what: `process killed, ${kills} times: ready again after`,
      measured: `median ${median} s, at most ${worst} s`,
    },
  ]
}

async function summarize(workload: Workload, watches: readonly Watch[]): Promise<Figure[]> {
  const { tally, orders } = workload
  const probed = watches.flatMap(({ responses }) => responses)
  const refused = probed.filter(({ status }) => status === 503)
  const failed = [
    ...probed.filter(({ status }) => status === 500),
    ...tally.faults.filter((fault) => fault.endsWith('returned 500')),
  ]
  return [
    { what: 'orders acknowledged', measured: `${orders.size}` },
    { what: 'of these lost', measured: `${await countLost(workload)}`, bound: '0' },
    { what: 'responses 500', measured: `${failed.length}`, bound: '0' },
    {
      what: 'responses 503, responses lost',
      measured: `${tally.unavailable + refused.length}, ${tally.lost.length}`,
    },
  ]
}

/** Returns the longest time without a successful write since `began`, in seconds. */
function measureOutage({ responses }: Watch, began: number): number {
  const ends = responses
    .filter(({ isExpected, endedAt }) => isExpected && endedAt > began)
    .map(({ endedAt }) => endedAt)
  return Math.max(...ends.map((end, index) => end - (ends[index - 1] ?? began))) / 1000
}

function summarizeSeconds(seconds: number[]): { median: string; worst: string } {
  const sorted = seconds.toSorted((one, other) => one - other)
  const [median = 0, worst = 0] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted.at(-1)]
  return { median: median.toFixed(1), worst: worst.toFixed(1) }
}
