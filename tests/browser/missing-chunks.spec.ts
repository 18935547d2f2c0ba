import type { Page } from '@playwright/test'
import { signInAsAdmin } from './admin-steps.ts'
import { enterAsNewRider, pauseToasts, started } from './steps.ts'
import { expect, test } from './test.ts'

/** Responds with 404 for one chunk, as after a deploy. */
async function lose(page: Page, part: string): Promise<void> {
  await page.route(`**/assets/${part}-*.js`, (route) => route.fulfill({ status: 404 }))
}

const failure = (page: Page) =>
  page.getByText('Something went wrong on this page. Check your connection and reload the page.')
const hydrationFailed = 'This page did not load completely'
const tryAgain = (page: Page) => page.getByRole('link', { name: 'Try again' })

test.beforeEach(({ expectConsole }) => {
  expectConsole(/status of 404|Error loading route module|dynamically imported module|ERR_ABORTED/)
})

test('a page without one of its chunks shows an error, and starts when the chunk is back', async ({
  page,
}) => {
  await enterAsNewRider(page)
  for (const part of ['my-orders', 'entry.client', 'framework']) {
    await lose(page, part)
    await page.goto('/dashboard/my-orders')
    await expect(page.getByRole('alert'), part).toContainText(hydrationFailed)
    await expect(page.getByText('Loading…')).toBeHidden()

    await page.unrouteAll()
    await tryAgain(page).click()
    await expect(page.getByRole('heading', { name: 'My Orders' })).toBeVisible()
    await expect(page.getByText(hydrationFailed)).toBeHidden()
  }
})

test('a chunk that never arrives shows an error after two minutes', async ({ page }) => {
  await page.clock.install()
  await page.route('**/assets/entry.client-*.js', () => {})
  await page.goto('/products', { waitUntil: 'commit' })
  await expect(page.getByRole('heading', { name: 'Products' })).toBeVisible()
  // The clock also runs on its own, so each step stays a minute from the limit.
  await page.clock.fastForward(60_000)
  await expect(page.getByText(hydrationFailed)).toBeHidden()
  await page.clock.fastForward(60_000)
  await expect(page.getByText(hydrationFailed)).toBeVisible()
})

test('a link to a page whose chunk was replaced loads the document of that page', async ({ page }) => {
  await page.goto('/')
  await started(page)
  let lost = 0
  await page.route('**/assets/reviews-*.js', (route) =>
    lost++ < 1 ? route.fulfill({ status: 404 }) : route.continue(),
  )
  await page.getByRole('link', { name: 'See All' }).click()
  await expect(page).toHaveURL(/\/reviews$/)
  await expect(page.getByRole('heading', { name: 'Reviews', level: 1 })).toBeVisible()
  await expect(page.getByText(hydrationFailed)).toBeHidden()
  expect(lost).toBeGreaterThan(0)
})

test('a link to a page whose data come from another version loads the document of that page', async ({
  page,
}) => {
  await page.goto('/')
  await started(page)
  let documents = 0
  page.on('request', (request) => void (documents += request.isNavigationRequest() ? 1 : 0))
  await page.route('**/reviews.data', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, headers: { ...response.headers(), 'shop-entry': '/assets/newer.js' } })
  })
  await page.getByRole('link', { name: 'See All' }).click()
  await expect(page).toHaveURL(/\/reviews$/)
  await expect(page.getByRole('heading', { name: 'Reviews', level: 1 })).toBeVisible()
  await expect.poll(() => documents).toBe(1)
})

test('hover and keyboard focus of a link load the chunks of its page, and nothing else', async ({ page }) => {
  await page.goto('/')
  await started(page)
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  const toChunkName = (name: string) => new RegExp(`^/assets/${name}-.*\\.js$`)
  await page.getByRole('link', { name: 'See All' }).hover()
  await expect.poll(() => asked).toContainEqual(expect.stringMatching(toChunkName('reviews')))
  await page.getByRole('link', { name: 'Blogs', exact: true }).focus()
  await expect.poll(() => asked).toContainEqual(expect.stringMatching(toChunkName('blogs')))
  await page.getByRole('link', { name: 'See All' }).hover()
  expect(asked.filter((path) => !path.startsWith('/assets/'))).toEqual([])
  expect(new Set(asked).size).toBe(asked.length)
})

test('hover of a link to a page whose chunk was replaced reloads nothing and keeps the input', async ({
  page,
}) => {
  await enterAsNewRider(page)
  await page.goto('/dashboard/add-review')
  await page.getByLabel('Review', { exact: true }).fill('Fits like a glove.')
  await page.route('**/assets/*.js', (route) => route.fulfill({ status: 404 }))
  for (const [name, chunk] of [
    ['Products', 'products'],
    ['My Profile', 'my-profile'],
    ['My Orders', 'my-orders'],
    ['Blogs', 'blogs'],
  ] as const) {
    const refused = page.waitForResponse(new RegExp(`/assets/${chunk}-`))
    await page.getByRole('link', { name, exact: true }).first().hover()
    await page.getByRole('link', { name, exact: true }).first().focus()
    await refused
  }
  await expect(page.getByLabel('Review', { exact: true })).toHaveValue('Fits like a glove.')
})

test('a dialog whose chunk is missing shows an error, and its button can be pressed again', async ({
  page,
  shop,
}) => {
  await signInAsAdmin(page, shop)
  await page.goto('/dashboard/manage-orders?q=mer-d00023')
  await page
    .getByRole('row', { name: /and \d more/ })
    .getByRole('button', { name: 'Details' })
    .click()
  const refund = page.getByRole('button', { name: 'Refund', exact: true })
  await lose(page, 'refund-dialog')
  await refund.click()
  const message = failure(page)
  await expect(message).toBeVisible()
  await pauseToasts(page)
  await expect(refund).toBeEnabled()

  // Elements outside a modal dialog cannot be clicked.
  const closeToast = page.getByRole('button', { name: 'close', exact: true })
  await closeToast.click()
  await expect(message).toHaveCount(0)
  await refund.click()
  await expect(message).toBeVisible()
  await pauseToasts(page)
  await page.keyboard.press('Escape')
  await expect(refund).toHaveCount(0)
  await closeToast.click()
  await expect(message).toHaveCount(0)
})

test('a guard whose target page cannot be loaded does not reload forever', async ({ page }) => {
  await lose(page, 'login')
  await page.goto('/dashboard/my-orders')
  await expect(page).toHaveURL(/\/login$/)
  // The page may reload once more after the alert appears. Check the last document.
  await page.waitForLoadState('networkidle')
  await expect(page.getByRole('alert')).toContainText(hydrationFailed)
  await page.unrouteAll()
  await tryAgain(page).click()
  await expect(page.getByRole('button', { name: 'Login', exact: true })).toBeEnabled()
})

test('a public page works without the chunk that reads the session', async ({ page }) => {
  await enterAsNewRider(page)
  await lose(page, 'session-actions')
  const errors: Error[] = []
  page.on('pageerror', (error) => errors.push(error))
  const refused = page.waitForResponse(/session-actions/)
  await page.goto('/')
  await refused
  await page.getByRole('button', { name: 'Account' }).click()
  await expect(page.getByRole('link', { name: 'Login' })).toBeVisible()
  expect(errors).toEqual([])
})

test('a cart and a checkout without their chunks ask for a reload, which is enough', async ({ page }) => {
  const failed = failure(page)
  await page.goto('/products?kind=Brake+pads')
  const path = await page.getByRole('main').locator('a[href^="/product/"]').first().getAttribute('href')
  await page.goto(path ?? '')
  await started(page)
  await lose(page, 'cart')
  const add = page.getByRole('button', { name: 'Add to cart' })
  await add.click()
  await expect(failed).toBeVisible()
  await page.unrouteAll()
  await page.reload()
  await started(page)
  await add.click()
  await expect(page.getByText('Added to cart.')).toBeVisible()

  await lose(page, 'delivery-schema')
  await page.goto('/checkout')
  await page.getByRole('button', { name: 'Place Order' }).click()
  await expect(failed).toBeVisible()
})

test('the text of a toast is shown if the toasts cannot be loaded', async ({ page }) => {
  await enterAsNewRider(page)
  await lose(page, 'toast-host')
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Edit Profile' }).click()
  await page.getByLabel('Bio').fill('Rides in all weathers.')
  await page.getByRole('button', { name: 'Update' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Profile Successfully Updated' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'My Profile' })).toBeVisible()
  await page.getByRole('button', { name: 'close', exact: true }).click()
  await expect(page.getByText('Profile Successfully Updated')).toHaveCount(0)
})
