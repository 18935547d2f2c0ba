import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { listen, stop } from '../../../tests/listen.ts'
import { TEST_KEYS, toFailure, useTestSandbox } from '../../../tests/payment-sandbox.ts'
import { openStripeGateway, type PaymentGateway, ProviderRejected, ProviderUnavailable } from './stripe.ts'

const t = useTestSandbox()

const ORDER = { orderId: 'order-1', amountCents: 12_500, attempt: 1 }

const gatewayAt = (port: number, secretKey = TEST_KEYS.secretKey): PaymentGateway =>
  openStripeGateway({
    secretKey,
    webhookSecret: TEST_KEYS.webhookSecret,
    api: { host: '127.0.0.1', port, protocol: 'http' },
  })

/** Starts a fake provider. Returns its port. */
async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener)
  onTestFinished(() => stop(server))
  return listen(server)
}

/** Sends a request on to the sandbox. */
function forward(incoming: IncomingMessage, onResponse: (response: IncomingMessage) => void): void {
  const { method, headers, url } = incoming
  incoming.pipe(httpRequest({ port: t.listener.port, path: url, method, headers }, onResponse))
}

const copy = (response: IncomingMessage, outgoing: ServerResponse) =>
  response.pipe(outgoing.writeHead(response.statusCode ?? 0, response.headers))

test('creates one intent if the first response is lost', async () => {
  let requests = 0
  const port = await serve((incoming, outgoing) => {
    requests += 1
    forward(incoming, (response) => {
      if (requests === 1) outgoing.destroy()
      else copy(response, outgoing)
    })
  })
  const intent = await gatewayAt(port).createIntent(ORDER)
  expect(requests).toBe(2)
  expect(await t.rows('payment_intents')).toMatchObject([{ id: intent.id }])
})

test('creates an intent if the provider repeats the errors that it has saved', async () => {
  const failedKeys: unknown[] = []
  const port = await serve((incoming, outgoing) => {
    const key = incoming.headers['idempotency-key']
    const replayed = failedKeys.includes(key)
    if (!replayed && failedKeys.length === 2) return forward(incoming, (response) => copy(response, outgoing))
    if (replayed) outgoing.setHeader('idempotent-replayed', 'true')
    else failedKeys.push(key)
    outgoing.writeHead(500, { 'content-type': 'application/json', 'stripe-should-retry': 'false' })
    outgoing.end(JSON.stringify({ error: { type: 'api_error', message: 'An unknown error occurred' } }))
  })
  const gateway = gatewayAt(port)
  expect(await toFailure(gateway.createIntent(ORDER))).toBeInstanceOf(ProviderUnavailable)
  expect(await toFailure(gateway.createIntent(ORDER))).toBeInstanceOf(ProviderUnavailable)
  const intent = await gateway.createIntent(ORDER)
  expect(intent).toMatchObject({ status: 'open', amountCents: 12_500, orderId: 'order-1' })
  expect(failedKeys[0]).toBe('order:order-1:1')
  expect(await t.rows('payment_intents')).toMatchObject([{ id: intent.id }])
})

test('is unavailable if nothing listens', async () => {
  const { port } = t.listener
  await t.listener.close()
  expect(await toFailure(gatewayAt(port).findIntent('pi_1'))).toBeInstanceOf(ProviderUnavailable)
})

test('is asked three times before it counts as unavailable', async () => {
  let requests = 0
  const port = await serve((_request, response) => {
    requests += 1
    response.writeHead(503, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ error: { type: 'api_error', message: 'Down for a moment' } }))
  })
  expect(await toFailure(gatewayAt(port).createIntent(ORDER))).toBeInstanceOf(ProviderUnavailable)
  expect(requests).toBe(3)
})

test('is unavailable if something else responds', async () => {
  const proxy = await serve((_request, response) => response.writeHead(200).end('<h1>Welcome</h1>'))
  expect(await toFailure(gatewayAt(proxy).findIntent('pi_1'))).toBeInstanceOf(ProviderUnavailable)
})

test('rejects a wrong key', async () => {
  const thirdParty = gatewayAt(t.listener.port, 'sk_test_somebody_elses')
  expect(await toFailure(thirdParty.createIntent(ORDER))).toBeInstanceOf(ProviderRejected)
})

test('an intent with an unknown status is an error', async () => {
  const port = await serve((_request, response) => {
    const intent = { id: 'pi_1', client_secret: 'pi_1_secret_1', status: 'requires_miracle', metadata: {} }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(intent))
  })
  const error = await toFailure(gatewayAt(port).findIntent('pi_1'))
  expect(error).toBeInstanceOf(ProviderRejected)
  expect(error).toMatchObject({ message: 'The payment intent pi_1 has the status requires_miracle' })
})
