/** Whole cents inside, dollars on the wire and on the screen. */

/** Dollars on the wire to whole cents; rounds what floats cannot hold. */
export const toCents = (dollars: number): number => Math.round(dollars * 100)

/** Whole cents to dollars on the wire. */
export const toDollars = (cents: number): number => cents / 100

// Made once: to make one takes longer than to render the card that shows the price.
const withoutCents = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
const withCents = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

/** Dollars as a person reads them: `$1,250`, and `$12.50` where there are cents. */
export const formatDollars = (dollars: number): string =>
  `$${(Number.isInteger(dollars) ? withoutCents : withCents).format(dollars)}`
