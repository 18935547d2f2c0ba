import type { Page } from '@playwright/test'
import { emailTextKinds } from '../../contract/email-texts.ts'
import { compose } from '../../server/modules/mail/compose.ts'
import { createSample } from '../../server/modules/mail/samples.ts'
import { plainSender } from '../email-sender.ts'
import { expectAccessible, expectNoViolations, readScrollWidth } from './axe.ts'
import { test as direct, expect } from './direct-shop.ts'
import { losing } from './specification-steps.ts'
import { enter, enterAsNewRider, linkTo, newEmail, password, signIn } from './steps.ts'
import { test } from './test.ts'

async function chooseNew(page: Page, secret: string, again = secret): Promise<void> {
  await page.getByLabel('New Password').fill(secret)
  await page.getByLabel('Confirm Password').fill(again)
  await page.getByRole('button', { name: 'Change password' }).click()
}

direct('a customer replaces a forgotten password', async ({ page, openOther, expectConsole }) => {
  direct.slow()
  expectConsole(/status of (401|410)/)
  const email = await enterAsNewRider(page)
  const elsewhere = await openOther()

  await direct.step(
    'the page requires an email, and its text is the same for an email without an account',
    async () => {
      await elsewhere.goto('/login')
      await expect(elsewhere.getByRole('link', { name: 'Forgot password?' })).toBeVisible()
      await elsewhere.getByRole('link', { name: 'Forgot password?' }).click()
      await expect(elsewhere.getByRole('heading', { level: 1 })).toHaveText('Forgot password?')
      await expectAccessible(elsewhere, 'forgot password')
      await elsewhere.getByRole('button', { name: 'Send link' }).click()
      await expect(elsewhere.getByText('Email is required')).toBeVisible()
      await expectAccessible(elsewhere, 'no email')
      await elsewhere.getByLabel('Email').fill(newEmail())
      await elsewhere.getByRole('button', { name: 'Send link' }).press('Enter')
      await expect(elsewhere.getByRole('status')).toContainText('If there is an account with this email')
      await expect(elsewhere.getByRole('status')).toContainText('Check your email')
      await expect(elsewhere.getByRole('status')).toBeFocused()
      await expectAccessible(elsewhere, 'requested')
      await elsewhere.getByRole('button', { name: 'Use another email' }).click()
      await elsewhere.getByLabel('Email').fill('nonsense')
      await elsewhere.getByRole('button', { name: 'Send link' }).click()
      await expect(elsewhere.getByText('Email not valid')).toBeVisible()
      await elsewhere.getByLabel('Email').fill(email)
      await elsewhere.getByRole('button', { name: 'Send link' }).click()
      await expect(elsewhere.getByRole('status')).toContainText('If there is an account with this email')
    },
  )

  const link = await linkTo(elsewhere, email, 'Choose a new password')
  await direct.step(
    'the link of the email sets a new password and signs out every other browser',
    async () => {
      await elsewhere.goto(link)
      expect(new URL(elsewhere.url()).pathname).toBe('/reset-password')
      await expect(elsewhere.getByLabel('New Password')).toBeVisible()
      await expectAccessible(elsewhere, 'reset password')
      await chooseNew(elsewhere, 'abc')
      await expect(elsewhere.getByText('Minimum 6 characters required').first()).toBeVisible()
      await chooseNew(elsewhere, 'a-new-secret', 'another-secret')
      await expect(elsewhere.getByRole('alert')).toHaveText("Password did't matched")
      await chooseNew(elsewhere, 'a-new-secret')
      await expect(elsewhere.getByRole('status')).toContainText('Your password was changed')

      await page.goto('/dashboard')
      await expect(page).toHaveURL(/\/login/)
      await elsewhere.getByRole('link', { name: 'Log in' }).click()
      await signIn(elsewhere, email, 'a-new-secret')
      await linkTo(elsewhere, email, 'Your password was changed')
    },
  )

  await direct.step('a used link shows that it is no longer valid, and offers a new one', async () => {
    await page.goto('/')
    await page.goto(link)
    await chooseNew(page, 'a-third-secret')
    await expect(page.getByRole('alert')).toHaveText('This link is no longer valid.')
    await expectAccessible(page, 'a used link')
    await page.getByRole('link', { name: 'Send a new link' }).click()
    await expect(page).toHaveURL(/\/forgot-password$/)

    await page.goto('/reset-password')
    await expect(page.getByRole('alert')).toHaveText('This link is no longer valid.')
  })
})

direct('a customer confirms an email', async ({ page, openOther, expectConsole }) => {
  direct.slow()
  expectConsole(/status of (403|410)/)
  const email = await enterAsNewRider(page)
  const notice = page.getByRole('complementary', { name: 'Your email' })
  const first = await linkTo(page, email, 'Confirm your email')
  await expectAccessible(page, 'the mailbox')
  await page.getByRole('link', { name: 'HTML version of Confirm your email' }).first().click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Confirm your email')
  await expectAccessible(page, 'an email as HTML')

  await direct.step(
    'My Profile shows that the email is not verified, and can send another link',
    async () => {
      await page.goto('/dashboard')
      await expect(notice).toContainText('not verified')
      await expectAccessible(page, 'an unverified profile')
      await notice.getByRole('button', { name: 'Resend email' }).click()
      await expect(notice).toContainText("We've sent a new email")
      await expect(async () => {
        expect(await linkTo(page, email, 'Confirm your email')).not.toBe(first)
      }).toPass()
    },
  )
  const link = await linkTo(page, email, 'Confirm your email')

  await direct.step('an invalid link shows that it is no longer valid', async () => {
    for (const path of ['/verify-email', '/verify-email#made-up']) {
      await page.goto('/')
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      // The main content appears after the first load, for example of the session.
      await expect(page.locator('main').locator('form, p, [role=alert]').first()).toBeVisible()
      await expectAccessible(page, path)
    }
    await page.getByRole('button', { name: 'Confirm email' }).click()
    await expect(page.getByRole('alert')).toContainText('no longer valid')
    await expectAccessible(page, 'an invalid link')
  })

  const other = await openOther()
  await direct.step(
    'in another browser the link leads through the login, and confirms the email',
    async () => {
      await other.goto(link)
      await expect(other.getByRole('main').getByRole('link', { name: 'Log in' })).toBeVisible()
      await expectAccessible(other, 'a link in another browser')
      await other.getByRole('main').getByRole('link', { name: 'Log in' }).click()
      await other.getByLabel('Email').fill(email)
      await other.getByLabel('Password').fill(password)
      await other.getByRole('button', { name: 'Login', exact: true }).click()
      await expect(other).toHaveURL(link)
    },
  )

  await direct.step('the link does not confirm the email of another account', async () => {
    const thirdParty = await openOther()
    await enterAsNewRider(thirdParty)
    await thirdParty.goto(link)
    await thirdParty.getByRole('button', { name: 'Confirm email' }).click()
    await expect(thirdParty.getByRole('alert')).toContainText('belongs to another account')
  })

  await direct.step(
    'after the confirmation the notice disappears, and the link still shows the success',
    async () => {
      await expect(other.getByText(`Confirm that ${email} is your email.`)).toBeVisible()
      await other.getByRole('button', { name: 'Confirm email' }).click()
      await expect(other.getByRole('status')).toContainText('Email confirmed')
      // From another document, because a change of the hash loads nothing.
      await page.goto('/')
      await page.goto(link)
      await page.getByRole('button', { name: 'Confirm email' }).click()
      await expect(page.getByRole('status')).toContainText('Email confirmed')
      await page.goto('/dashboard')
      await expect(page.getByRole('heading', { name: 'My Profile' })).toBeVisible()
      await expect(notice).toHaveCount(0)
    },
  )
})

direct(
  'a customer changes the email on one device, and stays logged in on another',
  async ({ page, openOther, expectConsole }) => {
    direct.slow()
    expectConsole(/status of (401|403|410)|ERR_FAILED/)
    const email = await enterAsNewRider(page)
    const other = await openOther()
    await enter(other, email)
    await other.goto('/dashboard/my-addresses')

    const changed = newEmail()
    await page.goto('/dashboard/security')
    const section = page.getByRole('region', { name: 'Email' })
    await section.getByLabel('New Email').fill(changed)
    await section.getByLabel('Current Password').fill(password)
    await section.getByRole('button', { name: 'Change email' }).click()
    await expect(section.getByText('Check your new mailbox')).toBeVisible()
    await page.goto(await linkTo(page, changed, 'Confirm your new email'))
    // The first answer gets lost, so the second attempt finds a used link.
    await losing(page, '**/idp/confirm-email-change')
    const change = page.getByRole('button', { name: 'Change email' })
    await change.click()
    await expect(page.getByRole('alert')).toBeVisible()
    await change.click()
    await expect(page.getByRole('status')).toContainText('Your email was changed')

    await other
      .getByRole('navigation', { name: 'Dashboard' })
      .getByRole('link', { name: 'My Orders' })
      .click()
    await expect(other.getByRole('heading', { name: 'No orders yet' })).toBeVisible()
    await other.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name: 'Security' }).click()
    await expect(other.getByText(`Your email is ${changed}.`)).toBeVisible()
  },
)

test('a shop that sends no email says that a password cannot be replaced', async ({ page }) => {
  await page.goto('/forgot-password')
  await expect(page.getByText("This shop can't send email")).toBeVisible()
  await expect(page.getByLabel('Email')).toHaveCount(0)
})

test('no email is wider than a screen of 320 px, and dark colours are readable', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await page.emulateMedia({ colorScheme: 'dark' })
  const picture = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" width="600" height="450"></svg>'
  const longWord = 'Gleichstromlichtmaschinenregler'
  const sender = { ...plainSender, shopName: longWord, contactEmail: `${longWord}@${longWord}.test` }
  for (const kind of emailTextKinds) {
    const texts = { [kind]: { subject: longWord, before: `${longWord} ${longWord}`, after: longWord } }
    const content = createSample(kind, `https://${longWord}.test`)
    // The sample has no picture, because the shop may have none.
    for (const part of content.body)
      if (typeof part === 'object' && 'rows' in part) for (const row of part.rows) row.picture = picture
    const { html } = compose(content, { ...sender, texts }, { id: kind, to: 'rider@shop.test' })
    await page.setContent(html)
    expect({ kind, width: await readScrollWidth(page) }).toEqual({ kind, width: 320 })
    await expectNoViolations(page, kind)
  }
})
