import type { Page } from '@playwright/test'
import { failing, hold, waitOutRepeats } from './specification-steps.ts'
import { enter, enterAsNewRider, placeOrder, started } from './steps.ts'
import { expect, test } from './test.ts'

const spinner = (page: Page) => page.getByRole('status').filter({ hasText: 'Loading…' })
const tryAgain = (page: Page) => page.getByRole('button', { name: 'Try again' })
const failure = (page: Page, title: string) =>
  page.getByRole('alert').filter({ has: page.getByRole('heading', { name: title }) })

test('a failed read is retried 3 times, then shows an error, and Try again loads it', async ({
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

test('a public page that loads slowly or fails can be tried again', async ({ page, expectConsole }) => {
  expectConsole(/status of 500|ERR_FAILED|Error/)
  await page.clock.install()
  await page.goto('/blogs')
  await started(page)
  const open = (name: string) => page.getByRole('banner').getByRole('link', { name, exact: true }).click()

  await test.step('a failed public page is retried 3 times, then shows an error, and Try again loads it', async () => {
    const broken = await failing(page, '**/products.data*')
    await open('Products')
    await waitOutRepeats(page, broken)
    await expect(failure(page, 'This page could not be loaded')).toBeVisible()
    await broken.end()
    await tryAgain(page).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Products')
  })

  await test.step('a slow page shows a spinner, and an error after 120 seconds', async () => {
    const release = await hold(page, '**/assets/reviews-*.js')
    await open('Reviews')
    await expect(spinner(page)).toBeVisible()
    const { width, height } = (await spinner(page).boundingBox()) ?? { width: 0, height: 0 }
    expect([width, height]).toEqual([1280, 800 - 64])
    // The clock also runs on its own, so each step stays a minute from the limit.
    await page.clock.fastForward(60_000)
    await expect(spinner(page)).toBeVisible()
    await page.clock.fastForward(60_000)
    await expect(failure(page, 'This page is taking too long to load')).toBeVisible()
    await tryAgain(page).click()
    release()
    await expect(page).toHaveURL(/\/reviews$/)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Reviews')
  })
})

test('a slow list shows a spinner', async ({ page, shop }) => {
  await enter(page, 'admin@example.com', shop.password)
  await page.goto('/dashboard')
  for (const [name, call] of [
    ['Manage Products', '**/api/v1/products?**'],
    ['Manage Users', '**/api/users?**'],
    ['Manage Orders', '**/api/v1/orders?**'],
  ] as const) {
    const release = await hold(page, call)
    await page.getByRole('link', { name, exact: true }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
    await expect(spinner(page), name).toBeVisible()
    await expect(page.getByRole('cell')).toHaveCount(0)
    release()
    await expect(page.getByRole('cell').first()).toBeVisible()
    await expect(spinner(page)).toHaveCount(0)
  }
})

test('data are shown from the cache for 5 minutes, and read again later', async ({ page, shop }) => {
  await page.clock.install()
  await enter(page, 'rider@example.com', shop.password)
  await page.goto('/dashboard/my-orders')
  const menu = page.getByRole('navigation', { name: 'Dashboard' })
  const rows = page.getByRole('button', { name: 'Details' })
  await expect(rows).toHaveCount(4)
  await menu.getByRole('link', { name: 'My Profile' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('My Profile')
  // The clock also runs on its own, so this stays a minute from the limit.
  await page.clock.fastForward(240_000)
  let release = await hold(page, '**/api/orders?**')
  await menu.getByRole('link', { name: 'My Orders' }).click()
  await expect(rows).toHaveCount(4)
  release()
  await page.unrouteAll({ behavior: 'wait' })

  await menu.getByRole('link', { name: 'My Profile' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('My Profile')
  await page.clock.fastForward(301_000)
  release = await hold(page, '**/api/orders?**')
  await menu.getByRole('link', { name: 'My Orders' }).click()
  await expect(spinner(page)).toBeVisible()
  await expect(rows).toHaveCount(0)
  release()
  await expect(rows).toHaveCount(4)
})
