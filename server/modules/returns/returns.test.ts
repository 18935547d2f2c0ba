import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { aCustomer, aGuestOrder, anAdmin, aPaidOrder, aProduct, payOrder } from '../../../tests/factories.ts'
import { sentEmails } from '../../../tests/mailbox.ts'
import { returnSteps } from '../../../tests/return-steps.ts'
import { expectConsistent, refused, useCustomer, useTestShop } from '../../../tests/shop.ts'
import { readStock } from '../../../tests/stock.ts'

const shop = useTestShop({ mail: 'mailbox' })
const rider = useCustomer(() => aCustomer(shop))
const admin = useCustomer(() => anAdmin(shop))
const { ship, aShippedOrder, request, decide, refund, list, findFirst, details, withdraw, changeEmail } =
  returnSteps(shop, { rider, admin })
/** Brake pads for $40, 10 in stock. */
let pads: string

beforeEach(async () => {
  pads = await aProduct(shop)
})

const payForPads = (quantity = 3) => aPaidOrder(shop, rider, { productId: pads, quantity })

describe('a return', () => {
  test('is requested, approved with an email, and closed when its items are refunded', async () => {
    const id = await aShippedOrder(pads)
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
    const id = await aShippedOrder(pads)
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
    const [id, other] = [await aShippedOrder(pads), await aShippedOrder(pads)]
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
    const id = await aShippedOrder(pads)
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
    const id = await aShippedOrder(pads)
    await shop.db
      .updateTable('shipments')
      .set({ shipped_at: new Date(Date.now() - 31 * 24 * 3_600_000) })
      .execute()
    expect(await request(id)).toMatchObject(refused('RETURN_NOT_POSSIBLE'))
  })

  test('is decided once, and needs a reason to be rejected', async () => {
    const { body } = await request(await aShippedOrder(pads))
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
    const { body } = await request(await aShippedOrder(pads))
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
    const id = await aShippedOrder(pads)
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
    const { body } = await request(await aShippedOrder(pads))
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
    const { body } = await request(await aShippedOrder(pads))
    await sentEmails(shop.db, rider.email)
    await delayEmails(async () => {
      await decide(body.id, { status: 'approved', reply: '1 Depot Road' })
      await decide(body.id, { status: 'closed' })
    })
    const subjects = (await sentEmails(shop.db, rider.email)).map(({ subject }) => subject)
    expect(subjects.filter((subject) => /return/.test(subject))).toEqual([])
  })

  test('is not refunded before it is approved, nor for another order', async () => {
    const id = await aShippedOrder(pads)
    const other = await aShippedOrder(pads)
    const { body } = await request(id)
    const items = [{ line: 1, pieces: 1, amount: 40 }]
    expect(await refund(id, body.id, items)).toMatchObject(refused('RETURN_CLOSED'))
    await decide(body.id, { status: 'approved' })
    expect(await refund(other, body.id, items)).toMatchObject(refused('RETURN_CLOSED'))
    expect(await shop.db.selectFrom('refunds').select('id').execute()).toEqual([])
  })
})
