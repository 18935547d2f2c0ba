import type { Page } from '@playwright/test'
import { addProduct, deleteProduct, signInAsAdmin } from './admin-steps.ts'
import { expectAccessible } from './axe.ts'
import { failing, waitOutRepeats } from './specification-steps.ts'
import { enterAsNewRider, placeOrder } from './steps.ts'
import { expect, test } from './test.ts'

const rows = (page: Page) => page.getByRole('row').filter({ has: page.getByRole('cell') })
const cells = (page: Page, row: number) => rows(page).nth(row).getByRole('cell')

test('an admin reads the audit', async ({ page, shop }) => {
  const email = await enterAsNewRider(page)
  const { id } = await placeOrder(page)
  await signInAsAdmin(page, shop)

  await test.step('it shows who changed what, as text, with a link to the product', async () => {
    const name = `<b>Chain</b> ${Math.random()}`
    const { _id } = await addProduct(page, { name, price: 1200 })
    await page.goto(`/dashboard/audit?subject=${_id}`)
    await expect(rows(page)).toHaveCount(2)
    await expect(cells(page, 0)).toContainText([
      /^\d+ \w+ \d{4}, \d\d:\d\d$/,
      /Stock counted\+20 pcs/,
      name,
      /admin@example\.comOwner/,
      /\d/,
    ])
    await expect(cells(page, 1)).toContainText([
      /^\d+ \w+ \d{4}, \d\d:\d\d$/,
      /Product added.*price: \$1,200/,
      name,
      /admin/,
      /\d/,
    ])
    await expect(page.locator('td b')).toHaveCount(0)
    await rows(page).nth(0).getByRole('link', { name, exact: true }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
    await deleteProduct(page, _id)
    await page.goto(`/dashboard/audit?subject=${_id}`)
    await expect(cells(page, 0)).toContainText([
      /^\d+ \w+ \d{4}, \d\d:\d\d$/,
      'Product deleted',
      '(deleted)',
      /admin/,
      /\d/,
    ])
    await expect(rows(page).nth(0).getByRole('link', { name, exact: true })).toHaveCount(0)
  })

  await test.step('the URL keeps the filters, and an order opens with its history and the actor of each step', async () => {
    await page.goto('/dashboard/audit')
    await page.getByLabel('Kind').selectOption('Orders')
    await page.getByLabel('Changed by').fill(email)
    await page.getByLabel('Changed by').press('Enter')
    await expect(page).toHaveURL(`/dashboard/audit?${new URLSearchParams({ area: 'orders', by: email })}`)
    await expect(rows(page)).toHaveCount(1)
    await expect(page.getByLabel('Changed by')).toBeFocused()
    await page.getByRole('link', { name: 'Clear filters' }).click()
    await expect(page.getByLabel('Changed by')).toHaveValue('')
    await page.goBack()
    await expect(page.getByLabel('Kind')).toHaveValue('orders')
    await expect(rows(page)).toHaveCount(1)
    await expect(cells(page, 0)).toContainText([
      /^\d+ \w+ \d{4}, \d\d:\d\d$/,
      'Order placed',
      `#${id.slice(0, 6)}`,
      email,
      /10\./,
    ])
    await page.reload()
    await expect(page.getByLabel('Changed by')).toHaveValue(email)
    await page.getByRole('button', { name: `#${id.slice(0, 6)}` }).click()
    await expect(page.getByRole('dialog').getByRole('listitem')).toContainText([`by the customer${email}`])
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })

  await test.step('a filter can be undone, and Older and Newest page through the changes', async () => {
    await page.getByLabel('From').fill('2001-01-01')
    await page.getByLabel('To', { exact: true }).fill('2001-01-02')
    await page.getByRole('button', { name: 'Filter' }).click()
    await expect(page.getByRole('heading', { name: 'No results' })).toBeVisible()
    await page.goBack()
    await expect(rows(page)).toHaveCount(1)
    await page.getByRole('link', { name: 'Clear filters' }).click()
    await expect(rows(page)).toHaveCount(50)
    const newest = await rows(page).first().innerText()
    await page.getByRole('link', { name: 'Older' }).click()
    await expect(page).toHaveURL(/after=/)
    await expect(rows(page).first()).not.toHaveText(newest, { useInnerText: true })
    await page.getByRole('link', { name: 'Newest' }).click()
    await expect(rows(page).first()).toBeVisible()
  })
})

test('axe finds no violations in any state of the audit at 360 and 1280 pixels', async ({
  page,
  shop,
  expectConsole,
}) => {
  expectConsole(/status of 500/)
  await page.clock.install()
  await signInAsAdmin(page, shop)
  const { _id } = await addProduct(page, {
    name: `${'Schraubengewinde'.repeat(10)}${Math.random()}`,
    description: 'x',
  })
  await page.goto('/dashboard/audit')
  await expect(rows(page).first()).toBeVisible()
  await expectAccessible(page, 'audit')
  await deleteProduct(page, _id)
  await page.goto('/dashboard/audit?by=unknown@example.com')
  await expect(page.getByRole('heading', { name: 'No results' })).toBeVisible()
  await expectAccessible(page, 'nothing found')
  const broken = await failing(page, '**/api/v1/audit*')
  await page.goto('/dashboard/audit')
  await waitOutRepeats(page, broken)
  await expect(page.getByRole('heading', { name: 'The changes could not be loaded' })).toBeVisible()
  await expectAccessible(page, 'a failed audit')
  await broken.end()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(rows(page).first()).toBeVisible()
})
