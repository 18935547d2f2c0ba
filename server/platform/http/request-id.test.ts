import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { aCustomer, aProduct } from '../../../tests/factories.ts'
import { openTestShop, type TestShop } from '../../../tests/shop.ts'

let direct: TestShop
let proxied: TestShop
let log = ''

beforeAll(async () => {
  direct = await openTestShop(
    { logLevel: 'trace', cacheSeconds: 60 },
    { write: (line) => void (log += line) },
  )
  proxied = await openTestShop({ trustedProxies: 1 })
})
afterAll(async () => {
  await direct.close()
  await proxied.close()
})
beforeEach(() => {
  log = ''
})

async function get(path: string, { shop = direct, id = '' } = {}) {
  const response = await fetch(`${shop.config.origin}${path}`, { headers: id ? { 'x-request-id': id } : {} })
  return { response, id: response.headers.get('x-request-id') ?? '', body: await response.text() }
}

/** Returns the ids of all log lines with this message. */
const loggedIds = (message: string) =>
  log
    .split('\n')
    .filter((line) => line.includes(message))
    .map((line) => (JSON.parse(line) as { requestId?: string }).requestId)

test('every response has an id of its own', async () => {
  const responses = await Promise.all(
    ['/healthz', '/healthz', '/pictures/chain.svg', '/api/x', '/%'].map((path) => get(path)),
  )
  for (const { id } of responses) expect(id).toMatch(/^[0-9a-f]{32}$/)
  expect(new Set(responses.map(({ id }) => id)).size).toBe(5)
})

test.each(['/api/nothing', '/api/product/missing', '/%', '/idp/nothing'])(
  'the error body of %s has the id of the response',
  async (path) => {
    const { id, body } = await get(path)
    expect(JSON.parse(body)).toMatchObject({ code: expect.any(String), requestId: id })
  },
)

test('an invalid request has an id in header, body and log', async () => {
  const socket = connect(direct.config.port, 'localhost')
  socket.write('GET / HTTP/1.1\r\nHost: x\r\nBroken header\r\n\r\n')
  const response = await text(socket)
  const [, id] = /^X-Request-Id: ([0-9a-f]{32})\r$/m.exec(response) ?? []
  expect(response).toContain(`"requestId":"${id}"`)
  expect(loggedIds('invalid or slow HTTP request')).toEqual([id])
})

test('an id of the client is accepted only from a trusted proxy, and only if it is well-formed', async () => {
  const sent = 'a1b2-c3d4_e5f6'
  expect((await get('/healthz', { id: sent })).id).not.toBe(sent)
  expect((await get('/healthz', { shop: proxied, id: sent })).id).toBe(sent)
  for (const id of ['short', 'x'.repeat(65), 'with space', 'a"b"c"d"e', 'rider@example.com']) {
    expect((await get('/healthz', { shop: proxied, id })).id).toMatch(/^[0-9a-f]{32}$/)
  }
})

test('responses from the cache have the id of their own request', async () => {
  const responses = [await get('/api/products'), await get('/api/products'), await get('/api/products')]
  expect(responses.map(({ response }) => response.headers.get('cache-status'))).toEqual([
    'shop; fwd=miss',
    'shop; hit',
    'shop; hit',
  ])
  for (const { id } of responses) expect(id).toMatch(/^[0-9a-f]{32}$/)
  expect(new Set(responses.map(({ id }) => id)).size).toBe(3)
})

test('all log lines of a request have its id, even after its body was read', async () => {
  const productId = await aProduct(direct)
  const rider = await aCustomer(direct)
  const body = { productId, quantity: 1, amount: 40, customerAddress: '1 Road' }
  await direct.db.schema.alterTable('products').renameColumn('stock', 'elsewhere').execute()
  // Most of the body arrives after the headers.
  const bytes = Buffer.from(`${' '.repeat(95_000)}${JSON.stringify(body)}`)
  const headers = { 'content-type': 'application/json' }
  const response = await direct.call('confirmPurchase', { as: rider, body: bytes, headers })
  await direct.db.schema.alterTable('products').renameColumn('elsewhere', 'stock').execute()
  expect(response.status).toBe(500)
  const { requestId } = response.body
  expect(loggedIds('unexpected error')).toEqual([requestId])
})
