import { describe, expect, test } from 'vitest'
import type { TestBrowser } from '../../../tests/auth-server.ts'
import { useAuthServerWithMail } from '../../../tests/identity-mail.ts'
import { linkIn } from '../../../tests/mail-server.ts'
import { createIdTokenVerifier } from './id-token.ts'

const rider = { email: 'rider@shop.test', password: 'secret1', name: 'A Rider' }
const { email } = rider

const server = useAuthServerWithMail({}, /rider@shop|secret1/i)

async function signUp(account = rider): Promise<{ browser: TestBrowser; token: string }> {
  const browser = server.browser()
  await browser.post('/idp/sign-up/email', account)
  const [message] = await server.emails(account.email, 1)
  await server.settled()
  return { browser, token: linkIn(message ?? { text: '' }).token }
}
const confirm = (browser: TestBrowser, token: string) => browser.post('/idp/verify-email', { token })
const isVerified = async (browser: TestBrowser) =>
  (await createIdTokenVerifier([server.provider.issuer])((await browser.get('/idp/token')).body.token))
    .emailVerified

describe('a sign-up', () => {
  test('sends a link that verifies the email; an unverified account can sign in', async () => {
    const { browser, token } = await signUp()
    const [message] = server.server.received
    expect(linkIn(message ?? { text: '' }).url).toBe(`http://localhost:3000/verify-email#${token}`)
    expect((await browser.get('/idp/email')).text).toBe(JSON.stringify({ email, verified: false }))
    expect(await isVerified(browser)).toBe(false)

    expect((await confirm(browser, token)).status).toBe(204)
    expect((await browser.get('/idp/email')).text).toBe(JSON.stringify({ email, verified: true }))
    expect(await isVerified(browser)).toBe(true)
    expect(server.logged()).not.toContain(token)
  })

  test('sends no email if it is rejected', async () => {
    await signUp()
    await server.browser().post('/idp/sign-up/email', rider)
    await server.settled()
    expect(server.server.received).toHaveLength(1)
  })
})

describe('POST /idp/verify-email', () => {
  test('accepts a link once', async () => {
    const { browser, token } = await signUp()
    expect((await confirm(browser, token)).status).toBe(204)
    expect(await confirm(browser, token)).toMatchObject({ status: 410, body: { code: 'LINK_OVER' } })
  })

  test('rejects a link after 24 hours', async () => {
    const { browser, token } = await signUp()
    await server.database.pool.query(
      `update identity.email_tokens set expires_at = expires_at - interval '24 hours'`,
    )
    expect(await confirm(browser, token)).toMatchObject({ status: 410, body: { code: 'LINK_OVER' } })
    expect(await isVerified(browser)).toBe(false)
  })

  test("requires a session of the account, so that the email owner can't verify an attacker's account by following a link", async () => {
    const { token } = await signUp()
    expect(await confirm(server.browser(), token)).toMatchObject({
      status: 401,
      body: { code: 'SESSION_OVER' },
    })
    const { rows } = await server.database.pool.query('select "emailVerified" from identity."user"')
    expect(rows).toEqual([{ emailVerified: false }])
  })

  test('rejects the link of another account without using it up', async () => {
    const { browser, token } = await signUp()
    const other = await signUp({ ...rider, email: 'other@shop.test' })
    expect(await confirm(other.browser, token)).toMatchObject({
      status: 403,
      body: { code: 'LINK_NOT_YOURS' },
    })
    expect(await isVerified(other.browser)).toBe(false)
    expect((await confirm(browser, token)).status).toBe(204)
  })

  test('rejects a password reset link', async () => {
    const { browser } = await signUp()
    const token = await server.askForReset(email)
    expect(await confirm(browser, token)).toMatchObject({ status: 410 })
  })
})

describe('POST /idp/send-verification-email', () => {
  const again = (browser: TestBrowser) => browser.post('/idp/send-verification-email', {})

  test('requires a session', async () => {
    expect(await again(server.browser())).toMatchObject({ status: 401 })
    expect((await server.browser().get('/idp/email')).status).toBe(401)
  })

  test('sends a new link and invalidates the old one', async () => {
    const { browser, token } = await signUp()
    expect((await again(browser)).status).toBe(204)
    const [, message] = await server.emails(email, 2)
    expect(await confirm(browser, token)).toMatchObject({ status: 410 })
    expect((await confirm(browser, linkIn(message ?? { text: '' }).token)).status).toBe(204)
  })

  test('sends nothing to a verified account', async () => {
    const { browser, token } = await signUp()
    await confirm(browser, token)
    expect((await again(browser)).status).toBe(204)
    await server.settled()
    expect(server.server.received).toHaveLength(1)
  })
})
