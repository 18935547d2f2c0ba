import type { RefundableLine } from '../../../contract/refund-amounts.ts'
import { roundShare } from '../../../contract/round-share.ts'

/** The share of a line, or of the shipping, in an order, and its refunds. Cents; the tax is part of the total. */
export interface Refundable extends RefundableLine {
  taxCents: number
}

/**
 * Returns the tax in the next refund of this amount: the difference of two rounded shares, so that refunds of the whole
 * total have all of its tax, in any sequence.
 */
export function toRefundedTax(
  { totalCents, taxCents, refundedCents }: Pick<Refundable, 'totalCents' | 'taxCents' | 'refundedCents'>,
  cents: number,
): number {
  if (totalCents === 0) return 0
  const upTo = (part: number) => roundShare(taxCents, part, totalCents)
  return upTo(refundedCents + cents) - upTo(refundedCents)
}
