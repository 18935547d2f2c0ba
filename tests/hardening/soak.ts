import { randomUUID } from 'node:crypto'
import { freePort } from '../free-port.ts'
import type { Check, Figure, Size } from './check.ts'
import { brokenRules } from './invariants.ts'
import { type Memory, openInspector } from './memory.ts'
import { inLanes } from './parallel.ts'
import { type Random, randomFor } from './random.ts'
import { openShopUnderTest, unforeseen } from './shop-under-test.ts'
import { type Market, openMarket, visit } from './shopping.ts'

const minute = 60_000
/** A time says nothing on a slow machine, where little is asked in it: the small size counts. */
const sizes: Record<Size, { warm: Goal; whole: Goal }> = {
  small: { warm: { pages: 500 }, whole: { pages: 1_300 } },
  full: { warm: { ms: 5 * minute }, whole: { ms: 20 * minute } },
}
const lanes = 6
/** The issue's own bound, of a run long enough to say it: memory after the last minute, against that after the fifth. */
const mayGrowBy = 0.1
/**
 * In seconds nothing settles; but each page that was ever rendered and never let go would be held twice over, as text
 * and as bytes. A quarter of what they weigh is a leak.
 */
const mayHoldOfPages = 0.25

/** How long to go on. */
interface Goal {
  ms?: number
  pages?: number
}

interface Weighed {
  memory: Memory
  pages: number
  bytes: number
}

/** People look around, search, sign up, sign in, order, pay and cancel, for so long that whatever is kept piles up. */
export const soak: Check = {
  name: 'soak',
  async run(size, print, seed) {
    const { warm: warmed, whole } = sizes[size]
    const port = await freePort()
    const shop = await openShopUnderTest({
      // A small cache is full before it is weighed.
      settings: { NODE_OPTIONS: `--inspect=127.0.0.1:${port}`, PAGE_CACHE_MB: '2', TRUSTED_PROXIES: '1' },
    })
    const market = await openMarket(shop, seed, { buyers: 50, products: 40 })
    const inspector = await openInspector(shop.processes[0].child.pid, port)
    const walk = { number: 0, pages: 0, bytes: 0, faults: new Set<string>() }
    const weigh = async (): Promise<Weighed> => ({ ...walk, memory: await inspector.memory() })

    const began = performance.now()
    const until = async ({ ms = Infinity, pages = Infinity }: Goal) => {
      const isOver = () => performance.now() - began > ms || walk.pages >= pages
      await inLanes(numbers(walk, isOver), lanes, (number) => step(market, walk, number))
      print(`${walk.pages} pages after ${Math.round((performance.now() - began) / 1_000)} s`)
    }
    await until(warmed)
    const warm = await weigh()
    await until(whole)
    const last = await weigh()
    inspector.close()
    const { figures, violations } = judge(size, warm, last)
    return {
      figures: [
        { what: 'steps, orders, pages', measured: `${walk.number}, ${market.orders.size}, ${walk.pages}` },
        ...figures,
      ],
      violations: [
        ...violations,
        ...walk.faults,
        ...new Set(market.tally.faults),
        ...unforeseen(shop),
        ...(await brokenRules(shop.db)),
      ],
    }
  },
}

interface Walk {
  number: number
  pages: number
  bytes: number
  faults: Set<string>
}

function* numbers(walk: Walk, isOver: () => boolean) {
  while (!isOver()) yield walk.number++
}

/** One thing that one person does. */
async function step(market: Market, walk: Walk, number: number): Promise<void> {
  const random = randomFor(market.seed, number)
  if (random.chance(0.05)) return visit(market, number)
  if (random.chance(0.02)) return signUp(market, walk, random)
  const { origin } = market.shop.processes[0]
  const path = toPath(market, random)
  const response = await fetch(origin + path)
  const bytes = (await response.arrayBuffer()).byteLength
  if (![200, 404].includes(response.status)) walk.faults.add(`${path} was answered ${response.status}`)
  if (path.startsWith('/api')) return
  walk.pages += 1
  walk.bytes += bytes
}

/** Mostly what many look at; now and then what no one has asked for before. */
function toPath({ products }: Market, random: Random): string {
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

/** Comes from an address of its own, signs up, and in again. */
async function signUp({ shop }: Market, walk: Walk, random: Random): Promise<void> {
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
    if (!response.ok) walk.faults.add(`${call} was answered ${response.status}`)
  }
}

function judge(size: Size, warm: Weighed, last: Weighed): { figures: Figure[]; violations: string[] } {
  return size === 'full' ? judgeFull(warm.memory, last.memory) : judgeSmall(warm, last)
}

function judgeFull(warm: Memory, last: Memory) {
  const most = warm.resident * (1 + mayGrowBy)
  const grown = `the process took ${warm.resident} MiB after the fifth minute and ${last.resident} after the last`
  return {
    figures: [
      { what: 'memory after the fifth minute', measured: `${warm.resident} MiB` },
      {
        what: 'memory after the last minute',
        measured: `${last.resident} MiB`,
        bound: `${Math.round(most)} MiB`,
      },
    ],
    violations: last.resident > most ? [grown] : [],
  }
}

function judgeSmall(warm: Weighed, last: Weighed) {
  const served = (last.bytes - warm.bytes) / 1024 / 1024
  const [grown, most] = [last.memory.held - warm.memory.held, served * mayHoldOfPages]
  return {
    figures: [
      { what: 'memory held when warm', measured: `${warm.memory.held.toFixed(1)} MiB` },
      {
        what: `held more, after ${last.pages - warm.pages} pages of ${served.toFixed(0)} MiB`,
        measured: `${grown.toFixed(1)} MiB`,
        bound: `${most.toFixed(1)} MiB`,
      },
    ],
    violations: grown > most ? [`of ${served.toFixed(0)} MiB of pages ${grown.toFixed(1)} stayed`] : [],
  }
}
