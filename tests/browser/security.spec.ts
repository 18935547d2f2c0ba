import { expectAccessible } from './axe.ts'
import { field } from './specification-steps.ts'
import { enterAsNewRider, fillLogin, password as initialPassword, started } from './steps.ts'
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
    await page.setViewportSize({ width: 360, height: 740 })
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
