import type { Page } from '@playwright/test'
import {
  addProduct,
  deleteProduct,
  openDetails,
  openProductRow,
  restock,
  signInAsAdmin,
} from './admin-steps.ts'
import { expectAccessible, readScrollWidth } from './axe.ts'
import { expect, test } from './test.ts'

async function openPage(page: Page, path: string, heading: string): Promise<void> {
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading)
  await expect(page.getByRole('status').filter({ hasText: 'Loading…' })).toHaveCount(0)
}

test('axe finds no violations on the pages and dialogs of an admin at 360 and 1280 pixels', async ({
  page,
  shop,
  expectConsole,
}) => {
  test.slow()
  expectConsole(/status of 404/)
  await signInAsAdmin(page, shop)
  await openPage(page, '/dashboard/manage-users', 'Manage Users')
  await expectAccessible(page, 'users')
  await openPage(page, '/dashboard/manage-products?sort=-price', 'Manage Products')
  await expectAccessible(page, 'products')

  const product = await addProduct(page, { supplier: 'Link & Sons' })
  const details = await openDetails(page, product)
  await restock(details, '')
  await expect(details.getByText('Quantity is required')).toBeVisible()
  await expectAccessible(page, 'details with an error')
  await restock(details, '1')
  await expect(details.getByRole('status')).toContainText('1 added')
  await expectAccessible(page, 'details after a restock')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Delete' }).click()
  await expectAccessible(page, 'delete')

  await openPage(page, '/dashboard/add-product', 'Add Product')
  await expectAccessible(page, 'add product')
  await page.getByRole('main').getByRole('button', { name: 'Add Product' }).click()
  await expect(page.getByText('Name is required')).toBeVisible()
  await expectAccessible(page, 'add product with errors')
  await openPage(page, `/dashboard/update-product/${product._id}`, product.name)
  await expectAccessible(page, 'update product')
  await page.goto('/dashboard/update-product/none')
  await expect(page.getByRole('heading', { name: 'Product not found' })).toBeVisible()
  await expectAccessible(page, 'update of nothing')
})

const longWord =
  'Donaudampfschifffahrtsgesellschaftskapitänsmützenhalterungsbefestigungsschraubengewindeabdeckung'

test('the longest texts fit 360, 768 and 1280 pixels, and a broken picture is replaced by a drawing', async ({
  page,
  shop,
  expectConsole,
}) => {
  expectConsole(/status of 404/)
  await signInAsAdmin(page, shop)
  const product = await addProduct(page, {
    name: `${longWord} ${Math.random()}`,
    supplier: longWord,
    description: longWord.repeat(4),
    image: '/pictures/there-is-none.svg',
    price: 999_999,
    quantity: 1_000_000,
    minimum: 1_000_000,
    category: 'Imported',
  })
  const atEachWidth = async (check: (width: number) => Promise<void>) => {
    for (const width of [360, 768, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      await check(width)
    }
  }
  const expectWithin = (where: string) =>
    atEachWidth(async (width) => expect(await readScrollWidth(page), where).toBe(width))
  await openPage(page, '/dashboard/manage-users', 'Manage Users')
  await expectWithin('users')
  await openPage(page, '/dashboard/add-product', 'Add Product')
  await expectWithin('add product')
  const row = await openProductRow(page, product)
  await expect(row).toBeVisible()
  await expectWithin('products')

  const body = page.getByRole('dialog').getByRole('region')
  const expectDialogWithin = (where: string) =>
    atEachWidth(async (width) => {
      const tooWide = await body.evaluate((element) => element.scrollWidth - element.clientWidth)
      expect(tooWide, `${where} at ${width} pixels`).toBe(0)
    })
  await row.getByRole('button', { name: 'Details' }).click()
  await expect(body.getByRole('img', { name: product.name })).toHaveAttribute('src', /no-picture/)
  await expectDialogWithin('details')
  await page.keyboard.press('Escape')
  await row.getByRole('button', { name: 'Delete' }).click()
  await expectDialogWithin('delete')
  await openPage(page, `/dashboard/update-product/${product._id}`, product.name)
  await expectWithin('update product')
  // Other tests share this shop and do not expect the product.
  await deleteProduct(page, product._id)
})

test('every action works with the keyboard, and a closed dialog returns the focus', async ({
  page,
  shop,
}) => {
  await signInAsAdmin(page, shop)
  const product = await addProduct(page)
  const row = await openProductRow(page, product)
  await row.getByRole('button', { name: 'Details' }).focus()
  await page.keyboard.press('Enter')
  const details = page.getByRole('dialog', { name: 'Details' })
  await expect(details.getByRole('button', { name: 'Close' })).toBeFocused()
  const field = details.getByPlaceholder('Quantity')
  for (let presses = 0; presses < 10; presses++) {
    if (await field.evaluate((element) => element === document.activeElement)) break
    await page.keyboard.press('Tab')
  }
  await expect(field).toBeFocused()
  await page.keyboard.type('4')
  await page.keyboard.press('Enter')
  await expect(details.getByRole('status')).toHaveText('4 added: 24 pcs in stock.')
  await page.keyboard.press('Escape')
  await expect(row.getByRole('button', { name: 'Details' })).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  await expect(page.getByText('You are about to cancel your order')).toBeVisible()
  await page.getByRole('button', { name: 'Yes' }).press('Enter')
  await expect(page.getByText('Product Deleted', { exact: true })).toBeVisible()
})
