import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aCustomer, aProduct } from '../../tests/factories.ts'
import { openOwnShop, type TestShop } from '../../tests/shop.ts'
import { requestLimits } from '../platform/http/request-limits.ts'
import { processMetrics } from '../platform/telemetry/metrics.ts'

let shop: TestShop
let token: string

beforeAll(async () => {
  // No entry expires during the tests.
  shop = await openOwnShop({ cacheSeconds: 600, metrics: { port: 0, host: '127.0.0.1' } })
  await aProduct(shop, { name: 'Sintered brake pads' })
  token = (await aCustomer(shop)).token
})
afterAll(() => shop.close())

type Headers = Record<string, string>

/** Leaves out what differs between two responses to the same request. */
function toResult(status: number | undefined, headers: Record<string, unknown>, bytes: Buffer) {
  const { date: _date, connection: _connection, 'keep-alive': _alive, ...others } = headers
  const body = bytes.toString('latin1').replace(/"requestId":"\w+"/, '')
  return { status, headers: { ...others, 'x-request-id': typeof others['x-request-id'] }, body }
}

async function send(method: string, url: string, headers: Headers, body?: string) {
  const sent = request(shop.config.origin + url, { method, headers }).end(body)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  return toResult(response.statusCode, response.headers, Buffer.concat(await response.toArray()))
}

/** Sends the same request only to Fastify. */
async function inject(method: string, url: string, headers: Headers, body?: string) {
  const all = { ...headers, host: new URL(shop.config.origin).host }
  const response = await shop.app.inject({
    method: method as 'GET',
    url,
    headers: all,
    ...(body && { body }),
  })
  return toResult(response.statusCode, response.headers, response.rawPayload)
}

const path = '/api/products?pageSize=24'
const br = { 'accept-encoding': 'gzip, br' }

/** Leaves entries with compressed bodies, so that the next request is a hit. */
async function warmUp(): Promise<void> {
  for (const headers of [br, { 'accept-encoding': 'gzip' }, {}])
    for (let count = 0; count < 3; count++) await send('GET', path, headers)
}

const etag = async () => String((await fetch(shop.config.origin + path)).headers.get('etag'))
const many = Array.from({ length: requestLimits.headers - 1 }, (_, index) => [`x-${index}`, '1'] as const)

test.each<[string, string, () => Headers | Promise<Headers>, string?]>([
  ['with br', 'GET', () => br],
  ['with gzip', 'GET', () => ({ 'accept-encoding': 'gzip' })],
  ['without compression', 'GET', () => ({})],
  ['with the current ETag', 'GET', async () => ({ ...br, 'if-none-match': await etag() })],
  ['with an old ETag', 'GET', () => ({ ...br, 'if-none-match': 'W/"old"' })],
  ['with a token', 'GET', () => ({ ...br, authorization: `Bearer ${token}` })],
  ['after a change of its own', 'GET', () => ({ ...br, cookie: 'recent-change=1' })],
  [
    'with a body',
    'GET',
    () => ({ ...br, 'content-type': 'application/json', 'content-length': '5' }),
    '{"a":',
  ],
  ['with too many headers', 'GET', () => Object.fromEntries(many)],
  ['for the head', 'HEAD', () => br],
  ['with another method', 'DELETE', () => br],
])('a repeated request %s gets the response of Fastify', async (_what, method, toHeaders, body) => {
  await warmUp()
  const headers = await toHeaders()
  const [one, other] = [await send(method, path, headers, body), await inject(method, path, headers, body)]
  expect(one).toEqual(other)
})

async function countRequests(): Promise<number> {
  const values = (await processMetrics.getSingleMetric('http_requests_total')?.get())?.values ?? []
  return values
    .filter(({ labels }) => labels.route === '/api/products')
    .reduce((sum, { value }) => sum + value, 0)
}

test('repeated requests have an id of their own, and are counted', async () => {
  await warmUp()
  const before = await countRequests()
  const responses = await Promise.all([1, 2, 3].map(() => fetch(shop.config.origin + path)))
  expect(new Set(responses.map(({ headers }) => headers.get('x-request-id'))).size).toBe(3)
  await expect.poll(countRequests).toBe(before + 3)
})
