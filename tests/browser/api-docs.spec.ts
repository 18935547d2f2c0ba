import { readScrollWidth } from './axe.ts'
import { expect, test } from './test.ts'

test('the API viewer fits 360 and 1280 pixels and requests no other host', async ({ page, shop }) => {
  const origins = new Set<string>()
  page.on('request', (request) => origins.add(new URL(request.url()).origin))
  await page.setViewportSize({ width: 360, height: 800 })
  await page.goto('/api/docs/#tag/default/POST/confirm-purchase')
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    const summary = page.getByText('Places an order and reduces the stock.').filter({ visible: true })
    // The viewer is a large library.
    await expect(summary.first()).toBeVisible({ timeout: 30_000 })
    expect(await readScrollWidth(page)).toBeLessThanOrEqual(width)
  }
  expect([...origins]).toEqual([shop.origin])
})
