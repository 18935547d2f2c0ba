import { useId, useRef, useState } from 'react'
import { useWatch } from 'react-hook-form'
import type { Address, SavedAddress } from '../../contract/addresses.ts'
import type { Checkout, PlacedOrder } from '../../contract/checkout.ts'
import type { User } from '../../contract/customers.ts'
import { formatDollars } from '../../contract/money.ts'
import { ApiError, call, readMessage } from '../api.ts'
import { DeliveryFields } from '../features/addresses/delivery-fields.tsx'
import type { DeliveryValues } from '../features/addresses/delivery-schema.ts'
import {
  initialDelivery,
  readContact,
  readDraft,
  removeDraft,
  storeDraft,
} from '../features/addresses/delivery-values.ts'
import { addAddress, useSaved } from '../features/addresses/use-saved.ts'
import { type Cart, removeOrdered, type ShownLine, toOrderedLines } from '../features/cart/cart.ts'
import { isBlocked } from '../features/cart/cart-lines.tsx'
import { ChargesAlert } from '../features/cart/charges-alert.tsx'
import { CheckoutLines, markChanges } from '../features/cart/checkout-lines.tsx'
import { CouponField } from '../features/cart/coupon-field.tsx'
import { EmptyCart } from '../features/cart/empty-cart.tsx'
import { ShippingMethods } from '../features/cart/shipping-methods.tsx'
import { TotalBar } from '../features/cart/total-bar.tsx'
import { useCart } from '../features/cart/use-cart.ts'
import { type Charged, removeChoice, useCharges } from '../features/cart/use-charges.ts'
import { checkFits } from '../features/fit/on-demand.tsx'
import { LogInLink, LogInWithCart } from '../features/identity/log-in-link.tsx'
import { useSession } from '../features/identity/session.ts'
import { useAttempt } from '../features/orders/attempt.ts'
import { ChargeRows, toTotal } from '../features/orders/charge-rows.tsx'
import { CheckoutSteps } from '../features/orders/checkout-steps.tsx'
import { CheckFirst, OrderFailure, PlaceOrder, WaitingOrder } from '../features/orders/order-form.tsx'
import { navigate, reloadPage } from '../router/navigation.ts'
import { useLocation, useSettings } from '../router/router.tsx'
import { isObject } from '../tab-storage.ts'
import { Alert } from '../ui/alert.tsx'
import { buttonClass } from '../ui/button.tsx'
import { useChangedValues, useCheckedForm } from '../ui/form.ts'
import { PageHead } from '../ui/page-head.tsx'
import { FullSpinner } from '../ui/spinner.tsx'
import { ErrorState } from '../ui/states.tsx'
import { showToast } from '../ui/toasts.tsx'

export const meta = () => ({ title: 'Checkout' })

/** The state of the page that sent an order. */
interface Sent {
  values: DeliveryValues
  cart: Cart
  /** Null if the cart has no charges. An attempt of an earlier version of the shop has none. */
  charged?: Charged | null
}

/**
 * Whether the page can show a stored state. Checks its parts without schemas, which would be a tenth of the script. An
 * attempt of an earlier version of the shop has no fits.
 */
function isSent(form: unknown): form is Sent {
  if (!isObject(form) || !isObject(form.values) || !isObject(form.values.address)) return false
  const { cart } = form
  return (
    isObject(cart) && typeof cart.total === 'number' && Array.isArray(cart.lines) && cart.lines.every(isLine)
  )
}

const isLine = (line: unknown): line is ShownLine =>
  isObject(line) &&
  isObject(line.key) &&
  (['variantId', 'productId', 'name', 'image'] as const).every((name) => typeof line[name] === 'string') &&
  (['quantity', 'unitPrice', 'total', 'left', 'minimum'] as const).every(
    (name) => typeof line[name] === 'number',
  )

/** Loads the schema of the form, 11 KiB of script that only input needs. */
const loadSchema = () => import('../features/addresses/delivery-schema.ts')

/** Order of the whole cart, by a guest or a customer. The server renders it without data. */
export default function CheckoutPage() {
  return (
    <div className="page-width min-h-[calc(100svh-4rem)] pb-12">
      <PageHead title="Checkout">
        <CheckoutSteps current={0} />
      </PageHead>
      <CheckoutOfBuyer />
    </div>
  )
}

function CheckoutOfBuyer() {
  const session = useSession()
  const location = useLocation()
  /** The last customer. A session that ends must not turn them into a guest, unless they logged out. */
  const [customer, setCustomer] = useState<User | null>(null)
  if (session.status === 'signed-in' && session.user !== customer) setCustomer(session.user)
  if (session.status === 'signed-out' && session.signedOutByUser && customer) setCustomer(null)

  if (session.status === 'loading') return <FullSpinner />
  if (session.status === 'failed') {
    const retry = () =>
      void import('../features/identity/session-actions.ts').then(
        (it) => it.loadSession(),
        () => reloadPage(location),
      )
    return (
      <ErrorState
        title="We couldn't load your account"
        message={readMessage(session.error)}
        onRetry={retry}
      />
    )
  }
  if (session.status === 'signed-out' && customer) {
    return (
      <Alert>
        <p>Your session has ended. Log in to continue. Your cart is safe, and you will not order twice.</p>
        <LogInLink className={`${buttonClass('ink', 'small')} mt-3`} />
      </Alert>
    )
  }
  return <LoadedCheckout key={customer?._id ?? ''} customer={customer} />
}

function LoadedCheckout({ customer }: { customer: User | null }) {
  const { cart: current, failure, reload, change, ...changes } = useCart()
  const addresses = useSaved(customer !== null)
  const attempt = useAttempt<Sent>('checkout', customer?._id ?? null, isSent)
  const { unanswered } = attempt
  /** The order that was refused because the cart had changed, and the cart at that time. */
  const [rejected, setRejected] = useState<{ sent: Cart; total: number; current: Cart | null } | null>(null)

  // The stock may already be reserved for an order without an answer.
  const cart = unanswered ? unanswered.cart : current && markChanges(current, rejected?.sent)
  const hasFailed = (failure !== '' && !cart) || addresses.failure !== ''
  if (hasFailed) {
    const retry = () => {
      reload()
      addresses.reload()
    }
    return (
      <ErrorState
        title="Checkout could not be loaded"
        message={failure || addresses.failure}
        onRetry={retry}
      />
    )
  }
  if (!cart || !addresses.saved) return <FullSpinner />
  if (cart.lines.length === 0) return <NoCart isGuest={!customer} />
  return (
    <CheckoutForm
      customer={customer}
      saved={addresses.saved}
      last={addresses.last}
      cart={cart}
      rejectedTotal={rejected?.total}
      attempt={attempt}
      isLoading={rejected !== null && rejected.current === current && failure === ''}
      cartFailure={[failure, current?.mergeFailure].find(Boolean)}
      {...changes}
      onRemove={(key) => change(key, { quantity: 0 })}
      onRejected={(total) => {
        setRejected({ sent: cart, total, current })
        reload()
      }}
    />
  )
}

const NoCart = ({ isGuest }: { isGuest: boolean }) => (
  <EmptyCart logIn={isGuest && <LogInLink className={buttonClass('quiet')} />}>
    {isGuest
      ? 'Add something to it, or log in to see the cart of your account.'
      : 'Add something to it. Orders that you placed are in My Orders.'}
  </EmptyCart>
)

interface CheckoutFormProps extends Pick<ReturnType<typeof useCart>, 'reduced' | 'pending'> {
  /** Null for a guest. */
  customer: User | null
  saved: SavedAddress[]
  /** The address of the customer's last paid order, if none is saved. */
  last: Address | undefined
  cart: Cart
  /** The total of the order that was refused because the cart or the charges had changed, in dollars. */
  rejectedTotal: number | undefined
  attempt: ReturnType<typeof useAttempt<Sent>>
  /** Whether the changed cart is being loaded. */
  isLoading: boolean
  cartFailure: string | undefined
  onRemove: (key: Cart['lines'][number]['key']) => void
  onRejected: (total: number) => void
}

function CheckoutForm(props: CheckoutFormProps) {
  const { customer, saved, last, cart, rejectedTotal, attempt, isLoading, cartFailure } = props
  const { reduced, pending, onRemove, onRejected } = props
  const { unanswered } = attempt
  const { countries } = useSettings()
  const { state } = useLocation()
  const id = useId()
  const noteId = `${id}-note`
  const linesHeading = useRef<HTMLHeadingElement>(null)
  /** Whether the page was loaded with an order without an answer, which is sent again as it was. */
  const [isRestored] = useState(unanswered !== null)
  const customerId = customer?._id ?? null

  const { form, field, failure, result, isSubmitting, formProps } = useCheckedForm<
    DeliveryValues,
    'placed' | 'code' | null
  >({
    schema: async () => (await loadSchema()).deliverySchema(!customer, unanswered ? undefined : countries),
    defaultValues:
      readDraft(customerId, saved, countries) ??
      initialDelivery(saved, countries, { ...customer, ...readContact(state), last }),
    values: unanswered?.values,
    async send(values) {
      // An order without an answer is repeated as it was.
      if (!unanswered && !(await checkFits(cart.lines))) return null
      if (!unanswered && coupon.isOnlyTyped) {
        coupon.apply()
        return 'code'
      }
      const body = toCheckout(values, cart, charged, customer)
      try {
        const order = await attempt.send(body, { values, cart, charged }, (key, signal) =>
          call('checkOut', { headers: { 'idempotency-key': key }, body, signal }),
        )
        void finish(order, values, cart, customer)
        return 'placed'
      } catch (error) {
        if (isCartChanged(error)) {
          onRejected(total)
          charges.reload()
        }
        if (isOfCoupon(error)) coupon.drop(readMessage(error))
        throw error
      }
    },
  })

  const { country, region, postalCode } = useWatch({ control: form.control, name: 'address' })
  const charges = useCharges(cart, country ? { country, region, postalCode } : null, customerId)
  const { coupon } = charges
  const charged = unanswered ? (unanswered.charged ?? null) : charges.charged
  // The rows on the screen add up, even if the prices of the cart are older than the charges: the shop refuses it then.
  const total = toTotal(cart.total, charged?.charges ?? [])

  useChangedValues(form, (values) => storeDraft(customerId, values))

  const isUnanswered = unanswered !== null
  const isBlockedCart = cart.lines.some(isBlocked)
  const hasChargesAlert = !isUnanswered && Boolean(charges.problem ?? charges.failure)
  const isChanging = isLoading || Object.keys(pending).length > 0 || (!unanswered && charges.isLoading)
  const remove = (line: Cart['lines'][number]) => {
    onRemove(line.key)
    // The button disappears with its line.
    linesHeading.current?.focus()
  }
  return (
    <form
      {...formProps}
      className="flex flex-col gap-8 lg:grid lg:grid-cols-[minmax(0,1fr)_24rem] lg:grid-rows-[auto_1fr] lg:gap-x-12"
    >
      <fieldset disabled={isUnanswered} className="flex min-w-0 flex-col gap-8 lg:row-span-2">
        <legend className="sr-only">Delivery</legend>
        <DeliveryFields
          form={form}
          field={field}
          customer={customer ?? undefined}
          saved={isRestored ? [] : saved}
          // A customer cannot repeat the attempt of a guest.
          signIn={!isUnanswered && <LogInWithCart />}
        />
        <ShippingMethods charged={charged} charges={charges} />
      </fieldset>
      <section aria-labelledby={`${id}-lines`} className="flex min-w-0 flex-col gap-4">
        <div className="flex items-baseline justify-between gap-4">
          <h2 id={`${id}-lines`} ref={linesHeading} tabIndex={-1} className="font-display text-2xl font-bold">
            Your order
          </h2>
          {!isUnanswered && (
            <a href="/cart" className="inline-flex min-h-11 items-center font-semibold text-signal underline">
              Change cart
            </a>
          )}
        </div>
        {cartFailure && <Alert>{cartFailure}</Alert>}
        {(failure !== undefined || isUnanswered) && !isSubmitting && (
          <OrderFailure error={hasCode(failure, 'NO_ANSWER') ? undefined : failure} isGuest={!customer}>
            {isCartChanged(failure) &&
              rejectedTotal !== undefined &&
              !isChanging &&
              rejectedTotal !== total &&
              ` The new total is ${formatDollars(total)}.`}
          </OrderFailure>
        )}
        {result === 'code' && <CheckFirst />}
        <CheckoutLines lines={cart.lines} reduced={reduced} pending={pending} onRemove={remove} />
        {cart.hasCoupons && !isUnanswered && <CouponField {...coupon} />}
        {charged && <ChargeRows subtotal={cart.total} charges={charged.charges} />}
        {!isUnanswered && <ChargesAlert id={`${id}-charges`} charges={charges} />}
      </section>
      <TotalBar
        cart={cart}
        total={total}
        missing={cart.chargesAtCheckout && !charged ? 'Enter your address to see shipping and tax.' : ''}
        next="Next: pay by card"
        isBusy={isChanging}
        noteId={noteId}
        note={<WaitingOrder attempt={attempt} />}
      >
        <PlaceOrder
          busy={isSubmitting || result === 'placed' || isChanging}
          blockedBy={isBlockedCart ? noteId : hasChargesAlert ? `${id}-charges` : undefined}
        />
      </TotalBar>
    </form>
  )
}

/** Opens the page of an order that was placed. A failure of the rest must not look like a failed order. */
async function finish({ id, key }: PlacedOrder, values: DeliveryValues, cart: Cart, customer: User | null) {
  removeDraft()
  removeChoice()
  if (key) {
    // The buyer may go back before the page of the order has stored it.
    import('../unpaid-orders.ts').then(
      ({ rememberUnpaid }) => rememberUnpaid({ id, key, until: null }),
      () => undefined,
    )
  }
  navigate(key ? `/order/${id}#${key}` : `/dashboard/payment/${id}`, { replace: true })
  try {
    removeOrdered(cart.lines)
  } catch {
    showToast('warning', 'Your order was placed, but its items are still in your cart.')
  }
  if (customer && !(await addAddress(values))) {
    showToast('warning', 'Your order was placed, but the address was not saved.')
  }
}

const hasCode = (error: unknown, code: ApiError['code']): boolean =>
  error instanceof ApiError && error.code === code
const isCartChanged = (error: unknown): boolean => hasCode(error, 'CART_CHANGED')
const isOfCoupon = (error: unknown): boolean => error instanceof ApiError && error.code.startsWith('COUPON_')

/** Returns the order of the cart as it is shown: the shop refuses it if prices or stock are others. */
function toCheckout(
  { email, address, note }: DeliveryValues,
  cart: Cart,
  charged: Charged | null,
  customer: User | null,
): Checkout {
  const lines = toOrderedLines(cart.lines)
  const total = toTotal(cart.total, charged?.charges ?? [])
  const { shippingRate, coupon } = charged ?? {}
  const delivery = { lines, total, address, note, shippingRate, coupon }
  return customer ? delivery : { ...delivery, email, asGuest: true }
}
