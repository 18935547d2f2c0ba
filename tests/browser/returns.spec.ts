import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { errors } from '../../contract/errors.ts'
import { addFitted } from './admin-steps.ts'
import { expectAccessible } from './axe.ts'
import { callAs, expectError, field } from './specification-steps.ts'
import { enterAsNewRider, expectSlowSentence, fillCard, newEmail, readStock, started } from './steps.ts'
import { expect, test } from './test.ts'

test.use({ viewport: { width: 360, height: 740 } })

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

const received = (page: Page) =>
  page.getByRole('status').filter({ hasText: 'We received your withdrawal on' })

/** Orders as a guest for a bike, and pays. The page then shows the order. */
async function orderAsGuest(
  page: Page,
  email: string,
  line: { variantId: string; unitPrice: number; bike: number },
): Promise<string> {
  const order = {
    lines: [{ ...line, quantity: 3 }],
    total: 3 * line.unitPrice,
    email,
    address: {
      name: 'Gail Guest',
      line1: '14 Kickstand Lane',
      city: 'Springfield',
      region: 'IL',
      postalCode: '62701',
      country: 'US',
    },
    asGuest: true,
  }
  const headers = { 'idempotency-key': randomUUID() }
  const placed = await page.request.post('/api/v1/orders', { data: order, headers })
  expect(placed.status(), await placed.text()).toBe(200)
  const { id, key } = await placed.json()
  await page.goto(`/order/${id}#${key}`)
  await fillCard(page, '4242424242424242')
  await button(page, `Pay $${3 * line.unitPrice}`).click()
  await expect(page.getByText('Payment Successful..!')).toBeVisible()
  return id
}

test('a guest returns an item that did not fit, and withdraws from another order without an account', async ({
  page,
  admin,
  expectConsole,
}) => {
  test.slow()
  // A response is lost, and a read fails.
  expectConsole(/ERR_FAILED|status of 404/)
  const range = { make: 'yamaha', model: 'yzf-r6', yearFrom: 2009, yearTo: 2009 }
  const { _id: product, price } = await addFitted(admin, 'Clutch lever', { fitments: [range] })
  const path = '/v1/bikes?make=yamaha&model=yzf-r6'
  const { bikes } = await callAs<{ bikes: { id: number; year: number }[] }>(admin, 'GET', path)
  const bike = bikes.find(({ year }) => year === 2009)?.id ?? 0
  const line = { variantId: product, unitPrice: price, bike }
  const email = newEmail()
  const id = await orderAsGuest(page, email, line)
  const stock = await readStock(admin, product)
  await callAs(admin, 'PATCH', `/update-shipping/${id}`, { shipping: 'Shipped' })

  await test.step('a request whose response is lost is made once, and keeps its form until then', async () => {
    await page.reload()
    const path = `**/api/v1/orders/${id}/returns`
    const lose = Promise.withResolvers<void>()
    await page.route(
      path,
      async (route) => {
        await route.fetch()
        await lose.promise
        await route.abort()
      },
      { times: 1 },
    )
    await button(page, 'Return items').click()
    const dialog = page.getByRole('dialog', { name: 'Return items' })
    await field(page, 'Reason').selectOption('Damaged')
    await field(page, 'Pieces').fill('3')
    await page.keyboard.press('Escape')
    await button(page, 'Stay').click()
    await expectSlowSentence(page, button(page, 'Request return'))
    lose.resolve()
    const returns = page.getByRole('region', { name: 'Returns' })
    await expect(returns).toContainText('3 × Clutch lever')
    await expect(dialog.getByRole('alert')).toContainText('press Request return again')
    await button(page, 'Request return').click()
    await expect(dialog).toHaveCount(0)
    await expect(returns.getByText('3 × Clutch lever')).toHaveCount(1)
    const requested = await callAs<{ id: string; orderId: string }[]>(
      admin,
      'GET',
      '/v1/returns?status=requested',
    )
    // Other stories of the same shop have open returns too.
    const made = requested.find(({ orderId }) => orderId === id)
    await callAs(admin, 'PATCH', `/v1/returns/${made?.id}`, { status: 'closed' })
  })

  await test.step('the guest requests the return of one of three pieces', async () => {
    await page.reload()
    await button(page, 'Return items').click()
    const dialog = page.getByRole('dialog', { name: 'Return items' })
    await expect(dialog).toContainText(/2009 Yamaha YZF-R6\s*Fit when ordered: fits/)
    await button(page, 'Request return').click()
    await expectError(page, 'Reason', 'Choose a reason')
    await field(page, 'Reason').selectOption('It did not fit my bike')
    await expect(field(page, 'Pieces')).toHaveValue('1')
    await field(page, 'Pieces').fill('4')
    await button(page, 'Request return').click()
    await expectError(page, 'Pieces', 'At most 3')
    await expectAccessible(page, 'the request of a return')
    await field(page, 'Pieces').fill('1')
    await button(page, 'Request return').click()
    await expect(page.getByRole('region', { name: 'Returns' })).toContainText('We have received your request')
    await expectAccessible(page, 'an order with a return')
  })

  await test.step('the admin reads what the shop said, approves and refunds it', async () => {
    await admin.goto('/dashboard/returns')
    const row = admin.getByRole('row').filter({ hasText: email }).filter({ hasText: '1 × Clutch lever' })
    await expect(row).toContainText(/1 × Clutch lever.*It did not fit my bike.*Fit when ordered: fits/s)
    await row.getByRole('button', { name: /^Approve/ }).click()
    await admin.getByRole('dialog').getByRole('textbox').fill('1 Depot Road, Springfield')
    await expectAccessible(admin, 'the approval of a return')
    await admin.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
    await expect(row).toContainText('Approved')
    await row.getByRole('button', { name: /^Refund/ }).click()
    await button(admin, `Refund $${price}`).click()
    await expect(row).toContainText('Closed')
    expect(await readStock(admin, product)).toBe(stock + 1)
    await expectAccessible(admin, 'returns')
    await page.reload()
    await expect(page.getByRole('region', { name: 'Returns' })).toContainText(/Closed.*1 Depot Road/s)
    await expect(page.getByText('Refunded', { exact: true }).first()).toBeVisible()
    await expect(page.getByRole('region', { name: 'Your order' })).toContainText('1 returned')
  })

  await test.step('the withdrawal of the same order offers the pieces that are left', async () => {
    await page.getByRole('link', { name: 'Withdraw from contract here' }).click()
    const pieces = page.getByRole('spinbutton', { name: 'Pieces of Clutch lever' })
    await expect(pieces).toHaveValue('2')
    await pieces.fill('0')
    await button(page, 'Continue').click()
    await expect(page.getByRole('alert')).toHaveText('Choose at least one item.')
    await page.getByRole('button', { name: 'Increase pieces of Clutch lever' }).click()
    await expectAccessible(page, 'the items of a withdrawal')
    await button(page, 'Continue').click()
    await expect(page.getByRole('main')).toContainText('for these items: 1 × Clutch lever')
    await button(page, 'Confirm withdrawal').click()
    await expect(received(page)).toBeVisible()
    await page.reload()
    await expect(pieces).toHaveAttribute('max', '1')
    await button(page, 'Continue').click()
    await expect(page.getByRole('main')).toContainText('for these items: 1 × Clutch lever')
    await button(page, 'Confirm withdrawal').click()
    await expect(received(page)).toBeVisible()
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Nothing is left to withdraw from' })).toBeVisible()
    await expectAccessible(page, 'a withdrawal without items')
    await page.getByRole('link', { name: 'Open the order' }).click()
    await expect(page.getByRole('region', { name: 'Returns' })).toContainText(/Approved.*Approved/s)
  })

  await test.step('the refund of the second withdrawal starts from what the first one has left', async () => {
    await admin.goto('/dashboard/returns')
    const approved = admin.getByRole('row').filter({ hasText: email }).filter({ hasText: 'Approved' })
    const dialog = admin.getByRole('dialog')
    await approved
      .first()
      .getByRole('button', { name: /^Refund/ })
      .click()
    await expect(dialog).toContainText(`$${2 * price} of this order can still be refunded`)
    await button(admin, `Refund $${price}`).click()
    await expect(approved).toHaveCount(1)
    const { status, message } = errors.NOT_FOUND
    const path = `**/api/order?id=${id}`
    await admin.route(path, (route) => route.fulfill({ status, json: { code: 'NOT_FOUND', message } }), {
      times: 1,
    })
    await approved.getByRole('button', { name: /^Refund/ }).click()
    await expect(dialog).toContainText('The order could not be loaded')
    await button(admin, 'Try again').click()
    await expect(dialog).toContainText(`$${price} of this order can still be refunded`)
    await button(admin, `Refund $${price}`).click()
    await expect(approved).toHaveCount(0)
  })

  const other = await orderAsGuest(page, email, line)
  await test.step('the buyer withdraws with number and email, and gets a receipt', async () => {
    await page.goto('/')
    await started(page)
    await page.getByRole('contentinfo').getByRole('link', { name: 'Withdraw from contract' }).click()
    await button(page, 'Continue').click()
    await expectError(page, 'Order number', 'Order number is required')
    await field(page, 'Order number').fill(other.slice(0, 6))
    await field(page, 'Email').fill(email)
    await field(page, 'Your name').fill('Gail Guest')
    const otherTab = await page.context().newPage()
    const rider = await enterAsNewRider(otherTab)
    await otherTab.close()
    await expect(page.getByRole('banner').getByText(rider)).toBeAttached()
    await expect(field(page, 'Order number')).toHaveValue(other.slice(0, 6))
    await expect(field(page, 'Your name')).toHaveValue('Gail Guest')
    await expectAccessible(page, 'the form of a withdrawal')
    await button(page, 'Continue').click()
    // The focus follows the step.
    await expect(page.getByRole('main').locator(':focus')).toContainText(
      `withdraw from the contract for order #${other.slice(0, 6)}.`,
    )
    await expectAccessible(page, 'the statement of a withdrawal')
    await button(page, 'Back').click()
    await button(page, 'Continue').click()
    await button(page, 'Confirm withdrawal').click()
    await expect(received(page)).toBeVisible()
    await expectAccessible(page, 'the receipt of a withdrawal')
    await button(page, 'Withdraw from another order').click()
    await expect(field(page, 'Order number')).toHaveValue('')
  })

  await test.step('the admin assigns it to the order, which is still paid', async () => {
    await admin.goto('/dashboard/returns')
    const row = admin
      .getByRole('row')
      .filter({ hasText: 'Withdrawal' })
      .filter({ hasText: other.slice(0, 6) })
    await expect(row).toContainText('Refund due by')
    await row.getByRole('button', { name: `Assign to #${other.slice(0, 6)}` }).click()
    await row.getByRole('button', { name: /^Approve/ }).click()
    await admin.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
    await row.getByRole('button', { name: /^Refund/ }).click()
    await button(admin, `Refund $${3 * price}`).click()
    await expect(row).toContainText('Closed')
    const { status } = await callAs<{ status: string }>(admin, 'GET', `/order?id=${other}`)
    expect(status).toBe('refunded')
  })

  await test.step('the admin closes a withdrawal for which nothing comes back', async () => {
    const data = { orderNumber: other.slice(0, 6), email, name: 'Gail Guest' }
    expect((await page.request.post('/api/v1/withdrawals', { data })).status()).toBe(200)
    await admin.reload()
    const row = admin.getByRole('row').filter({ hasText: email }).filter({ hasText: 'Requested' })
    await row.getByRole('button', { name: /^Close/ }).click()
    await expect(admin.getByRole('dialog')).toContainText('No items have to come back')
    await button(admin, 'Yes').click()
    await expect(row).toHaveCount(0)
  })
})
