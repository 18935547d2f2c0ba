/** Amounts are whole cents inside, and dollars on the wire and on screens. */

/** Converts dollars to whole cents. Rounds, because floats are not exact. */
export const toCents = (dollars: number): number => Math.round(dollars * 100)

/** Converts whole cents to dollars. */
export const toDollars = (cents: number): number => cents / 100

// Shared, because creating a formatter is slower than rendering a product card.
const withoutCents = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
const withCents = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

/** Formats dollars: `$1,250`, or `$12.50` if there are cents. */
export const formatDollars = (dollars: number): string =>
  `$${(Number.isInteger(dollars) ? withoutCents : withCents).format(dollars)}`
