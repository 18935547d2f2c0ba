import { expect, test } from './test.ts'

for (const width of [360, 1280]) {
  test(`the API viewer works at ${width} pixels and asks no other host`, async ({ page, shop }) => {
    const origins = new Set<string>()
    page.on('request', (request) => origins.add(new URL(request.url()).origin))
    await page.setViewportSize({ width, height: 800 })
    await page.goto('/api/docs/#tag/default/POST/confirm-purchase')
    const summary = page.getByText('Places an order and reduces the stock.').filter({ visible: true })
    await expect(summary.first()).toBeVisible()
    expect([...origins].filter((origin) => origin !== 'null')).toEqual([shop.origin])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
  })
}
