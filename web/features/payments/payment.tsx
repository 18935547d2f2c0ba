import { Elements } from '@stripe/react-stripe-js'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type RefAttributes, useEffect, useState } from 'react'
import type { PublicSettings } from '../../page-context.ts'
import { QueryError } from '../../query-error.tsx'
import { Alert } from '../../ui/alert.tsx'
import { focusIfLost } from '../../ui/focus.ts'
import { CheckIcon } from '../../ui/icons.tsx'
import { ClockIcon } from '../../ui/order-icons.tsx'
import { Slow } from '../../ui/slow.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { CardForm, type CardFormProps, type PayableOrder } from './card-form.tsx'
import { openStripe } from './stripe.ts'
import { TestMode } from './test-mode.tsx'

/** The calls that pay an order: the specified calls for a customer, or the calls of the order page. */
export interface PaymentCalls {
  /** Returns the client secret. */
  open: (signal: AbortSignal) => Promise<string>
  confirm: (transactionId: string) => Promise<unknown>
}

/** The state of a payment, which the page shows before the server has confirmed it. */
type PaymentState = ReturnType<typeof usePayment>

/**
 * Follows the payment of an order, so that heading, buttons and payment of its page change together.
 *
 * @param onChanged called when the order may have changed; resolves when it is loaded again
 */
export function usePayment(
  order: PayableOrder,
  { confirm }: Pick<PaymentCalls, 'confirm'>,
  onChanged: () => Promise<void>,
) {
  const [paidNow, setPaidNow] = useState<string | null>(null)
  const send = useMutation({ mutationFn: confirm, onSettled: onChanged })
  const isPaid = paidNow !== null || order.isPaid
  return {
    isPaid,
    // `send` is pending until the order is loaded again, so the card form does not reappear in between.
    isProcessing: !isPaid && (order.isProcessing || send.isPending),
    /** Whether the order is not marked as paid, because the server was not reached. */
    isUnconfirmed: send.isError && !order.isPaid,
    transactionId: paidNow ?? order.transactionId ?? '',
    onPaid(id: string) {
      setPaidNow(id)
      send.mutate(id)
    },
    onProcessing: send.mutate,
  }
}

interface PaymentProps {
  order: PayableOrder
  calls: Pick<PaymentCalls, 'open'>
  state: PaymentState
  settings: PublicSettings['stripe']
  /** Called when the order may have changed; resolves when it is loaded again. */
  onChanged: () => Promise<void>
}

/** Payment of an order: the card form, a processing notice or the confirmation. */
export function Payment({ order, calls, state, settings, onChanged }: PaymentProps) {
  const { isPaid, isProcessing, isUnconfirmed, transactionId, onPaid, onProcessing } = state
  /** Whether the form has been sent: its own message then replaces the one about the payment before. */
  const [isSent, setSent] = useState(false)
  const [wasOpen] = useState(!isPaid && !isProcessing)
  // A page that opens with the result keeps the focus at its start.
  const ref = wasOpen ? focusIfLost : undefined
  if (isPaid) return <PaymentDone ref={ref} transactionId={transactionId} pending={isUnconfirmed} />
  if (isProcessing) return <PaymentProcessing ref={ref} />
  return (
    <>
      {order.hasFailed && !isSent && <Alert>Your last payment failed. Please try another card.</Alert>}
      <OpenPayment
        order={order}
        calls={calls}
        settings={settings}
        onSend={() => setSent(true)}
        onPaid={onPaid}
        onProcessing={(id) => {
          // A failure that follows has no other message.
          setSent(false)
          onProcessing(id)
        }}
        onChanged={onChanged}
      />
      {settings.script && <TestMode />}
    </>
  )
}

interface OpenPaymentProps
  extends Omit<PaymentProps, 'state'>,
    Pick<CardFormProps, 'onSend' | 'onPaid' | 'onProcessing'> {}

function OpenPayment({ order, calls, settings, onChanged, ...events }: OpenPaymentProps) {
  const client = useQueryClient()
  const secretKey = ['payment-secret', order.id, order.amount]
  // The call creates the payment, so it is not retried automatically.
  const secret = useQuery({
    queryKey: secretKey,
    queryFn: ({ signal }) => calls.open(signal),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  const provider = useQuery({
    queryKey: ['payment-provider'],
    queryFn: () => openStripe(settings),
    staleTime: Number.POSITIVE_INFINITY,
  })
  // The order may have been paid or changed elsewhere, so load it again.
  useEffect(() => {
    if (secret.isError) void onChanged()
  }, [secret.isError, onChanged])

  if (secret.isError) {
    return <QueryError title="We couldn't start the payment" query={secret} />
  }
  if (provider.data === null) {
    return (
      <ErrorState
        title="The card field could not be loaded"
        message="The payment provider is not responding."
        onRetry={() => void provider.refetch()}
      />
    )
  }
  return (
    // One element, so that nothing below moves when the payment is prepared.
    <div>
      <Elements stripe={provider.data ?? null}>
        <CardForm
          order={order}
          clientSecret={secret.data}
          {...events}
          onFailed={(isClosed) => {
            if (isClosed) void client.resetQueries({ queryKey: secretKey })
            // The order may have been cancelled in the meantime.
            void onChanged()
          }}
        />
      </Elements>
      {secret.isPending && (
        <div aria-live="polite">
          <Slow
            text="We are still preparing the payment. You have not been charged."
            // A refetch would join the request that has no answer.
            onRetry={() => void client.resetQueries({ queryKey: secretKey })}
          />
        </div>
      )}
    </div>
  )
}

interface PaymentDoneProps extends RefAttributes<HTMLDivElement> {
  transactionId: string
  /** Whether the server could not be notified yet. */
  pending: boolean
}

/** Confirmation of a paid order. */
function PaymentDone({ ref, transactionId, pending }: PaymentDoneProps) {
  return (
    <div
      ref={ref}
      role="status"
      tabIndex={-1}
      className="flex animate-appear flex-col gap-3 rounded-card border-l-4 border-good bg-good-wash p-6"
    >
      <p className="flex items-center gap-2 font-display text-2xl font-bold text-good">
        <CheckIcon className="size-7" />
        Payment Successful..!
      </p>
      <p>
        Trx. Id <strong className="break-all">{transactionId}</strong>
      </p>
      {pending && (
        <p className="text-sm">
          Your payment went through. Your order will be marked as paid shortly. You don't need to do anything.
        </p>
      )}
    </div>
  )
}

/** Shown while the provider has the payment but has not decided on it. */
function PaymentProcessing({ ref }: RefAttributes<HTMLDivElement>) {
  return (
    <div
      ref={ref}
      role="status"
      tabIndex={-1}
      className="flex animate-appear flex-col gap-3 rounded-card border-l-4 border-wait bg-wait-wash p-6"
    >
      <p className="flex items-center gap-2 font-display text-2xl font-bold text-wait">
        <ClockIcon className="size-7" />
        Processing
      </p>
      <p>
        Your payment is being processed. This page updates automatically and you can leave it. You can't pay
        again or cancel the order until it finishes.
      </p>
    </div>
  )
}
