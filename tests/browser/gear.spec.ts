import { addProduct, openEditProduct, signInAsAdmin } from './admin-steps.ts'
import { expectAccessible } from './axe.ts'
import { expectError } from './specification-steps.ts'
import { started } from './steps.ts'
import { expect, test } from './test.ts'

const phone = { width: 360, height: 740 }

test('a rider finds the size of a jacket, in inches from then on, and reads the chart without scripts as well', async ({
  page,
  openOther,
}) => {
  await page.setViewportSize(phone)
  await page.goto('/products?certificate=EN+17092+AA')
  await page
    .getByRole('main')
    .getByRole('link', { name: /Harrow textile touring jacket/ })
    .first()
    .click()
  await started(page)
  const chart = page.getByRole('region', { name: 'Size chart for Ravenmoor jackets' })
  const table = page.getByRole('table').filter({ hasText: 'Chest' })

  await test.step('the page shows chart, certificates and maker, even after a navigation in the browser', async () => {
    await expect(table.getByRole('row', { name: 'L 100–106 88–94 65–66' })).toBeVisible()
    await expect(page.getByRole('row', { name: 'EN 17092 Class AA –' })).toBeVisible()
    await expect(page.getByText('Ravenmoor (invented for this demo)')).toBeVisible()
    await expectAccessible(page, 'a product with a size chart')
    // A rider without a stored unit chooses.
    await page.getByRole('main').getByRole('link', { name: 'M', exact: true }).click()
    await expect(page).toHaveURL(/\?size=M$/)
    await expect(table).toBeVisible()
    await expect(page.getByText('Ravenmoor (invented for this demo)')).toBeVisible()
  })

  await test.step('a measure has a size, is between two, or is outside', async () => {
    await chart.getByText('Find your size').click()
    const answer = chart.getByRole('status')
    await chart.getByLabel('Chest, cm').fill('102')
    await expect(answer).toHaveText('Chest 102 cm → L')
    await chart.getByLabel('Chest, cm').fill('99.5')
    await expect(answer).toHaveText('Chest 99.5 cm is between M and L. Try both sizes.')
    await chart.getByRole('radio', { name: 'Inches' }).check()
    await expect(chart.getByLabel('Chest, inches')).toHaveValue('39.2')
    await chart.getByLabel('Chest, inches').fill('40')
    await expect(answer).toHaveText('Chest 40 in → L')
    await chart.getByRole('button', { name: 'Choose L' }).click()
    await expect(page).toHaveURL(/\?size=L$/)
    await expect(answer).toHaveText('Chest 40 in → L')
    await expectAccessible(page, 'the size finder')
  })

  await test.step('the unit is remembered, and the HTML of the server becomes interactive', async () => {
    await page.reload()
    await expect(chart.getByRole('radio', { name: 'Inches' })).toBeChecked()
    await expect(table.getByRole('row', { name: 'L 39.4–41.7 34.6–37 25.6–26' })).toBeVisible()
    await chart.getByRole('radio', { name: 'cm' }).press(' ')
    await expect(table.getByRole('row', { name: 'L 100–106 88–94 65–66' })).toBeVisible()
    await expect.poll(() => page.evaluate(() => localStorage.getItem('unit'))).toBe('cm')
  })

  await test.step('without scripts the chart can be switched as well', async () => {
    const plain = await openOther({ javaScriptEnabled: false })
    await plain.goto(page.url())
    await expect(plain.getByRole('row', { name: 'L 100–106 88–94 65–66' })).toBeVisible()
    await plain.getByRole('radio', { name: 'Inches' }).check()
    await expect(plain.getByRole('row', { name: 'L 39.4–41.7 34.6–37 25.6–26' })).toBeVisible()
  })
})

test('an admin adds a maker, a size chart and a certificate, and the product page shows them', async ({
  page,
  shop,
  expectConsole,
}) => {
  expectConsole(/status of 400/)
  await page.setViewportSize(phone)
  await signInAsAdmin(page, shop)
  const brand = `Brand ${Date.now()}`
  const product = await addProduct(page, { brand, kind: 'Vests' })
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const toast = (text: string) => expect(page.getByText(text, { exact: true })).toBeVisible()

  await test.step('the list names the brands without data', async () => {
    await page.goto(`/dashboard/brands?q=${encodeURIComponent(brand)}`)
    await expect(page.getByText('No data')).toBeVisible()
    await expectAccessible(page, 'brands')
    await button(`Edit ${brand}`).click()
    const dialog = page.getByRole('dialog', { name: brand })
    const maker = dialog.getByRole('group', { name: 'Manufacturer' })
    await maker.getByLabel('Name').fill('Maker Ltd.')
    await expectAccessible(page, 'the form of a brand')
    await maker.getByLabel('Email or website').fill('help@maker.test')
    await maker.getByLabel('Postal address').fill('1 Road\nTown')
    // Escape asks before it discards the typed text.
    await page.keyboard.press('Escape')
    await page
      .getByRole('dialog', { name: 'Leave without saving?' })
      .getByRole('button', { name: 'Stay' })
      .click()
    await expect(maker.getByLabel('Name')).toHaveValue('Maker Ltd.')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await toast('Brand saved')
    await expect(page.getByText('Complete', { exact: true })).toBeVisible()
  })

  await test.step('search words find the product by another name of the brand', async () => {
    await page.goto('/dashboard/search-words')
    await page.getByRole('button', { name: 'Add group' }).click()
    const phrases = page.getByLabel('Phrases')
    await phrases.fill(brand)
    await button('Save group').click()
    await expectError(page, 'Phrases', 'Enter at least 2 phrases, separated by commas')
    await expectAccessible(page, 'the editor of search words')
    await phrases.fill(`${brand}, Alias ${brand}`)
    await button('Save group').click()
    await toast('Group saved')
    await expect(button(`Edit ${brand}, Alias ${brand}`)).toBeVisible()
    await expectAccessible(page, 'search words')
    await page.goto(`/products?q=${encodeURIComponent(`alias ${brand}`)}`)
    await expect(page.getByRole('link', { name: product.name })).toBeVisible()
  })

  await test.step('a size chart is a table; a wrong cell is named and nothing is lost', async () => {
    await page.goto('/dashboard/size-charts')
    await expect(button('Edit Kestrin, Gloves')).toBeVisible()
    await expectAccessible(page, 'size charts')
    await button('Add size chart').click()
    await page.getByLabel('Brand').fill(brand)
    await page.getByLabel('Kind of part').fill('Vests')
    await page.getByLabel('Source').fill('Maker, 2026')
    await page.getByLabel('Chest of S').fill('88-92')
    await page.getByLabel('Chest of M').fill('wide')
    await button('Save size chart').click()
    await expect(page.getByText('Enter a number or a range, such as 96–100.')).toBeVisible()
    await expect(page.getByLabel('Chest of M')).toHaveAttribute('aria-invalid', 'true')
    await expectAccessible(page, 'the editor of a size chart')
    await page.getByLabel('Chest of M').fill('93–97')
    await button('Save size chart').click()
    await toast('Size chart saved')
    await expect(button(`Edit ${brand}, Vests`)).toBeVisible()
  })

  await test.step('certificates are saved on the form of the product', async () => {
    await openEditProduct(page, product._id)
    await button('Add certificate').click()
    await page.getByLabel('Standard', { exact: true }).selectOption('EN 1621-1')
    await button('Add certificate').click()
    await button('Save certificates').click()
    await expect(page.getByText('This standard has no such class')).toBeVisible()
    await expect(page.getByText('Some values are not valid.')).toBeVisible()
    await expect(page.getByLabel('Level')).toBeFocused()
    await button('Remove ECE 22.06').press('Enter')
    await expect(button('Add certificate')).toBeFocused()
    await page.getByLabel('Level').selectOption('2')
    await page.getByLabel('Zone').selectOption('elbow')
    await expectAccessible(page, 'the certificates of a product')
    await button('Save certificates').click()
    await toast('Certificates saved')
  })

  await test.step('the product page has all of it', async () => {
    await page.goto(`/product/${product._id}`)
    await expect(page.getByText('Maker Ltd.')).toBeVisible()
    await expect(page.getByRole('row', { name: 'S 88–92' })).toBeVisible()
    await expect(page.getByRole('row', { name: 'EN 1621-1 Level 2 Elbow' })).toBeVisible()
  })

  await test.step('a deletion with the keyboard moves the focus to the page', async () => {
    await page.goto('/dashboard/search-words')
    await button(`Delete ${brand}, Alias ${brand}`).press('Enter')
    await button('Yes').press('Enter')
    await toast('Group deleted')
    await expect(page.getByRole('main')).toBeFocused()
  })
})
