import type { Page } from '@playwright/test'
import { expectNothing } from './axe.ts'
import { type RunningShop, startShop } from './running-shop.ts'
import { enterAsNewRider, newEmail, openShopAsNewRider, password, signIn } from './steps.ts'
import { test as base, expect } from './test.ts'

/** The shop without a proxy, as `npm start` opens it. Behind a proxy it has no mailbox. */
const test = base.extend<object, { shop: RunningShop }>({
  shop: [
    async ({}, use) => {
      const shop = await startShop({ TRUSTED_PROXIES: '0' })
      await use(shop)
      await shop.stop()
    },
    { scope: 'worker' },
  ],
})
test.use({ extraHTTPHeaders: {} })

/** Opens the newest email to this recipient in the mailbox, and returns the URL of its link. */
async function linkTo(page: Page, email: string, subject: string): Promise<string> {
  const message = page
    .getByRole('article')
    .filter({ hasText: `To ${email}` })
    .filter({ has: page.getByRole('heading', { name: subject }) })
  await expect(async () => {
    await page.goto('/sandbox/mailbox')
    await expect(message).not.toHaveCount(0, { timeout: 100 })
  }).toPass()
  return (await message.first().getByRole('link').getAttribute('href')) ?? ''
}

async function requestEmail(page: Page, email: string): Promise<void> {
  await page.goto('/login')
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Forgot password?')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Send link' }).click()
}

async function chooseNew(page: Page, secret: string, again = secret): Promise<void> {
  await page.getByLabel('New Password').fill(secret)
  await page.getByLabel('Confirm Password').fill(again)
  await page.getByRole('button', { name: 'Change password' }).click()
}

test('a forgotten password is replaced by a link in a letter, and every other browser is signed out', async ({
  page,
  browser,
  watch,
  expectConsole,
}) => {
  expectConsole(/status of 401/)
  const email = await openShopAsNewRider(page)
  const elsewhere = await (await browser.newContext({ baseURL: page.url() })).newPage()
  watch(elsewhere)
  await requestEmail(elsewhere, email)
  await expect(elsewhere.getByRole('status')).toContainText('If there is an account with this email')

  await elsewhere.goto(await linkTo(elsewhere, email, 'Choose a new password'))
  expect(new URL(elsewhere.url()).pathname).toBe('/reset-password')
  await chooseNew(elsewhere, 'abc')
  await expect(elsewhere.getByText('Minimum 6 characters required').first()).toBeVisible()
  await chooseNew(elsewhere, 'a-new-secret', 'another-secret')
  await expect(elsewhere.getByRole('alert')).toHaveText("Password did't matched")
  await chooseNew(elsewhere, 'a-new-secret')
  await expect(elsewhere.getByRole('status')).toContainText('Your password was changed')

  await page.goto('/dashboard')
  await expect(page).toHaveURL(/\/login/)
  await elsewhere.getByRole('link', { name: 'Login', exact: true }).last().click()
  await signIn(elsewhere, email, 'a-new-secret')
  await linkTo(elsewhere, email, 'Your password was changed')
  await elsewhere.context().close()
})

test('who has no account reads the same words', async ({ page }) => {
  await requestEmail(page, newEmail())
  await expect(page.getByRole('status')).toContainText('If there is an account with this email')
  await page.getByRole('button', { name: 'Use another email' }).click()
  await page.getByLabel('Email').fill('nonsense')
  await page.getByRole('button', { name: 'Send link' }).click()
  await expect(page.getByText('Email not valid')).toBeVisible()
})

test('a link that is over says so, and offers a new one', async ({ page, expectConsole }) => {
  expectConsole(/status of (401|410)/)
  const email = await openShopAsNewRider(page)
  await page.request.post('/idp/request-password-reset', {
    data: { email },
    headers: { origin: new URL(page.url()).origin },
  })
  const link = await linkTo(page, email, 'Choose a new password')
  await page.goto(link)
  await chooseNew(page, 'a-new-secret')
  await expect(page.getByRole('status')).toContainText('Your password was changed')

  await page.goto('/')
  await page.goto(link)
  await chooseNew(page, 'a-third-secret')
  await expect(page.getByRole('alert')).toHaveText('This link is no longer valid.')
  await page.getByRole('link', { name: 'Send a new link' }).click()
  await expect(page).toHaveURL(/\/forgot-password$/)

  await page.goto('/reset-password')
  await expect(page.getByRole('alert')).toHaveText('This link is no longer valid.')
})

test('my profile says that the e-mail is not verified yet, until the link of a letter is followed', async ({
  page,
}) => {
  const email = await enterAsNewRider(page)
  await page.goto('/dashboard')
  const notice = page.getByRole('complementary', { name: 'Your email' })
  await expect(notice).toContainText('not verified')
  const first = await linkTo(page, email, 'Confirm your email')
  await page.goto('/dashboard')
  await notice.getByRole('button', { name: 'Resend email' }).click()
  await expect(notice).toContainText("We've sent a new email")

  await expect(async () => {
    expect(await linkTo(page, email, 'Confirm your email')).not.toBe(first)
  }).toPass()
  await page.goto(await linkTo(page, email, 'Confirm your email'))
  await expect(page.getByText(`Confirm that ${email} is your email.`)).toBeVisible()
  await page.getByRole('button', { name: 'Confirm email' }).click()
  await expect(page.getByRole('status')).toContainText('Email confirmed')
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { name: 'My Profile' })).toBeVisible()
  await expect(notice).toHaveCount(0)
})

test('a letter that confirms an e-mail is read in another browser: one logs in there, and goes on', async ({
  page,
  browser,
  watch,
  expectConsole,
}) => {
  expectConsole(/status of (403|410)/)
  const email = await openShopAsNewRider(page)
  const other = await (await browser.newContext({ baseURL: page.url() })).newPage()
  watch(other)
  const link = await linkTo(other, email, 'Confirm your email')
  await other.goto(link)
  await other.getByRole('main').getByRole('link', { name: 'Login' }).click()
  await other.getByLabel('Email').fill(email)
  await other.getByLabel('Password').fill(password)
  await other.getByRole('button', { name: 'Login', exact: true }).click()
  await expect(other).toHaveURL(link)

  const thirdParty = await (await browser.newContext({ baseURL: page.url() })).newPage()
  watch(thirdParty)
  await enterAsNewRider(thirdParty)
  await thirdParty.goto(link)
  await thirdParty.getByRole('button', { name: 'Confirm email' }).click()
  await expect(thirdParty.getByRole('alert')).toContainText('belongs to another account')

  await other.getByRole('button', { name: 'Confirm email' }).click()
  await expect(other.getByRole('status')).toContainText('Email confirmed')
  await page.goto(link)
  await page.getByRole('button', { name: 'Confirm email' }).click()
  await expect(page.getByRole('status')).toContainText('Email confirmed')
  for (const each of [other, thirdParty]) await each.context().close()
})

async function look(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  // The main content appears after the first load, for example of the session.
  await expect(page.locator('main').locator('form, p, [role=alert]').first()).toBeVisible()
  await expectNothing(page, path)
}

for (const width of [360, 1280]) {
  test.describe(`at ${width} pixels axe finds nothing`, () => {
    test.use({ viewport: { width, height: 800 } })

    test('on the pages of letters', async ({ page, expectConsole }) => {
      expectConsole(/status of 410/)
      await look(page, '/login')
      await look(page, '/forgot-password')
      await page.getByRole('button', { name: 'Send link' }).click()
      await expect(page.getByText('Email is required')).toBeVisible()
      await expectNothing(page, 'no e-mail')
      await page.getByLabel('Email').fill(newEmail())
      await page.getByRole('button', { name: 'Send link' }).click()
      await expect(page.getByRole('status')).toContainText('Check your email')
      await expectNothing(page, 'asked')
      await look(page, '/reset-password#made-up')
      await chooseNew(page, 'a-new-secret')
      await expect(page.getByRole('alert')).toBeVisible()
      await expectNothing(page, 'a link that is over')
      await look(page, '/verify-email#made-up')
    })

    test('on what they ask of who is signed in, and in the mailbox', async ({ page, expectConsole }) => {
      expectConsole(/status of 410/)
      const email = await openShopAsNewRider(page)
      for (const path of ['/dashboard', '/verify-email', '/verify-email#made-up']) {
        await page.goto('/')
        await look(page, path)
      }
      await page.getByRole('button', { name: 'Confirm email' }).click()
      await expect(page.getByRole('alert')).toContainText('no longer valid')
      await expectNothing(page, 'a confirmation that is over')
      await linkTo(page, email, 'Confirm your email')
      await expectNothing(page, 'the mailbox')
    })
  })
}

base('where the shop sends no mail, it says that a password cannot be replaced', async ({ page }) => {
  await page.goto('/forgot-password')
  await expect(page.getByText("This shop can't send email")).toBeVisible()
  await expect(page.getByLabel('Email')).toHaveCount(0)
})
