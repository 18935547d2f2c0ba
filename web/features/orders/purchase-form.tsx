import { type MouseEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { useWatch } from 'react-hook-form'
import type { CartLine } from '../../../contract/cart.ts'
import type { Product } from '../../../contract/catalog.ts'
import { type ChosenProduct, explainUnavailable, toCartLine } from '../../../contract/choice.ts'
import type { User } from '../../../contract/customers.ts'
import { formatDollars, multiplyPrice } from '../../../contract/money.ts'
import { ApiError, readMessage } from '../../api.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { TextArea, TextField } from '../../ui/field.tsx'
import { useCheckedForm } from '../../ui/form.ts'
import { MyOrdersLink } from './order-labels.tsx'
import {
  emptyPurchase,
  type PurchaseValues,
  purchaseSchema,
  type SentPurchase,
  toOptions,
  usePlaceOrder,
} from './place-order.ts'
import { OptionsFields, QuantityField } from './purchase-fields.tsx'

interface PurchaseFormProps {
  /** The product without the choice. */
  loaded: Product
  chosen: ChosenProduct
  /** Id of the text that explains why the chosen variant cannot be ordered. */
  availabilityId: string
  user: User
  /** The order that got no answer, if there is one. */
  unanswered: SentPurchase | null
  /** Returns the bike to order for, or null if the rider cancels. */
  checkFit: () => Promise<{ bike: number | undefined } | null>
  onPlaced: (placed: { optionsSaved: boolean }) => void
  /** Returns whether the order got no answer. */
  onFailed: () => boolean
  /** Renders the actions. `getLine` returns the line to order, or null if its quantity is not valid. */
  actions: (placeOrder: ReactNode, getLine: () => Promise<CartLine | null>) => ReactNode
}

/** Order form. The total follows the quantity. */
export function PurchaseForm(props: PurchaseFormProps) {
  const { loaded, chosen, availabilityId, user, unanswered, checkFit, onPlaced, onFailed, actions } = props
  const { product, variant } = chosen
  const isUnavailable = explainUnavailable(chosen) !== null
  const [attempted, setAttempted] = useState(variant)
  const place = usePlaceOrder(loaded, chosen, user)
  const button = useRef<HTMLButtonElement>(null)
  const isCancelled = useRef(false)
  const { form, field, failure, isSubmitting, submit, formProps } = useCheckedForm<PurchaseValues, void>({
    schema: purchaseSchema(product),
    defaultValues: unanswered?.values ?? emptyPurchase(chosen, user),
    async send(values) {
      setAttempted(variant)
      // An order without an answer is repeated for the same bike.
      const ordered = unanswered ? { bike: unanswered.bikeId } : await checkFit()
      isCancelled.current = !ordered
      if (!ordered) return
      try {
        onPlaced(await place.mutateAsync({ values, bikeId: ordered.bike }))
      } catch (error) {
        // The fields may have been changed while the order was sent.
        if (onFailed()) form.reset(values)
        throw error
      }
    },
  })
  useEffect(() => {
    // The dialog could not return the focus to the button, which was busy.
    if (isCancelled.current && !isSubmitting) button.current?.focus()
    isCancelled.current = false
  }, [isSubmitting])
  const quantity = useWatch({ control: form.control, name: 'quantity' })
  const possible = quantity >= product.minimum && quantity <= product.quantity
  const total =
    possible && Number.isInteger(quantity) ? formatDollars(multiplyPrice(product.price, quantity)) : '–'

  const getLine = async () => {
    if (!(await form.trigger('quantity', { shouldFocus: true }))) return null
    const values = form.getValues()
    // The form has the choices of a standard product, and the URL those of all others.
    const choice = product.options === 'standard' ? toOptions(values) : null
    return toCartLine({ ...chosen, ...choice }, values.quantity)
  }

  const placeOrder = (
    <Button
      ref={button}
      type="submit"
      size="large"
      busy={isSubmitting}
      className="max-md:px-3"
      {...(isUnavailable && {
        'aria-disabled': true,
        'aria-describedby': availabilityId,
        // The Enter key in a field clicks this button too.
        onClick: (event: MouseEvent) => event.preventDefault(),
      })}
    >
      Place Order
    </Button>
  )

  return (
    <form {...formProps} className="flex flex-col gap-5">
      {/* A changed order would have another key, and could be placed beside the one without an answer. */}
      <fieldset disabled={unanswered !== null} className="flex min-w-0 flex-col gap-5">
        <legend className="sr-only">Order</legend>
        <QuantityField form={form} minimum={product.minimum} stock={product.quantity} />
        {product.options === 'standard' && <OptionsFields register={form.register} />}
        <TextField label="Name" autoComplete="name" {...field('customerName')} />
        <TextField label="Phone" type="tel" autoComplete="tel" {...field('customerPhone')} />
        <TextArea label="Address" rows={3} autoComplete="street-address" {...field('customerAddress')} />
      </fieldset>
      {/* The failure of one variant is not that of another. */}
      {(failure !== undefined || unanswered) && !isSubmitting && attempted?.id === variant?.id && (
        <PurchaseFailure error={failure} quantity={quantity} onGoOn={submit} />
      )}
      <div className="low:static sticky bottom-0 -mx-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-t border-line bg-paper px-4 py-3 md:static md:mx-0 md:border-t-2 md:border-ink md:px-0 md:pt-5">
        <p>
          <span className="block text-sm text-quiet">Total</span>
          <output className="font-display text-2xl font-bold tabular-nums">{total}</output>
        </p>
        <div className="max-md:grow">{actions(placeOrder, getLine)}</div>
      </div>
    </form>
  )
}

interface PurchaseFailureProps {
  /** Undefined for an order before a reload, which got no answer. */
  error: unknown
  /** Ordered quantity, in pieces. */
  quantity: number
  /** Sends the order again at the current price. */
  onGoOn: () => void
}

/** Error message of a failed order, with the next step. */
function PurchaseFailure({ error, quantity, onGoOn }: PurchaseFailureProps) {
  const { code, details } = error instanceof ApiError ? error : { code: '', details: {} }
  const { amount }: { amount?: unknown } = details
  if (code === 'PRICE_CHANGED' && typeof amount === 'number') {
    return (
      <Alert>
        <p>
          The price is now {formatDollars(amount / quantity)} each, {formatDollars(amount)} in total. No order
          was placed.
        </p>
        <Button variant="ink" size="small" className="mt-3" onClick={onGoOn}>
          Order at the new price
        </Button>
      </Alert>
    )
  }
  const isUnknown = error === undefined || code === 'NO_ANSWER' || code === 'INTERNAL'
  return (
    <Alert>
      {error === undefined ? 'We did not get an answer.' : readMessage(error)}
      {code === 'TOO_MANY_OPEN_ORDERS' && <MyOrdersLink />}
      {isUnknown && ' Press Place Order again. You will not place the order twice.'}
    </Alert>
  )
}
