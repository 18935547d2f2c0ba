import { addProduct, deleteProduct, editProduct, openDetails, signInAsAdmin } from './admin-steps.ts'
import { expectAccessible } from './axe.ts'
import { callAs, failing } from './specification-steps.ts'
import { expect, test } from './test.ts'

test('an admin edits a product, with cents, and its stock and its picture stay the same', async ({
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
    ['1,000', 'Enter dollars with at most two decimals'],
    ['12.345', 'Enter dollars with at most two decimals'],
    ['0', 'At least \\$0.01'],
    ['1000000', 'At most \\$999,999'],
  ] as const) {
    await field('Price').fill(price)
    await expect(field('Price'), price).toHaveAccessibleDescription(new RegExp(`^${message}`))
  }
  await field('Price').fill('55.50')
  await field('Supplier').fill('')
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
    image: product.image,
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

test('unsaved input of Edit Product is not lost: two admins, leaving the page, and Save all', async ({
  page,
  shop,
  expectConsole,
}) => {
  expectConsole(/status of (400|412)/)
  await signInAsAdmin(page, shop)
  const product = await addProduct(page, { price: 49, supplier: 'Link & Sons' })
  const { _id, quantity: _quantity, options: _options, ...stored } = product
  const path = `/dashboard/edit-product/${_id}`
  const field = (label: string) => page.getByLabel(label, { exact: true })
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const bar = page.getByRole('region', { name: 'Unsaved changes' })
  const question = page.getByRole('dialog', { name: 'Leave without saving?' })
  await (await openDetails(page, product)).getByRole('link', { name: 'Edit' }).click()
  // The list has a filter with the name of a field.
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Edit Product')

  await test.step('fields that only another admin changed are taken, and fields that both changed are marked', async () => {
    await field('Supplier').fill('Chain Works')
    await field('Minimum').fill('4')
    await editProduct(page, _id, { ...stored, price: 39.9, supplier: 'Northwind' })
    await button('Save').click()
    await expect(page.getByRole('main').getByRole('alert')).toHaveText(
      'Someone else changed this product. Check the marked fields and save again.',
    )
    await expect(field('Supplier')).toHaveAccessibleDescription(/^Now Northwind · Yours Chain Works/)
    await expect(field('Supplier')).toBeFocused()
    await expect(field('Price')).toHaveValue('39.90')
    await expect(bar).toHaveText(/^Unsaved: minimum, supplier/)
    await expectAccessible(page, 'a product that two admins changed')
    await bar.getByRole('button', { name: 'Save all' }).click()
    await expect(bar).toBeHidden()
    const merged = { price: 39.9, supplier: 'Chain Works', minimum: 4 }
    expect(await callAs(page, 'GET', `/product/${_id}`)).toMatchObject(merged)
  })

  await test.step('a link, Back and the tab ask first, with an open certificate row as well', async () => {
    // The end of a text is trimmed.
    await field('Description').fill(`${product.description}\n`)
    await field('Supplier').fill('')
    await expect(bar.getByRole('status')).toHaveText('Unsaved: supplier')
    await button('Discard').click()
    await expect(bar).toBeHidden()
    await expect(field('Supplier')).toHaveValue('Chain Works')
    await button('Add certificate').click()
    await expect(bar).toHaveText(/^Unsaved: certificates/)
    await page.getByRole('link', { name: 'Manage Orders' }).click()
    await expect(question).toBeVisible()
    await expectAccessible(page, 'leave without saving')
    await question.getByRole('button', { name: 'Stay' }).click()
    await expect(page).toHaveURL(path)
    // The next Back without an input in between would leave: Chromium cancels one of them.
    await page.evaluate(() => window.history.back())
    await expect(question).toBeVisible()
    await question.getByRole('button', { name: 'Stay' }).click()
    await expect(page).toHaveURL(path)
    const asked = page.waitForEvent('dialog')
    const closing = page.close({ runBeforeUnload: true })
    await (await asked).dismiss()
    await closing
    await expect(bar).toBeVisible()
  })

  await test.step('Save all saves part by part, stops at the first error, and keeps the rest', async () => {
    await field('Price').fill('45.50')
    await field('Part number').fill(`S-${_id}`)
    await page.getByRole('radio', { name: 'No options' }).check()
    await button('Add a fitment').click()
    await expect(bar).toHaveText(/^Unsaved: part number, price, options, 1 fitment, certificates/)
    await bar.getByRole('button', { name: 'Save all' }).click()
    await expect(page.getByRole('group', { name: 'Fitment 1' }).getByLabel('Make')).toBeFocused()
    await expect(bar).toHaveText(/^Unsaved: 1 fitment, certificates/)
    await button('Remove fitment 1').click()
    await page.getByLabel('Fit kind', { exact: true }).selectOption('Universal part')
    await bar.getByRole('button', { name: 'Save all' }).click()
    await expect(bar).toBeHidden()
    await expect(page).toHaveURL(path)
    expect(await callAs(page, 'GET', `/product/${_id}`)).toMatchObject({
      price: 45.5,
      sku: `S-${_id}`,
      options: 'none',
      certificates: [{}],
    })
  })

  await test.step('own sizes take over the part number, and Save all still saves the parts after them', async () => {
    await field('Minimum').fill('1')
    await page.getByText('Own sizes and colours').click()
    await field('Size, row 1').fill('M')
    await page.getByRole('region', { name: 'Safety certificates' }).getByLabel('Number').fill('E1-1')
    await expect(bar).toHaveText(/^Unsaved: minimum, options, certificates/)
    await bar.getByRole('button', { name: 'Save all' }).click()
    await expect(bar).toBeHidden()
    expect(await callAs(page, 'GET', `/product/${_id}`)).toMatchObject({
      variants: [{ size: 'M', sku: `S-${_id}` }],
      certificates: [{ number: 'E1-1' }],
    })
  })

  await test.step('the part number returns with "No options", and the next save keeps it', async () => {
    await page.getByText('No options').click()
    await button('Update options').click()
    await expect(field('Part number')).toHaveValue(`S-${_id}`)
    await expect(bar).toBeHidden()
    await field('Supplier').fill('Northwind')
    await bar.getByRole('button', { name: 'Save all' }).click()
    await expect(bar).toBeHidden()
    expect(await callAs(page, 'GET', `/product/${_id}`)).toMatchObject({
      supplier: 'Northwind',
      sku: `S-${_id}`,
    })
  })

  await test.step('own sizes discard an unsaved part number of the product, with a message', async () => {
    await field('Part number').fill(`T-${_id}`)
    await page.getByText('Own sizes and colours').click()
    await field('Size, row 1').fill('M')
    await button('Update options').click()
    await expect(page.getByText(`Part number T-${_id} is not saved. Enter it in Options.`)).toBeVisible()
    await expect(field('Part number')).toHaveCount(0)
    await expect(field('Part number, row 1')).toHaveValue(`S-${_id}`)
    await expect(bar).toBeHidden()
  })

  await test.step('a confirmed question leaves', async () => {
    await field('Name').fill('Other')
    await page.getByRole('link', { name: 'Manage Orders' }).click()
    await question.getByRole('button', { name: 'Leave' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Manage Orders')
  })
  await deleteProduct(page, _id)
})
