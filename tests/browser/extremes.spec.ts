import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import type { Product } from '../../contract/catalog.ts'
import type { Order } from '../../contract/orders.ts'
import { signInAsAdmin } from './admin-steps.ts'
import { readScrollWidth } from './axe.ts'
import { enterAsNewRider, isUncovered, started } from './steps.ts'
import { expect, test } from './test.ts'

interface Shown {
  _id: string
  name: string
  image: string
  quantity: number
  minimum: number
  options: Product['options']
}

async function require(page: Page, wanted: (product: Shown) => boolean): Promise<Shown> {
  const products: Shown[] = await (await page.request.get('/api/products')).json()
  const found = products.find(wanted)
  if (!found) throw new Error('the demo shop has no such product')
  return found
}

/** Opens the purchase of a product as the shop would show it with these changes. */
async function openPurchase(page: Page, changes: Partial<Shown>): Promise<void> {
  const product = await require(page, ({ quantity, minimum }) => quantity > minimum)
  await page.route(`**/api/product/${product._id}`, (route) =>
    route.fulfill({ json: { ...product, ...changes } }),
  )
  await page.goto(`/purchase/${product._id}`)
}

test('the purchase page handles extreme products and windows', async ({ page, expectConsole }) => {
  expectConsole(/ERR_FAILED/)
  await enterAsNewRider(page)

  await test.step('a product without stock has no form that could only fail', async () => {
    const { _id } = await require(page, ({ quantity }) => quantity === 0)
    await page.goto(`/purchase/${_id}`)
    await expect(page.getByRole('heading', { name: 'Out of stock' })).toBeVisible()
    await expect(page.getByText('This product is currently sold out.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Place Order' })).toHaveCount(0)
  })

  await test.step('a stock below the minimum order shows how many are left', async () => {
    await openPurchase(page, { quantity: 3, minimum: 4 })
    await expect(page.getByText('Only 3 pcs left. The minimum order is 4 pcs.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Place Order' })).toHaveCount(0)
  })

  await test.step('a broken picture is replaced by a drawing of the same size', async () => {
    const missing = 'https://pictures.example/gone.jpg'
    await page.route(missing, (route) => route.abort())
    await openPurchase(page, { image: missing })
    const picture = page.getByRole('main').getByRole('img').first()
    await expect(picture).toHaveAttribute('src', /no-picture/)
    const box = await picture.boundingBox()
    expect((box?.width ?? 0) / (box?.height ?? 1)).toBeCloseTo(4 / 3, 1)
  })

  await test.step('a phone shows a name of 90 characters without horizontal scrolling', async () => {
    await page.setViewportSize({ width: 360, height: 640 })
    for (const name of [
      'Adjustable-preload piggyback-reservoir twin-shock rear absorber pair, 360 mm, black',
      'x'.repeat(90),
    ]) {
      await openPurchase(page, { name })
      await expect(page.getByRole('heading', { name })).toBeVisible()
      expect(await readScrollWidth(page)).toBe(360)
    }
  })

  await test.step('the bar at the bottom covers no field that has the keyboard focus', async () => {
    await openPurchase(page, {})
    await page.getByLabel('Quantity', { exact: true }).focus()
    for (const field of ['Name', 'Phone', 'Address']) {
      while (!(await page.getByLabel(field).evaluate((node) => node === document.activeElement))) {
        await page.keyboard.press('Tab')
      }
      expect(await isUncovered(page.getByLabel(field)), field).toBe(true)
    }
  })

  await test.step('in a very low window the bars scroll with the page', async () => {
    await page.setViewportSize({ width: 640, height: 360 })
    await page.reload()
    await started(page)
    await page.getByLabel('Phone').scrollIntoViewIfNeeded()
    await expect(page.getByRole('banner')).not.toBeInViewport()
    await expect(page.getByRole('button', { name: 'Place Order' })).not.toBeInViewport()
  })

  await test.step('at 400 % zoom the menus scroll', async () => {
    await page.setViewportSize({ width: 320, height: 256 })
    for (const [menu, last] of [
      ['Menu', 'Contact Us'],
      ['Account', 'Logout'],
    ] as const) {
      await page.getByRole('button', { name: menu, exact: true }).click()
      const entry = page.locator(':popover-open').getByText(last)
      await entry.scrollIntoViewIfNeeded()
      expect(await isUncovered(entry), last).toBe(true)
      await page.keyboard.press('Escape')
    }
  })

  await test.step('a contrast theme shows the chosen size, and the arrow of a select', async () => {
    await openPurchase(page, { options: 'standard' })
    await page.emulateMedia({ forcedColors: 'active' })
    const sizes = page.getByRole('group', { name: 'Size' }).locator('label')
    await sizes.first().click()
    await expect(sizes.first()).toHaveCSS('outline-style', 'solid')
    await expect(sizes.last()).toHaveCSS('outline-style', 'none')
    await page.goto('/products')
    await expect(page.getByLabel('Sort by')).toHaveCSS('appearance', 'auto')
  })
})

test('a product card shows its whole name, and the cards of a row end at the same height', async ({
  page,
}) => {
  await page.goto('/blogs')
  await started(page)
  const names = ['Chain', 'Link '.repeat(40).trim(), 'x'.repeat(200)]
  await page.route('**/products.data*', async (route) => {
    const response = await route.fetch()
    const json = await response.json()
    const products = json.data.products.map((each: Shown, at: number) => ({
      ...each,
      name: names[at] ?? each.name,
    }))
    await route.fulfill({ response: response, json: { ...json, data: { ...json.data, products } } })
  })
  await page.evaluate(() => window.navigation.navigate('/products'))
  const cards = page.getByRole('main').getByRole('article')
  for (const size of [360, 1280]) {
    await page.setViewportSize({ width: size, height: 800 })
    const bottoms = []
    for (const [at, name] of names.entries()) {
      const heading = cards.nth(at).getByRole('heading')
      await expect(heading).toHaveText(name)
      const hidden = await heading.evaluate((node) => node.scrollHeight - node.clientHeight)
      expect(hidden, name).toBeLessThanOrEqual(0)
      const price = await cards.nth(at).getByText(/^\$/).boundingBox()
      bottoms.push(Math.round((price?.y ?? 0) + (price?.height ?? 0)))
    }
    if (size === 1280) expect(new Set(bottoms).size).toBe(1)
    expect(await readScrollWidth(page)).toBe(size)
  }
})

test('the longest texts of an order fit into Manage Orders', async ({ page, shop }) => {
  await signInAsAdmin(page, shop)
  const extremes: Partial<Order>[] = [
    {
      amount: 1_234_567.89,
      refunded: 1,
      status: 'paid',
      partlyShipped: true,
      customerEmail: `${'x'.repeat(64)}@a.example`,
    },
    { refunded: 1, status: 'shipped', shipment: 'Shipped', pickup: true },
    { status: 'unpaid', processing: false, payBy: '2026-12-30T23:59:00.000Z' },
  ]
  await page.route('**/api/v1/orders?*', async (route) => {
    const response = await route.fetch()
    const orders: Order[] = await response.json()
    expect(orders.length).toBeGreaterThan(extremes.length)
    await route.fulfill({ response, json: orders.map((order, at) => ({ ...order, ...extremes[at] })) })
  })
  await page.goto('/dashboard/manage-orders')
  await expect(page.getByText('Ready for pickup')).toBeVisible()
  for (const size of [360, 768, 1024, 1280, 1536]) {
    await page.setViewportSize({ width: size, height: 800 })
    expect(await readScrollWidth(page)).toBe(size)
  }
})

/** Replaces each text that people type by one long word. */
function lengthen(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(lengthen)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      typeof each === 'string' && typedKeys.has(key) ? `${each}${'x'.repeat(120)}` : lengthen(each),
    ]),
  )
}
const typedKeys = new Set(['name', 'brand', 'email', 'note', 'orderNumber'])

test('one long word makes no list of the dashboard wider than the screen', async ({ page, shop }) => {
  await signInAsAdmin(page, shop)
  const withdrawal = { orderNumber: '1', email: 'a@b.example', name: 'Ada', note: 'Too late' }
  const headers = { 'idempotency-key': randomUUID() }
  const reply = await page.request.post('/api/v1/withdrawals', { data: withdrawal, headers })
  expect(reply.status()).toBe(200)
  for (const [path, call] of [
    ['/dashboard/returns', '/api/v1/returns'],
    ['/dashboard/brands', '/api/v1/brands'],
    ['/dashboard/audit', '/api/v1/audit'],
    ['/dashboard/size-charts', '/api/v1/size-charts'],
  ] as const) {
    await page.route(`**${call}?*`, async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: lengthen(await response.json()) })
    })
    await page.goto(path)
    await expect(page.getByRole('row').nth(1)).toBeVisible()
    for (const size of [360, 768, 1024, 1280]) {
      await page.setViewportSize({ width: size, height: 800 })
      expect({ path, size, width: await readScrollWidth(page) }).toEqual({ path, size, width: size })
    }
  }
})
