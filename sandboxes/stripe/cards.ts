import testCards from './browser/test-cards.json' with { type: 'json' }

/** Why a charge fails, in Stripe's codes and sentences. */
export interface Decline {
  code: string
  decline_code: string
  message: string
}

/** What a test card does when it is charged: the only thing about it that the sandbox keeps. */
export interface Behaviour {
  decline: Decline | null
  /** The customer has to pass 3-D Secure before the charge is tried. */
  authenticates: boolean
  /** The charge is in progress for a while before it is decided. */
  takesTime: boolean
  /** What becomes of the charge's refunds; where they fail first, the second one goes through. */
  refund: 'succeeds' | 'takes time' | 'fails first'
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

const PLAIN: Behaviour = { decline: null, authenticates: false, takesTime: false, refund: 'succeeds' }

/**
 * By https://docs.stripe.com/testing, with two liberties: Stripe has no card that takes time, and lets every refund of
 * 4000000000005126 fail. Here the second one goes through, so that one can see a shop try again to the end.
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
  processing_then_succeeds: { ...PLAIN, takesTime: true },
  processing_then_declined: { ...PLAIN, takesTime: true, decline: DECLINED },
  refund_takes_time: { ...PLAIN, refund: 'takes time' },
  refund_fails_first: { ...PLAIN, refund: 'fails first' },
}

/** @param key as a test card names it and a payment method keeps it */
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
