import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { stripeAt, TEST_KEYS, testSettings, toFailure, useTestSandbox } from '../../tests/payment-sandbox.ts'
import { openSandboxListener } from './listener.ts'
import { openPaymentSandbox } from './sandbox.ts'

const t = useTestSandbox()

test('an unknown call is rejected with an error in Stripe’s shape', async () => {
  const api = `http://127.0.0.1:${t.listener.port}/v1`
  const authorization = `Bearer ${TEST_KEYS.secretKey}`
  const unknown = await fetch(`${api}/customers?limit=1`, { headers: { authorization } })
  expect(unknown.status).toBe(404)
  expect(await unknown.json()).toMatchObject({
    error: { type: 'invalid_request_error', message: 'Unrecognized request URL (GET: /v1/customers).' },
  })
  const json = await fetch(`${api}/refunds`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: '{}',
  })
  expect(json.status).toBe(415)
  expect(await json.json()).toMatchObject({ error: { type: 'invalid_request_error' } })
})

test('a call that waits too long for a locked payment gets an error to retry', async () => {
  const { id } = await t.stripe.paymentIntents.create({ amount: 500, currency: 'usd' })
  await t.database.db.transaction().execute(async (tx) => {
    await sql`select 1 from sandbox.payment_intents where id = ${id} for update`.execute(tx)
    const error = await toFailure(t.stripe.paymentIntents.cancel(id))
    expect(error).toMatchObject({
      type: 'StripeRateLimitError',
      code: 'lock_timeout',
      headers: { 'stripe-should-retry': 'true' },
    })
  })
  expect(await t.stripe.paymentIntents.cancel(id)).toMatchObject({ status: 'canceled' })
})

test('an unavailable database is an error of the provider, logged and without details', async () => {
  const logged: string[] = []
  const settings = testSettings('postgres://127.0.0.1:1/shop', t.inbox.url)
  settings.log.error = settings.log.warn = (_details, message) => void logged.push(message)
  const sandbox = openPaymentSandbox(settings)
  const listener = await openSandboxListener(sandbox)
  const error = await toFailure(stripeAt(listener, TEST_KEYS.secretKey).refunds.list())
  expect(error).toMatchObject({ statusCode: 500, rawType: 'api_error', message: 'An unknown error occurred' })
  await listener.close()
  await sandbox.close()
  expect(logged.toSorted()).toEqual(['database unavailable', 'job failed, retrying', 'job failed, retrying'])
})
