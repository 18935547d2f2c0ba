import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import {
  aCheckout,
  aCustomer,
  anAdmin,
  anOrder,
  aPaidOrder,
  aProduct,
  aProductInSizes,
  someAddress,
} from '../../../tests/factories.ts'
import { expectConsistent, refused, useCustomer, useTestShop } from '../../../tests/shop.ts'
import { indexEarlierOrders } from '../orders/service.ts'

const shop = useTestShop()
const admin = useCustomer(() => anAdmin(shop))

const search = async (q: string) => {
  const { body, status } = await shop.call('search', { as: admin, query: { q } })
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}
const findOrders = async (q: string) => (await search(q)).orders.map(({ id }) => id)
const findCustomers = async (q: string) => (await search(q)).customers.map(({ email }) => email)

/** Places the order of a guest. */
async function orderOf(
  address: Partial<typeof someAddress> & { phone?: string },
  { variantId = '', note = '', email = `guest-${randomUUID()}@example.com` } = {},
): Promise<string> {
  const line = { variantId: variantId || (await aProduct(shop)), quantity: 1, unitPrice: 40 }
  const { body, status } = await shop.call('checkOut', {
    headers: { 'idempotency-key': randomUUID() },
    body: aCheckout([line], { email, note, asGuest: true, address: { ...someAddress, ...address } }),
  })
  expect(status, JSON.stringify(body)).toBe(200)
  return body.id
}

describe('GET /v1/search', () => {
  test('finds an order by all words in any order, each perhaps incomplete, without accents', async () => {
    const id = await orderOf({ name: 'Jürgen da Silva-Ñoño', city: 'Saarbrücken', postalCode: '66111' })
    await orderOf({ name: 'Jürgen Klein', city: 'Bonn' })
    for (const q of [
      'silva jurgen',
      'Jurgen Silva',
      'jürg sil',
      'juergen silva',
      'SILVA',
      'nono',
      'silva-nono',
      'silvanono',
      'saarbrucken',
      'saarbruecken 66111',
      '66111',
      'silva pads',
    ])
      expect(await findOrders(q), q).toEqual([id])
    for (const q of ['silva bonn', 'ilva', 'jurgen silvas', '6611 bonn', '- ?'])
      expect(await findOrders(q), q).toEqual([])
  })

  test.each([
    [
      ['Jürgen', 'Juergen', 'Jurgen'],
      ['jürgen', 'JÜRGEN', 'juergen', 'jurgen', 'jurg'],
    ],
    [
      ['Köln', 'Koeln', 'Koln'],
      ['köln', 'KÖLN', 'koeln', 'koln', 'kol', 'koel'],
    ],
    [
      ['Großräschen', 'Grossraeschen'],
      ['grossraschen', 'großräschen', 'Grossraeschen'],
    ],
    [['Manuel Bauer'], ['manuel bauer', 'man bau']],
  ])('finds orders of %j by each spelling of an umlaut', async (names, typed) => {
    const ids: string[] = []
    for (const name of names) ids.unshift(await orderOf({ name }))
    await orderOf({ name: 'Jorgen Kiln Grassroschen' })
    for (const q of typed) expect(await findOrders(q), q).toEqual(ids)
  })

  test('finds an order by the end of its phone number, however both are written', async () => {
    const id = await orderOf({ phone: '+49 (0)171 / 234-5678' })
    await orderOf({ phone: '0171 2345679' })
    for (const q of [
      '0171 234 5678',
      '+49 171 2345678',
      '0049-171-2345678',
      '(0171) 2345678',
      '5678',
      '345678',
    ])
      expect(await findOrders(q), q).toEqual([id])
    expect(await findOrders('567')).toEqual([])
    expect(await findOrders('0171')).toEqual([])
  })

  test('finds an order by a part number or a bar code of its variants', async () => {
    const product = { sku: 'NIS-001095', gtin: '4006381333931' }
    const id = await orderOf({}, { variantId: await aProduct(shop, product) })
    await orderOf({}, { variantId: await aProduct(shop, { sku: 'NIS-001096' }) })
    for (const q of ['nis001095', 'NIS-001095', 'nis 001095', '4006381333931', '04006381333931'])
      expect(await findOrders(q), q).toEqual([id])
    expect(await findOrders('nis-00109')).toHaveLength(2)
    const now = new Date()
    await shop.db.updateTable('variants').set({ removed_at: now }).where('sku', '=', product.sku).execute()
    expect(await findOrders('04006381333931')).toEqual([id])
    expect(await findOrders('4006381333930')).toEqual([])
    await shop.db
      .updateTable('variants')
      .set({ gtin: '036000291452' })
      .where('sku', '=', product.sku)
      .execute()
    expect(await findOrders('36000291452')).toEqual([id])
  })

  test('finds an order by number, id, payment, email and note', async () => {
    const rider = await aCustomer(shop, { email: 'greta.rider@shop.example' })
    const id = await aPaidOrder(shop, rider)
    const { body } = await shop.call('getOrder', { as: rider, query: { id } })
    await anOrder(shop, await aCustomer(shop))
    const noted = await orderOf({}, { note: 'Please ring at the workshop' })
    const number = id.slice(0, 6)
    const separated = `${number.slice(0, 3)}-${number.slice(3)}`.toUpperCase()
    const numbers = [
      number,
      `#${number.toUpperCase()}`,
      separated,
      separated.replace('-', ' '),
      `# ${number}`,
    ]
    for (const q of [...numbers, id, body.transactionId ?? '']) expect(await findOrders(q), q).toEqual([id])
    for (const q of ['greta.rider@shop.example', 'Greta.Rider@', 'rider greta']) {
      const found = await search(q)
      expect([found.orders.map((order) => order.id), found.customers], q).toMatchObject([
        [id],
        [{ email: rider.email, orders: 1 }],
      ])
    }
    expect(await findOrders('workshop')).toEqual([noted])
    expect(await findOrders('pi_unknown')).toEqual([])
  })

  test('finds cancelled orders, with their status, newest first', async () => {
    const rider = await aCustomer(shop, { name: 'Robin Kohl' })
    const [first, second] = [await anOrder(shop, rider), await anOrder(shop, rider)]
    await shop.call('deleteOrder', { as: rider, query: { id: first } })
    const { orders } = await search('kohl')
    expect(orders).toMatchObject([
      { id: second, number: second.slice(0, 6), status: 'unpaid', name: 'Robin Kohl', amount: 40 },
      { id: first, status: 'cancelled' },
    ])
    expect(await findOrders(first)).toEqual([first])
  })

  test('returns the newest 20 orders, and says that there are more', async () => {
    const rider = await aCustomer(shop, { name: 'Bulk Buyer' })
    const orders: string[] = []
    for (let number = 0; number < 21; number++) {
      const id = await anOrder(shop, rider)
      orders.unshift(id)
      await shop.call('deleteOrder', { as: rider, query: { id } })
    }
    const found = await search('bulk')
    expect(found.orders.map(({ id }) => id)).toEqual(orders.slice(0, 20))
    expect(found.moreOrders).toBe(true)
    expect(found).not.toHaveProperty('indexing')
  })

  test('finds customers by name, email and phone', async () => {
    const rider = await aCustomer(shop, { name: 'Uwe Popescu', email: 'uwe@example.net' })
    const phone = { as: rider, params: { email: rider.email }, body: { phone: '+40 721 555 0199' } }
    await shop.call('updateProfile', phone)
    await aCustomer(shop, { name: 'Uwe Klein' })
    const koehler = await aCustomer(shop, { name: 'Ina Koehler' })
    for (const q of ['Popescu Uwe', 'uwe pop', 'uwe@example.net', '0721 5550199', '0199'])
      expect(await findCustomers(q), q).toEqual([rider.email])
    for (const q of ['kohler', 'Köhler']) expect(await findCustomers(q), q).toEqual([koehler.email])
    expect(await findCustomers('uwe')).toHaveLength(2)
    expect((await search('popescu')).customers).toEqual([
      { email: rider.email, name: 'Uwe Popescu', phone: '+40 721 555 0199', orders: 0 },
    ])
  })

  test('returns no name and no phone of a customer whose email is not verified', async () => {
    const email = 'ina@example.net'
    const stranger = await aCustomer(shop, { email, name: 'Sam Stranger', emailVerified: false })
    await shop.call('updateProfile', { as: stranger, params: { email }, body: { phone: '+1 555 0199' } })
    expect((await search(email)).customers).toEqual([
      { email, name: '', phone: '', orders: 0, unverified: true },
    ])
  })

  test('finds the newest of many customers with a frequent name, and rare ones among older customers', async () => {
    const rare = await aCustomer(shop, { name: 'Ada Popescu' })
    await sql`
      insert into customers (id, email, name, created_at)
      select 'many' || n, 'many' || n || '@example.com', 'Uwe Gross', now() + n * interval '1 second'
      from generate_series(1, 1300) as n`.execute(shop.db)
    const newest = Array.from({ length: 10 }, (_, index) => `many${1300 - index}@example.com`)
    expect(await search('uwe')).toMatchObject({
      customers: newest.map((email) => ({ email })),
      moreCustomers: true,
    })
    expect(await findCustomers('popescu')).toEqual([rare.email])
    await sql`
      insert into customers (id, email, name, created_at)
      select 'last' || n, 'last' || n || '@example.com', case n when 1 then 'Uwe Neu' else 'Ina Neu' end,
        now() + interval '1 hour' + n * interval '1 second'
      from generate_series(1, 100) as n`.execute(shop.db)
    expect((await findCustomers('uwe'))[0]).toBe('last1@example.com')
  })

  test('compares frequent words too, which the index is not read for', async () => {
    const productId = await aProduct(shop, { quantity: 100 })
    await orderOf({ name: 'Petra Klein' }, { variantId: productId })
    for (let orders = 0; orders < 10; orders++) {
      const rider = await aCustomer(shop, { name: 'Uwe Gross' })
      for (let more = 0; more < 5; more++) await anOrder(shop, rider, { productId })
    }
    const { rows } = await sql`select rare_desk_query('uwe klein') as rare`.execute(shop.db)
    expect(rows).toEqual([{ rare: `'klein':* | 'sku:KLEIN':*` }])
    expect(await findOrders('uwe klein')).toEqual([])
    expect(await shop.call('listOrders', { as: admin, query: { q: 'uwe klein' } })).toMatchObject({
      body: [],
    })
    expect(await findOrders('petra klein')).toHaveLength(1)
  })

  test('misses orders of an earlier version until a job has indexed them, and says so', async () => {
    const sizes = await aProductInSizes(shop, { M: 5, L: 5 }, { name: 'Jacket', price: 40 })
    const id = await orderOf({ name: 'Old Order', phone: '555 1234' }, { variantId: sizes.L })
    const { document } = await shop.db
      .selectFrom('order_documents')
      .select('document')
      .where('order_id', '=', id)
      .executeTakeFirstOrThrow()
    await shop.db.deleteFrom('order_documents').execute()
    await shop.db.updateTable('orders').set({ is_indexed: false }).execute()
    expect(await search('old')).toMatchObject({ orders: [], indexing: true })
    expect(await indexEarlierOrders(shop.db)).toBeUndefined()
    expect(await findOrders('old')).toEqual([id])
    expect(await shop.db.selectFrom('order_documents').select('document').execute()).toEqual([{ document }])
    await expectConsistent(shop.db)
  })

  test('is for admins, and requires two characters', async () => {
    expect(await shop.call('search', { query: { q: 'ab' } })).toMatchObject(refused('NOT_SIGNED_IN'))
    const rider = await aCustomer(shop)
    expect(await shop.call('search', { as: rider, query: { q: 'ab' } })).toMatchObject(
      refused('ADMIN_REQUIRED'),
    )
    expect(await shop.call('search', { as: admin, query: { q: ' a ' } })).toMatchObject(
      refused('INVALID_REQUEST', { fields: { q: 'Enter at least 2 characters' } }),
    )
  })

  test.each([`it's`, `a\\b`, `"x" & !y | (z):*`, `<->`, `o'brien@x`, `\\@'`, `#'`, `%_%`, `'':*`])(
    'reads signs of queries as text: %s',
    async (q) => {
      expect(await search(q)).toMatchObject({ orders: [], customers: [] })
    },
  )
})
