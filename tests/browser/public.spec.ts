import { lateRead } from './specification-steps.ts'
import { enter, started } from './steps.ts'
import { expect, test } from './test.ts'

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('home and products are complete', async ({ page }) => {
    await page.goto('/')
    await expect(page.getByRole('link', { name: 'Torque Yard' }).first()).toHaveAttribute('href', '/')
    await expect(page.getByRole('article').getByRole('link', { name: /Buy Now/ })).toHaveCount(4)
    await expect(page.getByRole('link', { name: 'Read More' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'See All' })).toHaveAttribute('href', '/reviews')

    await page.goto('/products')
    await expect(page.getByRole('article').first()).toContainText('$')
    await page.getByRole('link', { name: 'Next' }).click()
    await expect(page).toHaveURL(/page=2/)
    await expect(page.getByRole('article').first()).toBeVisible()
  })
})

test('an unknown path shows the 404 page with status 404', async ({ page, expectConsole }) => {
  expectConsole(/status of 404/)
  const response = await page.goto('/no/such/page')
  expect(response?.status()).toBe(404)
  await expect(page.getByText('Error 404')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Oops! Page is broken...' })).toBeVisible()
  await page.getByRole('link', { name: 'Back to homepage' }).click()
  await expect(page).toHaveURL(/\/$/)
})

test('only customers have Browse All, and admins have Update in place of Buy Now', async ({
  page,
  shop,
  expectConsole,
}) => {
  expectConsole(lateRead)
  await page.goto('/')
  await started(page)
  await expect(page.getByRole('link', { name: 'Browse All' })).toHaveCount(0)
  await enter(page, 'rider@example.com', shop.password)
  await page.goto('/')
  await expect(page.getByRole('link', { name: 'Browse All' })).toHaveAttribute('href', '/products')
  await page.getByRole('button', { name: /account/i }).click()
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page.getByRole('link', { name: 'Browse All' })).toHaveCount(0)

  await enter(page, 'admin@example.com', shop.password)
  await page.goto('/')
  await expect(page.getByRole('article').getByRole('link', { name: /Update/ })).toHaveCount(4)
  await expect(page.getByRole('link', { name: 'Browse All' })).toHaveCount(0)
})
