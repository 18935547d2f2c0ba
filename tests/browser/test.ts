import { randomInt } from 'node:crypto'
import {
  type BrowserContext,
  type BrowserContextOptions,
  test as base,
  expect,
  type Page,
} from '@playwright/test'
import { signInAsAdmin } from './admin-steps.ts'
import { type RunningShop, startShop } from './running-shop.ts'

interface TestFixtures {
  /** Allows console messages of a failure that the test causes on purpose. */
  expectConsole: (message: RegExp) => void
  /** Fails on unexpected console messages of this page, as for `page`. */
  watch: (page: Page) => void
  /** Opens the shop in another person's browser, with the same checks. `options` extend the test's options. */
  openOther: (options?: BrowserContextOptions) => Promise<Page>
  /** A page in another browser, signed in as the demo admin. */
  admin: Page
}

interface WorkerFixtures {
  shop: RunningShop
}

/**
 * Runs tests against the built shop. Unexpected console messages fail a test.
 */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  shop: [
    async ({}, use) => {
      const shop = await startShop()
      await use(shop)
      await shop.stop()
    },
    { scope: 'worker' },
  ],

  baseURL: ({ shop }, use) => use(shop.origin),

  extraHTTPHeaders: ({}, use) =>
    use({ 'x-forwarded-for': `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}` }),

  expectConsole: async ({}, use) => {
    const expected: RegExp[] = []
    await use(Object.assign((message: RegExp) => void expected.push(message), { expected }))
  },

  watch: async ({ expectConsole }, use) => {
    const reports: string[] = []
    await use((page) => {
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type()))
          reports.push(`${message.text()} (${message.location().url})`)
      })
      page.on('pageerror', (error) => reports.push(`uncaught: ${error.message}`))
      page.on('popup', (popup) =>
        popup.on('pageerror', (error) => reports.push(`uncaught: ${error.message}`)),
      )
    })
    const { expected } = expectConsole as typeof expectConsole & { expected: RegExp[] }
    expect(reports.filter((report) => !expected.some((pattern) => pattern.test(report)))).toEqual([])
  },

  openOther: async ({ browser, watch }, use) => {
    const contexts: BrowserContext[] = []
    await use(async (options) => {
      // Playwright adds the options of the test, such as the base URL, the headers and the viewport.
      const context = await browser.newContext(options)
      contexts.push(context)
      const page = await context.newPage()
      watch(page)
      return page
    })
    await Promise.all(contexts.map((context) => context.close()))
  },

  admin: async ({ openOther, shop }, use) => {
    const page = await openOther()
    await signInAsAdmin(page, shop)
    await use(page)
  },

  page: async ({ page, watch }, use) => {
    watch(page)
    await use(page)
  },
})

export { expect }
