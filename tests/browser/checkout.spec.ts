import type { Page } from '@playwright/test'
import { addPart, addProduct, addProductInSizes, editProduct } from './admin-steps.ts'
import { expectAccessible } from './axe.ts'
import { expect, test } from './direct-shop.ts'
import { callAs, expectError, failing, failingCharges, field } from './specification-steps.ts'
import {
  fillCard,
  fillDelivery,
  fillLogin,
  linkTo,
  newEmail,
  passSlow,
  password,
  readStock,
  signIn,
  signUp,
  started,
} from './steps.ts'

test.use({ viewport: { width: 360, height: 740 } })

const placeOrder = (page: Page) => page.getByRole('button', { name: 'Place Order' })
const cartLink = (page: Page) => page.getByRole('banner').getByRole('link', { name: /^Cart/ })
const lines = (page: Page) => page.getByRole('main').locator('ul > li')
const total = (page: Page) => page.getByRole('region', { name: 'Total' }).getByRole('status')
const order = (page: Page) => page.getByRole('region', { name: 'Your order' })
const state = (page: Page, text: string | RegExp) => page.getByRole('status').filter({ hasText: text })

async function add(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await started(page)
  await page.getByRole('button', { name: 'Add to cart' }).click()
  await expect(page.getByText('Added to cart.')).toBeVisible()
}

/** Places the order, and returns the link of its page. */
async function place(page: Page): Promise<string> {
  await placeOrder(page).click()
  await expect(page).toHaveURL(/\/order\/[0-9a-f]{24}#[\w-]{43}$/)
  await expect(state(page, 'Awaiting payment. Your items are reserved until')).toBeVisible()
  return page.url()
}

test('a guest orders, cancels, orders again, pays, and adds the order to an account', async ({
  page,
  admin,
  openOther,
  expectConsole,
}) => {
  test.slow()
  // The shop is away, a card is declined, and orders are not found.
  expectConsole(/ERR_FAILED|status of (401|402|404)/)
  const jacket = await addProductInSizes(admin, { M: 5, L: 5 }, { name: 'Touring jacket', price: 199 })
  const pads = await addPart(admin, { price: 12, minimum: 2, quantity: 20 })
  const email = newEmail()
  const urls: string[] = []
  page.on('request', (request) => urls.push(request.url(), request.headers().referer ?? ''))

  await test.step('checkout without a cart offers products and the login', async () => {
    await page.goto('/checkout')
    await expect(page.getByRole('heading', { name: 'Your cart is empty.' })).toBeVisible()
    await expectAccessible(page, 'checkout without a cart')
  })

  await test.step('the form shows the lines, and focuses the first missing value', async () => {
    await add(page, `/product/${jacket._id}?size=M`)
    await page.getByRole('link', { name: 'check out' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Checkout')
    await add(page, `/product/${jacket._id}?size=L`)
    await add(page, `/product/${pads._id}`)
    await page.getByRole('link', { name: 'View cart' }).click()
    await expect(page.getByText('By card, after you place the order')).toBeVisible()
    await page.getByRole('link', { name: 'Checkout' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Checkout')
    await expect(order(page).getByRole('listitem')).toHaveCount(3)
    await expect(total(page)).toHaveText('$422')
    await expect(field(page, 'Email')).toHaveAccessibleDescription(
      'We send your receipt and delivery updates to this address.',
    )
    await expect(
      page.getByText('Already have an account? Log in and your cart comes with you.'),
    ).toBeVisible()
    await placeOrder(page).click()
    await expect(field(page, 'Email')).toBeFocused()
    await expectError(page, 'Country', 'Select a country')
    await expectAccessible(page, 'checkout with errors')
    await field(page, 'Country').selectOption('US')
    await placeOrder(page).click()
    await expectError(page, 'State or region', 'State or region is required')
    await field(page, 'Country').selectOption('DE')
    await expect(page.getByText('State or region is required')).toHaveCount(0)
    await expect(page.getByText('Postal code is required')).toHaveCount(0)
    await field(page, 'Country').selectOption('')
    const html = await (await page.request.get('/checkout')).text()
    expect(html).toContain('noindex')
    expect(html).not.toContain(jacket._id)
  })

  await test.step('an order whose response is lost is placed once, even after a reload', async () => {
    await fillDelivery(page, email)
    await field(page, 'Delivery note (optional)').fill('Ring twice.')
    await page.route('**/api/v1/orders', async (route) => {
      await route.fetch()
      await route.abort()
    })
    await placeOrder(page).click()
    const unanswered = page.getByText(
      'We did not get an answer. Press Place Order again. You will not order twice.',
    )
    await expect(unanswered).toBeVisible()
    await page.unroute('**/api/v1/orders')
    // Charges that cannot be calculated block no order that was sent.
    const charges = await failingCharges(page)
    await page.reload()
    await expect.poll(charges.asked).toBeGreaterThan(0)
    await expect(unanswered).toBeVisible()
    await expect(placeOrder(page)).not.toHaveAttribute('aria-describedby')
    await charges.end()
    await expect(field(page, 'City')).toHaveValue('Springfield')
    await expect(field(page, 'City')).toBeDisabled()
    await expectAccessible(page, 'an order without an answer')
  })

  await test.step('an order that gets no answer is sent again after 8 s', async () => {
    // The shop places the order, and the answer never arrives.
    await page.route('**/api/v1/orders', async (route) => void (await route.fetch()), { times: 1 })
    const sent = page.waitForRequest('**/api/v1/orders')
    await placeOrder(page).click()
    await sent
    const waiting = page.getByText('We are still waiting for an answer. You will not order twice.')
    await passSlow(page, 7_990)
    await expect(waiting).toBeHidden()
    await passSlow(page, 8_010)
    await expect(waiting).toBeVisible()
    await page.getByRole('link', { name: 'Try again' }).click()
    await expect(state(page, 'Awaiting payment. Your items are reserved until')).toBeVisible()
  })

  const first = page.url()
  const key = new URL(first).hash.slice(1)
  await test.step('the page of the order shows its lines and its link, and the cart is empty', async () => {
    expect(await readStock(admin, pads._id)).toBe(18)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Order #[0-9a-f]{6}$/)
    await page.getByRole('link', { name: 'Skip to content' }).press('Enter')
    await expect(page.getByRole('main')).toBeFocused()
    expect(page.url()).toBe(first)
    await expect(page.getByText('Save this link. It opens your order without an account.')).toBeVisible()
    await expect(page.getByText('We also sent it to you.')).toBeVisible()
    await expect(
      page.getByText(/^A question about this order\? Contact us and mention #[0-9a-f]{6}\.$/),
    ).toBeVisible()
    await expect(order(page)).toContainText(/Touring jacket.*M.*Touring jacket.*L.*\$422/s)
    await expect(page.getByText('14 Kickstand Lane, Springfield, IL 62701, United States')).toBeVisible()
    await expect(page.getByText('Ring twice.')).toBeVisible()
    await expect(page.getByRole('banner').getByRole('link', { name: 'Cart', exact: true })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Pay $422' })).toBeEnabled()
    await expectAccessible(page, 'an unpaid order')
  })

  const stranger = await openOther()
  const orderNumber = /\/order\/(\w{6})/.exec(first)?.[1]
  await test.step('the cart, other pages and an email lead back to the unpaid order', async () => {
    await page.goBack()
    await expect(page).toHaveURL('/cart')
    await expect(page.getByText(`Order #${orderNumber} awaits payment.`)).toBeInViewport()
    await expect(page.getByRole('heading', { name: 'Your cart is empty.' })).toBeInViewport()
    await expectAccessible(page, 'a cart with an unpaid order')
    await page.goto('/products')
    await page.getByRole('link', { name: `Order #${orderNumber} awaits payment · Pay` }).click()
    await expect(page).toHaveURL(first)
    expect(await linkTo(stranger, email, `Order #${orderNumber} awaits payment`)).toBe(first)
  })

  await test.step('the link opens the order in another browser, where it is cancelled', async () => {
    await stranger.goto(first)
    await expect(state(stranger, 'Awaiting payment.')).toBeVisible()
    await stranger.getByRole('button', { name: 'Cancel order' }).click()
    await expect(stranger.getByRole('dialog')).toContainText('3 items. We put them back on the shelf.')
    await expectAccessible(stranger, 'the question before a cancellation')
    await stranger.getByRole('button', { name: 'Yes', exact: true }).click()
    const cancelled = state(stranger, 'This order was cancelled. You have not been charged.')
    await expect(cancelled).toBeFocused()
    await expect(stranger.getByRole('button', { name: /^Pay/ })).toHaveCount(0)
    await expectAccessible(stranger, 'a cancelled order')
    expect(await readStock(admin, pads._id)).toBe(20)
    await page.goto('/products')
    await expect
      .poll(() => page.evaluate(() => localStorage.getItem('unpaid-orders')))
      .toContain('"ended":"cancelled"')
    await expect(page.getByText('awaits payment')).toHaveCount(0)
  })

  await test.step('the cart offers the items of a cancelled order, until they are put back or dismissed', async () => {
    const ended = (on: Page) => on.getByText(`Order #${orderNumber} was cancelled.`)
    await stranger.goto('/cart')
    await expect(ended(stranger)).toBeInViewport()
    await expectAccessible(stranger, 'a cart with a cancelled order')
    await stranger.getByRole('button', { name: 'Put its items back' }).click()
    await expect(lines(stranger)).toHaveCount(3)
    await expect(total(stranger)).toHaveText('$422')
    await expect(ended(stranger)).toHaveCount(0)
    await expect(stranger.getByRole('main')).toBeFocused()

    await page.goto('/cart')
    await expect(ended(page)).toBeVisible()
    await page.getByRole('button', { name: `Dismiss order #${orderNumber}` }).click()
    await expect(ended(page)).toHaveCount(0)
    expect(await page.evaluate(() => localStorage.getItem('unpaid-orders'))).toBeNull()
  })

  await test.step('its page puts them back too, and a repeated press changes nothing', async () => {
    await stranger.goto(first)
    await stranger.getByRole('button', { name: 'Put the items back into the cart' }).click()
    await expect(stranger).toHaveURL('/cart')
    await expect(lines(stranger)).toHaveCount(3)
    await expect(total(stranger)).toHaveText('$422')
  })

  await test.step('without its whole link the order is not found', async () => {
    await stranger.goto('/')
    await stranger.goto(first.slice(0, -1))
    await expect(stranger.getByRole('heading', { name: 'We cannot find this order.' })).toBeVisible()
    await expect(stranger.getByText('Check that you opened the complete link.')).toBeVisible()
    await expectAccessible(stranger, 'a wrong key')
  })

  await add(page, `/product/${jacket._id}?size=L`)
  await page.goto('/checkout')
  await fillDelivery(page, email)
  const second = await place(page)
  await test.step('a declined card leaves the order unpaid, and another one pays it', async () => {
    await fillCard(page, '4000000000000002')
    await page.getByRole('button', { name: 'Pay $199' }).click()
    await expect(page.getByText('Your card was declined.')).toBeVisible()
    await fillCard(page, '4242424242424242')
    await page.getByRole('button', { name: 'Pay $199' }).click()
    await expect(page.getByText('Payment Successful..!')).toBeVisible()
    await expect(state(page, 'Paid. We are preparing your order.')).toBeVisible()
    await expectAccessible(page, 'a paid order')
    const number = /\/order\/(\w{6})/.exec(second)?.[1]
    expect(await linkTo(stranger, email, `Order #${number} received`)).toBe(second)
  })

  await test.step('the key is in no request URL and in no Referer', () => {
    expect(urls.filter((url) => url.includes(key) || url.includes(new URL(second).hash.slice(1)))).toEqual([])
  })

  await test.step('an account with the confirmed email takes the order, and its old link no longer works', async () => {
    await expect(page.getByText(`Your receipt goes to ${email}`)).toBeVisible()
    await expect(page.getByRole('list', { name: 'Steps' }).locator('[aria-current]')).toHaveCount(0)
    await page.getByRole('button', { name: 'Choose a password' }).click()
    await field(page, 'Password').fill(password)
    await page.getByRole('button', { name: 'Create account' }).click()
    await expect(state(page, 'Account created')).toBeVisible()
    await page.goto(await linkTo(page, email, 'Confirm your email'))
    await page.getByRole('button', { name: 'Confirm email' }).click()
    await expect(page.getByRole('status').filter({ hasText: 'Email confirmed' })).toBeVisible()
    await page.goto('/dashboard/my-orders')
    await page.getByRole('button', { name: 'Add it to My Orders' }).click()
    await expect(page.getByText('1 order added.')).toBeVisible()
    await stranger.goto('/')
    await stranger.goto(second)
    await expect(stranger.getByRole('heading', { name: 'We cannot find this order.' })).toBeVisible()
    await page.goto(new URL(second).pathname)
    await expect(state(page, 'Paid. We are preparing your order.')).toBeVisible()
    await expect(page.getByText(`Your receipt goes to ${email}`)).toBeVisible()
    await expect(page.getByText('Save this link.')).toHaveCount(0)
  })

  await test.step('the customer cancels the paid order, and the admin sees the refund', async () => {
    await page.goto('/dashboard/my-orders')
    await page.getByRole('button', { name: 'Details' }).click()
    await page.getByRole('dialog').getByRole('link', { name: 'Order page' }).click()
    await page.getByRole('button', { name: 'Cancel order' }).click()
    await expect(page.getByRole('dialog')).toContainText('We refund $199 to your card.')
    await page.getByRole('button', { name: 'Yes', exact: true }).click()
    await expect(state(page, 'Cancelled and refunded. The money arrives in 5 to 10 days.')).toBeFocused()
    await expect(page.getByRole('button', { name: 'Cancel order' })).toHaveCount(0)
    await expectAccessible(page, 'a refunded order')
    const number = /\/order\/(\w{6})/.exec(second)?.[1]
    expect(await linkTo(stranger, email, `Refund for order #${number}`)).toMatch(/\/dashboard\/my-orders$/)
    await admin.goto('/dashboard/refunds')
    await expect(
      admin.getByRole('row', { name: new RegExp(`#${number}.*\\$199.*Order cancelled`) }),
    ).toContainText('Refunded')
  })
})

test('Buy Now without an account, again and again, orders the larger quantity', async ({ page, admin }) => {
  const { _id } = await addPart(admin, { minimum: 1 })
  for (const [wanted, ordered] of [
    [1, 1],
    [1, 1],
    [3, 3],
    [2, 3],
  ]) {
    await page.goto(`/purchase/${_id}?quantity=${wanted}`)
    await page.getByRole('button', { name: 'Order without an account' }).click()
    await expect(page).toHaveURL('/checkout')
    await expect(order(page).getByText(new RegExp(`^${ordered} ×`))).toBeVisible()
  }
})

test('a guest searches, fills a cart, signs up, has it on two devices, orders, and pays', async ({
  page,
  admin,
  openOther,
  expectConsole,
}) => {
  test.slow()
  expectConsole(/status of 40[12]/) // A session ends, and a card is declined.
  const jacket = await addProductInSizes(
    admin,
    { M: 5, L: 5 },
    { name: `Rain jacket ${Date.now()}`, price: 99 },
  )
  const pads = await addProduct(admin, { price: 40, minimum: 2, quantity: 20 })
  const oil = await addPart(admin, { price: 13, minimum: 1 })
  const email = newEmail()
  const quantityOfPads = (on: Page) => field(on, `Quantity of ${pads.name}, XL, Red`)

  await test.step('a guest searches, and adds three items, two of them sizes of one jacket', async () => {
    await page.goto('/cart')
    await expect(page.getByRole('heading', { name: 'Your cart is empty.' })).toBeVisible()
    await expect(cartLink(page)).toHaveAccessibleName('Cart')
    await page.getByRole('link', { name: 'Browse the products' }).click()
    await page.getByRole('searchbox', { name: 'Search products' }).fill(jacket.name.toLowerCase())
    await page.getByRole('article').getByRole('link', { name: jacket.name }).click()
    for (const size of ['M', 'L']) {
      await page.getByRole('main').getByRole('link', { name: size, exact: true }).click()
      await expect(page).toHaveURL(new RegExp(`/product/${jacket._id}/.*\\?size=${size}$`))
      await page.getByRole('button', { name: 'Add to cart' }).click()
      await expect(page.getByText('Added to cart.')).toBeVisible()
    }
    await expect(cartLink(page)).toHaveAccessibleName('Cart, 2 items')
    await add(page, `/product/${pads._id}?size=XL&colour=Red`)
    await expect(cartLink(page)).toHaveAccessibleName('Cart, 3 items')
    await page.getByRole('link', { name: 'View cart' }).click()
    await expect(lines(page)).toHaveCount(3)
    await expect(total(page)).toHaveText('$278')
  })

  await test.step('the cart is whole after a reload, and its document contains none of it', async () => {
    await page.reload()
    await expect(lines(page).filter({ hasText: jacket.name })).toHaveCount(2)
    await expect(lines(page).filter({ hasText: pads.name })).toContainText('XL, Red')
    const html = await (await page.request.get('/cart')).text()
    expect(html).not.toContain(jacket._id)
    expect(html).toContain('noindex')
  })

  await test.step('quantities are changed by buttons and by typing', async () => {
    const ofPads = quantityOfPads(page)
    await page.getByRole('button', { name: `Increase quantity of ${pads.name}` }).click()
    await expect(ofPads).toHaveValue('3')
    await expect(total(page)).toHaveText('$318')
    await ofPads.fill('0')
    await ofPads.press('Enter')
    await expect(page.getByText('Enter a whole number from 1 to 20')).toBeVisible()
    await ofPads.fill('1')
    await ofPads.press('Enter')
    await expect(page.getByText('The minimum order for this item is 2.')).toBeVisible()
    await expect(page.getByText('Remove or change the marked items to continue.')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Checkout' })).toHaveAttribute('aria-disabled', 'true')
    await ofPads.fill('4')
    await ofPads.press('Tab')
    await expect(page.getByRole('link', { name: 'Checkout' })).toHaveAttribute('href', '/checkout')
    await expect(total(page)).toHaveText('$358')
  })

  await test.step('signing up takes the cart along, and returns to it', async () => {
    await page.getByRole('main').getByRole('link', { name: 'Log in' }).click()
    await page.getByRole('link', { name: /sign up|create/i }).click()
    await signUp(page, email)
    await expect(page).toHaveURL('/cart')
    await expect.poll(() => page.evaluate(() => localStorage.getItem('cart'))).toBeNull()
    await expect(cartLink(page)).toHaveAccessibleName('Cart, 3 items')
    await expect(lines(page)).toHaveCount(3)
    await expect(total(page)).toHaveText('$358')
  })

  await test.step('a second browser adds to the same cart, and both show four', async () => {
    const second = await openOther()
    await add(second, `/product/${oil._id}`)
    await add(second, `/product/${pads._id}?size=XL&colour=Red`)
    await signIn(second, email)
    await expect(cartLink(second)).toHaveAccessibleName('Cart, 4 items')
    await second.goto('/cart')
    await expect(lines(second)).toHaveCount(4)
    // The larger quantity wins: 4 in the first browser.
    await expect(quantityOfPads(second)).toHaveValue('4')
    await page.reload()
    await expect(lines(page)).toHaveCount(4)
    await expect(cartLink(page)).toHaveAccessibleName('Cart, 4 items')
  })

  await test.step('a typed address stays while the cart is changed, and after a session that ends', async () => {
    const saved = {
      name: 'Robin',
      line1: '1 Main Street',
      city: 'Shelbyville',
      region: 'IL',
      postalCode: '62565',
      country: 'US',
    }
    await callAs(page, 'POST', '/v1/me/addresses', saved)
    const other = page.getByRole('radio', { name: 'Another address' })
    await page.getByRole('link', { name: 'Checkout' }).click()
    await other.check()
    await fillDelivery(page)
    await page.getByLabel('Save this address').check()
    await page.getByRole('link', { name: 'Change cart' }).click()
    await page.getByRole('link', { name: 'Checkout' }).click()
    await expect(other).toBeChecked()
    await expect(field(page, 'City')).toHaveValue('Springfield')

    await page.context().clearCookies()
    await page.evaluate(() => localStorage.setItem('accessToken', 'ended'))
    await placeOrder(page).click()
    await expect(page.getByRole('alert')).toContainText('Your session has ended. Log in to continue.')
    await page.getByRole('alert').getByRole('link', { name: 'Log in' }).click()
    await fillLogin(page, email)
    await expect(page).toHaveURL('/checkout')
    await expect(field(page, 'City')).toHaveValue('Springfield')
    await expect(page.getByLabel('Save this address')).toBeChecked()
  })

  await test.step('one order is placed, its address is saved, and the cart is empty', async () => {
    await expect(order(page).getByRole('listitem')).toHaveCount(4)
    await expect(total(page)).toHaveText('$371')
    await placeOrder(page).click()
    await expect(page).toHaveURL(/\/dashboard\/payment\/[0-9a-f]{24}$/)
    await expect(cartLink(page)).toHaveAccessibleName('Cart')
    await expect
      .poll(async () => (await callAs<{ line1: string }[]>(page, 'GET', '/v1/me/addresses'))[1]?.line1)
      .toBe('14 Kickstand Lane')
  })

  const number = /\/payment\/(\w{6})/.exec(page.url())?.[1]
  await test.step('a declined card leaves the order unpaid, another one pays it, and an email says so', async () => {
    const pay = page.getByRole('button', { name: 'Pay $371' })
    await fillCard(page, '4000000000000002')
    await pay.click()
    await expect(page.getByText('Your card was declined.')).toBeVisible()
    await fillCard(page, '4242424242424242')
    await pay.click()
    await expect(page.getByText('Payment Successful..!')).toBeVisible()
    expect(await linkTo(page, email, `Order #${number} received`)).toMatch(/\/dashboard\/my-orders$/)
  })

  await test.step('My Orders has one order with its four lines', async () => {
    await page.goto('/dashboard/my-orders')
    await expect(page.getByText(/and 3 more/)).toHaveCount(1)
    await page.getByRole('button', { name: 'Details' }).click()
    const items = page.getByRole('dialog').getByRole('region', { name: 'Items' })
    const texts = [`${jacket.name}M`, `${jacket.name}L`, `${pads.name}XL, Red`, '$160', oil.name]
    for (const text of texts) await expect(items).toContainText(text)
  })
})

test('of two buyers of the last size L, one gets it, and the other goes on with M', async ({
  page,
  admin,
  openOther,
  expectConsole,
}) => {
  expectConsole(/status of (409|500)/)
  const jacket = await addProductInSizes(admin, { M: 3, L: 1 }, { name: 'Summer jacket', price: 149 })
  const other = await openOther()
  for (const buyer of [page, other]) {
    await add(buyer, `/product/${jacket._id}?size=L`)
    await buyer.goto('/checkout')
    await fillDelivery(buyer, newEmail())
  }
  await place(other)

  await test.step('the second one reads which size is gone, and cannot order', async () => {
    await placeOrder(page).click()
    await expect(page.getByRole('alert')).toContainText(
      'Some items have changed. Please check your order and place it again.',
    )
    const line = order(page).getByRole('listitem').filter({ hasText: 'Summer jacket' })
    await expect(line.getByText('L', { exact: true })).toBeVisible()
    await expect(line).toContainText('This item is out of stock.')
    await expect(placeOrder(page)).toHaveAttribute('aria-disabled', 'true')
    await expect(placeOrder(page)).toHaveAccessibleDescription(
      'Remove or change the marked items to continue.',
    )
    await expectAccessible(page, 'checkout with a changed cart')
  })

  await test.step('M is ordered with the values that were typed before', async () => {
    await page.getByRole('link', { name: 'Summer jacket' }).click()
    await expect(page.getByText('Out of stock in L.')).toBeVisible()
    await page.getByRole('main').getByRole('link', { name: 'M', exact: true }).click()
    await page.getByRole('button', { name: 'Add to cart' }).click()
    await expect(page.getByText('Added to cart.')).toBeVisible()
    await page.goto('/checkout')
    await page.getByRole('button', { name: 'Remove Summer jacket, L' }).click()
    await expect(order(page).getByRole('listitem')).toHaveCount(1)
    await expect(field(page, 'City')).toHaveValue('Springfield')
  })

  await test.step('a changed price is shown with the new total, and ordered after another press', async () => {
    await editProduct(admin, jacket._id, {
      name: jacket.name,
      image: jacket.image,
      description: jacket.description,
      minimum: 1,
      price: 159.5,
    })
    await placeOrder(page).click()
    await expect(order(page)).toContainText('The price has changed from $149 to $159.50.')
    await expect(page.getByRole('alert')).toContainText('The new total is $159.50.')
    await expect(total(page)).toHaveText('$159.50')
    const failure = await failing(page, '**/api/v1/orders')
    await placeOrder(page).click()
    await expect(page.getByRole('alert')).toContainText('Press Place Order again. You will not order twice.')
    await failure.end()
    await place(page)
    await expect(order(page)).toContainText('$159.50')
  })
})
