import { randomInt, randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { zipSync } from 'fflate'
import sharp from 'sharp'
import type { Supplier } from '../../contract/supplier-files.ts'
import { readSampleFile } from '../other-shop-files.ts'
import { productHeader, productRow } from '../product-import.ts'
import { addProduct, deleteProduct, signInAsAdmin } from './admin-steps.ts'
import { expectAccessible } from './axe.ts'
import { callAs, failing, hold } from './specification-steps.ts'
import { expect, test } from './test.ts'

const choose = (page: Page, text: string, name = 'products.csv') =>
  page.getByLabel('Choose a file').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })

const button = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name, exact: true })
const cells = (page: Page, table: string) =>
  page.getByRole('table', { name: table }).getByRole('cell').locator('> div').allInnerTexts()

const anImage = () =>
  sharp({ create: { width: 8, height: 6, channels: 3, background: { r: randomInt(256), g: 0, b: 0 } } })
    .png()
    .toBuffer()

/** A part number that no other test uses. */
const newSku = () => `T-${randomUUID().slice(0, 8)}`

test('an admin imports and exports products', async ({ page, shop, expectConsole }) => {
  expectConsole(/status of (409|500)|ERR_FAILED|ERR_NAME_NOT_RESOLVED/)
  await signInAsAdmin(page, shop)
  const sku = newSku()
  const product = await addProduct(page, { sku, price: 40 })
  await page.goto('/dashboard/manage-products')

  await test.step('a file is checked, its changes are shown, and it is imported, even after a reload', async () => {
    await page.getByRole('link', { name: 'Import' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Import Products')
    const release = await hold(page, '**/api/v1/imports?**')
    await choose(page, `sku,price\n${sku},41.5\n`)
    await expect(page.getByRole('progressbar', { name: 'Uploading' })).toBeVisible()
    release()
    await expect(page.getByText('No errors found')).toBeVisible()
    expect(await cells(page, 'Changes')).toEqual([
      '2',
      product.name,
      expect.stringMatching(/^price:\s*40.*becomes\s*41\.50$/s),
    ])
    await page.reload()
    await button(page, 'Import').click()
    await expect(page.getByText('Imported.', { exact: true })).toBeVisible()
    await expect(button(page, 'Import')).toHaveCount(0)
    const { price } = await callAs<{ price: number }>(page, 'GET', `/product/${product._id}`)
    expect(price).toBe(41.5)
  })

  await test.step('an import is undone after a preview, and both are listed', async () => {
    await page.goto('/dashboard/imports')
    const row = page.getByRole('row').filter({ hasText: 'products.csv' }).first()
    await row.getByRole('button', { name: 'Undo…' }).click()
    await expect(page.getByText('Nothing has changed yet')).toBeVisible()
    expect(await cells(page, 'Changes')).toEqual([
      product.name,
      expect.stringMatching(/^price:\s*41\.50.*becomes\s*40$/s),
    ])
    await button(page, 'Undo the import').click()
    await expect(page.getByText('Undone.', { exact: true })).toBeVisible()
    const { price } = await callAs<{ price: number }>(page, 'GET', `/product/${product._id}`)
    expect(price).toBe(40)
    await page.getByRole('main').getByRole('link', { name: 'Imports' }).click()
    await expect(page.getByRole('row').filter({ hasText: 'Undone' }).first()).toBeVisible()
    await page.setViewportSize({ width: 360, height: 740 })
    await expectAccessible(page, 'imports')
    await page.setViewportSize({ width: 1280, height: 720 })
    await page.goto('/dashboard/import-products')
    await expect(page.getByLabel('Choose a file')).toBeEnabled()
    await deleteProduct(page, product._id)
  })

  await test.step('errors are listed by row and column, and the file cannot be imported', async () => {
    const wrong = newSku()
    await choose(page, [productHeader, productRow(wrong, { name: '' }), productRow(`${wrong}-2`)].join('\n'))
    await expect(page.getByText('Fix the errors before you import this file')).toBeVisible()
    expect(await cells(page, 'Errors')).toEqual(['2', 'name', 'Name is required'])
    await expect(button(page, 'Import')).toHaveCount(0)
    await expect(button(page, 'Import the other rows')).toBeEnabled()
    const saved = page.waitForEvent('download')
    await button(page, 'Download 1 row').click()
    const leftOut = await readFile(await (await saved).path(), 'utf8')
    expect(leftOut).toContain(`${wrong},,40,10,1,Steel.,/pictures/chain.svg,name: Name is required`)
    await page.getByRole('link', { name: 'Import another file' }).click()
    await choose(page, 'name,price\nx,1\n')
    await expect(page.getByLabel('Choose a file')).toHaveAccessibleDescription(/“gtin” column is required/)
  })

  await test.step('the columns of a supplier are assigned once', async () => {
    const own = newSku()
    const listed = await addProduct(page, { sku: own, price: 40 })
    const supplier = `Supplier ${own}`
    await page.goto('/dashboard/import-products?kind=products&mode=existing')
    await choose(page, `Nummer;UVP;Finish\n${own};42,50;red\nX-1;1,00;red\n`)
    await expect(page.locator('[aria-current=step]')).toHaveText(/^Columns/)
    await page.setViewportSize({ width: 360, height: 740 })
    await expectAccessible(page, 'columns')
    await page.setViewportSize({ width: 1280, height: 720 })
    const column = (name: string) =>
      page.getByRole('combobox', { name: `Column of the shop for ${name}`, exact: true })
    await expect(column('UVP')).toHaveValue('price')
    await expect(column('Finish')).toHaveValue('')
    await page.getByLabel('Supplier', { exact: true }).fill(supplier)
    await button(page, 'Save and check the file').click()
    await expect(page.getByRole('main').getByRole('alert')).toHaveText(/“gtin” column is required/)
    await column('Nummer').selectOption('sku')
    await button(page, 'Save and check the file').click()
    await expect(page.getByText('1 row is for products that the shop does not have')).toBeVisible()
    await page.goto('/dashboard/import-products')
    await page.getByLabel('Supplier (optional)').fill(supplier)
    await choose(page, `Nummer;UVP;Finish\n${own};43,50;red\n`)
    await button(page, 'Import').click()
    await expect(page.getByText('Imported.', { exact: true })).toBeVisible()
    const { price } = await callAs<{ price: number }>(page, 'GET', `/product/${listed._id}`)
    expect(price).toBe(43.5)
    await deleteProduct(page, listed._id)

    // A supplier that is named only in this step keeps its stored columns and mode.
    await page.goto('/dashboard/import-products')
    await choose(page, `Nummer;UVP;Finish;Extra\nX-1;1,00;red;Steel.\n`)
    await expect(column('Nummer')).toHaveValue('')
    await column('Extra').selectOption('description')
    await page.getByLabel('Supplier', { exact: true }).fill(supplier)
    await button(page, 'Save and check the file').click()
    await expect(page.getByRole('main').getByRole('alert')).toContainText(
      'What to do with the file: “Only change products that the shop has”.',
    )
    await expect(column('Nummer')).toHaveValue('sku')
    await expect(column('Extra')).toHaveValue('description')
    await button(page, 'Save and check the file').click()
    await expect(page.getByText('1 row is for products that the shop does not have')).toBeVisible()
    const suppliers = await callAs<Supplier[]>(page, 'GET', '/v1/suppliers')
    expect(suppliers.find(({ name }) => name === supplier)?.files).toMatchObject([
      { mode: 'existing', columns: { nummer: 'sku', uvp: 'price', finish: null, extra: 'description' } },
    ])
  })

  await test.step('a file of Shopify is imported without its wrong product, and its old addresses lead to the products', async () => {
    const file = readSampleFile('shopify-products')
    await page.goto('/dashboard/import-products')
    await choose(page, file)
    await expect(page.getByLabel('Choose a file')).toHaveAccessibleDescription(/Choose that as the content/)
    const kind = page.getByLabel('The file contains')
    // Some systems choose with each press of an arrow key.
    await kind.focus()
    await page.keyboard.press('ArrowDown')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Import from Shopify')
    await expect(kind).toBeFocused()
    await expect(page.getByLabel('Choose a file')).not.toHaveAttribute('aria-invalid')
    await page.keyboard.press('ArrowDown')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Import from WooCommerce')
    await kind.selectOption('Products from Shopify')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Import from Shopify')
    await page.setViewportSize({ width: 360, height: 740 })
    await expectAccessible(page, 'import from Shopify')
    await choose(page, file)
    await expect(page.getByRole('table', { name: 'Not imported' })).toBeVisible()
    expect(await cells(page, 'Errors')).toEqual(['6', 'Price', 'At least $0.01'])
    expect(await cells(page, 'Not imported')).toEqual(['Draft', '1', '5'])
    await expect(page.getByLabel('cdn.shop.example: 3 pictures')).not.toBeChecked()
    await expectAccessible(page, 'report of Shopify')
    await button(page, 'Import the 2 products without errors').click()
    await expect(page.getByText('Imported.', { exact: true })).toBeVisible()
    await page.setViewportSize({ width: 1280, height: 720 })
    await page.goto('/products/touring-jacket?utm_source=old')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Touring jacket')
    expect(new URL(page.url()).pathname).toMatch(/^\/product\/[0-9a-f]+\/touring-jacket$/)
    await page.goto('/dashboard/import-products?kind=shopify-products')
    await choose(page, file)
    await expect(page.getByText('Fix the errors before you import this file.')).toBeVisible()
    await expect(button(page, 'Import the 2 products without errors')).toHaveCount(0)
    await page.goto('/dashboard/imports')
    await button(page, 'Undo…').first().click()
    await button(page, 'Undo the import').click()
    await expect(page.getByText('Undone.', { exact: true })).toBeVisible()
  })

  await test.step('pictures on a chosen host that is not public fail with the reason, and come from a zip', async () => {
    const own = newSku()
    const listed = await addProduct(page, { sku: own, price: 40 })
    const url = `http://127.0.0.1/files/${own}.png`
    await page.setViewportSize({ width: 360, height: 740 })
    await page.goto('/dashboard/import-products')
    await choose(page, `sku,image\n${own},${url}\n`)
    await expectAccessible(page, 'hosts of pictures')
    await page.getByLabel('127.0.0.1: 1 picture').check()
    await button(page, 'Import').click()
    const failed = page.getByRole('row').filter({ hasText: own })
    await expect(failed).toContainText('This address is not on the public internet.')
    await expect(page.getByText(/^\d+ of \d+ pictures? copied, 1 failed$/)).toBeVisible()
    await expectAccessible(page, 'failed pictures')
    const zip = zipSync({ [`files/${own}.png`]: await anImage(), 'other.png': await anImage() })
    await page
      .getByLabel('Choose a zip or files')
      .setInputFiles({ name: 'pictures.zip', mimeType: 'application/zip', buffer: Buffer.from(zip) })
    await expect(page.getByText(/^1 picture added\. .*: other\.png\.$/)).toBeVisible()
    await expect(failed).toHaveCount(0)
    const { image } = await callAs<{ image: string }>(page, 'GET', `/product/${listed._id}`)
    expect(image).toMatch(/^\/pictures\/uploaded\//)
    // The URL of the file is the copy now.
    await page.goto('/dashboard/import-products')
    await choose(page, `sku,image\n${own},${url}\n`)
    await expect(page.getByText('This file has no changes.')).toBeVisible()
    await page.setViewportSize({ width: 1280, height: 720 })
    await deleteProduct(page, listed._id)
    await page.goto('/dashboard/import-products')
  })

  await test.step('a failed upload shows an error, and the file can be chosen again', async () => {
    await page.goto('/dashboard/import-products')
    const field = page.getByLabel('Choose a file')
    for (const [how, message] of [
      [500, /^Something went wrong on our side/],
      ['away', /^We can't reach the shop/],
    ] as const) {
      const broken = await failing(page, '**/api/v1/imports?**', how)
      await choose(page, 'sku\n1\n')
      await expect(field).toHaveAccessibleDescription(message)
      await broken.end()
    }
  })

  await test.step('an exported file for spreadsheets changes nothing when it is imported', async () => {
    await page.goto('/dashboard/manage-products')
    const saved = page.waitForEvent('download')
    await button(page, 'Export').click()
    const file = await saved
    expect(file.suggestedFilename()).toBe('products.csv')
    const text = await readFile(await file.path(), 'utf8')
    expect(text).toMatch(/^\uFEFFid,sku,name,/)
    const broken = await failing(page, '**/api/v1/products.csv?**', 500)
    await button(page, 'Export').click()
    await expect(page.getByText(/The products could not be exported\. Something went wrong/)).toBeVisible()
    await broken.end()
    await page.getByRole('link', { name: 'Import' }).click()
    // Only the first row, because other tests leave products of all kinds in this shop.
    const [head = '', first = ''] = text.split('\n')
    await choose(page, `${head}\n${first}\n`)
    await expect(page.getByText('This file has no changes.')).toBeVisible()
  })
})

test('the import fits 360 and 1280 pixels with the longest texts, and axe finds no violations', async ({
  page,
  shop,
}) => {
  await signInAsAdmin(page, shop)
  await page.goto('/dashboard/import-products')
  const sku = newSku()
  const product = await addProduct(page, { sku, name: `${'Schraubengewindeabdeckung'.repeat(7)} ${sku}` })
  await choose(
    page,
    `sku,description,supplier\n${sku},${'Donaudampfschifffahrt'.repeat(50)},${'Kapitän'.repeat(15)}\n`,
    `${'name'.repeat(50)}.csv`,
  )
  await expect(page.getByText('No errors found')).toBeVisible()
  await expectAccessible(page, 'what would change')
  await page.getByRole('link', { name: 'Import another file' }).click()
  await choose(
    page,
    [productHeader, ...Array.from({ length: 30 }, () => productRow(sku, { name: '' }))].join('\n'),
  )
  await expect(page.getByRole('table', { name: 'Errors' })).toBeVisible()
  await expectAccessible(page, 'errors')
  await deleteProduct(page, product._id)
})
