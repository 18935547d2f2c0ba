import { type UseQueryResult, useMutation, useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { OrderDetails } from '../../contract/checkout.ts'
import { formatDate } from '../../contract/dates.ts'
import { formatDollars, toCents, toDollars } from '../../contract/money.ts'
import { ApiError, call, readMessage } from '../api.ts'
import { useDialogOnDemand } from '../dialog-on-demand.ts'
import { PutBack } from '../features/cart/put-back.tsx'
import { LogInLink } from '../features/identity/log-in-link.tsx'
import { useSession } from '../features/identity/session.ts'
import { followOrder } from '../features/orders/check-unpaid.ts'
import { CheckoutSteps } from '../features/orders/checkout-steps.tsx'
import { CopyLink } from '../features/orders/copy-link.tsx'
import { cancelTitle, describeCancelled, orderNumber, PayBy } from '../features/orders/order-labels.tsx'
import { OrderSummary } from '../features/orders/order-summary.tsx'
import { PrintInvoices } from '../features/orders/print-invoice.tsx'
import { orderDetailsQuery, orderKeyHeaders } from '../features/orders/queries.ts'
import { Shipments } from '../features/orders/shipments.tsx'
import { AfterPayment } from '../features/payments/after-payment.tsx'
import { Payment, type PaymentCalls, usePayment } from '../features/payments/payment.tsx'
import { StartPayment } from '../features/payments/start-payment.tsx'
import { Returns } from '../features/returns/returns.tsx'
import { onDemand } from '../on-demand.ts'
import { QueryError } from '../query-error.tsx'
import { QueryScope } from '../query-scope.tsx'
import type { PageProps } from '../router/page.ts'
import { useLocation, useSettings } from '../router/router.tsx'
import { BusyButton } from '../ui/busy-button.tsx'
import { Button, buttonClass } from '../ui/button.tsx'
import { DescriptionList } from '../ui/description-list.tsx'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { CheckIcon, CloseIcon } from '../ui/icons.tsx'
import { ClockIcon, TruckIcon } from '../ui/order-icons.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { FullSpinner } from '../ui/spinner.tsx'
import { EmptyState } from '../ui/states.tsx'
import { forgetUnpaid } from '../unpaid-orders.ts'

export const meta = () => ({ title: 'Your order' })

/** An order for its buyer. The fragment of the URL is the key of a guest order: browsers do not send it to servers. */
export default function OrderPage({ params }: PageProps<null, 'id'>) {
  return (
    <div className="page-width min-h-[calc(100svh-4rem)] pb-16">
      <QueryScope>
        <OrderById id={params.id} />
      </QueryScope>
    </div>
  )
}

function OrderById({ id }: { id: string }) {
  const session = useSession()
  const key = useLocation().hash.slice(1)
  const customer = session.status === 'signed-in' ? session.user : null
  const isReady = session.status !== 'loading'
  const order = useQuery({
    ...orderDetailsQuery(id, key, customer?._id ?? null),
    enabled: isReady,
    // The key shows a guest the same order after the sign-in.
    placeholderData: (shown) => (key !== '' && shown?.id === id ? shown : undefined),
  })
  const { refetch } = order
  const { data, error } = order
  useEffect(() => {
    if (key === '') return
    if (data?.guest) followOrder(data, key)
    else if (data || (error instanceof ApiError && error.status === 404)) forgetUnpaid(id)
  }, [id, key, data, error])
  const changed = useCallback(async () => void (await refetch()), [refetch])
  const title = `Order #${orderNumber(id)}`

  if (order.isError && !order.data) return <NoOrder id={id} order={order} isSignedIn={customer !== null} />
  if (!order.data) {
    return (
      <>
        <PageHead title={title} />
        <FullSpinner />
      </>
    )
  }
  const { guest, email, own = email === customer?.email } = order.data
  const isBuyer = guest ? key !== '' : own
  return (
    <>
      <PageHead title={title}>
        <PaymentSteps order={order.data} isBuyer={isBuyer} />
        {customer && isBuyer && !guest && (
          <a
            href="/dashboard/my-orders"
            className="flex min-h-11 items-center font-semibold text-signal underline"
          >
            My Orders
          </a>
        )}
      </PageHead>
      <LoadedOrder
        key={id}
        order={order.data}
        orderKey={key}
        isBuyer={isBuyer}
        receiptEmail={guest ? email : (customer?.email ?? email)}
        onChanged={changed}
      />
    </>
  )
}

/** The steps of the checkout that ends on this page. They stay after the payment, so that nothing moves. */
function PaymentSteps({ order: { status }, isBuyer }: { order: OrderDetails; isBuyer: boolean }) {
  const [wasUnpaid] = useState(status === 'unpaid')
  if (!isBuyer || !wasUnpaid || status === 'cancelled' || status === 'refunded') return null
  return <CheckoutSteps current={status === 'unpaid' ? 1 : 2} />
}

interface LoadedOrderProps {
  order: OrderDetails
  /** Empty without a key. */
  orderKey: string
  /** Whether the reader can pay; an admin cannot. */
  isBuyer: boolean
  /** As `email` of `AfterPayment`. */
  receiptEmail: string
  onChanged: () => Promise<void>
}

function LoadedOrder({ order: known, orderKey, isBuyer, receiptEmail, onChanged }: LoadedOrderProps) {
  const { stripe, mail } = useSettings()
  const calls = paymentCalls(known.id, orderKey)
  const payment = usePayment(toPayable(known), calls, onChanged)
  const isUnpaid = known.status === 'unpaid'
  /** The order as the payment has left it, before it is loaded again. */
  const order: OrderDetails =
    isUnpaid && payment.isPaid ? { ...known, status: 'paid' } : { ...known, processing: payment.isProcessing }
  const state = useRef<HTMLParagraphElement>(null)
  const isPayable = order.status === 'unpaid' || order.status === 'paid'
  const [isCancelling, setCancelling] = useState(false)
  const isCancelled = order.status === 'cancelled' || order.status === 'refunded'
  const shipments = listShipments(order)
  const isCancellable =
    (known.status === 'paid' && shipments.length === 0) || (order.status === 'unpaid' && !order.processing)
  // The button and its dialog disappear.
  useEffect(() => {
    if (isCancelling && isCancelled) state.current?.focus()
  }, [isCancelling, isCancelled])
  return (
    <div className="grid gap-8 lg:grid-cols-2 lg:gap-12">
      <div className="flex min-w-0 flex-col gap-6">
        <p ref={state} role="status" tabIndex={-1} className="flex gap-3 text-lg font-semibold">
          <OrderState order={order} />
        </p>
        {isBuyer && isCancelled && <PutBack orderId={order.id} orderKey={orderKey} />}
        <Shipments shipments={shipments} lines={order.lines} pickup={order.pickup} heading="h2" />
        {order.guest && orderKey && !isCancelled && <SaveLink isPaid={order.status !== 'unpaid'} />}
        {isBuyer && isPayable && (
          <StartPayment
            isWaiting={isByPhone(order) && order.status === 'unpaid' && !order.processing}
            total={order.total}
          >
            <Payment
              order={toPayable(known)}
              calls={calls}
              state={payment}
              settings={stripe}
              onChanged={onChanged}
            />
          </StartPayment>
        )}
        {isBuyer && order.status === 'paid' && <AfterPayment email={receiptEmail} pickup={order.pickup} />}
        {isBuyer && order.status === 'paid' && order.guest && mail !== 'off' && (
          <SaveAsAccount order={order} />
        )}
        {/* The server issues no receipt before it has confirmed the payment. */}
        <PrintInvoices order={known} orderKey={orderKey} />
        <Returns order={order} orderKey={orderKey} isBuyer={isBuyer} />
        {isBuyer && isCancellable && (
          <Cancel
            order={order}
            orderKey={orderKey}
            onConfirm={() => setCancelling(true)}
            onChanged={onChanged}
          />
        )}
      </div>
      <div className="flex min-w-0 flex-col gap-6">
        <OrderSummary lines={order.lines} charges={order.charges} total={order.total} />
        <DescriptionList
          items={[
            { name: 'Refunded', value: order.refunded > 0 ? formatDollars(order.refunded) : '' },
            { name: 'Order Date', value: order.placedAt && formatDate(order.placedAt) },
            { name: 'Name', value: order.name || '–' },
            { name: 'Phone', value: order.phone || '–' },
            { name: 'Email', value: order.email },
            { name: 'Address', value: order.address },
            { name: 'Note', value: order.note },
          ]}
        />
        {isBuyer && (
          <p className="text-quiet">
            A question about this order?{' '}
            <a href="/contact-us" className="font-semibold text-signal underline">
              Contact us
            </a>{' '}
            and mention #{orderNumber(order.id)}.
          </p>
        )}
      </div>
    </div>
  )
}

/** Whether an admin has placed the order for a caller. */
const isByPhone = ({ history: [first] }: OrderDetails) => first?.kind === 'placed' && first.by === 'admin'

/** A process of the previous version sends none. */
const listShipments = (order: OrderDetails) => order.shipments ?? []

/** The state of an order in words, with an icon. */
function OrderState({ order }: { order: OrderDetails }) {
  const { status, shippedAt, pickup, payBy, processing, history } = order
  const icon = 'size-6 shrink-0 mt-0.5'
  switch (status) {
    case 'unpaid':
      return (
        <>
          <ClockIcon className={`${icon} text-wait`} />
          <span>
            {processing ? 'Your payment is being processed.' : 'Awaiting payment.'}
            {payBy && !processing && (
              <>
                {' '}
                Your items are reserved until <PayBy order={order} short />.
              </>
            )}
          </span>
        </>
      )
    case 'paid':
      if (listShipments(order).length > 0) {
        return (
          <>
            <TruckIcon className={`${icon} text-wait`} />
            {pickup ? 'Partly ready for pickup.' : 'Partly shipped.'} We are preparing the other items.
          </>
        )
      }
      return (
        <>
          <CheckIcon className={`${icon} text-good`} />
          Paid. We are preparing your order.
        </>
      )
    case 'shipped':
      return (
        <>
          <TruckIcon className={`${icon} text-good`} />
          {pickup ? 'Ready for pickup.' : shippedAt ? `Shipped on ${formatDate(shippedAt)}.` : 'Shipped.'}
        </>
      )
    case 'refunded':
      return (
        <>
          <CloseIcon className={`${icon} text-bad`} />
          {describeCancelled(order)}
        </>
      )
    case 'cancelled': {
      const isRefunded = history.some(({ kind }) => kind.startsWith('refund'))
      return (
        <>
          <CloseIcon className={`${icon} text-bad`} />
          This order was cancelled.{' '}
          {isRefunded ? 'We return your payment in full.' : 'You have not been charged.'}
        </>
      )
    }
  }
}

/** Asks a guest to save the link of the order, with a button that copies it. Only the browser renders it. */
function SaveLink({ isPaid }: { isPaid: boolean }) {
  const { mail } = useSettings()
  return (
    <div className="flex flex-col items-start gap-3 rounded-card border border-line bg-surface p-5">
      <p>
        <strong>Save this link. It opens your order without an account.</strong>{' '}
        {mail === 'off' && 'This shop does not send email, so this link is the only way back to your order.'}
        {mail !== 'off' && !isPaid && 'We also sent it to you.'}
      </p>
      <CopyLink fallback="Copy the link from the address bar." />
    </div>
  )
}

const accounts = onDemand(() => import('../features/identity/save-account.tsx'))

/** Offers a guest to become a customer with one password. */
function SaveAsAccount({ order }: { order: OrderDetails }) {
  const session = useSession()
  const { isOpen, isLoading, code, open } = useDialogOnDemand(accounts.load, accounts.useCode())
  if (session.status !== 'signed-out' && !isOpen) return null
  return (
    <section
      aria-labelledby="save-account"
      className="flex flex-col items-start gap-3 rounded-card border border-line bg-surface p-5"
    >
      <h2 id="save-account" className="font-display text-xl font-bold">
        Save as account
      </h2>
      <p>One password, and your orders are in one place.</p>
      {code ? (
        <div className="w-full max-w-narrow">
          <code.SaveAccount email={order.email} name={order.name} />
        </div>
      ) : (
        <BusyButton variant="quiet" busy={isLoading} onClick={open}>
          Choose a password
        </BusyButton>
      )}
    </section>
  )
}

interface CancelProps {
  order: OrderDetails
  orderKey: string
  onConfirm: () => void
  onChanged: () => Promise<void>
}

/** Cancels the order after a confirmation. If the shop has to review that, names the way to it instead. */
export function Cancel({ order, orderKey, onConfirm, onChanged }: CancelProps) {
  const { id, status, total, lines, needsReview } = order
  const { withdrawal } = useSettings()
  // A process of the previous version refunds nothing.
  const left = toDollars(toCents(total) - toCents(order.refunded ?? 0))
  const [isOpen, setOpen] = useState(false)
  const cancel = useMutation({
    mutationFn: () => call('cancelOrder', { params: { id }, headers: orderKeyHeaders(orderKey) }),
    // Also after a failure: the order may have been paid elsewhere.
    onSettled: onChanged,
  })
  const open = (isNowOpen: boolean) => {
    cancel.reset()
    setOpen(isNowOpen)
  }
  // An open dialog stays, with the reason of the refusal.
  if (needsReview && !isOpen) {
    return (
      <p>
        This order has items with special return terms. To cancel it,{' '}
        {withdrawal ? 'use “Withdraw from contract here”.' : 'please contact us.'}
      </p>
    )
  }
  const items = lines.length === 1 ? '1 item. We put it' : `${lines.length} items. We put them`
  return (
    <>
      <Button variant="danger" className="self-start" onClick={() => open(true)}>
        Cancel order
      </Button>
      {isOpen && (
        <ConfirmDialog
          title={cancelTitle}
          busy={cancel.isPending}
          failure={cancel.isError ? readMessage(cancel.error) : ''}
          onYes={() => {
            onConfirm()
            cancel.mutate()
          }}
          onClose={() => open(false)}
        >
          Order #{orderNumber(id)}: {items} back on the shelf.
          {status === 'paid' && !needsReview && left > 0 && ` We refund ${formatDollars(left)} to your card.`}
        </ConfirmDialog>
      )}
    </>
  )
}

const toPayable = (order: OrderDetails) => ({
  id: order.id,
  amount: order.total,
  name: order.name,
  email: order.email,
  isPaid: order.status === 'paid',
  isProcessing: order.processing,
  hasFailed: order.history.at(-1)?.kind === 'payment_failed',
  transactionId: order.transactionId,
})

function paymentCalls(id: string, key: string): PaymentCalls {
  const sent = { params: { id }, headers: orderKeyHeaders(key) }
  return {
    open: async (signal) => (await call('openOrderPayment', { ...sent, signal })).clientSecret,
    confirm: (transactionId) => call('confirmOrderPayment', { ...sent, body: { transactionId } }),
  }
}

interface NoOrderProps {
  id: string
  order: UseQueryResult
  isSignedIn: boolean
}

function NoOrder({ id, order, isSignedIn }: NoOrderProps) {
  const { error } = order
  const isHidden = error instanceof ApiError && (error.status === 401 || error.status === 404)
  return (
    <div className="py-8 md:py-12">
      {isHidden ? (
        <EmptyState
          wholePage
          title="We cannot find this order."
          action={
            isSignedIn ? (
              <a href="/dashboard/my-orders" className={buttonClass()}>
                My Orders
              </a>
            ) : (
              <LogInLink />
            )
          }
        >
          Check that you opened the complete link. If you added the order to your account, log in to see it.
        </EmptyState>
      ) : (
        <QueryError wholePage title={`Order #${orderNumber(id)} could not be loaded`} query={order} />
      )}
      {/* Only the dashboard has the field for the code. */}
      {error instanceof ApiError && error.code.startsWith('TWO_STEP') && (
        <a href="/dashboard/security" className={buttonClass()}>
          Two-step login
        </a>
      )}
    </div>
  )
}
