import { randomUUID } from 'node:crypto'
import { productPath } from '../../contract/product.ts'
import {
  addProduct,
  editProduct,
  expectUnobtrusive,
  openProductRow,
  signInAsAdmin,
  toValues,
} from './admin-steps.ts'
import { expectAccessible } from './axe.ts'
import { callAs, failing, hold } from './specification-steps.ts'
import { expect, test } from './test.ts'

test('an admin looks at a product and deletes it', async ({ page, shop, expectConsole }) => {
  expectConsole(/status of 500|ERR_FAILED/)
  await signInAsAdmin(page, shop)
  const product = await addProduct(page, { price: 1250, category: 'Imported', supplier: 'Link & Sons' })
  const row = await openProductRow(page, product)

  await test.step('the product table has name, price, stock, minimum order, origin and the actions', async () => {
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Manage Products')
    await expect(page.getByRole('columnheader')).toHaveText([
      // Not in the specification.
      'Select',
      /^Name/,
      /^Price/,
      /^Stock/,
      /^Min\. Order/,
      /^Origin/,
      'Action',
    ])
    await expect(row).toBeVisible()
    expect(await toValues(row)).toEqual(['', product.name, '$1,250', '20', '2', 'Imported'])
    await expect(row.getByRole('cell').last().getByRole('button')).toHaveText(['Details', 'Delete'])
  })

  await test.step('a click on the price edits it: Enter saves, Escape discards, and a newer price is shown', async () => {
    const price = row.getByRole('button', { name: `change the price of ${product.name}` })
    const field = row.getByLabel(`Price of ${product.name}`)
    await price.click()
    await expect(field).toBeFocused()
    await page.keyboard.type('1,000')
    await page.keyboard.press('Enter')
    await expect(row.getByText('Enter dollars with at most two decimals, such as 12.50')).toBeVisible()
    await expectAccessible(page, 'a price in the list')
    await page.keyboard.press('Escape')
    await expect(price).toBeFocused()
    await expect(price).toHaveText('$1,250')

    await price.click()
    const { _id: _, options: _options, quantity: _quantity, ...fields } = product
    await editProduct(page, product._id, { ...fields, price: 1200, description: 'Sintered, for the front.' })
    await page.keyboard.type('1250')
    await page.keyboard.press('Enter')
    await expect(row.getByText('Someone else changed the price to $1,200. Save again')).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(price).toBeFocused()
    await expect(price).toHaveText('$1,250')
    const saved = await callAs(page, 'GET', `/product/${product._id}`)
    expect(saved).toMatchObject({ price: 1250, supplier: 'Link & Sons' })
  })

  await test.step('Details shows the product, its reviews label, its share links and the Restock form', async () => {
    await row.getByRole('button', { name: 'Details' }).click()
    const details = page.getByRole('dialog', { name: 'Details' })
    for (const text of [
      product.name,
      'Link & Sons',
      '4 Reviews',
      '$1,250',
      '20 pcs',
      'Sintered, for the front.',
      'Restock Item',
    ]) {
      await expect(details.getByText(text, { exact: true })).toBeVisible()
    }
    await expect(details.getByRole('img', { name: product.name })).toHaveAttribute('src', product.image)
    await expect(details.getByText('4 Reviews').locator('svg')).toHaveCount(5)
    const url = encodeURIComponent(shop.origin + productPath(product))
    for (const network of ['Facebook', 'X', 'WhatsApp']) {
      const share = details.getByRole('link', { name: `Share on ${network}`, exact: true })
      await expect(share).toHaveAttribute('href', new RegExp(`^https://.*${url}`))
      await expect(share).toHaveAttribute('rel', /noopener/)
    }
    await page.keyboard.press('Escape')
    await expect(details).toHaveCount(0)
    await expect(row.getByRole('button', { name: 'Details' })).toBeFocused()
  })

  const open = row.getByRole('button', { name: 'Delete' })
  const question = page.getByRole('dialog', { name: 'You are about to cancel your order' })
  const yes = question.getByRole('button', { name: 'Yes' })

  await test.step('a product that could not be deleted stays, and Delete can be repeated', async () => {
    await open.click()
    for (const [how, message] of [
      [500, 'Something went wrong on our side'],
      ['away', "We can't reach the shop. Check your connection."],
    ] as const) {
      const broken = await failing(page, '**/api/delete-product?**', how)
      await yes.click()
      await expect(question.getByRole('alert')).toContainText(message)
      expect(broken.asked(), 'a write is not repeated automatically').toBe(1)
      await broken.end()
    }
    await expect(row).toHaveCount(1)
  })

  await test.step('Delete asks like the cancellation of an order: No keeps the product, Yes deletes it', async () => {
    await expect(question.getByText('Are you sure?')).toBeVisible()
    await expect(question.getByText(product.name)).toBeVisible()
    await question.getByRole('button', { name: 'No' }).click()
    await expect(question).toHaveCount(0)
    await expect(row).toBeVisible()
    await expect(open).toBeFocused()

    await open.click()
    const release = await hold(page, '**/api/delete-product?**')
    await yes.click()
    await expect(yes).toBeDisabled()
    release()
    await expect(page.getByText('Product Deleted', { exact: true })).toBeVisible()
    await expect(row).toHaveCount(0)
    await expect(page.getByRole('heading', { name: 'No results' })).toBeVisible()
    expect((await page.request.get(`/api/product/${product._id}`)).status()).toBe(404)
  })
})

test('an admin pages, sorts and searches the products', async ({ page, shop }) => {
  await signInAsAdmin(page, shop)
  const { _id } = await addProduct(page, {
    name: 'aaa low in stock',
    quantity: 0,
    supplier: 'Zweirad Kontor',
  })
  await page.goto('/dashboard/manage-products')
  const names = page.getByRole('row').getByRole('cell').nth(1)
  const rows = page.getByRole('row').filter({ has: page.getByRole('button', { name: 'Details' }) })

  await test.step('the URL keeps page, order and search', async () => {
    await expect(rows).toHaveCount(20)
    const head = (name: string) => page.getByRole('columnheader').getByRole('link', { name })
    await head('Stock').click()
    await expect(page.getByRole('columnheader', { name: 'Stock' })).toHaveAttribute('aria-sort', 'ascending')
    await expect(page.getByRole('row').filter({ hasText: 'aaa low in stock' })).toBeVisible()
    await head('Name').click()
    await expect(names).toContainText('aaa low in stock')
    await head('Name').click()
    await expect(page.getByRole('columnheader', { name: 'Name' })).toHaveAttribute('aria-sort', 'descending')
    await expect(names).not.toContainText('aaa low in stock')

    const first = await rows.first().innerText()
    await page.getByRole('link', { name: 'Page 2' }).click()
    await expect(page).toHaveURL(/sort=-name&page=2$|page=2&sort=-name$/)
    await expect.poll(() => rows.first().innerText()).not.toBe(first)
    const second = await rows.first().innerText()
    await page.reload()
    await expect(rows.first()).toBeVisible()
    expect(await rows.first().innerText()).toBe(second)
    await page.goBack()
    await expect(page.getByRole('link', { name: 'Page 1' })).toHaveAttribute('aria-current', 'page')

    await page.getByRole('searchbox', { name: 'Search products' }).fill('zweirad')
    await page.getByRole('searchbox').press('Enter')
    await expect(rows).toHaveCount(1)
    await expect(rows).toContainText('aaa low in stock')
    await callAs(page, 'DELETE', `/delete-product?id=${_id}`)
  })

  await test.step('a page beyond the last links to the first, and a search without results links to all', async () => {
    await page.goto('/dashboard/manage-products?page=99&sort=name')
    await expect(page.getByRole('heading', { name: 'No results on this page' })).toBeVisible()
    await page.getByRole('link', { name: 'Go to first page' }).click()
    await expect(page).toHaveURL(/\?sort=name$/)
    await expect(page.getByRole('button', { name: 'Details' }).first()).toBeVisible()
    await page.getByRole('searchbox').fill('nothing-like-it')
    await page.getByRole('searchbox').press('Enter')
    await expect(page.getByText('No product matches “nothing-like-it”.')).toBeVisible()
    await page.getByRole('link', { name: 'Show all' }).click()
    await expect(page.getByRole('button', { name: 'Details' }).first()).toBeVisible()
  })

  await test.step('on a phone the products are cards, and the order is chosen from a list', async () => {
    await page.setViewportSize({ width: 360, height: 740 })
    await page.goto('/dashboard/manage-products')
    const sorted = page.waitForResponse(/\/api\/.*[?&]sort=-price/)
    await page.getByLabel('Sort by').selectOption('Price, descending')
    await expect(page).toHaveURL(/sort=-price/)
    const prices = page.getByRole('cell').filter({ hasText: /^Price/ })
    // Until then, the rows of the former order are shown.
    const [dearest] = await (await sorted).json()
    await expect(rows.first()).toContainText(dearest.name)
    const [first = '', second = ''] = await prices.locator('> div').allInnerTexts()
    const dollars = (text: string) => Number(text.replaceAll(/[$,]/g, ''))
    expect(dollars(first)).toBeGreaterThanOrEqual(dollars(second))
    await page.getByLabel('Sort by').selectOption('Default order')
    await expect(page).toHaveURL(/manage-products\??$/)
    const current = page.getByRole('navigation', { name: 'Dashboard' }).getByText('Manage Products')
    await expect(current, 'the bar shows the current page').toBeInViewport({ ratio: 1 })
  })
})

test('an admin changes, hides, deletes and restores all products of a brand', async ({ page, shop }) => {
  test.slow()
  const brand = `Brand ${randomUUID().slice(0, 8)}`
  await signInAsAdmin(page, shop)
  await page.setViewportSize({ width: 360, height: 740 })
  const pads = await addProduct(page, { brand, price: 50 })
  const disc = await addProduct(page, { name: `Disc ${brand}`, brand, price: 20 })
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const bar = page.getByRole('region', { name: 'Selected products' })
  const selected = bar.getByRole('status')
  const verdict = page.getByRole('status').filter({ hasText: /changed/i })
  const read = ({ _id }: { _id: string }) => page.request.get(`/api/product/${_id}`)
  const readPrices = async () =>
    Promise.all([pads, disc].map(async (each) => (await (await read(each)).json()).price))
  const openTab = async (tab: string) => {
    await page.goto(`/dashboard/manage-products?${new URLSearchParams({ brand })}`)
    const tabs = page.getByRole('navigation', { name: 'Products', exact: true })
    await tabs.getByRole('link', { name: tab }).click()
  }
  /** Selects all products of a tab, and runs a change after its preview. */
  const changeAll = async (tab: string, count: number, change: string) => {
    await openTab(tab)
    await button(`Select all ${count}`).click()
    await bar.getByRole('button', { name: change, exact: true }).click()
    await expect(verdict).toHaveText('Nothing has changed yet. These changes will be made:')
    await button('Run').click()
    await expect(verdict).toHaveText('Changed.')
  }

  await test.step('a brand becomes 10 % cheaper with prices that end in .99, after a preview', async () => {
    await page.goto('/dashboard/manage-products')
    await button('Filters').click()
    await page.getByLabel('Brand', { exact: true }).selectOption(brand)
    await expect(page.getByText('2 products', { exact: true })).toBeVisible()
    await button('Select all 2').click()
    const box = page.getByLabel(`Select ${disc.name}`)
    await box.uncheck()
    await expect(selected).toHaveText('1 selected')
    await box.check()
    await expect(selected).toHaveText('2 selected')
    await expectAccessible(page, 'selected products')
    await expectUnobtrusive(bar)
    await button('Price').click()
    await page.getByLabel('Change by').selectOption('Dollars')
    const dollars = page.getByLabel('Dollars', { exact: true })
    await dollars.fill('1,000')
    await button('Preview').click()
    await expect(dollars).toHaveAccessibleDescription(/^Enter dollars with at most two decimals/)
    await page.getByLabel('Change by').selectOption('Per cent')
    const percent = page.getByLabel('Per cent', { exact: true })
    await percent.fill('1,000')
    await button('Preview').click()
    await expect(percent).toHaveAccessibleDescription(/^Enter per cent/)
    await percent.fill('-10,00')
    await page.getByLabel('Nearest price that ends in').selectOption('.99')
    await expectAccessible(page, 'the dialog of a price change')
    await button('Preview').click()
    await expect(page.getByText('Price −10 %, ending in .99: 2 products')).toBeVisible()
    await expect(page.getByRole('row').filter({ hasText: pads.name })).toContainText('44.99')
    await expectAccessible(page, 'the preview of a price change')
    expect(await readPrices()).toEqual([50, 20])
    await button('Run').click()
    await expect(verdict).toHaveText('Changed.')
    expect(await readPrices()).toEqual([44.99, 17.99])
  })

  await test.step('the change is undone after a preview, and Manage Products shows it immediately', async () => {
    const heading = page.getByRole('heading', { level: 1 })
    const row = page.getByRole('row').filter({ hasText: pads.name })
    await page.goBack()
    await expect(heading).toHaveText('Manage Products')
    await expect(row).toContainText('$44.99')
    await page.goForward()
    await button('Undo…').click()
    await button('Undo the import').click()
    await expect(page.getByText('Undone.', { exact: true })).toBeVisible()
    expect(await readPrices()).toEqual([50, 20])
    await page.evaluate(() => history.go(-2))
    await expect(heading).toHaveText('Manage Products')
    await expect(row).toContainText('$50')
  })

  await test.step('hidden products leave the shop, and return', async () => {
    await changeAll('All', 2, 'Hide')
    expect((await read(pads)).status()).toBe(404)
    await changeAll('Hidden', 2, 'Show')
    expect(await readPrices()).toEqual([50, 20])
  })

  await test.step('deleted products are restored one by one, or all that match', async () => {
    await changeAll('All', 2, 'Delete')
    expect((await read(pads)).status()).toBe(404)
    await openTab('Deleted')
    await button('Select all 2').click()
    await page.getByLabel(`Select ${pads.name}`).uncheck()
    const row = page.getByRole('row').filter({ hasText: pads.name })
    await row.getByRole('button', { name: 'Restore' }).click()
    await expect(page.getByText('Product restored')).toBeVisible()
    await expect(row).toHaveCount(0)
    await expect(selected).toHaveText('1 selected')
    await changeAll('Deleted', 1, 'Restore')
    expect(await readPrices()).toEqual([50, 20])
  })
})
