import testCards from './browser/test-cards.json' with { type: 'json' }

/** Why a charge fails, in Stripe's codes and sentences. */
export interface Decline {
  code: string
  decline_code: string
  message: string
}

/** The behaviour of a test card when it is charged. */
interface Behaviour {
  decline: Decline | null
  /** The customer must pass 3-D Secure before the charge. */
  authenticates: boolean
  /** The payment is `processing` for a while before it succeeds or fails. */
  isDelayed: boolean
  /** The result of refunds. With `fails first`, the first refund of a charge fails and the second succeeds. */
  refund: 'succeeds' | 'pending first' | 'fails first'
}

export interface TestCard {
  number: string
  brand: string
  /** A key of `BEHAVIOURS`. */
  behaviour: string
  /** Stripe's ready-made payment methods with this card, for tests that have no card field. */
  ids: string[]
}

const DECLINED: Decline = {
  code: 'card_declined',
  decline_code: 'generic_decline',
  message: 'Your card was declined.',
}
const INSUFFICIENT_FUNDS: Decline = {
  code: 'card_declined',
  decline_code: 'insufficient_funds',
  message: 'Your card has insufficient funds.',
}
const EXPIRED: Decline = {
  code: 'expired_card',
  decline_code: 'expired_card',
  message: 'Your card has expired.',
}
const WRONG_CVC: Decline = {
  code: 'incorrect_cvc',
  decline_code: 'incorrect_cvc',
  message: "Your card's security code is incorrect.",
}
const PROCESSING_ERROR: Decline = {
  code: 'processing_error',
  decline_code: 'processing_error',
  message: 'An error occurred while processing your card. Try again in a little bit.',
}

const PLAIN: Behaviour = { decline: null, authenticates: false, isDelayed: false, refund: 'succeeds' }

/**
 * See https://docs.stripe.com/testing. Two differences: Stripe has no card with delayed payments, and every refund of
 * 4000000000005126 fails there. Here the second one succeeds, so that retries can be tested.
 */
const BEHAVIOURS: Record<string, Behaviour> = {
  succeeds: PLAIN,
  declined: { ...PLAIN, decline: DECLINED },
  insufficient_funds: { ...PLAIN, decline: INSUFFICIENT_FUNDS },
  expired_card: { ...PLAIN, decline: EXPIRED },
  incorrect_cvc: { ...PLAIN, decline: WRONG_CVC },
  processing_error: { ...PLAIN, decline: PROCESSING_ERROR },
  authenticate: { ...PLAIN, authenticates: true },
  authenticate_then_declined: { ...PLAIN, authenticates: true, decline: DECLINED },
  processing_then_succeeds: { ...PLAIN, isDelayed: true },
  processing_then_declined: { ...PLAIN, isDelayed: true, decline: DECLINED },
  refund_takes_time: { ...PLAIN, refund: 'pending first' },
  refund_fails_first: { ...PLAIN, refund: 'fails first' },
}

/** @param key the `behaviour` of a test card or a payment method */
export function requireBehaviour(key: string): Behaviour {
  const behaviour = BEHAVIOURS[key]
  if (!behaviour) throw new Error(`No test card behaves as '${key}'`)
  return behaviour
}

/** @param number digits only */
export function findCardByNumber(number: string): TestCard | undefined {
  return testCards.find((card) => card.number === number)
}

/** @param id one of Stripe's ready-made ids, such as `pm_card_visa` */
export function findCardById(id: string): TestCard | undefined {
  return testCards.find((card) => card.ids.includes(id))
}
