import type { Page } from '@playwright/test'
import { started } from './steps.ts'
import { expect, test } from './test.ts'

const canonical = (page: Page) => page.locator('head link[rel=canonical]')
const robots = (page: Page) => page.locator('head meta[name=robots]')

/** Path of the first product in the product list. */
const firstProduct = (page: Page) => page.getByRole('article').getByRole('link').first().getAttribute('href')

test('JSON-LD violates no content security policy, and hydration keeps it', async ({ page }) => {
  // A violation, or a document that differs from the server's, would be reported in the console.
  for (const [path, blocks] of [
    ['/', 2],
    ['/products', 2],
    ['the first product', 2],
  ] as const) {
    if (path.startsWith('/')) await page.goto(path)
    else await page.goto((await firstProduct(page)) ?? '')
    await started(page)
    await expect(page.locator('script[type="application/ld+json"]')).toHaveCount(blocks)
    await expect(page.locator('meta[property="og:image"]')).toHaveCount(1)
  }
})

test('the canonical URL changes with each navigation', async ({ page, shop }) => {
  await page.goto('/')
  await expect(canonical(page)).toHaveAttribute('href', `${shop.origin}/`)
  await page.getByRole('link', { name: 'Read More' }).click()
  await expect(page).toHaveURL(/\/products$/)
  await expect(canonical(page)).toHaveAttribute('href', `${shop.origin}/products`)
  await page.getByRole('link', { name: 'Next' }).click()
  await expect(canonical(page)).toHaveAttribute('href', `${shop.origin}/products?page=2`)
  await page.getByRole('button', { name: /account/i }).click()
  await page.getByRole('link', { name: 'Login' }).click()
  await expect(page).toHaveURL(/\/login/)
  await expect(robots(page)).toHaveAttribute('content', 'noindex')
  await expect(canonical(page)).toHaveCount(0)
})
