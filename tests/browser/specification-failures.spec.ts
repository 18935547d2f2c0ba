import type { Page } from '@playwright/test'
import { failing, hold, waitOutRepeats } from './specification-steps.ts'
import { enter, enterAsNewRider, fillPurchase, openShopAsNewRider, placeOrder, started } from './steps.ts'
import { expect, test } from './test.ts'

const spinner = (page: Page) => page.getByRole('status').filter({ hasText: 'Loading…' })
const tryAgain = (page: Page) => page.getByRole('button', { name: 'Try again' })
const failure = (page: Page, title: string) =>
  page.getByRole('alert').filter({ has: page.getByRole('heading', { name: title }) })

test('a read that fails is tried again 3 times, then says so, and works when one tries again', async ({
  page,
  expectConsole,
}) => {
  expectConsole(/status of 500|ERR_FAILED/)
  await page.clock.install()
  await enterAsNewRider(page)
  const { id, product } = await placeOrder(page)
  for (const { path, call, title, heading } of [
    {
      path: '/dashboard/my-orders',
      call: '**/api/orders?**',
      title: 'The orders could not be loaded',
      heading: 'My Orders',
    },
    {
      path: `/purchase/${product._id}`,
      call: '**/api/product/*',
      title: 'The product could not be loaded',
      heading: product.name,
    },
    {
      path: `/dashboard/payment/${id}`,
      call: '**/api/order?**',
      title: 'The order could not be loaded',
      heading: `Payment for Order #${id.slice(0, 6)}`,
    },
    {
      path: '/dashboard',
      call: '**/api/user?**',
      title: "We couldn't load your account",
      heading: 'My Profile',
    },
  ]) {
    const broken = await failing(page, call)
    await page.goto(path)
    await expect(spinner(page), path).toBeVisible()
    await waitOutRepeats(page, broken)
    await expect(failure(page, title)).toContainText('Something went wrong on our side. Please try again.')
    expect(await page.evaluate(() => localStorage.getItem('accessToken'))).not.toBeNull()
    await broken.end()
    await tryAgain(page).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading)
    await expect(failure(page, title)).toHaveCount(0)
  }

  const away = await failing(page, '**/api/orders?**', 'away')
  await page.goto('/dashboard/my-orders')
  await waitOutRepeats(page, away)
  await expect(failure(page, 'The orders could not be loaded')).toContainText(
    "We can't reach the shop. Check your connection.",
  )
})

test('a public page that fails is tried again 3 times, then says so, and works when one tries again', async ({
  page,
  expectConsole,
}) => {
  expectConsole(/status of 500|ERR_FAILED|Error/)
  await page.clock.install()
  await page.goto('/blogs')
  await started(page)
  for (const [name, heading] of [
    ['Reviews', 'Reviews'],
    ['Products', 'Products'],
  ] as const) {
    const broken = await failing(page, `**/${name.toLowerCase()}.data*`)
    await page.getByRole('banner').getByRole('link', { name, exact: true }).click()
    await waitOutRepeats(page, broken)
    await expect(failure(page, 'This page could not be loaded')).toBeVisible()
    await broken.end()
    await tryAgain(page).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading)
  }
})

test('while a page is slow there is a spinner; after 120 seconds it is given up', async ({ page }) => {
  await page.clock.install()
  await page.goto('/blogs')
  await started(page)
  const letGo = await hold(page, '**/assets/reviews-*.js')
  await page.getByRole('banner').getByRole('link', { name: 'Reviews' }).click()
  await expect(spinner(page)).toBeVisible()
  const { width, height } = (await spinner(page).boundingBox()) ?? { width: 0, height: 0 }
  expect([width, height]).toEqual([1280, 800 - 64])
  await page.clock.fastForward(110_000)
  await expect(spinner(page)).toBeVisible()
  await page.clock.fastForward(10_000)
  await expect(failure(page, 'This page is taking too long to load')).toBeVisible()
  await tryAgain(page).click()
  letGo()
  await expect(page).toHaveURL(/\/reviews$/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Reviews')
})

test('while a list is slow there is a spinner', async ({ page, shop }) => {
  await enter(page, 'admin@example.com', shop.password)
  await page.goto('/dashboard')
  for (const [name, call] of [
    ['Manage Products', '**/api/products?**'],
    ['Manage Users', '**/api/users?**'],
    ['Manage Orders', '**/api/orders?**'],
  ] as const) {
    const letGo = await hold(page, call)
    await page.getByRole('link', { name, exact: true }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
    await expect(spinner(page), name).toBeVisible()
    await expect(page.getByRole('table')).toHaveCount(0)
    letGo()
    await expect(page.getByRole('table')).toBeVisible()
    await expect(spinner(page)).toHaveCount(0)
  }
})

test('what was read is shown again within 5 minutes, and read anew after them', async ({ page, shop }) => {
  await page.clock.install()
  await enter(page, 'rider@example.com', shop.password)
  await page.goto('/dashboard/my-orders')
  const menu = page.getByRole('navigation', { name: 'Dashboard' })
  const rows = page.getByRole('button', { name: 'Details' })
  await expect(rows).toHaveCount(4)
  await menu.getByRole('link', { name: 'My Profile' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('My Profile')
  await page.clock.fastForward(290_000)
  let letGo = await hold(page, '**/api/orders?**')
  await menu.getByRole('link', { name: 'My Orders' }).click()
  await expect(rows).toHaveCount(4)
  letGo()
  await page.unrouteAll({ behavior: 'wait' })

  await menu.getByRole('link', { name: 'My Profile' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('My Profile')
  await page.clock.fastForward(301_000)
  letGo = await hold(page, '**/api/orders?**')
  await menu.getByRole('link', { name: 'My Orders' }).click()
  await expect(spinner(page)).toBeVisible()
  await expect(rows).toHaveCount(0)
  letGo()
  await expect(rows).toHaveCount(4)
})

test('a write that fails is sent once, keeps what was chosen, and can be sent again', async ({
  page,
  expectConsole,
}) => {
  expectConsole(/status of 500|ERR_FAILED/)
  await page.clock.install()
  await enterAsNewRider(page)
  const { product } = await placeOrder(page)
  await page.goto('/dashboard/my-orders')
  await page.getByRole('button', { name: 'Cancel' }).click()
  const dialog = page.getByRole('dialog')
  const cancelling = await failing(page, '**/api/delete-order?**')
  await dialog.getByRole('button', { name: 'Yes' }).click()
  await expect(dialog.getByRole('alert')).toContainText('Something went wrong on our side')
  await page.clock.fastForward(60_000)
  expect(cancelling.asked()).toBe(1)
  await cancelling.end()
  await dialog.getByRole('button', { name: 'Yes' }).click()
  await expect(page.getByText('Order Canceled Successfully')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'No orders yet' })).toBeVisible()

  await page.goto(`/purchase/${product._id}`)
  await page.getByLabel('Address').fill('14 Kickstand Lane')
  await page.getByText('XL', { exact: true }).click()
  const ordering = await failing(page, '**/api/confirm-purchase', 'away')
  await page.getByRole('button', { name: 'Place Order' }).click()
  await expect(page.getByRole('alert')).toContainText("We can't reach the shop. Check your connection.")
  await page.clock.fastForward(60_000)
  expect(ordering.asked()).toBe(1)
  await expect(page.getByLabel('Address')).toHaveValue('14 Kickstand Lane')
  await expect(page.getByRole('radio', { name: 'XL' })).toBeChecked()
})

test('a purchase that is not acknowledged orders nothing, and tells the price that is', async ({
  page,
  expectConsole,
}) => {
  expectConsole(/status of 409/)
  await enterAsNewRider(page)
  await fillPurchase(page)
  const error = { acknowledged: false, code: 'PRICE_CHANGED', message: 'The price has changed.', amount: 9 }
  await page.route('**/api/confirm-purchase', (route) => route.fulfill({ status: 409, json: error }))
  await page.getByRole('button', { name: 'Place Order' }).click()
  await expect(page.getByRole('alert')).toContainText('No order was placed.')
  await expect(page).toHaveURL(/\/purchase\//)
  await expect(page.getByText('Order Placed successfully')).toHaveCount(0)
  await page.unroute('**/api/confirm-purchase')
  await page.getByRole('button', { name: 'Order at the new price' }).click()
  await expect(page.getByText('Order Placed successfully')).toBeVisible()
})

test('where the shop cannot be told of the Logout, one is signed out here and told so', async ({
  page,
  expectConsole,
}) => {
  expectConsole(/ERR_FAILED/)
  await openShopAsNewRider(page)
  await failing(page, '**/api/v1/sign-out', 'away')
  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page.getByText('You are logged out in this browser')).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('accessToken'))).toBeNull()
})
