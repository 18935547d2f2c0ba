import { formatDollars, multiplyPrice } from '../../contract/money.ts'
import { enter, fillCard, signUp } from './steps.ts'
import { expect, test } from './test.ts'

test('a visitor follows Buy Now, signs up, orders, is declined, pays, and the admin ships the order', async ({
  page,
  shop,
  browser,
  watch,
  expectConsole,
  extraHTTPHeaders,
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

  const row = page.getByRole('row').filter({ hasText: name })
  await expect(row.getByText('Pending').first()).toBeVisible()
  await row.getByRole('link', { name: 'Pay' }).click()
  await expect(page.getByRole('heading', { name: /^Payment for Order #[0-9a-f]{6}$/ })).toBeVisible()
  await expect(page.getByText('TEST MODE')).toBeVisible()

  const pay = page.getByRole('button', { name: /^Pay/ })
  await expect(pay).toBeEnabled()
  await expect(pay).toContainText(formatDollars(multiplyPrice(price, minimum)))
  await fillCard(page, '4000000000000002')
  await pay.click()
  await expect(page.getByText('Your card was declined.')).toBeVisible()
  await fillCard(page, '4242424242424242')
  // The rider sees the success before the shop has recorded it.
  const recorded = page.waitForResponse((response) => response.request().method() === 'PATCH')
  await pay.click()
  await expect(page.getByText('Payment Successful..!')).toBeVisible()
  await recorded
  await expect(page.getByText(/Trx\. Id pi_\w+/)).toBeVisible()

  await page.goto('/dashboard/my-orders')
  await expect(row.getByText('Paid')).toBeVisible()
  await expect(row.getByRole('link', { name: 'Pay' })).toBeHidden()

  const desk = await browser.newContext({ baseURL: shop.origin, extraHTTPHeaders })
  const admin = await desk.newPage()
  watch(admin)
  await enter(admin, 'admin@example.com', shop.password)
  await admin.goto('/dashboard/manage-orders')
  const parcel = admin.getByRole('row').filter({ hasText: name }).first()
  await parcel.getByRole('button', { name: 'Delivered' }).click()
  await expect(parcel.getByText('Shipped', { exact: true })).toBeVisible()
  await desk.close()

  await page.reload()
  await expect(row.getByText('Shipped')).toBeVisible()
})
