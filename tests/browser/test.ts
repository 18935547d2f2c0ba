import { randomInt } from 'node:crypto'
import { test as base, expect, type Page } from '@playwright/test'
import { mapHost } from '../../contract/map.ts'
import { type RunningShop, startShop } from './running-shop.ts'

interface TestFixtures {
  /** Says that a test makes something fail: what the browser then reports in its console is expected. */
  expectConsole: (message: RegExp) => void
  /** Watches a page of a context of one's own as closely as `page`. */
  watch: (page: Page) => void
}

interface WorkerFixtures {
  shop: RunningShop
}

/**
 * Tests against the built shop; whatever a page reports in its console fails the test that did not expect it.
 * Nothing goes to the map's host: a stand-in answers for it.
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

  context: async ({ context }, use) => {
    await context.route(`${mapHost}/**`, (route) =>
      route.fulfill({ body: '<h1>Map</h1>', contentType: 'text/html' }),
    )
    await use(context)
  },

  page: async ({ page, watch }, use) => {
    watch(page)
    await use(page)
  },
})

export { expect }
