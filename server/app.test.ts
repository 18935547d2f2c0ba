import { request as httpRequest } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { routes } from '../contract/routes.ts'
import { aCustomer, aProduct } from '../tests/factories.ts'
import { openOwnShop, refused, type TestShop } from '../tests/shop.ts'
import type { OpenApi } from './http/openapi.ts'

let shop: TestShop

beforeAll(async () => {
  shop = await openOwnShop()
})
afterAll(() => shop.close())
beforeEach(() => shop.database.empty())

describe('health', () => {
  test('GET /healthz returns 200 while the process runs', async () => {
    expect(await shop.request('GET', '/healthz')).toMatchObject({ status: 200, body: { status: 'alive' } })
  })

  test('GET /readyz returns 200 while the database responds and is migrated', async () => {
    expect(await shop.request('GET', '/readyz')).toMatchObject({ status: 200, body: { status: 'ready' } })
  })
})

describe('errors have one shape', () => {
  const post = (body: string, headers: Record<string, string> = { 'content-type': 'application/json' }) =>
    fetch(`${shop.config.origin}/api/confirm-purchase`, { method: 'POST', body, headers })

  test('an unknown path is 404', async () => {
    expect(await shop.request('GET', '/api/nothing')).toMatchObject(refused('NOT_FOUND'))
    expect(await shop.request('DELETE', '/api/products')).toMatchObject(refused('NOT_FOUND'))
  })

  test.each([
    ['broken JSON', '{"quantity": ', 400, 'INVALID_REQUEST'],
    ['JSON that is not an object', '[1]', 400, 'INVALID_REQUEST'],
    ['a __proto__ property', '{"__proto__": {"role": "admin"}}', 400, 'INVALID_REQUEST'],
    ['a missing body', '', 400, 'INVALID_REQUEST'],
    [
      'a body that is too large',
      JSON.stringify({ customerAddress: 'x'.repeat(200_000) }),
      413,
      'BODY_TOO_LARGE',
    ],
  ])('%s is an error', async (_, body, status, code) => {
    const { token } = await aCustomer(shop)
    const response = await post(body, {
      'content-type': 'application/json',
      authorization: `Bearer ${token}`,
    })
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ code, message: expect.any(String) })
  })

  test('another content type is 415', async () => {
    const { token } = await aCustomer(shop)
    const response = await post('<a/>', { 'content-type': 'text/xml', authorization: `Bearer ${token}` })
    expect(response.status).toBe(415)
    expect(await response.json()).toMatchObject({ code: 'UNSUPPORTED_MEDIA_TYPE' })
  })

  test('an unexpected error is 500 without details', async () => {
    const productId = await aProduct(shop)
    await shop.db.schema.alterTable('products').renameColumn('stock', 'elsewhere').execute()
    const response = await shop.call('getProduct', { params: { id: productId } })
    await shop.db.schema.alterTable('products').renameColumn('elsewhere', 'stock').execute()
    expect(response).toMatchObject(refused('INTERNAL'))
    expect(JSON.stringify(response.body)).not.toMatch(/column|stock|sql/i)
  })
})

describe('access', () => {
  const protectedCalls = Object.entries(routes).filter(([, route]) => route.access !== 'public')

  test.each(protectedCalls)('%s needs a signed-in customer', async (_, { method, path }) => {
    const url = `/api${path.replaceAll(/\{\w+\}/g, 'x')}`
    const body = method === 'GET' ? undefined : path.startsWith('/create-user') ? { role: 'admin' } : {}
    for (const authorization of ['', 'Bearer null', 'Bearer undefined', 'Bearer x.y.z', 'Beerer x']) {
      expect(await shop.request(method, url, { body, headers: { authorization } })).toMatchObject(
        refused('NOT_SIGNED_IN'),
      )
    }
  })

  test('a token of another shop and a token with one changed bit are invalid', async () => {
    const { token, email } = await aCustomer(shop)
    const forged = `${token.slice(0, -2)}${token.at(-2) === 'A' ? 'B' : 'A'}${token.at(-1)}`
    expect(await shop.call('getUser', { as: { token: forged }, query: { email } })).toMatchObject(
      refused('NOT_SIGNED_IN'),
    )
  })
})

describe('response headers', () => {
  test('an API response is not cached, sniffed or framed, and allows no other origin', async () => {
    const { headers } = await shop.request('GET', '/api/reviews', {
      headers: { origin: 'https://evil.example', authorization: 'Bearer none' },
    })
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(headers.get('access-control-allow-origin')).toBeNull()
  })
})

describe('the OpenAPI document', () => {
  test('contains every call of the contract', async () => {
    const { body } = await shop.request<{ paths: Record<string, Record<string, unknown>> }>(
      'GET',
      '/api/openapi.json',
    )
    for (const { path, method } of Object.values(routes)) {
      expect(body.paths[path]?.[method.toLowerCase()], `${method} ${path}`).toBeDefined()
    }
  })

  test('lists the errors of each call', async () => {
    const { body } = await shop.request<OpenApi>('GET', '/api/openapi.json')
    const operations = Object.values(body.paths).flatMap((path) => Object.values(path))
    expect(operations.length).toBeGreaterThan(20)
    for (const { operationId, responses, summary } of operations) {
      expect(Object.keys(responses), operationId).toEqual(
        expect.arrayContaining(['200', '400', '500', '503']),
      )
      expect(summary).not.toBe('')
    }
    const responses = body.paths['/confirm-purchase']?.post?.responses ?? {}
    expect(Object.keys(responses)).toEqual([
      '200',
      '400',
      '401',
      '404',
      '408',
      '409',
      '413',
      '415',
      '422',
      '429',
      '500',
      '503',
    ])
    expect(responses[409]?.description).toContain('IDEMPOTENCY_KEY_REUSED')
    expect(body.info.license).toEqual({ name: 'MIT', identifier: 'MIT' })
  })

  test('describes the success responses of all calls with the same path', async () => {
    const { body } = await shop.request<OpenApi>('GET', '/api/openapi.json')
    const exchange = body.paths['/create-user/{email}']?.put?.responses[200]
    expect(exchange?.content).toMatchObject({
      'application/json': {
        schema: { anyOf: [{ required: ['token', 'user'] }, { required: ['acknowledged', 'modifiedCount'] }] },
      },
    })
    for (const { path, method } of Object.values(routes)) {
      const content = body.paths[path]?.[method.toLowerCase()]?.responses[200]?.content ?? {}
      const type = path.endsWith('.csv') ? 'text/csv' : 'application/json'
      expect(Object.keys(content), path).toEqual([type])
    }
  })

  test('requires no token of guests and for public calls', async () => {
    const { body } = await shop.request<OpenApi>('GET', '/api/openapi.json')
    const [token, none] = [{ accessToken: [] }, {}]
    expect(body.paths['/products']?.get?.security).toEqual([none])
    expect(body.paths['/create-user/{email}']?.put?.security).toEqual([token, none])
    expect(body.paths['/v1/orders']?.get?.security).toEqual([token])
    expect(body.paths['/v1/orders/{id}']?.get?.security).toEqual([token, none])
    expect(body.paths['/v1/orders/{id}/returns']?.post?.security).toEqual([token, none])
  })

  test('has the error of a shop without withdrawals', async () => {
    const { body } = await shop.request<OpenApi>('GET', '/api/openapi.json')
    expect(body.paths['/v1/withdrawals']?.post?.responses[404]?.description).toContain('`NOT_FOUND`')
  })

  test('describes every property that it requires', async () => {
    const { body } = await shop.request<OpenApi>('GET', '/api/openapi.json')
    expect(findUndescribed(body)).toEqual([])
  })

  function findUndescribed(schema: unknown): string[] {
    if (typeof schema !== 'object' || schema === null) return []
    const { required, properties = {} } = schema as { required?: unknown; properties?: object }
    const names: string[] = Array.isArray(required) ? required : []
    return [
      ...names.filter((name) => !(name in properties)),
      ...Object.values(schema).flatMap(findUndescribed),
    ]
  }

  test('has a viewer that loads its script from the shop', async () => {
    const { body, headers } = await shop.request<string>('GET', '/api/docs')
    expect(headers.get('content-type')).toContain('text/html')
    expect(body).toContain('/api/openapi.json')
    expect([...body.matchAll(/ src="([^"]+)"/g)].map(([, src]) => src)).toEqual(['js/scalar.js'])
    const script = await shop.request('GET', '/api/docs/js/scalar.js')
    expect(script.status).toBe(200)
    const known = { 'if-none-match': script.headers.get('etag') ?? '' }
    expect((await shop.request('GET', '/api/docs/js/scalar.js', { headers: known })).status).toBe(304)
    expect(await shop.request('GET', '/api/docs/unknown')).toMatchObject(refused('NOT_FOUND'))
  })
})

describe('another host name of this machine', () => {
  const visit = (host: string, headers: Record<string, string>) =>
    shop.app.inject({ url: '/login?x=1', headers: { host, ...headers } })

  test.each(['127.0.0.1:3000', '[::1]:3000'])(
    'a browser at %s is redirected to the origin of the shop',
    async (host) => {
      const { statusCode, headers } = await visit(host, { 'sec-fetch-mode': 'navigate' })
      expect({ statusCode, location: headers.location }).toEqual({
        statusCode: 307,
        location: `${shop.config.origin}/login?x=1`,
      })
    },
  )

  test('other requests are not redirected', async () => {
    expect((await visit('127.0.0.1:3000', {})).headers.location).toBeUndefined()
    expect((await visit('evil.example', { 'sec-fetch-mode': 'navigate' })).headers.location).toBeUndefined()
  })
})

test('the server closes as soon as the last response is sent', async () => {
  const own = await openOwnShop()
  // Ten keep-alive connections with a request in progress when the shop closes.
  const responses = Array.from(
    { length: 10 },
    () =>
      new Promise<number | undefined>((resolve, reject) => {
        httpRequest(
          `${own.config.origin}/api/products`,
          { headers: { connection: 'keep-alive' } },
          (response) => {
            response.resume().on('end', () => resolve(response.statusCode))
          },
        )
          .on('error', reject)
          .end()
      }),
  )
  await Promise.race(responses)
  const started = performance.now()
  await own.close()
  // Node would keep such a connection for 72 seconds.
  expect(performance.now() - started).toBeLessThan(10_000)
})
