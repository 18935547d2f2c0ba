import type { ReactNode } from 'react'
import { withBike } from '../../../contract/bike-urls.ts'
import type { QuoteLine } from '../../../contract/cart.ts'
import { choiceSearch } from '../../../contract/choice-urls.ts'
import { nameChoice } from '../../../contract/item-names.ts'
import { formatDollars } from '../../../contract/money.ts'
import { productPath } from '../../../contract/product.ts'
import { WarningIcon } from '../../ui/icons.tsx'

/** Whether the line must be changed or removed before the order. */
export const isBlocked = ({ problem }: QuoteLine): boolean =>
  problem !== undefined && problem.code !== 'PRICE_CHANGED'

/** Returns the note about the problem of a line, or null. A quantity that is more than the stock is reduced to it. */
function explainProblem({ problem, unitPrice }: QuoteLine): string | null {
  switch (problem?.code) {
    case 'VARIANT_NOT_FOUND':
      return 'This item is no longer available.'
    case 'CHOICE_REQUIRED':
      return 'Choose a size and a colour.'
    case 'OUT_OF_STOCK':
      return 'This item is out of stock.'
    case 'QUANTITY_NOT_MATCHED':
      return `The minimum order for this item is ${problem.minimum}.`
    case 'PRICE_CHANGED':
      return `The price has changed from ${formatDollars(problem.was)} to ${formatDollars(unitPrice)}.`
    default:
      return null
  }
}

/** Returns the name of a line and its size and colour, separately and joined. */
export function nameLine({ name, size, colour }: QuoteLine) {
  const title = name || 'Unknown item'
  const choice = nameChoice({ size, colour })
  return { title, choice, fullTitle: choice ? `${title}, ${choice}` : title }
}

/** The product with the choice and the bike of its line. */
export const toProductLink = ({ productId, name, size, colour, fit }: QuoteLine): string =>
  withBike(productPath({ _id: productId, name }) + choiceSearch({ size, colour }), fit?.bike.id ?? null)

interface LineNotesProps {
  line: QuoteLine
  /** The stock that the quantity was reduced to, if it was. */
  reducedTo: number | undefined
  className?: string
  /** More notes. */
  children?: ReactNode
}

/** Notes about the problem of a line. Always there, so that screen readers announce a new note. */
export function LineNotes({ line, reducedTo, className = '', children }: LineNotesProps) {
  const notes = [
    // It stays for a smaller quantity: nothing may move while Checkout is pressed after a change.
    reducedTo !== undefined && line.quantity <= reducedTo
      ? `Only ${reducedTo} left, so we changed the quantity to ${reducedTo}.`
      : null,
    explainProblem(line),
  ].filter((note) => note !== null)
  return (
    <div aria-live="polite" className={`flex flex-col gap-2 ${className}`}>
      {notes.map((note) => (
        <p
          key={note}
          className={`flex gap-2 rounded-control px-3 py-2 text-sm font-semibold ${isBlocked(line) ? 'bg-bad-wash text-bad' : 'bg-wait-wash text-wait'}`}
        >
          <WarningIcon className="size-5 shrink-0" />
          {note}
        </p>
      ))}
      {children}
    </div>
  )
}
