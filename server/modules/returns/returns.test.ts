import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import type { NewReturn } from '../../../contract/returns.ts'
import { untilWaiting } from '../../../tests/database.ts'
import {
  aCheckout,
  aCustomer,
  aGuestOrder,
  anAdmin,
  anOrder,
  aPaidOrder,
  aPlacedCheckout,
  aProduct,
  payAtSandbox,
  payOrder,
  type TestCustomer,
} from '../../../tests/factories.ts'
import { whileWebhooksAreLost } from '../../../tests/lost-webhooks.ts'
import { sentEmails } from '../../../tests/mailbox.ts'
import { expectConsistent, refused, useCustomer, useTestShop } from '../../../tests/shop.ts'
import { readStock } from '../../../tests/stock.ts'
import * as pricing from '../pricing/service.ts'
import { closeCancelled } from './service.ts'

const shop = useTestShop({ mail: 'mailbox' })
const rider = useCustomer(() => aCustomer(shop))
const admin = useCustomer(() => anAdmin(shop))
/** Brake pads for $40, 10 in stock. */
let pads: string

beforeEach(async () => {
  pads = await aProduct(shop)
})

interface Buyer {
  as?: TestCustomer
  headers?: Record<string, string>
}

const aShippingRate = () =>
  pricing.saveShippingRate(shop.db, 's1', { name: 'Standard', places: [], price: 5, position: 0 }, null)
const payForPads = (quantity = 3) => aPaidOrder(shop, rider, { productId: pads, quantity })
async function aShippedOrder(): Promise<string> {
  const id = await payForPads()
  await ship(id)
  // Emails that are queued later are sent after these.
  await sentEmails(shop.db, rider.email)
  return id
}
const ship = (id: string) =>
  shop.call('updateShipping', { as: admin, params: { id }, body: { shipping: 'Shipped' } })
const request = (
  id: string,
  lines: NewReturn['lines'] = [{ line: 1, pieces: 1, reason: 'did_not_fit' }],
  buyer: Buyer = { as: rider },
) => shop.call('requestReturn', { ...buyer, params: { id }, body: { lines, note: 'Wrong year' } })
const decide = (id: string, body: object) => shop.call('decideReturn', { as: admin, params: { id }, body })
const refund = (id: string, returnId: string, lines: { line: number; amount: number; pieces: number }[]) =>
  shop.call('refundOrder', {
    as: admin,
    params: { id },
    headers: { 'idempotency-key': randomUUID() },
    body: { kind: 'return', lines, returnId, reason: 'Returned' },
  })
const list = async () => (await shop.call('listReturns', { as: admin })).body
const findFirst = async () => (await list())[0]?.id ?? ''
const details = async (id: string, buyer: Buyer = { as: rider }) =>
  (await shop.call('getOrderDetails', { ...buyer, params: { id } })).body
/** Changes the verified email of the rider's account. */
async function changeEmail(): Promise<string> {
  const email = `new-${rider.email}`
  const { db } = shop
  await db.updateTable('customers').set({ email }).where('id', '=', rider.id).execute()
  await db.updateTable('customer_identities').set({ email }).where('customer_id', '=', rider.id).execute()
  return email
}
const withdraw = (body: object, { as, headers = {} }: Buyer = {}) =>
  shop.call('withdraw', {
    as,
    headers: { 'idempotency-key': randomUUID(), ...headers },
    body: { orderNumber: 'a1b2c3', email: rider.email, name: 'Ada', ...body },
  })

describe('a return', () => {
  test('is requested, approved with an email, and closed when its items are refunded', async () => {
    const id = await aShippedOrder()
    const { status, body } = await request(id)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      number: `R-${body.id.slice(0, 6)}`,
      orderId: id,
      status: 'requested',
      withdrawal: false,
      note: 'Wrong year',
      lines: [{ line: 1, pieces: 1, reason: 'did_not_fit', refundedPieces: 0 }],
    })
    expect(await list()).toMatchObject([{ id: body.id }])
    expect((await decide(body.id, { status: 'approved', reply: '1 Depot Road' })).body.status).toBe(
      'approved',
    )
    const emails = await sentEmails(shop.db, rider.email)
    expect(emails.at(-1)?.subject).toBe(`Your return ${body.number}`)
    expect(emails.at(-1)?.body).toMatch(
      /1 × .*1 Depot Road.*Order: #\w{6}\nDate: .*View your order:\n\S*\/dashboard\/my-orders/s,
    )
    const reply = await refund(id, body.id, [{ line: 1, pieces: 1, amount: 40 }])
    expect(reply.body).toMatchObject({ kind: 'return', amount: 40 })
    expect(await readStock(shop, pads)).toBe(8)
    const order = await details(id)
    expect(order).toMatchObject({ status: 'shipped', returns: [{ status: 'closed', reply: '1 Depot Road' }] })
    expect(order.history.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['return_requested', 'return_approved', 'return_closed']),
    )
    await expectConsistent(shop.db)
  })

  test('is possible for a guest with the key, and not for a stranger or an admin', async () => {
    const { id, key } = await aGuestOrder(shop, { productId: pads })
    const buyer = { headers: { 'order-key': key } }
    await payOrder(shop, buyer, id)
    await ship(id)
    expect(await request(id, undefined, { as: rider })).toMatchObject(refused('ORDER_NOT_FOUND'))
    expect(await request(id, undefined, { headers: { 'order-key': 'wrong' } })).toMatchObject(
      refused('ORDER_NOT_FOUND'),
    )
    expect((await request(id, undefined, buyer)).status).toBe(200)
    expect(await details(id, buyer)).toMatchObject({ returns: [{ status: 'requested' }] })
  })

  test('is for shipped items that are in no other return, even at the same time', async () => {
    const open = await payForPads()
    expect(await request(open)).toMatchObject({
      status: 422,
      body: { code: 'RETURN_NOT_POSSIBLE', lines: [1] },
    })
    const id = await aShippedOrder()
    const two = [{ line: 1, pieces: 2, reason: 'damaged' as const }]
    const replies = await Promise.all([0, 1, 2].map(() => request(id, two)))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(replies.filter(({ body }) => body.code === 'RETURN_NOT_POSSIBLE')).toHaveLength(2)
    const [first] = await list()
    await decide(first?.id ?? '', { status: 'rejected', reply: 'They were used' })
    expect((await sentEmails(shop.db, rider.email)).at(-1)).toMatchObject({
      subject: "We can't accept your return",
      body: expect.stringMatching(/They were used.*Order: #\w{6}\nDate: .*View your order:/s),
    })
    expect((await request(id, two)).status).toBe(200)
  })

  test('is requested once for each idempotency key, even after another answer', async () => {
    const [id, other] = [await aShippedOrder(), await aShippedOrder()]
    const buyer = { as: rider, headers: { 'idempotency-key': randomUUID() } }
    const all = [{ line: 1, pieces: 3, reason: 'damaged' as const }]
    const [first, second] = await Promise.all([request(id, all, buyer), request(id, all, buyer)])
    expect(first).toMatchObject({ status: 200, body: { status: 'requested', lines: all } })
    expect(second.body).toEqual(first.body)
    await decide(first.body.id, { status: 'approved' })
    expect((await request(id, all, buyer)).body).toMatchObject({ id: first.body.id, status: 'approved' })
    expect(await request(id, undefined, buyer)).toMatchObject(refused('IDEMPOTENCY_KEY_REUSED'))
    expect(await request(other, all, buyer)).toMatchObject(refused('IDEMPOTENCY_KEY_REUSED'))
    const statement = { orderId: id, orderNumber: id.slice(0, 6), note: 'Wrong year' }
    expect(await withdraw(statement, buyer)).toMatchObject(refused('IDEMPOTENCY_KEY_REUSED'))
    const stranger = { ...buyer, as: await aCustomer(shop) }
    expect(await request(id, all, stranger)).toMatchObject(refused('ORDER_NOT_FOUND'))
    expect(await list()).toHaveLength(1)
  })

  test('can be requested again after it was closed, except for what came back', async () => {
    const id = await aShippedOrder()
    const three = [{ line: 1, pieces: 3, reason: 'damaged' as const }]
    const { body } = await request(id, three)
    await decide(body.id, { status: 'approved' })
    await refund(id, body.id, [{ line: 1, pieces: 1, amount: 40 }])
    expect(await request(id)).toMatchObject(refused('RETURN_NOT_POSSIBLE'))
    await decide(body.id, { status: 'closed' })
    expect((await details(id)).returnable).toEqual([{ line: 1, pieces: 2 }])
    expect(await request(id, three)).toMatchObject(refused('RETURN_NOT_POSSIBLE'))
    expect((await request(id, [{ line: 1, pieces: 2, reason: 'damaged' }])).status).toBe(200)
    await expectConsistent(shop.db)
  })

  test('is not possible later than the shop allows', async () => {
    const id = await aShippedOrder()
    await shop.db
      .updateTable('shipments')
      .set({ shipped_at: new Date(Date.now() - 31 * 24 * 3_600_000) })
      .execute()
    expect(await request(id)).toMatchObject(refused('RETURN_NOT_POSSIBLE'))
  })

  test('is decided once, and needs a reason to be rejected', async () => {
    const { body } = await request(await aShippedOrder())
    expect(await decide(body.id, { status: 'rejected' })).toMatchObject(refused('INVALID_REQUEST'))
    // The customer would never read it.
    for (const status of ['closed', undefined])
      expect(await decide(body.id, { status, reply: 'Too late' })).toMatchObject(
        refused('INVALID_REQUEST', { fields: { reply: expect.any(String) } }),
      )
    await decide(body.id, { status: 'rejected', reply: 'Too late' })
    expect(await decide(body.id, { status: 'approved' })).toMatchObject(refused('RETURN_CLOSED'))
    expect(await decide('none', { status: 'approved' })).toMatchObject(refused('NOT_FOUND'))
  })

  test.each(['approved', 'rejected'] as const)('is %s again only with the same reply', async (status) => {
    const { body } = await request(await aShippedOrder())
    const emails = async () => (await sentEmails(shop.db, rider.email)).length
    const first = { status, reply: '1 Depot Road' }
    await decide(body.id, first)
    const count = await emails()
    expect(await decide(body.id, first)).toMatchObject({ status: 200, body: first })
    for (const reply of ['2 Depot Road', status === 'approved' ? '' : 'Too late'])
      expect(await decide(body.id, { status, reply })).toMatchObject(refused('RETURN_CLOSED'))
    expect(await list()).toMatchObject([first])
    expect(await emails()).toBe(count)
    if (status === 'rejected') return
    for (const _time of [1, 2])
      expect(await decide(body.id, { status: 'closed' })).toMatchObject({ body: { status: 'closed' } })
  })

  test('is approved with an email to the new email of the account', async () => {
    const id = await aShippedOrder()
    await request(id)
    const sent = (await sentEmails(shop.db, rider.email)).length
    const email = await changeEmail()
    expect((await decide(await findFirst(), { status: 'approved' })).status).toBe(200)
    expect(await sentEmails(shop.db, email)).toMatchObject([{ subject: expect.stringContaining('return') }])
    expect(await sentEmails(shop.db, rider.email)).toHaveLength(sent)
  })

  /** Sends the emails that are queued in the meantime when `change` has ended. */
  async function delayEmails(change: () => Promise<unknown>): Promise<void> {
    await shop.database.pool.query(`create function hold() returns trigger language plpgsql as
      $$ begin new.next_attempt_at := now() + interval '1 hour'; return new; end $$;
      create trigger hold before insert on mail_outbox for each row execute function hold()`)
    await change()
    await shop.database.pool.query('drop trigger hold on mail_outbox; drop function hold')
    await shop.db.updateTable('mail_outbox').set({ next_attempt_at: new Date() }).execute()
    shop.payments.orderEmails?.wake()
  }

  test('omits the order from an email to a former address of the account', async () => {
    const { body } = await request(await aShippedOrder())
    await delayEmails(async () => {
      await decide(body.id, { status: 'approved', reply: '1 Depot Road' })
      await changeEmail()
    })
    const email = (await sentEmails(shop.db, rider.email)).at(-1)
    expect(email?.body).toContain('1 Depot Road')
    expect(email?.body).not.toMatch(/View your order|Order: #/)
  })

  test('is approved with an email that leads a guest back to the order', async () => {
    const { id, key, email, headers } = await aGuestOrder(shop, { productId: pads })
    await payOrder(shop, { headers }, id)
    await ship(id)
    const { body } = await request(id, undefined, { headers })
    await decide(body.id, { status: 'approved', reply: '1 Depot Road' })
    expect((await sentEmails(shop.db, email)).at(-1)?.body).toContain(`/order/${id}#${key}`)
  })

  test('is not answered with an address if it is closed before the email is sent', async () => {
    const { body } = await request(await aShippedOrder())
    await sentEmails(shop.db, rider.email)
    await delayEmails(async () => {
      await decide(body.id, { status: 'approved', reply: '1 Depot Road' })
      await decide(body.id, { status: 'closed' })
    })
    const subjects = (await sentEmails(shop.db, rider.email)).map(({ subject }) => subject)
    expect(subjects.filter((subject) => /return/.test(subject))).toEqual([])
  })

  test('is not refunded before it is approved, nor for another order', async () => {
    const id = await aShippedOrder()
    const other = await aShippedOrder()
    const { body } = await request(id)
    const items = [{ line: 1, pieces: 1, amount: 40 }]
    expect(await refund(id, body.id, items)).toMatchObject(refused('RETURN_CLOSED'))
    await decide(body.id, { status: 'approved' })
    expect(await refund(other, body.id, items)).toMatchObject(refused('RETURN_CLOSED'))
    expect(await shop.db.selectFrom('refunds').select('id').execute()).toEqual([])
  })
})

describe('a withdrawal by the buyer', () => {
  test('of an order that is not shipped refunds it, and is acknowledged', async () => {
    const id = await payForPads()
    const { status, body } = await withdraw({ orderId: id }, { as: rider })
    expect(status).toBe(200)
    expect(body.statement).toBe(`Ada withdraws from the contract for order #${id.slice(0, 6)}.`)
    expect(await details(id)).toMatchObject({
      status: 'refunded',
      refunded: 120,
      returns: [{ withdrawal: true, status: 'closed' }],
    })
    expect(await readStock(shop, pads)).toBe(10)
    const subjects = (await sentEmails(shop.db, rider.email)).map(({ subject }) => subject)
    expect(subjects).toEqual(
      expect.arrayContaining(['We received your withdrawal', `Refund for order #${id.slice(0, 6)}`]),
    )
    await expectConsistent(shop.db)
  })

  test('is recorded once for each key, even with the same words', async () => {
    const id = await payForPads()
    const one = { orderId: id, lines: [{ line: 1, pieces: 1 }] }
    const headers = { 'idempotency-key': randomUUID() }
    const send = (body: object) => withdraw(body, { as: rider, headers })
    const [first, second] = await Promise.all([send(one), send(one)])
    expect(first).toMatchObject({ status: 200, body: second.body })
    expect((await send(one)).body).toEqual(first.body)
    expect(await details(id)).toMatchObject({ refunded: 40 })
    expect(await send({ ...one, lines: [{ line: 1, pieces: 2 }] })).toMatchObject(
      refused('IDEMPOTENCY_KEY_REUSED'),
    )
    const other = await payForPads(1)
    expect(await send({ ...one, orderId: other })).toMatchObject(refused('IDEMPOTENCY_KEY_REUSED'))
    // Another piece of the same item, from another form.
    const next = await withdraw(one, { as: rider })
    expect(next.body.statement).toBe(first.body.statement)
    expect(await details(id)).toMatchObject({ refunded: 80, lines: [{ openPieces: 1 }], returns: [{}, {}] })
    const subjects = (await sentEmails(shop.db, rider.email)).map(({ subject }) => subject)
    expect(subjects.filter((subject) => subject === 'We received your withdrawal')).toHaveLength(2)
    await expectConsistent(shop.db)
  })

  test('is refused without proof, so that the browser sends it again with a new token', async () => {
    const id = await payForPads()
    const one = { orderId: id, lines: [{ line: 1, pieces: 1 }] }
    expect(await withdraw(one)).toMatchObject(refused('NOT_SIGNED_IN'))
    const expired = { authorization: 'Bearer stale.stale.stale' }
    expect(await withdraw(one, { headers: expired })).toMatchObject(refused('NOT_SIGNED_IN'))
    expect(await withdraw(one, { headers: { 'order-key': 'wrong' } })).toMatchObject(refused('NOT_SIGNED_IN'))
    expect(await withdraw(one, { as: await aCustomer(shop) })).toMatchObject(refused('ORDER_NOT_FOUND'))
    expect(await withdraw(one, { as: admin })).toMatchObject(refused('ORDER_NOT_FOUND'))
    expect(await withdraw({ ...one, orderId: undefined })).toMatchObject(
      refused('INVALID_REQUEST', { fields: { lines: 'Send the orderId of these lines' } }),
    )
    expect(await list()).toEqual([])
  })

  test('of a part cancels that part', async () => {
    const id = await payForPads()
    await withdraw({ orderId: id, lines: [{ line: 1, pieces: 1 }] }, { as: rider })
    expect(await details(id)).toMatchObject({
      status: 'paid',
      refunded: 40,
      lines: [{ openPieces: 2, cancelledPieces: 1 }],
      returns: [{ status: 'closed', note: '1 × Sintered brake pads', lines: [{ line: 1, pieces: 1 }] }],
    })
    // A later one from the whole order is another statement.
    const { body } = await withdraw({ orderId: id }, { as: rider })
    expect(body.statement).toBe(`Ada withdraws from the contract for order #${id.slice(0, 6)}.`)
    expect(await details(id)).toMatchObject({
      status: 'refunded',
      refunded: 120,
      returns: [{}, { note: '' }],
    })
    await expectConsistent(shop.db)
  })

  test('of items in words waits for an admin', async () => {
    const id = await payForPads()
    const { body } = await withdraw({ orderId: id, note: 'one of the pads' }, { as: rider })
    expect(body.statement).toContain('for these items: one of the pads.')
    expect(await details(id)).toMatchObject({ status: 'paid', refunded: 0 })
    expect(await list()).toMatchObject([
      { orderId: id, status: 'requested', note: 'one of the pads', lines: [] },
    ])
  })

  test('of shipped items is an approved return, even after the time for returns', async () => {
    const id = await aShippedOrder()
    await shop.db
      .updateTable('shipments')
      .set({ shipped_at: new Date('2020-01-01') })
      .execute()
    await withdraw({ orderId: id }, { as: rider })
    expect(await list()).toMatchObject([
      { orderId: id, withdrawal: true, status: 'approved', lines: [{ line: 1, pieces: 3 }] },
    ])
    expect((await list())[0]?.refundBy).toBeDefined()
    expect(await details(id)).toMatchObject({ status: 'shipped', refunded: 0 })
  })

  test('of shipped items is answered with one email that has the number and the address', async () => {
    const id = await aShippedOrder()
    const buyer = { as: rider, headers: { 'idempotency-key': randomUUID() } }
    const address = { street: '1 Depot Road', city: 'Austin' }
    await shop.call('saveShopSettings', { as: admin, headers: { 'if-match': '"0"' }, body: address })
    for (const _time of [1, 2]) await withdraw({ orderId: id, lines: [{ line: 1, pieces: 2 }] }, buyer)
    const number = `R-${(await findFirst()).slice(0, 6)}`
    const emails = (await sentEmails(shop.db, rider.email)).filter(({ subject }) => /return/.test(subject))
    expect(emails).toMatchObject([{ subject: `Your return ${number}` }])
    expect(emails[0]?.body).toMatch(
      /Write R-\w+ on the parcel\.\n\n2 × Sintered brake pads\n\nSend them to:\n\n1 Depot Road/,
    )
  })

  test('of shipped items is answered without an address if the shop has none', async () => {
    await withdraw({ orderId: await aShippedOrder() }, { as: rider })
    const email = (await sentEmails(shop.db, rider.email)).find(({ subject }) => /return/.test(subject))
    expect(email?.body).toMatch(/Write R-\w+ on the parcel\.\n\n3 × Sintered brake pads\n\nOrder: /)
  })

  test('of items that are all in an open return waits for an admin, and of withdrawn ones is closed', async () => {
    const [returned, withdrawn] = [await aShippedOrder(), await aShippedOrder()]
    const { body } = await request(returned, [{ line: 1, pieces: 3, reason: 'damaged' }])
    await withdraw({ orderId: returned }, { as: rider })
    expect((await details(returned)).returns).toMatchObject([
      { id: body.id, withdrawal: false, status: 'requested' },
      { withdrawal: true, status: 'requested', lines: [] },
    ])
    await withdraw({ orderId: withdrawn }, { as: rider })
    await withdraw({ orderId: withdrawn }, { as: rider })
    expect((await details(withdrawn)).returns).toMatchObject([{ status: 'approved' }, { status: 'closed' }])
    await decide(body.id, { status: 'approved' })
    await refund(returned, body.id, [{ line: 1, pieces: 3, amount: 120 }])
    await withdraw({ orderId: returned }, { as: rider })
    expect((await details(returned)).returns.at(-1)).toMatchObject({ status: 'closed' })
    await expectConsistent(shop.db)
  })

  test.each([
    ['named items', [{ line: 1, pieces: 3 }]],
    ['the whole order', undefined],
  ])('of %s waits for an admin if some of them are in an open return', async (_what, lines) => {
    const id = await aShippedOrder()
    await request(id)
    await withdraw({ orderId: id, lines: [{ line: 1, pieces: 1 }] }, { as: rider })
    await withdraw({ orderId: id, lines }, { as: rider })
    expect((await details(id)).returns).toMatchObject([
      { withdrawal: false, status: 'requested', lines: [{ pieces: 1 }] },
      { withdrawal: true, status: 'approved', lines: [{ pieces: 1 }] },
      { withdrawal: true, status: 'requested', lines: [{ pieces: 1 }] },
    ])
    await expectConsistent(shop.db)
  })

  test('of an unpaid order cancels it', async () => {
    const id = await anOrder(shop, rider, { productId: pads })
    await withdraw({ orderId: id }, { as: rider })
    expect(await details(id)).toMatchObject({ status: 'cancelled', returns: [{ status: 'closed' }] })
    expect(await readStock(shop, pads)).toBe(10)
  })

  test('of an unpaid order cancels it when it is repeated, if the first request failed after its commit', async () => {
    const id = await anOrder(shop, rider, { productId: pads, quantity: 3 })
    const send = (lines: { line: number; pieces: number }[], key: string) =>
      withdraw({ orderId: id, lines }, { as: rider, headers: { 'idempotency-key': key } })
    const [part, rest] = [randomUUID(), randomUUID()]
    const two = [{ line: 1, pieces: 2 }]
    const one = [{ line: 1, pieces: 1 }]
    await send(two, part)
    await send(two, part)
    expect(await details(id)).toMatchObject({ status: 'unpaid', returns: [{ status: 'requested' }] })
    await shop.database.pool.query(`create function fail() returns trigger language plpgsql as
      $$ begin raise exception using errcode = 'admin_shutdown'; end $$;
      create trigger fail before update on orders for each row when (new.status = 'cancelled')
        execute function fail()`)
    expect((await send(one, rest)).status).toBe(503)
    await shop.database.pool.query('drop trigger fail on orders; drop function fail')
    expect(await details(id)).toMatchObject({ status: 'unpaid', returns: [{}, { status: 'requested' }] })
    expect((await send(one, rest)).status).toBe(200)
    expect(await details(id)).toMatchObject({
      status: 'cancelled',
      returns: [{ status: 'closed' }, { status: 'closed' }],
    })
    expect(await readStock(shop, pads)).toBe(10)
    await expectConsistent(shop.db)
  })

  describe('of an order that is paid at the same moment', () => {
    /** Pays at the provider, which the shop learns only when it closes the payment. */
    async function payUnnoticed(id: string): Promise<void> {
      const { body } = await shop.call('openOrderPayment', { as: rider, params: { id } })
      await whileWebhooksAreLost(shop, () => payAtSandbox(shop, body.clientSecret))
    }

    test('refunds it', async () => {
      const id = await anOrder(shop, rider, { productId: pads })
      await payUnnoticed(id)
      expect((await withdraw({ orderId: id }, { as: rider })).status).toBe(200)
      expect(await details(id)).toMatchObject({
        status: 'refunded',
        refunded: 40,
        returns: [{ status: 'closed' }],
      })
      expect(await readStock(shop, pads)).toBe(10)
      await expectConsistent(shop.db)
    })

    test('refunds it when it is repeated, if the first request failed in between', async () => {
      const id = await anOrder(shop, rider, { productId: pads })
      await payUnnoticed(id)
      const buyer = { as: rider, headers: { 'idempotency-key': randomUUID() } }
      await shop.database.pool.query(`create function fail() returns trigger language plpgsql as
        $$ begin raise exception using errcode = 'admin_shutdown'; end $$;
        create trigger fail before insert on refunds for each row execute function fail()`)
      expect((await withdraw({ orderId: id }, buyer)).status).toBe(503)
      await shop.database.pool.query('drop trigger fail on refunds; drop function fail')
      expect(await details(id)).toMatchObject({ status: 'paid', returns: [{ status: 'requested' }] })
      for (const _time of [1, 2]) expect((await withdraw({ orderId: id }, buyer)).status).toBe(200)
      expect(await details(id)).toMatchObject({
        status: 'refunded',
        refunded: 40,
        returns: [{ status: 'closed' }],
      })
      await expectConsistent(shop.db)
    })

    test('waits for an admin if its items have special return terms, even if it is repeated', async () => {
      await shop.db.updateTable('products').set({ return_note: 'Made to order: no returns' }).execute()
      const id = await anOrder(shop, rider, { productId: pads })
      await payUnnoticed(id)
      const buyer = { as: rider, headers: { 'idempotency-key': randomUUID() } }
      for (const _time of [1, 2]) expect((await withdraw({ orderId: id }, buyer)).status).toBe(200)
      expect(await details(id)).toMatchObject({ status: 'paid', refunded: 0 })
      expect(await list()).toMatchObject([{ status: 'requested', lines: [{ pieces: 1 }] }])
    })
  })

  test('of some items waits for an admin if the order is unpaid, and of the rest cancels the order', async () => {
    const id = await anOrder(shop, rider, { productId: pads, quantity: 3 })
    await withdraw({ orderId: id, lines: [{ line: 1, pieces: 2 }] }, { as: rider })
    await withdraw({ orderId: id, note: 'one of the pads' }, { as: rider })
    expect(await details(id)).toMatchObject({
      status: 'unpaid',
      returns: [
        { status: 'requested', lines: [{ line: 1, pieces: 2 }] },
        { status: 'requested', note: 'one of the pads', lines: [] },
      ],
    })
    expect((await list()).map(({ refundBy }) => refundBy)).toEqual([undefined, undefined])
    expect(await readStock(shop, pads)).toBe(7)
    await expectConsistent(shop.db)
    await withdraw({ orderId: id, lines: [{ line: 1, pieces: 1 }] }, { as: rider })
    const { status, returns } = await details(id)
    expect([status, ...returns.map((each) => each.status)]).toEqual([
      'cancelled',
      'closed',
      'closed',
      'closed',
    ])
    expect(await readStock(shop, pads)).toBe(10)
    await expectConsistent(shop.db)
  })

  test.each([
    ['the whole order', undefined],
    ['the rest', [{ line: 1, pieces: 2 }]],
  ])('of %s after the payment includes what was withdrawn before it', async (_what, lines) => {
    await aShippingRate()
    const all = [{ variantId: pads, quantity: 3, unitPrice: 40 }]
    const id = await aPlacedCheckout(shop, rider, { ...aCheckout(all), total: 125 })
    await withdraw({ orderId: id, lines: [{ line: 1, pieces: 1 }] }, { as: rider })
    await payOrder(shop, { as: rider }, id)
    expect(await details(id)).toMatchObject({ status: 'paid', returns: [{ status: 'requested' }] })
    await withdraw({ orderId: id, lines }, { as: rider })
    expect(await details(id)).toMatchObject({
      status: 'refunded',
      refunded: 125,
      returns: [
        { status: 'closed', lines: [{ pieces: 1, refundedPieces: 1 }] },
        { status: 'closed', lines: [{ pieces: 2, refundedPieces: 2 }] },
      ],
    })
    expect(await readStock(shop, pads)).toBe(10)
    await expectConsistent(shop.db)
  })

  test('of a part after the payment leaves an earlier one that needs a review to an admin', async () => {
    const [gloves, custom] = [await aProduct(shop), await aProduct(shop)]
    const terms = shop.db.updateTable('products').set({ return_note: 'Made to order: no returns' })
    await terms.where('id', '=', custom).execute()
    const lines = [pads, gloves, custom].map((variantId) => ({ variantId, quantity: 3, unitPrice: 40 }))
    const id = await aPlacedCheckout(shop, rider, aCheckout(lines))
    for (const line of [1, 3]) await withdraw({ orderId: id, lines: [{ line, pieces: 1 }] }, { as: rider })
    await payOrder(shop, { as: rider }, id)
    await withdraw({ orderId: id, lines: [{ line: 2, pieces: 1 }] }, { as: rider })
    expect(await details(id)).toMatchObject({
      status: 'paid',
      refunded: 80,
      lines: [{ openPieces: 2 }, { openPieces: 2 }, { openPieces: 3 }],
      returns: [{ status: 'closed' }, { status: 'requested' }, { status: 'closed' }],
    })
    await expectConsistent(shop.db)
  })

  test('after the payment closes those before it whose pieces an admin has cancelled in the meantime', async () => {
    const id = await anOrder(shop, rider, { productId: pads, quantity: 4 })
    for (const pieces of [2, 1]) await withdraw({ orderId: id, lines: [{ line: 1, pieces }] }, { as: rider })
    await payOrder(shop, { as: rider }, id)
    await shop.call('refundOrder', {
      as: admin,
      params: { id },
      headers: { 'idempotency-key': randomUUID() },
      body: { kind: 'cancellation', lines: [{ line: 1, pieces: 3, amount: 120 }], reason: 'Sold out' },
    })
    expect((await withdraw({ orderId: id }, { as: rider })).status).toBe(200)
    expect(await details(id)).toMatchObject({
      status: 'refunded',
      refunded: 160,
      refunds: [{ amount: 120 }, { amount: 40 }],
      returns: [{ status: 'closed' }, { status: 'closed' }, { status: 'closed' }],
    })
    await expectConsistent(shop.db)
  })

  test('of some items is closed when its unpaid order is cancelled', async () => {
    const cancelled = await anOrder(shop, rider, { productId: pads, quantity: 3 })
    const unpaid = await anOrder(shop, rider, { productId: pads, quantity: 3 })
    for (const orderId of [cancelled, unpaid]) {
      await withdraw({ orderId, lines: [{ line: 1, pieces: 2 }] }, { as: rider })
    }
    await shop.call('cancelOrder', { params: { id: cancelled }, as: rider })
    await closeCancelled(shop.db)
    expect(await details(cancelled)).toMatchObject({ status: 'cancelled', returns: [{ status: 'closed' }] })
    expect(await details(unpaid)).toMatchObject({ status: 'unpaid', returns: [{ status: 'requested' }] })
  })

  test('in words is closed when the whole order is cancelled and refunded', async () => {
    const id = await payForPads()
    await withdraw({ orderId: id, note: 'all of it' }, { as: rider })
    await closeCancelled(shop.db)
    expect(await details(id)).toMatchObject({ returns: [{ status: 'requested' }] })
    await shop.call('cancelOrder', { params: { id }, as: rider })
    await closeCancelled(shop.db)
    expect(await details(id)).toMatchObject({ status: 'refunded', returns: [{ status: 'closed' }] })
  })

  test('of the same items with special return terms waits for each piece once', async () => {
    await shop.db.updateTable('products').set({ return_note: 'Made to order: no returns' }).execute()
    const id = await payForPads()
    await withdraw({ orderId: id, lines: [{ line: 1, pieces: 2 }] }, { as: rider })
    await withdraw({ orderId: id }, { as: rider })
    expect(await list()).toMatchObject([{ lines: [{ pieces: 2 }] }, { lines: [{ pieces: 1 }] }])
    await expectConsistent(shop.db)
  })

  test('works for a guest with the key', async () => {
    const { id, key } = await aGuestOrder(shop, { productId: pads })
    const buyer = { headers: { 'order-key': key } }
    await payOrder(shop, buyer, id)
    await withdraw({ orderId: id }, buyer)
    expect(await details(id, buyer)).toMatchObject({ status: 'refunded' })
  })

  test('of the last other item does not refund what was kept of a product with special return terms', async () => {
    const gloves = await aProduct(shop)
    const lines = [pads, gloves].map((variantId) => ({ variantId, quantity: 1, unitPrice: 40 }))
    const terms = shop.db.updateTable('products').set({ return_note: 'Made to order: no returns' })
    await terms.where('id', '=', pads).execute()
    const id = await aPlacedCheckout(shop, rider, aCheckout(lines))
    await payOrder(shop, { as: rider }, id)
    const line = { line: 1, pieces: 1, amount: 25 }
    const body = { kind: 'cancellation' as const, lines: [line], reason: 'Already cut' }
    await shop.call('refundOrder', {
      as: admin,
      params: { id },
      headers: { 'idempotency-key': randomUUID() },
      body,
    })
    await withdraw({ orderId: id, lines: [{ line: 2, pieces: 1 }] }, { as: rider })
    expect(await details(id)).toMatchObject({ status: 'paid', refunded: 25 })
    expect(await list()).toMatchObject([{ status: 'requested', lines: [{ pieces: 1 }] }])
    await expectConsistent(shop.db)
  })

  test('of a product with special return terms waits for an admin, and so does its cancellation', async () => {
    await shop.db.updateTable('products').set({ return_note: 'Made to order: no returns' }).execute()
    const id = await payForPads()
    expect((await details(id)).needsReview).toBe(true)
    expect((await details(id, { as: admin })).needsReview).toBe(false)
    const refusal = await shop.call('cancelOrder', { as: rider, params: { id } })
    expect(refusal).toMatchObject(refused('CANCELLATION_NEEDS_REVIEW'))
    // With WITHDRAWAL=0 the shop has no such link.
    expect(JSON.stringify(refusal.body)).not.toContain('Withdraw from contract')
    await withdraw({ orderId: id }, { as: rider })
    expect(await details(id)).toMatchObject({ status: 'paid', refunded: 0 })
    expect(await list()).toMatchObject([{ status: 'requested', lines: [{ pieces: 3 }] }])
    expect((await shop.call('cancelOrder', { as: admin, params: { id } })).body).toEqual({
      cancelled: true,
      refunded: 120,
    })
    // Nothing has to come back, so the buyer gets no email that asks for it.
    const returnId = await findFirst()
    const emails = await sentEmails(shop.db, rider.email)
    expect((await decide(returnId, { status: 'closed' })).body.status).toBe('closed')
    expect(await sentEmails(shop.db, rider.email)).toHaveLength(emails.length)
    await expectConsistent(shop.db)
  })

  test('depends on the terms that the product had when it was ordered', async () => {
    const saveTerms = (return_note: string | null) =>
      shop.db.updateTable('products').set({ return_note }).execute()
    const cancel = (id: string) => shop.call('cancelOrder', { as: rider, params: { id } })
    const ordinary = await payForPads()
    await saveTerms('Made to order: no returns')
    const special = await payForPads()
    expect((await cancel(ordinary)).body).toEqual({ cancelled: true, refunded: 120 })
    await saveTerms(null)
    expect(await cancel(special)).toMatchObject(refused('CANCELLATION_NEEDS_REVIEW'))
    await withdraw({ orderId: special }, { as: rider })
    expect(await details(special)).toMatchObject({ status: 'paid', refunded: 0 })
    // Orders of earlier versions have the terms of today.
    await shop.db.updateTable('order_lines').set({ has_return_note: null }).execute()
    expect((await cancel(special)).body).toEqual({ cancelled: true, refunded: 120 })
  })
})

describe('the email about an approved withdrawal', () => {
  const approve = async (orderId?: string, reply?: string) => {
    await decide(await findFirst(), { status: 'approved', orderId, reply })
    const emails = await sentEmails(shop.db, rider.email)
    return emails.find(({ subject }) => subject.startsWith('Your return'))?.body ?? ''
  }
  const sendBack = 'You can send back these items'
  const nothing = "You don't need to send anything back"

  test('asks for nothing that was not shipped', async () => {
    await shop.db.updateTable('products').set({ return_note: 'Made to order: no returns' }).execute()
    const id = await payForPads()
    await withdraw({ orderId: id, lines: [{ line: 1, pieces: 2 }] }, { as: rider })
    const email = await approve(undefined, 'We are sorry')
    expect(email).toMatch(/2 × Sintered brake pads.*We are sorry/s)
    expect(email).toContain(nothing)
    for (const text of [sendBack, 'Send them to']) expect(email).not.toContain(text)
    const returnId = await findFirst()
    const line = { line: 1, pieces: 2, amount: 80 }
    const body = { kind: 'cancellation' as const, lines: [line], returnId, reason: 'Withdrawal' }
    const headers = { 'idempotency-key': randomUUID() }
    await shop.call('refundOrder', { as: admin, params: { id }, headers, body })
    expect(await details(id)).toMatchObject({ refunded: 80, returns: [{ status: 'closed' }] })
    await expectConsistent(shop.db)
  })

  test('names the shipped items of the whole order', async () => {
    const id = await aShippedOrder()
    await withdraw({ orderNumber: id.slice(0, 6) })
    const email = await approve(id, '1 Depot Road')
    expect(email).toMatch(
      /You can send back these items.*3 × Sintered brake pads.*Send them to.*1 Depot Road/s,
    )
    expect(email).not.toContain(nothing)
  })

  test('names the items that were shipped, and those that were not', async () => {
    const other = await aProduct(shop)
    const lines = [pads, other].map((variantId) => ({ variantId, quantity: 1, unitPrice: 40 }))
    await shop.db.updateTable('products').set({ return_note: 'Made to order: no returns' }).execute()
    const id = await aPlacedCheckout(shop, rider, aCheckout(lines))
    await payOrder(shop, { as: rider }, id)
    await shop.call('shipOrder', { as: admin, params: { id }, body: { lines: [1], trackingNumbers: [] } })
    await withdraw({ orderId: id }, { as: rider })
    expect(await approve()).toMatch(
      /send back these items.*1 × Sintered brake pads.*were not shipped.*1 × Sintered brake pads/s,
    )
  })
})

describe('a withdrawal without proof', () => {
  test('reveals no order, changes none, and is assigned by an admin', async () => {
    const id = await payForPads()
    const right = await withdraw({ orderNumber: id.slice(0, 6) })
    const wrong = await withdraw({ orderNumber: 'ffffff', email: 'no@example.com' })
    expect([right.status, wrong.status]).toEqual([200, 200])
    expect(Object.keys(right.body)).toEqual(Object.keys(wrong.body))
    expect(await details(id)).toMatchObject({ status: 'paid', returns: [] })
    const [first, second] = await list()
    expect(first).toMatchObject({
      withdrawal: true,
      status: 'requested',
      candidates: [{ id, status: 'paid' }],
    })
    expect(first).not.toHaveProperty('orderId')
    expect(second).toMatchObject({ orderNumber: 'ffffff', candidates: [] })
    expect(await decide(first?.id ?? '', { status: 'approved' })).toMatchObject(refused('RETURN_NEEDS_ORDER'))
    expect(await decide(first?.id ?? '', { orderId: 'none' })).toMatchObject(refused('ORDER_NOT_FOUND'))
    // Its emails name the items of the order, so the writer of another email must not get them.
    expect(await decide(second?.id ?? '', { orderId: id })).toMatchObject(refused('ORDER_NOT_FOUND'))
    expect((await decide(first?.id ?? '', { orderId: id, status: 'approved' })).body).toMatchObject({
      orderId: id,
      status: 'approved',
    })
    expect(await details(id)).toMatchObject({ status: 'paid', returns: [{ status: 'approved' }] })
  })

  test('is assigned by the email of the order or by the present one of its account, and by no other', async () => {
    const id = await payForPads()
    const present = `new-${rider.email}`
    await shop.db.updateTable('customers').set({ email: present }).where('id', '=', rider.id).execute()
    const stranger = await aCustomer(shop)
    for (const email of [stranger.email, present, rider.email]) {
      expect((await withdraw({ orderNumber: id.slice(0, 6), email })).status).toBe(200)
    }
    const [other, ...own] = await list()
    expect(other).toMatchObject({ email: stranger.email, candidates: [] })
    expect(await decide(other?.id ?? '', { orderId: id })).toMatchObject(refused('ORDER_NOT_FOUND'))
    for (const withdrawal of own) {
      expect(withdrawal.candidates).toMatchObject([{ id }])
      expect(await decide(withdrawal.id, { orderId: id })).toMatchObject({
        status: 200,
        body: { orderId: id },
      })
    }
  })

  test('keeps the order that another admin has just assigned', async () => {
    const [own, other] = [await payForPads(), await payForPads()]
    await withdraw({ orderNumber: own.slice(0, 6) })
    const id = await findFirst()
    const late = await shop.db.transaction().execute(async (tx) => {
      await tx.updateTable('returns').set({ order_id: own }).where('id', '=', id).execute()
      const decided = decide(id, { orderId: other, status: 'approved' })
      await untilWaiting(shop)
      return { decided }
    })
    expect(await late.decided).toMatchObject(refused('RETURN_CLOSED'))
    expect(await list()).toMatchObject([{ orderId: own, status: 'requested' }])
    expect(await details(other)).toMatchObject({ returns: [] })
  })

  test('is decided with an email to the present one of the account that it is assigned to', async () => {
    const id = await aShippedOrder()
    await withdraw({ orderNumber: id.slice(0, 6) })
    const email = await changeEmail()
    expect((await decide(await findFirst(), { status: 'approved', orderId: id })).status).toBe(200)
    expect(await sentEmails(shop.db, email)).toMatchObject([{ subject: expect.stringContaining('return') }])
  })

  test('has the order as a candidate, however its number is typed', async () => {
    const id = await payForPads()
    const number = id.slice(0, 6)
    const [start, end] = [number.slice(0, 3), number.slice(3)]
    const separated = `${start}-${end}`.toUpperCase()
    const spellings = [
      `Order #${number}`,
      separated,
      `${start} ${end}`,
      `${number}.`,
      `# ${separated}`,
      `Purchase ${separated}`,
    ]
    for (const typed of spellings) expect((await withdraw({ orderNumber: typed })).status).toBe(200)
    expect((await list()).map(({ candidates }) => candidates)).toMatchObject(spellings.map(() => [{ id }]))
  })

  test('is recorded once for each key', async () => {
    const headers = { 'idempotency-key': randomUUID() }
    const send = (body: object = {}) => withdraw(body, { headers })
    const [first, second] = await Promise.all([send(), send()])
    expect(first).toMatchObject({ status: 200, body: second.body })
    expect(await list()).toHaveLength(1)
    expect(await sentEmails(shop.db, rider.email)).toHaveLength(1)
    expect(await send({ name: 'Bob' })).toMatchObject(refused('IDEMPOTENCY_KEY_REUSED'))
    expect((await withdraw({})).status).toBe(200)
    expect(await list()).toHaveLength(2)
  })

  test('is rejected with an email that names its items, and has no link of a stranger', async () => {
    const reject = async (body: object): Promise<string> => {
      await withdraw(body)
      await sentEmails(shop.db, rider.email)
      const open = (await list()).find(({ status }) => status === 'requested')
      await decide(open?.id ?? '', { status: 'rejected', reply: 'They are not from this shop' })
      return (await sentEmails(shop.db, rider.email)).at(-1)?.body ?? ''
    }
    const sentence = "We can't accept the return of these items of order"
    expect(await reject({ note: '2 spark plugs' })).toContain(
      `${sentence} #a1b2c3.\n\n2 spark plugs\n\nThey are not from this shop\n`,
    )
    expect(await reject({})).toContain(`${sentence} #a1b2c3.\n\nAll items of the order\n`)
    const hostile = await reject({ orderNumber: 'www.evil.example/x', note: 'https://evil.example' })
    const hidden = '(not shown here: it contains a link)'
    expect(hostile).toContain(`${sentence} ${hidden}.\n\n${hidden}\n\nThey are not from this shop\n`)
    expect(hostile).not.toContain('evil')
  })

  test('shows the order number once with its #, and the number of the order once one is assigned', async () => {
    const id = await aShippedOrder()
    const number = id.slice(0, 6)
    const { body } = await withdraw({ orderNumber: `# ${number.toUpperCase()}` })
    expect(body.statement).toBe(`Ada withdraws from the contract for order #${number.toUpperCase()}.`)
    const readLast = async () => (await sentEmails(shop.db, rider.email)).at(-1)?.body
    expect(await readLast()).toMatch(new RegExp(`for order #${number} on .*for order #${number}\\.`, 'is'))
    await decide(await findFirst(), { orderId: id, status: 'approved' })
    expect(await readLast()).toContain(`these items of order #${number}.`)
  })

  test('repeats a number with other words as it was typed', async () => {
    const { body } = await withdraw({ orderNumber: 'Order #8D0976' })
    expect(body.statement).toBe('Ada withdraws from the contract for order “Order #8D0976”.')
    const [email] = await sentEmails(shop.db, rider.email)
    expect(email?.body).toContain('You withdrew from the contract for order “Order #8D0976” on ')
    expect(email?.body).toContain(`\n${body.statement}\n`)
    await decide(await findFirst(), { status: 'rejected', reply: 'Not found' })
    const rejected = (await sentEmails(shop.db, rider.email)).at(-1)
    expect(rejected?.body).toContain('these items of order “Order #8D0976”.')
  })

  test('has an email that marks a text with a link as left out, and a receipt with all of it', async () => {
    const orderNumber = 'https://shop.example/order/8d0976'
    const { body } = await withdraw({ orderNumber, name: 'www.ada.example', note: 'see http://a.example' })
    expect(body.statement).toBe(
      `www.ada.example withdraws from the contract for order “${orderNumber}”, for these items: see http://a.example.`,
    )
    const [email] = await sentEmails(shop.db, rider.email)
    const hidden = '(not shown here: it contains a link)'
    expect(email?.body).toContain(`for order ${hidden} on `)
    expect(email?.body).toContain(
      `\n${hidden} withdraws from the contract for order ${hidden}, for these items: ${hidden}.\n`,
    )
  })

  test('leaves what came back for it out of later returns', async () => {
    const id = await aShippedOrder()
    await withdraw({ orderNumber: id.slice(0, 6) })
    const returnId = await findFirst()
    await decide(returnId, { orderId: id, status: 'approved' })
    await refund(id, returnId, [{ line: 1, pieces: 2, amount: 80 }])
    expect((await details(id)).returnable).toEqual([{ line: 1, pieces: 1 }])
    expect(await request(id, [{ line: 1, pieces: 2, reason: 'damaged' }])).toMatchObject(
      refused('RETURN_NOT_POSSIBLE'),
    )
    await expectConsistent(shop.db)
  })

  test('is returned to a repeated request of a network that has reached its limit', async () => {
    for (let count = 0; count < 9; count++) expect((await withdraw({})).status).toBe(200)
    const headers = { 'idempotency-key': randomUUID() }
    const tenth = await withdraw({}, { headers })
    expect(tenth.status).toBe(200)
    expect(await withdraw({}, { headers })).toMatchObject({ status: 200, body: tenth.body })
    expect(await withdraw({ name: 'Bob' }, { headers })).toMatchObject(refused('IDEMPOTENCY_KEY_REUSED'))
    expect(await withdraw({})).toMatchObject({ status: 429, body: { code: 'TOO_MANY_REQUESTS' } })
    expect(await list()).toHaveLength(10)
  })

  test('is limited for a network, and emails at most three times a day', async () => {
    const email = 'victim@example.com'
    for (let count = 0; count < 10; count++) expect((await withdraw({ email })).status).toBe(200)
    expect(await withdraw({ email })).toMatchObject({ status: 429, body: { code: 'TOO_MANY_REQUESTS' } })
    const emails = await sentEmails(shop.db, email)
    expect(emails.map(({ subject }) => subject)).toEqual(Array(3).fill('We received your withdrawal'))
  })

  test('sends no link of a stranger, and needs a number, an email and a name', async () => {
    await withdraw({
      email: 'victim@example.com',
      name: 'Go to https://evil.example',
      note: 'www.evil.example',
    })
    await withdraw({
      email: 'victim@example.com',
      name: 'Pay at evil.example/pay',
      note: 'J.Smith, evil。example',
    })
    const emails = JSON.stringify(await sentEmails(shop.db, 'victim@example.com'))
    expect(emails).not.toMatch(/evil[.。]example/)
    expect(emails).toContain('Pay at evil. example/pay')
    expect(emails).toContain('J. Smith')
    const { body } = await withdraw({ orderNumber: ' ', email: 'x', name: '' })
    expect(body).toMatchObject({ code: 'INVALID_REQUEST' })
  })
})
