import { sql } from 'kysely'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { TestBrowser } from '../../../tests/auth-server.ts'
import { untilWaiting } from '../../../tests/database.ts'
import { openAuthServerWithMail, useAuthServerWithMail } from '../../../tests/identity-mail.ts'
import { linkIn } from '../../../tests/mail-server.ts'
import type { Limits } from './options.ts'

const rider = { email: 'rider@shop.test', password: 'secret1', name: 'A Rider' }
const { email, password } = rider
const newEmail = 'new-rider@shop.test'

const voided: string[] = []
const changed: string[] = []
const server = useAuthServerWithMail(
  {
    voidAccessTokens: async (_tx, { subject }) => void voided.push(subject),
    changeCustomerEmail: async (_tx, { subject }, to) => void changed.push(`${subject} ${to}`),
  },
  /rider@shop|secret1|another1/i,
)
beforeEach(() => {
  voided.length = 0
  changed.length = 0
})

async function signUp(account = rider): Promise<TestBrowser> {
  const browser = server.browser()
  await browser.post('/idp/sign-up/email', account)
  return browser
}
async function signIn(given: string, as = email): Promise<TestBrowser | string> {
  const browser = server.browser()
  const { status, body } = await browser.post('/idp/sign-in/email', { email: as, password: given })
  return status === 204 ? browser : body.code
}
async function enter(given: string): Promise<TestBrowser> {
  const browser = await signIn(given)
  if (typeof browser === 'string') throw new Error(browser)
  return browser
}
const isSignedIn = async (browser: TestBrowser) => (await browser.get('/idp/token')).status === 200
const subjects = (of: string) =>
  server.server.received
    .filter(({ to }) => to.includes(of))
    .map(({ source }) => /^Subject: (.*)\r$/m.exec(source)?.[1])

test.each([
  ['/change-password', { currentPassword: password, password: 'another1' }],
  ['/request-email-change', { email: newEmail, password }],
  ['/confirm-email-change', { token: 'token' }],
  ['/sign-out-everywhere', {}],
])('POST /idp%s needs a session', async (path, body) => {
  await signUp()
  expect(await server.browser().post(`/idp${path}`, body)).toMatchObject({ body: { code: 'SESSION_OVER' } })
  expect(await signIn(password)).not.toBeTypeOf('string')
})

describe('POST /idp/change-password', () => {
  const change = (browser: TestBrowser, currentPassword: string, next = 'another1') =>
    browser.post('/idp/change-password', { currentPassword, password: next })

  test('sets the new password, ends all other sessions, and sends an email', async () => {
    const here = await signUp()
    const there = await enter(password)
    expect((await change(here, password)).status).toBe(204)
    expect(await isSignedIn(here)).toBe(true)
    expect(await isSignedIn(there)).toBe(false)
    expect(voided).toHaveLength(1)
    expect(await signIn(password)).toBe('WRONG_PASSWORD')
    expect(await signIn('another1')).not.toBeTypeOf('string')
    await server.settled()
    expect(subjects(email)).toContain('Your password was changed')
  })

  test('voids the links of earlier emails', async () => {
    const browser = await signUp()
    const token = await server.askForReset(email)
    await change(browser, password)
    const reset = await server.browser().post('/idp/reset-password', { token, password: 'another2' })
    expect(reset.body.code).toBe('LINK_OVER')
  })

  test('refuses a wrong or a short password, and changes nothing', async () => {
    const browser = await signUp()
    expect((await change(browser, 'guessed')).body.code).toBe('WRONG_PASSWORD')
    expect((await change(browser, password, 'short')).body.code).toBe('PASSWORD_TOO_SHORT')
    expect(voided).toEqual([])
    expect(await signIn(password)).not.toBeTypeOf('string')
  })

  test('of two concurrent changes one succeeds', async () => {
    const browser = await signUp()
    const { answers } = await server.database.db.transaction().execute(async (tx) => {
      await sql`select from identity."user" for update`.execute(tx)
      const answers = Promise.all([change(browser, password), change(browser, password, 'another2')])
      // Both have checked the password.
      await untilWaiting(server.database, 2)
      return { answers }
    })
    expect((await answers).map(({ status }) => status)).toEqual(expect.arrayContaining([204, 401]))
  })
})

test('POST /idp/sign-out-everywhere ends all sessions of the account, and no others', async () => {
  const here = await signUp()
  const there = await enter(password)
  const other = await signUp({ ...rider, email: 'other@shop.test' })
  expect((await here.post('/idp/sign-out-everywhere', {})).status).toBe(204)
  expect(await Promise.all([here, there, other].map(isSignedIn))).toEqual([false, false, true])
  expect(voided).toHaveLength(1)
})

describe('a change of the email', () => {
  const request = (browser: TestBrowser, to = newEmail, given = password) =>
    browser.post('/idp/request-email-change', { email: to, password: given })
  const confirm = (browser: TestBrowser, token: string) =>
    browser.post('/idp/confirm-email-change', { token })
  async function readLink(to = newEmail): Promise<string> {
    await server.settled()
    return linkIn((await server.emails(to, 1)).at(-1) ?? { text: '' }).token
  }

  test('happens when the link in the new mailbox is used once, and the old address is informed', async () => {
    const browser = await signUp()
    expect((await request(browser)).status).toBe(204)
    const token = await readLink()
    expect(await signIn(password)).not.toBeTypeOf('string')
    expect((await confirm(browser, token)).status).toBe(204)
    expect(await signIn(password)).toBe('NO_ACCOUNT')
    expect(await signIn(password, newEmail)).not.toBeTypeOf('string')
    expect(changed).toEqual([expect.stringContaining(newEmail)])
    expect((await browser.get('/idp/email')).body).toEqual({ email: newEmail, verified: true })
    await server.settled()
    expect(subjects(email).at(-1)).toBe('Your email was changed')
    expect((await confirm(browser, token)).body.code).toBe('LINK_OVER')
  })

  test('needs the password', async () => {
    const browser = await signUp()
    expect((await request(browser, newEmail, 'guessed')).body.code).toBe('WRONG_PASSWORD')
    await server.settled()
    expect(subjects(newEmail)).toEqual([])
  })

  test('is not confirmed by another account, whose owner may read the new mailbox', async () => {
    const browser = await signUp()
    await request(browser)
    const token = await readLink()
    const other = await signUp({ ...rider, email: 'other@shop.test' })
    expect((await confirm(other, token)).body.code).toBe('LINK_NOT_YOURS')
    expect((await confirm(browser, token)).status).toBe(204)
  })

  test('to an email that has an account looks the same, and sends nothing', async () => {
    await signUp({ ...rider, email: 'other@shop.test' })
    const browser = await signUp()
    await server.settled()
    server.server.received.length = 0
    expect((await request(browser, 'other@shop.test')).status).toBe(204)
    await server.settled()
    expect(server.server.received).toEqual([])
  })

  test('fails if the email has got an account in the meantime', async () => {
    const browser = await signUp()
    await request(browser)
    const token = await readLink()
    await signUp({ ...rider, email: newEmail })
    expect((await confirm(browser, token)).body.code).toBe('EMAIL_TAKEN')
    expect(await signIn(password)).not.toBeTypeOf('string')
    expect(changed).toEqual([])
  })

  /** Opens a server with these limits, where two accounts are signed in. */
  async function openLimited(limits: Partial<Limits>) {
    const limited = await openAuthServerWithMail({ limits })
    onTestFinished(() => limited.close())
    const [browser, other] = [limited.browser(), limited.browser()]
    await browser.post('/idp/sign-up/email', rider)
    await other.post('/idp/sign-up/email', { ...rider, email: 'other@shop.test' })
    return { limited, browser, other }
  }
  const once = { max: 1, seconds: 3600 }

  test('is limited per account and per new email, and does not use up the password resets of that email', async () => {
    const limits = { verificationsPerEmail: once, emailChangesPerEmail: once, resetRequestsPerEmail: once }
    const { limited, browser, other } = await openLimited(limits)
    expect((await request(browser)).status).toBe(204)
    expect((await request(browser, 'another@shop.test')).body.code).toBe('TOO_MANY_REQUESTS')
    expect((await request(other)).body.code).toBe('TOO_MANY_REQUESTS')
    const reset = await limited.browser().post('/idp/request-password-reset', { email: newEmail })
    expect(reset.status).toBe(204)
  })

  test('is limited per IP, for all accounts and new emails', async () => {
    const { browser, other } = await openLimited({ emailChangesPerIp: once })
    expect((await request(browser)).status).toBe(204)
    expect((await request(other, 'another@shop.test')).body.code).toBe('TOO_MANY_REQUESTS')
  })
})
