import type { Page } from '@playwright/test'
import { addPart } from './admin-steps.ts'
import { expectAccessible } from './axe.ts'
import { expect, test } from './direct-shop.ts'
import { callAs, expectError, failingCharges, field, hold, losing } from './specification-steps.ts'
import { enterAsNewRider, fillCard, newEmail, passSlow, started } from './steps.ts'

test.use({ viewport: { width: 360, height: 740 } })

interface ListedRate {
  id: string
  name: string
  revision: string
}

const total = (page: Page) => page.getByRole('region', { name: 'Total' }).getByRole('status')
const order = (page: Page) => page.getByRole('region', { name: 'Your order' })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** Records the title of the document that is printed. */
const replacePrint = (page: Page) =>
  page.evaluate(() => {
    window.print = () => document.body.setAttribute('data-printed', document.title)
  })

test('an admin adds rates, and a guest pays what checkout shows for the address and a code', async ({
  page,
  admin,
  expectConsole,
}) => {
  test.slow()
  // A rate changes while the guest orders, a refund is too large, and a response is lost.
  expectConsole(/status of 409|net::ERR_FAILED/)
  const pads = await addPart(admin, { price: 12, minimum: 2, quantity: 20 })
  const email = newEmail()

  await test.step('the admin adds a rate after correcting its place', async () => {
    await admin.goto('/dashboard/charges')
    await expect(button(admin, 'Edit Express, Everywhere')).toBeVisible()
    // The keyboard goes to the form, and back to its button.
    await button(admin, 'Add shipping rate').press('Enter')
    await expect(field(admin, 'Name')).toBeFocused()
    await button(admin, 'Cancel').press('Enter')
    await expect(button(admin, 'Add shipping rate')).toBeFocused()
    await button(admin, 'Edit Express, Everywhere').press('Enter')
    await expect(field(admin, 'Name')).toBeFocused()
    await button(admin, 'Cancel').press('Enter')
    await expect(button(admin, 'Edit Express, Everywhere')).toBeFocused()
    await button(admin, 'Add shipping rate').click()
    await field(admin, 'Name').fill('Standard')
    await field(admin, 'Places (optional)').fill('Iceland')
    await field(admin, 'Price').fill('19.50')
    await button(admin, 'Save shipping rate').click()
    await expectError(
      admin,
      'Places (optional)',
      'Enter a country, a region or a postal code, such as US, US-NY or US 100',
    )
    // The error is above the button, and maybe above the screen.
    await expect(field(admin, 'Places (optional)')).toBeFocused()
    await expectAccessible(admin, 'the editor of a shipping rate')
    await field(admin, 'Places (optional)').fill('is, FO')
    await button(admin, 'Save shipping rate').click()
    await expect(admin.getByText('Shipping rate saved')).toBeVisible()
    await expect(button(admin, 'Edit Standard, IS, FO')).toBeVisible()
    await field(admin, 'Goods').fill('24')
    await button(admin, 'Show charges').click()
    await expectError(
      admin,
      'Place',
      'Enter a country with its region and postal code, such as US-TX or US-TX 78701',
    )
    await field(admin, 'Place').fill('is')
    await button(admin, 'Show charges').click()
    const preview = admin.getByRole('region', { name: 'Preview' })
    await expect(preview).toContainText(/Standard\s*\$19\.50\s*Express.*Total\s*\$43\.50/s)
  })

  await test.step('the admin adds a tax that the prices include', async () => {
    await button(admin, 'Add tax rate').click()
    await field(admin, 'Place').fill('is')
    await field(admin, 'Label').fill('VSK')
    await button(admin, 'Save tax rate').click()
    await expectError(admin, 'Rate', 'Rate is required')
    await field(admin, 'Rate').fill('24')
    await field(admin, 'The prices of the shop include this tax').check()
    await expectAccessible(admin, 'the editor of a tax rate')
    await button(admin, 'Save tax rate').click()
    await expect(button(admin, 'Edit VSK, IS')).toBeVisible()
    await expectAccessible(admin, 'charges with a tax')
  })

  await test.step('the admin adds a code after correcting its period', async () => {
    await admin.goto('/dashboard/codes')
    await expect(button(admin, 'Edit TORQUE10')).toBeVisible()
    await button(admin, 'Add code').click()
    await field(admin, 'Code').fill('ICE-2026')
    await field(admin, 'Kind').selectOption('Amount')
    await field(admin, 'Amount').fill('2.50')
    await field(admin, 'Starts (optional)').fill('2026-01-02T00:00')
    await field(admin, 'Ends (optional)').fill('2026-01-01T00:00')
    await button(admin, 'Save code').click()
    await expectError(admin, 'Ends (optional)', 'The code must end after it starts')
    await expectAccessible(admin, 'the editor of a code')
    // A date without its time is not saved as no end.
    await field(admin, 'Ends (optional)').fill('')
    await field(admin, 'Ends (optional)').pressSequentially('01012099')
    await button(admin, 'Save code').click()
    await expect(field(admin, 'Ends (optional)')).toBeFocused()
    await expect(button(admin, 'Save code')).toBeVisible()
    await field(admin, 'Ends (optional)').fill('2099-01-01T00:00')
    await button(admin, 'Save code').click()
    await expect(button(admin, 'Edit ICE-2026')).toBeVisible()
    await expectAccessible(admin, 'codes')
  })

  await test.step('a code that another admin has changed is not overwritten, and the typed text stays', async () => {
    await button(admin, 'Edit ICE-2026').click()
    await field(admin, 'Maximum uses (optional)').fill('50')
    const codes = await callAs<{ id: string }[]>(admin, 'GET', '/v1/coupons?q=ICE-2026')
    const { id, ...code } = codes[0] ?? { id: '' }
    await callAs(admin, 'PUT', `/v1/coupons/${id}`, { ...code, maxUses: 40 })
    await button(admin, 'Save code').click()
    await expect(
      admin.getByText('Someone else changed this. Reload the page to see the changes.'),
    ).toBeVisible()
    await expect(field(admin, 'Maximum uses (optional)')).toHaveValue('50')
    await expectAccessible(admin, 'a code that another admin has changed')
    await button(admin, 'Cancel').click()
    await button(admin, 'Edit ICE-2026').click()
    await expect(field(admin, 'Maximum uses (optional)')).toHaveValue('40')
    const current = (await callAs<{ id: string }[]>(admin, 'GET', '/v1/coupons?q=ICE-2026'))[0]
    await field(admin, 'Maximum uses (optional)').fill('60')
    await callAs(admin, 'PUT', `/v1/coupons/${id}`, {
      ...current,
      id: undefined,
      endsAt: '2098-01-01T00:00:00.000Z',
    })
    await button(admin, 'Save code').click()
    await expect(admin.getByText('Someone else changed other values in the meantime.')).toBeVisible()
    await expect(field(admin, 'Ends (optional)')).toHaveValue(/^20(97|98)-/)
    const release = await hold(admin, '**/api/v1/coupons/*')
    await button(admin, 'Save code').click()
    await expect(button(admin, 'Cancel')).toBeDisabled()
    release()
    await expect(button(admin, 'Edit ICE-2026')).toBeVisible()
  })

  await test.step('the cart leaves shipping to checkout, which asks for the address first', async () => {
    await page.goto(`/product/${pads._id}`)
    await started(page)
    await button(page, 'Add to cart').click()
    await expect(page.getByText('Added to cart.')).toBeVisible()
    await page.goto('/cart')
    await expect(page.getByText('Shipping and tax are calculated at checkout.')).toBeVisible()
    await page.getByRole('link', { name: 'Checkout' }).click()
    await expect(page.getByText('Enter your address to see shipping and tax.')).toBeVisible()
    await expect(page.getByRole('radio')).toHaveCount(0)
  })

  await test.step('each address and each option has its price', async () => {
    await field(page, 'Email').fill(email)
    await field(page, 'Name').fill('Gail Guest')
    await field(page, 'Address').fill('14 Kickstand Lane')
    await field(page, 'City').fill('Springfield')
    await field(page, 'Country').selectOption('US')
    await field(page, 'State or region').selectOption('IL')
    await expect(page.getByRole('radio', { name: /^Standard.*Free$/ })).toBeChecked()
    await expect(total(page)).toHaveText('$24')
    await page.getByRole('radio', { name: /^Express/ }).check()
    await expect(total(page)).toHaveText('$48.95')
    await expect(order(page)).toContainText(/Subtotal\s*\$24\.00\s*Shipping \(Express\)\s*\$24\.95/)
    await expectAccessible(page, 'checkout with shipping')
    await page.route('**/api/v1/cart/quote', () => undefined, { times: 1 })
    const sent = page.waitForRequest('**/api/v1/cart/quote')
    await field(page, 'Country').selectOption('IS')
    await sent
    await passSlow(page, 8_010)
    await expect(order(page)).toContainText('We are still calculating shipping and tax.')
    await order(page).getByRole('link', { name: 'Try again' }).click()
    await page.getByRole('radio', { name: /^Standard/ }).check()
    await expect(total(page)).toHaveText('$43.50')
    await expect(order(page)).toContainText(/Includes VSK 24%\s*\$8\.42/)
  })

  await test.step('a mistyped code says so, and the right one is taken off the total', async () => {
    const code = field(page, 'Discount code (optional)')
    await code.fill('ICE-2025')
    // Does not place the order.
    const element = await code.elementHandle()
    await code.press('Enter')
    await expectError(page, 'Discount code (optional)', 'This code is not valid.')
    // The same element: a screen reader announces the error.
    expect(await element?.evaluate((input) => input === document.activeElement)).toBe(true)
    await expect(total(page)).toHaveText('$43.50')
    await code.fill('ice2026')
    await button(page, 'Apply').click()
    await expect(order(page).getByText('Code ICE-2026 applied.')).toBeFocused()
    await expect(total(page)).toHaveText('$41')
    const charges = await failingCharges(page)
    await page.reload()
    await expect(order(page).getByText('Shipping could not be calculated.')).toBeVisible()
    await expect(order(page).getByText('Code ice2026')).toHaveText('Code ice2026')
    await charges.end()
    await button(page, 'Try again').click()
    await expect(page.getByRole('radio', { name: /^Standard/ })).toBeChecked()
    await expect(total(page)).toHaveText('$41')
    await button(page, 'Remove the code').click()
    await expect(code).toBeFocused()
    await expect(total(page)).toHaveText('$43.50')
    // A typed code is applied before the order, and its total shown.
    await code.fill('torque 10')
    await button(page, 'Place Order').click()
    await expect(order(page).getByRole('alert')).toHaveText(
      'The order is not placed yet. Check the code and the total, then press Place Order again.',
    )
    await expect(button(page, 'Place Order')).toBeFocused()
    await expect(total(page)).toHaveText('$41.10')
    await expect(order(page).getByText('Code TORQUE10 applied.')).toBeVisible()
    await expect(order(page)).toContainText(
      /Subtotal\s*\$24\.00\s*Discount \(TORQUE10\)\s*−\$2\.40\s*Shipping \(Standard\)\s*\$19\.50\s*Includes VSK 24%\s*\$7\.95/,
    )
    await expectAccessible(page, 'checkout with a code')
  })

  await test.step('a price that changes in the meantime is shown before the order', async () => {
    const rates = await callAs<{ id: string; places: string[] }[]>(admin, 'GET', '/v1/shipping-rates')
    const { id, ...rate } = rates.find(({ places }) => places.includes('IS')) ?? { id: '' }
    await callAs(admin, 'PUT', `/v1/shipping-rates/${id}`, { ...rate, price: 21 })
    await button(page, 'Place Order').click()
    await expect(page.getByRole('alert')).toContainText('The new total is $42.60.')
    await button(page, 'Place Order').click()
    await expect(button(page, 'Pay $42.60')).toBeVisible()
    await expect(order(page)).toContainText(
      /Subtotal\s*\$24\.00\s*Discount \(TORQUE10\)\s*−\$2\.40\s*Shipping \(Standard\)\s*\$21\.00\s*Includes VSK/,
    )
    await expectAccessible(page, 'an order with charges')
    await fillCard(page, '4242424242424242')
    await button(page, 'Pay $42.60').click()
    await expect(page.getByText('Payment Successful..!')).toBeVisible()
  })

  await test.step('the receipt has the same total', async () => {
    await replacePrint(page)
    await button(page, 'Print receipt').click()
    await expect(page.locator('body')).toHaveAttribute('data-printed', /^INV-\d{6}$/)
    await page.emulateMedia({ media: 'print' })
    await expect(page.getByRole('heading')).toHaveText(/^Receipt INV-\d{6}$/)
    await expect(page.getByRole('main')).toContainText(/To\s*Gail Guest\s*14 Kickstand Lane/)
    await expect(page.getByRole('row')).toHaveText([
      /^Product/,
      /2\$12\.00\$24\.00$/,
      'Subtotal$24.00',
      'Discount (TORQUE10)−$2.40',
      'Shipping (Standard)$21.00',
      /^Includes VSK 24%\$\d\.\d\d$/,
      'Total$42.60',
    ])
    await expectAccessible(page, 'a printed receipt')
    await page.emulateMedia({ media: 'screen' })
  })

  await test.step('the admin sees the charges of the order, and refunds a part of the shipping', async () => {
    const id = /\/order\/(\w{24})/.exec(page.url())?.[1] ?? ''
    await admin.goto(`/dashboard/manage-orders?q=${id.slice(0, 6)}`)
    await admin.getByRole('button', { name: 'Details' }).click()
    await expect(admin.getByRole('dialog')).toContainText(/Shipping \(Standard\)\s*\$21/)
    await button(admin, 'Refund').click()
    const refund = admin.getByRole('dialog', { name: `Refund #${id.slice(0, 6)}` })
    // The last pieces return the shipping too.
    await refund.getByLabel('Pieces').fill('2')
    await expect(refund.getByLabel('Amount')).toHaveValue('21.60')
    await expect(refund.getByLabel('Shipping', { exact: true })).toHaveValue('21')
    await refund.getByLabel('Pieces').fill('1')
    await expect(refund.getByRole('button', { name: 'Refund $10.80' })).toBeVisible()
    await expectAccessible(admin, 'the refund of pieces')
    await field(admin, 'What is refunded?').selectOption('An amount')
    await refund.getByLabel('Shipping', { exact: true }).fill('30')
    await refund.getByRole('button', { name: 'Refund $30' }).click()
    await expectError(admin, 'Reason', 'Reason is required')
    await expectAccessible(admin, 'the refund of a part')
    await field(admin, 'Reason').fill('The parcel came late')
    await refund.getByRole('button', { name: 'Refund $30' }).click()
    await expect(refund.getByRole('alert')).toHaveText('At most $21 can still be refunded here.')
    await refund.getByLabel('Shipping', { exact: true }).fill('5.50')
    await losing(admin, '**/refunds')
    await refund.getByRole('button', { name: 'Refund $5.50' }).click()
    await expect(refund.getByRole('alert')).toContainText('It will not refund twice.')

    const reopen = async () => {
      await refund.getByRole('button', { name: 'Cancel' }).click()
      await button(admin, 'Refund').click()
      await field(admin, 'What is refunded?').selectOption('An amount')
    }
    await reopen()
    await refund.getByLabel('Shipping', { exact: true }).fill('5.50')
    await field(admin, 'Reason').fill('The parcel came late')
    const release = await hold(admin, '**/refunds')
    await refund.getByRole('button', { name: 'Refund $5.50' }).click()
    await reopen()
    release()
    await expect(admin.getByText('Refund recorded')).toBeVisible()
    // The response to the dialog that was closed does not close this one.
    await refund.getByRole('button', { name: 'Cancel' }).click()
    // The same refund in a new dialog is the first one.
    await expect(
      admin.getByRole('region', { name: 'Refunds' }).getByText('The parcel came late'),
    ).toHaveCount(1)
  })

  await test.step('the admin prints the receipt of the refund, and then only the packing slip', async () => {
    await replacePrint(admin)
    await button(admin, 'Print refund receipt ($5.50)').click()
    await expect(admin.locator('body')).toHaveAttribute('data-printed', /^CN-\d{6}$/)
    await admin.emulateMedia({ media: 'print' })
    await expect(admin.getByRole('main')).toContainText(
      /^Refund receipt CN-.*Receipt\s*INV-.*Reason\s*The parcel came late/s,
    )
    await expect(admin.getByRole('row')).toHaveText([
      /^Product/,
      /^Shipping \(Standard\)–\$\d\.\d\d\$5\.50$/,
      /^Includes VSK 24%/,
      'Total refunded$5.50',
    ])
    await expectAccessible(admin, 'a printed refund receipt')
    await admin.emulateMedia({ media: 'screen' })
    await button(admin, 'Print packing slip').click()
    await admin.emulateMedia({ media: 'print' })
    await expect(admin.getByRole('heading')).toHaveText('Packing slip')
    await admin.emulateMedia({ media: 'screen' })
  })

  await test.step('another amount after a lost response is not a second refund', async () => {
    await button(admin, 'Refund').click()
    const refund = admin.getByRole('dialog', { name: /^Refund #/ })
    await field(admin, 'What is refunded?').selectOption('An amount')
    await refund.getByLabel('Shipping', { exact: true }).fill('1')
    await field(admin, 'Reason').fill('Scratched')
    await losing(admin, '**/refunds')
    await refund.getByRole('button', { name: 'Refund $1' }).click()
    await expect(refund.getByRole('alert')).toContainText('It will not refund twice.')
    await refund.getByLabel('Shipping', { exact: true }).fill('2')
    await refund.getByRole('button', { name: 'Refund $2' }).click()
    await expect(refund.getByRole('alert')).toContainText('recorded the refund that you sent before')
    await refund.getByRole('button', { name: 'Cancel' }).click()
    const refunds = admin.getByRole('region', { name: 'Refunds' })
    await expect(refunds.getByText('Scratched')).toHaveCount(1)
    await expect(refunds).toContainText('$1')
  })

  await test.step('the admin deletes the rates', async () => {
    await admin.goto('/dashboard/charges')
    await button(admin, 'Delete VSK, IS').click()
    await button(admin, 'Yes').click()
    await expect(admin.getByText('Tax rate deleted')).toBeVisible()
    await button(admin, 'Delete Standard, IS, FO').click()
    await button(admin, 'Yes').click()
    await expect(admin.getByText('Shipping rate deleted')).toBeVisible()
  })
})

test('if shipping has a price, the purchase screen leads to checkout with the item and the name', async ({
  page,
  admin,
  expectConsole,
}) => {
  expectConsole(/status of 409/)
  const pads = await addPart(admin, { price: 12, minimum: 2, quantity: 20 })
  const rates = await callAs<ListedRate[]>(admin, 'GET', '/v1/shipping-rates')
  const found = rates.find(({ name }) => name === 'Standard')
  // It is saved twice.
  const { id, revision: _revision, ...standard } = found ?? { id: '' }
  await callAs(admin, 'PUT', `/v1/shipping-rates/${id}`, { ...standard, price: 5.95 })
  try {
    await enterAsNewRider(page)
    await page.goto(`/purchase/${pads._id}`)
    await field(page, 'Name').fill('Robin of the Workshop')
    await field(page, 'Address').fill('14 Kickstand Lane')
    await button(page, 'Place Order').click()
    await expect(page.getByRole('alert')).toContainText(
      'Shipping and tax apply to this order. Please continue to checkout.',
    )
    await expectAccessible(page, 'a purchase that needs checkout')
    await button(page, 'Continue to checkout').click()
    await expect(page).toHaveURL('/checkout')
    await expect(field(page, 'Name')).toHaveValue('Robin of the Workshop')
    await field(page, 'Country').selectOption('US')
    await expect(total(page)).toHaveText('$29.95')

    // The input of checkout stays.
    await page.goto(`/purchase/${pads._id}`)
    await field(page, 'Address').fill('14 Kickstand Lane')
    await button(page, 'Place Order').click()
    await button(page, 'Continue to checkout').click()
    await expect(page).toHaveURL('/checkout')
    await expect(field(page, 'Country')).toHaveValue('US')
  } finally {
    await callAs(admin, 'PUT', `/v1/shipping-rates/${id}`, standard)
  }
})
