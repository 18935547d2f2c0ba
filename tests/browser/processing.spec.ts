import type { Page } from '@playwright/test'
import { expectNoViolations } from './axe.ts'
import { enterAsNewRider, fillCard, placeOrder } from './steps.ts'
import { expect, test } from './test.ts'

const pay = (page: Page) => page.getByRole('button', { name: /^Pay \$/ })
const inFlight = (page: Page) => page.getByText('Your payment is being processed')

/** Pays with a slow card; returns a function that makes the provider decide immediately. */
async function startPayment(page: Page, card: string) {
  await enterAsNewRider(page)
  const { id, product } = await placeOrder(page)
  await page.goto(`/dashboard/payment/${id}`)
  await fillCard(page, card)
  const confirmation = page.waitForRequest((request) => request.url().endsWith('/confirm'))
  const received = page.waitForResponse((response) => response.request().method() === 'PATCH')
  await pay(page).click()
  const request = await confirmation
  // The shop must know the payment before it can show that it failed.
  await received
  const sent = new URLSearchParams(request.postData() ?? '')
  const decide = () =>
    page.request.post(request.url().replace('/confirm', '/sandbox_decide'), {
      form: { key: sent.get('key') ?? '', client_secret: sent.get('client_secret') ?? '' },
    })
  return { id, product, decide }
}

test('a slow payment is shown as Processing everywhere, and the order is paid automatically', async ({
  page,
  admin,
  expectConsole,
}) => {
  expectConsole(/status of 409/)
  const { id, product, decide } = await startPayment(page, '4000000000002222')
  await expect(inFlight(page)).toBeVisible()
  await expect(pay(page)).toHaveCount(0)
  await expectNoViolations(page, 'processing')

  await page.goto('/dashboard/my-orders')
  const row = page.getByRole('row').filter({ hasText: product.name })
  await expect(row.getByRole('cell').nth(3)).toContainText('Processing')
  await expect(row.getByRole('button')).toHaveText(['Details'])
  await expect(row.getByRole('link', { name: 'Pay' })).toHaveCount(0)
  await row.getByRole('button', { name: 'Details' }).click()
  const details = page.getByRole('dialog')
  await expect(details.getByText('Processing', { exact: true })).toBeVisible()
  await expect(details.getByRole('listitem')).toContainText([/Order placed.*by you/, /Payment processing/])

  await admin.goto(`/dashboard/manage-orders?q=${id}`)
  const seen = admin.getByRole('row').filter({ hasText: product.name })
  await expect(seen).toContainText('Processing')
  await expect(seen.getByRole('button')).toHaveText(['Details'])

  await page.goto(`/dashboard/payment/${id}`)
  await expect(inFlight(page)).toBeVisible()
  expect((await decide()).ok()).toBe(true)
  await expect(page.getByText('Payment Successful..!')).toBeVisible()
})

test('a slow payment that fails shows an error, and the order can be paid with another card', async ({
  page,
  expectConsole,
}) => {
  expectConsole(/status of 40[29]/)
  const { decide } = await startPayment(page, '4000000000003337')
  await expect(inFlight(page)).toBeVisible()
  expect((await decide()).ok()).toBe(true)
  await expect(page.getByRole('alert').filter({ hasText: 'Your last payment failed' })).toBeVisible()
  await expectNoViolations(page, 'payment failed', { frames: true })
  await fillCard(page, '4000000000000002')
  await pay(page).click()
  await expect(page.getByText('Your card was declined.')).toBeVisible()
  await expect(page.getByText('Your last payment failed')).toHaveCount(0)
  await fillCard(page, '4242424242424242')
  await pay(page).click()
  await expect(page.getByText('Payment Successful..!')).toBeVisible()
})
