import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { sql } from 'kysely'
import { Stripe } from 'stripe'
import { expect, onTestFinished, test } from 'vitest'
import { TEST_KEYS, testSettings, useTestSandbox } from '../../tests/payment-sandbox.ts'
import { openPaymentSandbox } from './sandbox.ts'

const t = useTestSandbox()

const createIntent = () => t.stripe.paymentIntents.create({ amount: 500, currency: 'usd' })

async function outstanding(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int from sandbox.webhook_deliveries where delivered_at is null`.execute(t.database.db)
  return rows[0]?.count ?? Number.NaN
}

test('sends a signed webhook for every event of a payment', async () => {
  const { id } = await createIntent()
  await expect(
    t.stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_chargeDeclined' }),
  ).rejects.toThrow('Your card was declined.')
  await t.stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_authenticationRequired' })
  await t.stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' })
  await t.stripe.refunds.create({ payment_intent: id })
  const other = await createIntent()
  await t.stripe.paymentIntents.cancel(other.id)

  const types = [
    'payment_intent.created',
    'charge.failed',
    'payment_intent.payment_failed',
    'payment_intent.requires_action',
    'charge.succeeded',
    'payment_intent.succeeded',
    'charge.refunded',
    'refund.created',
    'payment_intent.canceled',
  ]
  for (const type of types) {
    const { body, signature } = await t.inbox.first(type)
    const event = t.stripe.webhooks.constructEvent(body, signature, TEST_KEYS.webhookSecret)
    expect(event).toMatchObject({ object: 'event', type, livemode: false })
  }
  const { event } = await t.inbox.first('payment_intent.succeeded')
  expect(event.data.object).toMatchObject({ id, status: 'succeeded', amount_received: 500 })
})

test('the SDK rejects a changed body', async () => {
  await createIntent()
  const { body, signature } = await t.inbox.first('payment_intent.created')
  const changed = body.toString().replace('"amount":500', '"amount":501')
  expect(changed).not.toBe(body.toString())
  const { webhooks } = t.stripe
  expect(() => webhooks.constructEvent(changed, signature, TEST_KEYS.webhookSecret)).toThrow(
    Stripe.errors.StripeSignatureVerificationError,
  )
  expect(() => webhooks.constructEvent(body, signature, 'whsec_another')).toThrow(
    Stripe.errors.StripeSignatureVerificationError,
  )
})

test('retries with the same event until the shop accepts it', async () => {
  t.inbox.responses.push(500, 503, 302)
  await createIntent()
  await expect.poll(outstanding).toBe(0)
  expect(t.inbox.received).toHaveLength(4)
  expect(new Set(t.inbox.received.map(({ event }) => event.id)).size).toBe(1)
})

test('delivers each event once from two processes', async () => {
  const second = openPaymentSandbox(testSettings(t.database.url, t.inbox.url))
  await Promise.all(Array.from({ length: 20 }, createIntent))
  second.webhookSender?.wake()
  await expect.poll(outstanding).toBe(0)
  await second.close()
  expect(t.inbox.received).toHaveLength(20)
})

test('the next process delivers pending events', async () => {
  await t.inbox.close()
  const intent = await createIntent()
  expect(await outstanding()).toBe(1)
  await t.restart()
  const { event } = await t.inbox.first('payment_intent.created')
  expect(event.data.object).toMatchObject({ id: intent.id })
})

test('a delivery of a killed process is taken over within ten seconds', async () => {
  t.inbox.responses.push(null)
  await createIntent()
  await t.inbox.first('payment_intent.created')
  const { rows } = await sql`
    select next_attempt_at between now() + interval '5 seconds' and now() + interval '10 seconds' as leased
    from sandbox.webhook_deliveries`.execute(t.database.db)
  expect(rows).toEqual([{ leased: true }])
})

test('close aborts a hanging delivery, and another process can deliver it immediately', async () => {
  t.inbox.responses.push(null)
  await createIntent()
  await t.inbox.first('payment_intent.created')
  const start = performance.now()
  await t.sandbox.close()
  expect(performance.now() - start).toBeLessThan(5_000)
  const listResults = async () => {
    const { rows } = await sql`
      select last_result, next_attempt_at <= now() as due from sandbox.webhook_deliveries
      where last_result is not null`.execute(t.database.db)
    return rows
  }
  await expect.poll(listResults).toHaveLength(1)
  expect(await listResults()).toEqual([{ last_result: 'aborted', due: true }])
  await t.restart()
  await t.inbox.first('payment_intent.created')
})

test('gives up after three days', async () => {
  await t.inbox.close()
  await createIntent()
  await sql`update sandbox.events set created_at = now() - interval '73 hours'`.execute(t.database.db)
  t.sandbox.webhookSender?.wake()
  const scheduled = async () => {
    const { rows } = await sql<{ next_attempt_at: Date | null }>`
      select next_attempt_at from sandbox.webhook_deliveries`.execute(t.database.db)
    return rows[0]?.next_attempt_at
  }
  await expect.poll(scheduled).toBeNull()
  expect(await outstanding()).toBe(1)
})

test('an open sandbox does not keep its process alive', async () => {
  const settings = JSON.stringify(testSettings(t.database.url, t.inbox.url))
  const script = `
    import { openPaymentSandbox } from ${JSON.stringify(new URL('./sandbox.ts', import.meta.url).href)}
    const log = { warn: console.warn, error: console.error }
    const sandbox = openPaymentSandbox({ ...${settings}, log })
    await sandbox.db.selectFrom('events').selectAll().execute()`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], { stdio: 'inherit' })
  onTestFinished(() => void child.kill())
  expect(await once(child, 'exit')).toEqual([0, null])
})
