import type { Page } from '@playwright/test'
import { addPart, addProduct, deleteProduct, editProduct } from './admin-steps.ts'
import { expectAccessible } from './axe.ts'
import { callAs, failing, hold } from './specification-steps.ts'
import { openShopAsNewRider, passSlow, signIn, started } from './steps.ts'
import { expect, test } from './test.ts'

test.use({ viewport: { width: 360, height: 740 } })

const cartLink = (page: Page) => page.getByRole('banner').getByRole('link', { name: /^Cart/ })
const addButton = (page: Page) => page.getByRole('button', { name: 'Add to cart' })
const removed = (page: Page) => page.getByText(/^Removed: /)
const lines = (page: Page) =>
  page
    .getByRole('main')
    .locator('ul > li')
    .filter({ hasNot: removed(page) })
const undo = (page: Page, name: string) =>
  page.getByRole('button', { name: `Undo the removal of ${name}`, exact: true })
const line = (page: Page, text: string) => lines(page).filter({ hasText: text })
const total = (page: Page) => page.getByRole('region', { name: 'Total' }).getByRole('status')

const setStock = (admin: Page, productId: string, quantity: number) =>
  callAs(admin, 'PUT', `/update-product/${productId}`, { quantity })

async function add(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await started(page)
  await addButton(page).click()
  await expect(page.getByText('Added to cart.')).toBeVisible()
  await expect(addButton(page)).toBeFocused()
}

test('a cart explains changes since an item was added, and loses nothing', async ({
  page,
  admin,
  expectConsole,
}) => {
  expectConsole(/Failed to load resource|net::ERR/)
  const [dearer, scarce, soldOut, gone] = [
    await addPart(admin, { price: 39, minimum: 1 }),
    await addPart(admin, { minimum: 1, returns: 'Not once opened' }),
    await addPart(admin, { minimum: 1 }),
    await addPart(admin, { minimum: 1 }),
  ]
  for (const { _id } of [dearer, scarce, soldOut, gone]) await add(page, `/product/${_id}`)
  await page.goto('/cart')
  await page.getByLabel(`Quantity of ${scarce.name}`, { exact: true }).fill('9')
  await page.getByLabel(`Quantity of ${scarce.name}`, { exact: true }).press('Enter')
  await expect(total(page)).toHaveText('$479')
  const returns = page.locator('dl > div').filter({ hasText: 'Returns' }).getByRole('definition')
  await expect(returns).toHaveText(`Within 30 days ${scarce.name}: Not once opened`)

  await test.step('each line has its note, and only those that cannot be ordered are marked', async () => {
    const { _id, quantity: _, options: __, ...rest } = dearer
    await editProduct(admin, _id, { ...rest, price: 42 })
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
  })

  await test.step('another tab shows the change, and the cart can be ordered again', async () => {
    const tab = await page.context().newPage()
    await tab.goto('/cart')
    await expect(lines(tab)).toHaveCount(4)
    await page.getByRole('button', { name: `Remove ${soldOut.name}` }).click()
    await expect(lines(page)).toHaveCount(3)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(lines(page)).toHaveCount(4)
    await expect(removed(page)).toHaveCount(0)
    await page.getByRole('button', { name: `Remove ${soldOut.name}` }).click()
    await expect(undo(page, soldOut.name)).toBeFocused()
    await page.getByRole('button', { name: `Remove ${gone.name}` }).click()
    await expect(undo(page, gone.name)).toBeFocused()
    await expect(lines(page)).toHaveCount(2)
    await expect(removed(page)).toHaveText([`Removed: ${soldOut.name}`, `Removed: ${gone.name}`])
    await undo(page, soldOut.name).click()
    await expect(line(page, soldOut.name)).toBeVisible()
    await expect(removed(page)).toHaveText([`Removed: ${gone.name}`])
    await page.getByRole('button', { name: `Remove ${soldOut.name}` }).click()
    await expect(lines(page)).toHaveCount(2)
    await expect(page.getByRole('link', { name: 'Checkout' })).toHaveAttribute('href', '/checkout')
    await expect(lines(tab)).toHaveCount(2)
    await expect(cartLink(tab)).toHaveAccessibleName('Cart, 2 items')
    await tab.close()
  })

  await test.step('Checkout does not leave a change that the shop has reduced before its note is read', async () => {
    await page.reload()
    const quantity = page.getByLabel(`Quantity of ${scarce.name}`, { exact: true })
    await quantity.fill('9')
    await page.getByRole('link', { name: 'Checkout' }).click()
    await expect(line(page, scarce.name)).toContainText('Only 3 left, so we changed the quantity to 3.')
    await expect(page).toHaveURL('/cart')
    await quantity.fill('2')
    // The change ends during the press, and must not move the link away from it.
    await page.getByRole('link', { name: 'Checkout' }).hover()
    await page.mouse.down()
    await expect(total(page)).toHaveText('$122')
    await page.mouse.up()
    await expect(page).toHaveURL('/checkout')
    await page.goto('/cart')
    await expect(lines(page)).toHaveCount(2)
  })

  await test.step('Checkout does not leave while a quantity is invalid', async () => {
    const quantity = page.getByLabel(`Quantity of ${scarce.name}`, { exact: true })
    for (const text of ['2.5', '0', '']) {
      await quantity.fill(text)
      await page.getByRole('link', { name: 'Checkout' }).press('Enter')
      await expect(quantity).toBeFocused()
      await expect(quantity).toHaveAccessibleDescription('Enter a whole number from 1 to 3')
      await expect(page).toHaveURL('/cart')
    }
    await quantity.fill('2')
    await quantity.press('Enter')
    await expect(quantity).not.toHaveAttribute('aria-invalid')
  })

  await test.step('one press on Remove removes a line whose quantity was just emptied', async () => {
    await page.getByLabel(`Quantity of ${scarce.name}`, { exact: true }).fill('')
    await page.getByRole('button', { name: `Remove ${scarce.name}` }).click()
    await expect(lines(page)).toHaveCount(1)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(lines(page)).toHaveCount(2)
    await expect(removed(page)).toHaveCount(0)
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

  const email = await openShopAsNewRider(page)
  await test.step('a customer without a connection gets a message, and nothing is added', async () => {
    await expect(cartLink(page)).toHaveAccessibleName('Cart, 2 items')
    await page.goto(`/product/${dearer._id}`)
    const failure = await failing(page, '**/api/v1/cart', 'away')
    await addButton(page).click()
    await expect(page.getByText("We can't reach the shop. Check your connection.")).toBeVisible()
    await failure.end()
    // The shop adds it, and the answer never arrives.
    await page.route('**/api/v1/cart/lines/*', async (route) => void (await route.fetch()), { times: 1 })
    const sent = page.waitForRequest('**/api/v1/cart/lines/*')
    await addButton(page).click()
    await sent
    await passSlow(page, 8_010)
    await expect(page.getByText('We are still adding it. It will not be added twice.')).toBeVisible()
    await page.getByRole('link', { name: 'Try again' }).click()
    await expect(page.getByText('Added to cart.')).toBeVisible()
  })

  await test.step('a cart that is opened while an item is being added contains it', async () => {
    const release = await hold(page, '**/api/v1/cart/lines/*')
    const change = page.waitForRequest('**/api/v1/cart/lines/*')
    await addButton(page).click()
    await change
    await cartLink(page).click()
    await expect(page.getByRole('heading', { name: 'Your cart' })).toBeVisible()
    release()
    await expect(page.getByLabel(`Quantity of ${dearer.name}`, { exact: true })).toHaveValue('3')
  })

  // With standard sizes and colours.
  const gloves = await addProduct(admin, { minimum: 1 })
  await test.step('the purchase screen adds the chosen quantity', async () => {
    await page.goto(`/purchase/${gloves._id}`)
    await page.getByLabel('Quantity', { exact: true }).fill('0')
    await addButton(page).click()
    await expect(page.getByText('Quantity not matched')).toBeVisible()
    await page.getByLabel('Quantity', { exact: true }).fill('5')
    await page.getByText('Blue', { exact: true }).click()
    await addButton(page).click()
    await expect(page.getByRole('alert')).toHaveText('Choose a size and a colour to add this to your cart.')
    await page.getByText('XL', { exact: true }).click()
    await addButton(page).click()
    await expect(page.getByText('Added to cart.')).toBeVisible()
    await expectAccessible(page, 'the purchase screen after adding')
    await page.getByRole('link', { name: 'View cart' }).click()
    await expect(page.getByLabel(`Quantity of ${gloves.name}, XL, Blue`, { exact: true })).toHaveValue('5')
  })

  await test.step('signing out shows an empty cart, where a line without its choice gets one; signing in merges it', async () => {
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('button', { name: 'Logout' }).click()
    await expect(page.getByRole('heading', { name: 'Your cart is empty.' })).toBeVisible()
    await expect(cartLink(page)).toHaveAccessibleName('Cart')
    const colour = page.getByLabel(`Colour of ${gloves.name}`)
    for (const end of ['Tab', 'Enter']) {
      // As an earlier version of the shop has stored it.
      await page.evaluate(
        (variantId) => localStorage.setItem('cart', JSON.stringify([{ variantId, quantity: 2 }])),
        gloves._id,
      )
      await page.goto('/cart')
      await expect(line(page, gloves.name)).toContainText('Choose a size and a colour.')
      await page.getByLabel(`Size of ${gloves.name}`).selectOption('M')
      if (end === 'Tab') {
        await expectAccessible(page, 'a cart with a missing choice')
      }
      // With the keyboard, each colour on the way to the right one is a change.
      await colour.focus()
      for (const name of ['Black', 'White', 'Red']) {
        await page.keyboard.press('ArrowDown')
        await expect(colour).toHaveValue(name)
      }
      await page.keyboard.press(end)
      await expect(page.getByLabel(`Quantity of ${gloves.name}, M, Red`, { exact: true })).toHaveValue('2')
    }
    await signIn(page, email)
    await expect(cartLink(page)).toHaveAccessibleName('Cart, 4 items')
  })
})

test('the product page has a total and a link only for a quantity that can be ordered', async ({
  page,
  admin,
}) => {
  const { _id } = await addPart(admin, { price: 40, minimum: 1, quantity: 20 })
  await page.goto(`/product/${_id}`)
  await started(page)
  const ofProduct = page.getByText('Total', { exact: true }).locator('..').getByRole('status')
  const buyNow = page.getByRole('main').getByRole('link', { name: 'Buy Now' }).first()
  for (const [quantity, text, search] of [
    ['20', '$800', '?quantity=20'],
    ['-3', '–', ''],
    ['1.5', '–', ''],
    ['21', '–', ''],
    ['', '–', ''],
  ] as const) {
    await page.getByLabel('Quantity', { exact: true }).fill(quantity)
    await expect(ofProduct).toHaveText(text)
    await expect(buyNow).toHaveAttribute('href', `/purchase/${_id}${search}`)
  }
})

test('without JavaScript the cart says that it needs it, without a spinner', async ({ openOther }) => {
  const page = await openOther({ javaScriptEnabled: false })
  await page.goto('/cart')
  await expect(page.locator('main noscript p')).toBeVisible()
  await expect(page.locator('.page-spinner')).toBeHidden()
})

test('in a browser that stores nothing, the shop works and the cart says why it cannot', async ({ page }) => {
  await page.addInitScript(() =>
    Object.defineProperty(window, 'localStorage', {
      get() {
        throw new DOMException('The access is denied.', 'SecurityError')
      },
    }),
  )
  await page.goto('/products?kind=Brake+pads')
  await started(page)
  await page.getByRole('main').getByRole('article').first().getByRole('link').first().click()
  await addButton(page).click()
  await expect(page.getByText('Your browser could not save your cart.')).toBeVisible()
  await cartLink(page).click()
  await expect(page.getByRole('heading', { name: 'Your cart is empty.' })).toBeVisible()
})
