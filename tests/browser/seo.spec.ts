import type { Page } from '@playwright/test'
import { expect, test } from './test.ts'

const canonical = (page: Page) => page.locator('head link[rel=canonical]')
const robots = (page: Page) => page.locator('head meta[name=robots]')

/** From the product list. */
const firstProduct = (page: Page) => page.getByRole('article').getByRole('link').first().getAttribute('href')

test('what a page says to machines is no script: the policy has nothing against it, and the page takes it over', async ({
  page,
}) => {
  // A violation, or a document that is not what the server wrote, would be reported in the console.
  for (const [path, blocks] of [
    ['/', 2],
    ['/products', 2],
    ['the first product', 2],
  ] as const) {
    if (path.startsWith('/')) await page.goto(path)
    else await page.goto((await firstProduct(page)) ?? '')
    await expect(page.locator('script[type="application/ld+json"]')).toHaveCount(blocks)
    await expect(page.locator('meta[property="og:image"]')).toHaveCount(1)
  }
})

test('the one address of a page follows the visitor, for whoever shares it from there', async ({
  page,
  shop,
}) => {
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
