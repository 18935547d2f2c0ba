import { roundShare } from '../../../contract/money.ts'

/** The share of a line, or of the shipping, in an order, and its refunds. Cents; the tax is part of the total. */
export interface Refundable {
  totalCents: number
  taxCents: number
  refundedCents: number
}

/** Returns what can still be refunded. */
export const toRestCents = ({ totalCents, refundedCents }: Refundable): number => totalCents - refundedCents

/**
 * Returns the tax in the next refund of this amount: the difference of two rounded shares, so that refunds of the whole
 * total have all of its tax, in any sequence.
 */
export function toRefundedTax({ totalCents, taxCents, refundedCents }: Refundable, cents: number): number {
  if (totalCents === 0) return 0
  const upTo = (part: number) => roundShare(taxCents, part, totalCents)
  return upTo(refundedCents + cents) - upTo(refundedCents)
}
