import { toDollars } from '../../../contract/money.ts'
import type { Refund } from '../../../contract/payments.ts'
import type * as queries from './queries.ts'

/** A refund on the wire. */
export function presentRefund(refund: queries.Refund & { customer_email?: string }): Refund {
  return {
    orderId: refund.order_id,
    customerEmail: refund.customer_email,
    intentId: refund.intent_id,
    refundId: refund.refund_id ?? undefined,
    amount: toDollars(refund.amount_cents),
    reason: refund.reason,
    status: refund.status,
    failures: refund.attempt - 1,
    failure: refund.failure ?? undefined,
    createdAt: refund.created_at.toISOString(),
    updatedAt: refund.updated_at.toISOString(),
    nextTryAt: refund.next_try_at?.toISOString(),
  }
}
