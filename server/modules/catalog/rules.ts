/** The largest `integer` of Postgres. */
export const maxInteger = 2_147_483_647

/**
 * Splits a change of the stock among variants: the first one gets an increase, and a decrease takes what each one has,
 * in their order.
 *
 * @param difference not more below zero than their stock
 */
export function splitStockChange(
  variants: { id: string; stock: number }[],
  difference: number,
): { id: string; difference: number }[] {
  if (difference > 0) return variants.slice(0, 1).map(({ id }) => ({ id, difference }))
  const moves: { id: string; difference: number }[] = []
  let missing = -difference
  for (const { id, stock } of variants) {
    const taken = Math.min(stock, missing)
    if (taken > 0) moves.push({ id, difference: -taken })
    missing -= taken
  }
  return moves
}
