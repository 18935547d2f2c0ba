import type { Page } from '@playwright/test'
import { expectAccessible } from './axe.ts'
import { expectError, expectNoError, failing, field, hold } from './specification-steps.ts'
import { enterAsNewRider, expectSlowSentence } from './steps.ts'
import { expect, test } from './test.ts'

const card = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) })
const save = (page: Page) => page.getByRole('button', { name: 'Save address' })

test.use({ viewport: { width: 360, height: 740 } })

test('a customer keeps an address book', async ({ page, expectConsole }) => {
  expectConsole(/status of 500/)
  await enterAsNewRider(page)
  await page.goto('/dashboard/my-addresses')

  await test.step('the form fills in the name, has autofill tokens, and shows each missing part', async () => {
    await expect(page.getByRole('heading', { name: 'No addresses yet' })).toBeVisible()
    await page.getByRole('button', { name: 'Add address' }).click()
    await expect(page.getByRole('heading', { name: 'Add address' })).toBeFocused()
    await expect(field(page, 'Name')).toHaveValue('Robin Rider')
    const tokens = {
      Name: 'name',
      'Phone (optional)': 'tel',
      Address: 'address-line1',
      'Apartment, company or floor (optional)': 'address-line2',
      City: 'address-level2',
      'State or region (optional)': 'address-level1',
      'Postal code (optional)': 'postal-code',
      Country: 'country',
    }
    for (const [label, token] of Object.entries(tokens)) {
      await expect(field(page, label)).toHaveAttribute('autocomplete', `shipping ${token}`)
    }
    await expect(field(page, 'Country').locator('option')).toHaveCount(250)

    await save(page).click()
    await expectError(page, 'Address', 'Address is required')
    await expectError(page, 'City', 'City is required')
    await expectError(page, 'Country', 'Select a country')
    await expectNoError(page, 'Postal code (optional)')
    await expect(field(page, 'Country')).toBeFocused()
  })

  await test.step('the first address becomes the default, and a failed save keeps the input', async () => {
    await field(page, 'Label (optional)').fill('Home')
    await field(page, 'Address').fill('14 Kickstand Lane')
    await field(page, 'City').fill('Springfield')
    await field(page, 'Country').selectOption({ label: 'United States' })
    await save(page).click()
    await expectError(page, 'State or region', 'State or region is required')
    await expectError(page, 'Postal code', 'Postal code is required')
    await field(page, 'State or region').selectOption('IL')
    await field(page, 'Postal code').fill('62701')
    await expect(page.getByRole('checkbox')).toHaveCount(0)
    const failure = await failing(page, '**/api/v1/me/addresses')
    await save(page).click()
    await expect(page.getByRole('alert')).toContainText('Something went wrong on our side')
    await failure.end()
    await save(page).click()
    await expect(card(page, 'Home')).toContainText(
      /Default.*Robin Rider.*14 Kickstand Lane.*Springfield, IL 62701.*United States/,
    )
    await expect(page.getByRole('button', { name: 'Add address' })).toBeFocused()
  })

  await test.step('a second address becomes the default on request, and an edit changes only its own', async () => {
    await page.getByRole('button', { name: 'Add address' }).click()
    await expect(field(page, 'Country')).toHaveValue('US')
    await field(page, 'Label (optional)').fill('Workshop')
    await field(page, 'Address').fill('5 Main Street')
    await field(page, 'City').fill('Berlin')
    // A region of another country would be sent unseen.
    await field(page, 'State or region').selectOption('TX')
    await field(page, 'Country').selectOption('CA')
    await expect(field(page, 'State or region')).toHaveValue('')
    await field(page, 'State or region').selectOption('ON')
    // So would a postal code in a country without them.
    await field(page, 'Postal code').fill('M5V 3L9')
    await field(page, 'Country').selectOption('IS')
    await expect(field(page, 'State or region (optional)')).toHaveValue('')
    await field(page, 'Country').selectOption('HK')
    await expect(field(page, 'Postal code')).toHaveCount(0)
    await field(page, 'Country').selectOption('DE')
    await expect(field(page, 'Postal code')).toHaveValue('')
    await field(page, 'Postal code').fill('10115')
    await page.getByRole('checkbox', { name: 'Make this my default address' }).check()
    await save(page).click()
    await expect(card(page, 'Workshop')).toContainText('Default')
    await expect(card(page, 'Home')).not.toContainText('Default')
    await expectAccessible(page, 'the list of addresses')

    const edit = page.getByRole('button', { name: 'Edit Home' })
    await edit.click()
    await expect(field(page, 'Postal code')).toHaveValue('62701')
    await field(page, 'Postal code').fill('62702')
    await field(page, 'Address').fill('15 Kickstand Lane')
    await save(page).click()
    await expect(edit).toBeFocused()
    await page.reload()
    await expect(card(page, 'Home')).toContainText(/15 Kickstand Lane.*Springfield, IL 62702.*United States/)
    await expect(card(page, 'Workshop')).toContainText('Default')
  })

  await test.step('another address can become the default, and a deleted default is replaced', async () => {
    await page.getByRole('button', { name: 'Make default: Home' }).click()
    await expect(card(page, 'Home')).toContainText('Default')
    await expect(card(page, 'Workshop')).not.toContainText('Default')

    await page.getByRole('button', { name: 'Delete Home' }).click()
    await expect(page.getByRole('dialog')).toContainText('15 Kickstand Lane')
    await page.getByRole('button', { name: 'No', exact: true }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await page.getByRole('button', { name: 'Delete Home' }).click()
    const release = await hold(page, '**/api/v1/me/addresses/*')
    await expectSlowSentence(page, page.getByRole('button', { name: 'Yes', exact: true }))
    release()
    await expect(card(page, 'Home')).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Add address' })).toBeFocused()
    await expect(card(page, 'Workshop')).toContainText('Default')
  })
})
