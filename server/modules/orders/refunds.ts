import type { Kysely } from 'kysely'
import type { Database } from '../../../db/schema.ts'
import { transact } from '../../platform/retry.ts'
import { ShopError } from '../../platform/shop-error.ts'
import * as payments from '../payments/service.ts'
import * as repository from './repository.ts'

/** Keeps, and tells the order, that an intent's money has to go back; a repeat changes nothing. */
export async function keepRefund(
  tx: Kysely<Database>,
  orderId: string,
  intent: payments.PaymentIntent,
  reason: string,
): Promise<void> {
  const isNew = await payments.keepRefund(tx, {
    intent_id: intent.id,
    order_id: orderId,
    amount_cents: intent.amountReceivedCents,
    reason,
  })
  if (isNew) await repository.insertShopEvent(tx, { orderId, kind: 'refund_due' })
}

/**
 * Has the provider give the money of an intent back, once, or finds out how that fares; with a record. What fails is
 * kept, told to the log, the order and the admins, and tried again by the reconciling job when its time has come.
 *
 * @param options again: its time has come, also where it has failed
 * @throws PAYMENT_PROVIDER_UNAVAILABLE
 */
export async function makeRefund(
  deps: payments.PaymentDeps,
  intentId: string,
  options: { again: boolean },
): Promise<void> {
  const outcome = await payments.askForRefund(deps, intentId, options)
  if (!outcome) return
  const news = await transact(deps.db, async (tx) => {
    // First, as in every transaction that changes an order and its money: else two of them wait for one another.
    await repository.lockOrder(tx, outcome.orderId)
    const news = await payments.recordRefund(tx, intentId, outcome)
    if (news) await repository.insertShopEvent(tx, news)
    return news
  })
  if (news) deps.log.warn({ intentId, outcome }, 'money that settles no order goes back')
  if (outcome.status === 'unavailable') throw new ShopError('PAYMENT_PROVIDER_UNAVAILABLE')
}
