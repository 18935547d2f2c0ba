import type { Page } from '@playwright/test'
import { expect, test } from './direct-shop.ts'
import { hold } from './specification-steps.ts'
import { enterAsNewRider, started } from './steps.ts'

test.beforeEach(async ({ expectConsole, server }) => {
  expectConsole(/Failed to load resource|dynamically imported module/)
  await server.reopen()
})

const navbar = (page: Page) => page.getByRole('banner')
const unreachable = (page: Page) => page.getByRole('alert').filter({ hasText: "We can't reach the shop" })

/** Expects that the visitor is still in the shop, at the URL of the link, and can try again. */
async function expectUnreachable(page: Page, path: string | RegExp): Promise<void> {
  await expect(page).toHaveURL(path)
  await expect(unreachable(page)).toBeInViewport()
  await expect(unreachable(page).getByText('Try again')).toBeVisible()
  await expect(navbar(page)).toBeVisible()
  await expect(page.getByRole('contentinfo')).toBeVisible()
}

test('when the server is stopped, every link, back and forward stay in the shop, which recovers automatically', async ({
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
  await expectUnreachable(page, '/contact-us')
  await server.reopen()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Contact Us')
  await expect(unreachable(page)).toBeHidden()
})

test('when the server is stopped, the links of a product card and of a product stay in the shop', async ({
  page,
  server,
}) => {
  await page.goto('/products?kind=Brake+pads')
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
  ['before hydration', (page: Page) => hold(page, '**/assets/entry.client-*.js')],
  [
    'in a browser without the Navigation API',
    (page: Page) => page.addInitScript(() => void Reflect.deleteProperty(window, 'navigation')),
  ],
] as const) {
  test(`a link that is clicked ${when} is followed when the server responds again`, async ({
    page,
    server,
  }) => {
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

test('when the server is stopped, a page whose code is loaded shows an error, and loads its list automatically later', async ({
  page,
  server,
}) => {
  await page.clock.install()
  await enterAsNewRider(page)
  await page.goto('/dashboard')
  await started(page)
  const link = page.getByRole('link', { name: 'My Orders', exact: true })
  const code = page.waitForResponse(/assets\/my-orders-/)
  await link.hover()
  await page.evaluate((url) => import(url), (await code).url())
  await server.close()
  await link.click()
  const failure = page.getByRole('alert').filter({ hasText: 'The orders could not be loaded' })
  // Fast-forward through the retries after 1, 2 and 4 s.
  const forward = async () => {
    await page.clock.fastForward(4000)
    return failure.count()
  }
  await expect.poll(forward, { intervals: [200] }).toBe(1)
  await expect(failure).toBeVisible()
  await expect(failure.getByRole('button', { name: 'Try again' })).toBeVisible()
  await server.reopen()
  await expect.poll(forward, { intervals: [200] }).toBe(0)
  await expect(page.getByRole('main')).toContainText('No orders yet')
})
