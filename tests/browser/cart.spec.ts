import type { Browser, BrowserContextOptions, Page } from '@playwright/test'
import type { Product, Variant } from '../../contract/catalog.ts'
import { addProduct, deleteProduct, signInAsAdmin } from './admin-steps.ts'
import { expectAccessible } from './axe.ts'
import type { RunningShop } from './running-shop.ts'
import { callAs, failing } from './specification-steps.ts'
import { newEmail, openShopAsNewRider, signIn, signUp, started } from './steps.ts'
import { expect, test } from './test.ts'

const phone = { width: 360, height: 740 }
test.use({ viewport: phone })

const cartLink = (page: Page) => page.getByRole('banner').getByRole('link', { name: /^Cart/ })
const addButton = (page: Page) => page.getByRole('button', { name: 'Add to cart' })
const lines = (page: Page) => page.getByRole('main').locator('ul > li')
const line = (page: Page, text: string) => lines(page).filter({ hasText: text })
const total = (page: Page) => page.getByRole('region', { name: 'Total' }).getByRole('status')

async function openOther(
  browser: Browser,
  shop: RunningShop,
  extraHTTPHeaders: BrowserContextOptions['extraHTTPHeaders'] = {},
) {
  const context = await browser.newContext({ baseURL: shop.origin, viewport: phone, extraHTTPHeaders })
  return context.newPage()
}

/** Adds a jacket in M and L, which costs more, with two pieces each. */
async function addJacket(admin: Page): Promise<Product & { variants: Variant[] }> {
  const { _id } = await addProduct(admin, { name: 'Touring jacket', price: 199, quantity: 0, minimum: 1 })
  const token = await admin.evaluate(() => localStorage.getItem('accessToken'))
  const path = `/api/v1/products/${_id}/variants`
  const authorization = `Bearer ${token}`
  const etag = (await admin.request.get(path, { headers: { authorization } })).headers().etag ?? ''
  const variants = [{ size: 'M' }, { size: 'L', price: 219.5 }]
  const headers = { authorization, 'if-match': etag }
  await admin.request.put(path, { headers, data: { options: 'variants', variants } })
  const jacket = await callAs<Product & { variants: Variant[] }>(admin, 'GET', `/product/${_id}`)
  for (const { id } of jacket.variants) await setStock(admin, _id, 2, id)
  return jacket
}

const setStock = (admin: Page, productId: string, quantity: number, variantId?: string) =>
  callAs(admin, 'PUT', `/update-product/${productId}`, { quantity, variantId })

async function add(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await started(page)
  await addButton(page).click()
  await expect(page.getByText('Added to cart.')).toBeVisible()
}

test('a guest fills a cart, signs up, and has it on two devices', async ({
  page,
  shop,
  browser,
  extraHTTPHeaders,
  watch,
}) => {
  test.slow()
  const admin = await openOther(browser, shop, extraHTTPHeaders)
  await signInAsAdmin(admin, shop)
  const jacket = await addJacket(admin)
  const pads = await addProduct(admin, { price: 40, minimum: 2, quantity: 20 })
  const [oil, chain] = [await addProduct(admin), await addProduct(admin)]
  const email = newEmail()

  await test.step('a guest adds three items, and the pages that load them have no code of the cart before', async () => {
    await page.goto('/cart')
    await expect(page.getByRole('heading', { name: 'Your cart is empty.' })).toBeVisible()
    await expect(cartLink(page)).toHaveAccessibleName('Cart')
    await page.getByRole('link', { name: 'Browse the products' }).click()
    await expect(page).toHaveURL('/products')
    await add(page, `/product/${jacket._id}?size=M`)
    await add(page, `/product/${jacket._id}?size=L`)
    await expect(cartLink(page)).toHaveAccessibleName('Cart, 2 items')
    await add(page, `/product/${pads._id}?size=XL&colour=Red`)
    await expect(cartLink(page)).toHaveAccessibleName('Cart, 3 items')
    await page.getByRole('link', { name: 'View cart' }).click()
    await expect(lines(page)).toHaveCount(3)
    await expect(total(page)).toHaveText('$498.50')
  })

  await test.step('the cart is whole after a reload, and its document contains none of it', async () => {
    await page.reload()
    await expect(lines(page)).toHaveCount(3)
    await expect(line(page, '$219.50 each')).toContainText('Touring jacket')
    await expect(line(page, pads.name)).toContainText('XL, Red')
    const html = await (await page.request.get('/cart')).text()
    expect(html).not.toContain(jacket._id)
    expect(html).toContain('noindex')
    await expectAccessible(page, 'the cart')
    await page.setViewportSize(phone)
  })

  await test.step('quantities are changed by buttons and by typing, and a line is removed', async () => {
    const ofPads = page.getByLabel(`Quantity of ${pads.name}, XL, Red`, { exact: true })
    await page.getByRole('button', { name: `Increase quantity of ${pads.name}` }).click()
    await expect(ofPads).toHaveValue('3')
    await expect(total(page)).toHaveText('$538.50')
    await ofPads.fill('0')
    await ofPads.press('Enter')
    await expect(page.getByText('Enter a whole number from 1 to 1,000,000')).toBeVisible()
    await ofPads.fill('1')
    await ofPads.press('Enter')
    await expect(line(page, pads.name)).toContainText('The minimum order for this item is 2.')
    await expect(page.getByText('Remove or change the marked items to continue.')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Checkout' })).toHaveAttribute('aria-disabled', 'true')
    await ofPads.fill('4')
    await ofPads.press('Tab')
    await expect(page.getByRole('link', { name: 'Checkout' })).toHaveAttribute('href', '/checkout')
    await expect(total(page)).toHaveText('$578.50')
  })

  await test.step('signing up takes the cart along', async () => {
    await page.goto('/signup')
    await started(page)
    await signUp(page, email)
    await expect.poll(() => page.evaluate(() => localStorage.getItem('cart'))).toBeNull()
    await expect(cartLink(page)).toHaveAccessibleName('Cart, 3 items')
    await cartLink(page).click()
    await expect(lines(page)).toHaveCount(3)
    await expect(total(page)).toHaveText('$578.50')
  })

  await test.step('a second browser adds to the same cart, and both show four', async () => {
    const second = await openOther(browser, shop, extraHTTPHeaders)
    watch(second)
    await add(second, `/product/${oil._id}`)
    await add(second, `/product/${pads._id}?size=XL&colour=Red`)
    await signIn(second, email)
    await expect(cartLink(second)).toHaveAccessibleName('Cart, 4 items')
    await second.goto('/cart')
    await expect(lines(second)).toHaveCount(4)
    // The larger quantity wins: 4 of the first browser.
    await expect(second.getByLabel(`Quantity of ${pads.name}, XL, Red`, { exact: true })).toHaveValue('4')
    await page.reload()
    await expect(lines(page)).toHaveCount(4)
    await expect(cartLink(page)).toHaveAccessibleName('Cart, 4 items')
    await second.context().close()
  })

  await test.step('the purchase screen adds the chosen quantity', async () => {
    await page.goto(`/purchase/${chain._id}`)
    await page.getByLabel('Quantity', { exact: true }).fill('1')
    await addButton(page).click()
    await expect(page.getByText('Quantity not matched')).toBeVisible()
    await page.getByLabel('Quantity', { exact: true }).fill('5')
    await page.getByText('Blue', { exact: true }).click()
    await addButton(page).click()
    await expect(page.getByText('Added to cart.')).toBeVisible()
    await expectAccessible(page, 'the purchase screen after adding')
    await page.setViewportSize(phone)
    await page.getByRole('link', { name: 'View cart' }).click()
    await expect(page.getByLabel(`Quantity of ${chain.name}, Blue`, { exact: true })).toHaveValue('5')
  })

  await test.step('signing out shows an empty cart, and signing in the same one', async () => {
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('button', { name: 'Logout' }).click()
    await expect(page.getByRole('heading', { name: 'Your cart is empty.' })).toBeVisible()
    await expect(cartLink(page)).toHaveAccessibleName('Cart')
    await signIn(page, email)
    await expect(cartLink(page)).toHaveAccessibleName('Cart, 5 items')
  })
  await admin.context().close()
})

test('a cart explains changes since an item was added, and loses nothing', async ({
  page,
  shop,
  browser,
  expectConsole,
}) => {
  expectConsole(/Failed to load resource|net::ERR/)
  const admin = await openOther(browser, shop)
  await signInAsAdmin(admin, shop)
  const [dearer, scarce, soldOut, gone] = [
    await addProduct(admin, { price: 39, minimum: 1 }),
    await addProduct(admin, { minimum: 1 }),
    await addProduct(admin, { minimum: 1 }),
    await addProduct(admin, { minimum: 1 }),
  ]
  for (const { _id } of [dearer, scarce, soldOut, gone]) await add(page, `/product/${_id}`)
  await page.goto('/cart')
  await page.getByLabel(`Quantity of ${scarce.name}`, { exact: true }).fill('9')
  await page.getByLabel(`Quantity of ${scarce.name}`, { exact: true }).press('Enter')
  await expect(total(page)).toHaveText('$479')

  await test.step('each line has its note, and only those that cannot be ordered are marked', async () => {
    const { _id, quantity: _, options: __, ...rest } = dearer
    await callAs(admin, 'PUT', `/v1/products/${_id}`, { ...rest, price: 42 })
    await setStock(admin, scarce._id, 3)
    await setStock(admin, soldOut._id, 0)
    await deleteProduct(admin, gone._id)
    await page.reload()
    await expect(line(page, dearer.name)).toContainText('The price has changed from $39 to $42.')
    await expect(line(page, scarce.name)).toContainText('Only 3 left, so we changed the quantity to 3.')
    await expect(line(page, soldOut.name)).toContainText('This item is out of stock.')
    await expect(line(page, gone.name)).toContainText('This item is no longer available.')
    await expect(page.getByText('Remove or change the marked items to continue.')).toBeVisible()
    await expectAccessible(page, 'a cart with notes')
    await page.setViewportSize(phone)
  })

  await test.step('another tab shows the change, and the cart can be ordered again', async () => {
    const tab = await page.context().newPage()
    await tab.goto('/cart')
    await expect(lines(tab)).toHaveCount(4)
    await page.getByRole('button', { name: `Remove ${soldOut.name}` }).click()
    await page.getByRole('button', { name: `Remove ${gone.name}` }).click()
    await expect(lines(page)).toHaveCount(2)
    await expect(page.getByRole('link', { name: 'Checkout' })).toHaveAttribute('href', '/checkout')
    await expect(lines(tab)).toHaveCount(2)
    await expect(cartLink(tab)).toHaveAccessibleName('Cart, 2 items')
    await tab.close()
  })

  await test.step('without a connection it says so, and is whole afterwards', async () => {
    const failure = await failing(page, '**/api/v1/cart/quote', 'away')
    await page.getByRole('button', { name: `Remove ${scarce.name}` }).click()
    await expect(page.getByRole('alert')).toHaveText("We can't reach the shop. Check your connection.")
    await expect(lines(page)).toHaveCount(2)
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Your cart could not be loaded' })).toBeVisible()
    await failure.end()
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(lines(page)).toHaveCount(2)
  })

  await test.step('a customer without a connection is told, and nothing is added', async () => {
    await openShopAsNewRider(page)
    await expect(cartLink(page)).toHaveAccessibleName('Cart, 2 items')
    await page.goto(`/product/${dearer._id}`)
    const failure = await failing(page, '**/api/v1/cart', 'away')
    await addButton(page).click()
    await expect(page.getByText("We can't reach the shop. Check your connection.")).toBeVisible()
    await failure.end()
    await addButton(page).click()
    await expect(page.getByText('Added to cart.')).toBeVisible()
    await page.goto('/cart')
    await expect(page.getByLabel(`Quantity of ${dearer.name}`, { exact: true })).toHaveValue('2')
  })
  await admin.context().close()
})

test('in a browser that stores nothing, the shop works and the cart says why it cannot', async ({ page }) => {
  await page.addInitScript(() =>
    Object.defineProperty(window, 'localStorage', {
      get() {
        throw new DOMException('The access is denied.', 'SecurityError')
      },
    }),
  )
  await page.goto('/products')
  await page.getByRole('main').getByRole('article').first().getByRole('link').first().click()
  await addButton(page).click()
  await expect(page.getByText('Your browser could not save your cart.')).toBeVisible()
  await cartLink(page).click()
  await expect(page.getByRole('heading', { name: 'Your cart is empty.' })).toBeVisible()
})
