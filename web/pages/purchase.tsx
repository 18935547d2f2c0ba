import { useQuery } from '@tanstack/react-query'
import { type SyntheticEvent, useEffect, useId, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { withBike } from '../../contract/bike-urls.ts'
import type { Product } from '../../contract/catalog.ts'
import { applyChoice, type ChosenProduct, explainUnavailable, toCartLine } from '../../contract/choice.ts'
import { type Choice, choiceSearch } from '../../contract/choice-urls.ts'
import type { User } from '../../contract/customers.ts'
import { formatDollars } from '../../contract/money.ts'
import { formatPieces } from '../../contract/pieces.ts'
import { productPath } from '../../contract/product.ts'
import { ApiError, call, readMessage } from '../api.ts'
import { AddToCart } from '../features/cart/add-to-cart.tsx'
import { ChoiceLinks, focusMissing, useChoice } from '../features/catalog/choice-links.tsx'
import { LoadedProduct } from '../features/catalog/loaded-product.tsx'
import { ProductOverview, ProductPicture } from '../features/catalog/product-overview.tsx'
import { ProductTrail } from '../features/catalog/product-trail.tsx'
import { fitmentCountQuery } from '../features/catalog/queries.ts'
import { asksForBike, checkFit, FitBadge } from '../features/fit/on-demand.tsx'
import { useBikeInUrl } from '../features/garage/bar.tsx'
import { useUser } from '../features/identity/session.ts'
import { OrderFailure, PlaceOrder, WaitingOrder } from '../features/orders/order-form.tsx'
import {
  emptyPurchase,
  type PurchaseValues,
  purchaseSchema,
  saveOptions,
  toAmount,
  toOptions,
  toPurchase,
  usePurchase,
} from '../features/orders/place-order.ts'
import { OptionsFields, QuantityField } from '../features/orders/purchase-fields.tsx'
import { useRefreshOrders } from '../features/orders/queries.ts'
import { formDraft } from '../form-draft.ts'
import { navigate } from '../router/navigation.ts'
import type { PageProps } from '../router/page.ts'
import { useLocation } from '../router/router.tsx'
import { Alert } from '../ui/alert.tsx'
import { BusyButton } from '../ui/busy-button.tsx'
import { Button, LinkButton } from '../ui/button.tsx'
import { TextArea, TextField } from '../ui/field.tsx'
import { useChangedValues, useCheckedForm } from '../ui/form.ts'
import { EmptyState } from '../ui/states.tsx'
import { showToast } from '../ui/toasts.tsx'

export const meta = () => ({ title: 'Purchase' })

export { FullSpinner as Pending } from '../ui/spinner.tsx'

export default function Purchase({ params }: PageProps<null, 'id'>) {
  return (
    <LoadedProduct
      id={params.id}
      className="page-width py-16"
      action={<LinkButton href="/products">Browse the products</LinkButton>}
    >
      {(product, refetch) => <LoadedPurchase key={product._id} present={product} refetch={refetch} />}
    </LoadedProduct>
  )
}

function LoadedPurchase({ present, refetch }: { present: Product; refetch: () => Promise<unknown> }) {
  const user = useUser()
  const availabilityId = useId()
  const attempt = usePurchase(present._id, user._id)
  const { unanswered } = attempt
  // An order without an answer may have taken the last piece: it can be sent again as long as it has none.
  const loaded = unanswered?.product ?? present
  const bike = useBikeInUrl()
  const chosen = useChosen(loaded, unanswered?.choice, bike)
  const { product } = chosen
  /** Whether the rider has pressed a button before all choices were made. */
  const [isAsked, setAsked] = useState(false)
  // Only the fitments of a product without a kind decide.
  const { data: fitments = 0 } = useQuery({
    ...fitmentCountQuery(product._id),
    enabled: !asksForBike(product, 0),
  })
  return (
    <div className="page-width">
      <ProductTrail
        product={product}
        productHref={withBike(productPath(product) + choiceSearch(chosen), bike)}
      />
      <div className="grid gap-8 max-md:pt-4 md:grid-cols-2 md:gap-10 lg:grid-cols-[7fr_5fr] lg:gap-16">
        <div className="flex flex-col gap-6 self-start md:sticky md:top-32">
          <ProductPicture image={product.image} alt={product.name} />
          <p className="max-w-text text-lg whitespace-pre-line max-md:hidden">{product.description}</p>
        </div>
        <div className="flex flex-col gap-8">
          <ProductOverview product={product}>
            {asksForBike(product, fitments) && <FitBadge product={product} />}
          </ProductOverview>
          <p className="whitespace-pre-line md:hidden">{product.description}</p>
          {loaded.quantity < loaded.minimum ? (
            <SoldOut left={loaded.quantity} minimum={loaded.minimum} />
          ) : (
            <>
              {product.options === 'variants' && (
                <ChoiceLinks
                  chosen={chosen}
                  availabilityId={availabilityId}
                  bike={bike}
                  isFixed={unanswered !== null}
                  isAsked={isAsked}
                />
              )}
              <PurchaseForm
                {...{ loaded, chosen, availabilityId, user, attempt }}
                onMissing={() => {
                  setAsked(true)
                  focusMissing(chosen)
                }}
                // The product may have changed.
                onFailed={() => void refetch()}
              />
            </>
          )}
        </div>
      </div>
    </div>
  )
}

interface PurchaseFormProps {
  /** The product without the choice. */
  loaded: Product
  chosen: ChosenProduct
  /** Id of the text that explains why the chosen variant cannot be ordered. */
  availabilityId: string
  user: User
  attempt: ReturnType<typeof usePurchase>
  /** Called if the size or the colour of a variant has to be chosen first. */
  onMissing: () => void
  onFailed: () => void
}

/** Order form. The total follows the quantity. */
function PurchaseForm(props: PurchaseFormProps) {
  const { loaded, chosen, availabilityId, user, attempt, onMissing, onFailed } = props
  const { product, variant, size, colour } = chosen
  /** The size and colour of a standard product are fields of the form, and an order can have none. */
  const isOpen = product.options === 'variants' && chosen.missing.length > 0
  const { unanswered } = attempt
  const wanted = Number(new URLSearchParams(useLocation().search).get('quantity'))
  const blockedBy = explainUnavailable(chosen) ? availabilityId : undefined
  const [attempted, setAttempted] = useState(variant)
  /** Whether the item was to be put into the cart without its size or colour. An order may follow with them later. */
  const [isChoiceMissing, setChoiceMissing] = useState(false)
  const refreshOrders = useRefreshOrders()
  const blank = emptyPurchase(chosen, user, wanted)
  const draft = formDraft('purchase', user._id, toRecipient(blank))
  const { form, field, failure, isSubmitting, submit, formProps } = useCheckedForm<PurchaseValues, void>({
    schema: purchaseSchema(product),
    defaultValues: { ...blank, ...draft.read() },
    values: unanswered?.values,
    async send(values) {
      setAttempted(variant)
      // An order without an answer is repeated for the same bike.
      const ordered = unanswered ? { bike: unanswered.bikeId } : await checkFit(loaded, 'Order anyway')
      if (!ordered) return
      const body = toPurchase(values, chosen, user, ordered.bike)
      const sent = { values, product: loaded, choice: { size, colour }, bikeId: ordered.bike }
      const { insertedId } = await attempt
        .send(body, sent, (key, signal) =>
          call('confirmPurchase', { body, headers: { 'idempotency-key': key }, signal }),
        )
        .catch((error: unknown) => {
          onFailed()
          throw error
        })
      draft.remove()
      const areOptionsSaved = await saveOptions(insertedId, values)
      void refreshOrders()
      showToast('success', 'Order Placed successfully')
      if (!areOptionsSaved) {
        showToast('warning', 'Your order was placed, but the size and colour were not saved.')
      }
      navigate('/dashboard/my-orders')
    },
  })
  useChangedValues(form, (values) => draft.store(toRecipient(values)))
  const quantity = useWatch({ control: form.control, name: 'quantity' })
  const { success: isPossible } = purchaseSchema(product).shape.quantity.safeParse(quantity)

  const getLine = async () => {
    if (!(await form.trigger('quantity', { shouldFocus: true }))) return null
    if (isOpen) {
      onMissing()
      return null
    }
    const values = form.getValues()
    // The form has the choice for a standard product, and the URL has it for all others.
    if (product.options !== 'standard') return toCartLine(chosen, values.quantity)
    const standard = applyChoice(loaded, toOptions(values) ?? {})
    const isMissing = standard.missing.length > 0
    setChoiceMissing(isMissing)
    return isMissing ? null : toCartLine(standard, values.quantity)
  }

  /** Puts the item into the cart, and opens checkout with the typed name and phone. Returns the message of a failure. */
  async function continueToCheckout(): Promise<string> {
    const line = await getLine()
    if (!line) return ''
    const { addOrExplain } = await import('../features/cart/cart.ts')
    const message = await addOrExplain(line)
    if (message) return message
    const { customerName: name, customerPhone: phone } = form.getValues()
    navigate('/checkout', { state: { name, phone } })
    return ''
  }

  /** The choice is above the fields, so it is asked for before them. */
  const askOrSubmit = (event: SyntheticEvent) => {
    if (!isOpen) return void submit(event)
    event.preventDefault()
    onMissing()
  }

  return (
    <form {...formProps} onSubmit={askOrSubmit} className="flex flex-col gap-5">
      <fieldset disabled={unanswered !== null} className="flex min-w-0 flex-col gap-5">
        <legend className="sr-only">Order</legend>
        <QuantityField form={form} minimum={product.minimum} stock={product.quantity} />
        {product.options === 'standard' && <OptionsFields register={form.register} />}
        {isChoiceMissing && <Alert>Choose a size and a colour to add this to your cart.</Alert>}
        <TextField label="Name" autoComplete="name" {...field('customerName')} />
        <TextField label="Phone" type="tel" autoComplete="tel" {...field('customerPhone')} />
        <TextArea label="Address" rows={3} autoComplete="street-address" {...field('customerAddress')} />
      </fieldset>
      {/* Each variant has its own failure. */}
      {(failure !== undefined || unanswered) && !isSubmitting && attempted?.id === variant?.id && (
        <PurchaseFailure
          error={failure}
          quantity={quantity}
          onGoOn={submit}
          onCheckout={continueToCheckout}
        />
      )}
      <div className="low:static sticky bottom-0 page-bar flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-t border-line bg-paper py-3 md:static md:mx-0 md:border-t-2 md:border-ink md:px-0 md:pt-5">
        <WaitingOrder attempt={attempt} className="basis-full" />
        <p>
          <span className="block text-sm text-quiet">{product.from ? 'From' : 'Total'}</span>
          <output className="font-display text-2xl font-bold tabular-nums">
            {isPossible ? formatDollars(toAmount(chosen, quantity)) : '–'}
          </output>
        </p>
        <div className="max-md:grow max-md:basis-56">
          <AddToCart key={choiceSearch(chosen)} product={loaded} getLine={getLine} unavailableId={blockedBy}>
            <PlaceOrder busy={isSubmitting} blockedBy={blockedBy} className="max-md:px-3" />
          </AddToCart>
        </div>
      </div>
    </form>
  )
}

/** The typed values that do not depend on the product. */
const toRecipient = ({ customerName, customerPhone, customerAddress }: PurchaseValues) => ({
  customerName,
  customerPhone,
  customerAddress,
})

interface PurchaseFailureProps {
  /** Undefined for an order before a reload, which got no answer. */
  error: unknown
  /** Ordered quantity, in pieces. */
  quantity: number
  /** Sends the order again at the current price. */
  onGoOn: () => void
  /** Returns the message of a failure, or an empty text. */
  onCheckout: () => Promise<string>
}

/** Error message of a failed order, with the next step. */
function PurchaseFailure({ error, quantity, onGoOn, onCheckout }: PurchaseFailureProps) {
  if (error instanceof ApiError && error.code === 'CHECKOUT_REQUIRED')
    return <CheckoutRequired message={error.message} onCheckout={onCheckout} />
  const { amount } = error instanceof ApiError && error.code === 'PRICE_CHANGED' ? error.details : {}
  if (typeof amount !== 'number') return <OrderFailure error={error} />
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

/** Offers checkout, which knows the charges of the order. */
function CheckoutRequired({ message, onCheckout }: { message: string; onCheckout: () => Promise<string> }) {
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState('')
  const press = async () => {
    setBusy(true)
    setFailure(await onCheckout().catch(readMessage))
    setBusy(false)
  }
  return (
    <Alert>
      <p>{message}</p>
      <BusyButton variant="ink" size="small" className="mt-3" busy={isBusy} onClick={press}>
        Continue to checkout
      </BusyButton>
      {failure && <p className="mt-3">{failure}</p>}
    </Alert>
  )
}

/**
 * The product with the choice of the URL, or with the one that was sent: that is written to the URL, so that it stays
 * chosen.
 */
function useChosen(product: Product, sent: Choice | undefined, bike: number | null) {
  const { state } = useLocation()
  const wanted = useChoice()
  const chosen = applyChoice(product, sent ?? wanted)
  const chosenSearch = choiceSearch(chosen)
  const isOther =
    sent !== undefined && product.options === 'variants' && chosenSearch !== choiceSearch(wanted)
  useEffect(() => {
    if (!isOther) return
    navigate(withBike(chosenSearch, bike) || '?', { replace: true, keepScroll: true, state })
  }, [isOther, chosenSearch, bike, state])
  return chosen
}

function SoldOut({ left, minimum }: { left: number; minimum: number }) {
  return (
    <EmptyState title="Out of stock" action={<LinkButton href="/products">Browse the products</LinkButton>}>
      {left === 0
        ? 'This product is currently sold out.'
        : `Only ${formatPieces(left)} left. The minimum order is ${formatPieces(minimum)}.`}
    </EmptyState>
  )
}
