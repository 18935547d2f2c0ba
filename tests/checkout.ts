import { sql } from 'kysely'
import { expect } from 'vitest'
import type { TestCustomer } from './factories.ts'
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
