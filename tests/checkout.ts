import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Checkout } from '../contract/checkout.ts'
import { type TestCustomer, untilDecided } from './factories.ts'
import type { TestShop } from './shop.ts'

/**
 * Payment steps of a customer, and the resulting records.
 *
 * @param who called for each request, because each test has a new customer
 */
export function payingAs(who: () => { shop: TestShop; rider: TestCustomer }) {
  const open = (body: object, as = who().rider) => who().shop.call('createPaymentIntent', { as, body })

  return {
    open,
    /** Creates the payment intent for an order of $40; returns its client secret. */
    async openedFor(orderId: string): Promise<string> {
      const { body } = await open({ amount: 40, orderId })
      expect(body.client_secret).toMatch(/^pi_\w+_secret_\w+$/)
      return body.client_secret
    },
    /** Reports the payment of an order to the shop. */
    confirm: (id: string, transactionId: string, as = who().rider) =>
      who().shop.call('payOrder', { as, params: { id }, body: { transactionId } }),
    cancel: (id: string) => who().shop.call('deleteOrder', { as: who().rider, query: { id } }),
    toOrder: async (id: string) =>
      (await who().shop.call('getOrder', { as: who().rider, query: { id } })).body,
    /** The payments of an order in the database, with reason and status of the refund. */
    listIntentsFor: (orderId: string) =>
      who()
        .shop.db.selectFrom('payments')
        .leftJoin('refunds', 'refunds.intent_id', 'payments.intent_id')
        .selectAll('payments')
        .select(sql<string>`reason || ': ' || refunds.status`.as('refund'))
        .where('payments.order_id', '=', orderId)
        .orderBy('payments.attempt')
        .execute(),
  }
}

/** A line of a checkout, by default for one piece at $40. */
export const aLine = (variantId: string, quantity = 1, unitPrice = 40) => ({ variantId, quantity, unitPrice })

/** The two calls that place an order. Without a key each request is an order of its own. */
export const orderingAt = (shop: TestShop) => ({
  order: (body: Checkout, as?: TestCustomer, key: string = randomUUID()) =>
    untilDecided(() =>
      shop.call('checkOut', { ...(as && { as }), headers: { 'idempotency-key': key }, body }),
    ),
  purchase: (productId: string, as: TestCustomer, { quantity = 1, key = '' } = {}) =>
    untilDecided(() =>
      shop.call('confirmPurchase', {
        as,
        ...(key && { headers: { 'idempotency-key': key } }),
        body: { productId, quantity, amount: quantity * 40, customerAddress: '1 Road' },
      }),
    ),
})
