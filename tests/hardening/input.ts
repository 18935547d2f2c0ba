import * as fc from 'fast-check'
import { routes } from '../../contract/routes.ts'
import { median } from '../quantiles.ts'
import type { Check } from './check.ts'
import { anyAttempt, unstorableAttempts } from './input/attempts.ts'
import { type BatchData, openBatchData } from './input/callers.ts'
import { anyRawAttack } from './input/raw-attacks.ts'
import { emptyStats, type Stats, sendAttempt, sendRawAttack } from './input/send.ts'
import { pageFaults, textFaults } from './input/stored-text.ts'
import { residentMemory } from './memory.ts'
import { inLanes } from './parallel.ts'
import { openRandom, type Random } from './random.ts'
import { openShopUnderTest } from './shop-under-test.ts'

const sizes = { small: { batches: 10 }, full: { batches: 150 } }
const [attemptsInBatch, rawInBatch, plainInBatch] = [260, 45, 10]
/** Requests per call and batch. */
const unstorableInBatch = 2
const lanes = 6
/** A response is too slow above `slowTimes` medians plus `slowMs`, which allows for other load on the machine. */
const [slowTimes, slowMs] = [50, 2_000]
const growthMiB = 300
const calls = Object.keys(routes).length

/** Fuzzes every call with requests that are generated from its schema and mutated. Also sends malformed raw HTTP. */
export const input: Check = {
  name: 'input',
  async run(size, print, seed) {
    const { batches } = sizes[size]
    const shop = await openShopUnderTest({
      settings: { TRUSTED_PROXIES: '1', GOOGLE: 'sandbox', REVIEWS_PER_DAY: '1000000' },
    })
    const [{ origin, child }] = shop.processes
    const random = openRandom(seed)
    const stats = emptyStats()
    const plain: number[] = []
    let warm = 0
    for (let batch = 0; batch < batches; batch++) {
      const data = await openBatchData(shop)
      await attack({ origin, key: shop.publishableKey }, data, random, seed + batch, stats)
      plain.push(...(await plainRequests(origin)))
      if (batch === Math.floor(batches / 10)) warm = residentMemory(child.pid)
      if (batch % 10 === 9) print(`${batch + 1} of ${batches} batches`)
    }
    const grown = residentMemory(child.pid) - warm
    const usual = median(plain)
    const slow = usual * slowTimes + slowMs
    const { texts, faults } = await textFaults(shop.db)
    const violations = [
      ...[...stats.faults].map(([fault, request]) => `a request ${fault} (${request})`),
      ...faults,
      ...(await pageFaults(shop)),
    ]
    const succeeded = stats.succeeded.size
    if (succeeded < calls / 3) violations.push(`only ${succeeded} of ${calls} calls succeeded`)
    if (stats.slowestMs > slow) violations.push(`a response took ${Math.round(stats.slowestMs)} ms`)
    if (grown > growthMiB) violations.push(`the shop grew by ${grown} MiB`)
    return { figures: formatFigures(stats, { usual, slow, grown, texts }), violations }
  },
}

async function attack(
  { origin, key }: { origin: string; key: string },
  { known, tokens, renew }: BatchData,
  random: Random,
  seed: number,
  stats: Stats,
): Promise<void> {
  const attempts = [
    ...unstorableAttempts(known, seed, unstorableInBatch),
    ...fc.sample(anyAttempt(known), { numRuns: attemptsInBatch, seed }),
  ]
  const raw = Array.from({ length: rawInBatch }, () => anyRawAttack(random))
  await inLanes(attempts, lanes, async (attempt) => {
    const hasSucceeded = await sendAttempt(origin, attempt, tokens[attempt.caller], stats)
    if (hasSucceeded && (attempt.call === 'signOut' || attempt.call === 'makeAdmin')) await renew()
  })
  const placeholders = { origin, key, token: tokens.customer }
  await inLanes(raw, lanes, (one) => sendRawAttack(origin, one, placeholders, stats))
}

/** Returns the durations of some simple requests, in milliseconds. */
async function plainRequests(origin: string): Promise<number[]> {
  const times: number[] = []
  for (let count = 0; count < plainInBatch; count++) {
    const began = performance.now()
    await (await fetch(`${origin}/api/products?pageSize=1`)).text()
    times.push(performance.now() - began)
  }
  return times
}

function formatFigures(
  stats: Stats,
  { usual, slow, grown, texts }: Record<'usual' | 'slow' | 'grown' | 'texts', number>,
) {
  const count = (from: number, to: number) =>
    [...stats.statuses]
      .filter(([status]) => status >= from && status < to)
      .reduce((sum, [, count]) => sum + count, 0)
  return [
    { what: 'requests', measured: `${count(0, 1000)}` },
    {
      what: 'accepted, redirected, rejected',
      measured: `${count(200, 300)}, ${count(300, 400)}, ${count(400, 500)}`,
    },
    {
      what: 'calls that succeeded at least once',
      measured: `${stats.succeeded.size} of ${calls}`,
    },
    { what: '5xx, no response', measured: `${count(500, 600)}, ${count(0, 1)}`, bound: '0, 0' },
    {
      what: 'slowest response',
      measured: `${Math.round(stats.slowestMs)} ms`,
      bound: `${Math.round(slow)} ms`,
    },
    { what: 'median of a plain request', measured: `${usual.toFixed(1)} ms` },
    { what: 'growth of the shop', measured: `${grown} MiB`, bound: `${growthMiB} MiB` },
    { what: 'stored texts checked', measured: `${texts}` },
  ]
}
