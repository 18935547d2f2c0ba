import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type RouteName, routes } from '../../contract/routes.ts'
import {
  aCustomer,
  aGuestOrder,
  anAdmin,
  anOrder,
  aPhoneOrder,
  aWrongKey,
  type TestCustomer,
} from '../factories.ts'
import { openTestShop, type TestShop } from '../shop.ts'

let shop: TestShop

beforeAll(async () => {
  shop = await openTestShop()
})
afterAll(() => shop.close())

describe('the key of a guest order', () => {
  beforeEach(() => shop.database.empty())

  const keyCalls = (Object.keys(routes) as RouteName[]).filter((name) =>
    routes[name].access.endsWith('-or-key'),
  )
  /** The header that each kind of guest sends, and whether it opens the order. */
  const guests: Record<
    string,
    { isAllowed: boolean; send: (order: GuestOrder) => Promise<Record<string, string>> }
  > = {
    'the key of the order': { isAllowed: true, send: async ({ headers }) => headers },
    'a wrong key': { isAllowed: false, send: async ({ key }) => ({ 'order-key': aWrongKey(key) }) },
    'the key of another order': { isAllowed: false, send: async () => (await aGuestOrder(shop)).headers },
    'an expired key': {
      isAllowed: false,
      send: async ({ id, headers }) => {
        await shop.db.updateTable('orders').set({ key_version: 2 }).where('id', '=', id).execute()
        return headers
      },
    },
    'the key of an order that an account has claimed': {
      isAllowed: false,
      send: async ({ email, headers }) => {
        await shop.call('claimGuestOrders', { as: await aCustomer(shop, { email }) })
        return headers
      },
    },
    'a stale access token and the key': {
      isAllowed: true,
      send: async ({ headers }) => ({ ...headers, authorization: 'Bearer stale.stale.stale' }),
    },
  }
  type GuestOrder = Awaited<ReturnType<typeof aGuestOrder>>

  /** Sends the key of an order that a call can use in its state, if the key opens it. */
  const openWithKey = (name: RouteName, id: string, headers: Record<string, string>) =>
    shop.call(name, {
      params: { id },
      headers,
      ...(name === 'confirmOrderPayment' && { body: { transactionId: 'pi_invented' } }),
      ...(name === 'issueInvoice' && { body: {} }),
      ...(name === 'requestReturn' && { body: { lines: [{ line: 1, pieces: 1, reason: 'damaged' }] } }),
    })

  test.each(
    keyCalls.flatMap((name) => Object.entries(guests).map(([guest, kind]) => [name, guest, kind] as const)),
  )('%s with %s', async (name, _guest, { isAllowed, send }) => {
    const order = await aGuestOrder(shop)
    const { status } = await openWithKey(name, order.id, await send(order))
    // An order that is not shipped has nothing to return.
    expect(isAllowed ? [200, 409, 422] : [404]).toContain(status)
  })

  test.each(keyCalls)(
    "%s with the key of an account's order: only if it is an order by phone",
    async (name) => {
      const { email } = await aCustomer(shop)
      const { id, headers } = await aPhoneOrder(shop, await anAdmin(shop), { email })
      const order = { id, key_version: 1 }
      expect(headers['order-key']).toBe(shop.payments.orderKeys.sign(order))
      expect([200, 409, 422]).toContain((await openWithKey(name, id, headers)).status)
      await shop.db
        .updateTable('orders')
        .set({ placed_by: null, pay_by: null })
        .where('id', '=', id)
        .execute()
      expect((await openWithKey(name, id, headers)).status).toBe(404)
    },
  )

  test('that is wrong is refused with an expired token, so that the browser renews the token', async () => {
    const { id, key } = await aGuestOrder(shop)
    const headers = { 'order-key': aWrongKey(key), authorization: 'Bearer stale.stale.stale' }
    for (const name of keyCalls) expect((await openWithKey(name, id, headers)).status, name).toBe(401)
  })

  test('opens no order of a customer, and no other call', async () => {
    const owner = await aCustomer(shop)
    const { headers, id } = await aGuestOrder(shop)
    const orderId = await anOrder(shop, owner)
    expect((await shop.call('getOrderDetails', { params: { id: orderId }, headers })).status).toBe(404)
    expect((await shop.call('getOrder', { query: { id }, headers })).status).toBe(401)
    expect((await shop.call('deleteOrder', { query: { id }, headers })).status).toBe(401)
  })

  test('is not needed by an admin, and other customers cannot do without it', async () => {
    const { id } = await aGuestOrder(shop)
    const open = async (as: TestCustomer) =>
      (await shop.call('getOrderDetails', { params: { id }, as })).status
    expect(await open(await anAdmin(shop))).toBe(200)
    expect(await open(await aCustomer(shop))).toBe(404)
  })
})
