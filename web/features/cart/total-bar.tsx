import type { ReactNode } from 'react'
import { formatDollars } from '../../../contract/money.ts'
import type { Cart } from './cart.ts'
import { isBlocked } from './cart-lines.tsx'

interface TotalBarProps {
  cart: Cart
  /** Whether the cart is being changed. */
  isBusy: boolean
  /** Id of the note that a line must be changed first; it exists only if there is such a line. */
  noteId: string
  /** The button of the next step. */
  children: ReactNode
}

/** Total of a cart and the next step: always in view on a phone. */
export const TotalBar = ({ cart, isBusy, noteId, children }: TotalBarProps) => (
  <section
    aria-label="Total"
    className="low:static sticky bottom-0 -mx-4 flex flex-col gap-2 self-start border-t border-line bg-paper px-4 py-3
      max-lg:self-stretch lg:top-24 lg:bottom-auto lg:mx-0 lg:rounded-card lg:border lg:bg-surface lg:p-5"
  >
    {cart.lines.some(isBlocked) && (
      <p id={noteId} className="font-semibold text-bad">
        Remove or change the marked items to continue.
      </p>
    )}
    <div className="flex items-center justify-between gap-4 lg:flex-col lg:items-stretch">
      <p>
        <span className="block text-sm text-quiet">Total</span>
        <output
          aria-busy={isBusy}
          className={`font-display text-2xl font-bold tabular-nums ${isBusy ? 'text-quiet' : ''}`}
        >
          {formatDollars(cart.total)}
        </output>
      </p>
      {children}
    </div>
  </section>
)
