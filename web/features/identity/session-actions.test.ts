import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { User } from '../../../contract/customers.ts'
import { onExpiredAccessToken, readAccessToken, storeAccessToken } from '../../access-token.ts'
import { call } from '../../api.ts'
import { readSession, writeSession } from './session.ts'
import { loadSession, readClaims, renewSession } from './session-actions.ts'

const readToken = (claims: object) =>
  `header.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.signature`

test('the account is read from a token, in any script', () => {
  const token = readToken({ email: 'zoe@example.com', name: 'Zoë Łukasiewicz 山田' })
  expect(readClaims(token)).toEqual({ email: 'zoe@example.com', name: 'Zoë Łukasiewicz 山田' })
})

test('missing claims are empty', () => {
  expect(readClaims(readToken({ sub: '1' }))).toEqual({ email: '', name: '' })
})

describe('the session is loaded again', () => {
  const network = vi.fn<(url: string, init?: RequestInit) => Promise<Response>>()
  const user = { _id: 'c1', email: 'zoe@example.com', name: 'Zoë' } as User
  const fail = (status: number) => network.mockImplementation(async () => Response.json({}, { status }))
  const load = async () => {
    const loaded = loadSession()
    // Three retries.
    await vi.advanceTimersByTimeAsync(7000)
    await loaded
  }

  beforeEach(() => {
    vi.useFakeTimers()
    vi.stubGlobal('localStorage', sessionStorage)
    vi.stubGlobal('fetch', network)
    vi.stubGlobal('dispatchEvent', () => true)
    storeAccessToken(readToken({ sub: user._id, email: user.email }))
    writeSession({ status: 'signed-in', user })
    return () => vi.useRealTimers()
  })

  test.each([
    ['no response', () => network.mockRejectedValue(new TypeError('Failed to fetch'))],
    ['500', () => fail(500)],
    ['503', () => fail(503)],
    ['429', () => fail(429)],
  ])('after %s the page of the user stays', async (_, prepare) => {
    prepare()
    await load()
    expect(readSession()).toEqual({ status: 'signed-in', user })
  })

  test('after a change the new values are shown', async () => {
    network.mockImplementation(async () => Response.json({ ...user, name: 'Zoë Two' }))
    await load()
    expect(readSession()).toMatchObject({ user: { name: 'Zoë Two' } })
  })

  test('a user who is unknown now is not shown any more', async () => {
    fail(404)
    await load()
    expect(readSession().status).toBe('failed')
  })

  test('a token that neither the shop nor the provider accepts signs out', async () => {
    fail(401)
    await load()
    expect(readSession()).toEqual({ status: 'signed-out', signedOutByUser: false })
    expect(readAccessToken()).toBeNull()
  })

  test('another user is not shown as the former one, even if the shop cannot be reached', async () => {
    fail(500)
    storeAccessToken(readToken({ sub: 'c2', email: 'yan@example.com' }))
    await load()
    expect(readSession().status).toBe('failed')
  })

  test('a user whose email was changed on another device stays signed in, with the new email', async () => {
    const renamed = { ...user, email: 'new@example.com' }
    const oldToken = readAccessToken()
    const newToken = readToken({ sub: user._id, email: renamed.email })
    network.mockImplementation(async (url, init) => {
      if (url.startsWith('/idp/')) return Response.json({ token: newToken })
      if (init?.method === 'PUT') return Response.json({ token: newToken, user: renamed })
      const token = new Headers(init?.headers).get('authorization')
      if (token === `Bearer ${oldToken}`) return Response.json({}, { status: 401 })
      const isOwn = new URLSearchParams(url.split('?')[1]).get('email') === renamed.email
      return isOwn ? Response.json(renamed) : Response.json({}, { status: 403 })
    })
    onExpiredAccessToken(renewSession)
    await expect(call('listOrders', { query: { email: user.email } })).rejects.toMatchObject({ status: 403 })
    expect(readSession()).toEqual({ status: 'signed-in', user: renamed })
    storeAccessToken(oldToken ?? '')
    writeSession({ status: 'loading' })
    await load()
    expect(readSession()).toEqual({ status: 'signed-in', user: renamed })
  })

  test('a user whose email is changed during the renewal of the token stays signed in', async () => {
    const renamed = { ...user, email: 'new@example.com' }
    const newToken = readToken({ sub: user._id, email: renamed.email })
    const idTokens = [readToken({ email: user.email }), newToken]
    network.mockImplementation(async (url, init) => {
      if (url.startsWith('/idp/')) return Response.json({ token: idTokens.shift() })
      if (init?.method !== 'PUT') return Response.json([])
      const isNew = url.endsWith(encodeURIComponent(renamed.email))
      if (isNew) return Response.json({ token: newToken, user: renamed })
      return Response.json({ code: 'INVALID_ID_TOKEN' }, { status: 401 })
    })
    expect(await renewSession()).toBe(newToken)
    expect(readSession()).toEqual({ status: 'signed-in', user: renamed })
  })

  test.each([
    ['a removed role', { staffRole: 'packer' }, {}],
    ['a smaller role', { role: 'admin', staffRole: 'admin' }, { staffRole: 'packer' }],
    ['a larger role', { staffRole: 'packer' }, { role: 'admin', staffRole: 'admin' }],
  ] as const)('%s is used when the next call renews the token', async (_, before, after) => {
    const changed: User = { ...user, ...after }
    const oldToken = readAccessToken()
    const newToken = readToken({ sub: user._id, email: user.email, version: 2 })
    writeSession({ status: 'signed-in', user: { ...user, ...before } })
    network.mockImplementation(async (url, init) => {
      if (url.startsWith('/idp/')) return Response.json({ token: newToken })
      if (init?.method === 'PUT') return Response.json({ token: newToken, user: changed })
      const token = new Headers(init?.headers).get('authorization')
      return Response.json({}, { status: token === `Bearer ${oldToken}` ? 401 : 403 })
    })
    onExpiredAccessToken(renewSession)
    await expect(call('listOrders', { query: { email: user.email } })).rejects.toMatchObject({ status: 403 })
    expect(readSession()).toEqual({ status: 'signed-in', user: changed })
  })
})
