import type { ReactNode } from 'react'
import { formatDollars } from '../../../contract/money.ts'
import type { Cart } from './cart.ts'
import { isBlocked } from './cart-lines.tsx'

interface TotalBarProps {
  cart: Cart
  /** The total with charges, in dollars; by default without. */
  total?: number | undefined
  /** A note about charges that are not in the total; empty if it has all. */
  missing?: string
  /** The step after the button, in words. */
  next?: string
  /** Whether the cart is being changed. */
  isBusy: boolean
  /** Id of the note that a line must be changed first; it exists only if there is such a line. */
  noteId: string
  /** A note about the next step, above the total. */
  note?: ReactNode
  /** The button of the next step. */
  children: ReactNode
}

/** Total of a cart and the next step: always in view on a phone. */
export const TotalBar = ({
  cart,
  total = cart.total,
  missing = '',
  next,
  isBusy,
  noteId,
  note,
  children,
}: TotalBarProps) => (
  <section
    aria-label="Total"
    className="low:static sticky bottom-0 page-bar flex flex-col gap-2 self-start border-t border-line bg-paper py-3
      max-lg:self-stretch lg:top-24 lg:bottom-auto lg:mx-0 lg:rounded-card lg:border lg:bg-surface lg:p-5"
  >
    {cart.lines.some(isBlocked) && (
      <p id={noteId} className="font-semibold text-bad">
        Remove or change the marked items to continue.
      </p>
    )}
    {/* It has no height until it is shown. */}
    {note && <div className="-mb-2">{note}</div>}
    {/* The end alignment holds the button in place when the lines beside it change. The small basis leaves space for the
        wider busy button. */}
    <div className="flex flex-wrap items-end justify-between gap-x-4 gap-y-2 lg:flex-col lg:items-stretch">
      <p className="max-lg:min-w-0 max-lg:flex-1 max-lg:basis-28">
        <span className="block text-sm text-quiet">{missing ? 'Subtotal' : 'Total'}</span>
        <output
          aria-busy={isBusy}
          className={`font-display text-2xl font-bold tabular-nums ${isBusy ? 'text-quiet' : ''}`}
        >
          {formatDollars(total)}
        </output>
        {missing && <span className="block text-sm text-quiet">{missing}</span>}
        {next && <span className="block text-sm text-quiet">{next}</span>}
      </p>
      {children}
    </div>
  </section>
)
