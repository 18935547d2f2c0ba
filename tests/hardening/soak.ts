import { randomUUID } from 'node:crypto'
import { freePort } from '../free-port.ts'
import type { Check, Figure, Size } from './check.ts'
import { type Memory, openInspector } from './memory.ts'
import { inLanes } from './parallel.ts'
import { type Random, randomFor } from './random.ts'
import { openShopUnderTest } from './shop-under-test.ts'
import { openWorkload, runIteration, type Workload } from './shopping.ts'

const minute = 60_000
/** The small size counts pages, because a slow machine serves few of them in a fixed time. */
const sizes: Record<Size, { warm: Goal; whole: Goal }> = {
  small: { warm: { pages: 500 }, whole: { pages: 1_300 } },
  full: { warm: { ms: 5 * minute }, whole: { ms: 20 * minute } },
}
const lanes = 6
/** Full size: allowed growth of resident memory between the fifth and the last minute, as a share. */
const maxGrowthShare = 0.1
/**
 * Small size: allowed growth of held memory, as a share of the page bytes served. A leaked page would be held twice,
 * as text and as bytes.
 */
const maxHeldShare = 0.25

/** The time or number of pages, counted from the start, after which to stop. */
interface Goal {
  ms?: number
  pages?: number
}

interface Measurement {
  memory: Memory
  pages: number
  bytes: number
}

/** Browses, searches, signs up, signs in, orders, pays and cancels, for long enough to show memory leaks. */
export const soak: Check = {
  name: 'soak',
  async run(size, print, seed) {
    const { warm: warmed, whole } = sizes[size]
    const port = await freePort()
    const shop = await openShopUnderTest({
      // A small cache is full before the first measurement.
      settings: { NODE_OPTIONS: `--inspect=127.0.0.1:${port}`, PAGE_CACHE_MB: '2', TRUSTED_PROXIES: '1' },
    })
    const workload = await openWorkload(shop, seed, { buyers: 50, products: 40 })
    const inspector = await openInspector(shop.processes[0].child.pid, port)
    const progress = { number: 0, pages: 0, bytes: 0, faults: new Set<string>() }
    const measure = async (): Promise<Measurement> => ({ ...progress, memory: await inspector.memory() })

    const began = performance.now()
    const until = async ({ ms = Infinity, pages = Infinity }: Goal) => {
      const isOver = () => performance.now() - began > ms || progress.pages >= pages
      await inLanes(numbers(progress, isOver), lanes, (number) => step(workload, progress, number))
      print(`${progress.pages} pages after ${Math.round((performance.now() - began) / 1_000)} s`)
    }
    await until(warmed)
    const warm = await measure()
    await until(whole)
    const last = await measure()
    inspector.close()
    const { figures, violations } = evaluate(size, warm, last)
    return {
      figures: [
        {
          what: 'steps, orders, pages',
          measured: `${progress.number}, ${workload.orders.size}, ${progress.pages}`,
        },
        ...figures,
      ],
      violations: [...violations, ...progress.faults, ...new Set(workload.tally.faults)],
    }
  },
}

interface Progress {
  number: number
  pages: number
  bytes: number
  faults: Set<string>
}

function* numbers(progress: Progress, isOver: () => boolean) {
  while (!isOver()) yield progress.number++
}

/** Sends one random request, or runs one iteration of the workload, or signs up a user. */
async function step(workload: Workload, progress: Progress, number: number): Promise<void> {
  const random = randomFor(workload.seed, number)
  if (random.chance(0.05)) return runIteration(workload, number)
  if (random.chance(0.02)) return signUp(workload, progress, random)
  const { origin } = workload.shop.processes[0]
  const path = toPath(workload, random)
  const response = await fetch(origin + path)
  const bytes = (await response.arrayBuffer()).byteLength
  if (![200, 404].includes(response.status)) progress.faults.add(`${path} returned ${response.status}`)
  if (path.startsWith('/api')) return
  progress.pages += 1
  progress.bytes += bytes
}

/** Returns the path of a popular page, or one that was probably not requested before. */
function toPath({ products }: Workload, random: Random): string {
  return random.pick([
    '/',
    '/reviews',
    `/products?page=${1 + random.below(2)}`,
    `/products?q=${random.below(100_000)}`,
    `/products.data?page=${1 + random.below(2)}&utm_source=${random.below(100_000)}`,
    `/nowhere/${random.below(1_000_000)}`,
    `/purchase/${random.pick(products).id}`,
    `/api/products?q=${random.below(1_000)}`,
    `/api/product/${random.pick(products).id}`,
  ])
}

/** Signs up and signs in, from a random client IP to avoid the rate limits. */
async function signUp({ shop }: Workload, progress: Progress, random: Random): Promise<void> {
  const { origin } = shop.processes[0]
  const headers = {
    origin,
    'content-type': 'application/json',
    'x-forwarded-for': `10.${random.below(256)}.${random.below(256)}.${random.below(256)}`,
  }
  const account = { email: `rider-${randomUUID()}@example.com`, password: randomUUID(), name: 'Robin Rider' }
  const { name, ...known } = account
  for (const [call, body] of [
    ['sign-up', { ...known, name }],
    ['sign-in', known],
  ] as const) {
    const response = await fetch(`${origin}/idp/${call}/email`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    await response.arrayBuffer()
    if (!response.ok) progress.faults.add(`${call} returned ${response.status}`)
  }
}

function evaluate(
  size: Size,
  warm: Measurement,
  last: Measurement,
): { figures: Figure[]; violations: string[] } {
  return size === 'full' ? evaluateFull(warm.memory, last.memory) : evaluateSmall(warm, last)
}

function evaluateFull(warm: Memory, last: Memory) {
  const maxResident = warm.resident * (1 + maxGrowthShare)
  const grown = `the process took ${warm.resident} MiB after the fifth minute and ${last.resident} after the last`
  return {
    figures: [
      { what: 'memory after the fifth minute', measured: `${warm.resident} MiB` },
      {
        what: 'memory after the last minute',
        measured: `${last.resident} MiB`,
        bound: `${Math.round(maxResident)} MiB`,
      },
    ],
    violations: last.resident > maxResident ? [grown] : [],
  }
}

function evaluateSmall(warm: Measurement, last: Measurement) {
  const served = (last.bytes - warm.bytes) / 1024 / 1024
  const [grown, maxGrowth] = [last.memory.held - warm.memory.held, served * maxHeldShare]
  return {
    figures: [
      { what: 'memory held when warm', measured: `${warm.memory.held.toFixed(1)} MiB` },
      {
        what: `held more, after ${last.pages - warm.pages} pages of ${served.toFixed(0)} MiB`,
        measured: `${grown.toFixed(1)} MiB`,
        bound: `${maxGrowth.toFixed(1)} MiB`,
      },
    ],
    violations: grown > maxGrowth ? [`of ${served.toFixed(0)} MiB of pages ${grown.toFixed(1)} stayed`] : [],
  }
}
