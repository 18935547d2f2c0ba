import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { TEST_KEYS, useTestSandbox } from '../../tests/payment-sandbox.ts'
import { BROWSER_FILES } from './browser-files.ts'
import { paymentSandbox } from './plugin.ts'

const t = useTestSandbox()
const PREFIX = '/sandbox/payments'

let shop: FastifyInstance

beforeEach(async () => {
  shop = Fastify()
  shop.addHook('onRequest', async (_request, reply) => {
    reply.headers({ 'content-security-policy': "frame-ancestors 'none'", 'x-frame-options': 'DENY' })
  })
  await shop.register(paymentSandbox, { prefix: PREFIX, sandbox: t.sandbox })
})
afterEach(() => shop.close())

const call = (path: string, params: Record<string, string>) =>
  shop.inject({
    method: 'POST',
    url: `${PREFIX}/v1${path}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(params).toString(),
  })

describe('the files for the browser', () => {
  test.each(BROWSER_FILES)('%s is served and revalidated each time', async (name) => {
    const response = await shop.inject(`${PREFIX}/${name}`)
    expect(response.statusCode).toBe(200)
    expect(response.headers['cache-control']).toBe('no-cache')
    expect(response.headers['content-type']).toMatch(/charset=utf-8$/)
  })

  test.each(['card.html', 'challenge.html'])(
    '%s can be framed by the shop, with its own policy',
    async (name) => {
      const { headers, body } = await shop.inject(`${PREFIX}/${name}`)
      expect(headers['content-security-policy']).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
      )
      expect(headers['x-frame-options']).toBe('SAMEORIGIN')
      expect(body).not.toMatch(/<style|style=|<script(?![^>]*\ssrc=)|\son\w+=/)
    },
  )

  test.each(BROWSER_FILES.filter((name) => name.endsWith('.js')))(
    '%s sets no style that the policy blocks',
    async (name) => {
      const { body } = await shop.inject(`${PREFIX}/${name}`)
      expect(body).not.toMatch(
        /innerHTML|outerHTML|insertAdjacentHTML|setAttribute\('style'|createElement\('style'/,
      )
    },
  )
})

describe('the API at the origin of the shop', () => {
  test('accepts a payment with the publishable key and the client secret', async () => {
    const intent = await t.stripe.paymentIntents.create({ amount: 700, currency: 'usd' })
    const paid = await call(`/payment_intents/${intent.id}/confirm`, {
      key: TEST_KEYS.publishableKey,
      client_secret: String(intent.client_secret),
      payment_method: 'pm_card_visa',
    })
    expect(paid.statusCode).toBe(200)
    expect(paid.json()).toMatchObject({ status: 'succeeded' })
    expect(paid.headers['cache-control']).toBe('no-store')
    expect((await t.inbox.first('payment_intent.succeeded')).event.data.object).toMatchObject({
      id: intent.id,
    })
  })

  test('rejects the secret key', async () => {
    const response = await call('/payment_intents', {
      key: TEST_KEYS.secretKey,
      amount: '700',
      currency: 'usd',
    })
    expect(response.statusCode).toBe(401)
    expect(response.json()).toMatchObject({
      error: { message: 'Invalid API Key provided: sk_test_********' },
    })
  })
})
