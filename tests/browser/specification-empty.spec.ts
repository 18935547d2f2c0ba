import { type RunningShop, startShop } from './running-shop.ts'
import { enterAsNewRider } from './steps.ts'
import { test as base, expect } from './test.ts'

const boss = 'boss@example.com'

/** A new shop without products, reviews and orders. */
const test = base.extend<object, { shop: RunningShop }>({
  shop: [
    async ({}, use) => {
      const shop = await startShop({ DEMO: '0', ADMIN_EMAILS: boss, TRUSTED_PROXIES: '0' })
      await use(shop)
      await shop.stop()
    },
    { scope: 'worker' },
  ],
})

test('a shop without data works', async ({ page }) => {
  await test.step('an empty shop shows on every page what will be there', async () => {
    await page.goto('/')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/motorcycle/i)
    await expect(page.getByRole('article')).toHaveCount(0)
    for (const title of ['No products yet', 'No reviews yet']) {
      await expect(page.getByRole('heading', { name: title })).toBeVisible()
    }
    for (const [path, title] of [
      ['/products', 'No products yet'],
      ['/reviews', 'No reviews yet'],
    ] as const) {
      await page.goto(path)
      await expect(page.getByRole('heading', { name: title })).toBeVisible()
    }
    await page.goto('/products')
    await expect(page.getByRole('heading', { name: 'No products yet' })).toBeVisible()
    await expect(page.getByRole('main').getByRole('search')).toHaveCount(0)
    await page.goto('/blogs')
    await expect(page.getByRole('article')).toHaveCount(3)
    await enterAsNewRider(page)
    await page.goto('/dashboard/my-orders')
    await expect(page.getByRole('heading', { name: 'No orders yet' })).toBeVisible()
    await page.getByRole('link', { name: 'Browse the products' }).click()
    await expect(page).toHaveURL(/\/products$/)
  })

  await test.step('an admin of an empty shop finds the link to add the first product', async () => {
    await enterAsNewRider(page, boss)
    await page.goto('/dashboard/manage-orders')
    await expect(page.getByRole('heading', { name: 'No orders yet' })).toBeVisible()
    await page.goto('/dashboard/manage-users')
    await expect(page.getByRole('row').filter({ hasText: boss })).toContainText('Already an Admin')
    await page.goto('/dashboard/manage-products')
    await expect(page.getByRole('heading', { name: 'No products yet' })).toBeVisible()
    await page.getByRole('main').getByRole('link', { name: 'Add Product' }).last().click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Add Product')
  })
})
