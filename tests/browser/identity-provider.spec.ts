import { expect, type Page, test } from '@playwright/test'
import type { ApiError } from '../../web/api.ts'
import type * as Provider from '../../web/features/identity/provider.ts'
import { type IdentityPage, openIdentityPage } from './identity-page.ts'

declare global {
  interface Window {
    provider: typeof Provider
    /** Result of the sign-in with Google. */
    outcome?: string
  }
}

const rider = { email: 'rider@shop.test', password: 'secret1', name: 'A Rider' }

// All tests share one provider and one database.
test.describe.configure({ mode: 'default' })

let shop: IdentityPage
let complaints: string[] = []

test.beforeAll(async () => {
  shop = await openIdentityPage()
})
test.afterAll(() => shop.close())

test.beforeEach(async ({ page, context }) => {
  complaints = []
  const listen = (some: Page) => {
    some.on('pageerror', (error) => complaints.push(String(error)))
    some.on('console', (message) => {
      // Chromium itself logs each response with status 400 or above.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
        complaints.push(message.text())
      }
    })
  }
  listen(page)
  context.on('page', listen)
  await openProvider(page)
})
test.afterEach(() => expect(complaints).toEqual([]))

async function openProvider(page: Page): Promise<void> {
  await page.goto(shop.origin)
  await page.waitForFunction(() => window.provider)
}

/** Runs in the page; returns the code of the error, or `DONE`. */
const code = (page: Page, call: 'signUp' | 'signIn', account: typeof rider) =>
  page.evaluate(
    ([call, account]) =>
      window.provider[call](account).then(
        () => 'DONE',
        (error: ApiError) => error.code,
      ),
    [call, account] as const,
  )

const claims = async (page: Page) => {
  const token = await page.evaluate(() => window.provider.fetchIdToken())
  return token && JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
}

async function openPopup(page: Page): Promise<Page> {
  // In a click handler, as browsers require.
  await page.evaluate(() => {
    const button = document.createElement('button')
    button.textContent = 'Sign in using Google'
    button.addEventListener('click', () => {
      delete window.outcome
      void window.provider.signInWithGoogle().then(({ error }) => (window.outcome = error ?? 'DONE'))
    })
    document.body.replaceChildren(button)
  })
  const popup = page.waitForEvent('popup')
  await page.getByRole('button', { name: 'Sign in using Google' }).click()
  return popup
}

const outcome = async (page: Page) =>
  (await page.waitForFunction(() => window.outcome)).evaluate((said) => said)

test('an account is created, named and identified by its ID token, until it signs out', async ({ page }) => {
  expect(await page.evaluate(() => window.provider.fetchIdToken())).toBeNull()
  expect(await code(page, 'signUp', rider)).toBe('DONE')
  await page.evaluate(() => window.provider.setDisplayName('Another Name'))
  expect(await claims(page)).toMatchObject({ email: rider.email, name: 'Another Name' })
  expect(await page.evaluate(() => document.cookie)).toBe('')
  await page.evaluate(() => window.provider.signOut())
  expect(await page.evaluate(() => window.provider.fetchIdToken())).toBeNull()
})

test('each error has its code', async ({ page }) => {
  const account = { ...rider, email: 'codes@shop.test' }
  expect(await code(page, 'signUp', account)).toBe('DONE')
  expect(await code(page, 'signUp', account)).toBe('EMAIL_TAKEN')
  expect(await code(page, 'signUp', { ...account, email: 'nonsense' })).toBe('INVALID_EMAIL')
  expect(await code(page, 'signUp', { ...account, password: '12345' })).toBe('PASSWORD_TOO_SHORT')
  const wrong = { ...account, password: 'wrong-one' }
  expect(await code(page, 'signIn', { ...account, email: 'unknown@shop.test' })).toBe('NO_ACCOUNT')
  expect(await code(page, 'signIn', wrong)).toBe('WRONG_PASSWORD')
  for (let round = 0; round < 10; round++) await code(page, 'signIn', wrong)
  expect(await code(page, 'signIn', account)).toBe('TOO_MANY_REQUESTS')
})

test('an unreachable server is an error, not a sign-out', async ({ page, context }) => {
  await context.route('**/idp/**', (route) => route.abort())
  expect(await code(page, 'signIn', rider)).toBe('NO_ANSWER')
  const thrown = await page.evaluate(() =>
    window.provider.fetchIdToken().then(
      () => 'no error',
      (error: ApiError) => error.code,
    ),
  )
  expect(thrown).toBe('NO_ANSWER')
})

test('Google signs in with a popup', async ({ page }) => {
  await test.step('the Google popup signs in with an account that it lists', async () => {
    await openProvider(page)
    const popup = await openPopup(page)
    await expect(popup).toHaveTitle('Sandbox: this is not Google')
    await popup.getByRole('button', { name: 'Sandbox Rider' }).click()
    expect(await outcome(page)).toBe('DONE')
    expect(popup.isClosed()).toBe(true)
    expect(await claims(page)).toMatchObject({
      email: 'sandbox.rider@example.com',
      email_verified: true,
      name: 'Sandbox Rider',
    })
  })

  await test.step('the Google popup signs in with a typed account, by keyboard only', async () => {
    await openProvider(page)
    const popup = await openPopup(page)
    await popup.getByLabel('Email').fill('typed@shop.test')
    await popup.keyboard.press('Tab')
    await popup.keyboard.type('Typed Name')
    await popup.keyboard.press('Enter')
    expect(await outcome(page)).toBe('DONE')
    expect(await claims(page)).toMatchObject({ email: 'typed@shop.test', name: 'Typed Name' })
  })

  await test.step('the Google popup returns an error if the email has an account of another kind', async () => {
    await openProvider(page)
    await code(page, 'signUp', { ...rider, email: 'linked@shop.test' })
    await page.evaluate(() => window.provider.signOut())
    const popup = await openPopup(page)
    await popup.getByLabel('Email').fill('linked@shop.test')
    await popup.getByLabel('Name').fill('Another Name')
    await popup.getByRole('button', { name: 'Continue' }).click()
    expect(await outcome(page)).toBe('NOT_LINKED')
    expect(await claims(page)).toBeNull()
  })

  await test.step('the Google popup can be cancelled or closed', async () => {
    await openProvider(page)
    const cancelled = await openPopup(page)
    await cancelled.getByRole('link', { name: 'Cancel' }).click()
    expect(await outcome(page)).toBe('POPUP_CLOSED')

    const closed = await openPopup(page)
    await closed.waitForLoadState()
    await closed.close()
    expect(await outcome(page)).toBe('POPUP_CLOSED')
  })

  await test.step('a blocked popup has its own error code', async () => {
    await openProvider(page)
    await page.evaluate(() => (window.open = () => null))
    const error = await page.evaluate(() => window.provider.signInWithGoogle().then(({ error }) => error))
    expect(error).toBe('POPUP_BLOCKED')
  })
})
