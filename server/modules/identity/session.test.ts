import { decodeJwt } from 'jose'
import { describe, expect, test } from 'vitest'
import { type AuthServer, openAuthServer, secret, useAuthServer } from '../../../tests/auth-server.ts'
import { createIdTokenVerifier } from './id-token.ts'

const rider = { email: 'rider@shop.test', password: 'secret1', name: 'A Rider' }
const { email } = rider

const server = useAuthServer({}, /rider@shop|secret1|wrong-one/i)

describe('a session', () => {
  test('returns an ID token that the shop accepts', async () => {
    const browser = server.browser()
    await browser.post('/idp/sign-up/email', rider)
    await browser.post('/idp/update-user', { name: 'Another Name' })
    const { body } = await browser.get('/idp/token')

    const verify = createIdTokenVerifier([server.provider.issuer])
    expect(await verify(body.token)).toEqual({
      issuer: server.provider.issuer.issuer,
      subject: expect.stringMatching(/^[0-9a-f]{24}$/),
      email,
      emailVerified: false,
      name: 'Another Name',
      picture: null,
      sid: expect.any(String),
    })
    const { iat = 0, exp = 0, aud } = decodeJwt(body.token)
    expect({ lasts: exp - iat, aud }).toEqual({ lasts: 300, aud: 'torque-yard' })
    expect(server.logged()).not.toContain(body.token)
  })

  test('has the same subject after a change of the origin', async () => {
    const moved = await openAuthServer({ origin: 'http://localhost:4000' }, server.database)
    const describes = async (at: AuthServer) => {
      const browser = at.browser()
      await browser.post('/idp/sign-in/email', { email, password: rider.password })
      const { issuer, subject } = await createIdTokenVerifier([at.provider.issuer])(
        (await browser.get('/idp/token')).body.token,
      )
      return { issuer, subject }
    }
    await server.browser().post('/idp/sign-up/email', rider)
    expect(await describes(moved)).toEqual(await describes(server))
    await moved.close()
  })

  test('publishes its public keys, without the private ones', async () => {
    const { status, body } = await server.browser().get('/idp/jwks')
    expect(status).toBe(200)
    expect(body.keys).toEqual([
      { alg: 'EdDSA', crv: 'Ed25519', kty: 'OKP', kid: expect.any(String), x: expect.any(String) },
    ])
  })

  test('ends with the sign-out: the cookie is deleted, and a copy of it is rejected', async () => {
    const browser = server.browser()
    const thief = server.browser()
    await browser.post('/idp/sign-up/email', rider)
    for (const [name, value] of browser.cookies) thief.cookies.set(name, value)
    expect((await thief.get('/idp/token')).status).toBe(200)

    expect((await browser.post('/idp/sign-out', {})).status).toBe(204)
    expect(browser.cookies.has('torque-yard-3000.session_token')).toBe(false)
    expect(await thief.get('/idp/token')).toMatchObject({ status: 401, body: { code: 'NOT_SIGNED_IN' } })
  })

  test('is required for a token and for a change of name', async () => {
    expect(await server.browser().get('/idp/token')).toMatchObject({
      status: 401,
      body: { code: 'NOT_SIGNED_IN' },
    })
    expect(await server.browser().post('/idp/update-user', { name: 'X' })).toMatchObject({ status: 401 })
  })

  test('is rejected with a forged signature', async () => {
    const browser = server.browser()
    await browser.post('/idp/sign-up/email', rider)
    const name = 'torque-yard-3000.session_token'
    const [token] = (browser.cookies.get(name) ?? '').split('.')
    browser.cookies.set(name, `${token}.${'A'.repeat(43)}%3D`)
    expect((await browser.get('/idp/token')).status).toBe(401)
  })

  test('has a separate cookie for each port of a host', async () => {
    const other = await openAuthServer({ origin: 'http://localhost:3001', secrets: [`another ${secret}`] })
    const here = server.browser()
    const there = other.browser()
    await here.post('/idp/sign-up/email', rider)
    await there.post('/idp/sign-up/email', rider)
    // One browser sends the cookies of both, because it ignores the port.
    for (const [name, value] of there.cookies) here.cookies.set(name, value)
    for (const [name, value] of here.cookies) there.cookies.set(name, value)
    await there.post('/idp/sign-out', {})
    expect((await here.get('/idp/token')).status).toBe(200)
    await other.close()
  })

  test('has a secure cookie if the shop uses https', async () => {
    const safe = await openAuthServer({ origin: 'https://shop.test' })
    const { headers } = await safe.browser().post('/idp/sign-up/email', rider)
    for (const cookie of [headers['set-cookie']].flat().map(String)) {
      expect(cookie).toMatch(/^__Secure-torque-yard-443\..*; Secure/)
    }
    await safe.close()
  })
})
