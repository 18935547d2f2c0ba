/** One line of the table: what the shop reaches, and what the same machine allows in the same run. */
export interface Row {
  what: string
  /** With its unit. */
  ours: string
  /** What ours is compared with, with its unit. */
  limit: string
  /** Ours divided by the limit; null if the bar is no ratio, or nothing was measured. */
  ratio: number | null
  target: string
  /** Null: it was not measured, and `ours` says why. */
  isMet: boolean | null
}

/** Measures some lines of the table. What it opens is added to `ending`. */
export interface Measure {
  name: string
  /** @param print tells someone who waits how far it is */
  run(print: (progress: string) => void): Promise<Row[]>
}

interface Compared {
  what: string
  unit: string
  ours: number
  limit: number
}

/** More is better: the shop must reach this share of the limit. */
export function atLeast(share: number, { what, unit, ours, limit }: Compared): Row {
  const ratio = ours / limit
  return {
    what,
    ours: of(ours, unit),
    limit: of(limit, unit),
    ratio,
    target: `≥ ${share}`,
    isMet: ratio >= share,
  }
}

/** Less is better: the shop may take so many times the limit. */
export function atMost(times: number, { what, unit, ours, limit }: Compared): Row {
  const ratio = ours / limit
  return {
    what,
    ours: of(ours, unit),
    limit: of(limit, unit),
    ratio,
    target: `≤ ${times}`,
    isMet: ratio <= times,
  }
}

/** Less is better, and the limit is a number of its own. */
export function below(what: string, unit: string, ours: number, target: number): Row {
  return {
    what,
    ours: of(ours, unit),
    limit: '–',
    ratio: null,
    target: `≤ ${of(target, unit)}`,
    isMet: ours <= target,
  }
}

/** More is better, and the limit is a number of its own. */
export function reaching(what: string, unit: string, ours: number, target: number): Row {
  return {
    what,
    ours: of(ours, unit),
    limit: '–',
    ratio: null,
    target: `≥ ${of(target, unit)}`,
    isMet: ours >= target,
  }
}

export function notMeasured(what: string, target: string, why: string): Row {
  return { what, ours: `not measured: ${why}`, limit: '–', ratio: null, target, isMet: null }
}

function of(value: number, unit: string): string {
  const digits = value >= 100 ? 0 : value >= 1 ? 1 : 3
  return `${value.toLocaleString('en', { maximumFractionDigits: digits })}${unit && ` ${unit}`}`
}

/** The value in the middle. */
export function median(values: number[]): number {
  return quantile(values, 0.5)
}

/** The value below which this share of all values lies. */
export function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
