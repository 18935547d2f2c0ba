import type { Refund } from '../../../contract/payments.ts'

export const refundStates: Record<Refund['status'], string> = {
  due: 'To be made',
  pending: 'Pending',
  succeeded: 'Returned',
  failed: 'Failed',
}

/** Reason of a refund, capitalized. */
export const refundReason = ({ reason }: Refund): string =>
  reason ? `${reason.charAt(0).toUpperCase()}${reason.slice(1)}` : '–'
