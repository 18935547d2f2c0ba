import type { OrderDetails } from '../../../contract/checkout.ts'
import { ApiError, call } from '../../api.ts'
import { forgetUnpaid, readUnpaidOrders, rememberUnpaid } from '../../unpaid-orders.ts'

/** Stores a guest's order while it awaits payment, and removes it otherwise. */
export function followOrder({ id, status, payBy, processing }: OrderDetails, key: string): void {
  if (status !== 'unpaid' || processing) return forgetUnpaid(id)
  rememberUnpaid({ id, key, until: payBy === undefined ? null : Date.parse(payBy) })
}

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
