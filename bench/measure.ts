import { median } from '../tests/quantiles.ts'

/** One row of the table: the result of the shop, and a reference value from the same run. */
export interface Row {
  what: string
  /** With its unit. */
  ours: string
  /** Reference value, with its unit. */
  limit: string
  /** Ours divided by the limit; null without a ratio or a measurement. */
  ratio: number | null
  target: string
  /** Null if not measured; then `ours` has the reason. */
  isMet: boolean | null
}

/** Measures some rows of the table. Adds cleanup functions to `cleanup`. */
export interface Measure {
  name: string
  /** @param print shows the progress */
  run(print: (progress: string) => void): Promise<Row[]>
}

interface Comparison {
  what: string
  unit: string
  ours: number
  limit: number
}

/** More is better: the shop must reach at least this share of the limit. */
export function atLeast(share: number, { what, unit, ours, limit }: Comparison): Row {
  const ratio = ours / limit
  return {
    what,
    ours: formatValue(ours, unit),
    limit: formatValue(limit, unit),
    ratio,
    target: `≥ ${share}`,
    isMet: ratio >= share,
  }
}

/** Less is better: the shop may reach at most this multiple of the limit. */
export function atMost(times: number, { what, unit, ours, limit }: Comparison): Row {
  const ratio = ours / limit
  return {
    what,
    ours: formatValue(ours, unit),
    limit: formatValue(limit, unit),
    ratio,
    target: `≤ ${times}`,
    isMet: ratio <= times,
  }
}

/** Less is better, with a fixed target. */
export function below(what: string, unit: string, ours: number, target: number): Row {
  return {
    what,
    ours: formatValue(ours, unit),
    limit: '–',
    ratio: null,
    target: `≤ ${formatValue(target, unit)}`,
    isMet: ours <= target,
  }
}

/** More is better, with a fixed target. */
export function above(what: string, unit: string, ours: number, target: number): Row {
  return {
    what,
    ours: formatValue(ours, unit),
    limit: '–',
    ratio: null,
    target: `≥ ${formatValue(target, unit)}`,
    isMet: ours >= target,
  }
}

export function notMeasured(what: string, target: string, why: string): Row {
  return { what, ours: `not measured: ${why}`, limit: '–', ratio: null, target, isMet: null }
}

function formatValue(value: number, unit: string): string {
  const digits = value >= 100 ? 0 : value >= 1 ? 1 : 3
  return `${value.toLocaleString('en', { maximumFractionDigits: digits })}${unit && ` ${unit}`}`
}

/**
 * Returns the medians of both. They alternate, and the second is first in the next round, so that a machine that gets slower
 * and a process that gets faster affect both. One more round warms up.
 *
 * @param rounds an even number: each is first as often
 */
export async function alternate(
  ours: () => Promise<number>,
  limit: () => Promise<number>,
  what: string,
  print: (progress: string) => void,
  rounds = 4,
): Promise<{ ours: number; limit: number }> {
  const values: { ours: number[]; limit: number[] } = { ours: [], limit: [] }
  for (let round = 0; round <= rounds; round++) {
    print(`${what}, round ${round} of ${rounds}`)
    const calls = Object.entries({ ours, limit }) as ['ours' | 'limit', () => Promise<number>][]
    for (const [name, measure] of round % 2 === 0 ? calls : calls.toReversed()) {
      const value = await measure()
      if (round > 0) values[name].push(value)
    }
  }
  return { ours: median(values.ours), limit: median(values.limit) }
}

/** Returns the milliseconds of a call with its number, without the first calls, which warm up. */
export async function timeCalls(
  { count, warmUps }: { count: number; warmUps: number },
  call: (number: number) => Promise<{ status: number }>,
): Promise<number[]> {
  const times: number[] = []
  for (let number = 0; number < count + warmUps; number++) {
    const began = performance.now()
    const { status } = await call(number)
    if (number >= warmUps) times.push(performance.now() - began)
    if (status !== 200) throw new Error(`the status was ${status}`)
  }
  return times
}
