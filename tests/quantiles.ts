export const median = (values: number[]): number => quantile(values, 0.5)

/** Returns the value below which this share of all values lies, or NaN without values. */
export function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** Returns the median and the maximum in seconds. */
export function formatRange(milliseconds: number[]): string {
  const [middle, last] = [median(milliseconds), quantile(milliseconds, 1)].map((ms) => (ms / 1000).toFixed(1))
  return `median ${middle} s, at most ${last} s`
}
