import type { Refund } from '../../../contract/payments.ts'

export const refundStates: Record<Refund['status'], string> = {
  due: 'To be made',
  pending: 'Pending',
  succeeded: 'Returned',
  failed: 'Failed',
}

/** Why the money goes back, as a person says it. */
export const refundReason = ({ reason }: Refund): string =>
  reason ? `${reason.charAt(0).toUpperCase()}${reason.slice(1)}` : '–'
