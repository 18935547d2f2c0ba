import type { Actor, Caller } from '../../guards.ts'
import { transact } from '../../platform/retry.ts'
import { ShopError } from '../../platform/shop-error.ts'
import * as payments from '../payments/service.ts'
import * as repository from './repository.ts'
import { requireMove, requireOrder } from './service.ts'
import { settle } from './settlement.ts'

/**
 * Cancels an unpaid order and gives its stock back once. The provider is asked first, with no lock held: an open
 * payment is closed there; one that has succeeded settles the order instead.
 *
 * @returns false where it was cancelled already
 * @throws ORDER_NOT_FOUND, ORDER_ALREADY_PAID, ORDER_ALREADY_SHIPPED, PAYMENT_IN_PROGRESS,
 * PAYMENT_PROVIDER_UNAVAILABLE
 */
export async function cancelOrder(deps: payments.PaymentDeps, caller: Caller, id: string): Promise<boolean> {
  const order = await requireOrder(deps.db, caller, id, 'owner or admin')
  if (order.status === 'cancelled') return false
  requireMove('cancel', order.status)
  return cancel(deps, id, caller)
}

/**
 * Cancels an order that nobody has paid in time, as its customer would.
 *
 * @returns false where it was cancelled or paid meanwhile
 */
export async function expireOrder(deps: payments.PaymentDeps, id: string): Promise<boolean> {
  const refusals = ['ORDER_ALREADY_PAID', 'ORDER_ALREADY_SHIPPED', 'PAYMENT_IN_PROGRESS']
  return cancel(deps, id, null).catch((error: unknown) => {
    if (error instanceof ShopError && refusals.includes(error.code)) return false
    throw error
  })
}

async function cancel(deps: payments.PaymentDeps, id: string, cancelledBy: Actor | null): Promise<boolean> {
  const blocking = await payments.closePayment(deps, id)
  if (blocking) {
    const outcome = await settle(deps, blocking)
    throw new ShopError(outcome === 'paid' ? 'ORDER_ALREADY_PAID' : 'PAYMENT_IN_PROGRESS')
  }
  return transact(deps.db, async (tx) => {
    const locked = await repository.lockOrder(tx, id)
    if (!locked || locked.status === 'cancelled') return false
    requireMove('cancel', locked.status)
    // Another tab has opened a payment since the last one was closed.
    if (await payments.hasLivePayment(tx, id)) throw new ShopError('PAYMENT_IN_PROGRESS')
    await repository.cancelOrder(tx, id, cancelledBy)
    return true
  })
}
