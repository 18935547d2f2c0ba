import { randomUUID } from 'node:crypto'
import type { NewReturn } from '../contract/returns.ts'
import { aPaidOrder, type TestCustomer } from './factories.ts'
import { sentEmails } from './mailbox.ts'
import type { TestShop } from './shop.ts'

interface Buyer {
  as?: TestCustomer
  headers?: Record<string, string>
}

interface People {
  rider: TestCustomer
  admin: TestCustomer
}

/** Returns the calls of a rider and an admin about returns and withdrawals. */
export function returnSteps(shop: TestShop, { rider, admin }: People) {
  const ship = (id: string) =>
    shop.call('updateShipping', { as: admin, params: { id }, body: { shipping: 'Shipped' } })
  const list = async () => (await shop.call('listReturns', { as: admin })).body
  return {
    ship,
    async aShippedOrder(productId: string): Promise<string> {
      const id = await aPaidOrder(shop, rider, { productId, quantity: 3 })
      await ship(id)
      // Emails that are queued later are sent after these.
      await sentEmails(shop.db, rider.email)
      return id
    },
    request: (
      id: string,
      lines: NewReturn['lines'] = [{ line: 1, pieces: 1, reason: 'did_not_fit' }],
      buyer: Buyer = { as: rider },
    ) => shop.call('requestReturn', { ...buyer, params: { id }, body: { lines, note: 'Wrong year' } }),
    decide: (id: string, body: object) => shop.call('decideReturn', { as: admin, params: { id }, body }),
    refund: (id: string, returnId: string, lines: { line: number; amount: number; pieces: number }[]) =>
      shop.call('refundOrder', {
        as: admin,
        params: { id },
        headers: { 'idempotency-key': randomUUID() },
        body: { kind: 'return', lines, returnId, reason: 'Returned' },
      }),
    list,
    findFirst: async () => (await list())[0]?.id ?? '',
    details: async (id: string, buyer: Buyer = { as: rider }) =>
      (await shop.call('getOrderDetails', { ...buyer, params: { id } })).body,
    withdraw: (body: object, { as, headers = {} }: Buyer = {}) =>
      shop.call('withdraw', {
        as,
        headers: { 'idempotency-key': randomUUID(), ...headers },
        body: { orderNumber: 'a1b2c3', email: rider.email, name: 'Ada', ...body },
      }),
    /** Changes the verified email of the rider's account. */
    async changeEmail(): Promise<string> {
      const email = `new-${rider.email}`
      const { db } = shop
      await db.updateTable('customers').set({ email }).where('id', '=', rider.id).execute()
      await db.updateTable('customer_identities').set({ email }).where('customer_id', '=', rider.id).execute()
      return email
    },
  }
}
