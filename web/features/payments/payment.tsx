import { Elements } from '@stripe/react-stripe-js'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Order } from '../../../contract/orders.ts'
import { call, readMessage } from '../../api.ts'
import type { PublicSettings } from '../../page-context.ts'
import { Alert } from '../../ui/alert.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { CardForm, type CardFormProps } from './card-form.tsx'
import { PaymentDone } from './payment-done.tsx'
import { PaymentProcessing } from './payment-processing.tsx'
import { paymentSecretQuery } from './queries.ts'
import { openStripe } from './stripe.ts'
import { TestMode } from './test-mode.tsx'

export interface PaymentProps {
  order: Order
  settings: PublicSettings['stripe']
  /** Called when the order may have changed; resolves when it is loaded again. */
  onChanged: () => Promise<void>
}

/** Payment of an order: the card form, a processing notice or the confirmation. */
export function Payment({ order, settings, onChanged }: PaymentProps) {
  const [paidNow, setPaidNow] = useState<string | null>(null)
  const send = useMutation({
    mutationFn: (transactionId: string) =>
      call('payOrder', { params: { id: order._id }, body: { transactionId } }),
    onSettled: onChanged,
  })
  const transactionId = paidNow ?? order.transactionId

  if (paidNow || order.payment) {
    return <PaymentDone transactionId={transactionId ?? ''} pending={send.isError && !order.payment} />
  }
  const paid = (id: string) => {
    setPaidNow(id)
    send.mutate(id)
  }
  // `send` is pending until the order is loaded again, so the card form does not reappear in between.
  if (order.processing || send.isPending) return <PaymentProcessing />
  const hasFailed = order.history?.at(-1)?.kind === 'payment_failed'
  return (
    <>
      {hasFailed && <Alert>Your last payment failed. Please try another card.</Alert>}
      <OpenPayment
        order={order}
        settings={settings}
        onPaid={paid}
        onProcessing={send.mutate}
        onChanged={onChanged}
      />
      {settings.script && <TestMode />}
    </>
  )
}

interface OpenPaymentProps extends PaymentProps, Pick<CardFormProps, 'onPaid' | 'onProcessing'> {}

function OpenPayment({ order, settings, onPaid, onProcessing, onChanged }: OpenPaymentProps) {
  const secret = useQuery(paymentSecretQuery(order._id, order.amount))
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
    return (
      <ErrorState
        title="We couldn't start the payment"
        message={readMessage(secret.error)}
        onRetry={() => void secret.refetch()}
      />
    )
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
  const payer = { name: order.customerName, email: order.customerEmail }
  return (
    <Elements stripe={provider.data ?? null}>
      <CardForm
        amount={order.amount}
        clientSecret={secret.data}
        payer={payer}
        onPaid={onPaid}
        onProcessing={onProcessing}
      />
    </Elements>
  )
}
