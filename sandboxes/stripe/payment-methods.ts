import { cardRefused, invalidRequest } from './api-error.ts'
import { type Call, ok, type Reply } from './call.ts'
import { findCardById, findCardByNumber, type TestCard } from './cards.ts'
import { newId } from './ids.ts'
import { requireInteger, requireText } from './params.ts'
import { presentPaymentMethod } from './present.ts'
import { type PaymentMethodRow, paymentMethodColumns, type SandboxDb } from './tables.ts'

interface Expiry {
  month: number
  year: number
}

/** `POST /v1/payment_methods`: returns an id for a test card. Stores neither number nor security code. */
export async function createPaymentMethod(call: Call): Promise<Reply> {
  const type = requireText(call.params, 'type')
  if (type !== 'card') throw invalidRequest('The sandbox supports only cards.', { param: 'type' })
  const card = requireTestCard(requireText(call.params, 'card[number]'))
  const expiry = requireExpiry(call.params)
  refuseSecurityCode(requireText(call.params, 'card[cvc]'), card)
  return ok(presentPaymentMethod(await insertPaymentMethod(call.db, card, expiry)))
}

/** Finds a payment method, or creates one if the id is one of Stripe's ready-made test ids. */
export async function requirePaymentMethod(db: SandboxDb, id: string): Promise<PaymentMethodRow> {
  const card = findCardById(id)
  if (card) return insertPaymentMethod(db, card, { month: 12, year: new Date().getUTCFullYear() + 5 })
  const row = await db
    .selectFrom('payment_methods')
    .select(paymentMethodColumns)
    .where('id', '=', id)
    .executeTakeFirst()
  if (row) return row
  throw invalidRequest(`No such PaymentMethod: '${id}'`, {
    code: 'resource_missing',
    param: 'payment_method',
  })
}

function requireTestCard(text: string): TestCard {
  const card = findCardByNumber(text.replace(/[\s-]/g, ''))
  if (card) return card
  throw cardRefused(
    'card_declined',
    'Your card was declined. Only test cards are accepted here: never type a real card.',
    { decline_code: 'test_mode_live_card', param: 'number' },
  )
}

function requireExpiry(params: URLSearchParams): Expiry {
  const month = requireInteger(params, 'card[exp_month]')
  if (month < 1 || month > 12) {
    throw cardRefused('invalid_expiry_month', "Your card's expiration month is invalid.", {
      param: 'exp_month',
    })
  }
  const given = requireInteger(params, 'card[exp_year]')
  const year = given < 100 ? 2000 + given : given
  const now = new Date()
  const isPast = year * 12 + month < now.getUTCFullYear() * 12 + now.getUTCMonth() + 1
  if (isPast || year > now.getUTCFullYear() + 50) {
    throw cardRefused('invalid_expiry_year', "Your card's expiration year is invalid.", { param: 'exp_year' })
  }
  return { month, year }
}

function refuseSecurityCode(cvc: string, card: TestCard): void {
  const length = card.brand === 'amex' ? /^\d{3,4}$/ : /^\d{3}$/
  if (length.test(cvc)) return
  throw cardRefused('invalid_cvc', "Your card's security code is invalid.", { param: 'cvc' })
}

function insertPaymentMethod(db: SandboxDb, card: TestCard, expiry: Expiry): Promise<PaymentMethodRow> {
  return db
    .insertInto('payment_methods')
    .values({
      id: newId('pm'),
      behaviour: card.behaviour,
      brand: card.brand,
      last4: card.number.slice(-4),
      exp_month: expiry.month,
      exp_year: expiry.year,
    })
    .returning(paymentMethodColumns)
    .executeTakeFirstOrThrow()
}
