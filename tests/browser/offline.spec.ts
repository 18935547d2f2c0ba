import type { Page } from '@playwright/test'
import { freePort } from '../free-port.ts'
import { openTcpProxy, type TcpProxy } from '../tcp-proxy.ts'
import { startShop } from './running-shop.ts'
import { hold } from './specification-steps.ts'
import { enterAsNewRider, started } from './steps.ts'
import { test as base, expect } from './test.ts'

/** The shop is behind a proxy: when that is closed, every connection is refused, as by a stopped server. */
const test = base.extend<object, { server: TcpProxy; port: number }>({
  port: [({}, use) => freePort().then(use), { scope: 'worker' }],
  server: [
    async ({ port }, use) => {
      const server = await openTcpProxy({ host: '127.0.0.1', port })
      await use(server)
      await server.close()
    },
    { scope: 'worker' },
  ],
  shop: [
    async ({ port, server }, use) => {
      const origin = `http://localhost:${server.port}`
      const shop = await startShop({ PORT: String(port), PUBLIC_URL: origin })
      await use({ ...shop, origin })
      await shop.stop()
    },
    { scope: 'worker' },
  ],
})

test.beforeEach(async ({ expectConsole, server }) => {
  expectConsole(/Failed to load resource|dynamically imported module/)
  await server.reopen()
})

const navbar = (page: Page) => page.getByRole('banner')
const unreachable = (page: Page) => page.getByRole('alert').filter({ hasText: "We can't reach the shop" })

/** The visitor is still in the shop, at the address of the link, and can try again. */
async function expectUnreachable(page: Page, path: string | RegExp): Promise<void> {
  await expect(page).toHaveURL(path)
  await expect(unreachable(page)).toBeInViewport()
  await expect(unreachable(page).getByText('Try again')).toBeVisible()
  await expect(navbar(page)).toBeVisible()
  await expect(page.getByRole('contentinfo')).toBeVisible()
}

test('with the server stopped every link, back and forward stay in the shop, which recovers by itself', async ({
  page,
  server,
}) => {
  await page.goto('/')
  await started(page)
  await server.close()
  await page.getByRole('main').getByRole('link', { name: 'See All' }).click()
  await expectUnreachable(page, '/reviews')
  for (const [name, path] of [
    ['Products', '/products'],
    ['Dashboard', '/dashboard'],
    ['Blogs', '/blogs'],
    ['Contact Us', '/contact-us'],
    ['Torque Yard', '/'],
  ] as const) {
    await navbar(page).getByRole('link', { name, exact: true }).click()
    await expectUnreachable(page, path)
  }
  await navbar(page).getByRole('button', { name: 'Account' }).click()
  await page.getByRole('link', { name: 'Login' }).click()
  await expectUnreachable(page, '/login')
  await page.goBack()
  await expectUnreachable(page, '/')
  await page.goBack()
  await expectUnreachable(page, '/contact-us')
  await page.goForward()
  await expectUnreachable(page, '/')
  await unreachable(page).getByText('Try again').click()
  await expectUnreachable(page, '/')
  await page.goBack()
  await server.reopen()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Contact Us')
  await expect(unreachable(page)).toBeHidden()
})

test('the links of a product card and of a product stay in the shop as well', async ({ page, server }) => {
  await page.goto('/products')
  await started(page)
  const card = page.getByRole('main').getByRole('article').first()
  const name = await card.getByRole('heading').innerText()
  await server.close()
  await card.getByRole('link', { name }).click()
  await expectUnreachable(page, /\/product\//)
  await server.reopen()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
  await started(page)
  await server.close()
  await page.getByRole('link', { name: 'Buy Now' }).first().click()
  await expectUnreachable(page, /\/purchase\//)
  await page.goBack()
  await expect(page).toHaveURL(/\/product\//)
  await expect(navbar(page)).toBeVisible()
})

for (const [when, prepare] of [
  ['before the application has started', (page: Page) => hold(page, '**/assets/entry.client-*.js')],
  [
    'in a browser without the Navigation API',
    (page: Page) => page.addInitScript(() => void Reflect.deleteProperty(window, 'navigation')),
  ],
] as const) {
  test(`a link that is clicked ${when} is followed once the server responds`, async ({ page, server }) => {
    await prepare(page)
    await page.goto('/', { waitUntil: 'commit' })
    await expect(page.getByRole('contentinfo')).toBeVisible()
    if (!when.startsWith('before')) await started(page)
    await server.close()
    await page.getByRole('link', { name: 'See All' }).click()
    await expectUnreachable(page, '/')
    await unreachable(page).getByRole('link', { name: 'Try again' }).click()
    await expectUnreachable(page, '/')
    await page.unrouteAll()
    await server.reopen()
    await expect(page).toHaveURL('/reviews')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Reviews')
  })
}

test('a list of an own page whose code is loaded already says so, and is read again by itself', async ({
  page,
  server,
}) => {
  await enterAsNewRider(page)
  await page.goto('/dashboard')
  const link = page.getByRole('link', { name: 'My Orders', exact: true })
  const code = page.waitForResponse(/assets\/my-orders-/)
  await link.hover()
  await page.evaluate((url) => import(url), (await code).url())
  await server.close()
  await link.click()
  const failure = page.getByRole('alert').filter({ hasText: 'The orders could not be loaded' })
  await expect(failure).toBeVisible({ timeout: 15_000 })
  await expect(failure.getByRole('button', { name: 'Try again' })).toBeVisible()
  await server.reopen()
  await expect(failure).toBeHidden()
  await expect(page.getByRole('main')).toContainText('No orders yet')
})
