import type { Locator, Page } from '@playwright/test'
import { formatDate } from '../../contract/dates.ts'
import { formatDollars, multiplyPrice } from '../../contract/money.ts'
import { expectAccessible, readScrollWidth } from './axe.ts'
import { callAs, failing } from './specification-steps.ts'
import {
  enter,
  enterAsNewRider,
  fillCard,
  placeOrder,
  readStock,
  type ShownProduct,
  signUp,
} from './steps.ts'
import { expect, test } from './test.ts'

const heads = (page: Page) => page.getByRole('columnheader')
const row = (page: Page, text: string | RegExp) => page.getByRole('row').filter({ hasText: text })
const pay = (page: Page) => page.getByRole('button', { name: /^Pay \$/ })

/** Returns the order details in the dialog, by label. They are read at once, because some rows come later. */
const readDetails = (page: Page): Promise<Record<string, string>> =>
  page
    .getByRole('dialog')
    .locator('dl > div')
    .evaluateAll((rows) => {
      const read = (row: Element, tag: string) => row.querySelector<HTMLElement>(tag)?.innerText ?? ''
      return Object.fromEntries(rows.map((row) => [read(row, 'dt'), read(row, 'dd')]))
    })

test('my orders has its columns, and the actions of an order in each state', async ({ page, shop }) => {
  await enter(page, 'rider@example.com', shop.password)
  await page.goto('/dashboard/my-orders')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('My Orders')
  const columns = ['Name', 'Quantity', 'Total', 'Payment', 'Shipment', 'Action']
  await expect(heads(page)).toHaveCount(columns.length)
  for (const name of columns)
    await expect(page.getByRole('columnheader', { name, exact: true })).toBeVisible()

  const actions = (each: Locator) => each.getByRole('link').or(each.getByRole('button'))
  const unpaid = row(page, 'Pay').filter({ has: page.getByRole('link', { name: 'Pay', exact: true }) })
  await expect(actions(unpaid)).toHaveText(['Pay', 'Details', 'Cancel'])
  await expect(unpaid.getByText('Pending', { exact: true })).toHaveCount(2)
  const paid = row(page, 'Paid').filter({ hasText: 'Pending' })
  await expect(actions(paid)).toHaveText(['Buy again', 'Details'])
  const shipped = row(page, 'Shipped').first()
  await expect(actions(shipped)).toHaveText(['Buy again', 'Details'])
})

test('a customer looks at an order and cancels it', async ({ page, expectConsole }) => {
  expectConsole(/status of 500/)
  await page.clock.install()
  await enterAsNewRider(page)
  const { id, product } = await placeOrder(page)
  const stock = await readStock(page, product._id)
  const open = page.getByRole('button', { name: 'Details' })
  const details = async () => {
    await page.goto('/dashboard/my-orders')
    await open.click()
    await expect(page.getByRole('dialog').getByRole('heading', { level: 2 })).toHaveText(
      `Order #${id.slice(0, 6)}`,
    )
    return readDetails(page)
  }

  await test.step('the details of an order have number, product, date, states, prices and customer', async () => {
    const shown = await details()
    const { date } = await callAs<{ date: string }>(page, 'GET', `/order?id=${id}`)
    expect(shown).toEqual({
      Product: product.name,
      'Order Date': formatDate(new Date(date)),
      'Pay By': expect.stringContaining(formatDate(new Date(Date.parse(date) + 72 * 3_600_000))),
      'Payment Status': 'Pending',
      'Shipment Status': 'Pending',
      'Unit Price': formatDollars(product.price),
      Quantity: String(product.minimum),
      Total: formatDollars(multiplyPrice(product.price, product.minimum)),
      'Customer Name': 'Robin Rider',
      Phone: '–',
      'Shipping Address': '14 Kickstand Lane',
    })
    const history = page.getByRole('dialog').getByRole('region', { name: 'History' })
    await expect(history.getByRole('listitem')).toHaveText([/^Order placed/])
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()
    await expect(open).toBeFocused()
    // The second click hits the backdrop.
    await open.dblclick()
    await expect(page.getByRole('dialog')).toBeVisible()
  })

  await test.step('the details of an imported order without a date and a name have defaults', async () => {
    await page.route('**/api/orders?**', async (route) => {
      if (route.request().url().includes('status=cancelled')) return route.fallback()
      const response = await route.fetch()
      const [{ date: _, ...order }] = await response.json()
      await route.fulfill({
        response: response,
        json: [{ ...order, customerName: '', customerPhone: '555 01' }],
      })
    })
    expect(await details()).toMatchObject({
      'Order Date': '1 January 2022',
      'Customer Name': '–',
      Phone: '555 01',
    })
    await page.unroute('**/api/orders?**')
  })

  await page.goto('/dashboard/my-orders')
  const line = row(page, product.name)
  const question = page.getByRole('dialog')

  await test.step('a cancellation that fails is sent once, and can be sent again', async () => {
    await line.getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByText('You are about to cancel your order')).toBeVisible()
    await expect(page.getByText('Are you sure?')).toBeVisible()
    const cancelling = await failing(page, '**/api/delete-order?**')
    await question.getByRole('button', { name: 'Yes' }).click()
    await expect(question.getByRole('alert')).toContainText('Something went wrong on our side')
    await page.clock.fastForward(60_000)
    expect(cancelling.asked()).toBe(1)
    await cancelling.end()
  })

  await test.step('Cancel asks first and gives the stock back', async () => {
    await question.getByRole('button', { name: 'No', exact: true }).click()
    await expect(line).toBeVisible()
    await line.getByRole('button', { name: 'Cancel' }).click()
    await question.getByRole('button', { name: 'Yes' }).click()
    await expect(page.getByText('Order Canceled Successfully')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'No orders yet' })).toBeVisible()
    await expect(line).toBeHidden()
    expect(await readStock(page, product._id)).toBe(stock + product.minimum)
  })

  await test.step('the items of a cancelled order can be put back into the cart', async () => {
    const cancelled = page.getByRole('region', { name: 'Cancelled orders' }).getByRole('listitem')
    await expect(cancelled.getByRole('link', { name: product.name })).toHaveAttribute(
      'href',
      /^\/order\/\w+$/,
    )
    await cancelled.getByRole('button', { name: `Buy again: ${product.name}` }).click()
    await expect(page).toHaveURL('/cart')
    await expect(page.getByLabel(`Quantity of ${product.name}`, { exact: true })).toHaveValue(
      `${product.minimum}`,
    )
  })
})

test('a visitor follows Buy Now, signs up, orders, is declined, pays, and the admin ships the order', async ({
  page,
  admin,
  expectConsole,
}) => {
  // The browser itself reports that the provider declines the first card.
  expectConsole(/status of 402/)

  await page.goto('/products')
  const card = page.getByRole('article').filter({ hasText: 'front brake pads' }).first()
  const price = Number((await card.getByText(/^\$[\d.]+$/).innerText()).slice(1))
  const minimum = Number(/\d+/.exec(await card.getByText(/min/i).innerText())?.[0])
  const name = await card.getByRole('heading').innerText()
  await card.getByRole('link', { name: /Buy Now/ }).click()
  await expect(page).toHaveURL(/\/login$/)

  await page.getByRole('link', { name: /sign up|create/i }).click()
  await expect(page).toHaveURL(/\/signup$/)
  await signUp(page)
  await expect(page).toHaveURL(/\/purchase\/[0-9a-f]{24}$/)
  await expect(page.getByRole('heading', { name })).toBeVisible()

  const order = page.getByRole('button', { name: 'Place Order' })
  await page.getByLabel('Address').fill('14 Kickstand Lane')
  await page.getByLabel('Quantity', { exact: true }).fill('99999')
  await order.click()
  await expect(page.getByRole('alert').filter({ hasText: 'Quantity not matched' })).toBeVisible()

  await page.getByLabel('Quantity', { exact: true }).fill(String(minimum))
  await order.click()
  await expect(page).toHaveURL(/\/dashboard\/my-orders$/)
  await expect(page.getByText('Order Placed successfully')).toBeVisible()

  const line = row(page, name)
  await expect(line.getByText('Pending').first()).toBeVisible()
  await line.getByRole('link', { name: 'Pay' }).click()
  await expect(page.getByRole('heading', { name: /^Payment for Order #[0-9a-f]{6}$/ })).toBeVisible()
  await expect(page.getByText('TEST MODE')).toBeVisible()
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''

  await admin.goto('/dashboard/manage-orders')
  const find = async (wanted: string) => {
    await admin.getByRole('searchbox').fill(`#${wanted.slice(0, 6)}`)
    await admin.getByRole('searchbox').press('Enter')
    await expect(admin.getByRole('button', { name: 'Details' })).toHaveCount(1)
  }

  await test.step('manage orders has Status, Delivered for paid orders that are not shipped, and Cancel for unpaid ones', async () => {
    for (const head of ['Name', 'Quantity', 'Total', 'Payment', 'Status', 'Action']) {
      await expect(admin.getByRole('columnheader', { name: head, exact: true })).toBeVisible()
    }
    await find(id)
    await expect(admin.getByRole('button', { name: 'Delivered' })).toHaveCount(0)
    await expect(admin.getByRole('button', { name: 'Cancel' })).toBeVisible()
    await admin.getByRole('button', { name: 'Details' }).click()
    await expect(admin.getByRole('dialog')).toBeVisible()
    expect(await readDetails(admin)).toMatchObject({
      Product: name,
      'Shipping Address': '14 Kickstand Lane',
    })

    await expect(pay(page)).toBeEnabled()
    await expect(pay(page)).toContainText(formatDollars(multiplyPrice(price, minimum)))
    await fillCard(page, '4000000000000002')
    await pay(page).click()
    await expect(page.getByText('Your card was declined.')).toBeVisible()
    await fillCard(page, '4242424242424242')
    // The rider sees the success before the shop has recorded it.
    const recorded = page.waitForResponse((response) => response.request().method() === 'PATCH')
    await pay(page).click()
    await expect(page.getByText('Payment Successful..!')).toBeVisible()
    await recorded
    await expect(page.getByText(/Trx\. Id pi_\w+/)).toBeVisible()
    await page.goto('/dashboard/my-orders')
    await expect(line.getByText('Paid')).toBeVisible()
    await expect(line.getByRole('link', { name: 'Pay' })).toBeHidden()

    await admin.reload()
    await find(id)
    await expect(admin.getByRole('button', { name: 'Cancel' })).toHaveCount(0)
    const sent = admin.waitForRequest('**/api/update-shipping/*')
    await admin.getByRole('button', { name: 'Delivered' }).click()
    expect((await sent).postDataJSON()).toEqual({ shipping: 'Shipped' })
    await expect(row(admin, name).getByText('Shipped', { exact: true })).toBeVisible()
    await expect(admin.getByRole('button', { name: 'Delivered' })).toHaveCount(0)

    await page.reload()
    await expect(line.getByText('Shipped')).toBeVisible()
  })

  await test.step('an admin cancels an unpaid order after the same question', async () => {
    await find((await placeOrder(page)).id)
    await admin.getByRole('button', { name: 'Cancel' }).click()
    const question = admin.getByRole('dialog', { name: 'You are about to cancel your order' })
    await expect(question.getByText('Are you sure?', { exact: true })).toBeVisible()
    await expect(question.getByRole('button', { name: 'No', exact: true })).toBeVisible()
    await question.getByRole('button', { name: 'Yes', exact: true }).click()
    await expect(admin.getByText('Order Canceled Successfully')).toBeVisible()
    await expect(admin.getByRole('heading', { name: 'No results' })).toBeVisible()
  })
})

test('an order of several lines is shown, packed and claimed', async ({ page, shop }) => {
  const several = row(page, /and \d more/)
  const lines = page
    .getByRole('region', { name: 'Items' })
    .getByRole('row')
    .filter({ has: page.getByRole('cell') })
  await page.setViewportSize({ width: 360, height: 800 })

  await test.step('its details list the lines, on a phone as cards', async () => {
    await enter(page, 'rider@example.com', shop.password)
    await page.goto('/dashboard/my-orders')
    await expect(several.locator('img')).toBeVisible()
    await several.getByRole('button', { name: 'Details' }).click()
    await expect(lines).toHaveText([
      /Sintered front brake pads.*GRA-D00015.*Unit Price\$38\.90Quantity2Total\$77\.80$/,
      /engine oil, 4 L.*Quantity4Total\$151\.80$/,
      /leather boots.*Quantity1Total\$199$/,
    ])
    const details = await readDetails(page)
    expect(details).toMatchObject({ Quantity: '7', Total: '$428.60' })
    expect(details.Product).toMatch(/Sintered front brake pads and 2 more$/)
    expect(details).not.toHaveProperty('Unit Price')
    await expect(page.getByRole('button', { name: 'Print packing slip' })).toHaveCount(0)
    await expectAccessible(page, 'the details of an order of several lines')
  })

  await test.step('Buy again puts its items into the cart, and a second press changes nothing', async () => {
    const quantities = page.getByLabel(/^Quantity of/)
    for (let press = 1; press <= 2; press++) {
      await page.goto('/dashboard/my-orders')
      await several.getByRole('button', { name: /^Buy again/ }).click()
      await expect(page).toHaveURL(/\/cart$/)
      await expect(quantities).toHaveCount(3)
      const shown = await quantities.evaluateAll((all) =>
        all.map((input) => (input as HTMLInputElement).value),
      )
      expect(shown.toSorted()).toEqual(['1', '2', '4'])
    }
    for (const left of [2, 1, 0]) {
      await page
        .getByRole('button', { name: /^Remove/ })
        .first()
        .click()
      await expect(quantities).toHaveCount(left)
    }
  })

  await test.step('an admin finds it by a part number, and prints a packing slip without prices', async () => {
    await enter(page, 'admin@example.com', shop.password)
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.goto('/dashboard/manage-orders?q=mer-d00023')
    await several.getByRole('button', { name: 'Details' }).click()
    await expect(lines).toHaveCount(3)
    const slip = page.getByRole('article').filter({ hasText: 'Packing slip' })
    await expect(slip).toBeHidden()
    await page.evaluate(() => {
      window.print = () => document.body.setAttribute('data-printed', '')
    })
    await page.getByRole('button', { name: 'Print packing slip' }).click()
    await expect(page.locator('body')).toHaveAttribute('data-printed')
    await page.emulateMedia({ media: 'print' })
    await expect(page.getByRole('dialog')).toBeHidden()
    await expect(page.getByRole('row')).toHaveText([
      /^Part number/,
      /^GRA-D00015.*Sintered front brake pads––2$/,
      /^MER-D00023.*engine oil, 4 L––4$/,
      /^KES-D00004.*leather boots.*1$/,
      'Pieces7',
    ])
    await expect(slip).toContainText(
      /#[0-9a-f]{6}.*Robin Rider\s+14 Kickstand Lane\s+Portland, OR 97201\s+United States.*Please knock/,
    )
    await expect(page.locator('body')).not.toHaveText(/\$|Not paid/, { useInnerText: true })
    expect(await readScrollWidth(page)).toBe(1280)
    await page.emulateMedia({ media: 'screen' })
  })

  await test.step('an admin sees which orders are from guests, with the parts of the address and the note', async () => {
    await orderAsGuest(page, 'rider@example.com')
    await orderAsGuest(page, 'rider@example.com')
    await page.goto('/dashboard/manage-orders?q=rider@example.com')
    await expect(several.filter({ hasText: 'Guest' })).toHaveCount(2)
    await expect(several).toHaveCount(3)
    await several.first().getByRole('button', { name: 'Details' }).click()
    await expect(page.getByText('by the guest')).toBeVisible()
    expect(await readDetails(page)).toMatchObject({
      'Customer Name': expect.stringMatching(/^Greta\s+Guest$/),
      'Shipping Address': '5 Long Road\nPortland, OR 97201\nUnited States',
      'Delivery Note': 'Please ring twice.',
    })
  })

  await test.step('the customer adds the guest orders to My Orders, finds their lines on the payment page, and cancels them', async () => {
    await enter(page, 'rider@example.com', shop.password)
    await page.setViewportSize({ width: 360, height: 800 })
    await page.goto('/dashboard/my-orders')
    await expect(page.getByText('You placed 2 orders as a guest with this email address.')).toBeVisible()
    await expect(several).toHaveCount(1)
    await expectAccessible(page, 'orders placed as a guest')
    await page.getByRole('button', { name: 'Add them to My Orders' }).click()
    await expect(page.getByText('2 orders added.')).toBeVisible()
    await expect(several).toHaveCount(3)

    await several.first().getByRole('link', { name: 'Pay' }).click()
    await expect(page.getByRole('region', { name: 'Your order' }).getByRole('listitem')).toHaveText([
      /Sintered front brake pads.*2 × \$38\.90\$77\.80$/,
      /engine oil, 4 L.*4 × \$37\.95\$151\.80$/,
    ])

    for (const left of [2, 1]) {
      await page.goto('/dashboard/my-orders')
      await several.first().getByRole('button', { name: 'Cancel' }).click()
      await expect(page.getByRole('dialog')).toContainText(
        /Are you sure\?Order #[0-9a-f]{6}: 2 items\. We put them back on the shelf\./,
      )
      await page.getByRole('button', { name: 'Yes' }).click()
      await expect(several).toHaveCount(left)
    }
  })
})

/** Orders the brake pads and the oil of the demo, without an account. */
async function orderAsGuest(page: Page, email: string): Promise<void> {
  const products = await callAs<ShownProduct[]>(page, 'GET', '/products')
  const lines = [/Sintered front brake pads/, /engine oil, 4 L/].map((name) => {
    const product = products.find((each) => name.test(each.name))
    if (!product) throw new Error(`${name} is not in the shop`)
    return { variantId: product._id, quantity: product.minimum, unitPrice: product.price }
  })
  const response = await page.request.post('/api/v1/orders', {
    headers: { 'idempotency-key': crypto.randomUUID() },
    data: {
      lines,
      total: 229.6,
      address: {
        name: 'Greta',
        line1: '5 Long Road',
        city: 'Portland',
        region: 'OR',
        postalCode: '97201',
        country: 'US',
      },
      email,
      note: 'Please ring twice.',
      asGuest: true,
    },
  })
  expect(response.ok(), await response.text()).toBe(true)
}
