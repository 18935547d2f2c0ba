import { CardElement, useElements, useStripe } from '@stripe/react-stripe-js'
import type { Stripe, StripeCardElement } from '@stripe/stripe-js'
import { type FormEvent, useRef, useState } from 'react'
import { formatDollars } from '../../../contract/money.ts'
import { brandColors } from '../../../contract/shop.ts'
import { intoView } from '../../ui/alert.tsx'
import { BusyButton } from '../../ui/busy-button.tsx'

/** The data of an order that its payment needs. */
export interface PayableOrder {
  id: string
  /** In dollars. */
  amount: number
  name: string
  email: string
  isPaid: boolean
  /** The provider has a payment and decides on it later. */
  isProcessing: boolean
  /** Whether the last payment failed. */
  hasFailed: boolean
  transactionId: string | undefined
}

export interface CardFormProps {
  order: Pick<PayableOrder, 'amount' | 'name' | 'email'>
  /** Undefined until the payment is created. */
  clientSecret: string | undefined
  /** Called when the card is sent. */
  onSend: () => void
  onPaid: (transactionId: string) => void
  /** Called if the provider has the payment and decides on it later. */
  onProcessing: (transactionId: string) => void
  /** `isClosed`: the payment was cancelled, and the order needs another one. */
  onFailed: (isClosed: boolean) => void
}

/** Card field and Pay button. */
export function CardForm({ order, clientSecret, onSend, onPaid, onProcessing, onFailed }: CardFormProps) {
  const stripe = useStripe()
  const elements = useElements()
  const isInProgress = useRef(false)
  const [busy, setBusy] = useState(false)
  const [failure, setError] = useState('')

  const pay = async (event: FormEvent) => {
    event.preventDefault()
    const card = elements?.getElement(CardElement)
    if (!stripe || !card || !clientSecret || isInProgress.current) return
    isInProgress.current = true
    setBusy(true)
    setError('')
    onSend()
    const outcome = await confirmCard(stripe, card, clientSecret, order).catch((error: unknown) => ({
      failure: error instanceof Error ? error.message : unknownResult,
    }))
    isInProgress.current = false
    setBusy(false)
    if ('failure' in outcome) {
      setError(outcome.failure)
      onFailed('isClosed' in outcome)
    } else if (outcome.processing) onProcessing(outcome.transactionId)
    else onPaid(outcome.transactionId)
  }

  return (
    <form onSubmit={pay} className="flex flex-col gap-4">
      <fieldset className="min-w-0">
        <legend className="mb-1 text-sm font-semibold">Card</legend>
        <CardElement
          options={cardOptions}
          onChange={() => setError('')}
          className="min-h-12.5 rounded-control border border-edge bg-surface px-3 py-3.5 focus-within:outline-3
            focus-within:outline-offset-2 focus-within:outline-signal"
        />
      </fieldset>
      <BusyButton
        type="submit"
        size="large"
        className="w-full"
        busy={busy}
        slow="We are still waiting for an answer about your card. Keep this page open. You will not be charged twice."
        disabled={!stripe || !clientSecret}
      >
        Pay {formatDollars(order.amount)}
      </BusyButton>
      <p role="alert" className="font-semibold text-bad empty:hidden">
        {failure && <span ref={intoView}>{failure}</span>}
      </p>
    </form>
  )
}

/** Styles of the card field. Our stylesheet does not apply inside the provider's iframe. */
const cardOptions = {
  hidePostalCode: true,
  // Its frames come from hosts that the policy of the pages does not allow.
  disableLink: true,
  style: {
    base: {
      color: brandColors.ink,
      fontFamily: 'system-ui, sans-serif',
      fontSize: '16px',
      '::placeholder': { color: brandColors.quiet },
    },
    invalid: { color: brandColors.bad },
  },
}

/** `processing`: the provider has the payment and decides on it later. */
type CardOutcome = { transactionId: string; processing: boolean } | { failure: string; isClosed?: true }

/** The provider may have received the payment although its response was lost. */
const unknownResult =
  "We lost the connection to the payment provider and don't know yet whether your payment went through. " +
  "Please try again: you can't be charged twice for the same order."

const closed = 'This payment was closed, and you have not been charged. Please press Pay again.'

/**
 * Charges the card through the provider, with 3-D Secure if required. A payment that already went through (in another
 * tab, or before a lost response) counts as a success.
 */
async function confirmCard(
  stripe: Stripe,
  card: StripeCardElement,
  clientSecret: string,
  { name, email }: CardFormProps['order'],
): Promise<CardOutcome> {
  const { error, paymentIntent } = await stripe.confirmCardPayment(clientSecret, {
    payment_method: { card, billing_details: { email, ...(name && { name }) } },
  })
  const intent = paymentIntent ?? error?.payment_intent
  if (intent?.status === 'succeeded' || intent?.status === 'processing') {
    return { transactionId: intent.id, processing: intent.status === 'processing' }
  }
  // By a cancellation of the order that then failed.
  if (intent?.status === 'canceled') return { failure: closed, isClosed: true }
  if (error?.type === 'api_connection_error' || (!error && !intent)) return { failure: unknownResult }
  return { failure: error?.message ?? 'The payment was not completed. You have not been charged.' }
}
