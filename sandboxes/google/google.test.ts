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

const account = { email: 'anybody@shop.test', name: 'Any Body' }

async function fetchCode(browser: TestBrowser): Promise<string> {
  const { headers } = await choose(browser, account)
  return new URL(String(headers.location)).searchParams.get('code') ?? ''
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
    // The header and the claims of a token both begin so. A random state may contain one of them.
    expect(server.logged()).not.toMatch(/anybody@shop|code=|\beyJ[\w-]*\.eyJ/i)
  })

  test('continues in another process', async () => {
    const other = await openAuthServer({}, server.database)
    const here = server.browser()
    const chosen = await choose(here, account)
    const there = other.browser()
    for (const [name, value] of here.cookies) there.cookies.set(name, value)
    expect((await there.follow(below(chosen.headers.location))).path).toBe('/idp/popup/done')
    expect((await there.get('/idp/token')).status).toBe(200)
    await other.close()
  })

  test('a code does not contain the account in plain text', async () => {
    const code = await fetchCode(server.browser())
    expect(code).not.toContain('shop.test')
    const parts = code.split('.').map((part) => Buffer.from(part, 'base64url').toString('latin1'))
    expect(parts.join()).not.toContain('shop.test')
  })

  test.each([
    ['of another browser', () => fetchCode(server.browser())],
    ['that is made up', async () => 'made-up'],
  ])('rejects a code %s', async (_what, fetchOther) => {
    const browser = server.browser()
    const { headers } = await choose(browser, account)
    const url = new URL(String(headers.location))
    url.searchParams.set('code', await fetchOther())
    expect((await browser.follow(below(url))).path).toBe('/idp/popup/done?error=FAILED')
    expect((await browser.get('/idp/token')).status).toBe(401)
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
