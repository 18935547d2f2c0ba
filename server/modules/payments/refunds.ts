import type { Kysely } from 'kysely'
import type { Database } from '../../../db/schema.ts'
import type { PaymentDeps } from './deps.ts'
import { type PaymentGateway, PaymentGatewayError, ProviderUnavailable, type Refund } from './gateway.ts'
import * as queries from './queries.ts'
import * as repository from './repository.ts'

/** What became of asking the provider for a refund. */
export interface RefundOutcome {
  orderId: string
  /** The try that this came of: another one at the same time may have been quicker. */
  attempt: number
  status: Exclude<queries.Refund['status'], 'due'> | 'unavailable'
  refundId?: string
  failure?: string
}

/**
 * Keeps that money has to go back in full, before anybody is asked for it: whatever fails from here on, it is not
 * forgotten. Call it in the transaction that has found the money to settle nothing.
 *
 * @returns false where it is kept already
 */
export const keepRefund = repository.insertRefund

/**
 * Asks the provider for a refund that is due, or how one fares that it has under way, or made. Nothing is kept here,
 * and no lock may be held.
 *
 * @param again whether the time has come for one that has failed before
 * @returns null where there is nothing to ask for
 */
export async function askForRefund(
  { db, gateway, log }: PaymentDeps,
  intentId: string,
  { again }: { again: boolean },
): Promise<RefundOutcome | null> {
  const refund = await queries.findRefund(db, intentId)
  if (!refund || (refund.status === 'failed' && !again)) return null
  const { order_id: orderId, attempt } = refund
  try {
    const { status, id, failureReason } = await ask(gateway, refund)
    if (status === 'succeeded') return { orderId, attempt, status, refundId: id }
    if (status !== 'failed' && status !== 'canceled')
      return { orderId, attempt, status: 'pending', refundId: id }
    log.error({ intentId, refundId: id, status }, 'a refund failed at the provider; trying again')
    return {
      orderId,
      attempt,
      status: 'failed',
      refundId: id,
      failure: `The provider says: ${failureReason ?? status}`,
    }
  } catch (error) {
    if (!(error instanceof PaymentGatewayError)) throw error
    log.error({ err: error, intentId }, 'a refund could not be made; trying again')
    const status = error instanceof ProviderUnavailable ? 'unavailable' : 'failed'
    return { orderId, attempt, status, failure: error.message }
  }
}

function ask(gateway: PaymentGateway, refund: queries.Refund): Promise<Refund> {
  const isMade = refund.status === 'pending' || refund.status === 'succeeded'
  return isMade && refund.refund_id
    ? gateway.retrieveRefund(refund.refund_id)
    : gateway.refundInFull(refund.intent_id, refund.attempt)
}

/**
 * Keeps what became of a refund; call it with the order's row locked.
 *
 * @returns what its order is to be told, if that is news
 */
export async function recordRefund(
  db: Kysely<Database>,
  intentId: string,
  outcome: RefundOutcome,
): Promise<{ orderId: string; kind: 'refunded' | 'refund_failed' } | null> {
  const { status, refundId = '' } = outcome
  const change = await repository.setRefund(db, intentId, outcome)
  if (!change || change.from === status || status === 'pending' || status === 'unavailable') return null
  if (status === 'succeeded') {
    const payment = { intent_id: intentId, order_id: outcome.orderId, amount_cents: change.amount_cents }
    const refunded = { status: 'refunded', refund_id: refundId, refund_reason: change.reason } as const
    await repository.keepOutcome(db, payment, refunded)
  }
  return { orderId: outcome.orderId, kind: status === 'succeeded' ? 'refunded' : 'refund_failed' }
}

/** Takes refunds whose time has come, for this process alone for a minute: those first that wait for longest. */
export const claimRefunds = repository.claimRefunds
