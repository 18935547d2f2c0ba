import { formatDollars } from '../../../contract/money.ts'
import type { Refund } from '../../../contract/payments.ts'
import { RefundChip } from './refund-chip.tsx'
import { refundReason } from './refund-labels.ts'

/** Refunds of payments that did not settle this order. */
export function OrderRefunds({ refunds }: { refunds: Refund[] }) {
  if (refunds.length === 0) return null
  return (
    <section aria-label="Refunds" className="mt-6">
      <h3 className="mb-3 font-display text-xl font-bold">Refunds</h3>
      <ul className="divide-y divide-line border-y border-line">
        {refunds.map((refund) => (
          <li key={refund.id} className="flex items-center justify-between gap-4 py-2.5">
            <span>
              <strong className="tabular-nums">{formatDollars(refund.amount)}</strong>
              <span className="block text-sm text-quiet">{refundReason(refund)}</span>
            </span>
            <RefundChip refund={refund} />
          </li>
        ))}
      </ul>
    </section>
  )
}
