import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ErrorCode, errors } from '../../../contract/errors.ts'
import { aCustomer, anAdmin, type TestCustomer } from '../../../tests/factories.ts'
import { rawHead, sendRaw } from '../../../tests/raw-http.ts'
import { openOwnShop, openTestShop, refused, type TestShop } from '../../../tests/shop.ts'
import { requestLimits } from './request-limits.ts'

let shop: TestShop
let rider: TestCustomer
let admin: TestCustomer

beforeAll(async () => {
  shop = await openOwnShop()
  rider = await aCustomer(shop)
  admin = await anAdmin(shop)
})
afterAll(() => shop.close())

const bearer = () => `Authorization: Bearer ${rider.token}`

async function answerTo(request: string | Buffer): Promise<{ status: number; code: ErrorCode }> {
  const { status, body, headers } = await sendRaw(shop.config.origin, request)
  expect(headers['cache-control']).toBe('no-store')
  const { code, message, ...rest } = JSON.parse(body)
  expect(message).toBe(errors[code as ErrorCode].message)
  expect(Object.keys(rest).filter((key) => key !== 'fields')).toEqual(['requestId'])
  return { status, code }
}

/** Returns headers for a total of `count`, because `rawHead` adds two. */
const headers = (count: number): string[] => Array(count - 2).fill('X-A: b')

test('the maximum number of headers is accepted', async () => {
  const { status } = await sendRaw(
    shop.config.origin,
    rawHead('GET', '/api/products', headers(requestLimits.headers)),
  )
  expect(status).toBe(200)
})

describe('errors of every layer have the standard shape', () => {
  const long = 'a'.repeat(requestLimits.url)

  test.each<[string, string, ErrorCode]>([
    ['a URL that is too long', rawHead('GET', `/api/products?q=${long}`), 'URL_TOO_LONG'],
    ['an endless URL', `GET /${'a'.repeat(requestLimits.headerBytes)}`, 'URL_TOO_LONG'],
    [
      'too many parameters',
      rawHead('GET', `/api/products?${'a&'.repeat(requestLimits.parameters)}`),
      'INVALID_REQUEST',
    ],
    [
      'too many headers',
      rawHead('GET', '/api/products', headers(requestLimits.headers + 1)),
      'HEADERS_TOO_LARGE',
    ],
    [
      'too long headers',
      rawHead('GET', '/api/products', [`X-A: ${'b'.repeat(requestLimits.headerBytes)}`]),
      'HEADERS_TOO_LARGE',
    ],
    ['no host', 'GET /api/products HTTP/1.1\r\nConnection: close\r\n\r\n', 'INVALID_REQUEST'],
    ['a malformed escape', rawHead('GET', '/api/product/%zz'), 'INVALID_REQUEST'],
    ['an escape with invalid UTF-8', rawHead('GET', '/api/%c0%af'), 'INVALID_REQUEST'],
    ['a path that leaves its folder', rawHead('GET', '/assets/../../package.json'), 'NOT_FOUND'],
    ['an unknown picture', rawHead('GET', `/pictures/uploaded/${'0'.repeat(32)}-640.jpeg`), 'NOT_FOUND'],
    ['a tunnel', rawHead('CONNECT', 'example.com:443'), 'NOT_FOUND'],
    ['a WebDAV method', rawHead('PROPFIND', '/api/products'), 'NOT_FOUND'],
    ['an unknown method', rawHead('BREW', '/api/products'), 'INVALID_REQUEST'],
    ['a CORS preflight', rawHead('OPTIONS', '/api/products', ['Origin: https://x.example']), 'NOT_FOUND'],
    [
      'two Content-Length headers',
      rawHead('POST', '/api/add-review', ['Content-Length: 2', 'Transfer-Encoding: chunked']),
      'INVALID_REQUEST',
    ],
    ['invalid HTTP', '\u0016\u0003\u0001\r\n\r\n', 'INVALID_REQUEST'],
  ])('%s', async (_, request, code) => {
    expect(await answerTo(request)).toEqual({ status: errors[code].status, code })
  })

  test('invalid UTF-8', async () => {
    const body = Buffer.concat([
      Buffer.from('{"review":"'),
      Buffer.from([0xc3, 0x28, 0xff]),
      Buffer.from('"}'),
    ])
    const jsonHeaders = ['Content-Type: application/json', `Content-Length: ${body.length}`, bearer()]
    const request = Buffer.concat([Buffer.from(rawHead('POST', '/api/add-review', jsonHeaders)), body])
    expect(await answerTo(request)).toEqual({ status: 400, code: 'INVALID_REQUEST' })
    expect((await shop.call('listReviews')).body).toEqual([])
  })

  test('a body nested 24,000 deep', async () => {
    const body = `${'[{"a":'.repeat(12_000)}1${'}]'.repeat(12_000)}`
    const headers = ['Content-Type: application/json', `Content-Length: ${body.length}`, bearer()]
    expect(await answerTo(rawHead('POST', '/api/add-review', headers) + body)).toMatchObject({ status: 400 })
  })
})

test('an unknown Expect header is ignored', async () => {
  const { status } = await sendRaw(shop.config.origin, rawHead('GET', '/api/products', ['Expect: a-miracle']))
  expect(status).toBe(200)
})

describe('an id of any shape is 404', () => {
  const ids = ['\0', 'a\0b', ' ', '%', '../..', '\u202e', '👾', 'x'.repeat(400), "' or 1=1", '__proto__']

  test.each(ids)('GET /product/%j', async (id) => {
    expect((await shop.call('getProduct', { params: { id } })).body.code).toBe('PRODUCT_NOT_FOUND')
  })

  test.each(ids)('GET /order?id=%j', async (id) => {
    expect((await shop.call('getOrder', { as: rider, query: { id } })).body.code).toBe('ORDER_NOT_FOUND')
  })

  test.each([...ids, '\ud800'])('PUT /update-product and POST /confirm-purchase, %j', async (id) => {
    const body = { productId: id, quantity: 1, amount: 1, customerAddress: '1 Road' }
    expect((await shop.call('confirmPurchase', { as: rider, body })).body.code).toBe('PRODUCT_NOT_FOUND')
    const params = { id: id.toWellFormed() }
    const response = await shop.call('updateProduct', { as: admin, params, body: { quantity: 1 } })
    expect(response.body.code).toBe('PRODUCT_NOT_FOUND')
  })

  test.each(ids)('GET /user?email=%j', async (email) => {
    expect((await shop.call('getUser', { as: admin, query: { email } })).body.code).toBe('USER_NOT_FOUND')
  })
})

test('the payment sandbox rejects NUL in ids and values', async () => {
  const headers = { authorization: `Bearer ${shop.settings.stripe.publishableKey}` }
  const where = '/sandbox/payments/v1/payment_intents/a%00b?client_secret=x'
  const response = await shop.request<{ error: { type: string } }>('GET', where, { headers })
  expect([response.status, response.body.error.type]).toEqual([400, 'invalid_request_error'])
})

test.each(['', 't=1,v1=', 't=1,v1=,v1=a', 'v1=a'])('a webhook signed "%s" is rejected', async (signature) => {
  const headers = { 'stripe-signature': signature }
  const response = await shop.request('POST', '/api/v1/payments/webhook', { headers, body: {} })
  expect(response).toMatchObject(refused('INVALID_SIGNATURE'))
})

test.each([
  ['reads backwards', 'gnp.\u202exe.csv'],
  ['could not be read', 'parts\ufffd.csv'],
])('a product file with a name that %s is rejected', async (_, fileName) => {
  const query = { fileName }
  const response = await shop.request<{ code: string }>('POST', '/api/v1/imports', {
    as: admin,
    query,
    headers: { 'content-type': 'text/csv' },
    body: 'name',
  })
  expect(response.body.code).toBe('INVALID_REQUEST')
})

test('a client without a proxy in front of the shop has a limited number of connections', async () => {
  const other = await openTestShop({ connectionsPerNetwork: 1 })
  const { hostname, port } = new URL(other.config.origin)
  const held = connect(Number(port), hostname)
  try {
    await once(held, 'connect')
    const { status, body } = await sendRaw(other.config.origin, rawHead('GET', '/api/reviews'))
    expect({ status, body: JSON.parse(body) }).toMatchObject(refused('TOO_MANY_REQUESTS'))
  } finally {
    held.destroy()
    await other.close()
  }
})
