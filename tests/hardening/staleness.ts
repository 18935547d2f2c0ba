import { setTimeout as delay } from 'node:timers/promises'
import { productPath } from '../../contract/product.ts'
import { toCaller } from '../call.ts'
import { anAdmin, aProduct, readProductEtag } from '../factories.ts'
import { freePort } from '../free-port.ts'
import type { Check, Finding } from './check.ts'
import { openReplicatedPostgres } from './replicated-postgres.ts'
import { openShopOn, type ShopUnderTest, untilTrue } from './shop-under-test.ts'

const frozenMs = 60_000
const afterMs = 5_000
const pages = 200
const minShare = 0.9
const maxAgeMs = 2_500
const pauseMs = 50
const usableWithinMs = 30_000
const name = 'Brake pads'

/** The replay of the only replica stops while prices change: no public page may be too old. */
export const staleness: Check = {
  name: 'staleness',
  // `tests/replicas.test.ts` tests the same rule on one process.
  isFullOnly: true,
  async run(_size, print) {
    const postgres = await openReplicatedPostgres()
    const standby = await postgres.addStandby()
    const metricsPort = await freePort()
    const settings = { DATABASE_REPLICA_URLS: standby.url, METRICS_PORT: String(metricsPort) }
    const shop = await openShopOn(postgres.url, [settings])
    return freezeReplay(
      { shop, metricsPorts: [metricsPort], origin: shop.processes[0].origin },
      standby.freezeReplay,
      print,
    )
  },
}

interface WatchedShop {
  shop: ShopUnderTest
  /** The metrics ports of all processes that serve pages. */
  metricsPorts: readonly number[]
  /** Where pages are requested. */
  origin: string
}

/**
 * Freezes the replay of all replicas while prices change, and measures the age of the prices that visitors see.
 *
 * @param freeze returns how the replay continues
 */
export async function freezeReplay(
  watched: WatchedShop,
  freeze: () => Promise<() => void>,
  print: (progress: string) => void,
): Promise<Finding> {
  const { origin, metricsPorts } = watched
  const prices = await watchPrices(watched)
  const readSources = () => countSources(metricsPorts)
  /** Requests pages that no one has seen, and returns the share that was read on replicas. */
  async function measureShare(): Promise<number> {
    const before = await readSources()
    for (let number = 0; number < pages; number++) {
      const response = await fetch(`${origin}/products?q=${prices.productId}+${performance.now()}`)
      await response.text()
    }
    const after = await readSources()
    const replica = after.replica - before.replica
    return replica / (replica + after.primary - before.primary)
  }
  const hasReplicas = async () => {
    const before = await readSources()
    await delay(pauseMs)
    return (await readSources()).replica > before.replica
  }

  await untilTrue(hasReplicas, usableWithinMs, 'using the replicas')
  const share = await measureShare()
  const healthyMs = prices.takeMaxAge()
  print(`${Math.round(share * 100)} % of pages from replicas, prices ${Math.round(healthyMs)} ms old at most`)
  const thaw = await freeze()
  await delay(frozenMs)
  const frozen = prices.takeMaxAge()
  thaw()
  const began = performance.now()
  await untilTrue(hasReplicas, usableWithinMs, 'using the replicas again')
  const usedAgainMs = performance.now() - began
  await delay(afterMs)
  await prices.end()
  const after = prices.takeMaxAge()
  print(`frozen: prices ${Math.round(frozen)} ms old at most; afterwards ${Math.round(after)} ms`)

  const oldest = Math.max(healthyMs, frozen, after)
  return {
    figures: [
      { what: 'unseen pages that were read on replicas', measured: share.toFixed(2), bound: `${minShare}` },
      {
        what: 'price changes, requests of visitors',
        measured: `${prices.countChanges()}, ${prices.countRequests()}`,
      },
      {
        what: 'age of a public page while replicas work',
        measured: `${Math.round(healthyMs)} ms`,
        bound: `${maxAgeMs} ms`,
      },
      {
        what: `age of a public page while replay is frozen for ${frozenMs / 1000} s`,
        measured: `${Math.round(frozen)} ms`,
        bound: `${maxAgeMs} ms`,
      },
      {
        what: 'age of a public page afterwards',
        measured: `${Math.round(after)} ms`,
        bound: `${maxAgeMs} ms`,
      },
      { what: 'replicas are used again after', measured: `${(usedAgainMs / 1000).toFixed(1)} s` },
    ],
    violations: [
      ...(oldest > maxAgeMs ? [`a public page was ${Math.round(oldest)} ms old`] : []),
      ...(share < minShare ? [`only ${share.toFixed(2)} of the unseen pages were read on replicas`] : []),
      ...prices.faults,
    ],
  }
}

/** Changes the price of a product all the time, and requests its page and its call as a visitor. */
async function watchPrices({ shop, origin }: WatchedShop) {
  const admin = await anAdmin(shop)
  const productId = await aProduct(shop, { name })
  const author = toCaller(origin)
  const visitor = [`/api/product/${productId}`, `${productPath({ _id: productId, name })}.data`]
  const changes: { price: number; committedAt: number }[] = []
  const faults = new Set<string>()
  const over = new AbortController()
  let maxAge = 0
  let requests = 0

  async function changePrices(): Promise<void> {
    for (let cents = 4_000; !over.signal.aborted; ) {
      const price = cents / 100
      const body = { name, image: '/pictures/brake-pads.svg', price, minimum: 1, description: 'New.' }
      const headers = { 'if-match': await readProductEtag(author, admin, productId) }
      const { status } = await author.call('editProduct', {
        params: { id: productId },
        headers,
        as: admin,
        body,
      })
      if (status === 200) {
        changes.push({ price, committedAt: performance.now() })
        cents++
      } else if (status !== 503) faults.add(`a change of a price returned ${status}`)
      await delay(pauseMs)
    }
  }

  async function watch(path: string): Promise<void> {
    while (!over.signal.aborted) {
      const sentAt = performance.now()
      const response = await fetch(origin + path)
      const text = await response.text()
      requests++
      if (response.ok) {
        const price = Number(/"price":([\d.]+)/.exec(text)?.[1])
        if (Number.isNaN(price)) faults.add(`${path} has no price`)
        const missed = changes.find((change) => change.price > price)
        maxAge = Math.max(maxAge, sentAt - (missed?.committedAt ?? sentAt))
      } else faults.add(`${path} returned ${response.status}`)
      await delay(pauseMs)
    }
  }

  const running = Promise.all([changePrices(), ...visitor.map(watch)])
  await untilTrue(
    async () => changes.length > 0 && requests > visitor.length,
    usableWithinMs,
    'changing a price',
  )
  return {
    productId,
    faults,
    countChanges: () => changes.length,
    countRequests: () => requests,
    /** Returns the largest age in milliseconds since the last call. */
    takeMaxAge(): number {
      const age = maxAge
      maxAge = 0
      return age
    },
    async end(): Promise<void> {
      over.abort()
      await running
    },
  }
}

/** Returns how many public reads the processes have made on replicas and on the primary. */
export async function countSources(ports: readonly number[]): Promise<{ replica: number; primary: number }> {
  const texts = await Promise.all(
    ports.map(async (port) => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()),
  )
  const sum = (source: string) =>
    texts
      .map((text) => Number(text.match(`shop_public_reads_total{source="${source}"} (\\d+)`)?.[1] ?? 0))
      .reduce((one, other) => one + other)
  return { replica: sum('replica'), primary: sum('primary') }
}
