import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { productHeader, productRow } from '../product-import.ts'
import { addProduct, deleteProduct, signInAsAdmin } from './admin-steps.ts'
import { expectNothing } from './axe.ts'
import { callAs, failing, hold } from './specification-steps.ts'
import { expect, test } from './test.ts'

const choose = (page: Page, text: string, name = 'products.csv') =>
  page.getByLabel('Choose a file').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })

const button = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name, exact: true })
const cells = (page: Page, table: string) =>
  page.getByRole('table', { name: table }).getByRole('cell').locator('> div').allInnerTexts()

/** A part number that no other test has. */
const newSku = () => `T-${randomUUID().slice(0, 8)}`

test('a file is tried, told what it would do, and imported; its page survives a reload', async ({
  page,
  shop,
}) => {
  await signInAsAdmin(page, shop)
  const sku = newSku()
  const product = await addProduct(page, { sku, price: 40 })
  await page.goto('/dashboard/manage-products')
  await page.getByRole('link', { name: 'Import' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Import Products')
  const letGo = await hold(page, '**/api/v1/imports?**')
  await choose(page, `sku,price\n${sku},41\n`)
  await expect(page.getByRole('progressbar', { name: 'Uploading' })).toBeVisible()
  letGo()
  await expect(page.getByText('No errors found')).toBeVisible()
  expect(await cells(page, 'Changes')).toEqual([
    '2',
    product.name,
    expect.stringMatching(/^price:\s*40.*becomes\s*41$/s),
  ])
  await page.reload()
  await button(page, 'Import').click()
  await expect(page.getByText('Imported.', { exact: true })).toBeVisible()
  await expect(button(page, 'Import')).toHaveCount(0)
  const { price } = await callAs<{ price: number }>(page, 'GET', `/product/${product._id}`)
  expect(price).toBe(41)
  await page.getByRole('link', { name: 'Import another file' }).click()
  await expect(page.getByLabel('Choose a file')).toBeEnabled()
  await deleteProduct(page, product._id)
})

test('what is wrong stands in a table, by row and column, and nothing can be imported', async ({
  page,
  shop,
}) => {
  await signInAsAdmin(page, shop)
  await page.goto('/dashboard/import-products')
  const sku = newSku()
  await choose(page, [productHeader, productRow(sku, { name: '' }), productRow(`${sku}-2`)].join('\n'))
  await expect(page.getByText('Fix the errors before you import this file')).toBeVisible()
  expect(await cells(page, 'Errors')).toEqual(['2', 'name', 'Name is required'])
  await expect(button(page, 'Import')).toHaveCount(0)
  await page.getByRole('link', { name: 'Import another file' }).click()
  await choose(page, 'name,colour\nx,red\n')
  await expect(page.getByRole('main').getByRole('alert')).toHaveText(/knows no column “colour”/)
})

test('the export is a file for spreadsheets, which imported again changes nothing', async ({
  page,
  shop,
}) => {
  await signInAsAdmin(page, shop)
  await page.goto('/dashboard/manage-products')
  const saved = page.waitForEvent('download')
  await button(page, 'Export').click()
  const file = await saved
  expect(file.suggestedFilename()).toBe('products.csv')
  const text = await readFile(await file.path(), 'utf8')
  expect(text).toMatch(/^\uFEFFid,sku,name,/)
  await page.getByRole('link', { name: 'Import' }).click()
  // Other tests add and delete products in the meantime: one that no one touches.
  const [head = '', first = ''] = text.split('\n')
  await choose(page, `${head}\n${first}\n`)
  await expect(page.getByText('This file has no changes.')).toBeVisible()
})

test('failures are said, and what was chosen can be chosen again', async ({ page, shop, expectConsole }) => {
  expectConsole(/status of (409|500)|ERR_FAILED/)
  await signInAsAdmin(page, shop)
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
  await page.goto('/dashboard/manage-products')
  await failing(page, '**/api/v1/products.csv?**', 500)
  await button(page, 'Export').click()
  await expect(page.getByText(/The products could not be exported\. Something went wrong/)).toBeVisible()
})

for (const width of [360, 1280]) {
  test(`at ${width} pixels the import fits, also with the longest texts, and axe finds nothing`, async ({
    page,
    shop,
  }) => {
    await page.setViewportSize({ width, height: 800 })
    await signInAsAdmin(page, shop)
    const expectWell = async (where: string) => {
      expect(await page.evaluate(() => document.documentElement.scrollWidth), where).toBe(width)
      await expectNothing(page, where)
    }
    await page.goto('/dashboard/manage-products')
    await expect(button(page, 'Export')).toBeVisible()
    await expectWell('manage products')
    await page.goto('/dashboard/import-products')
    await expect(page.getByLabel('Choose a file')).toBeEnabled()
    await expectWell('import')
    const sku = newSku()
    const product = await addProduct(page, { sku, name: `${'Schraubengewindeabdeckung'.repeat(7)} ${sku}` })
    await choose(
      page,
      `sku,description,supplier\n${sku},${'Donaudampfschifffahrt'.repeat(50)},${'Kapitän'.repeat(15)}\n`,
      `${'name'.repeat(50)}.csv`,
    )
    await expect(page.getByText('No errors found')).toBeVisible()
    await expectWell('what would change')
    await page.getByRole('link', { name: 'Import another file' }).click()
    await choose(
      page,
      [productHeader, ...Array.from({ length: 30 }, () => productRow(sku, { name: '' }))].join('\n'),
    )
    await expect(page.getByRole('table', { name: 'Errors' })).toBeVisible()
    await expectWell('errors')
    await deleteProduct(page, product._id)
  })
}
