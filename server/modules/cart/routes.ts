import type { Kysely } from 'kysely'
import type { Database } from '../../../db/schema.ts'
import type { Calls } from '../../http/calls.ts'
import * as cart from './service.ts'

export function registerCart(calls: Calls, db: Kysely<Database>): void {
  calls.handle('quoteCart', ({ body }) => cart.quote(db, body.lines))
  calls.handle('getCart', ({ caller }) => cart.getCart(db, caller.customerId))
  calls.handle('setCartLine', ({ params, body, caller }) =>
    cart.setLine(db, caller.customerId, params.variantId, body),
  )
  calls.handle('mergeCart', ({ body, caller }) => cart.mergeCart(db, caller.customerId, body.lines))
}
