import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext, Route } from '@playwright/test'
import { pino } from 'pino'
import { openSandboxListener } from '../../sandboxes/stripe/listener.ts'
import { openPaymentSandbox } from '../../sandboxes/stripe/sandbox.ts'
import { openEmbeddedPostgres } from '../../server/platform/embedded-postgres/embedded-postgres.ts'
import { copyDatabase } from '../copied-data.ts'
import { freePort } from '../free-port.ts'
import { startShop } from './running-shop.ts'
import { enterAsNewRider, fillCard, placeOrder } from './steps.ts'
import { test as base, expect } from './test.ts'

interface StripeMock {
  /** Where requests for api.stripe.com go instead. */
  api: string
  databaseUrl: string
  /** The secret of the shop whose database was copied. */
  secret: string
  /** Where the shop must listen for the webhooks. */
  port: string
}

const keys = {
  STRIPE_SECRET_KEY: 'sk_test_shop',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_shop',
  STRIPE_WEBHOOK_SECRET: 'whsec_shop',
}

/** The shop in production, with keys and its own database. The sandbox is behind Stripe's hosts. */
const test = base.extend<object, { stripe: StripeMock }>({
  stripe: [
    async ({}, use) => {
      const dataDir = mkdtempSync(join(tmpdir(), 'shop-stripe-'))
      const demo = process.env.DEMO_DATA ?? ''
      copyDatabase(realpathSync(join(demo, 'postgres')), dataDir)
      const postgres = await openEmbeddedPostgres({ dataDir, database: 'shop', durable: false })
      const port = String(await freePort())
      const sandbox = openPaymentSandbox({
        databaseUrl: postgres.url,
        secretKey: keys.STRIPE_SECRET_KEY,
        publishableKey: keys.STRIPE_PUBLISHABLE_KEY,
        webhook: {
          url: `http://localhost:${port}/api/v1/payments/webhook`,
          secret: keys.STRIPE_WEBHOOK_SECRET,
        },
        log: pino({ level: 'silent' }),
      })
      const listener = await openSandboxListener(sandbox)
      const api = `${listener.protocol}://${listener.host}:${listener.port}`
      await use({
        api,
        databaseUrl: postgres.url,
        secret: readFileSync(join(demo, 'secret'), 'utf8').trim(),
        port,
      })
      await listener.close()
      await sandbox.close()
      await postgres.stop()
      for (const folder of [postgres.folder, dataDir]) rmSync(folder, { recursive: true, force: true })
    },
    { scope: 'worker' },
  ],
  shop: [
    async ({ stripe }, use) => {
      const shop = await startShop({
        ...keys,
        PORT: stripe.port,
        NODE_ENV: 'production',
        DEMO: '1',
        DATABASE_URL: stripe.databaseUrl,
        SHOP_SECRET: stripe.secret,
        STRIPE_API_URL: stripe.api,
      })
      await use(shop)
      await shop.stop()
    },
    { scope: 'worker' },
  ],
  // Headers of our own would not pass Stripe's hosts.
  extraHTTPHeaders: undefined,
})

/** Sends what the page asks of Stripe's hosts to the sandbox. */
async function mockStripe(context: BrowserContext, api: string): Promise<string[]> {
  const scripts: string[] = []
  await context.route('https://js.stripe.com/**', async (route) => {
    const name = new URL(route.request().url()).pathname.split('/').at(-1) ?? ''
    if (name === 'stripe.js') scripts.push(route.request().url())
    const contentType = {
      js: 'text/javascript',
      css: 'text/css',
      html: 'text/html',
      json: 'application/json',
    }[name.split('.').at(-1) ?? '']
    const file = new URL(`../../sandboxes/stripe/browser/${name}`, import.meta.url)
    await route.fulfill({ contentType, body: await readFile(file) })
  })
  await context.route('https://api.stripe.com/**', (route) => forward(route, api))
  return scripts
}

async function forward(route: Route, api: string): Promise<void> {
  const request = route.request()
  const { pathname, search } = new URL(request.url())
  const response = await fetch(`${api}${pathname}${search}`, {
    method: request.method(),
    headers: {
      authorization: request.headers().authorization ?? '',
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: request.postData() ?? undefined,
  })
  await route.fulfill({
    status: response.status,
    headers: { 'access-control-allow-origin': '*', 'content-type': 'application/json' },
    body: await response.text(),
  })
}

test('a shop in production takes cards with the keys of its owner', async ({
  page,
  context,
  stripe,
  shop,
  openOther,
  expectConsole,
}) => {
  expectConsole(/Stripe\.js not available/)
  await enterAsNewRider(page)

  await test.step("with keys, the same bundle loads Stripe's own script and takes a card", async () => {
    const scripts = await mockStripe(context, stripe.api)
    const { id } = await placeOrder(page)
    await page.goto(`/dashboard/payment/${id}`)
    const pay = page.getByRole('button', { name: /^Pay \$/ })
    await expect(pay).toBeEnabled()
    expect(scripts).toEqual([expect.stringMatching(/^https:\/\/js\.stripe\.com\/\w+\/stripe\.js$/)])
    await expect(page.getByText('TEST MODE')).toHaveCount(0)
    const urls = () => page.frames().map((frame) => frame.url())
    await expect.poll(urls).toContainEqual(expect.stringMatching(/^https:\/\/js\.stripe\.com\//))

    await fillCard(page, '4242424242424242')
    await pay.click()
    await expect(page.getByText(/Trx\. Id pi_\w+/)).toBeVisible()
    await page.goto('/dashboard/my-orders')
    await expect(page.getByRole('row').filter({ hasText: 'Paid' })).toBeVisible()
  })

  await test.step("a response of Stripe's host without the script is logged", async () => {
    await context.route('https://js.stripe.com/**', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: '' }),
    )
    const { id } = await placeOrder(page)
    const logged = page.waitForEvent('console', (message) => message.text() === 'Stripe.js not available')
    await page.goto(`/dashboard/payment/${id}`)
    await logged
    await expect(page.getByText('The payment provider is not responding.')).toBeVisible()
  })

  await test.step('in production there is no sandbox to sign in or pay with', async () => {
    for (const path of ['/sandbox/payments/stripe.js', '/sandbox/google/authorize']) {
      expect((await fetch(`${shop.origin}${path}`)).status).toBe(404)
    }
    const visitor = await openOther()
    await visitor.goto('/login')
    await expect(visitor.getByRole('button', { name: 'Login', exact: true })).toBeVisible()
    await expect(visitor.getByRole('button', { name: /Google/ })).toHaveCount(0)
  })
})
