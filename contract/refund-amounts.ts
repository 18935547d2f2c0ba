import { roundShare } from './round-share.ts'

/** The share of a line in an order, and its refunds. Cents. */
export interface RefundableLine {
  totalCents: number
  refundedCents: number
  /** The ordered pieces. Shipping has none. */
  pieces: number
  /** Pieces that were cancelled or returned. */
  refundedPieces: number
}

/** Returns what can still be refunded. */
export const toRestCents = ({
  totalCents,
  refundedCents,
}: Pick<RefundableLine, 'totalCents' | 'refundedCents'>) => totalCents - refundedCents

/**
 * Returns what the next pieces of a line are worth: the difference of two rounded shares, so that all pieces together are
 * worth the total, in any sequence.
 */
export function toWorthCents(line: RefundableLine, pieces: number): number {
  if (line.pieces === 0) return 0
  const upTo = (count: number) => roundShare(line.totalCents, count, line.pieces)
  const worth = upTo(line.refundedPieces + pieces) - upTo(line.refundedPieces)
  return Math.min(worth, toRestCents(line))
}
