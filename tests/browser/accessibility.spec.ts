import type { Page } from '@playwright/test'
import { expectAccessible, expectNoViolations, readScrollWidth } from './axe.ts'
import { failing, waitOutRepeats } from './specification-steps.ts'
import { enter, fillCard, openShopAsNewRider, placeOrder, serveMap, started } from './steps.ts'
import { expect, test } from './test.ts'

async function openPage(page: Page, path: string, heading: string | RegExp): Promise<void> {
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading)
  // Hydration enables the buttons, which changes their colours.
  await started(page)
  await expectAccessible(page, path)
  await expectNoScrolling(page, path)
}

/** Expects no horizontal scrolling at the widths that `expectAccessible` does not use. */
async function expectNoScrolling(page: Page, path: string): Promise<void> {
  for (const width of [320, 640, 768, 1920]) {
    await page.setViewportSize({ width, height: 800 })
    expect(await readScrollWidth(page), `${path} at ${width}`).toBe(width)
  }
  await page.setViewportSize({ width: 1280, height: 800 })
}

test.describe('axe finds no violations and no horizontal scrolling at 360 and 1280 pixels', () => {
  test.slow()

  test('on the public pages and their menus', async ({ page, expectConsole }) => {
    expectConsole(/status of 404/)
    await openPage(page, '/', /motorcycle/i)
    await page.getByRole('button', { name: 'Account' }).click()
    await expectAccessible(page, 'the account menu')
    await page.keyboard.press('Escape')
    await page.setViewportSize({ width: 360, height: 800 })
    await page.getByRole('button', { name: 'Menu' }).click()
    await expectNoViolations(page, 'the menu')
    await openPage(page, '/products', 'Products')
    await openPage(page, '/products?page=99', 'Products')
    await openPage(page, '/reviews', 'Reviews')
    await openPage(page, '/blogs', 'Blogs')
    await openPage(page, '/no-such-page', 'Oops! Page is broken...')
    for (const [path, name] of [
      ['/login', 'Login'],
      ['/signup', 'Sign Up'],
    ] as const) {
      await openPage(page, path, name)
      await page.getByRole('button', { name, exact: true }).click()
      await expect(page.getByText('Email is required')).toBeVisible()
      await expectAccessible(page, `${path} with errors`)
    }
    await serveMap(page)
    await openPage(page, '/contact-us', 'Contact Us')
  })

  test('on the pages and dialogs of a customer', async ({ page, expectConsole }) => {
    expectConsole(/status of (402|404|500)/)
    await page.clock.install()
    await openShopAsNewRider(page)
    await expect(page.getByRole('link', { name: 'Browse All' })).toBeVisible()
    await expectAccessible(page, 'the home page with a toast')
    await expectNoScrolling(page, '/')
    await openPage(page, '/dashboard', 'My Profile')
    await page.getByRole('button', { name: 'Account' }).click()
    await expectAccessible(page, 'the account menu')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Edit Profile' }).click()
    await expectAccessible(page, 'Edit Profile')
    await openPage(page, '/dashboard/add-review', 'Add a Review')
    await openPage(page, '/dashboard/my-orders', 'My Orders')
    await openPage(page, '/dashboard/my-addresses', 'My Addresses')
    await page.getByRole('button', { name: 'Add address' }).click()
    await page.getByRole('button', { name: 'Save address' }).click()
    await expect(page.getByText('Address is required')).toBeVisible()
    await expectAccessible(page, 'an address with errors')

    const { id, product } = await placeOrder(page)
    await openPage(page, `/purchase/${product._id}`, product.name)
    await page.getByLabel('Quantity', { exact: true }).fill('0')
    await page.getByRole('button', { name: 'Place Order' }).click()
    await expect(page.getByText('Address is required')).toBeVisible()
    await expectAccessible(page, 'a purchase with errors')
    await page.goto('/purchase/none')
    await expect(page.getByRole('heading', { name: 'Product not found' })).toBeVisible()
    await expectAccessible(page, 'a purchase of nothing')

    await page.goto('/dashboard/my-orders')
    for (const name of ['Details', 'Cancel']) {
      await page.getByRole('button', { name }).click()
      await expect(page.getByRole('dialog')).toBeVisible()
      await expectAccessible(page, `the dialog ${name}`)
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toHaveCount(0)
    }
    const broken = await failing(page, '**/api/orders?**')
    await page.reload()
    await waitOutRepeats(page, broken)
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
    await expectAccessible(page, 'orders that could not be loaded')
    await broken.end()

    await page.goto(`/dashboard/payment/${id}`)
    const pay = page.getByRole('button', { name: /^Pay \$/ })
    await fillCard(page, '4000000000000002')
    await pay.click()
    await expect(page.getByText('Your card was declined.')).toBeVisible()
    await expectAccessible(page, 'a payment', { frames: true })
    await fillCard(page, '4242424242424242')
    await pay.click()
    await expect(page.getByText('Payment Successful..!')).toBeVisible()
    await expectAccessible(page, 'a successful payment')
  })

  test('on the orders of an admin', async ({ page, shop }) => {
    await enter(page, 'admin@example.com', shop.password)
    await openPage(page, '/', /motorcycle/i)
    await openPage(page, '/dashboard/manage-orders', 'Manage Orders')
    await page.goto('/dashboard/manage-orders?q=nothing-of-the-kind')
    await expect(page.getByRole('heading', { name: 'No results' })).toBeVisible()
    await expectAccessible(page, 'no orders')
  })
})
