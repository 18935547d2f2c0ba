import { createHash } from 'node:crypto'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createIdTokenVerifier } from '../../server/modules/identity/id-token.ts'
import { type AuthServer, openAuthServer, origin, type TestBrowser } from '../../tests/auth-server.ts'

const form = { 'content-type': 'application/x-www-form-urlencoded' }
const encode = (fields: Record<string, string>) => new URLSearchParams(fields).toString()
const below = (url: unknown) => String(url).replace(origin, '')

let server: AuthServer
beforeAll(async () => {
  server = await openAuthServer()
})
beforeEach(() => server.database.empty())
afterAll(() => server.close())

/** Opens the popup and submits the form of its page. Returns the response. */
async function choose(browser: TestBrowser, fields: Record<string, string>) {
  const page = await browser.follow('/idp/popup')
  const action = /<form method="post" action="([^"]+)"/.exec(page.text)?.[1] ?? ''
  return browser.post(below(action.replaceAll('&amp;', '&')), encode(fields), form)
}

describe('the sign-in flow', () => {
  test('signs in with the chosen verified account, and with the same subject again', async () => {
    const subjects: (string | undefined)[] = []
    for (let round = 0; round < 2; round++) {
      const browser = server.browser()
      const chosen = await choose(browser, { email: 'Anybody@Shop.test', name: 'Any Body' })
      const { path, status, headers } = await browser.follow(below(chosen.headers.location))
      expect({ path, status }).toEqual({ path: '/idp/popup/done', status: 200 })
      expect(headers['cross-origin-opener-policy']).toBe('unsafe-none')
      const { body } = await browser.get('/idp/token')
      const person = await createIdTokenVerifier([server.provider.issuer])(body.token)
      expect(person).toMatchObject({ email: 'anybody@shop.test', emailVerified: true, name: 'Any Body' })
      subjects.push(person.subject)
    }
    expect(subjects[0]).toBe(subjects[1])
    expect(server.logged()).not.toMatch(/anybody@shop|code=|eyJ/i)
  })

  test('continues in another process', async () => {
    const other = await openAuthServer({}, server.database)
    const here = server.browser()
    const chosen = await choose(here, { email: 'anybody@shop.test', name: 'Any Body' })
    const there = other.browser()
    for (const [name, value] of here.cookies) there.cookies.set(name, value)
    expect((await there.follow(below(chosen.headers.location))).path).toBe('/idp/popup/done')
    expect((await there.get('/idp/token')).status).toBe(200)
    await other.close()
  })

  test('reports a cancellation to the page', async () => {
    const browser = server.browser()
    const page = await browser.follow('/idp/popup')
    const cancel = /<a href="([^"]+)">Cancel/.exec(page.text)?.[1]?.replaceAll('&amp;', '&')
    expect((await browser.follow(below(cancel))).path).toBe('/idp/popup/done?error=POPUP_CLOSED')
  })
})

describe('the account chooser', () => {
  test("says that it is not Google, and can't run scripts", async () => {
    const { text, headers } = await server.browser().follow('/idp/popup')
    expect(text).toContain('Sandbox: this is not Google')
    expect(text).not.toMatch(/<script|style=|<style/)
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    )
    expect((await server.browser().get('/sandbox/google/style.css')).headers['content-type']).toContain(
      'text/css',
    )
  })

  test.each([
    [{ email: 'nonsense', name: 'Any Body' }, 'Email not valid'],
    [{ email: 'anybody@shop.test', name: ' ' }, 'Name is required'],
  ])('shows the error for %o and keeps the input', async (fields, problem) => {
    const { status, text } = await choose(server.browser(), fields)
    expect(status).toBe(400)
    expect(text).toContain(`<p role="alert">${problem}</p>`)
    expect(text).toContain(`value="${fields.email}"`)
  })

  test('escapes the input', async () => {
    const { text } = await choose(server.browser(), { email: '"><script>alert(1)</script>', name: "<b>'" })
    expect(text).toContain('value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"')
    expect(text).toContain('value="&lt;b&gt;&#39;"')
  })

  test.each([
    ['another client', { client_id: 'evil' }],
    ['another address', { redirect_uri: 'https://evil.test/' }],
    ['no challenge', { code_challenge: '' }],
    ['a plain challenge', { code_challenge_method: 'plain' }],
    ['a token instead of a code', { response_type: 'token' }],
    ['no state', { state: '' }],
  ])('rejects %s without a redirect', async (_what, change) => {
    const { path } = await server.browser().follow('/idp/popup')
    const url = new URL(path, origin)
    for (const [name, value] of Object.entries(change)) url.searchParams.set(name, value)
    for (const response of [
      await server.browser().get(below(url)),
      await server.browser().post(below(url), encode({ email: 'a@shop.test', name: 'A' }), form),
    ]) {
      expect(response).toMatchObject({ status: 400, text: 'This sign-in was not started by the shop.' })
      expect(response.headers.location).toBeUndefined()
    }
  })
})

describe('the endpoints of OpenID Connect', () => {
  const verifier = 'v'.repeat(64)
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const redirectUri = `${origin}/idp/callback/google-sandbox`

  async function fetchCode(): Promise<string> {
    const query = encode({
      client_id: 'torque-yard',
      redirect_uri: redirectUri,
      response_type: 'code',
      code_challenge_method: 'S256',
      code_challenge: challenge,
      state: 's',
    })
    const path = `/sandbox/google/authorize?${query}`
    const { headers } = await server.browser().post(path, encode({ email: 'a@shop.test', name: 'A' }), form)
    return new URL(String(headers.location)).searchParams.get('code') ?? ''
  }
  const redeem = async (change: Record<string, string> = {}) =>
    server.browser().post(
      '/sandbox/google/token',
      encode({
        grant_type: 'authorization_code',
        client_id: 'torque-yard',
        redirect_uri: redirectUri,
        code: await fetchCode(),
        code_verifier: verifier,
        ...change,
      }),
      form,
    )

  test('a code is exchanged for an ID token that the published keys verify, and an access token with the same claims', async () => {
    const { status, body } = await redeem()
    expect(status).toBe(200)
    const discovery = (await server.browser().get('/sandbox/google/.well-known/openid-configuration')).body
    const keys = (await server.browser().get(below(discovery.jwks_uri))).body
    expect(keys.keys[0]?.d).toBeUndefined()
    const { payload, protectedHeader } = await jwtVerify(body.id_token, createLocalJWKSet(keys), {
      issuer: discovery.issuer,
      audience: 'torque-yard',
    })
    expect(protectedHeader.alg).toBe('RS256')
    const claims = { sub: payload.sub, email: 'a@shop.test', email_verified: true, name: 'A' }
    expect(payload).toMatchObject(claims)
    const userInfo = await server
      .browser()
      .get(below(discovery.userinfo_endpoint), { authorization: `Bearer ${body.access_token}` })
    expect(userInfo.body).toEqual(claims)
  })

  test('a code does not contain the account in plain text', async () => {
    const code = await fetchCode()
    expect(Buffer.from(code, 'base64url').toString('latin1')).not.toContain('shop.test')
    expect(code).not.toContain('shop.test')
  })

  test.each([
    ['another verifier', { code_verifier: 'w'.repeat(64) }, 'invalid_grant'],
    ['another client', { client_id: 'evil' }, 'invalid_grant'],
    ['another address', { redirect_uri: 'https://evil.test/' }, 'invalid_grant'],
    ['a made-up code', { code: 'made-up' }, 'invalid_grant'],
    ['another grant', { grant_type: 'password' }, 'invalid_request'],
  ])('rejects %s', async (_what, change, error) => {
    expect(await redeem(change)).toMatchObject({ status: 400, body: { error } })
  })

  test('an access token is not valid as a code, nor a code as an access token', async () => {
    const { body } = await redeem()
    expect(await redeem({ code: body.access_token })).toMatchObject({ body: { error: 'invalid_grant' } })
    const userInfo = await server
      .browser()
      .get('/sandbox/google/userinfo', { authorization: `Bearer ${await fetchCode()}` })
    expect(userInfo).toMatchObject({ status: 401, body: { error: 'invalid_token' } })
  })
})
