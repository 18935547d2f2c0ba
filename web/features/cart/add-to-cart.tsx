import { type ReactNode, useRef, useState } from 'react'
import type { CartLine } from '../../../contract/cart.ts'
import type { Product } from '../../../contract/catalog.ts'
import { pageFailedText } from '../../texts.ts'
import { Button } from '../../ui/button.tsx'
import { CheckIcon, WarningIcon } from '../../ui/icons.tsx'
import { Slow } from '../../ui/slow.tsx'
import { checkFit } from '../fit/on-demand.tsx'

interface AddToCartProps {
  product: Product
  /** Returns the line to add, at the click; null if the choices are not valid. */
  getLine: () => CartLine | null | Promise<CartLine | null>
  /** Id of the text that explains why the choice cannot be bought; undefined if it can. */
  unavailableId: string | undefined
  /** The other action, beside the button. */
  children: ReactNode
}

/** Button that adds a line to the cart, beside another action and with its result below. */
export function AddToCart({ product, getLine, unavailableId, children }: AddToCartProps) {
  const [isBusy, setBusy] = useState(false)
  /** The outcome of the last attempt: `failure` is empty if the line was added. */
  const [outcome, setOutcome] = useState<{ failure: string } | null>(null)
  const isUnavailable = unavailableId !== undefined
  const isPressed = useRef(false)
  const request = useRef<AbortController>(null)

  const press = async () => {
    if (isUnavailable || isPressed.current) return
    isPressed.current = true
    const line = await getLine()
    // Null if the rider cancels.
    const ordered = line && (await checkFit(product, 'Add anyway'))
    if (ordered) {
      setBusy(true)
      setOutcome(null)
      let failure: string
      // An attempt that the buyer has given up is repeated, which adds nothing twice.
      do {
        request.current = new AbortController()
        failure = await addLine({ ...line, ...ordered }, request.current.signal)
      } while (request.current.signal.aborted)
      setOutcome({ failure })
      setBusy(false)
    }
    isPressed.current = false
  }

  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap gap-2 *:grow md:gap-3">
        {children}
        <Button
          variant="quiet"
          size="large"
          busy={isBusy}
          aria-disabled={isUnavailable || undefined}
          aria-describedby={unavailableId}
          className="max-md:px-3"
          onClick={press}
        >
          Add to cart
        </Button>
      </div>
      <noscript>
        <p className="font-semibold">You need JavaScript to order.</p>
      </noscript>
      <div role="status" className="empty:sr-only">
        {isBusy && (
          <Slow
            text="We are still adding it. It will not be added twice."
            onRetry={() => request.current?.abort()}
          />
        )}
        {outcome && (outcome.failure ? <Failure text={outcome.failure} /> : <Added />)}
      </div>
    </div>
  )
}

const linkClass = 'font-semibold text-signal underline'

const Added = () => (
  <p className="flex items-center gap-2">
    <CheckIcon className="size-5 shrink-0 text-good" />
    <span>
      Added to cart.{' '}
      <a href="/cart" className={linkClass}>
        View cart
      </a>{' '}
      or{' '}
      <a href="/checkout" className={linkClass}>
        check out
      </a>
    </span>
  </p>
)

const Failure = ({ text }: { text: string }) => (
  <p className="flex gap-2 font-semibold text-bad">
    <WarningIcon className="mt-0.5 size-5 shrink-0" />
    {text}
  </p>
)

/** Adds a line with the code of the cart, which is loaded at the first click. Returns the failure, or an empty text. */
async function addLine(line: CartLine, signal: AbortSignal): Promise<string> {
  const cart = await import('./cart.ts').catch(() => null)
  return cart ? cart.addOrExplain(line, signal) : pageFailedText
}
