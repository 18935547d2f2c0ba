import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import type { Product } from '../../contract/catalog.ts'
import { deleteProduct, openDetails, signInAsAdmin } from './admin-steps.ts'
import { callAs, failing, field, hold } from './specification-steps.ts'
import { expect, test } from './test.ts'

const required = ['Name', 'Price', 'Quantity', 'Minimum', 'Description', 'Image']
const submit = (page: Page) => page.getByRole('main').getByRole('button', { name: 'Add Product' })

/** Fills in all required fields; returns the unique product name. */
async function fillIn(page: Page): Promise<string> {
  const name = `Chain ${randomUUID().slice(0, 8)}`
  await field(page, 'Name').fill(name)
  await field(page, 'Price').fill('95')
  await field(page, 'Quantity').fill('30')
  await field(page, 'Minimum').fill('1')
  await field(page, 'Description').fill('Steel, 114 links.\nWith a clip link.')
  await field(page, 'Image').fill('/pictures/chain.svg')
  return name
}

const findProducts = (page: Page, query: string): Promise<Product[]> =>
  callAs(page, 'GET', `/products?${new URLSearchParams({ q: query, sort: 'name' })}`)

test('an admin adds products', async ({ page, shop, expectConsole }) => {
  expectConsole(/status of (400|409|500)|ERR_FAILED/)
  await signInAsAdmin(page, shop)
  await page.goto('/dashboard/add-product')

  await test.step('all fields but category and supplier are required, and each limit is checked on both sides', async () => {
    const writes: string[] = []
    page.on('request', (request) => void (request.method() === 'POST' && writes.push(request.url())))
    await submit(page).click()
    for (const label of required) {
      await expect(field(page, label)).toHaveAccessibleDescription(new RegExp(`^${label} is required`))
      await expect(field(page, label)).toHaveAttribute('aria-invalid', 'true')
    }
    await expect(field(page, 'Name')).toBeFocused()
    for (const label of ['Category', 'Supplier']) {
      await expect(field(page, label)).not.toHaveAttribute('aria-invalid')
    }
    const whole = 'Enter a whole number'
    for (const [label, refused, message, accepted] of [
      ['Name', ' ', 'Name is required', 'a'],
      ['Name', 'a'.repeat(201), 'At most 200 characters', 'a'.repeat(200)],
      ['Price', '0', 'At least \\$1', '1'],
      ['Price', '1000000', 'At most \\$999,999', '999999'],
      ['Price', '12.5', whole, '12'],
      ['Price', '12,50', whole, '12'],
      ['Quantity', '-1', 'At least 0', '0'],
      ['Quantity', '1000001', 'At most 1,000,000', '1000000'],
      ['Quantity', '0.5', whole, '5'],
      ['Minimum', '0', 'At least 1', '1'],
      ['Minimum', '1000001', 'At most 1,000,000', '1000000'],
      ['Minimum', '1.5', whole, '2'],
      ['Description', 'a'.repeat(4001), 'At most 4000 characters', 'a'.repeat(4000)],
      [
        'Image',
        'ftp://localhost/a.png',
        'Enter an image URL that starts with http or https',
        `${shop.origin}/pictures/chain.svg`,
      ],
      ['Supplier', 'a'.repeat(121), 'At most 120 characters', 'a'.repeat(120)],
    ] as const) {
      await field(page, label).fill(refused)
      await expect(field(page, label), refused).toHaveAccessibleDescription(new RegExp(`^${message}`))
      await field(page, label).fill(accepted)
      await expect(field(page, label), accepted).not.toHaveAttribute('aria-invalid')
    }
    expect(writes).toEqual([])
    await field(page, 'Supplier').fill('')
  })

  await test.step('the picture appears when its URL is complete', async () => {
    const picture = page.getByRole('img', { name: 'Preview' })
    await field(page, 'Image').fill('')
    await field(page, 'Image').press('Tab')
    await field(page, 'Image').fill('/pictures/chain.svg')
    await expect(picture).toHaveCount(0)
    await field(page, 'Image').press('Tab')
    await expect(picture).toHaveAttribute('src', '/pictures/chain.svg')
    await expect
      .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(0)
    await field(page, 'Image').fill('chain.svg')
    await field(page, 'Image').press('Tab')
    await expect(picture).toHaveCount(0)
  })

  await test.step('a product is sent as the call expects it, and the form is cleared for the next one', async () => {
    await expect(field(page, 'Category').getByRole('option')).toHaveText(['None', 'Local', 'Imported'])
    const name = await fillIn(page)
    const release = await hold(page, '**/api/add-product')
    const sent = page.waitForRequest('**/api/add-product')
    await field(page, 'Minimum').press('Enter')
    await expect(submit(page)).toBeDisabled()
    const request = await sent
    release()
    expect(request.postDataJSON()).toEqual({
      name,
      price: 95,
      quantity: 30,
      minimum: 1,
      description: 'Steel, 114 links.\nWith a clip link.',
      image: '/pictures/chain.svg',
    })
    await expect(page.getByText('Product Uploaded Successfully', { exact: true })).toBeVisible()
    await expect(field(page, 'Name')).toBeFocused()
    for (const label of required) await expect(field(page, label)).toHaveValue('')

    const second = await fillIn(page)
    await field(page, 'Category').selectOption('Local')
    await field(page, 'Supplier').fill('Link & Sons')
    await submit(page).click()
    await expect(field(page, 'Name')).toHaveValue('')
    const products = await findProducts(page, 'Chain ')
    expect(products.find((product) => product.name === name)).not.toHaveProperty('category')
    expect(products.find((product) => product.name === second)).toMatchObject({
      category: 'Local',
      supplier: 'Link & Sons',
      price: 95,
      quantity: 30,
      minimum: 1,
    })
  })

  await test.step('a product stays in the form if it cannot be uploaded', async () => {
    const name = await fillIn(page)
    const alert = page.getByRole('main').getByRole('alert')
    for (const [how, message] of [
      [500, /^Something went wrong on our side/],
      [
        'away',
        /can't reach the shop\. Check your connection\. The change may have been saved\. Check Manage Products/,
      ],
    ] as const) {
      const broken = await failing(page, '**/api/add-product', how)
      await submit(page).click()
      await expect(alert).toHaveText(message)
      await expect(field(page, 'Name')).toHaveValue(name)
      await expect(field(page, 'Price')).toHaveValue('95')
      expect(broken.asked(), 'a write is not repeated automatically').toBe(1)
      await broken.end()
    }
    await submit(page).click()
    await expect(field(page, 'Name')).toHaveValue('')
    await expect(alert).toHaveCount(0)
    expect(await findProducts(page, name)).toMatchObject([{ name, quantity: 30 }])
  })

  await test.step('brand, kind, part number and GTIN are checked, saved and shown', async () => {
    // Only a text with a digit is searched as a part number.
    const sku = `LNK-1${randomUUID().slice(0, 5)}`
    await expect(page.locator('datalist option', { hasText: 'Chains' })).toBeAttached()
    const name = await fillIn(page)
    const numbers = {
      Brand: 'Linksmith',
      'Kind of part': 'Chains',
      'Part number': sku,
      GTIN: '4006381333932',
    }
    for (const [label, value] of Object.entries(numbers)) await field(page, label).fill(value)
    await submit(page).click()
    await expect(field(page, 'GTIN')).toHaveAccessibleDescription(/^The check digit of this GTIN is wrong/)
    await field(page, 'GTIN').fill('4006381333931')
    await submit(page).click()
    await expect(field(page, 'Name')).toHaveValue('')

    const other = await fillIn(page)
    await field(page, 'Part number').fill(sku.toLowerCase().replace('-', ' '))
    await submit(page).click()
    await expect(page.getByText('This part number is already in use.')).toBeVisible()
    await expect(field(page, 'Name')).toHaveValue(other)

    const [product] = await findProducts(page, sku)
    if (!product) throw new Error('the product was not found by its part number')
    expect(product).toMatchObject({
      name,
      brand: 'Linksmith',
      kind: 'Chains',
      sku,
      gtin: '4006381333931',
    })
    const details = await openDetails(page, product)
    await expect(details.getByText(sku, { exact: true })).toBeVisible()
    await expect(details.getByText('30 pcs', { exact: true })).toBeVisible()
    await deleteProduct(page, product._id)
  })
})
