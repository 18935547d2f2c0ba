import type { Refund } from '../../../contract/payments.ts'

export const refundStates: Record<Refund['status'], string> = {
  due: 'Due',
  pending: 'Pending',
  succeeded: 'Refunded',
  failed: 'Failed',
}

/** Reason of a refund, capitalized. */
export const refundReason = ({ reason }: Refund): string =>
  reason ? `${reason.charAt(0).toUpperCase()}${reason.slice(1)}` : '–'
