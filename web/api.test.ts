import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { onExpiredAccessToken, readAccessToken, storeAccessToken } from './access-token.ts'
import { ApiError, call, callForPage } from './api.ts'

const email = 'robin@example.com'
const network = vi.fn<(url: string, init: RequestInit) => Promise<Response>>()

const sentToken = (init: RequestInit) => new Headers(init.headers).get('authorization')
const refuse = (status: number, code: string) => Response.json({ code, message: code }, { status })

/** Mocks a server that accepts only this token. */
const takeOnly = (token: string) =>
  network.mockImplementation(async (_url, init) =>
    sentToken(init) === `Bearer ${token}` ? Response.json([]) : refuse(401, 'NOT_SIGNED_IN'),
  )

beforeEach(() => {
  // The localStorage of Node.js needs a file; its sessionStorage is in memory.
  vi.stubGlobal('localStorage', sessionStorage)
  sessionStorage.clear()
  network.mockReset()
  vi.stubGlobal('fetch', network)
  onExpiredAccessToken(async () => null)
})

test('a call is sent to its path below /api, with the query and the bearer token', async () => {
  takeOnly('t1')
  storeAccessToken('t1')
  await call('listOrders', { query: { email, page: 2, q: '' } })
  expect(network.mock.calls[0]?.[0]).toBe('/api/orders?email=robin%40example.com&page=2')
})

test('a query is sent without URLSearchParams.size, which Safari 16 lacks', async () => {
  const size = Object.getOwnPropertyDescriptor(URLSearchParams.prototype, 'size')
  Reflect.deleteProperty(URLSearchParams.prototype, 'size')
  onTestFinished(() => void Object.defineProperty(URLSearchParams.prototype, 'size', size ?? {}))
  takeOnly('t1')
  storeAccessToken('t1')
  await call('listOrders', { query: { page: 2 } })
  await call('listOrders', { query: {} })
  expect(network.mock.calls.map(([url]) => url)).toEqual(['/api/orders?page=2', '/api/orders'])
})

test('a path parameter is escaped', async () => {
  network.mockResolvedValue(Response.json({}))
  await call('getProduct', { params: { id: '../user?x' } })
  expect(network.mock.calls[0]?.[0]).toBe('/api/product/..%2Fuser%3Fx')
})

test('the total of a list comes from X-Total-Count', async () => {
  network.mockResolvedValue(Response.json([{ _id: 'o1' }], { headers: { 'X-Total-Count': '41' } }))
  expect(await callForPage('listOrders', { query: {} })).toEqual({ rows: [{ _id: 'o1' }], total: 41 })
})

test('an error is thrown with its code, fields and details', async () => {
  network.mockResolvedValue(
    Response.json({ code: 'PRICE_CHANGED', message: 'The price …', amount: 80 }, { status: 409 }),
  )
  const error = await call('listReviews', { query: {} }).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(ApiError)
  expect(error).toMatchObject({ code: 'PRICE_CHANGED', status: 409, fields: {}, details: { amount: 80 } })
})

test('calls with an expired token share one renewal and are repeated once', async () => {
  takeOnly('fresh')
  storeAccessToken('stale')
  const renew = vi.fn<() => Promise<string>>(async () => 'fresh')
  onExpiredAccessToken(renew)
  await Promise.all([call('listOrders', { query: {} }), call('listUsers', { query: {} })])
  expect(renew).toHaveBeenCalledTimes(1)
  expect(network).toHaveBeenCalledTimes(4)
  expect(readAccessToken()).toBe('fresh')
})

test('a user who signs out during a call, or during its renewal, stays signed out', async () => {
  const renew = vi.fn<() => Promise<string>>(async () => {
    sessionStorage.clear()
    return 'fresh'
  })
  onExpiredAccessToken(renew)
  takeOnly('fresh')
  storeAccessToken('stale')
  await expect(call('listOrders', { query: {} })).rejects.toMatchObject({ code: 'NOT_SIGNED_IN' })
  expect(renew).toHaveBeenCalledTimes(1)
  expect(readAccessToken()).toBeNull()
  storeAccessToken('stale')
  network.mockImplementation(async () => {
    sessionStorage.clear()
    return refuse(401, 'NOT_SIGNED_IN')
  })
  await expect(call('listOrders', { query: {} })).rejects.toMatchObject({ code: 'NOT_SIGNED_IN' })
  expect(renew).toHaveBeenCalledTimes(1)
})

/** A token of a user, as the shop signs it. */
const tokenOf = (sub: string, jti: string) =>
  ['{}', JSON.stringify({ sub, email: 'zoë+ÿ?>@example.com', jti }), '']
    .map((part) => Buffer.from(part).toString('base64url'))
    .join('.')

test('a call is repeated as the same user, and never as another one who has signed in meanwhile', async () => {
  const [ours, fresh, other] = [tokenOf('c1', '1'), tokenOf('c1', '2'), tokenOf('c2', '3')]
  onExpiredAccessToken(async () => fresh)
  takeOnly(fresh)
  storeAccessToken(ours)
  expect(await call('listOrders', { query: {} })).toEqual([])
  storeAccessToken(ours)
  onExpiredAccessToken(async () => other)
  takeOnly(other)
  await expect(call('listOrders', { query: {} })).rejects.toMatchObject({ code: 'NOT_SIGNED_IN' })
  expect(readAccessToken()).toBeNull()
  storeAccessToken(ours)
  network.mockImplementation(async (_url, init) => {
    if (sentToken(init) === `Bearer ${other}`) return Response.json([])
    storeAccessToken(other)
    return refuse(401, 'NOT_SIGNED_IN')
  })
  await expect(call('listOrders', { query: {} })).rejects.toMatchObject({ code: 'NOT_SIGNED_IN' })
  expect(readAccessToken()).toBe(other)
})

test('a token that another tab has renewed is used', async () => {
  const renew = vi.fn<() => Promise<null>>(async () => null)
  onExpiredAccessToken(renew)
  storeAccessToken('stale')
  network.mockImplementation(async (_url, init) => {
    if (sentToken(init) === 'Bearer fresh') return Response.json([])
    storeAccessToken('fresh')
    return refuse(401, 'NOT_SIGNED_IN')
  })
  await call('listOrders', { query: {} })
  expect(renew).not.toHaveBeenCalled()
})

test('a call with the key of an order is repeated without a token if the session has ended', async () => {
  storeAccessToken('stale')
  network.mockImplementation(async (_url, init) =>
    sentToken(init) === null ? Response.json({ id: 'o1' }) : refuse(401, 'NOT_SIGNED_IN'),
  )
  const sent = { params: { id: 'o1' }, headers: { 'order-key': 'k1' } }
  expect(await call('getOrderDetails', sent)).toEqual({ id: 'o1' })
  expect(readAccessToken()).toBeNull()
})

test('the token is cleared if the session has ended', async () => {
  takeOnly('fresh')
  storeAccessToken('stale')
  await expect(call('listOrders', { query: {} })).rejects.toMatchObject({ code: 'NOT_SIGNED_IN' })
  expect(readAccessToken()).toBeNull()
})

test('keeps the token if its renewal fails', async () => {
  takeOnly('fresh')
  storeAccessToken('stale')
  onExpiredAccessToken(() => Promise.reject(new Error('the identity provider does not answer')))
  await expect(call('listOrders', { query: {} })).rejects.toThrow('does not answer')
  expect(readAccessToken()).toBe('stale')
})

test('a request without a response is a network error', async () => {
  network.mockRejectedValue(new TypeError('Failed to fetch'))
  await expect(call('listReviews', { query: {} })).rejects.toMatchObject({ code: 'NO_ANSWER', status: 0 })
})
