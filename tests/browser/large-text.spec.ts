import type { CDPSession, Locator, Page } from '@playwright/test'
import { signInAsAdmin } from './admin-steps.ts'
import { readScrollWidth } from './axe.ts'
import { enterAsNewRider, placeOrder, started } from './steps.ts'
import { expect, test } from './test.ts'

/** Returns the buttons and links whose text is wider or higher than they are. */
const readCutTexts = (part: Locator): Promise<string[]> =>
  part.evaluate((element) =>
    [...element.querySelectorAll<HTMLElement>('a, button')]
      .filter((control) => control.clientWidth > 1 && getComputedStyle(control).overflow !== 'visible')
      .filter(
        ({ scrollWidth, clientWidth, scrollHeight, clientHeight }) =>
          scrollWidth > clientWidth || scrollHeight > clientHeight,
      )
      .map(({ innerText }) => innerText),
  )

/** Expects that with 150 and 200 % text the page is not wider than a phone, and that no button is cut. */
async function expectFits(
  page: Page,
  browser: CDPSession,
  path: string,
  part = page.getByRole('main'),
): Promise<void> {
  for (const [size, width] of [
    [24, 360],
    [32, 320],
    [32, 360],
  ] as const) {
    await browser.send('Page.setFontSizes', { fontSizes: { standard: size } })
    await page.setViewportSize({ width, height: 780 })
    await expect(page.locator('html')).toHaveCSS('font-size', `${size}px`)
    expect({ path, size, width: await readScrollWidth(page) }).toEqual({ path, size, width })
    expect({ path, size, cut: await readCutTexts(part) }).toEqual({ path, size, cut: [] })
  }
}

test.use({ viewport: { width: 360, height: 780 } })

test('with 150 and 200 % text on a phone no page is wider than the screen, and no bar covers it', async ({
  page,
}) => {
  const browser = await page.context().newCDPSession(page)
  // Twice the usual size, as people set it in their browser.
  await browser.send('Page.setFontSizes', { fontSizes: { standard: 32 } })
  await page.goto('/products?kind=Brake+pads')
  await started(page)
  await page.getByRole('article').first().getByRole('link').first().click()
  await page.getByRole('button', { name: 'Add to cart' }).click()
  await expect(page.getByText('Added to cart.')).toBeVisible()
  await page.goto('/products?q=harrow+jacket')
  const jacket = await page.getByRole('article').getByRole('link').first().getAttribute('href')
  for (const path of [
    '/',
    '/products',
    jacket ?? '',
    '/cart',
    '/checkout',
    '/login',
    '/signup',
    '/bikes/yamaha/yzf-r6/2009',
    '/garage',
    '/reviews',
    '/blogs',
  ]) {
    await page.goto(path)
    await expect(page.locator('html')).toHaveCSS('font-size', '32px')
    await started(page)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    // The cart and checkout show their lines later.
    if (/^.(cart|checkout)/.test(path))
      await expect(page.getByRole('region', { name: 'Total' })).toBeVisible()
    await expectFits(page, browser, path)
    const covering = page.locator('header, main .sticky').filter({ visible: true })
    const positions = await covering.evaluateAll((bars) => bars.map((bar) => getComputedStyle(bar).position))
    expect(positions.filter((position) => position === 'sticky')).toEqual([])
  }
  await page.getByRole('banner').getByRole('link', { name: 'Choose your bike' }).click()
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Yamaha', exact: true })).toBeVisible()
  await expectFits(page, browser, 'the dialog of bikes', page.getByRole('dialog'))
})

test('with 150 and 200 % text the dashboard is not wider than a phone', async ({ page, shop }) => {
  const browser = await page.context().newCDPSession(page)
  await signInAsAdmin(page, shop)
  for (const [path, lastLoaded] of [
    ['/dashboard', 'Birthday'],
    ['/dashboard/shop', 'Two-step login'],
  ] as const) {
    await page.goto(path)
    await started(page)
    await expect(page.getByRole('main').getByText(lastLoaded, { exact: true })).toBeVisible()
    await expectFits(page, browser, path)
  }
})

test('with 150 and 200 % text the orders of a customer are not wider than a phone', async ({ page }) => {
  const browser = await page.context().newCDPSession(page)
  await enterAsNewRider(page)
  const { id } = await placeOrder(page)
  await page.goto('/dashboard/my-orders')
  await expect(page.getByRole('button', { name: 'Details' })).toBeVisible()
  await expectFits(page, browser, 'My Orders')
  await page.goto(`/order/${id}`)
  await expect(page.getByRole('main').getByRole('link', { name: 'My Orders' })).toBeVisible()
  await expectFits(page, browser, 'an order')
})
