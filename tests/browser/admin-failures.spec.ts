import { addProduct, openDetails, signInAsAdmin } from './admin-steps.ts'
import { failing, waitOutRepeats } from './specification-steps.ts'
import { expect, test } from './test.ts'

test('a list or product of an admin that fails to load shows an error, and Try again loads it', async ({
  page,
  shop,
  expectConsole,
}) => {
  expectConsole(/status of 500|ERR_FAILED/)
  await page.clock.install()
  await signInAsAdmin(page, shop)
  const product = await addProduct(page)
  for (const { how, path, call, title, heading } of [
    {
      how: 500,
      path: '/dashboard/manage-users',
      call: '**/api/users?**',
      title: 'The users could not be loaded',
      heading: 'Manage Users',
    },
    {
      how: 'away',
      path: '/dashboard/manage-products',
      call: '**/api/v1/products?**',
      title: 'The products could not be loaded',
      heading: 'Manage Products',
    },
    {
      how: 500,
      path: `/dashboard/update-product/${product._id}`,
      call: '**/api/v1/products/*/details',
      title: 'The product could not be loaded',
      heading: product.name,
    },
  ] as const) {
    const broken = await failing(page, call, how)
    await page.goto(path)
    await waitOutRepeats(page, broken)
    const failure = page.getByRole('alert').filter({ has: page.getByRole('heading', { name: title }) })
    await expect(failure).toBeVisible()
    await broken.end()
    // Wait for the response, because the next round would count it.
    const answered = page.waitForResponse(call)
    await failure.getByRole('button', { name: 'Try again' }).click()
    await answered
    await expect(failure).toHaveCount(0)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading)
  }
})

test('rows and typed text stay when the rows cannot be read again', async ({ page, shop, expectConsole }) => {
  expectConsole(/status of 500/)
  await page.clock.install()
  await signInAsAdmin(page, shop)
  const product = await addProduct(page)
  const details = await openDetails(page, product)
  await details.getByPlaceholder('Quantity').fill('12')
  const broken = await failing(page, '**/api/v1/products?**')
  // A return to the tab reads stale data again.
  await page.clock.fastForward(20_000)
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
  await waitOutRepeats(page, broken)
  await expect(page.getByText('The products could not be loaded')).toBeAttached()
  await expect(details.getByPlaceholder('Quantity')).toHaveValue('12')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('row').filter({ hasText: product.name })).toBeVisible()
  await broken.end()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('The products could not be loaded')).toHaveCount(0)
})
