import type { Calls } from '../../http/calls.ts'
import type { CouponLimiter } from '../pricing/service.ts'
import * as cart from './service.ts'

export function registerCart(calls: Calls, limiter: CouponLimiter): void {
  calls.handle('quoteCart', ({ body: { lines, coupon, ...request }, request: { ip }, db }) =>
    cart.quote(db, lines, { ...request, coupon: coupon ? { code: coupon, ip, limiter } : undefined }),
  )
  calls.handle('getCart', ({ caller, db }) => cart.getCart(db, caller.customerId))
  calls.handle('setCartLine', ({ params, body, caller, db }) =>
    cart.setLine(db, caller.customerId, params.variantId, body),
  )
  calls.handle('mergeCart', ({ body, caller, db }) => cart.mergeCart(db, caller.customerId, body.lines))
}
