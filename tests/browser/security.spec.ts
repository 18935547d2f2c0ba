import type { Page } from '@playwright/test'
import { appCode, wrongCode } from '../two-step.ts'
import { expectAccessible } from './axe.ts'
import { callAs, field } from './specification-steps.ts'
import { enter, enterAsNewRider, fillLogin, password as initialPassword, started } from './steps.ts'
import { expect, test } from './test.ts'

test.use({ viewport: { width: 360, height: 740 } })

test('a customer changes the password, and logs out on all devices', async ({ page, expectConsole }) => {
  expectConsole(/status of 401/)
  const email = await enterAsNewRider(page)
  await page.goto('/dashboard/my-orders')
  await page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name: 'Security' }).click()
  const password = page.getByRole('region', { name: 'Password' })

  await test.step('a wrong current password changes nothing', async () => {
    await password.getByLabel('Current Password').fill('guessed')
    await field(page, 'New Password').fill('another1')
    await field(page, 'Confirm Password').fill('another1')
    await password.getByRole('button', { name: 'Change password' }).click()
    await expect(page.getByRole('alert')).toHaveText('Wrong Password')
    await expectAccessible(page, 'the security page')
  })

  await test.step('the right one changes it, and the customer stays logged in', async () => {
    await password.getByLabel('Current Password').fill(initialPassword)
    await password.getByRole('button', { name: 'Change password' }).click()
    await expect(password.getByRole('status')).toContainText('Your password was changed')
    await page.reload()
    await expect(page.getByText(`Your email is ${email}.`)).toBeVisible()
  })

  await test.step('after logging out everywhere, only the new password works', async () => {
    await page.getByRole('button', { name: 'Log out everywhere' }).click()
    await expect(page).toHaveURL('/login')
    await started(page)
    await fillLogin(page, email, 'another1')
    await expect(page).not.toHaveURL('/login')
  })
})

test('an admin sets up two-step login, and enters a code after the login and over a page', async ({
  page,
  shop,
  expectConsole,
}) => {
  expectConsole(/status of 4(01|03|22)/)
  const email = await enterAsNewRider(page)
  await enter(page, 'admin@example.com', shop.password)
  await callAs(page, 'PUT', `/create-user/${email}`, { role: 'admin' })
  await enter(page, email)
  await page.goto('/dashboard/security')
  const section = page.getByRole('region', { name: 'Two-step login' })
  let key = ''
  let recoveryCodes: string[] = []

  await test.step('the set-up shows a key, and recovery codes after the first code', async () => {
    await section.getByRole('button', { name: 'Set up two-step login' }).press('Enter')
    await expect(section.getByRole('img', { name: 'QR code of the key' })).toBeVisible()
    await expect(section.getByRole('textbox', { name: 'Code' })).toBeFocused()
    key = (await section.locator('code').innerText()).replaceAll(' ', '')
    await expectAccessible(page, 'the set-up of two-step login')
    await section.getByRole('textbox', { name: 'Code' }).fill(wrongCode(key))
    await section.getByRole('button', { name: 'Turn on two-step login' }).click()
    await expect(section.getByRole('alert')).toContainText('This code is not valid.')
    await section.getByRole('textbox', { name: 'Code' }).fill(appCode(key))
    await section.getByRole('button', { name: 'Turn on two-step login' }).press('Enter')
    const codes = section.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
    await expect(codes).toHaveCount(10)
    await expect(section.getByRole('status')).toBeFocused()
    recoveryCodes = await codes.allInnerTexts()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      section.getByRole('link', { name: 'Download the codes' }).click(),
    ])
    expect(file.suggestedFilename()).toBe('recovery-codes.txt')
    await expectAccessible(page, 'the recovery codes')
    await section.getByRole('button', { name: 'I have saved them' }).press('Enter')
    await expect(section.getByText('10 recovery codes are left.')).toBeVisible()
    await expect(section.getByRole('group', { name: 'Two-step login' })).toBeFocused()
  })

  await test.step('the login asks for a code, and leads back to the page', async () => {
    await page.evaluate(() => localStorage.clear())
    await page.goto('/dashboard/manage-orders')
    await expect(page).toHaveURL('/login')
    await field(page, 'Email').fill(email)
    await page.getByLabel('Password').fill(initialPassword)
    await page.getByRole('button', { name: 'Login', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'Two-step login' })).toBeVisible()
    const code = page.getByLabel('Code of your authenticator app')
    await expect(code).toBeFocused()
    await expect(code).toHaveAttribute('autocomplete', 'one-time-code')
    await expectAccessible(page, 'the second step')
    await code.fill(appCode(key, 1))
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/dashboard/manage-orders')
    await expect(page.getByRole('heading', { name: 'Manage Orders' })).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })

  await test.step('a save that needs the second step opens the field over the page, and nothing is lost', async () => {
    await page.goto('/dashboard/search-words')
    await started(page)
    await page.getByRole('button', { name: 'Add group' }).click()
    const phrases = page.getByLabel('Phrases')
    await phrases.fill('second step, other step')
    await signInBehind(page, email)
    await page.getByRole('button', { name: 'Save' }).click()
    const dialog = page.getByRole('dialog', { name: 'Two-step login' })
    await dialog.getByRole('button', { name: 'Use a recovery code' }).click()
    const code = dialog.getByLabel('Recovery code')
    await expect(code).toBeFocused()
    await code.fill(recoveryCodes[0] ?? '')
    await expectAccessible(page, 'the second step over a page')
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await expect(dialog).toHaveCount(0)
    await expect(phrases).toHaveValue('second step, other step')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Group saved')).toBeVisible()
  })
})

/** Gives the page a token of another sign-in, which has not passed the second step, as after 30 days. */
async function signInBehind(page: Page, email: string): Promise<void> {
  const headers = { origin: new URL(page.url()).origin }
  await page.request.post('/idp/sign-in/email', { data: { email, password: initialPassword }, headers })
  const { token: idToken } = await (await page.request.get('/idp/token')).json()
  const path = `/api/create-user/${encodeURIComponent(email)}`
  const { token } = await (await page.request.put(path, { data: { email, idToken } })).json()
  await page.evaluate((saved) => localStorage.setItem('accessToken', saved), token)
}
