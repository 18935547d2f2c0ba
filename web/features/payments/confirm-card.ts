import type { Stripe, StripeCardElement } from '@stripe/stripe-js'

export interface CardPayment {
  stripe: Stripe
  card: StripeCardElement
  clientSecret: string
  payer: { name: string; email: string }
}

/** `processing`: the provider has the payment and decides on it later. */
export type CardOutcome = { transactionId: string; processing: boolean } | { failure: string }

/** The provider may have received the payment although its response was lost. */
export const unknownResult =
  "We lost the connection to the payment provider and don't know yet whether your payment went through. " +
  "Please try again: you can't be charged twice for the same order."

/**
 * Charges the card through the provider, with 3-D Secure if required. A payment that already went through (in another
 * tab, or before a lost response) counts as a success.
 */
export async function confirmCard({ stripe, card, clientSecret, payer }: CardPayment): Promise<CardOutcome> {
  const billing = payer.name ? payer : { email: payer.email }
  const { error, paymentIntent } = await stripe.confirmCardPayment(clientSecret, {
    payment_method: { card, billing_details: billing },
  })
  const intent = paymentIntent ?? error?.payment_intent
  if (intent?.status === 'succeeded' || intent?.status === 'processing') {
    return { transactionId: intent.id, processing: intent.status === 'processing' }
  }
  if (error?.type === 'api_connection_error' || (!error && !intent)) return { failure: unknownResult }
  return { failure: error?.message ?? 'The payment was not completed. You have not been charged.' }
}
