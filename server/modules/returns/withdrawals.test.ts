import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
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
} from '../../../tests/factories.ts'
import { whileWebhooksAreLost } from '../../../tests/lost-webhooks.ts'
import { sentEmails } from '../../../tests/mailbox.ts'
import { returnSteps } from '../../../tests/return-steps.ts'
import { expectConsistent, refused, useCustomer, useTestShop } from '../../../tests/shop.ts'
import { readStock } from '../../../tests/stock.ts'
import * as pricing from '../pricing/service.ts'
import { closeCancelled } from './service.ts'

const shop = useTestShop({ mail: 'mailbox' })
const rider = useCustomer(() => aCustomer(shop))
const admin = useCustomer(() => anAdmin(shop))
const { aShippedOrder, request, decide, refund, list, findFirst, details, withdraw } = returnSteps(shop, {
  rider,
  admin,
})
/** Brake pads for $40, 10 in stock. */
let pads: string

beforeEach(async () => {
  pads = await aProduct(shop)
})

const aShippingRate = () =>
  pricing.saveShippingRate(shop.db, 's1', { name: 'Standard', places: [], price: 5, position: 0 }, null)
const payForPads = (quantity = 3) => aPaidOrder(shop, rider, { productId: pads, quantity })

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
    const id = await aShippedOrder(pads)
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
    const id = await aShippedOrder(pads)
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
    await withdraw({ orderId: await aShippedOrder(pads) }, { as: rider })
    const email = (await sentEmails(shop.db, rider.email)).find(({ subject }) => /return/.test(subject))
    expect(email?.body).toMatch(/Write R-\w+ on the parcel\.\n\n3 × Sintered brake pads\n\nOrder: /)
  })

  test('of items that are all in an open return waits for an admin, and of withdrawn ones is closed', async () => {
    const [returned, withdrawn] = [await aShippedOrder(pads), await aShippedOrder(pads)]
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
    const id = await aShippedOrder(pads)
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
    const id = await aShippedOrder(pads)
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
