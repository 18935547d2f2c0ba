import { formatDollars } from '../../../contract/money.ts'
import type { OrderLine } from '../../../contract/orders.ts'
import type { Charge } from '../../../contract/quote.ts'
import { ChargeRows, toSubtotal } from './charge-rows.tsx'
import { OrderPicture } from './order-labels.tsx'
import { LineName, LineState } from './order-lines.tsx'

interface OrderSummaryProps {
  lines: OrderLine[]
  charges: Charge[]
  /** In dollars. */
  total: number
}

/** The lines and the total amount of an order, to be paid. */
export function OrderSummary({ lines, charges, total }: OrderSummaryProps) {
  return (
    <section aria-label="Your order" className="rounded-card border border-line bg-surface">
      <ul className="divide-y divide-line">
        {lines.map((line, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- lines have no id and never change
          <li key={index} className="flex items-center gap-4 p-4">
            <OrderPicture
              order={line}
              sizes="6rem"
              className={`max-[14rem]:hidden ${lines.length > 1 ? 'max-w-16' : 'max-w-24'}`}
            />
            <div className="min-w-0 grow">
              <LineName line={line} />
              <span className="text-sm text-quiet tabular-nums">
                {line.quantity} × {formatDollars(line.unitPrice)}
              </span>
              <LineState line={line} />
            </div>
            {lines.length > 1 && <span className="tabular-nums">{formatDollars(line.total)}</span>}
          </li>
        ))}
      </ul>
      {charges.length > 0 && (
        <div className="border-t border-line px-4 py-3">
          <ChargeRows subtotal={toSubtotal(lines)} charges={charges} />
        </div>
      )}
      <p className="flex flex-wrap items-baseline justify-between gap-x-4 border-t border-line px-4 py-3">
        <span>Total Amount</span>
        <strong className="font-display text-3xl font-bold tabular-nums">{formatDollars(total)}</strong>
      </p>
    </section>
  )
}
