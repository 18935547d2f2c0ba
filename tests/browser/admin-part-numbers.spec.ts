import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import type { Product } from '../../contract/catalog.ts'
import { deleteProduct, openDetails, signInAsAdmin } from './admin-steps.ts'
import { callAs } from './specification-steps.ts'
import { expect, test } from './test.ts'

const field = (page: Page, label: string) => page.getByLabel(label, { exact: true })

async function fillIn(page: Page, values: Record<string, string>): Promise<void> {
  const usual = {
    Price: '95',
    Quantity: '30',
    Minimum: '1',
    Description: 'Steel.',
    Image: '/pictures/chain.svg',
  }
  for (const [label, value] of Object.entries({ ...usual, ...values })) await field(page, label).fill(value)
  await page.getByRole('button', { name: 'Add Product' }).click()
}

test('brand, kind, part number and GTIN are asked for, kept, and shown', async ({
  page,
  shop,
  expectConsole,
}) => {
  expectConsole(/status of 409/)
  await signInAsAdmin(page, shop)
  await page.goto('/dashboard/add-product')
  const name = `Chain ${randomUUID().slice(0, 8)}`
  const sku = `LNK-${randomUUID().slice(0, 6)}`
  await expect(page.locator('datalist option', { hasText: 'Chains' })).toBeAttached()
  const numbers = { Brand: 'Linksmith', 'Kind of part': 'Chains', 'Part number': sku }
  await fillIn(page, { Name: name, ...numbers, GTIN: '4006381333932' })
  await expect(field(page, 'GTIN')).toHaveAccessibleDescription(/^The check digit of this GTIN is wrong/)
  await fillIn(page, { GTIN: '4006381333931' })
  await expect(field(page, 'Name')).toHaveValue('')

  await fillIn(page, { Name: `${name} once more`, 'Part number': sku.toLowerCase().replace('-', ' ') })
  await expect(page.getByText('This part number is already in use.')).toBeVisible()
  await expect(field(page, 'Name')).toHaveValue(`${name} once more`)

  const [product] = await callAs<Product[]>(page, 'GET', `/products?q=${sku}`)
  if (!product) throw new Error('the product was not found by its part number')
  expect(product).toMatchObject({ name, brand: 'Linksmith', kind: 'Chains', sku, gtin: '4006381333931' })
  const details = await openDetails(page, product)
  await expect(details.getByText(sku, { exact: true })).toBeVisible()
  await deleteProduct(page, product._id)
})
