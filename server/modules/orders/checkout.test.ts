import { randomUUID } from 'node:crypto'
import { describe, expect, onTestFinished, test } from 'vitest'
import { aLine, orderingAt } from '../../../tests/checkout.ts'
import {
  aCheckout,
  aCustomer,
  aGuestOrder,
  anAdmin,
  anOrder,
  aProduct,
  aProductInSizes,
  payAtSandbox,
  payOrder,
  type TestCustomer,
} from '../../../tests/factories.ts'
import { expectConsistent, openOwnShop, refused, useCustomer, useTestShop } from '../../../tests/shop.ts'
import { readStock } from '../../../tests/stock.ts'
import { hashRequest } from './place.ts'

const shop = useTestShop()
const rider = useCustomer(() => aCustomer(shop))

const { order, purchase } = orderingAt(shop)
const countOrders = async () => (await shop.db.selectFrom('orders').select('id').execute()).length

/** A jacket in two sizes. XL costs more. */
async function aJacket(): Promise<{ product: string; large: string }> {
  const { L: product, XL: large } = await aProductInSizes(
    shop,
    { L: 5, XL: 5 },
    { name: 'Jacket', price: 200 },
  )
  await shop.db.updateTable('variants').set({ sku: 'J-L' }).where('id', '=', product).execute()
  await shop.db.updateTable('variants').set({ price_cents: 21_000 }).where('id', '=', large).execute()
  return { product, large }
}

describe('POST /v1/orders', () => {
  test('places several lines, takes the stock of each variant, and keeps what was bought', async () => {
    const { product, large } = await aJacket()
    const pads = await aProduct(shop, { name: 'Pads', price: 12.9, quantity: 10 })
    const { body, status } = await order(
      aCheckout([aLine(large, 1, 210), aLine(product, 2, 200), aLine(pads, 3, 12.9)], {
        note: 'Ring twice.',
      }),
      rider,
    )
    expect({ status, amount: body.amount, key: body.key }).toEqual({
      status: 200,
      amount: 648.7,
      key: undefined,
    })
    const details = await shop.call('getOrderDetails', { as: rider, params: { id: body.id } })
    expect(details.body).toMatchObject({
      status: 'unpaid',
      total: 648.7,
      charges: [],
      guest: false,
      email: rider.email,
      name: 'Robin Rider',
      address: '14 Kickstand Lane, Springfield, IL 62701, United States',
      note: 'Ring twice.',
      lines: [
        { variantId: large, productId: product, size: 'XL', quantity: 1, unitPrice: 210, total: 210 },
        { variantId: product, size: 'L', sku: 'J-L', quantity: 2, unitPrice: 200, total: 400 },
        { variantId: pads, name: 'Pads', quantity: 3, unitPrice: 12.9, total: 38.7 },
      ],
      history: [{ kind: 'placed', by: 'customer' }],
    })
    expect(await readStock(shop, product)).toBe(7)
    expect(await readStock(shop, pads)).toBe(7)
    await expectConsistent(shop.db)
  })

  test('refuses a size or colour that was chosen before the product had sizes of its own', async () => {
    const product = await aProduct(shop, { quantity: 5 })
    const chosen = { ...aLine(product), size: 'M', colour: 'Red' }
    await shop.db.updateTable('products').set({ options: 'variants' }).where('id', '=', product).execute()
    const present = { size: 'SM', colour: 'Black' }
    await shop.db.updateTable('variants').set(present).where('id', '=', product).execute()
    expect(await order(aCheckout([chosen]), rider)).toMatchObject(
      refused('CART_CHANGED', {
        quote: { total: 0, lines: [{ size: 'M', colour: 'Red', problem: { code: 'VARIANT_NOT_FOUND' } }] },
      }),
    )
    expect((await order(aCheckout([{ ...chosen, ...present }]), rider)).status).toBe(200)
  })

  test('the specified calls show an order of several lines by its first', async () => {
    const [pads, chain] = [await aProduct(shop, { name: 'Pads' }), await aProduct(shop, { name: 'Chain' })]
    const { body } = await order(aCheckout([aLine(pads, 2), aLine(chain)]), rider)
    const [listed] = (await shop.call('listOrders', { as: rider, query: { email: rider.email } })).body
    expect(listed).toMatchObject({
      _id: body.id,
      productId: pads,
      productName: 'Pads and 1 more',
      quantity: 3,
      amount: 120,
      lineCount: 2,
    })
    expect(listed).not.toHaveProperty('unitPrice')
  })

  test('takes all lines or none', async () => {
    const [pads, chain] = [await aProduct(shop, { quantity: 5 }), await aProduct(shop, { quantity: 1 })]
    const response = await order(aCheckout([aLine(pads, 2), aLine(chain, 2)]), rider)
    expect(response).toMatchObject(refused('CART_CHANGED'))
    const { quote } = response.body as unknown as { quote: { lines: { problem?: unknown }[] } }
    expect(quote.lines.map(({ problem }) => problem)).toEqual([undefined, { code: 'OUT_OF_STOCK', left: 1 }])
    expect(await readStock(shop, pads)).toBe(5)
    expect(await countOrders()).toBe(0)
  })

  test('adds up the lines of one variant: together they may not exceed its stock', async () => {
    const pads = await aProduct(shop, { quantity: 3 })
    expect(await order(aCheckout([aLine(pads, 2), aLine(pads, 2)]), rider)).toMatchObject(
      refused('CART_CHANGED'),
    )
    expect((await order(aCheckout([aLine(pads, 1), aLine(pads, 2)]), rider)).status).toBe(200)
    expect(await readStock(shop, pads)).toBe(0)
    await expectConsistent(shop.db)
  })

  test('charges the total that the buyer agreed to, or nothing', async () => {
    const pads = await aProduct(shop)
    await shop.db.updateTable('products').set({ price_cents: 4200 }).where('id', '=', pads).execute()
    const response = await order(aCheckout([aLine(pads)]), rider)
    expect(response).toMatchObject({ status: 409, body: { code: 'CART_CHANGED', quote: { total: 42 } } })
    // Two changed prices with the same sum count as a change.
    const chain = await aProduct(shop, { price: 38 })
    expect(await order(aCheckout([aLine(pads, 1, 40), aLine(chain, 1, 40)]), rider)).toMatchObject(
      refused('CART_CHANGED'),
    )
    expect((await order(aCheckout([aLine(pads, 1, 42)]), rider)).body.amount).toBe(42)
  })

  test.each([
    ['no lines', () => aCheckout([]), 'CART_EMPTY'],
    ['51 lines', () => aCheckout(Array.from({ length: 51 }, () => aLine('p', 1))), 'CART_TOO_LARGE'],
    ['an unknown variant', () => aCheckout([aLine('unknown')]), 'CART_CHANGED'],
    ['quantity 0', () => aCheckout([aLine('p', 0)]), 'INVALID_REQUEST'],
    ['quantity 1.5', () => aCheckout([aLine('p', 1.5)]), 'INVALID_REQUEST'],
    ['a fraction of a cent', () => aCheckout([aLine('p', 1, 1.005)]), 'INVALID_REQUEST'],
    [
      'an unknown country',
      () => aCheckout([aLine('p')], { address: { ...aCheckout([]).address, country: 'XX' } }),
      'INVALID_REQUEST',
    ],
  ] as const)('refuses %s', async (_what, body, code) => {
    expect(await order(body(), rider)).toMatchObject(refused(code))
  })

  test('refuses an address without the parts that its country needs, unless the order was placed before', async () => {
    const pads = await aProduct(shop)
    const { region: _, postalCode: _code, ...incomplete } = aCheckout([]).address
    const body = aCheckout([aLine(pads)], { address: incomplete })
    expect(await order(body, rider)).toMatchObject({
      status: 400,
      body: {
        code: 'INVALID_REQUEST',
        fields: {
          'address.region': 'State or region is required',
          'address.postalCode': 'Postal code is required',
        },
      },
    })
    expect(await readStock(shop, pads)).toBe(10)
    // An order that an earlier version placed without them.
    const key = randomUUID()
    const placed = await order(aCheckout([aLine(pads)]), rider, key)
    const hash = hashRequest(body.lines, body.total, incomplete, '', null)
    await shop.db.updateTable('orders').set({ request_hash: hash }).execute()
    expect((await order(body, rider, key)).body.id).toBe(placed.body.id)
  })

  test('refuses a country that the shop does not serve', async () => {
    const german = await openOwnShop({ countries: ['DE'] })
    onTestFinished(german.close)
    const buyer = await aCustomer(german)
    const pads = await aProduct(german)
    const { body } = await german.call('checkOut', {
      as: buyer,
      headers: { 'idempotency-key': randomUUID() },
      body: aCheckout([aLine(pads)]),
    })
    expect(body).toMatchObject({ fields: { 'address.country': 'We do not deliver to this country' } })
  })

  test('the last paid order gives its address in parts', async () => {
    const last = async (as: TestCustomer) => (await shop.call('getLastAddress', { as })).body
    expect(await last(rider)).toEqual({})
    const pads = await aProduct(shop)
    await purchase(pads, rider)
    expect(await last(rider)).toEqual({})
    const sendTo = async (line1: string) => {
      const address = { ...aCheckout([]).address, line1 }
      return (await order(aCheckout([aLine(pads)], { address }), rider)).body.id
    }
    for (const line1 of ['1 Old Road', '2 New Road']) {
      await payOrder(shop, { as: rider }, await sendTo(line1))
    }
    // A stranger may have placed it before the email was verified.
    await sendTo('3 Unpaid Road')
    expect(await last(rider)).toMatchObject({ address: { line1: '2 New Road' } })
    expect(await last(await aCustomer(shop))).toEqual({})
    expect(await shop.call('getLastAddress')).toMatchObject(refused('NOT_SIGNED_IN'))
  })

  test('refuses a removed variant, even its last piece', async () => {
    const { large } = await aJacket()
    await shop.db.updateTable('variants').set({ removed_at: new Date() }).where('id', '=', large).execute()
    const response = await order(aCheckout([aLine(large, 1, 210)]), rider)
    expect(response).toMatchObject({
      status: 409,
      body: { code: 'CART_CHANGED', quote: { lines: [{ problem: { code: 'VARIANT_NOT_FOUND' } }] } },
    })
  })

  test('five requests with one key place one order; another cart needs another key', async () => {
    const pads = await aProduct(shop, { quantity: 10 })
    const key = randomUUID()
    const body = aCheckout([aLine(pads, 2)])
    const responses = await Promise.all(Array.from({ length: 5 }, () => order(body, rider, key)))
    expect(new Set(responses.map((response) => response.body.id)).size).toBe(1)
    expect(await readStock(shop, pads)).toBe(8)
    expect(await order(aCheckout([aLine(pads, 3)]), rider, key)).toMatchObject(
      refused('IDEMPOTENCY_KEY_REUSED'),
    )
    expect((await order(body, await aCustomer(shop), key)).status).toBe(200)
    expect(await countOrders()).toBe(2)
  })

  test('empties the cart of what was ordered, and keeps it when the order is refused', async () => {
    const [pads, chain] = [await aProduct(shop, { quantity: 3 }), await aProduct(shop)]
    await shop.call('mergeCart', { as: rider, body: { lines: [aLine(pads, 2), aLine(chain)] } })
    const countLines = async () => (await shop.call('getCart', { as: rider })).body.lines.length
    await order(aCheckout([aLine(pads, 4)]), rider)
    expect(await countLines()).toBe(2)
    await order(aCheckout([aLine(pads, 2)]), rider)
    expect(await countLines()).toBe(1)
  })

  test('keeps another size of the ordered product in the cart', async () => {
    const gloves = await aProduct(shop, { options: 'standard' })
    const inSize = (size: string) => ({ ...aLine(gloves), size, colour: 'Red' })
    await shop.call('mergeCart', { as: rider, body: { lines: [inSize('SM'), inSize('L')] } })
    await order(aCheckout([inSize('SM')]), rider)
    const { lines } = (await shop.call('getCart', { as: rider })).body
    expect(lines.map(({ size }) => size)).toEqual(['L'])
  })

  test('orders a size and a colour of 60 characters, which are quoted for a guest and in the cart', async () => {
    const size = 'x'.repeat(60)
    const colour = 'é'.repeat(60)
    const variants = [{ size, colour, quantity: 5 }]
    const gloves = { ...aLine(await aProduct(shop, { variants })), size, colour }
    const guest = await shop.call('quoteCart', { body: { lines: [gloves] } })
    expect(guest).toMatchObject({ status: 200, body: { lines: [{ size, colour }], problems: [] } })
    const { variantId } = gloves
    const added = await shop.call('setCartLine', {
      as: rider,
      params: { variantId },
      body: { quantity: 1, size, colour },
    })
    expect(added.body.lines).toMatchObject([{ size, colour }])
    const { body } = await order(aCheckout([gloves]), rider)
    const details = await shop.call('getOrderDetails', { as: rider, params: { id: body.id } })
    expect(details.body.lines).toMatchObject([{ size, colour }])
  })

  test('refuses a product with standard options without its size or colour, and takes no stock', async () => {
    const gloves = await aProduct(shop, { options: 'standard', quantity: 1 })
    for (const choice of [{}, { size: 'M' }, { size: 'M', colour: 'unknown' }]) {
      const refusal = await order(aCheckout([{ ...aLine(gloves), ...choice }]), rider)
      expect(refusal).toMatchObject(refused('CART_CHANGED'))
      expect(refusal.body).toMatchObject({ quote: { lines: [{ problem: { code: 'CHOICE_REQUIRED' } }] } })
    }
    const chosen = { ...aLine(gloves), size: 'M', colour: 'Black' }
    expect((await order(aCheckout([chosen]), rider)).status).toBe(200)
  })

  test('a stale token places no order, unless the buyer wants to order as a guest', async () => {
    const body = aCheckout([aLine(await aProduct(shop))], { email: 'guest@example.com' })
    const stale = { id: '', email: '', token: 'stale.stale.stale' }
    expect(await order(body, stale)).toMatchObject(refused('NOT_SIGNED_IN'))
    expect(await order(body)).toMatchObject(refused('NOT_SIGNED_IN'))
    expect(await countOrders()).toBe(0)
    expect((await order({ ...body, asGuest: true }, stale)).body.key).toMatch(/^[\w-]{43}$/)
  })

  test('100 orders with crossed lines at once: no deadlock, nothing oversold', async () => {
    const products = await Promise.all([0, 1, 2].map(() => aProduct(shop, { quantity: 75 })))
    const deadlocks = async () =>
      (
        await shop.database.pool.query<{ deadlocks: string }>(
          'select deadlocks from pg_stat_database where datname = current_database()',
        )
      ).rows[0]?.deadlocks
    const riders: TestCustomer[] = []
    for (let count = 0; count < 100; count++) riders.push(await aCustomer(shop))
    const before = await deadlocks()
    const responses = await Promise.all(
      riders.map((rider, number) => {
        const lines = products.map((product) => aLine(product))
        return order(aCheckout(number % 2 ? lines : lines.toReversed()), rider)
      }),
    )
    const statuses = responses.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(75)
    expect(statuses.filter((status) => status === 409)).toHaveLength(25)
    await expectConsistent(shop.db)
    await shop.database.pool.query('select pg_stat_force_next_flush()')
    expect(await deadlocks()).toBe(before)
  })
})

describe('guests', () => {
  test('need an email, and can follow, pay and cancel their order by its key', async () => {
    const pads = await aProduct(shop, { quantity: 5 })
    const body = aCheckout([aLine(pads)], { asGuest: true })
    expect(await order(body)).toMatchObject(
      refused('INVALID_REQUEST', { fields: { email: 'Email is required' } }),
    )
    const placed = await aGuestOrder(shop, { productId: pads })
    const call = { params: { id: placed.id }, headers: placed.headers }
    expect((await shop.call('getOrderDetails', call)).body).toMatchObject({
      guest: true,
      email: placed.email,
      history: [{ kind: 'placed', by: 'guest' }],
    })
    expect((await shop.call('cancelOrder', call)).body).toEqual({ cancelled: true })
    expect((await shop.call('cancelOrder', call)).body).toEqual({ cancelled: false })
    expect(await readStock(shop, pads)).toBe(5)
    expect((await shop.call('getOrderDetails', call)).body).toMatchObject({
      status: 'cancelled',
      history: [{ by: 'guest' }, { kind: 'cancelled', by: 'guest' }],
    })
    await expectConsistent(shop.db)
  })

  test.each(['ivan@xn--e1afmkfd.xn--p1ai', 'a&b@example.com'])('order with the email %s', async (email) => {
    const { id, headers } = await aGuestOrder(shop, { email })
    const { body } = await shop.call('getOrderDetails', { params: { id }, headers })
    expect(body).toMatchObject({ email })
  })

  test('pay with a card', async () => {
    const placed = await aGuestOrder(shop)
    const call = { params: { id: placed.id }, headers: placed.headers }
    const opened = await shop.call('openOrderPayment', call)
    expect(opened.body.amount).toBe(40)
    const { intentId } = await payAtSandbox(shop, opened.body.clientSecret)
    const paid = await shop.call('confirmOrderPayment', { ...call, body: { transactionId: intentId } })
    expect(paid.status).toBe(200)
    expect((await shop.call('getOrderDetails', call)).body).toMatchObject({ status: 'paid' })
  })

  test('repeat a request after an account has claimed its order: it returns the first order', async () => {
    const email = 'later@example.com'
    const body = aCheckout([aLine(await aProduct(shop))], { email, asGuest: true })
    const key = randomUUID()
    const { id } = (await order(body, undefined, key)).body
    const later = await aCustomer(shop, { email })
    await shop.call('claimGuestOrders', { as: later })
    const repeated = await order(body, undefined, key)
    expect(repeated).toMatchObject({ status: 200, body: { id } })
    expect(repeated.body.key).toBeUndefined()
    expect(await countOrders()).toBe(1)
  })

  test('find their orders in an account on request, if its email is verified', async () => {
    const email = 'later@example.com'
    const placed = await aGuestOrder(shop, { email })
    await aGuestOrder(shop)
    const cancelled = await aGuestOrder(shop, { email })
    await shop.call('cancelOrder', { params: { id: cancelled.id }, headers: cancelled.headers })
    const later = await aCustomer(shop, { email })
    await shop.db
      .updateTable('customer_identities')
      .set({ email_verified: false })
      .where('customer_id', '=', later.id)
      .execute()
    expect((await shop.call('countGuestOrders', { as: later })).body).toEqual({ count: 0 })
    expect(await shop.call('claimGuestOrders', { as: later })).toMatchObject(refused('EMAIL_UNCONFIRMED'))
    await shop.db
      .updateTable('customer_identities')
      .set({ email_verified: true })
      .where('customer_id', '=', later.id)
      .execute()
    expect((await shop.call('countGuestOrders', { as: later })).body).toEqual({ count: 1 })
    expect((await shop.call('listOrders', { as: later, query: { email } })).body).toEqual([])

    expect((await shop.call('claimGuestOrders', { as: later })).body).toEqual({ claimed: 1 })
    expect((await shop.call('claimGuestOrders', { as: later })).body).toEqual({ claimed: 0 })
    const [listed] = (await shop.call('listOrders', { as: later, query: { email } })).body
    expect(listed?._id).toBe(placed.id)
    const { headers, id } = placed
    expect((await shop.call('getOrderDetails', { params: { id }, headers })).status).toBe(404)
    const { history } = (await shop.call('getOrderDetails', { as: later, params: { id } })).body
    expect(history.map(({ kind, by }) => `${kind} by ${by}`)).toEqual([
      'placed by guest',
      'claimed by customer',
    ])
    const audit = await shop.call('listAudit', { as: await anAdmin(shop), query: { subject: id } })
    expect(audit.body.entries[0]).toMatchObject({ kind: 'claimed', by: { email, role: 'customer' } })
  })

  test('admins list orders of an email with and without an account', async () => {
    const guest = await aGuestOrder(shop, { email: rider.email })
    const own = await anOrder(shop, rider)
    const list = async (as: TestCustomer) =>
      (await shop.call('listOrders', { as, query: { email: rider.email } })).body.map(({ _id, guest }) => [
        _id,
        guest,
      ])
    expect(await list(await anAdmin(shop))).toEqual([
      [own, undefined],
      [guest.id, true],
    ])
    expect(await list(rider)).toEqual([[own, undefined]])
  })

  test('staff list only orders of their account by their own email, because only these can be paid', async () => {
    const admin = await anAdmin(shop)
    const { email } = admin
    await aGuestOrder(shop, { email })
    const own = await anOrder(shop, admin)
    const { body } = await shop.call('listOrders', { as: admin, query: { email: email.toUpperCase() } })
    expect(body.map(({ _id }) => _id)).toEqual([own])
  })
})
