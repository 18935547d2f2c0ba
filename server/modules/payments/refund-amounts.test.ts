import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  aCheckout,
  aCustomer,
  anAdmin,
  aPlacedCheckout,
  aProduct,
  payOrder,
  type TestCustomer,
} from '../../../tests/factories.ts'
import { listen, stop } from '../../../tests/listen.ts'
import { whileWebhooksAreLost } from '../../../tests/lost-webhooks.ts'
import { sentEmails } from '../../../tests/mailbox.ts'
import { expectConsistent, refused, useCustomer, useTestShop } from '../../../tests/shop.ts'
import * as pricing from '../pricing/service.ts'
import { checkRefunds, retryRefunds } from './jobs.ts'
import { closeRefund } from './refunds.ts'
import { requestRefund, settleIntent } from './service.ts'
import { openStripeGateway } from './stripe.ts'

const shop = useTestShop({ mail: 'mailbox' })
const rider = useCustomer(() => aCustomer(shop))
const admin = useCustomer(() => anAdmin(shop))

/** An order of $100 for one line and $20 for another one, with $5 of shipping and 10 % tax: $137.50. */
async function aPaidOrder(card?: string): Promise<string> {
  const tax = { place: 'US', label: 'Sales tax', rate: 10, included: false, taxesShipping: true }
  const rate = { name: 'Standard', places: [], price: 5, position: 0 }
  await pricing.saveTaxRate(shop.db, 't1', tax, null)
  await pricing.saveShippingRate(shop.db, 's1', rate, null)
  const lines = [
    { variantId: await aProduct(shop, { price: 100 }), quantity: 1, unitPrice: 100 },
    { variantId: await aProduct(shop, { price: 10 }), quantity: 2, unitPrice: 10 },
  ]
  const id = await aPlacedCheckout(shop, rider, { ...aCheckout(lines), total: 137.5 })
  await payOrder(shop, { as: rider }, id, card)
  return id
}
const refund = (
  id: string,
  lines: { line: number; amount: number }[],
  { key = randomUUID(), reason = 'A scratch' }: { key?: string; reason?: string } = {},
) =>
  shop.call('refundOrder', {
    as: admin,
    params: { id },
    headers: { 'idempotency-key': key },
    body: { lines, reason },
  })
const close = (id: string, note = 'Bank transfer of 3 March') =>
  shop.call('closeRefund', { as: admin, params: { id }, body: { note } })
/** The admin as the author of a change. */
const byAdmin = () => ({ customerId: admin.id, ip: null })
const listRefunds = async () => (await shop.call('listRefunds', { as: admin })).body
const listTaxes = async () =>
  (
    await shop.db.selectFrom('refund_lines').select(['line_number', 'amount_cents', 'tax_cents']).execute()
  ).map(Object.values)

describe('a refund of amounts', () => {
  test('returns them with their tax, and the order, the emails and the provider show it', async () => {
    const id = await aPaidOrder()
    const { status, body } = await refund(id, [
      { line: 1, amount: 11 },
      { line: 0, amount: 5.5 },
    ])
    expect(status).toBe(200)
    expect(body).toMatchObject({ amount: 16.5, kind: 'goodwill', status: 'succeeded', reason: 'A scratch' })
    expect(await listTaxes()).toEqual(
      expect.arrayContaining([
        [1, 1100, 100],
        [0, 550, 50],
      ]),
    )
    const { body: order } = await shop.call('getOrder', { as: admin, query: { id } })
    expect(order).toMatchObject({
      status: 'paid',
      lines: [{ paid: 110 }, { paid: 22 }],
      refunds: [
        {
          amount: 16.5,
          lines: [
            { line: 0, amount: 5.5 },
            { line: 1, amount: 11 },
          ],
        },
      ],
    })
    expect(order.history?.slice(-2)).toMatchObject([
      { kind: 'refund_due', by: 'admin' },
      { kind: 'refunded' },
    ])
    const emails = await sentEmails(shop.db, rider.email)
    const sent = emails.find(({ subject }) => subject === `Refund for order #${id.slice(0, 6)}`)
    expect(sent?.body).toMatch(/We refund \$16\.50 to your card.*A scratch/s)
    await expectConsistent(shop.db)
  })

  test('is made once for a key, even at the same time, and another request with it is refused', async () => {
    const id = await aPaidOrder()
    const key = randomUUID()
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => refund(id, [{ line: 1, amount: 10 }], { key })),
    )
    expect(new Set(replies.map(({ body }) => body.id)).size).toBe(1)
    expect(await listRefunds()).toHaveLength(1)
    for (const other of [
      refund(id, [{ line: 1, amount: 11 }], { key }),
      refund(id, [{ line: 2, amount: 10 }], { key }),
      refund(id, [{ line: 1, amount: 10 }], { key, reason: 'Another one' }),
    ])
      expect(await other).toMatchObject(refused('IDEMPOTENCY_KEY_REUSED'))
    await expectConsistent(shop.db)
  })

  test('is never above what was paid, even from three admins at once', async () => {
    const id = await aPaidOrder()
    const replies = await Promise.all(Array.from({ length: 3 }, () => refund(id, [{ line: 2, amount: 8 }])))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(2)
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(1)
    const rejected = await refund(id, [{ line: 2, amount: 8 }])
    expect(rejected.status).toBe(409)
    expect(rejected.body).toMatchObject({
      code: 'REFUND_TOO_LARGE',
      left: 6,
      message: 'At most $6 can still be refunded here.',
    })
    expect((await refund(id, [{ line: 2, amount: 6 }])).status).toBe(200)
    expect(await refund(id, [{ line: 2, amount: 0.01 }])).toMatchObject({
      body: { left: 0, message: 'Nothing can be refunded here any more.' },
    })
    expect(await refund(id, [{ line: 3, amount: 1 }])).toMatchObject(
      refused('INVALID_REQUEST', { fields: { 'lines.0.line': 'This order has no such line' } }),
    )
    await expectConsistent(shop.db)
  })

  test('leaves the rest to a cancellation, to the cent', async () => {
    const id = await aPaidOrder()
    await refund(id, [{ line: 1, amount: 33.33 }])
    await refund(id, [{ line: 0, amount: 1.01 }])
    const { body: details } = await shop.call('getOrderDetails', { as: rider, params: { id } })
    expect(details).toMatchObject({ total: 137.5, refunded: 34.34 })
    const { body } = await shop.call('cancelOrder', { as: rider, params: { id } })
    expect(body).toEqual({ cancelled: true, refunded: 103.16 })
    await expectConsistent(shop.db)
  })

  test('of everything leaves nothing to a cancellation, which returns the stock', async () => {
    const id = await aPaidOrder()
    await refund(id, [
      { line: 0, amount: 5.5 },
      { line: 1, amount: 110 },
      { line: 2, amount: 22 },
    ])
    const { body } = await shop.call('cancelOrder', { as: rider, params: { id } })
    expect(body).toEqual({ cancelled: true, refunded: 0 })
    expect(await listRefunds()).toMatchObject([{ amount: 0, status: 'closed' }, { amount: 137.5 }])
    await expectConsistent(shop.db)
  })

  test('that an employee made in the dashboard stays made if another process requests it too', async () => {
    const id = await aPaidOrder()
    const { transaction_id: intentId } = await shop.db
      .selectFrom('orders')
      .select('transaction_id')
      .executeTakeFirstOrThrow()
    const inDashboard = { intentId: intentId ?? '', amountCents: 13_750, key: '', recordedIds: [] }
    await whileWebhooksAreLost(shop, () => shop.payments.gateway.refund(inDashboard))
    await shop.call('cancelOrder', { as: rider, params: { id } })
    const made = await shop.db.selectFrom('refunds').selectAll().executeTakeFirstOrThrow()
    expect(made).toMatchObject({ status: 'succeeded', attempt: 1 })
    await requestRefund(shop.payments, { ...made, status: 'due', provider_refund_id: null })
    expect(await listRefunds()).toMatchObject([{ status: 'succeeded', refundId: made.provider_refund_id }])
    await expectConsistent(shop.db)
  })

  test('is possible for a shipped order, not for an unpaid or a cancelled one', async () => {
    const id = await aPaidOrder()
    await shop.call('updateShipping', { as: admin, params: { id }, body: { shipping: 'Shipped' } })
    expect((await refund(id, [{ line: 1, amount: 1 }])).status).toBe(200)
    await shop.db.deleteFrom('tax_rates').execute()
    await shop.db.deleteFrom('shipping_rates').execute()
    const lines = [{ variantId: await aProduct(shop), quantity: 1, unitPrice: 40 }]
    const unpaid = await aPlacedCheckout(shop, rider, aCheckout(lines))
    expect(await refund(unpaid, [{ line: 1, amount: 1 }])).toMatchObject(refused('ORDER_NOT_PAID'))
    await shop.call('cancelOrder', { as: rider, params: { id: unpaid } })
    expect(await refund(unpaid, [{ line: 1, amount: 1 }])).toMatchObject(refused('ORDER_NOT_FOUND'))
    expect(await refund('none', [{ line: 1, amount: 1 }])).toMatchObject(refused('ORDER_NOT_FOUND'))
  })

  test.each([
    ['lines', { lines: [] }],
    ['lines.0.amount', { lines: [{ line: 1, amount: 0 }] }],
    ['lines.0.amount', { lines: [{ line: 1, amount: 1.005 }] }],
    ['lines.0.line', { lines: [{ line: -1, amount: 1 }] }],
    [
      'lines',
      {
        lines: [
          { line: 1, amount: 1 },
          { line: 1, amount: 1 },
        ],
      },
    ],
    ['reason', { reason: ' ' }],
  ])('with a wrong value in %s is an error of its field', async (field, values) => {
    const body = { lines: [{ line: 1, amount: 1 }], reason: 'A scratch', ...values }
    const reply = await shop.call('refundOrder', {
      as: admin,
      params: { id: 'none' },
      headers: { 'idempotency-key': randomUUID() },
      body,
    })
    expect(reply).toMatchObject({ status: 400, body: { fields: { [field]: expect.any(String) } } })
  })
})

describe('a failed refund', () => {
  async function aFailedRefund(): Promise<string> {
    // A late webhook would ask for the refund again.
    const { body } = await whileWebhooksAreLost(shop, async () =>
      refund(await aPaidOrder(), [{ line: 1, amount: 10 }]),
    )
    // As if the bank of the card had refused it.
    await shop.db
      .updateTable('refunds')
      .set({ status: 'failed', attempt: 2, failure: 'lost_or_stolen_card', next_attempt_at: new Date() })
      .execute()
    return body.id
  }
  const failAtProvider = () =>
    sql`update sandbox.refunds set status = 'failed', failure_reason = 'lost_or_stolen_card'`.execute(shop.db)

  test('is closed with a note, counts as refunded and is not tried again', async () => {
    const id = await aFailedRefund()
    await failAtProvider()
    expect((await close(id)).body).toMatchObject({ status: 'closed', note: 'Bank transfer of 3 March' })
    const { id: orderId } = await shop.db.selectFrom('orders').select('id').executeTakeFirstOrThrow()
    const readRefund = async (as: TestCustomer) =>
      (await shop.call('getOrder', { as, query: { id: orderId } })).body.refunds?.[0]
    expect(await readRefund(admin)).toMatchObject({ failures: 1, failure: 'lost_or_stolen_card' })
    const forBuyer = await readRefund(rider)
    expect(forBuyer).toMatchObject({ status: 'closed', failures: 0 })
    expect(JSON.stringify(forBuyer)).not.toMatch(/lost_or_stolen|Bank transfer/)
    await retryRefunds(shop.payments)
    expect(await listRefunds()).toMatchObject([{ status: 'closed' }])
    expect(await close(id)).toMatchObject(refused('REFUND_NOT_FAILED'))
    await expectConsistent(shop.db)
    const { body } = await shop.call('listAudit', { as: admin, query: { area: 'refunds' } })
    expect(body.entries).toMatchObject([
      {
        kind: 'edited',
        by: { email: admin.email, role: 'admin' },
        ip: expect.any(String),
        subject: { name: expect.stringMatching(/^Refund of \$[\d.]+ for #[\da-f]{6}$/) },
        changes: [
          { field: 'note', after: expect.stringContaining('Bank transfer') },
          { field: 'status', before: 'failed', after: 'closed' },
        ],
      },
    ])
  })

  test('is not closed if the provider has made it after all', async () => {
    const id = await aFailedRefund()
    expect(await close(id)).toMatchObject(refused('REFUND_NOT_FAILED'))
    expect(await listRefunds()).toMatchObject([{ status: 'succeeded' }])
  })

  /** Dependencies whose calls of `name` to the provider wait for `go`. */
  function holdProvider(name: 'refund' | 'findRefund') {
    const [asked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const { gateway } = shop.payments
    const hold =
      <Request, Reply>(call: (request: Request) => Promise<Reply>) =>
      async (request: Request) => {
        asked.resolve()
        await released.promise
        return call(request)
      }
    const held =
      name === 'refund' ? { refund: hold(gateway.refund) } : { findRefund: hold(gateway.findRefund) }
    return {
      deps: { ...shop.payments, gateway: { ...gateway, ...held } },
      asked: asked.promise,
      go: released.resolve,
    }
  }

  test('is not closed while the job requests it', async () => {
    const id = await aFailedRefund()
    await failAtProvider()
    const { deps, asked, go } = holdProvider('refund')
    const job = retryRefunds(deps)
    await asked
    expect(await close(id)).toMatchObject(refused('REFUND_NOT_COMPLETE'))
    go()
    await job
    expect(await listRefunds()).toMatchObject([{ status: 'succeeded' }])
    expect(await close(id)).toMatchObject(refused('REFUND_NOT_FAILED'))
    await expectConsistent(shop.db)
  })

  test('is not closed if the job requests it while the provider is asked', async () => {
    const id = await aFailedRefund()
    await failAtProvider()
    const [closing, job] = [holdProvider('findRefund'), holdProvider('refund')]
    const closed = closeRefund(closing.deps, id, 'Bank transfer', byAdmin()).catch((error: unknown) => error)
    await closing.asked
    const requested = retryRefunds(job.deps)
    await job.asked
    closing.go()
    expect(await closed).toMatchObject({ code: 'REFUND_NOT_COMPLETE' })
    job.go()
    await requested
    expect(await listRefunds()).toMatchObject([{ status: 'succeeded' }])
  })

  test('is not requested after it was closed, even if the job has read it before', async () => {
    const id = await aFailedRefund()
    await failAtProvider()
    const read = await shop.db.selectFrom('refunds').selectAll().executeTakeFirstOrThrow()
    expect((await close(id)).status).toBe(200)
    await requestRefund(shop.payments, read)
    expect(await listRefunds()).toMatchObject([{ status: 'closed' }])
    const { rows } = await sql`select from sandbox.refunds where status <> 'failed'`.execute(shop.db)
    expect(rows).toEqual([])
  })

  test('that is closed is recorded as made, once and as an error, if the provider makes it later', async () => {
    const id = await aFailedRefund()
    await failAtProvider()
    const [{ intentId, orderId } = { intentId: '', orderId: '' }] = await listRefunds()
    await close(id)
    // A request that the shop sent before arrives now.
    const late = { intentId, amountCents: 1000, key: id, recordedIds: [] }
    const made = await whileWebhooksAreLost(shop, () => shop.payments.gateway.refund(late))
    const logged: string[] = []
    const log = Object.create(shop.payments.log, {
      error: { value: (_details: object, message: string) => logged.push(message) },
      warn: { value: (_details: object, message: string) => logged.push(message) },
    })
    for (const _webhook of [1, 2]) await settleIntent({ ...shop.payments, log }, intentId)
    expect(await listRefunds()).toMatchObject([
      { status: 'succeeded', refundId: made.id, note: 'Bank transfer of 3 March' },
    ])
    expect(logged.splice(0)).toEqual(['the provider made a refund that an admin has closed'])
    const { history } = (await shop.call('getOrderDetails', { as: admin, params: { id: orderId } })).body
    expect(history.filter(({ kind }) => kind === 'refunded')).toHaveLength(2)

    // The customer has the money of the bank transfer.
    await failAtProvider()
    await settleIntent({ ...shop.payments, log }, intentId)
    expect(logged).toEqual(['a refund failed that an admin has closed'])
    const [refund] = await listRefunds()
    expect(refund).toMatchObject({ status: 'closed', note: 'Bank transfer of 3 March' })
    expect(refund?.nextAttemptAt).toBeUndefined()
  })

  /** Dependencies with a provider that rejects each call with this error. */
  async function withError(error: object) {
    const provider = createServer((_request, response) => {
      response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error }))
    })
    onTestFinished(() => stop(provider))
    const api = { host: '127.0.0.1', port: await listen(provider), protocol: 'http' } as const
    const gateway = openStripeGateway({ secretKey: 'sk_test_1', webhookSecret: 'whsec_1', api })
    return { ...shop.payments, gateway }
  }

  test('that has succeeded stays so if the provider rejects the question about it', async () => {
    await close(await aFailedRefund())
    await shop.db
      .updateTable('refunds')
      .set({ checked_at: new Date(0) })
      .execute()
    const unknown = { type: 'invalid_request_error', code: 'resource_missing', message: 'No such refund' }
    await checkRefunds(await withError(unknown))
    expect(await listRefunds()).toMatchObject([{ status: 'succeeded' }])
  })

  test('is not closed if the provider rejects the question', async () => {
    const id = await aFailedRefund()
    const deps = await withError({ type: 'invalid_request_error', message: 'Your account is restricted' })
    await expect(closeRefund(deps, id, 'Bank transfer', byAdmin())).rejects.toMatchObject({
      code: 'PAYMENT_PROVIDER_REJECTED',
    })
    expect(await listRefunds()).toMatchObject([{ status: 'failed' }])
  })

  test('is closed if the provider does not know its payment', async () => {
    const id = await aFailedRefund()
    const message = `No such payment_intent: 'pi_1'`
    const deps = await withError({ type: 'invalid_request_error', code: 'resource_missing', message })
    await closeRefund(deps, id, 'Bank transfer', byAdmin())
    expect(await listRefunds()).toMatchObject([{ status: 'closed' }])
  })

  test('needs a note to be closed, and has to exist', async () => {
    expect(await close('none', ' ')).toMatchObject({
      status: 400,
      body: { fields: { note: expect.any(String) } },
    })
    expect(await close('none')).toMatchObject(refused('NOT_FOUND'))
  })
})
