import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { untilWaiting } from '../../../tests/database.ts'
import { aCustomer, anAdmin, aPaidOrder, aProduct } from '../../../tests/factories.ts'
import { sentEmails } from '../../../tests/mailbox.ts'
import { returnSteps } from '../../../tests/return-steps.ts'
import { expectConsistent, refused, useCustomer, useTestShop } from '../../../tests/shop.ts'

const shop = useTestShop({ mail: 'mailbox' })
const rider = useCustomer(() => aCustomer(shop))
const admin = useCustomer(() => anAdmin(shop))
const { aShippedOrder, request, decide, refund, list, findFirst, details, withdraw, changeEmail } =
  returnSteps(shop, { rider, admin })
/** Brake pads for $40, 10 in stock. */
let pads: string

beforeEach(async () => {
  pads = await aProduct(shop)
})

const payForPads = (quantity = 3) => aPaidOrder(shop, rider, { productId: pads, quantity })

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
    const id = await aShippedOrder(pads)
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
    const id = await aShippedOrder(pads)
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
    const id = await aShippedOrder(pads)
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
