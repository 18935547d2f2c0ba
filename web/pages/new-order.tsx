import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type RefObject, useCallback, useEffect, useId, useRef, useState } from 'react'
import { type Path, useWatch } from 'react-hook-form'
import type { CartLine } from '../../contract/cart.ts'
import type { PhoneOrder, PlacedPhoneOrder as Placed } from '../../contract/checkout.ts'
import type { DeskCustomer } from '../../contract/desk.ts'
import { ApiError, call, readMessage } from '../api.ts'
import { DeliveryAddress } from '../features/addresses/delivery-fields.tsx'
import { type DeliveryValues, deliverySchema } from '../features/addresses/delivery-schema.ts'
import { initialDelivery } from '../features/addresses/delivery-values.ts'
import { CallerLines } from '../features/cart/caller-lines.tsx'
import { type Cart, quoteLines, toLineId, toOrderedLines, withLine } from '../features/cart/cart.ts'
import { isBlocked } from '../features/cart/cart-lines.tsx'
import { ChargesAlert } from '../features/cart/charges-alert.tsx'
import { markChanges } from '../features/cart/checkout-lines.tsx'
import { CouponField } from '../features/cart/coupon-field.tsx'
import { ShippingMethods } from '../features/cart/shipping-methods.tsx'
import { TotalBar } from '../features/cart/total-bar.tsx'
import { type Charged, removeChoice, useCharges } from '../features/cart/use-charges.ts'
import { FindCustomer } from '../features/desk/find-customer.tsx'
import { customerQuery } from '../features/desk/queries.ts'
import { checkFits } from '../features/fit/on-demand.tsx'
import type { StoredBike } from '../features/garage/stored-garage.ts'
import { AddItem } from '../features/goods/add-item.tsx'
import { useUser } from '../features/identity/session.ts'
import { useAttempt } from '../features/orders/attempt.ts'
import { ChargeRows, toTotal } from '../features/orders/charge-rows.tsx'
import { CheckFirst, OrderFailure, PlaceOrder, WaitingOrder } from '../features/orders/order-form.tsx'
import { PayWithinOptions } from '../features/orders/payment-link.tsx'
import {
  isPhoneOrder,
  type PhoneDraft,
  phoneChoices,
  readPhoneDraft,
  removePhoneDraft,
  storePhoneDraft,
} from '../features/orders/phone-draft.ts'
import { PlacedPhoneOrder } from '../features/orders/placed-phone-order.tsx'
import { QueryError } from '../query-error.tsx'
import { useLocation, useSettings } from '../router/router.tsx'
import { Alert } from '../ui/alert.tsx'
import { Button } from '../ui/button.tsx'
import { SelectField, TextField } from '../ui/field.tsx'
import { useChangedValues, useCheckedForm } from '../ui/form.ts'
import { PageHead } from '../ui/page-head.tsx'
import { SectionSpinner } from '../ui/section-spinner.tsx'

export const meta = () => ({ title: 'New Order' })

type Draft = PhoneDraft<DeliveryValues>

const emptyCart: Cart = {
  lines: [],
  total: 0,
  chargesAtCheckout: false,
  hasCoupons: false,
  mergeFailure: '',
}
const sendButton = 'Place order and send link'

/** An order that an admin places for a caller, who pays it by a link. */
export default function NewOrder() {
  const [placed, setPlaced] = useState<{ order: Placed; email: string } | null>(null)
  return (
    <>
      <PageHead title="New Order" note="For a customer on the phone, who gets a link to pay." />
      {placed ? (
        <PlacedPhoneOrder {...placed} onNext={() => setPlaced(null)} />
      ) : (
        <Order onPlaced={(order, email) => setPlaced({ order, email })} />
      )}
    </>
  )
}

/** Finds the customer, and collects what is stored while the page is open. */
function Order({ onPlaced }: { onPlaced: (order: Placed, email: string) => void }) {
  const wanted = new URLSearchParams(useLocation().search).get('email')?.trim().toLowerCase() ?? ''
  const { _id: staffId } = useUser()
  const attempt = useAttempt<PhoneOrder>('phone-order', staffId, isPhoneOrder)
  const [draft, setDraft] = useState<Draft>(() => {
    const stored = readPhoneDraft<DeliveryValues>(staffId)
    // An order without an answer comes first.
    if (stored && (attempt.unanswered || wanted === '' || stored.email === wanted)) return stored
    // The items were added before the customer was found.
    if (stored?.email === '') return { ...stored, email: wanted, values: null }
    return { email: wanted, lines: [], bikes: [], payWithinDays: 7, values: null }
  })
  const newest = useRef(draft)
  /** Changes the newest input: scans can be faster than responses and renders. Throws the error of `change`. */
  const edit = useCallback((change: (draft: Draft) => Draft) => {
    newest.current = change(newest.current)
    setDraft(newest.current)
  }, [])
  useEffect(() => storePhoneDraft(staffId, draft), [staffId, draft])
  const field = useRef<HTMLInputElement>(null)
  const { email } = draft
  const customer = useQuery({ ...customerQuery(email), enabled: email !== '' })
  const isUnknown = customer.error instanceof ApiError && customer.error.code === 'USER_NOT_FOUND'
  const choose = (next: string) => edit((now) => ({ ...now, email: next, values: null }))
  useEffect(() => {
    if (email !== '') return
    // After the navigation and the field for items, which take the focus.
    const frame = requestAnimationFrame(() => field.current?.focus())
    return () => cancelAnimationFrame(frame)
  }, [email])
  if (customer.isLoadingError && !isUnknown)
    return <QueryError title="The customer could not be loaded" query={customer} />
  if (email !== '' && customer.isPending) return <SectionSpinner />
  return (
    <OrderForm
      key={email}
      customer={customer.data}
      unknownEmail={isUnknown ? email : ''}
      field={field}
      attempt={attempt}
      draft={draft}
      onDraft={edit}
      onCustomer={choose}
      onPlaced={onPlaced}
    />
  )
}

interface OrderFormProps {
  /** Undefined for a new customer. */
  customer: DeskCustomer | undefined
  /** The email in the URL, if no one has it yet. */
  unknownEmail: string
  field: RefObject<HTMLInputElement | null>
  attempt: ReturnType<typeof useAttempt<PhoneOrder>>
  draft: Draft
  onDraft: (edit: (draft: Draft) => Draft) => void
  onCustomer: (email: string) => void
  onPlaced: (order: Placed, email: string) => void
}

function OrderForm(props: OrderFormProps) {
  const { customer, unknownEmail, field: customerField, attempt, draft } = props
  const { onDraft, onCustomer, onPlaced } = props
  const { lines, payWithinDays } = draft
  const { countries } = useSettings()
  const id = useId()
  const noteId = `${id}-note`
  const client = useQueryClient()
  /** An order without an answer is sent again as it was. */
  const { unanswered } = attempt
  /** The cart that was refused because prices or stock had changed. */
  const [rejected, setRejected] = useState<Cart>()
  const quote = useQuery({
    queryKey: ['phone-quote', lines],
    queryFn: () => quoteLines(lines),
    enabled: lines.length > 0,
  })
  /** Is shown until the prices of changed lines are loaded, and if they cannot be. */
  const [lastCart, setLastCart] = useState(emptyCart)
  if (quote.data && quote.data !== lastCart) setLastCart(quote.data)
  const cart = lines.length === 0 ? emptyCart : markChanges(quote.data ?? lastCart, rejected)
  const bikes = listBikes(customer?.bikes ?? [], draft.bikes)
  const [lineFailure, setLineFailure] = useState('')
  const change = (edit: (lines: CartLine[]) => CartLine[]) => {
    setLineFailure('')
    try {
      onDraft((now) => ({ ...now, lines: edit(now.lines) }))
    } catch (error) {
      // A cart can hold 50 items.
      setLineFailure(error instanceof Error ? error.message : readMessage(error))
    }
  }

  const { form, field, failure, result, isSubmitting, formProps } = useCheckedForm<
    DeliveryValues,
    'code' | 'total' | null
  >({
    schema: deliverySchema(true, unanswered ? undefined : countries),
    defaultValues: draft.values ?? {
      ...initialDelivery(customer?.saved ?? [], countries, customer),
      email: customer?.email ?? unknownEmail,
    },
    async send(values) {
      // The press may have ended the input of a quantity, whose prices are not loaded yet.
      if (!unanswered && isChanging) return 'total'
      if (!unanswered && !(await checkFits(cart.lines))) return null
      if (!unanswered && coupon.isOnlyTyped) {
        coupon.apply()
        return 'code'
      }
      const body = unanswered ?? toBody(values, cart, charged, payWithinDays)
      try {
        const order = await attempt.send(body, body, (key, signal) =>
          call('placePhoneOrder', { headers: { 'idempotency-key': key }, body, signal }),
        )
        removePhoneDraft()
        removeChoice(phoneChoices)
        void client.invalidateQueries()
        onPlaced(order, body.email)
        return null
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        if (error.code === 'CART_CHANGED') {
          setRejected(cart)
          void quote.refetch()
          charges.reload()
        }
        if (error.code.startsWith('COUPON_')) coupon.drop(error.message)
        for (const [name, message] of Object.entries(error.fields)) {
          if (/^(address\.\w+|email|note)$/.test(name))
            form.setError(name as Path<DeliveryValues>, { message })
        }
        throw error
      }
    },
  })
  useChangedValues(form, (values) => onDraft((now) => ({ ...now, values })))

  const { country, region, postalCode } = useWatch({ control: form.control, name: 'address' })
  const charges = useCharges(
    cart,
    country ? { country, region, postalCode } : null,
    draft.email || null,
    phoneChoices,
  )
  const { coupon, charged, problem } = charges
  const total = unanswered ? unanswered.total : toTotal(cart.total, charged?.charges ?? [])
  const isChanging = quote.isFetching || charges.isLoading
  const isUnanswered = unanswered !== null
  const stop = lines.length === 0 ? `${id}-empty` : cart.lines.some(isBlocked) ? noteId : undefined
  const blockedBy = stop ?? (problem || charges.failure || quote.isError ? `${id}-charges` : undefined)
  return (
    <div className="flex flex-col gap-8 pb-12 xl:grid xl:grid-cols-[minmax(0,1fr)_20rem] xl:grid-rows-[auto_1fr] xl:gap-x-10">
      <div className="flex min-w-0 flex-col gap-8 xl:row-span-2">
        <section aria-labelledby={`${id}-customer`}>
          <Heading id={`${id}-customer`}>Customer</Heading>
          {customer ? (
            <Found customer={customer} isLocked={isUnanswered} onChange={() => onCustomer('')} />
          ) : (
            !isUnanswered && <FindCustomer field={customerField} onChosen={onCustomer} />
          )}
        </section>
        <section aria-labelledby={`${id}-items`} className="flex flex-col gap-4">
          <Heading id={`${id}-items`}>Items</Heading>
          {!isUnanswered && (
            <AddItem onAdd={(variantId) => change((now) => withLine(now, toLine(variantId, bikes, now)))} />
          )}
          {lineFailure && <Alert>{lineFailure}</Alert>}
          {quote.isError && <QueryError title="The prices could not be loaded" query={quote} />}
          <fieldset disabled={isUnanswered} className="min-w-0">
            <legend className="sr-only">Items of the order</legend>
            <CallerLines
              cart={cart}
              lines={lines}
              bikes={bikes}
              onChange={change}
              onBike={(bike) => onDraft((now) => ({ ...now, bikes: listBikes(now.bikes, [bike]) }))}
            />
          </fieldset>
        </section>
        <form {...formProps} id={`${id}-form`}>
          <fieldset disabled={isUnanswered} className="flex min-w-0 flex-col gap-8">
            <legend className="sr-only">Delivery</legend>
            {!customer && (
              <TextField
                label="Email of a new customer"
                type="email"
                autoComplete="off"
                hint="The link to pay goes to this address."
                {...field('email')}
              />
            )}
            <DeliveryAddress
              form={form}
              field={field}
              buyer={customer}
              saved={customer?.saved ?? []}
              canSave={false}
            />
            <ShippingMethods charged={charged} charges={charges} />
          </fieldset>
        </form>
      </div>
      <section aria-label="Payment" className="flex min-w-0 flex-col gap-4">
        <SelectField
          label="Pay within"
          disabled={isUnanswered}
          value={payWithinDays}
          onChange={({ target }) => onDraft((now) => ({ ...now, payWithinDays: Number(target.value) }))}
        >
          <PayWithinOptions />
        </SelectField>
        {cart.hasCoupons && !isUnanswered && <CouponField {...coupon} />}
        {charged && <ChargeRows subtotal={cart.total} charges={charged.charges} />}
        {!isUnanswered && <ChargesAlert id={`${id}-charges`} charges={charges} />}
        {(failure !== undefined || isUnanswered) && !isSubmitting && (
          <OrderFailure
            error={failure instanceof ApiError && failure.code === 'NO_ANSWER' ? undefined : failure}
            isGuest
            button={sendButton}
          />
        )}
        {result === 'code' && <CheckFirst button={sendButton} />}
        {result === 'total' && <CheckFirst check="the total" button={sendButton} />}
      </section>
      <TotalBar
        cart={cart}
        total={total}
        missing={cart.chargesAtCheckout && !charged ? 'Enter the address to see shipping and tax.' : ''}
        isBusy={isChanging}
        noteId={noteId}
        note={<WaitingOrder attempt={attempt} />}
      >
        {lines.length === 0 && !isUnanswered && (
          <p id={`${id}-empty`} className="text-sm text-quiet">
            Add an item first.
          </p>
        )}
        <PlaceOrder
          form={`${id}-form`}
          label={sendButton}
          busy={isSubmitting}
          blockedBy={isUnanswered ? undefined : blockedBy}
        />
      </TotalBar>
    </div>
  )
}

const Heading = ({ id, children }: { id: string; children: string }) => (
  <h2 id={id} className="mb-4 font-display text-2xl font-bold">
    {children}
  </h2>
)

interface FoundProps {
  customer: DeskCustomer
  isLocked: boolean
  onChange: () => void
}

/** The customer that was found. */
const Found = ({ customer: { email, name, phone, account }, isLocked, onChange }: FoundProps) => (
  <div className="flex flex-wrap items-center justify-between gap-3 rounded-card border border-line bg-surface p-4">
    <p className="min-w-0">
      <strong className="block wrap-anywhere">{name || email}</strong>
      <span className="block text-sm text-quiet wrap-anywhere">
        {[
          email,
          phone,
          account ? 'has an account' : 'ordered as a guest',
          account?.unverified && 'email not confirmed',
        ]
          .filter(Boolean)
          .join(' · ')}
      </span>
    </p>
    {!isLocked && (
      <Button variant="quiet" size="small" onClick={onChange}>
        Change customer
      </Button>
    )}
  </div>
)

/** A new line is for the bike of the line before, or else for the only bike of the customer. Other lines keep theirs. */
function toLine(variantId: string, bikes: StoredBike[], lines: CartLine[]): CartLine {
  const line = { variantId, quantity: 1 }
  if (lines.some((each) => toLineId(each) === toLineId(line))) return line
  const only = bikes.length === 1 ? bikes[0]?.id : undefined
  return { ...line, bike: lines.at(-1)?.bike ?? only }
}

/** Joins two lists of bikes. */
const listBikes = (some: StoredBike[], more: StoredBike[]): StoredBike[] => [
  ...new Map([...some, ...more].map((bike) => [bike.id, { id: bike.id, name: bike.name }])).values(),
]

/** Returns the order as it is shown: the shop refuses it if prices or stock are others. */
function toBody(
  { email = '', address, note }: DeliveryValues,
  cart: Cart,
  charged: Charged | null,
  payWithinDays: number,
): PhoneOrder {
  const { shippingRate, coupon } = charged ?? {}
  return {
    lines: toOrderedLines(cart.lines),
    total: toTotal(cart.total, charged?.charges ?? []),
    email,
    address,
    note,
    shippingRate,
    coupon,
    payWithinDays,
  }
}
