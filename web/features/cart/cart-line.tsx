import { type ComponentProps, useEffect, useId, useState } from 'react'
import type { Bike } from '../../../contract/bikes.ts'
import type { QuoteLine } from '../../../contract/cart.ts'
import type { Choice } from '../../../contract/choice-urls.ts'
import { maxQuantity } from '../../../contract/limits.ts'
import { formatDollars } from '../../../contract/money.ts'
import { onDemand } from '../../on-demand.ts'
import { ProductImage } from '../../product-image.tsx'
import { Button } from '../../ui/button.tsx'
import { Stepper } from '../../ui/stepper.tsx'
import { LineFit } from '../fit/text.tsx'
import { AskVersion } from '../garage/ask-version.tsx'
import type { StoredBike } from '../garage/stored-garage.ts'
import { isBlocked, LineNotes, nameLine, toProductLink } from './cart-lines.tsx'
import { LineBike } from './line-bike.tsx'
import type { LineChoice } from './line-choice.tsx'

interface CartLineProps {
  line: QuoteLine
  /** Set if the line is being changed. */
  nextQuantity: number | undefined
  /** The stock that the quantity was reduced to, if it was. */
  reducedTo: number | undefined
  onChange: (quantity: number) => void
  onRemove: () => void
  onBike: (bike: number | null) => void
  onChoose: (choice: Choice) => void
  /** For the order of someone else: their bikes, and a way to pick another one, such as a version of a bike. */
  caller?: { bikes: StoredBike[]; onPickBike?: ((start?: Bike) => void) | undefined } | undefined
}

/** Only lines that were added without a choice need it. */
const choices = onDemand(() => import('./line-choice.tsx'))

/** A line of the cart page. */
export function CartLine(props: CartLineProps) {
  const { line, nextQuantity, reducedTo, onChange, onRemove, onBike, onChoose, caller } = props
  const bikeId = useId()
  const { image, quantity, unitPrice, total, problem } = line
  const isSold = problem?.code !== 'VARIANT_NOT_FOUND'
  const { title, choice, fullTitle } = nameLine(line)
  const isBusy = nextQuantity !== undefined
  return (
    <li
      aria-busy={isBusy}
      className={`grid grid-cols-[5rem_minmax(0,1fr)] max-[22.4rem]:grid-cols-[minmax(0,1fr)] gap-x-4 gap-y-3 rounded-card border bg-surface p-4
        md:grid-cols-[8rem_minmax(0,1fr)] md:gap-x-6 md:p-5 ${isBlocked(line) ? 'border-bad' : 'border-line'}`}
    >
      <div className="md:row-span-3">
        <ProductImage src={image} sizes="8rem" alt="" />
      </div>
      <div>
        <h2 className="font-semibold wrap-anywhere">
          {isSold ? (
            <a
              href={toProductLink(line)}
              className="-my-2.5 inline-block py-2.5 hover:text-signal hover:underline"
            >
              {title}
            </a>
          ) : (
            title
          )}
        </h2>
        {choice && <p className="text-sm text-quiet">{choice}</p>}
        {isSold && (
          <p className="text-sm text-quiet tabular-nums">
            {formatDollars(unitPrice)} each
            {caller && ` · ${line.left} in stock`}
          </p>
        )}
      </div>
      <div className="flex flex-col gap-3 max-md:col-span-2">
        <LineNotes line={line} reducedTo={reducedTo} className="empty:sr-only">
          <LineFit line={line}>
            {line.fit?.answer === 'fits_some' && caller && (
              <button
                type="button"
                className="font-semibold text-signal underline"
                onClick={() => caller.onPickBike?.(line.fit?.bike)}
              >
                Choose the version
              </button>
            )}
            {line.fit?.answer === 'fits_some' && !caller && (
              <AskVersion
                bike={line.fit.bike}
                onChosen={(bike) => {
                  onBike(bike.id)
                  // After the dialog is closed. The button disappears with the question.
                  requestAnimationFrame(() => document.getElementById(bikeId)?.focus())
                }}
              />
            )}
          </LineFit>
        </LineNotes>
        {problem?.code === 'CHOICE_REQUIRED' && (
          <MissingChoice chosen={line} name={title} onChoose={onChoose} />
        )}
        <LineBike
          id={bikeId}
          line={line}
          name={fullTitle}
          isBusy={isBusy}
          onChange={onBike}
          offered={caller?.bikes}
          onOther={caller?.onPickBike && (() => caller.onPickBike?.())}
        />
      </div>
      <div className="flex flex-wrap items-center gap-x-2 gap-y-3 max-md:col-span-2 md:gap-x-4">
        {isSold && line.left > 0 && (
          <QuantityInput
            title={fullTitle}
            quantity={nextQuantity ?? quantity}
            left={line.left}
            onChange={onChange}
          />
        )}
        <Button
          variant="quiet"
          size="small"
          busy={nextQuantity === 0}
          aria-label={`Remove ${fullTitle}`}
          onClick={onRemove}
        >
          Remove
        </Button>
        {isSold && (
          <p className={`ml-auto font-display text-xl font-bold tabular-nums ${isBusy ? 'text-quiet' : ''}`}>
            {formatDollars(total)}
          </p>
        )}
      </div>
    </li>
  )
}

function MissingChoice(props: ComponentProps<typeof LineChoice>) {
  const code = choices.useCode()
  // If it fails, the line can be removed.
  useEffect(() => void choices.load().catch(() => undefined), [])
  return <div className="min-h-11">{code && <code.LineChoice {...props} />}</div>
}

interface QuantityInputProps {
  title: string
  quantity: number
  /** Pieces in stock. More are accepted, because the cart reduces them to the stock with a note. */
  left: number
  onChange: (quantity: number) => void
}

/** Quantity with buttons for one more and one fewer. A typed one counts when the field is left, or with Enter. */
function QuantityInput({ title, quantity, left, onChange }: QuantityInputProps) {
  const id = useId()
  /** Null unless the field has another text than the quantity. */
  const [typed, setTyped] = useState<string | null>(null)
  const [error, setError] = useState('')
  const change = (next: number) => {
    const isValid = Number.isInteger(next) && next >= 1 && next <= maxQuantity
    setError(isValid ? '' : `Enter a whole number from 1 to ${left.toLocaleString('en-US')}`)
    if (!isValid) return
    setTyped(null)
    if (next !== quantity) onChange(next)
  }
  const finish = () => {
    if (typed !== null) change(Number(typed))
  }
  return (
    // The form has no box: it would grow as wide as the error, and move Remove away under a press.
    <form
      className="contents"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        finish()
      }}
    >
      <Stepper
        named={`quantity of ${title}`}
        canDecrease={quantity > 1}
        onStep={(step) => change(quantity + step)}
        min={1}
        value={typed ?? quantity}
        aria-label={`Quantity of ${title}`}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? id : undefined}
        className="max-w-12 md:max-w-16"
        onChange={(event) => setTyped(event.target.value)}
        onBlur={finish}
      />
      <p
        id={id}
        aria-live="polite"
        className="order-last basis-full text-sm font-semibold text-bad empty:sr-only"
      >
        {error}
      </p>
    </form>
  )
}
