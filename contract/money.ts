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

/** Returns the price of several pieces in dollars. Computes in cents, because floats are not exact. */
export const multiplyPrice = (price: number, quantity: number): number => toDollars(toCents(price) * quantity)

// Shared, because creating a formatter is slower than rendering a product card.
const withoutCents = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
const withCents = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

/** Formats dollars: `$1,250`, or `$12.50` if there are cents or `showsCents`. */
export const formatDollars = (dollars: number, showsCents = !Number.isInteger(dollars)): string =>
  `$${(showsCents ? withCents : withoutCents).format(dollars)}`

/** Formats whole cents like `formatDollars`. */
export const formatCents = (cents: number): string => formatDollars(toDollars(cents))
