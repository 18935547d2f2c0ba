import type { Locator } from '@playwright/test'
import { addProduct, signInAsAdmin } from './admin-steps.ts'
import { expectError, field } from './specification-steps.ts'
import { enterAsNewRider, newEmail, password } from './steps.ts'
import { expect, test } from './test.ts'

test.use({ viewport: { width: 360, height: 640 } })

/** Whether no part of the element is outside the window or covered by another element, such as the navbar. */
const isUncovered = (element: Locator): Promise<boolean> =>
  element.evaluate((node) => {
    const { left, right, top, bottom } = node.getBoundingClientRect()
    return [top + 2, bottom - 2].every((y) => node.contains(document.elementFromPoint((left + right) / 2, y)))
  })

test('the first of several errors gets the focus and is in view on a phone', async ({ page, shop }) => {
  await signInAsAdmin(page, shop)
  await page.goto('/dashboard/add-product')
  await page.getByRole('button', { name: 'Add Product' }).click()
  await expect(field(page, 'Name')).toBeFocused()
  await expect.poll(() => isUncovered(field(page, 'Name'))).toBe(true)
  await expect.poll(() => isUncovered(page.getByText('Name', { exact: true }))).toBe(true)

  const { _id } = await addProduct(page)
  await enterAsNewRider(page)
  await page.goto(`/purchase/${_id}`)
  await field(page, 'Quantity').fill('0')
  await page.getByRole('button', { name: 'Place Order' }).click()
  await expectError(page, 'Address', 'Address is required')
  await expect(field(page, 'Quantity')).toBeFocused()
  await expect.poll(() => isUncovered(field(page, 'Quantity'))).toBe(true)
  await expect.poll(() => isUncovered(page.getByText('Quantity not matched'))).toBe(true)
})

test('an alert disappears when the fields that it is about are corrected', async ({
  page,
  expectConsole,
}) => {
  await page.goto('/signup')
  await field(page, 'Name').fill('Robin Rider')
  await field(page, 'Email').fill(newEmail())
  await field(page, 'Password').fill(password)
  await field(page, 'Confirm Password').fill(`${password}x`)
  await page.getByRole('button', { name: 'Sign Up' }).click()
  const alert = page.getByRole('alert')
  await expect(alert).toHaveText("Password did't matched")
  await expect.poll(() => isUncovered(alert)).toBe(true)
  await field(page, 'Confirm Password').fill(password)
  await expect(alert).toBeHidden()

  expectConsole(/status of 401/)
  await page.goto('/login')
  await field(page, 'Email').fill(newEmail())
  await field(page, 'Password').fill(password)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await expect(alert).toHaveText('No account with this email')
  await field(page, 'Email').fill(newEmail())
  await expect(alert).toBeHidden()
})

test('a message about too many attempts names the real waiting time', async ({ page, expectConsole }) => {
  expectConsole(/status of 429/)
  const email = newEmail()
  await page.goto('/login')
  const headers = { origin: new URL(page.url()).origin }
  for (let attempt = 0; attempt < 10; attempt++) {
    await page.request.post('/idp/sign-in/email', { headers, data: { email, password } })
  }
  await field(page, 'Email').fill(email)
  await field(page, 'Password').fill(password)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await expect(page.getByRole('alert')).toHaveText('Too many attempts. Try again in 15 minutes.')
})
