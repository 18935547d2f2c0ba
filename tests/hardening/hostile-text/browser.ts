import { chromium, type Page } from '@playwright/test'
import { browserArgs } from '../../../scripts/browser.ts'
import { cleanup } from '../cleanup.ts'

interface BrowserUnderTest {
  /** A blank page, which parses HTML. */
  parser: Page
  /** Opens a page of the shop and waits until its scripts have started. Returns what it did that no text may cause. */
  visit(path: string): Promise<string[]>
}

const startTimeoutMs = 20_000

/** @param origin of the shop; other hosts get no request */
export async function openBrowser(executablePath: string, origin: string): Promise<BrowserUnderTest> {
  const browser = await chromium.launch({ executablePath, args: browserArgs })
  cleanup.add(() => browser.close())
  const parser = await browser.newPage()
  const context = await browser.newContext()
  await context.route(
    (url) => url.origin !== origin,
    (route) => route.abort(),
  )
  const page = await context.newPage()
  let faults: string[] = []
  page.on('dialog', (dialog) => {
    faults.push('opened a dialog')
    void dialog.dismiss()
  })
  page.on('pageerror', ({ message }) => faults.push(`threw ${message.slice(0, 120)}`))
  // Chromium reports each violation of the Content Security Policy there.
  page.on('console', (message) => {
    if (/policy/i.test(message.text())) faults.push(message.text().slice(0, 160))
  })
  page.on('popup', () => faults.push('opened a window'))
  return {
    parser,
    async visit(path) {
      faults = []
      await page.goto(origin + path)
      await page.locator('html[data-start="done"]').waitFor({ state: 'attached', timeout: startTimeoutMs })
      const url = new URL(page.url())
      if (url.origin !== origin) faults.push(`led to ${url.origin}`)
      return [...new Set(faults)]
    },
  }
}
