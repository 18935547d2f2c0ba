/** Whole cents inside, dollars on the wire and on the screen. */

/** Dollars on the wire to whole cents; rounds what floats cannot hold. */
export const toCents = (dollars: number): number => Math.round(dollars * 100)

/** Whole cents to dollars on the wire. */
export const toDollars = (cents: number): number => cents / 100

/** Dollars as a person reads them: `$1,250`, and `$12.50` where there are cents. */
export function formatDollars(dollars: number): string {
  const digits = Number.isInteger(dollars) ? 0 : 2
  return `$${dollars.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })}`
}
