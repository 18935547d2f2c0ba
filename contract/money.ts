/**
 * Amounts are whole cents inside, and dollars on the wire and on screens. Rates are parts per million inside, and per cent
 * outside.
 */

const ppmOfOnePercent = 10_000

export const toPercent = (ppm: number): number => ppm / ppmOfOnePercent

/** Converts per cent with at most four decimals. */
export const toPpm = (percent: number): number => Math.round(percent * ppmOfOnePercent)

/** Converts dollars to whole cents. Rounds, because floats are not exact. */
export const toCents = (dollars: number): number => Math.round(dollars * 100)

/**
 * Like `toCents`, but returns NaN if the dollars are not whole cents. Ignores the error of floats, for example in `3
 * * 12.9`.
 */
export function toWholeCents(dollars: number): number {
  const cents = toCents(dollars)
  return Math.abs(dollars * 100 - cents) < 0.001 ? cents : Number.NaN
}

/** Converts whole cents to dollars. */
export const toDollars = (cents: number): number => cents / 100

/**
 * Converts typed dollars such as `12.50` to a number. Returns other text as it is, and the schema of a price rejects it:
 * `12,50`, or `1,000` and `1.000`, which could be one dollar or a thousand.
 */
export const parseDollars = (text: string): number | string =>
  /^\s*-?\d{1,15}(?:\.\d{0,2})?\s*$/.test(text) ? Number(text) : text

/** Converts typed dollars. A blank text is undefined, which a schema rejects with its own message, or accepts. */
export const parseOptionalDollars = (text = ''): number | string | undefined =>
  text.trim() === '' ? undefined : parseDollars(text)

/**
 * Converts typed per cent such as `2.5` or `-2,5` to a number. Returns other text as it is, and the schema rejects it: `1,000`
 * could be one or a thousand.
 */
export function parsePercent(text: string): number | string {
  const trimmed = text.trim()
  return /^[+-]?\d{1,15}(?:\.\d*|,\d{1,2})?$/.test(trimmed) ? Number(trimmed.replace(',', '.')) : text
}

/** Returns the price of several pieces in dollars. Computes in cents, because floats are not exact. */
export const multiplyPrice = (price: number, quantity: number): number => toDollars(toCents(price) * quantity)

// Shared, because creating a formatter is slower than rendering a product card.
const withoutCents = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
const withCents = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

/** Formats dollars: `$1,250`, or `$12.50` if there are cents. */
export const formatDollars = (dollars: number): string =>
  `$${(Number.isInteger(dollars) ? withoutCents : withCents).format(dollars)}`

/** Formats dollars for inputs and files: `1250`, or `12.50` if there are cents. */
export const toPlainDollars = (dollars: number): string =>
  Number.isInteger(dollars) ? String(dollars) : dollars.toFixed(2)
