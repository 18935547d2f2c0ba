import sharp from 'sharp'
import { addProduct, deleteProduct, openDetails, signInAsAdmin } from './admin-steps.ts'
import { expectAccessible } from './axe.ts'
import { callAs, failing } from './specification-steps.ts'
import { expect, test } from './test.ts'

test('an admin edits a product, with cents and an uploaded picture, and its stock stays the same', async ({
  page,
  shop,
  expectConsole,
}) => {
  expectConsole(/status of (500|404)/)
  await signInAsAdmin(page, shop)
  const product = await addProduct(page, { supplier: 'Link & Sons', category: 'Local' })
  const details = await openDetails(page, product)
  await details.getByRole('link', { name: 'Edit' }).click()
  const field = (label: string) => page.getByLabel(label, { exact: true })
  await expect(field('Name')).toHaveValue(product.name)
  await expect(field('Category')).toHaveValue('Local')
  await expect(field('Supplier')).toHaveValue('Link & Sons')
  await expect(field('Quantity')).toHaveCount(0)
  await expectAccessible(page, 'edit')

  await field('Price').fill('')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(field('Price')).toHaveAccessibleDescription(/^Price is required/)
  for (const [price, message] of [
    ['12,50', 'Enter dollars with at most two decimals'],
    ['12.345', 'Enter dollars with at most two decimals'],
    ['0', 'At least \\$0.01'],
    ['1000000', 'At most \\$999,999'],
  ] as const) {
    await field('Price').fill(price)
    await expect(field('Price'), price).toHaveAccessibleDescription(new RegExp(`^${message}`))
  }
  await field('Price').fill('55.50')
  await field('Supplier').fill('')
  const buffer = await sharp({ create: { width: 600, height: 450, channels: 3, background: '#1f7a43' } })
    .png()
    .toBuffer()
  await page.getByLabel('Choose an image').setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer })
  await expect(field('Image')).toHaveValue(/^\/pictures\/uploaded\/.+-640\.jpeg$/)
  const broken = await failing(page, '**/api/v1/products/*', 500)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByRole('main').getByRole('alert')).toHaveText(/^Something went wrong/)
  await broken.end()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Product Saved', { exact: true })).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(product.name)
  await expect(page.getByText('$55.50', { exact: true })).toBeVisible()
  const saved = await callAs<typeof product>(page, 'GET', `/product/${product._id}`)
  expect(saved).toMatchObject({
    price: 55.5,
    quantity: 20,
    image: expect.stringContaining('/pictures/uploaded/'),
  })
  expect(saved.supplier).toBeUndefined()
  await page.getByRole('link', { name: 'Edit' }).click()
  await expect(field('Price')).toHaveValue('55.50')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('$55.50', { exact: true })).toBeVisible()
  await deleteProduct(page, product._id)
  await page.goto(`/dashboard/edit-product/${product._id}`)
  await expect(page.getByRole('heading', { name: 'Product not found' })).toBeVisible()
})
