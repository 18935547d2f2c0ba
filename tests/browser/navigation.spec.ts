import type { Page } from '@playwright/test'
import type { Product } from '../../contract/catalog.ts'
import { signInAsAdmin } from './admin-steps.ts'
import { hold } from './specification-steps.ts'
import { enterAsNewRider, password, serveMap, started } from './steps.ts'
import { expect, test } from './test.ts'

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 })
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).first()
const scrolled = (page: Page) => page.evaluate(() => Math.round(window.scrollY))

/** Records the paths of documents requested from now on. */
function documents(page: Page): string[] {
  const paths: string[] = []
  page.on('request', (request) => {
    const isDocument = request.isNavigationRequest() && request.frame() === page.mainFrame()
    if (isDocument) paths.push(new URL(request.url()).pathname)
  })
  return paths
}

test('navigation stays within one document', async ({ page }) => {
  await page.goto('/')
  await started(page)
  const loaded = documents(page)

  await test.step('each page has its own title, and its main content gets the focus', async () => {
    await link(page, 'Products').click()
    await expect(heading(page, 'Products')).toBeVisible()
    await expect(page).toHaveTitle('Products · Torque Yard')
    await expect(page.locator('main')).toBeFocused()
    await link(page, 'Blogs').click()
    await expect(page).toHaveTitle('Blogs · Torque Yard')
    await page.goBack()
    await expect(heading(page, 'Products')).toBeVisible()
    await expect(page).toHaveTitle('Products · Torque Yard')
    await serveMap(page)
    await link(page, 'Contact Us').click()
    await expect(heading(page, 'Contact Us')).toBeVisible()
  })

  await test.step('a navigation that is superseded by the next one never shows its page', async () => {
    const release = await hold(page, '**/assets/reviews-*.js')
    const asked = page.waitForRequest('**/assets/reviews-*.js')
    await link(page, 'Reviews').click()
    const chunk = (await asked).url()
    await link(page, 'Blogs').click()
    await expect(heading(page, 'Blogs')).toBeVisible()
    release()
    // Earlier imports of this chunk resolve before this one.
    await page.evaluate((url) => import(url), chunk)
    await expect(page).toHaveURL(/\/blogs$/)
    expect(await heading(page, 'Blogs').isVisible()).toBe(true)
  })

  await test.step('after Stop of the browser the old page is not covered', async () => {
    const release = await hold(page, '**/reviews.data')
    await link(page, 'Reviews').click()
    await expect(page.locator('[data-loading]')).toHaveCount(1)
    await page.evaluate(() => window.stop())
    await expect(page.locator('[data-loading]')).toHaveCount(0)
    await expect(heading(page, 'Blogs')).toBeVisible()
    release()
  })

  await test.step('the data of the next page contain the settings of the shop, which stay on pages without data', async () => {
    await expect(page.locator('#bike')).toBeVisible()
    await page.route('**/reviews.data', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), settings: { hasBikes: false } } })
    })
    for (const [name, title] of [
      ['Reviews', 'Reviews'],
      ['Cart', 'Your cart'],
    ] as const) {
      await link(page, name).click()
      await expect(heading(page, title)).toBeVisible()
      await expect(page.locator('#bike')).toHaveCount(0)
    }
  })
  expect(loaded).toEqual([])
})

test('a filter keeps the scroll position, a new page starts at the top, and back restores the position', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 500 })
  await page.goto('/products')
  await started(page)
  const next = link(page, 'Next')
  await next.scrollIntoViewIfNeeded()
  const left = await scrolled(page)
  expect(left).toBeGreaterThan(500)
  await next.press('Enter')
  await expect(page).toHaveTitle('Products, page 2 · Torque Yard')
  await expect.poll(() => scrolled(page)).toBe(0)
  // The link is below the screen now.
  await expect(page.getByRole('main')).toBeFocused()
  await page.goBack()
  await expect(page).toHaveTitle('Products · Torque Yard')
  await expect.poll(() => scrolled(page)).toBe(left)

  const reviews = await (await page.request.get('/reviews')).text()
  const [, last] = /.* id="(review-\w+)"/s.exec(reviews) ?? []
  // Without scrolling to the link.
  await link(page, 'Reviews').evaluate((element: HTMLAnchorElement, id) => {
    element.hash = id
    element.click()
  }, `${last}`)
  await expect(heading(page, 'Reviews')).toBeVisible()
  await expect(page.locator(`#${last}`)).toBeInViewport()
  expect(await scrolled(page)).toBeGreaterThan(0)
  await page.goBack()
  await expect.poll(() => scrolled(page)).toBe(left)

  await page.evaluate(() => window.scrollTo(0, 150))
  await page.getByRole('complementary', { name: 'Filters' }).getByRole('link').first().click()
  await expect(page).toHaveURL(/\?/)
  await expect(page.getByRole('list', { name: 'Active filters' })).toBeVisible()
  expect(await scrolled(page)).toBe(150)
})

test('back shows the right page before the scripts of a reloaded document have run', async ({ page }) => {
  await page.goto('/products')
  await started(page)
  await link(page, 'Next').click()
  await expect(page).toHaveTitle('Products, page 2 · Torque Yard')
  const release = await hold(page, '**/assets/entry.client-*.js')
  await page.reload({ waitUntil: 'commit' })
  // The document is parsed, and its module scripts are still missing.
  await page.waitForFunction(() => document.readyState === 'interactive')
  await page.evaluate(() => history.back())
  await expect(page).toHaveTitle('Products · Torque Yard')
  release()
  await started(page)
  await expect(page).toHaveURL(/\/products$/)
})

/** As before Safari 26.2 and Firefox 147. Safari 16 has no `URLSearchParams.size` either. */
const removeNavigationApi = (page: Page) =>
  page.addInitScript(() => {
    Reflect.deleteProperty(window, 'navigation')
    Reflect.deleteProperty(URLSearchParams.prototype, 'size')
  })

test('the shop works in a browser without the Navigation API', async ({ page }) => {
  await removeNavigationApi(page)

  await test.step('a link loads a document, and a search still follows the typed text', async () => {
    await page.goto('/')
    await started(page)
    const loaded = documents(page)
    await link(page, 'Products').click()
    await expect(heading(page, 'Products')).toBeVisible()
    await started(page)
    expect(loaded).toEqual(['/products'])
    const box = page.getByRole('searchbox', { name: 'Search products' })
    await box.pressSequentially('helmet')
    await expect(page.getByRole('main').getByRole('status')).toHaveText(/results for “helmet”$/)
    await expect(box).toHaveValue('helmet')
    await page.goBack()
    await expect(page.getByRole('main').getByRole('status')).toHaveText(/products$/)
    expect(loaded).toEqual(['/products'])
  })

  await test.step('a page that a script opens starts at the top, and a filter keeps the scroll position', async () => {
    await page.setViewportSize({ width: 1280, height: 300 })
    await page.goto('/login')
    await started(page)
    const signUp = page.getByRole('main').getByRole('link', { name: 'Sign Up' })
    await signUp.scrollIntoViewIfNeeded()
    expect(await scrolled(page)).toBeGreaterThan(50)
    await signUp.click()
    await expect(heading(page, 'Sign Up')).toBeVisible()
    await expect.poll(() => scrolled(page)).toBe(0)

    await page.setViewportSize({ width: 1280, height: 500 })
    await page.goto('/products')
    await started(page)
    await page.evaluate(() => window.scrollTo(0, 150))
    await page.getByRole('complementary', { name: 'Filters' }).getByRole('link').first().click()
    await expect(page.getByRole('list', { name: 'Active filters' })).toBeVisible()
    expect(await scrolled(page)).toBe(150)
  })

  await test.step('Buy Now has the typed quantity', async () => {
    const products = await page.request.get('/api/products?pageSize=50')
    const found = ((await products.json()) as Product[]).find(
      ({ options, quantity, minimum }) => options !== 'variants' && quantity > minimum,
    )
    await page.goto(`/product/${found?._id}`)
    await started(page)
    await page.getByLabel('Quantity').fill(`${found?.quantity}`)
    const buy = page.getByRole('link', { name: 'Buy Now' }).first()
    await expect(buy).toHaveAttribute('href', `/purchase/${found?._id}?quantity=${found?.quantity}`)
  })

  await test.step('a guard redirects to the login page, which returns to the requested page', async () => {
    const email = await enterAsNewRider(page)
    await page.evaluate(() => localStorage.clear())
    await page.goto('/dashboard/my-orders')
    await expect(page).toHaveURL(/\/login$/)
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Login', exact: true }).click()
    await expect(page).toHaveURL(/\/dashboard\/my-orders$/)
    await expect(heading(page, 'My Orders')).toBeVisible()
  })
})

test('a link of a page with unsaved input asks first without the Navigation API as well', async ({
  page,
  shop,
}) => {
  await removeNavigationApi(page)
  const asked: string[] = []
  page.on('dialog', (dialog) => {
    asked.push(dialog.type())
    void dialog.accept()
  })
  await signInAsAdmin(page, shop)
  await page.goto('/dashboard/add-product')
  await started(page)
  const name = page.getByLabel('Name', { exact: true })
  const question = page.getByRole('dialog', { name: 'Leave without saving?' })
  await name.fill('Brake pads')
  await link(page, 'Manage Orders').click()
  await question.getByRole('button', { name: 'Stay' }).click()
  await expect(page).toHaveURL(/\/add-product$/)
  await expect(name).toHaveValue('Brake pads')
  const opened = page.context().waitForEvent('page')
  await link(page, 'Manage Orders').click({ modifiers: ['Shift'] })
  await (await opened).close()
  await expect(question).toHaveCount(0)
  await link(page, 'Manage Orders').click()
  await question.getByRole('button', { name: 'Leave' }).click()
  await expect(heading(page, 'Manage Orders')).toBeVisible()
  // The browser does not ask a second time.
  expect(asked).toEqual([])
})
