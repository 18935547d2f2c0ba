import { describe, expect, test } from 'vitest'
import {
  aBike,
  aCustomer,
  aGuestOrder,
  anAddress,
  anAdmin,
  anOrder,
  someAddress,
} from '../../../tests/factories.ts'
import { expectConsistent, refused, useCustomer, useTestShop } from '../../../tests/shop.ts'

const shop = useTestShop()
const admin = useCustomer(() => anAdmin(shop))
const rider = useCustomer(() => aCustomer(shop, { name: 'Robin Rider' }))

const getCustomer = (email: string) => shop.call('getCustomer', { as: admin, params: { email } })
const addNote = (body: object) => shop.call('addNote', { as: admin, body })
const readStaff = async (id: string, as = admin) =>
  (await shop.call('getOrderDetails', { as, params: { id } })).body.staff
const findOrders = async (q: string) =>
  (await shop.call('search', { as: admin, query: { q } })).body.orders.map(({ id }) => id)

describe('GET /v1/customers/{email}', () => {
  test('returns an account with its orders, including guest orders and cancelled ones, addresses, bikes and notes', async () => {
    const cancelled = await anOrder(shop, rider)
    await shop.call('deleteOrder', { as: rider, query: { id: cancelled } })
    const own = await anOrder(shop, rider)
    const { id: asGuest } = await aGuestOrder(shop, { email: rider.email })
    await aGuestOrder(shop)
    await anAddress(shop, rider)
    const bikeId = await aBike(shop)
    await shop.call('setGarageBike', { as: rider, params: { bikeId }, body: {} })
    await addNote({ email: rider.email, body: 'Calls on Mondays #vip' })
    const { body } = await getCustomer(rider.email.toUpperCase())
    expect(body).toMatchObject({
      email: rider.email,
      name: 'Robin Rider',
      account: { since: expect.any(String) },
      orders: [{ id: asGuest }, { id: own }, { id: cancelled, status: 'cancelled' }],
      counts: { unpaid: 2, cancelled: 1 },
      addresses: ['14 Kickstand Lane, Springfield, IL 62701, United States', '1 Road'],
      bikes: [{ id: bikeId, name: '2012 Hayashi K6' }],
      notes: [{ body: 'Calls on Mondays #vip', tags: ['#vip'], by: admin.email }],
    })
    expect(await shop.call('getOrderDetails', { as: admin, params: { id: own } })).toMatchObject({
      body: { staff: { otherOrders: 2 } },
    })
  })

  test('an order of an account is found, counted and linked by the present email of the account', async () => {
    const id = await anOrder(shop, rider)
    const email = `new-${rider.email}`
    await shop.db.updateTable('customers').set({ email }).where('id', '=', rider.id).execute()
    const { id: asGuest } = await aGuestOrder(shop, { email })
    expect((await shop.call('search', { as: admin, query: { q: rider.email } })).body).toMatchObject({
      orders: [{ id, email }],
    })
    const { body } = await shop.call('search', { as: admin, query: { q: email.toUpperCase() } })
    expect(body).toMatchObject({
      orders: [
        { id: asGuest, email },
        { id, email },
      ],
      customers: [{ email, orders: 2 }],
    })
    const { body: listed } = await shop.call('listWork', { as: admin, query: { q: email } })
    expect(listed.map(({ _id }) => _id)).toEqual([asGuest, id])
    expect(await readStaff(id)).toMatchObject({ email, otherOrders: 1 })
    expect(await readStaff(asGuest)).toMatchObject({ email, otherOrders: 1 })
  })

  test('returns a guest by the orders', async () => {
    const { id, email } = await aGuestOrder(shop)
    const { body } = await getCustomer(email)
    expect(body).toMatchObject({ email, name: 'Robin Rider', orders: [{ id }], bikes: [], notes: [] })
    expect(body).not.toHaveProperty('account')
  })

  test('returns no name, phone and saved address of an account whose email is not verified', async () => {
    const { email } = await aGuestOrder(shop)
    const stranger = await aCustomer(shop, { email, name: 'Sam Stranger', emailVerified: false })
    await anAddress(shop, stranger, { ...someAddress, line1: '9 Decoy Road' })
    const phone = '+1 555 0199'
    const profile = { as: stranger, params: { email }, body: { phone } }
    expect((await shop.call('updateProfile', profile)).status).toBe(200)
    const { body } = await getCustomer(email)
    expect(body).toMatchObject({
      name: 'Robin Rider',
      account: { since: expect.any(String), unverified: true },
      addresses: ['14 Kickstand Lane, Springfield, IL 62701, United States'],
      saved: [],
    })
    expect(body.phone).not.toBe(phone)
  })

  test('is 404 without an account and without an order', async () => {
    expect(await getCustomer('nobody@example.com')).toMatchObject(refused('USER_NOT_FOUND'))
    expect(await addNote({ email: 'nobody@example.com', body: 'x' })).toMatchObject(refused('USER_NOT_FOUND'))
  })
})

describe('notes', () => {
  test('of an order are found by their words and tags, until they are removed', async () => {
    const id = await anOrder(shop, rider)
    await anOrder(shop, rider)
    const { body: note } = await addNote({ orderId: id, body: 'Waits for size L\n#Größe-L, #rückruf!' })
    expect(note).toMatchObject({ tags: ['#grosse-l', '#ruckruf'], by: admin.email })
    for (const q of ['waits', '#ruck', '#RÜCKRUF', '#Größe-L']) expect(await findOrders(q), q).toEqual([id])
    expect(await readStaff(id)).toMatchObject({ notes: [{ id: note.id }] })
    const listed = await shop.call('listWork', { as: admin, query: { tag: '#rückruf' } })
    expect(listed.body).toMatchObject([{ _id: id, tags: ['#grosse-l', '#ruckruf'] }])
    await expectConsistent(shop.db)

    const remove = () => shop.call('removeNote', { as: admin, params: { id: note.id } })
    expect((await remove()).body).toEqual({ acknowledged: true, deletedCount: 1 })
    expect(await remove()).toMatchObject(refused('NOT_FOUND'))
    expect(await findOrders('#ruck')).toEqual([])
    expect(await readStaff(id)).toMatchObject({ notes: [] })
    expect((await shop.call('listWork', { as: admin, query: { tag: 'rückruf' } })).body).toEqual([])
    await expectConsistent(shop.db)
  })

  test('are not shown to the buyer, with or without an account', async () => {
    const id = await anOrder(shop, rider)
    const guest = await aGuestOrder(shop)
    for (const orderId of [id, guest.id]) await addNote({ orderId, body: 'Never shown to buyers' })
    const replies = [
      await shop.call('getOrderDetails', { as: rider, params: { id } }),
      await shop.call('getOrderDetails', { params: { id: guest.id }, headers: guest.headers }),
      await shop.call('getOrder', { as: rider, query: { id } }),
      await shop.call('listOrders', { as: rider, query: { email: rider.email } }),
    ]
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(JSON.stringify(replies.map(({ body }) => body))).not.toContain('Never shown')
    expect(replies[0]?.body).not.toHaveProperty('staff')
  })

  test('are not found by the buyer', async () => {
    const orderId = await anOrder(shop, rider)
    await addNote({ orderId, body: 'Suspected fraud' })
    const search = async (q: string) =>
      (await shop.call('listOrders', { as: rider, query: { email: rider.email, q } })).body.length
    expect([await search('fraud'), await search('courier')]).toEqual([1, 1])
  })

  test('need a text, and either an order or an email', async () => {
    const orderId = await anOrder(shop, rider)
    expect(await addNote({ orderId, body: ' ' })).toMatchObject(
      refused('INVALID_REQUEST', { fields: { body: 'Note is required' } }),
    )
    for (const subject of [{}, { orderId, email: rider.email }]) {
      expect(await addNote({ ...subject, body: 'x' })).toMatchObject(
        refused('INVALID_REQUEST', { fields: { orderId: 'Send either orderId or email' } }),
      )
    }
    expect(await addNote({ orderId: 'unknown', body: 'x' })).toMatchObject(refused('ORDER_NOT_FOUND'))
  })

  test('that are added and removed at the same time leave one document of the order', async () => {
    const orderId = await anOrder(shop, rider)
    const added = await Promise.all(
      Array.from({ length: 6 }, (_, number) => addNote({ orderId, body: `#tag${number}` })),
    )
    await Promise.all(
      added.slice(0, 5).map(({ body: { id } }) => shop.call('removeNote', { as: admin, params: { id } })),
    )
    expect(await findOrders('#tag')).toEqual([orderId])
    expect((await readStaff(orderId))?.notes).toHaveLength(1)
    await expectConsistent(shop.db)
  })
})

test('an admin reads a cancelled order as a whole', async () => {
  const id = await anOrder(shop, rider)
  await shop.call('deleteOrder', { as: rider, query: { id } })
  expect(await shop.call('getOrder', { as: admin, query: { id } })).toMatchObject(refused('ORDER_NOT_FOUND'))
  expect(await readStaff(id)).toMatchObject({
    order: {
      _id: id,
      status: 'cancelled',
      customerEmail: rider.email,
      lines: [{ quantity: 1 }],
      history: [{ kind: 'placed' }, { kind: 'cancelled' }],
    },
  })
})
