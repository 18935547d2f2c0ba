import type { OrderDetails } from '../../../contract/checkout.ts'
import { ApiError, call } from '../../api.ts'
import {
  endUnpaid,
  forgetUnpaid,
  readUnpaidOrders,
  rememberUnpaid,
  removeOldOrders,
} from '../../unpaid-orders.ts'

/**
 * Stores a guest's order until it is paid, and removes it then. While its payment is processing it is not shown. One that
 * ends without a payment still offers its items.
 */
export function followOrder({ id, status, payBy, processing, history }: OrderDetails, key: string): void {
  if (status === 'cancelled') {
    return endUnpaid(id, history.some(({ kind }) => kind === 'expired') ? 'expired' : 'cancelled')
  }
  if (status !== 'unpaid') return forgetUnpaid(id)
  const until = payBy === undefined ? null : Date.parse(payBy)
  rememberUnpaid({ id, key, until: processing ? longAgo : until })
}

/** A stored order that has expired is not shown, and is checked again when the shop or the cart is opened. */
const longAgo = 1

let running: Promise<void> | undefined

/** Asks the shop whether the stored orders still await payment. A check that is running is shared. */
export function checkUnpaid(): Promise<void> {
  running ??= followStored().finally(() => {
    running = undefined
  })
  return running
}

async function followStored(): Promise<void> {
  removeOldOrders()
  for (const { id, key, ended } of readUnpaidOrders()) {
    if (ended) continue
    try {
      followOrder(await call('getOrderDetails', { params: { id }, headers: { 'order-key': key } }), key)
    } catch (error) {
      // Its key does not open it any more, for example because it was added to an account.
      if (error instanceof ApiError && error.status === 404) forgetUnpaid(id)
    }
  }
}
