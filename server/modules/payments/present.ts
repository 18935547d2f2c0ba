import { toDollars } from '../../../contract/money.ts'
import type { Refund } from '../../../contract/payments.ts'
import type * as queries from './queries.ts'

export function presentRefund(refund: queries.ListedRefund & { customer_email?: string }): Refund {
  return {
    id: refund.id,
    orderId: refund.order_id,
    customerEmail: refund.customer_email,
    intentId: refund.intent_id,
    refundId: refund.provider_refund_id ?? undefined,
    amount: toDollars(refund.amount_cents),
    kind: refund.kind,
    reason: refund.reason,
    status: refund.status,
    failures: refund.attempt - 1,
    failure: refund.failure ?? undefined,
    createdAt: refund.created_at.toISOString(),
    updatedAt: refund.updated_at.toISOString(),
    nextAttemptAt: refund.next_attempt_at?.toISOString(),
    note: refund.note || undefined,
    lines: refund.lines.map(({ line_number, amount_cents, pieces }) => ({
      line: line_number,
      amount: toDollars(amount_cents),
      pieces,
    })),
  }
}
