import { formatDollars } from '../../../contract/money.ts'
import { ProductImage } from '../../product-image.tsx'
import { BusyButton } from '../../ui/busy-button.tsx'
import { LineFit } from '../fit/text.tsx'
import { type Cart, type ShownLine, toLineId } from './cart.ts'
import { isBlocked, LineNotes, nameLine, toProductLink } from './cart-lines.tsx'

/**
 * Returns the cart with its changes since an order of `rejected` was refused: the buyer has seen its prices, and not
 * the prices when the items were added.
 */
export function markChanges(cart: Cart, rejected: Cart | undefined): Cart {
  const seen = new Map(rejected?.lines.map((line) => [toLineId(line.key), line.unitPrice]))
  const mark = (line: ShownLine): ShownLine => {
    const was = seen.get(toLineId(line.key))
    if (was === undefined || isBlocked(line)) return line
    return { ...line, problem: was === line.unitPrice ? undefined : { code: 'PRICE_CHANGED', was } }
  }
  return { ...cart, lines: cart.lines.map(mark) }
}

interface CheckoutLinesProps {
  lines: ShownLine[]
  /** The stock that the quantity of a line was reduced to, by `toLineId`. */
  reduced: Readonly<Record<string, number>>
  /** Lines that are being changed, by `toLineId`. */
  pending: Readonly<Record<string, number>>
  onRemove: (line: ShownLine) => void
}

/** The lines of the cart at checkout. One that cannot be ordered can be removed; all else is changed in the cart. */
export const CheckoutLines = ({ lines, reduced, pending, onRemove }: CheckoutLinesProps) => (
  <ul className="divide-y divide-line rounded-card border border-line bg-surface">
    {lines.map((line) => {
      const id = toLineId(line.key)
      const { title, choice, fullTitle } = nameLine(line)
      const isSold = line.problem?.code !== 'VARIANT_NOT_FOUND'
      return (
        <li
          key={id}
          className="grid grid-cols-[4rem_minmax(0,1fr)_auto] gap-x-4 gap-y-3 p-4 max-[22.4rem]:grid-cols-[minmax(0,1fr)]"
        >
          <ProductImage src={line.image} sizes="4rem" alt="" />
          <div>
            <h3 className="font-semibold wrap-anywhere">
              {isSold ? (
                <a href={toProductLink(line)} className="hover:text-signal hover:underline">
                  {title}
                </a>
              ) : (
                title
              )}
            </h3>
            {choice && <p className="text-sm text-quiet">{choice}</p>}
            {isSold && (
              <p className="text-sm text-quiet tabular-nums">
                {line.quantity} × {formatDollars(line.unitPrice)}
              </p>
            )}
          </div>
          <p className="tabular-nums">{isSold && formatDollars(line.total)}</p>
          <LineNotes line={line} reducedTo={reduced[id]} className="col-span-full empty:sr-only">
            <LineFit line={line} />
          </LineNotes>
          {isBlocked(line) && (
            <BusyButton
              variant="quiet"
              size="small"
              className="col-span-full justify-self-start"
              busy={pending[id] === 0}
              aria-label={`Remove ${fullTitle}`}
              onClick={() => onRemove(line)}
            >
              Remove
            </BusyButton>
          )}
        </li>
      )
    })}
  </ul>
)
