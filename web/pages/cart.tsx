import { Fragment, type MouseEvent, useEffect, useId, useRef, useState } from 'react'
import { type Cart, type ShownLine, toLineId } from '../features/cart/cart.ts'
import { CartLine } from '../features/cart/cart-line.tsx'
import { isBlocked, nameLine } from '../features/cart/cart-lines.tsx'
import { EmptyCart } from '../features/cart/empty-cart.tsx'
import { TotalBar } from '../features/cart/total-bar.tsx'
import { useCart } from '../features/cart/use-cart.ts'
import { LogInLink, LogInWithCart } from '../features/identity/log-in-link.tsx'
import { useSession } from '../features/identity/session.ts'
import { UnpaidOrders } from '../features/orders/unpaid-slot.tsx'
import { navigate, scrollToTop } from '../router/navigation.ts'
import { useSettings } from '../router/router.tsx'
import { describeReturns } from '../texts.ts'
import { Alert } from '../ui/alert.tsx'
import { Button, buttonClass, LinkButton } from '../ui/button.tsx'
import { DescriptionList } from '../ui/description-list.tsx'
import { focusIfLost } from '../ui/focus.ts'
import { PageHead } from '../ui/page-head.tsx'
import { Slow } from '../ui/slow.tsx'
import { FullSpinner } from '../ui/spinner.tsx'
import { ErrorState } from '../ui/states.tsx'

export const meta = () => ({ title: 'Your cart' })

/** As high as the screen, so that the footer does not move into view when the cart is loaded. */
const pageClass = 'page-width min-h-[calc(100svh-4rem)]'

/** The cart of a guest or a customer. The server renders it without lines: only the browser has them. */
export default function CartPage() {
  const { cart, failure, reduced, pending, reload, change, replace, putBack, putBackOrder } = useCart()
  const { returnDays } = useSettings()
  const isGuest = useSession().status === 'signed-out'
  const lines = useRef<HTMLDivElement>(null)
  const [removals, setRemovals] = useState<Removal[]>([])
  const isEmpty = cart?.lines.length === 0
  useEffect(() => {
    // The page of the full cart was longer: its scroll position would show an empty screen.
    if (isEmpty) void scrollToTop()
  }, [isEmpty])

  if (!cart) {
    return (
      <div className={pageClass}>
        <PageHead title="Your cart" />
        {failure ? (
          <ErrorState title="Your cart could not be loaded" message={failure} onRetry={reload} />
        ) : (
          <FullSpinner />
        )}
      </div>
    )
  }
  const isBusy = Object.keys(pending).length > 0
  const ids = cart.lines.map(({ key }) => toLineId(key))
  const remove = (line: ShownLine, index: number) => {
    const id = toLineId(line.key)
    change(line.key, { quantity: 0 })
    setRemovals([...removals.filter((each) => each.id !== id), { id, line, next: ids.slice(index + 1) }])
  }
  const removed = removals.filter(({ id }) => !ids.includes(id))
  /** The notes in the place of the lines, so that nothing moves: before this line, or at the end of the list. */
  const showRemoved = (before?: string) =>
    removed
      .filter(({ next }) => ids.find((id) => next.includes(id)) === before)
      .map((removal) => (
        <Removed
          key={removal.id}
          line={removal.line}
          isLast={removal === removals.at(-1)}
          onUndo={() => {
            const { key, quantity, unitPrice, fit } = removal.line
            putBack({ ...key, quantity, unitPrice, bike: fit?.bike.id })
            // The button disappears with its note.
            lines.current?.focus()
          }}
        />
      ))
  return (
    <div className={pageClass}>
      <PageHead title="Your cart" />
      <div ref={lines} role="group" aria-label="Cart" tabIndex={-1} className="flex flex-col gap-4">
        <UnpaidOrders putBack={putBackOrder} />
        {failure && <Alert>{failure}</Alert>}
        {isBusy && (
          <div aria-live="polite" className="-mb-4">
            <Slow text="We are still changing your cart." />
          </div>
        )}
        {cart.mergeFailure && (
          <Alert>
            <p>The items that you added before you logged in are not in your cart yet. {cart.mergeFailure}</p>
            <Button variant="ink" size="small" className="mt-3" onClick={reload}>
              Try again
            </Button>
          </Alert>
        )}
        {isGuest && cart.lines.length > 0 && <LogInWithCart />}
        {isEmpty && removed.length > 0 && <ul className="flex flex-col gap-4">{showRemoved()}</ul>}
        {isEmpty ? (
          <EmptyCart logIn={isGuest && <LogInLink className={buttonClass('quiet')} />}>
            Items that you add stay here until you order or remove them.
            {isGuest && ' Log in to see the cart of your account.'}
          </EmptyCart>
        ) : (
          <div className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_20rem] lg:gap-10">
            <div className="flex min-w-0 flex-col gap-4">
              <ul className="flex flex-col gap-4">
                {cart.lines.map((line, index) => {
                  const id = toLineId(line.key)
                  return (
                    <Fragment key={id}>
                      {showRemoved(id)}
                      <CartLine
                        line={line}
                        nextQuantity={pending[id]}
                        reducedTo={reduced[id]}
                        onChange={(quantity) => change(line.key, { quantity })}
                        onRemove={() => remove(line, index)}
                        onChoose={(choice) => {
                          const { key, quantity, unitPrice, fit } = line
                          replace(key, { ...key, ...choice, quantity, unitPrice, bike: fit?.bike.id })
                          // The fields disappear with the line.
                          lines.current?.focus()
                        }}
                        onBike={(bike) => change(line.key, { quantity: pending[id] ?? line.quantity, bike })}
                      />
                    </Fragment>
                  )
                })}
                {showRemoved()}
              </ul>
              <DescriptionList
                items={[
                  { name: 'Delivery', value: cart.delivery },
                  {
                    name: 'Returns',
                    // Each text once. With `RETURN_DAYS=0` there are only the notes.
                    value: [...new Set(cart.lines.map((line) => line.returns || describeReturns(returnDays)))]
                      .join('\n')
                      .trim(),
                  },
                  { name: 'Payment', value: 'By card, after you place the order' },
                ]}
              />
            </div>
            <Summary cart={cart} reduced={reduced} isBusy={isBusy} hasFailed={failure !== ''} />
          </div>
        )}
      </div>
    </div>
  )
}

/** A line that was removed on this page. */
interface Removal {
  id: string
  line: ShownLine
  /** Ids of the lines that were after it. */
  next: string[]
}

interface RemovedProps {
  line: ShownLine
  /** Whether it was removed last: its Remove button had the focus. */
  isLast: boolean
  onUndo: () => void
}

/** Confirms that a line was removed, and offers to put it back. */
function Removed({ line, isLast, onUndo }: RemovedProps) {
  const name = nameLine(line).fullTitle
  return (
    <li className="flex animate-appear items-center justify-between gap-4 rounded-card border border-dashed border-edge py-1 pr-2 pl-4">
      <span role="status" className="min-w-0 wrap-anywhere">
        Removed: {name}
      </span>
      <Button variant="quiet" size="small" ref={isLast ? focusIfLost : undefined} onClick={onUndo}>
        Undo<span className="sr-only"> the removal of {name}</span>
      </Button>
    </li>
  )
}

/** Returns a note about charges that are not in the total; empty if there are none. */
export function explainMissing({ chargesAtCheckout, hasTax, delivery }: Cart): string {
  if (!chargesAtCheckout) return ''
  if (delivery !== 'Free') return 'Shipping and tax are calculated at checkout.'
  return hasTax ? 'Tax is calculated at checkout.' : ''
}

interface SummaryProps {
  cart: Cart
  /** The lines that were reduced to the stock. Another object after each reduction. */
  reduced: object
  /** Whether the cart is being changed. */
  isBusy: boolean
  /** Whether the last change or reading has failed. */
  hasFailed: boolean
}

/** Total and link to the checkout. */
function Summary({ cart, reduced, isBusy, hasFailed }: SummaryProps) {
  const noteId = useId()
  const isHeld = cart.lines.some(isBlocked)
  /** The reduced lines when Checkout was pressed during a change, for example of a quantity typed just before. */
  const [leaving, setLeaving] = useState<object | null>(null)
  const leave = (event: MouseEvent) => {
    // The cart still has the quantity before an invalid one, and the buyer may not notice.
    const invalid = document.querySelector<HTMLElement>('#main [aria-invalid="true"]')
    if (!invalid && !isBusy) return
    event.preventDefault()
    invalid?.focus()
    // A link that loads a new document would abort the change.
    if (!invalid) setLeaving(reduced)
  }
  const isDone = leaving !== null && !isBusy
  // The note at a line that was reduced is only in the cart.
  const isReady = isDone && !isHeld && !hasFailed && leaving === reduced
  if (isDone && !isReady) setLeaving(null)
  useEffect(() => {
    if (isReady) navigate('/checkout')
  }, [isReady])
  return (
    <TotalBar cart={cart} missing={explainMissing(cart)} isBusy={isBusy} noteId={noteId}>
      <LinkButton
        size="large"
        href={isHeld ? undefined : '/checkout'}
        aria-busy={leaving !== null}
        aria-describedby={isHeld ? noteId : undefined}
        onClick={leave}
      >
        Checkout
      </LinkButton>
    </TotalBar>
  )
}
