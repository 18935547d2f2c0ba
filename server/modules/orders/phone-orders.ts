import type { PhoneOrder } from '../../../contract/checkout.ts'
import { orderNumber } from '../../../contract/order-number.ts'
import { refuseTransition } from '../../../contract/order-status.ts'
import { noPermissions } from '../../../contract/permissions.ts'
import type { Actor } from '../../platform/actor.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { ShopError } from '../../platform/errors.ts'
import { recordChange } from '../audit/service.ts'
import { findCustomerByEmail, hasVerifiedIdentity } from '../customers/service.ts'
import type { TypedCoupon } from '../pricing/service.ts'
import { checkOut } from './checkout.ts'
import type { PlaceDeps } from './place.ts'
import * as queries from './queries.ts'
import * as repository from './repository.ts'

/** An order by phone with what its link depends on. */
type LinkedOrder = NonNullable<Awaited<ReturnType<typeof queries.findLinkedOrder>>>

/**
 * Places an order for a caller, who pays it by a link in an email. It has no limits of guests, and belongs to the account with
 * this email if the email is verified: else a stranger who has signed up with it would see the order. The same idempotency
 * key of an admin returns the same order.
 *
 * @throws the errors of `checkOut`, but those about the limits of buyers
 */
export async function placePhoneOrder(
  deps: PlaceDeps,
  admin: Actor,
  { payWithinDays, coupon, ...order }: Omit<PhoneOrder, 'coupon'> & { coupon?: TypedCoupon | undefined },
  idempotencyKey: string,
): Promise<LinkedOrder> {
  const account = await findCustomerByEmail(deps.db, order.email)
  const isVerified = account !== undefined && (await hasVerifiedIdentity(deps.db, account.id))
  const { customerId, ip } = admin
  const { id } = await checkOut(
    deps,
    isVerified ? { customerId: account.id, ip } : { customerId: null, permissions: noPermissions, ip },
    { ...order, coupon },
    // The keys of an admin never equal the keys of buyers and other admins.
    `${customerId}:${idempotencyKey}`,
    { customerId, ip, payWithinDays },
  )
  return requireLinkedOrder(deps, id)
}

/**
 * Queues the email with the link that pays an order by phone again.
 *
 * @param payWithinDays the new last day to pay, counted from today; undefined: it stays
 * @throws ORDER_NOT_FOUND if it was not placed by phone, is cancelled, or can no longer be paid; ORDER_ALREADY_PAID,
 * ORDER_ALREADY_SHIPPED, ORDER_REFUNDED
 */
export async function sendPaymentLink(
  { db, terms, orderEmails }: PlaceDeps,
  id: string,
  payWithinDays: number | undefined,
  sentBy: Actor,
): Promise<LinkedOrder> {
  const order = await inTransaction(db, async (tx) => {
    const locked = await repository.lockOrder(tx, id)
    if (!locked?.placed_by) throw new ShopError('ORDER_NOT_FOUND')
    const code = refuseTransition('pay', locked.status)
    if (code) throw new ShopError(code)
    if (payWithinDays !== undefined) await repository.extendPayment(tx, id, payWithinDays)
    // The job has not cancelled it yet.
    else if (await repository.isExpired(tx, id, terms)) throw new ShopError('ORDER_NOT_FOUND')
    await orderEmails?.enqueuePaymentLink(tx, id)
    const linked = await requireLinkedOrder({ db: tx }, id)
    await recordChange(tx, {
      area: 'payment-links',
      subject: id,
      name: `Payment link of #${orderNumber(id)}`,
      before: { pay_by: locked.pay_by?.toISOString() ?? null },
      after: { pay_by: linked.pay_by.toISOString() },
      actor: sentBy,
    })
    return linked
  })
  orderEmails?.wake()
  return order
}

async function requireLinkedOrder({ db }: Pick<PlaceDeps, 'db'>, id: string): Promise<LinkedOrder> {
  const order = await queries.findLinkedOrder(db, id)
  if (!order) throw new ShopError('ORDER_NOT_FOUND')
  return order
}
