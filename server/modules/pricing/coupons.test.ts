import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Checkout } from '../../../contract/checkout.ts'
import type { EditedCoupon } from '../../../contract/coupons.ts'
import { untilWaiting } from '../../../tests/database.ts'
import {
  aCheckout,
  aCustomer,
  anAdmin,
  aProduct,
  payOrder,
  someAddress,
  type TestCustomer,
  untilDecided,
} from '../../../tests/factories.ts'
import { whileReferenced } from '../../../tests/referenced-row.ts'
import { expectConsistent, openTestShop, refused, type TestShop } from '../../../tests/shop.ts'
import { readStock } from '../../../tests/stock.ts'

let shop: TestShop
let admin: TestCustomer
let rider: TestCustomer
/** Brake pads of Corvane for $40, 100 in stock. */
let pads: string
/** A chain of Grauwerk for $20, 100 in stock. */
let chain: string

beforeAll(async () => {
  // Each test has a network of its own, because the limit of unknown codes counts them.
  shop = await openTestShop({ trustedProxies: 1 })
})
afterAll(() => shop.close())
beforeEach(async () => {
  await shop.database.empty()
  admin = await anAdmin(shop)
  rider = await aCustomer(shop)
  pads = await aProduct(shop, { brand: 'Corvane', kind: 'Brakes', quantity: 100 })
  chain = await aProduct(shop, { brand: 'Grauwerk', kind: 'Drive', price: 20, quantity: 100 })
})

const tenPercent: EditedCoupon = { code: 'Torque-10', kind: 'percent', rate: 10, oncePerBuyer: false }

const save = (body: unknown, id: string = randomUUID()) =>
  shop.call('saveCoupon', { as: admin, params: { id }, body })
async function addCoupon(more: Partial<EditedCoupon> = {}): Promise<string> {
  const { status, body } = await save({ ...tenPercent, ...more })
  expect(status, JSON.stringify(body)).toBe(200)
  return body.id
}

test('a code is changed while orders with it are being placed', async () => {
  const id = await addCoupon()
  const ended = { ...tenPercent, endsAt: '2026-01-01T00:00:00.000Z' }
  const saved = await whileReferenced(shop, { table: 'coupons', id }, () => save(ended, id))
  expect(saved).toMatchObject({ status: 200, body: { endsAt: ended.endsAt } })
})

const linesOf = (variantId: string, unitPrice: number, quantity = 1) => [{ variantId, unitPrice, quantity }]
const destination = { country: 'US', region: 'IL' }

interface QuoteOptions {
  lines?: ReturnType<typeof linesOf>
  ip?: string
  /** Null: not known yet. */
  to?: typeof destination | null
}

/** Quotes one set of pads, or these lines, with a code. */
async function quote(
  coupon: string,
  { lines = linesOf(pads, 40), ip = '192.0.2.1', to = destination }: QuoteOptions = {},
) {
  const body = { lines, destination: to ?? undefined, coupon }
  return (await shop.call('quoteCart', { headers: { 'x-forwarded-for': ip }, body })).body
}
const problemsOf = async (...request: Parameters<typeof quote>) =>
  (await quote(...request)).problems.map(({ code }) => code)

/** Orders pads with a code. The total has ten per cent less. */
const order = (as: TestCustomer, more: Partial<Checkout> = {}, key: string = randomUUID()) =>
  untilDecided(() =>
    shop.call('checkOut', {
      as,
      headers: { 'idempotency-key': key },
      body: { ...aCheckout(linesOf(pads, 40)), total: 36, coupon: 'TORQUE10', ...more },
    }),
  )
const orderAsGuest = (email: string) =>
  shop.call('checkOut', {
    headers: { 'idempotency-key': randomUUID() },
    body: { ...aCheckout(linesOf(pads, 40)), total: 36, coupon: 'TORQUE10', email, asGuest: true },
  })
const cancel = (id: string) => shop.call('cancelOrder', { as: rider, params: { id } })
const countUses = async () =>
  (await shop.db.selectFrom('coupons').select('used').executeTakeFirstOrThrow()).used

describe('codes', () => {
  test('are added, listed, searched and changed by admins, and the audit has each change', async () => {
    const limits = { minGoods: 50, brand: 'Corvane', productKind: 'Brakes', maxUses: 5 }
    const period = { startsAt: '2026-01-01T00:00:00.000Z', endsAt: '2099-01-01T00:00:00.000Z' }
    const id = await addCoupon({ ...limits, ...period, oncePerBuyer: true })
    await addCoupon({ code: 'SUMMER-5', kind: 'amount', amount: 5, rate: undefined })
    await addCoupon({ code: 'SHIPFREE', kind: 'shipping', rate: undefined })
    const { body: list, headers } = await shop.call('listCoupons', { as: admin, query: { pageSize: 2 } })
    expect(headers.get('x-total-count')).toBe('3')
    expect(list.map(({ code }) => code)).toEqual(['SHIPFREE', 'SUMMER-5'])
    const { body: found } = await shop.call('listCoupons', { as: admin, query: { q: 'torque' } })
    expect(found).toEqual([
      { ...tenPercent, ...limits, ...period, oncePerBuyer: true, id, used: 0, revision: expect.any(String) },
    ])

    await save({ ...tenPercent, rate: 12.5 }, id)
    const { body } = await shop.call('listAudit', { as: admin, query: { subject: 'Torque-10' } })
    expect(body.entries.map(({ kind }) => kind)).toEqual(['edited', 'added'])
    expect(body.entries[0]?.changes).toContainEqual({ field: 'rate', before: '10', after: '12.5' })
    expect(body.entries[1]?.changes).toContainEqual({ field: 'minGoods', before: undefined, after: '50' })
  })

  test.each([
    ['code', { code: 'A-B-C' }],
    ['code', { code: 'TORQUE_10' }],
    ['kind', { kind: 'gift' }],
    ['rate', { rate: undefined }],
    ['rate', { rate: 100.5 }],
    ['rate', { rate: 0 }],
    ['amount', { kind: 'amount' }],
    ['amount', { kind: 'amount', amount: 1.005 }],
    ['minGoods', { minGoods: 0 }],
    ['maxUses', { maxUses: 0 }],
    ['endsAt', { startsAt: '2026-05-02T00:00:00Z', endsAt: '2026-05-01T00:00:00Z' }],
    ['endsAt', { endsAt: 'tomorrow' }],
    ['endsAt', { endsAt: '9999-12-31T23:59:59-05:00' }],
  ])('a wrong %s is an error of its field', async (field, values) => {
    expect(await save({ ...tenPercent, ...values })).toMatchObject({
      status: 400,
      body: { fields: { [field]: expect.any(String) } },
    })
  })

  test('have a brand and a kind as products have them', async () => {
    const { body } = await save({ ...tenPercent, brand: 'corvane', productKind: 'BRAKES' })
    expect(body).toMatchObject({ brand: 'Corvane', productKind: 'Brakes' })
    expect(await quote('TORQUE10')).toMatchObject({ total: 36, problems: [] })
  })

  test('with a brand or a kind of no product are errors of their fields, unless they have been saved before', async () => {
    const dravic = { ...tenPercent, brand: 'Dravic', productKind: 'Seats' }
    const fields = { brand: 'No product has this brand', productKind: 'No product has this kind' }
    expect(await save(dravic)).toMatchObject({ status: 400, body: { fields } })
    const id = await addCoupon()
    await shop.db.updateTable('coupons').set({ brand: 'Dravic', product_kind: 'Seats' }).execute()
    expect(await save({ ...dravic, rate: 5 }, id)).toMatchObject({ status: 200, body: { brand: 'Dravic' } })
  })

  test('cannot have fewer uses than orders, unless that was saved before', async () => {
    const id = await addCoupon({ maxUses: 10 })
    await shop.db.updateTable('coupons').set({ used: 5 }).execute()
    const saveUses = (maxUses: number, more = {}) => save({ ...tenPercent, maxUses, ...more }, id)
    expect(await saveUses(4)).toMatchObject({
      status: 400,
      body: { fields: { maxUses: 'Already used 5 times' } },
    })
    expect((await saveUses(5)).status).toBe(200)
    await shop.db.updateTable('coupons').set({ used: 6 }).execute()
    expect((await saveUses(5, { rate: 5 })).status).toBe(200)
  })

  test('are listed if a time has a year of five digits', async () => {
    await addCoupon()
    await shop.db.updateTable('coupons').set({ ends_at: '10000-01-01T00:00:00Z' }).execute()
    const { status, body } = await shop.call('listCoupons', { as: admin })
    expect({ status, endsAt: body[0]?.endsAt }).toEqual({
      status: 200,
      endsAt: '+010000-01-01T00:00:00.000Z',
    })
  })

  test('exist once; case, spaces and dashes do not matter', async () => {
    await addCoupon()
    expect(await save({ ...tenPercent, code: 'tor que10' })).toMatchObject(refused('COUPON_CODE_TAKEN'))
  })
})

describe('a quote', () => {
  test('says whether there are codes, and which one applies', async () => {
    expect((await quote('TORQUE10')).hasCoupons).toBe(false)
    await addCoupon()
    expect(await quote(' torque 10 ')).toMatchObject({
      hasCoupons: true,
      coupon: 'Torque-10',
      charges: [{ kind: 'discount', label: 'Discount (Torque-10)', amount: -4, included: false }],
      total: 36,
      problems: [],
    })
    expect(await quote('TORQUE10', { to: null })).toMatchObject({ total: 40, problems: [] })
  })

  test('has the other charges if the code does not apply', async () => {
    await shop.call('saveShippingRate', {
      as: admin,
      params: { id: randomUUID() },
      body: { name: 'Standard', places: [], price: 5.95, position: 1 },
    })
    expect(await quote('UNKNOWN')).toMatchObject({
      total: 45.95,
      shippingRate: 'Standard',
      problems: [{ code: 'COUPON_UNKNOWN', message: 'This code is not valid.' }],
    })
  })

  test('has one message for codes that are unknown, ended or not yet valid', async () => {
    const id = await addCoupon({ endsAt: '2026-01-01T00:00:00Z' })
    expect(await problemsOf('TORQUE10')).toEqual(['COUPON_UNKNOWN'])
    await save({ ...tenPercent, startsAt: '2099-01-01T00:00:00Z' }, id)
    expect(await problemsOf('TORQUE10')).toEqual(['COUPON_UNKNOWN'])
    expect((await quote('TORQUE10')).hasCoupons).toBe(false)
    expect(await problemsOf('NOTHING')).toEqual(['COUPON_UNKNOWN'])
  })

  test('has the discount only of the brand and the kind of the code', async () => {
    const id = await addCoupon({ brand: 'Corvane', productKind: 'Brakes' })
    const both = [...linesOf(pads, 40), ...linesOf(chain, 20)]
    expect((await quote('TORQUE10', { lines: both })).charges).toMatchObject([{ amount: -4 }])
    expect(await quote('TORQUE10', { lines: linesOf(chain, 20) })).toMatchObject({
      total: 20,
      problems: [{ code: 'COUPON_NOT_APPLICABLE', message: 'This code does not apply to your items.' }],
    })
    await save({ ...tenPercent, brand: 'Corvane', productKind: 'Drive' }, id)
    expect(await problemsOf('TORQUE10', { lines: both })).toEqual(['COUPON_NOT_APPLICABLE'])
  })

  test('says what is missing to the minimum order', async () => {
    await addCoupon({ minGoods: 52.5 })
    expect((await quote('TORQUE10')).problems).toEqual([
      { code: 'COUPON_NOT_APPLICABLE', message: 'Add items for $12.50 to use this code.' },
    ])
    expect((await quote('TORQUE10', { lines: linesOf(pads, 40, 2) })).total).toBe(72)
  })

  test('has a problem if the code takes nothing off', async () => {
    await addCoupon({ kind: 'shipping', rate: undefined })
    expect((await quote('TORQUE10')).problems).toMatchObject([
      { code: 'COUPON_NOT_APPLICABLE', message: 'This code takes nothing off this order.' },
    ])
  })
})

describe('an order', () => {
  test('has the discount that the buyer agreed to, and counts as a use until it is cancelled', async () => {
    await addCoupon({ maxUses: 1 })
    const { body } = await order(rider)
    expect(body.amount).toBe(36)
    expect(await countUses()).toBe(1)
    const other = await aCustomer(shop)
    expect(await order(other)).toMatchObject(refused('COUPON_USED_UP'))
    expect(await problemsOf('TORQUE10')).toEqual(['COUPON_USED_UP'])
    expect(await readStock(shop, pads)).toBe(99)
    await cancel(body.id)
    await cancel(body.id)
    expect(await countUses()).toBe(0)
    expect((await order(other)).status).toBe(200)
    await expectConsistent(shop.db)
  })

  test.each(['an unpaid', 'a paid'])(
    'does not wait while the cancellation of %s order waits for a product: each would wait for the other',
    async (kind) => {
      await addCoupon({ oncePerBuyer: true })
      const [first = '', second = ''] = [pads, chain].toSorted()
      const lines = [...linesOf(pads, 40), ...linesOf(chain, 20)]
      const { body } = await order(rider, { lines, total: 54 })
      if (kind === 'a paid') await payOrder(shop, { as: rider }, body.id)
      const { reply } = await shop.db.transaction().execute(async (tx) => {
        await sql`select from products where id = ${first} for no key update`.execute(tx)
        const reply = cancel(body.id)
        await untilWaiting(shop)
        const other = second === pads ? linesOf(pads, 40) : linesOf(chain, 20)
        const total = second === pads ? 36 : 18
        expect(await order(rider, { lines: other, total })).toMatchObject(refused('COUPON_ALREADY_USED'))
        return { reply }
      })
      expect((await reply).status).toBe(200)
      expect((await order(rider)).status).toBe(200)
    },
  )

  test('that a code makes free is refused, and the message names the code', async () => {
    await addCoupon({ rate: 100 })
    expect((await order(rider, { total: 0 })).body).toMatchObject({
      code: 'ORDER_TOO_SMALL',
      message: expect.stringContaining('remove the discount code'),
    })
    expect(await countUses()).toBe(0)
  })

  test('releases the code when it expires', async () => {
    await addCoupon({ maxUses: 1 })
    const { body } = await order(rider)
    const { cancelOrder, lockOrder } = await import('../orders/service.ts')
    await shop.db.transaction().execute(async (tx) => {
      await lockOrder(tx, body.id)
      await cancelOrder(tx, body.id, null)
    })
    expect(await countUses()).toBe(0)
  })

  test('releases the code once if an earlier version cancels it, which releases the code itself', async () => {
    await addCoupon({ maxUses: 2 })
    await order(rider)
    const { body } = await order(rider)
    await shop.db.transaction().execute(async (tx) => {
      const cancelled = { status: 'cancelled', cancelled_at: new Date() } as const
      await tx.updateTable('orders').set(cancelled).where('id', '=', body.id).execute()
      await sql`update coupons set used = used - 1`.execute(tx)
    })
    expect(await countUses()).toBe(1)
  })

  test.each([
    ['COUPON_UNKNOWN', { coupon: 'UNKNOWN' }],
    ['COUPON_NOT_APPLICABLE', { lines: linesOf('', 20), total: 18 }],
  ] as const)('with the problem %s is not placed', async (code, more) => {
    await addCoupon({ brand: 'Corvane' })
    const lines = 'lines' in more ? linesOf(chain, 20) : linesOf(pads, 40)
    expect(await order(rider, { ...more, lines })).toMatchObject(refused(code))
    expect(await readStock(shop, pads)).toBe(100)
  })

  test('at an old price shows the present quote, if the code needs more goods than that', async () => {
    await addCoupon({ minGoods: 50 })
    await shop.db.updateTable('products').set({ price_cents: 6000 }).where('id', '=', pads).execute()
    const reply = await order(rider, { lines: linesOf(pads, 40), total: 54 })
    expect(reply).toMatchObject(refused('CART_CHANGED'))
    expect(reply.body).toMatchObject({ quote: { total: 54, coupon: 'Torque-10', problems: [] } })
  })

  test('is not placed for the total of another discount', async () => {
    const id = await addCoupon()
    await save({ ...tenPercent, rate: 5 }, id)
    const reply = await order(rider)
    expect(reply).toMatchObject(refused('CART_CHANGED'))
    expect(reply.body).toMatchObject({ quote: { total: 38 } })
  })

  test('of goods above every integer in cents is refused, although a code makes it payable', async () => {
    await addCoupon({ rate: 98 })
    const dear = await aProduct(shop, { quantity: 1_000_000 })
    const lines = linesOf(dear, 40, 1_000_000)
    expect(await quote('TORQUE10', { lines })).toMatchObject({ total: 800_000, problems: [] })
    expect(await order(rider, { lines, total: 800_000 })).toMatchObject(refused('ORDER_TOO_LARGE'))
    const fewer = linesOf(dear, 40, 500_000)
    expect((await order(rider, { lines: fewer, total: 400_000 })).status).toBe(200)
    await expectConsistent(shop.db)
  })

  test('is found by a repeated request, although the code has ended or is used up', async () => {
    const id = await addCoupon({ maxUses: 1, oncePerBuyer: true })
    const key = randomUUID()
    const first = await order(rider, {}, key)
    expect((await order(rider, {}, key)).body).toEqual(first.body)
    await save({ ...tenPercent, endsAt: '2026-01-01T00:00:00Z' }, id)
    expect((await order(rider, {}, key)).body).toEqual(first.body)
    expect(await order(rider, { coupon: 'OTHERCODE' }, key)).toMatchObject(refused('IDEMPOTENCY_KEY_REUSED'))
    expect(await countUses()).toBe(1)
  })

  test('uses a code for one order per buyer, by account or email', async () => {
    await addCoupon({ oncePerBuyer: true })
    const first = await order(rider)
    expect(first.status).toBe(200)
    expect(await order(rider)).toMatchObject(refused('COUPON_ALREADY_USED'))
    expect(await orderAsGuest(rider.email.toUpperCase())).toMatchObject(refused('COUPON_ALREADY_USED'))
    expect((await orderAsGuest('guest@example.com')).status).toBe(200)
    expect(await countUses()).toBe(2)
    await cancel(first.body.id)
    expect((await order(rider)).status).toBe(200)
    expect(await countUses()).toBe(2)
  })
})

test('100 buyers at once use a code for 10 orders, and the stock is exact', async () => {
  await addCoupon({ maxUses: 10 })
  const riders = await Promise.all(Array.from({ length: 100 }, () => aCustomer(shop)))
  const replies = await Promise.all(riders.map((rider) => order(rider)))
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(10)
  const codes = new Set(replies.flatMap(({ status, body }) => (status === 200 ? [] : [body.code])))
  expect([...codes]).toEqual(['COUPON_USED_UP'])
  expect(await readStock(shop, pads)).toBe(90)
  await expectConsistent(shop.db)
})

test('orders that wait for each other with one code leave connections for other orders', async () => {
  const id = await addCoupon()
  const riders = await Promise.all(Array.from({ length: shop.config.poolSize }, () => aCustomer(shop)))
  let waiting: ReturnType<typeof order>[] = []
  await shop.db.transaction().execute(async (tx) => {
    // Until the end of this transaction no order with the code commits.
    await sql`select pg_advisory_xact_lock(7461026, hashtext(${id}))`.execute(tx)
    waiting = riders.map((each) => order(each))
    await expect.poll(() => countWaiting(tx)).toBeGreaterThan(0)
    const other = { ...aCheckout(linesOf(chain, 20)), total: 20 }
    const headers = { 'idempotency-key': randomUUID() }
    expect((await shop.call('checkOut', { as: rider, headers, body: other })).status).toBe(200)
  })
  expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(riders.map(() => 200))
  expect(await countUses()).toBe(riders.length)
})

/** Counts the orders that wait at their commit for another one with the same code. */
async function countWaiting(db: TestShop['db']): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`
    select count(*)::integer as waiting from pg_locks join pg_database on pg_database.oid = database
    where datname = current_database() and locktype = 'advisory' and classid = 7461026 and not granted`.execute(
    db,
  )
  return rows[0]?.waiting ?? 0
}

describe('unknown codes', () => {
  const guess = (count: number, ip: string) =>
    Promise.all(Array.from({ length: count }, (_, index) => problemsOf(`GUESS${ip}${index}`, { ip })))

  test('are looked up 20 times an hour for one network; then no code is looked up', async () => {
    await addCoupon()
    expect((await guess(20, '198.51.100.1')).flat()).toEqual(Array(20).fill('COUPON_UNKNOWN'))
    const problems = await quote('TORQUE10', { ip: '198.51.100.1' })
    expect(problems).toMatchObject({
      total: 40,
      problems: [
        {
          code: 'COUPON_NOT_CHECKED',
          message: 'Too many codes were tried. Order without a code, or try again in 1 hour.',
        },
      ],
    })
    expect(await quote('TORQUE10', { ip: '198.51.100.2' })).toMatchObject({ total: 36, problems: [] })
  })

  test('of parallel requests are counted before the network looks up its next code', async () => {
    await addCoupon()
    const ip = '198.51.100.5'
    await guess(19, ip)
    const parallel = await shop.db.transaction().execute(async (tx) => {
      // The next unknown codes wait for this count.
      await sql`update identity.rate_limits set count = 20 where count = 19`.execute(tx)
      const unknown = Array.from({ length: 8 }, () => problemsOf('GUESS', { ip }))
      await untilWaiting(shop, unknown.length)
      const known = problemsOf('TORQUE10', { ip })
      expect(await problemsOf('TORQUE10', { ip: '198.51.100.6' })).toEqual([])
      return [...unknown, known]
    })
    expect((await Promise.all(parallel)).flat()).toEqual(Array(9).fill('COUPON_NOT_CHECKED'))
  })

  test('of orders count too, once each; then an order is refused with any code, and placed without one', async () => {
    await addCoupon()
    const send = (coupon?: string, total = 36) =>
      shop.call('checkOut', {
        as: rider,
        headers: { 'idempotency-key': randomUUID(), 'x-forwarded-for': '198.51.100.3' },
        body: { ...aCheckout(linesOf(pads, 40), { address: someAddress }), total, coupon },
      })
    for (let count = 0; count < 20; count++)
      expect(await send(`GUESS${count}`)).toMatchObject(refused('COUPON_UNKNOWN'))
    const reply = await send('TORQUE10')
    // Not 429: pages repeat such an order as it was.
    expect(reply).toMatchObject({ status: 409, body: { code: 'COUPON_NOT_CHECKED' } })
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(3000)
    expect((await send(undefined, 40)).status).toBe(200)
  })

  test('count together with codes that the email of a guest has used; a confirmed account counts none', async () => {
    await addCoupon({ oncePerBuyer: true })
    await order(rider)
    const limits = () => sql`select count from identity.rate_limits`.execute(shop.db)
    expect(await order(rider)).toMatchObject(refused('COUPON_ALREADY_USED'))
    expect((await limits()).rows).toEqual([])
    expect(await orderAsGuest(rider.email)).toMatchObject(refused('COUPON_ALREADY_USED'))
    expect((await limits()).rows).toEqual([{ count: 1 }])
    await sql`update identity.rate_limits set count = 20`.execute(shop.db)
    const notChecked = { status: 409, body: { code: 'COUPON_NOT_CHECKED' } }
    expect(await orderAsGuest(rider.email)).toMatchObject(notChecked)
    expect(await orderAsGuest('other@example.com')).toMatchObject(notChecked)
  })

  test('are counted again after the hour', async () => {
    await addCoupon()
    await guess(20, '198.51.100.4')
    await sql`update identity.rate_limits set window_ends_at = now()`.execute(shop.db)
    expect(await problemsOf('TORQUE10', { ip: '198.51.100.4' })).toEqual([])
  })
})
