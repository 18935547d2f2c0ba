// Without schemas, because only the pages of admins check values in the browser.

/** Both ends are included. Infinite for a range without that end. */
export interface NumberRange {
  from: number
  to: number
}

const number = String.raw`-?\d{1,6}(?:\.\d{1,3})?`
const rangePattern = new RegExp(String.raw`^(?:(${number})|(${number})?\.\.(${number})?)$`)

/** Reads `140`, `140..150`, `140..` or `..150`. Null for other texts. */
export function readRange(text: string): NumberRange | null {
  const [, only, from = '-Infinity', to = 'Infinity'] = rangePattern.exec(text) ?? []
  if (only !== undefined) return { from: Number(only), to: Number(only) }
  const range = { from: Number(from), to: Number(to) }
  const isBounded = Number.isFinite(range.from) || Number.isFinite(range.to)
  return isBounded && range.from <= range.to ? range : null
}

/** The text that `readRange` reads. */
export function toRangeText({ from, to }: NumberRange): string {
  if (from === to) return `${from}`
  return `${Number.isFinite(from) ? from : ''}..${Number.isFinite(to) ? to : ''}`
}

/** Splits a choice of the filter, such as `Length:140..150`. No name contains a colon. */
export function readAttributeChoice(choice: string): { name: string; value: string } {
  const [name = '', ...rest] = choice.split(':')
  return { name, value: rest.join(':') }
}

const numbers = new Intl.NumberFormat('en-US', { maximumFractionDigits: 3 })

/** A value as people read it: `150 mm`, or `M20 x 1.5`. */
export function describeValue(value: string | number, unit?: string): string {
  const text = typeof value === 'number' ? numbers.format(value) : value
  return unit ? `${text} ${unit}` : text
}

/** The attributes of a product as rows of its details. */
export const toRows = (
  attributes: { name: string; value: string | number; unit?: string | undefined }[] = [],
): { name: string; value: string }[] =>
  attributes.map(({ name, value, unit }) => ({ name, value: describeValue(value, unit) }))

/** A value of the filter as people read it: `140–150 mm`, `from 140 mm`, `up to 150 mm`, or a choice. */
export function describeFilterValue(
  { type, unit }: { type: 'number' | 'choice'; unit?: string | undefined },
  value: string,
): string {
  const range = type === 'number' ? readRange(value) : null
  if (!range) return describeValue(value, unit)
  const { from, to } = range
  if (from === to) return describeValue(from, unit)
  if (!Number.isFinite(from)) return `up to ${describeValue(to, unit)}`
  if (!Number.isFinite(to)) return `from ${describeValue(from, unit)}`
  return `${numbers.format(from)}–${describeValue(to, unit)}`
}
