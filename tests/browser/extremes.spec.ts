import type { Locator, Page } from '@playwright/test'
import { enterAsNewRider, started } from './steps.ts'
import { expect, test } from './test.ts'

interface Shown {
  _id: string
  name: string
  image: string
  quantity: number
  minimum: number
}

const products = async (page: Page): Promise<Shown[]> => (await page.request.get('/api/products')).json()

async function require(page: Page, wanted: (product: Shown) => boolean): Promise<Shown> {
  const found = (await products(page)).find(wanted)
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

/** Whether what is in the middle of an element belongs to it: nothing lies over it. */
const isUncovered = (element: Locator) =>
  element.evaluate((node) => {
    const { x, y, width, height } = node.getBoundingClientRect()
    return node.contains(document.elementFromPoint(x + width / 2, y + height / 2))
  })

const width = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth)

test.beforeEach(({ page }) => enterAsNewRider(page))

test('a product of which none is left is out of stock: no form that could only fail', async ({ page }) => {
  const { _id } = await require(page, ({ quantity }) => quantity === 0)
  await page.goto(`/purchase/${_id}`)
  await expect(page.getByRole('heading', { name: 'Out of stock' })).toBeVisible()
  await expect(page.getByText('This product is currently sold out.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Place Order' })).toHaveCount(0)
})

test('where fewer are left than the smallest order takes it says how few', async ({ page }) => {
  await openPurchase(page, { quantity: 3, minimum: 4 })
  await expect(page.getByText('Only 3 pcs left. The minimum order is 4 pcs.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Place Order' })).toHaveCount(0)
})

for (const name of [
  'Adjustable-preload piggyback-reservoir twin-shock rear absorber pair, 360 mm, black',
  'x'.repeat(90),
]) {
  test(`a phone takes a name of ${name.length} characters: ${name.slice(0, 12)}…`, async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 640 })
    await openPurchase(page, { name })
    await expect(page.getByRole('heading', { name })).toBeVisible()
    expect(await width(page)).toBe(360)
  })
}

for (const size of [360, 1280]) {
  test(`a card shows any name whole, and the cards of a row line up at the foot, ${size} wide`, async ({
    page,
  }) => {
    await page.setViewportSize({ width: size, height: 800 })
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
    const feet = []
    for (const [at, name] of names.entries()) {
      const heading = cards.nth(at).getByRole('heading')
      await expect(heading).toHaveText(name)
      const hidden = await heading.evaluate((node) => node.scrollHeight - node.clientHeight)
      expect(hidden, name).toBeLessThanOrEqual(0)
      const price = await cards.nth(at).getByText(/^\$/).boundingBox()
      feet.push(Math.round((price?.y ?? 0) + (price?.height ?? 0)))
    }
    if (size === 1280) expect(new Set(feet).size).toBe(1)
    expect(await width(page)).toBe(size)
  })
}

test('a picture that leads nowhere gives way to a drawing of the same size', async ({
  page,
  expectConsole,
}) => {
  expectConsole(/ERR_FAILED/)
  const gone = 'https://pictures.example/gone.jpg'
  await page.route(gone, (route) => route.abort())
  await openPurchase(page, { image: gone })
  const picture = page.getByRole('main').getByRole('img').first()
  await expect(picture).toHaveAttribute('src', /no-picture/)
  const box = await picture.boundingBox()
  expect((box?.width ?? 0) / (box?.height ?? 1)).toBeCloseTo(4 / 3, 1)
})

test('with the keyboard nothing that has the focus is hidden under the bar at the foot', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 640 })
  await openPurchase(page, {})
  await page.getByLabel('Quantity', { exact: true }).focus()
  for (const field of ['Name', 'Phone', 'Address']) {
    while (!(await page.getByLabel(field).evaluate((node) => node === document.activeElement))) {
      await page.keyboard.press('Tab')
    }
    expect(await isUncovered(page.getByLabel(field)), field).toBe(true)
  }
})

test('in a window that is very low the bars scroll away with the page', async ({ page }) => {
  await page.setViewportSize({ width: 640, height: 360 })
  await openPurchase(page, {})
  await page.getByLabel('Phone').scrollIntoViewIfNeeded()
  await expect(page.getByRole('banner')).not.toBeInViewport()
  await expect(page.getByRole('button', { name: 'Place Order' })).not.toBeInViewport()
})

test('nothing stands out of any window of the pages that anybody sees', async ({ page }) => {
  for (const path of ['/', '/reviews', '/blogs', '/contact-us', '/dashboard', '/dashboard/my-orders']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    for (const size of [320, 360, 640, 768, 1280, 1920]) {
      await page.setViewportSize({ width: size, height: 800 })
      expect(await width(page), `${path} at ${size}`).toBe(size)
    }
  }
})

test('who asks for less motion gets the toasts for as long as everybody else', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Edit Profile' }).click()
  await page.getByLabel('Bio').fill('Rides in all weathers.')
  await page.getByRole('button', { name: 'Update' }).click()
  const toast = page.getByText('Profile Successfully Updated')
  await expect(toast).toBeVisible()
  const bar = page.getByRole('progressbar')
  await expect(bar).toHaveCSS('animation-duration', '5s')
})

test('a photo that leads nowhere gives way to the helmet', async ({ page, expectConsole }) => {
  expectConsole(/ERR_FAILED/)
  await page.route('https://photos.example/**', (route) => route.abort())
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Edit Profile' }).click()
  await page.getByLabel('Profile picture link').fill('https://photos.example/gone.jpg')
  await page.getByRole('button', { name: 'Update' }).click()
  await expect(page.getByText('Profile Successfully Updated')).toBeVisible()
  await page.reload()
  const photos = page.locator('img[width="160"], img[width="44"]')
  await expect(photos).toHaveCount(2)
  for (const photo of await photos.all()) await expect(photo).toHaveAttribute('src', /\/assets\/avatar/)
})
