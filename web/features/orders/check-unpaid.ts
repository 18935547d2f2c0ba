import type { OrderDetails } from '../../../contract/checkout.ts'
import { ApiError, call } from '../../api.ts'
import { forgetUnpaid, readUnpaidOrders, rememberUnpaid } from '../../unpaid-orders.ts'

/** Stores a guest's order until it is paid, and removes it then. While its payment is processing it is not shown. */
export function followOrder({ id, status, payBy, processing }: OrderDetails, key: string): void {
  if (status !== 'unpaid') return forgetUnpaid(id)
  const until = payBy === undefined ? null : Date.parse(payBy)
  rememberUnpaid({ id, key, until: processing ? longAgo : until })
}

/** A stored order that has expired is not shown, and is checked again when the shop is opened. */
const longAgo = 1

let hasChecked = false

/** Asks the shop once whether the stored orders still await payment. */
export async function checkOnce(): Promise<void> {
  if (hasChecked) return
  hasChecked = true
  for (const { id, key } of readUnpaidOrders()) {
    try {
      followOrder(await call('getOrderDetails', { params: { id }, headers: { 'order-key': key } }), key)
    } catch (error) {
      // Its key does not open it any more, for example because it was added to an account.
      if (error instanceof ApiError && error.status === 404) forgetUnpaid(id)
    }
  }
}
