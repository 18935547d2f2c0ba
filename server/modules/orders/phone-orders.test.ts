import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import type { PhoneOrder } from '../../../contract/checkout.ts'
import {
  aBike,
  aCheckout,
  aCustomer,
  aGuestOrder,
  anAdmin,
  anOrder,
  aPhoneOrder,
  aProduct,
  payOrder,
  someAddress,
  type TestCustomer,
  untilDecided,
} from '../../../tests/factories.ts'
import { expectConsistent, refused, useCustomer, useTestShop } from '../../../tests/shop.ts'
import { expectLedgerToAddUp, readStock } from '../../../tests/stock.ts'
import { expireUnpaidOrders } from '../payments/cancellation.ts'

const shop = useTestShop()
const admin = useCustomer(() => anAdmin(shop))
const rider = useCustomer(() => aCustomer(shop))
/** Brake pads for $40, 100 in stock. */
let pads: string

beforeEach(async () => {
  pads = await aProduct(shop, { quantity: 100 })
})

const line = (variantId = pads, quantity = 1) => ({ variantId, quantity, unitPrice: 40 })
const aCall = (more: Partial<PhoneOrder> = {}): PhoneOrder => ({
  ...aCheckout(more.lines ? more.lines.map((each) => ({ ...each, unitPrice: 40 })) : [line()]),
  email: 'caller@example.com',
  payWithinDays: 7,
  ...more,
})
const place = (body: unknown, { as = admin, key = randomUUID() }: { as?: TestCustomer; key?: string } = {}) =>
  untilDecided(() => shop.call('placePhoneOrder', { as, headers: { 'idempotency-key': key }, body }))
const send = (id: string, body = {}, as = admin) => shop.call('sendPaymentLink', { as, params: { id }, body })
const readDetails = async (
  id: string,
  by: { as?: TestCustomer; headers?: Record<string, string> } = { as: admin },
) => (await shop.call('getOrderDetails', { ...by, params: { id } })).body
const countOrders = async () => (await shop.db.selectFrom('orders').select('id').execute()).length
const setPayBy = (id: string, payBy: string) =>
  shop.db
    .updateTable('orders')
    .set({ pay_by: new Date(payBy) })
    .where('id', '=', id)
    .execute()
const makeOlder = (id: string, hours: number) =>
  sql`with older as (
      update orders set placed_at = placed_at - ${hours}::float8 * interval '1 hour' where id = ${id} returning id, placed_at
    )
    update order_documents set placed_at = older.placed_at from older where order_id = older.id`.execute(
    shop.db,
  )
/** The end of a day in UTC, counted from today. */
const endOf = (days: number): string => {
  const day = new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  return `${day}T23:59:59.000Z`
}

describe('POST /v1/phone-orders', () => {
  test('charges what a checkout charges: lines, discount, shipping and tax', async () => {
    const rates = [
      { name: 'Standard', places: [], price: 5.95, position: 1 },
      { name: 'Express', places: [], price: 24.95, position: 2 },
    ]
    for (const body of rates) {
      await shop.call('saveShippingRate', { as: admin, params: { id: randomUUID() }, body })
    }
    const tax = { place: 'US-IL', label: 'Sales tax', rate: 6.25, included: false, taxesShipping: false }
    await shop.call('saveTaxRate', { as: admin, params: { id: randomUUID() }, body: tax })
    const code = { code: 'TORQUE10', kind: 'percent', rate: 10, oncePerBuyer: false }
    await shop.call('saveCoupon', { as: admin, params: { id: randomUUID() }, body: code })
    const bike = await aBike(shop)
    const lines = [{ ...line(pads, 3), bike }]
    const choice = { shippingRate: 'Express', coupon: 'torque10' }
    const quoted = await shop.call('quoteCart', { body: { lines, destination: someAddress, ...choice } })
    const body = aCall({ lines, total: quoted.body.total, ...choice, note: 'Ring twice.' })
    const phone = (await place(body)).body
    const { payWithinDays: _, ...checkout } = body
    const headers = { 'idempotency-key': randomUUID() }
    const guest = await shop.call('checkOut', { headers, body: { ...checkout, asGuest: true } })

    const ordered = await readDetails(phone.id)
    expect(phone).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      amount: quoted.body.total,
      url: expect.stringMatching(new RegExp(`^${shop.config.origin}/order/${phone.id}#[\\w-]{43}$`)),
      payBy: endOf(7),
    })
    const { lines: items, charges, total, note, name, address } = await readDetails(guest.body.id)
    expect(ordered).toMatchObject({ lines: items, charges, total, note, name, address })
    expect(charges.map(({ kind }) => kind)).toEqual(['discount', 'shipping', 'tax'])
    expect(items[0]?.fit).toMatchObject({ bike: { id: bike } })
    expect(ordered).toMatchObject({
      status: 'unpaid',
      email: 'caller@example.com',
      payBy: endOf(7),
      guest: true,
      history: [{ kind: 'placed', by: 'admin', email: admin.email }],
      staff: { placedBy: admin.email, order: { payBy: endOf(7) } },
    })
    expect((await readDetails(guest.body.id)).staff?.placedBy).toBeUndefined()
    expect(await readStock(shop, pads)).toBe(94)
    await expectLedgerToAddUp(shop, pads)
    await expectConsistent(shop.db)
  })

  test('belongs to the account with this email, whose cart stays, and never to one with an unverified email', async () => {
    await shop.call('mergeCart', { as: rider, body: { lines: [line()] } })
    const own = await aPhoneOrder(shop, admin, { email: rider.email.toUpperCase(), productId: pads })
    expect((await shop.call('getCart', { as: rider })).body.lines).toHaveLength(1)
    const listed = await shop.call('listOrders', { as: rider, query: { email: rider.email } })
    expect(listed.body).toMatchObject([{ _id: own.id, payBy: endOf(7), customerEmail: rider.email }])
    expect(await readDetails(own.id)).toMatchObject({ guest: false, staff: { placedBy: admin.email } })
    const asOwner = await readDetails(own.id, { as: rider })
    expect(asOwner).toMatchObject({ guest: false, history: [{ kind: 'placed', by: 'admin' }] })
    expect(asOwner.staff).toBeUndefined()
    expect(JSON.stringify(asOwner)).not.toContain(admin.email)

    const stranger = await aCustomer(shop, { email: 'caller@example.com', emailVerified: false })
    const { id, headers } = await aPhoneOrder(shop, admin, { email: stranger.email, productId: pads })
    expect((await shop.call('getOrderDetails', { as: stranger, params: { id } })).status).toBe(404)
    expect((await readDetails(id, { headers })).guest).toBe(true)
    // The link looks the same for a caller with an account.
    const withLink = await readDetails(own.id, { headers: own.headers })
    expect(withLink.guest).toBe(true)
    await expectConsistent(shop.db)
  })

  test('five requests with one key place one order, even after an account was created or has claimed it', async () => {
    const key = randomUUID()
    const body = aCall({ lines: [line(pads, 2)] })
    const responses = await Promise.all(Array.from({ length: 5 }, () => place(body, { key })))
    const [first] = responses
    expect(responses.map((response) => response.body)).toEqual(responses.map(() => first?.body))
    expect(await readStock(shop, pads)).toBe(98)
    for (const more of [{ payWithinDays: 8 }, { email: 'other@example.com' }, { note: 'Ring twice.' }]) {
      expect(await place({ ...body, ...more }, { key })).toMatchObject(refused('IDEMPOTENCY_KEY_REUSED'))
    }
    const account = await aCustomer(shop, { email: body.email })
    expect((await place(body, { key })).body).toEqual(first?.body)
    expect((await shop.call('claimGuestOrders', { as: account })).body).toEqual({ claimed: 1 })
    expect((await place(body, { key })).body).toEqual(first?.body)
    expect(await countOrders()).toBe(1)
    // Another admin, and a buyer, have keys of their own.
    expect((await place(body, { key, as: await anAdmin(shop) })).body.id).not.toBe(first?.body.id)
    const headers = { 'idempotency-key': key }
    const own = await shop.call('checkOut', { as: account, headers, body: aCheckout([line()]) })
    expect(own.status).toBe(200)
    expect(await countOrders()).toBe(3)
    await expectConsistent(shop.db)
  })

  test('two admins cannot sell the last piece twice', async () => {
    const last = await aProduct(shop, { quantity: 1 })
    const other = await anAdmin(shop)
    const body = aCall({ lines: [line(last)] })
    const responses = await Promise.all([place(body), place(body, { as: other })])
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200, 409]))
    expect(responses.find(({ status }) => status === 409)?.body).toMatchObject({
      code: 'CART_CHANGED',
      quote: { lines: [{ problem: { code: 'OUT_OF_STOCK', left: 0 } }] },
    })
    expect(await readStock(shop, last)).toBe(0)
    await expectConsistent(shop.db)
  })

  test('has no limits of guests and accounts, and leaves them theirs', async () => {
    for (let number = 0; number < 12; number++) {
      const email = number % 2 ? rider.email : 'caller@example.com'
      expect((await place(aCall({ email }))).status).toBe(200)
    }
    expect((await place(aCall({ lines: [line(pads, 60)] }))).status).toBe(200)
    for (let number = 0; number < 3; number++) {
      await aGuestOrder(shop, { email: 'caller@example.com', productId: pads })
    }
    for (let number = 0; number < 10; number++) await anOrder(shop, rider, { productId: pads })
    const headers = { 'idempotency-key': randomUUID() }
    const eleventh = await shop.call('checkOut', { as: rider, headers, body: aCheckout([line()]) })
    expect(eleventh.body.code).toBe('TOO_MANY_OPEN_ORDERS')
  })

  test.each([
    ['no lines', () => aCall({ lines: [] }), 'CART_EMPTY'],
    ['no email', () => ({ ...aCall(), email: undefined }), 'INVALID_REQUEST'],
    ['a wrong email', () => aCall({ email: 'caller' }), 'INVALID_REQUEST'],
    ['0 days', () => aCall({ payWithinDays: 0 }), 'INVALID_REQUEST'],
    ['15 days', () => aCall({ payWithinDays: 15 }), 'INVALID_REQUEST'],
    ['half a day', () => aCall({ payWithinDays: 0.5 }), 'INVALID_REQUEST'],
    [
      'an address without its city',
      () => aCall({ address: { ...someAddress, city: '' } }),
      'INVALID_REQUEST',
    ],
    ['another price', () => aCall({ total: 39 }), 'CART_CHANGED'],
    ['more than the stock', () => aCall({ lines: [line(pads, 101)] }), 'CART_CHANGED'],
    ['an unknown code', () => aCall({ coupon: 'NOTHING' }), 'COUPON_UNKNOWN'],
    ['an unknown shipping option', () => aCall({ shippingRate: 'Balloon' }), 'CART_CHANGED'],
  ] as const)('refuses %s, and reserves nothing', async (what, body, code) => {
    if (what === 'an unknown shipping option') {
      const rate = { name: 'Standard', places: [], price: 0, position: 1 }
      await shop.call('saveShippingRate', { as: admin, params: { id: randomUUID() }, body: rate })
    }
    expect((await place(body())).body.code).toBe(code)
    expect(await readStock(shop, pads)).toBe(100)
  })

  test('refuses an address to which nothing can be sent, and a code that is used up', async () => {
    const places = { name: 'Standard', places: ['CA'], price: 5, position: 1 }
    await shop.call('saveShippingRate', { as: admin, params: { id: randomUUID() }, body: places })
    expect((await place(aCall())).body.code).toBe('NO_SHIPPING')
    const code = { code: 'TORQUE10', kind: 'percent', rate: 10, oncePerBuyer: true }
    await shop.call('saveCoupon', { as: admin, params: { id: randomUUID() }, body: code })
    const address = { ...someAddress, country: 'CA', region: 'ON', postalCode: 'K1A 0B1' }
    const body = aCall({ address, coupon: 'TORQUE10', total: 41 })
    expect((await place(body)).status).toBe(200)
    expect((await place(body)).body.code).toBe('COUPON_ALREADY_USED')
  })
})

describe('an order by phone', () => {
  test('can be paid for days, then it expires and returns its stock', async () => {
    const paid = await aPhoneOrder(shop, admin, { productId: pads })
    const late = await aPhoneOrder(shop, admin, { productId: pads, payWithinDays: 3 })
    const own = await aPhoneOrder(shop, admin, { productId: pads, email: rider.email })
    expect(late.payBy).toBe(endOf(3))
    // Longer than guests and accounts have.
    for (const { id } of [paid, late, own]) await makeOlder(id, 100)
    await expireUnpaidOrders(shop.payments)
    await payOrder(shop, { headers: paid.headers }, paid.id)
    expect(await readStock(shop, pads)).toBe(97)

    await setPayBy(late.id, '2026-01-02T23:59:59Z')
    expect((await readDetails(late.id, { headers: late.headers })).payBy).toBe('2026-01-02T23:59:59.000Z')
    await Promise.all([expireUnpaidOrders(shop.payments), expireUnpaidOrders(shop.payments)])
    expect(await readStock(shop, pads)).toBe(98)
    await expectLedgerToAddUp(shop, pads)
    expect(await readDetails(late.id, { headers: late.headers })).toMatchObject({
      status: 'cancelled',
      history: [{ kind: 'placed' }, { kind: 'expired', by: 'shop' }],
    })
    expect((await readDetails(own.id)).status).toBe('unpaid')
    expect((await readDetails(paid.id)).status).toBe('paid')
    await expectConsistent(shop.db)
  })

  test('is paid and cancelled by its link, without an account and after one has claimed it', async () => {
    const { id, headers, email } = await aPhoneOrder(shop, admin, { productId: pads })
    const account = await aCustomer(shop, { email })
    expect((await shop.call('claimGuestOrders', { as: account })).body).toEqual({ claimed: 1 })
    const asOwner = await readDetails(id, { as: account })
    expect(asOwner).toMatchObject({
      guest: false,
      history: [{ kind: 'placed' }, { kind: 'claimed', by: 'customer' }],
    })
    // The link does not show that there is an account.
    expect((await readDetails(id, { headers })).history).toMatchObject([{ kind: 'placed', by: 'admin' }])
    expect((await readDetails(id, { headers })).history).toHaveLength(1)
    await payOrder(shop, { headers }, id)
    const { status, total } = await readDetails(id, { headers })
    expect(status).toBe('paid')
    const returned = await shop.call('cancelOrder', { params: { id }, headers })
    expect(returned.body).toEqual({ cancelled: true, refunded: total })
    const other = await aPhoneOrder(shop, admin, { productId: pads, email: rider.email })
    const cancelled = await shop.call('cancelOrder', { params: { id: other.id }, headers: other.headers })
    expect(cancelled.body).toEqual({ cancelled: true })
    const own = await aPhoneOrder(shop, admin, { productId: pads, email: rider.email })
    await shop.call('cancelOrder', { as: rider, params: { id: own.id } })
    expect((await readDetails(own.id, { as: rider })).history[1]).toMatchObject({ by: 'customer' })
    expect((await readDetails(own.id, { headers: own.headers })).history[1]).toMatchObject({ by: 'guest' })
    expect(await readStock(shop, pads)).toBe(100)
    await expectConsistent(shop.db)
  })
})

describe('POST /v1/orders/{id}/payment-link', () => {
  test('returns the same link, and moves the last day only on request, which the audit has', async () => {
    const { id, url, payBy } = await aPhoneOrder(shop, admin)
    expect((await send(id)).body).toEqual({ url, payBy })
    expect((await send(id, { payWithinDays: 14 })).body).toEqual({ url, payBy: endOf(14) })
    expect((await readDetails(id)).payBy).toBe(endOf(14))
    expect(await send(id, { payWithinDays: 15 })).toMatchObject(
      refused('INVALID_REQUEST', { fields: { payWithinDays: 'At most 14 days' } }),
    )
    const { body } = await shop.call('listAudit', { as: admin, query: { area: 'payment-links' } })
    const changes = [{ field: 'payBy', before: new Date(payBy).toISOString(), after: endOf(14) }]
    expect(body.entries).toMatchObject([
      {
        by: { email: admin.email },
        subject: { id, name: `Payment link of #${id.slice(0, 6)}`, deleted: false },
        changes,
      },
    ])
  })

  test('refuses an order that is paid, cancelled, or not by phone', async () => {
    const paid = await aPhoneOrder(shop, admin)
    await payOrder(shop, { headers: paid.headers }, paid.id)
    expect(await send(paid.id)).toMatchObject(refused('ORDER_ALREADY_PAID'))
    const cancelled = await aPhoneOrder(shop, admin)
    await shop.call('cancelOrder', { as: admin, params: { id: cancelled.id } })
    for (const id of [cancelled.id, (await aGuestOrder(shop)).id, await anOrder(shop, rider), 'unknown']) {
      expect(await send(id, { payWithinDays: 7 })).toMatchObject(refused('ORDER_NOT_FOUND'))
    }
  })

  test('refuses an order whose last day is over, unless it gets another one', async () => {
    const { id } = await aPhoneOrder(shop, admin)
    await setPayBy(id, '2026-01-02T23:59:59Z')
    expect(await send(id)).toMatchObject(refused('ORDER_NOT_FOUND'))
    expect((await send(id, { payWithinDays: 1 })).body.payBy).toBe(endOf(1))
    await expireUnpaidOrders(shop.payments)
    expect((await readDetails(id)).status).toBe('unpaid')
  })
})
