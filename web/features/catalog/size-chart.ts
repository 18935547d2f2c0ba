import type { SizeChart, Unit } from '../../../contract/gear.ts'

type Chart = Pick<SizeChart, 'unit' | 'rows'>

const cmPerInch = 2.54

/** Converts a measure, rounded to one decimal as charts are printed. */
export function convertMeasure(measure: number, from: Unit, to: Unit): number {
  if (from === to) return measure
  return Math.round((from === 'in' ? measure * cmPerInch : measure / cmPerInch) * 10) / 10
}

/** Formats the range of a size, such as `96–100`; a dash if the maker gives none. */
export function formatRange(range: [number, number] | null, from: Unit, to: Unit): string {
  if (!range) return '–'
  const [low, high] = range.map((measure) => convertMeasure(measure, from, to))
  return low === high ? `${low}` : `${low}–${high}`
}

interface FoundSizes {
  /** `fits`: the measure is in the range of these sizes; `between`: it is in the gap between these two. */
  place: 'fits' | 'between' | 'below' | 'above'
  sizes: string[]
}

/** Finds the size for a measure in the unit of the chart. Null if no size has a range in this column. */
export function findSizes({ rows }: Chart, column: number, measure: number): FoundSizes | null {
  const sizes = rows
    .flatMap(({ size, values }) => {
      const range = values[column]
      return range ? [{ size, low: range[0], high: range[1] }] : []
    })
    .toSorted((a, b) => a.low - b.low || a.high - b.high)
  const fitting = sizes.filter(({ low, high }) => low <= measure && measure <= high)
  if (fitting.length > 0) return { place: 'fits', sizes: fitting.map(({ size }) => size) }
  const smaller = sizes
    .filter(({ high }) => high < measure)
    .toSorted((a, b) => a.high - b.high)
    .at(-1)
  const larger = sizes.find(({ low }) => low > measure)
  if (smaller && larger) return { place: 'between', sizes: [smaller.size, larger.size] }
  if (larger) return { place: 'below', sizes: [larger.size] }
  return smaller ? { place: 'above', sizes: [smaller.size] } : null
}

/** Explains the result of `findSizes` to a rider, such as `Chest 102 cm → L`. */
export function explainSizes(label: string, { place, sizes }: FoundSizes): string {
  if (place === 'fits') return `${label} → ${sizes.join(' or ')}`
  if (place === 'between') return `${label} is between ${sizes.join(' and ')}. Try both sizes.`
  const [word, end] = place === 'below' ? ['smaller', 'smallest'] : ['larger', 'largest']
  return `${label} is ${word} than the ${end} size, ${sizes[0]}.`
}

/** Reads a typed range, such as `96–100` or `57`. Null if it is blank, undefined if it is not a range. */
export function parseRange(text: string): [number, number] | null | undefined {
  if (/^\s*[-–]?\s*$/.test(text)) return null
  const [, from, to = from] =
    /^\s*(\d{1,3}(?:[.,]\d)?)(?:\s*(?:-|–|to)\s*(\d{1,3}(?:[.,]\d)?))?\s*$/.exec(text) ?? []
  if (from === undefined || to === undefined) return undefined
  const [low, high] = [from, to].map((number) => Number(number.replace(',', '.')))
  return low === undefined || high === undefined ? undefined : [low, high]
}
