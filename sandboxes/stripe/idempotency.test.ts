import { sql } from 'kysely'
import { Stripe } from 'stripe'
import { expect, test } from 'vitest'
import { useTestSandbox } from '../../tests/payment-sandbox.ts'
import { deleteOldKeys } from './idempotency.ts'

const t = useTestSandbox()

const create = (amount: number, idempotencyKey: string) =>
  t.stripe.paymentIntents.create({ amount, currency: 'usd' }, { idempotencyKey })

test('a repeated request gets the first response', async () => {
  const first = await create(1500, 'order:1:1')
  const repeat = await create(1500, 'order:1:1')
  expect(repeat).toEqual(first)
  expect(repeat.lastResponse.headers['idempotent-replayed']).toBe('true')
  expect(first.lastResponse.headers['idempotent-replayed']).toBeUndefined()
  expect(await t.rows('payment_intents')).toHaveLength(1)
})

test('ten concurrent requests create one intent', async () => {
  const responses = await Promise.all(Array.from({ length: 10 }, () => create(1500, 'order:1:1')))
  expect(new Set(responses.map(({ id }) => id)).size).toBe(1)
  expect(await t.rows('payment_intents')).toHaveLength(1)
})

test('the same key for a different request is rejected', async () => {
  await create(1500, 'order:1:1')
  await expect(create(1600, 'order:1:1')).rejects.toThrow(Stripe.errors.StripeIdempotencyError)
  expect(await t.rows('payment_intents')).toHaveLength(1)
})

test('a rejected request saves no key', async () => {
  await expect(create(1, 'order:1:1')).rejects.toMatchObject({ code: 'amount_too_small' })
  expect(await create(1500, 'order:1:1')).toMatchObject({ amount: 1500 })
})

test('a repeated decline returns the first response and is not charged again', async () => {
  const { id } = await create(1500, 'order:1:1')
  const confirm = () =>
    t.stripe.paymentIntents.confirm(
      id,
      { payment_method: 'pm_card_chargeDeclined' },
      { idempotencyKey: 'try' },
    )
  await expect(confirm()).rejects.toMatchObject({ code: 'card_declined' })
  await expect(confirm()).rejects.toMatchObject({ code: 'card_declined' })
  expect(await t.rows('charges')).toHaveLength(1)
})

test('a key is deleted after a day', async () => {
  await create(1500, 'order:0:1')
  const first = await create(1500, 'order:1:1')
  await sql`update sandbox.idempotency_keys set created_at = now() - interval '25 hours'`.execute(
    t.database.db,
  )
  expect((await create(1500, 'order:1:1')).id).not.toBe(first.id)
  await deleteOldKeys(t.sandbox.db)
  const { rows } = await sql`select key from sandbox.idempotency_keys`.execute(t.database.db)
  expect(rows).toEqual([{ key: 'order:1:1' }])
})

test("a browser can't read the response to the server", async () => {
  const { id } = await create(1500, 'order:1:1')
  const response = await fetch(`http://127.0.0.1:${t.listener.port}/v1/payment_intents`, {
    method: 'POST',
    headers: { authorization: 'Bearer pk_test_of_the_tests', 'idempotency-key': 'order:1:1' },
    body: new URLSearchParams({ amount: '1500', currency: 'usd' }),
  })
  expect(response.status).toBe(401)
  expect(await response.text()).not.toContain(id)
})
