import { execFileSync } from 'node:child_process'
import * as fc from 'fast-check'
import { routes } from '../../contract/routes.ts'
import type { Check } from './check.ts'
import { anyAttempt, unstorableAttempts } from './input/attempts.ts'
import { openPeople, type People } from './input/callers.ts'
import { anyRawAttack } from './input/raw-attacks.ts'
import { emptyMet, type Met, sendAttempt, sendRawAttack } from './input/send.ts'
import { pageFaults, textFaults } from './input/stored-text.ts'
import { brokenRules } from './invariants.ts'
import { inLanes } from './parallel.ts'
import { openRandom, type Random } from './random.ts'
import { findUnexpectedErrors, openShopUnderTest } from './shop-under-test.ts'

const sizes = { small: { batches: 10 }, full: { batches: 150 } }
const [attemptsInBatch, rawInBatch, plainInBatch] = [260, 45, 10]
/** Requests per call and batch. */
const unstorableInBatch = 2
const lanes = 6
/** A response is too slow above `slowTimes` medians plus `slowMs`, which allows for other load on the machine. */
const [slowTimes, slowMs] = [50, 2_000]
const growthMiB = 300

/** Fuzzes every call with requests that are generated from its schema and mutated. Also sends malformed raw HTTP. */
export const input: Check = {
  name: 'input',
  async run(size, print, seed) {
    const { batches } = sizes[size]
    const shop = await openShopUnderTest({ settings: { TRUSTED_PROXIES: '1' } })
    const [{ origin, child }] = shop.processes
    const random = openRandom(seed)
    const met = emptyMet()
    const plain: number[] = []
    let warm = 0
    for (let batch = 0; batch < batches; batch++) {
      const people = await openPeople(shop)
      await attack({ origin, key: shop.publishableKey }, people, random, seed + batch, met)
      plain.push(...(await plainRequests(origin)))
      if (batch === Math.floor(batches / 10)) warm = readMemory(child.pid)
      if (batch % 10 === 9) print(`${batch + 1} of ${batches} batches`)
    }
    const grown = readMemory(child.pid) - warm
    const usual = plain.toSorted((one, other) => one - other)[Math.floor(plain.length / 2)] ?? 0
    const slow = usual * slowTimes + slowMs
    const { texts, faults } = await textFaults(shop.db)
    const violations = [
      ...[...met.faults].map(([fault, request]) => `a request ${fault} (${request})`),
      ...faults,
      ...(await pageFaults(shop)),
      ...findUnexpectedErrors(shop),
      ...(await brokenRules(shop.db)),
    ]
    if (met.slowestMs > slow) violations.push(`a response took ${Math.round(met.slowestMs)} ms`)
    if (grown > growthMiB) violations.push(`the shop grew by ${Math.round(grown)} MiB`)
    return { figures: formatFigures(met, { usual, slow, grown, texts }), violations }
  },
}

async function attack(
  { origin, key }: { origin: string; key: string },
  { known, tokens, renew }: People,
  random: Random,
  seed: number,
  met: Met,
): Promise<void> {
  const attempts = [
    ...unstorableAttempts(known, seed, unstorableInBatch),
    ...fc.sample(anyAttempt(known), { numRuns: attemptsInBatch, seed }),
  ]
  const raw = Array.from({ length: rawInBatch }, () => anyRawAttack(random))
  await inLanes(attempts, lanes, async (attempt) => {
    const isTaken = await sendAttempt(origin, attempt, tokens[attempt.caller], met)
    if (isTaken && (attempt.call === 'signOut' || attempt.call === 'makeAdmin')) await renew()
  })
  const words = { origin, key, token: tokens.customer }
  await inLanes(raw, lanes, (one) => sendRawAttack(origin, one, words, met))
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

/** Returns the resident memory of a process in MiB. */
const readMemory = (pid: number): number =>
  Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024

function formatFigures(
  met: Met,
  { usual, slow, grown, texts }: Record<'usual' | 'slow' | 'grown' | 'texts', number>,
) {
  const among = (from: number, to: number) =>
    [...met.statuses]
      .filter(([status]) => status >= from && status < to)
      .reduce((sum, [, count]) => sum + count, 0)
  return [
    { what: 'requests', measured: `${among(0, 1000)}` },
    {
      what: 'accepted, redirected, rejected',
      measured: `${among(200, 300)}, ${among(300, 400)}, ${among(400, 500)}`,
    },
    {
      what: 'calls that succeeded at least once',
      measured: `${met.taken.size} of ${Object.keys(routes).length}`,
    },
    { what: '5xx, no response', measured: `${among(500, 600)}, ${among(0, 1)}`, bound: '0, 0' },
    {
      what: 'slowest response',
      measured: `${Math.round(met.slowestMs)} ms`,
      bound: `${Math.round(slow)} ms`,
    },
    { what: 'median of a plain request', measured: `${usual.toFixed(1)} ms` },
    { what: 'growth of the shop', measured: `${Math.round(grown)} MiB`, bound: `${growthMiB} MiB` },
    { what: 'stored texts checked', measured: `${texts}` },
  ]
}
