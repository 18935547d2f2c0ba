import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { aLine, orderingAt } from '../../../tests/checkout.ts'
import {
  aCheckout,
  aCustomer,
  aGuestOrder,
  anOrder,
  aProduct,
  payAtSandbox,
} from '../../../tests/factories.ts'
import { refused, useCustomer, useTestShop } from '../../../tests/shop.ts'
import { readStock } from '../../../tests/stock.ts'
import { lockLimits } from './repository.ts'

const shop = useTestShop()
const rider = useCustomer(() => aCustomer(shop))

const { order, purchase } = orderingAt(shop)
const makeOlder = (id: string, minutes: number) =>
  sql`update orders set placed_at = placed_at - ${minutes}::float8 * interval '1 minute' where id = ${id}`.execute(
    shop.db,
  )

describe('guests', () => {
  test('waits at most 200 ms for other orders of its email, and longer for a migration', async () => {
    await shop.db.transaction().execute(async (first) => {
      await lockLimits(first, ['guest@example.com'])
      await expect(
        shop.db.transaction().execute((tx) => lockLimits(tx, ['other@example.com', 'guest@example.com'])),
      ).rejects.toMatchObject({ code: '55P03' })
      const { rows } = await sql`select current_setting('lock_timeout') as limit`.execute(first)
      expect(rows).toEqual([{ limit: '0' }])
    })
  })

  test('100 orders at once for one email: 3 are placed, and a payment allows more', async () => {
    const pads = await aProduct(shop, { quantity: 500 })
    const email = 'guest@example.com'
    const body = aCheckout([aLine(pads)], { email, asGuest: true })
    const responses = await Promise.all(Array.from({ length: 100 }, () => order(body)))
    const placed = responses.filter(({ status }) => status === 200)
    expect(placed).toHaveLength(3)
    expect(responses.find(({ status }) => status !== 200)?.body.code).toBe('TOO_MANY_OPEN_ORDERS')
    expect(await readStock(shop, pads)).toBe(497)

    const first = placed[0]?.body ?? { id: '', key: '' }
    const call = { params: { id: first.id }, headers: { 'order-key': first.key ?? '' } }
    const { clientSecret } = (await shop.call('openOrderPayment', call)).body
    const { intentId } = await payAtSandbox(shop, clientSecret)
    await shop.call('confirmOrderPayment', { ...call, body: { transactionId: intentId } })
    expect((await order(body)).status).toBe(200)
  })

  test('place at most 10 unpaid orders from one network, accounts without a verified email included', async () => {
    const pads = await aProduct(shop, { quantity: 500 })
    for (let number = 0; number < 10; number++) await aGuestOrder(shop, { productId: pads })
    const message =
      'Too many unpaid orders come from your network. Pay or cancel one of yours, or try again in 1 hour.'
    const guest = { email: 'guest@example.com', asGuest: true }
    const response = await order(aCheckout([aLine(pads)], guest))
    expect(response).toMatchObject(refused('TOO_MANY_OPEN_ORDERS', { message }))
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(3500)

    const unverified = await aCustomer(shop, { emailVerified: false })
    expect(await order(aCheckout([aLine(pads)]), unverified)).toMatchObject(
      refused('TOO_MANY_OPEN_ORDERS', { message }),
    )
    expect((await order(aCheckout([aLine(pads)]), rider)).status).toBe(200)
  })

  test('place another order at once after they have cancelled one, or when one has expired', async () => {
    const email = 'guest@example.com'
    const pads = await aProduct(shop, { quantity: 500 })
    const body = aCheckout([aLine(pads)], { email, asGuest: true })
    const first = await aGuestOrder(shop, { email, productId: pads })
    for (let number = 0; number < 2; number++) await aGuestOrder(shop, { email, productId: pads })
    const response = await order(body)
    const message = 'This email has 3 unpaid orders. Pay or cancel one, or try again in 1 hour.'
    expect(response).toMatchObject(refused('TOO_MANY_OPEN_ORDERS', { message }))
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(3500)

    await shop.call('cancelOrder', { params: { id: first.id }, headers: first.headers })
    const { id } = (await order(body)).body
    expect(await order(body)).toMatchObject({ status: 429 })
    await makeOlder(id, 61)
    expect((await order(body)).status).toBe(200)
  })

  test('order at most 50 pieces, or the minimum of a single product', async () => {
    const [pads, bolts] = [
      await aProduct(shop, { quantity: 500 }),
      await aProduct(shop, { minimum: 80, quantity: 500 }),
    ]
    const guest = { email: 'guest@example.com', asGuest: true }
    expect(await order(aCheckout([aLine(pads, 51)], guest))).toMatchObject({
      status: 422,
      body: { message: 'Orders of more than 50 pieces need an account. Please log in.' },
    })
    const { body } = await order(aCheckout([aLine(bolts, 81)], guest))
    expect(body.code).toBe('GUEST_ORDER_TOO_LARGE')
    expect((await order(aCheckout([aLine(bolts, 80)], guest))).status).toBe(200)
    expect((await order(aCheckout([aLine(pads, 51)]), rider)).status).toBe(200)

    const unverified = await aCustomer(shop, { emailVerified: false })
    const message = 'Orders of more than 50 pieces need a confirmed email address.'
    expect(await order(aCheckout([aLine(pads, 51)]), unverified)).toMatchObject(
      refused('GUEST_ORDER_TOO_LARGE', { message }),
    )
    expect(await purchase(pads, unverified, { quantity: 51 })).toMatchObject(
      refused('GUEST_ORDER_TOO_LARGE', { message, acknowledged: false }),
    )
    expect((await purchase(bolts, unverified, { quantity: 80 })).status).toBe(200)
  })

  test('repeat their last allowed order with the same key', async () => {
    const pads = await aProduct(shop, { quantity: 10 })
    const body = aCheckout([aLine(pads)], { email: 'guest@example.com', asGuest: true })
    const key = randomUUID()
    for (let number = 0; number < 2; number++) await order(body)
    const sent = await Promise.all(Array.from({ length: 12 }, () => order(body, undefined, key)))
    const [{ id } = {}] = sent.map((each) => each.body)
    expect(sent.map((each) => each.body.id)).toEqual(sent.map(() => id))
    expect((await order(body, undefined, key)).body.id).toBe(id)
    expect((await order(body)).body.code).toBe('TOO_MANY_OPEN_ORDERS')
  })
})

describe('the unpaid orders of an account', () => {
  const message = 'You have 10 unpaid orders. Pay or cancel one in My Orders, then order again.'

  test('are at most 10, by both calls; one that is cancelled, paid or expired does not count', async () => {
    const pads = await aProduct(shop, { quantity: 500 })
    const key = randomUUID()
    const first = (await purchase(pads, rider, { key })).body.insertedId
    const ids: string[] = []
    for (let number = 1; number < 10; number++) ids.push(await anOrder(shop, rider, { productId: pads }))
    const [second = '', third = ''] = ids

    const response = await order(aCheckout([aLine(pads)]), rider)
    expect(response).toMatchObject(refused('TOO_MANY_OPEN_ORDERS', { message }))
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(71 * 3600)
    const refusedPurchase = await purchase(pads, rider)
    expect(refusedPurchase).toMatchObject(refused('TOO_MANY_OPEN_ORDERS', { message, acknowledged: false }))
    expect(refusedPurchase.headers.get('retry-after')).not.toBeNull()
    expect(await readStock(shop, pads)).toBe(490)
    expect((await purchase(pads, rider, { key })).body.insertedId).toBe(first)
    expect((await order(aCheckout([aLine(pads)]), await aCustomer(shop))).status).toBe(200)

    await shop.call('cancelOrder', { as: rider, params: { id: first } })
    expect((await order(aCheckout([aLine(pads)]), rider)).status).toBe(200)
    expect((await purchase(pads, rider)).status).toBe(429)

    const call = { as: rider, params: { id: second } }
    const { clientSecret } = (await shop.call('openOrderPayment', call)).body
    const { intentId } = await payAtSandbox(shop, clientSecret)
    await shop.call('confirmOrderPayment', { ...call, body: { transactionId: intentId } })
    expect((await purchase(pads, rider)).status).toBe(200)
    expect((await purchase(pads, rider)).status).toBe(429)

    await makeOlder(third, 73 * 60)
    expect((await purchase(pads, rider)).status).toBe(200)
    expect((await purchase(pads, rider)).status).toBe(429)
  })

  test.each([
    ['verified', true],
    ['not verified', false],
  ])('are at most a few more than 10 of 30 at once, with an email that is %s', async (_, emailVerified) => {
    const buyer = await aCustomer(shop, { emailVerified })
    const pads = await aProduct(shop, { quantity: 500 })
    const responses = await Promise.all([
      ...Array.from({ length: 15 }, () => purchase(pads, buyer)),
      ...Array.from({ length: 15 }, () => order(aCheckout([aLine(pads)]), buyer)),
    ])
    const placed = responses.filter(({ status }) => status === 200).length
    expect(placed).toBeGreaterThanOrEqual(10)
    expect(placed).toBeLessThanOrEqual(12)
    expect(await readStock(shop, pads)).toBe(500 - placed)
  })
})
