import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { aCustomer, anAdmin, anOrder, aPaidOrder, type TestCustomer } from '../../../tests/factories.ts'
import { type MailServer, openMailServer } from '../../../tests/mail-server.ts'
import { openTestShop, refused, type TestShop } from '../../../tests/shop.ts'

let server: MailServer
let shop: TestShop
let rider: TestCustomer
let admin: TestCustomer
let knowsMailbox = false

beforeAll(async () => {
  server = await openMailServer({
    onRcptTo: ({ address }, _session, done) =>
      knowsMailbox ? done() : done(Object.assign(new Error(`no ${address} here`), { responseCode: 550 })),
  })
  shop = await openTestShop({
    mail: {
      host: '127.0.0.1',
      port: server.port,
      secure: false,
      login: null,
      from: { name: '', address: 'shop@shop.test' },
    },
  })
})
afterAll(async () => {
  await shop.close()
  await server.close()
})
beforeEach(async () => {
  knowsMailbox = false
  await shop.database.empty()
  server.received.length = 0
  rider = await aCustomer(shop)
  admin = await anAdmin(shop)
})

const list = async () => (await shop.call('listEmails', { as: admin })).body
const retry = (id: string) => shop.call('retryEmail', { as: admin, params: { id } })
const remove = (id: string) => shop.call('deleteEmail', { as: admin, params: { id } })
const waitForEmails = (count: number) =>
  vi.waitUntil(
    async () => {
      const emails = await list()
      return emails.length === count && emails
    },
    { interval: 10, timeout: 60_000 },
  )

/** Pays an order, whose email the mail server refuses. */
async function aRefusedEmail() {
  const orderId = await aPaidOrder(shop, rider)
  return { orderId, email: (await waitForEmails(1))[0] }
}

describe('a refused email about an order', () => {
  test('is listed with its order and the reason, and is not tried again', async () => {
    const { orderId, email } = await aRefusedEmail()
    expect(email).toEqual({
      id: expect.any(String),
      kind: 'order-received',
      email: rider.email,
      orderId,
      failedAt: expect.any(String),
      reason: 'mailbox',
      codes: 'EENVELOPE 550',
    })
    knowsMailbox = true
    const next_attempt_at = new Date(Date.now() - 60_000)
    await shop.db.updateTable('mail_outbox').set({ next_attempt_at }).execute()
    await aPaidOrder(shop, rider)
    // The email that is longest due is claimed first.
    await server.nth(1)
    const attempts = shop.db.selectFrom('mail_outbox').select(['id', 'attempts'])
    expect(await attempts.execute()).toContainEqual({ id: email?.id, attempts: 1 })
    expect((await shop.call('getToday', { as: admin })).body.failedEmails).toBe(1)
  })

  test('is sent once when an admin tries again', async () => {
    const { email } = await aRefusedEmail()
    knowsMailbox = true
    expect((await retry(email?.id ?? '')).status).toBe(200)
    expect((await server.nth(1)).to).toEqual([rider.email])
    await waitForEmails(0)
    expect(await retry(email?.id ?? '')).toMatchObject(refused('NOT_FOUND'))
    expect(server.received).toHaveLength(1)
  })

  test('is deleted by an admin, once, and the audit has it', async () => {
    const { orderId, email } = await aRefusedEmail()
    expect((await remove(email?.id ?? '')).body).toEqual({ acknowledged: true, deletedCount: 1 })
    expect(await list()).toEqual([])
    expect(await remove(email?.id ?? '')).toMatchObject(refused('NOT_FOUND'))
    const { body } = await shop.call('listAudit', { as: admin, query: { area: 'emails' } })
    expect(body.entries).toMatchObject([
      {
        kind: 'deleted',
        by: { email: admin.email },
        subject: { id: orderId, name: `Email about #${orderId.slice(0, 6)}` },
        changes: [{ field: 'kind', before: 'order-received' }],
      },
    ])
  })
})

test('an expired email about an order is listed, with the last response of the mail server', async () => {
  const orderId = await anOrder(shop, rider)
  const past = new Date(Date.now() - 60_000)
  await shop.db
    .insertInto('mail_outbox')
    .values({
      id: 'm1',
      kind: 'order-refunded',
      email: rider.email,
      subject: orderId,
      expires_at: past,
      failure: 'ESOCKET',
    })
    .execute()
  shop.payments.orderEmails?.wake()
  expect(await waitForEmails(1)).toMatchObject([{ id: 'm1', reason: 'expired', codes: 'ESOCKET', orderId }])
})

test('an email that waits can be neither tried again nor deleted', async () => {
  const later = new Date(Date.now() + 60_000)
  await shop.db
    .insertInto('mail_outbox')
    .values({
      id: 'm2',
      kind: 'order-received',
      email: rider.email,
      subject: 'x',
      expires_at: later,
      next_attempt_at: later,
    })
    .execute()
  expect(await retry('m2')).toMatchObject(refused('NOT_FOUND'))
  expect(await remove('m2')).toMatchObject(refused('NOT_FOUND'))
  expect(await list()).toEqual([])
})
