/** A line to price. `unitPriceCents`: the price of one piece, as offered now or as agreed. */
export interface PricingLine {
  quantity: number
  unitPriceCents: number
}

/** An amount beside the lines: shipping, tax, or a discount, which is negative. No rule adds any yet. */
export interface PricedCharge {
  kind: string
  label: string
  amountCents: number
}

/** An order with its prices in cents. `totalCents` is the sum of lines and charges. */
export interface PricedOrder<Line extends PricingLine> {
  lines: (Line & { totalCents: number })[]
  charges: PricedCharge[]
  totalCents: number
}

/**
 * Prices an order. Quotes, the checkout and the purchase of one product all get their amounts here; the statement that
 * places the order compares them with the locked prices.
 */
export function priceOrder<Line extends PricingLine>({ lines }: { lines: Line[] }): PricedOrder<Line> {
  const priced = lines.map((line) => ({ ...line, totalCents: toLineTotal(line) }))
  const charges: PricedCharge[] = []
  const amounts = [...priced.map((line) => line.totalCents), ...charges.map((charge) => charge.amountCents)]
  return { lines: priced, charges, totalCents: amounts.reduce((total, cents) => total + cents, 0) }
}

/** Returns the price of a line in cents. */
export const toLineTotal = ({ quantity, unitPriceCents }: PricingLine): number => quantity * unitPriceCents
