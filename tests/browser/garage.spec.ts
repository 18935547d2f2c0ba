import type { Page } from '@playwright/test'
import type { Product } from '../../contract/catalog.ts'
import { addFitted, fittedKind, signInAsAdmin } from './admin-steps.ts'
import { expectAccessible } from './axe.ts'
import { callAs, failing } from './specification-steps.ts'
import { enterAsNewRider, started } from './steps.ts'
import { expect, test } from './test.ts'

const phone = { width: 360, height: 740 }
test.use({ viewport: phone })

const bar = (page: Page) => page.getByRole('banner').locator('#bike')
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Choose your bike' })
const badge = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text })
const choose = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true }).click()

const toFitment = (model: string, more: object = {}) => ({
  make: 'yamaha',
  model,
  yearFrom: 2008,
  yearTo: 2010,
  ...more,
})

test('a rider chooses a bike once and sees on every page whether parts fit', async ({
  page,
  shop,
  browser,
  expectConsole,
}) => {
  expectConsole(/Failed to load resource|net::ERR/)
  const admin = await (await browser.newContext({ baseURL: shop.origin })).newPage()
  await signInAsAdmin(admin, shop)
  const note = { position: 'front', pieces: 2, note: 'not with ABS' }
  const fits = await addFitted(admin, 'Disc', { fitments: [toFitment('yzf-r6', note)] })
  const not = await addFitted(admin, 'Pads', { complete: true, fitments: [toFitment('yzf-r1')] })
  const open = await addFitted(admin, 'Lever')
  const some = await addFitted(admin, 'Caliper', {
    fitments: [{ make: 'hayashi', model: 'k6', yearFrom: 2012, yearTo: 2012, version: 'ABS' }],
  })
  const gear = await addFitted(admin, 'Jacket', { fitKind: 'gear' })
  const list = `/products?${new URLSearchParams({ kind: fittedKind })}`
  const card = ({ name }: Product) => page.getByRole('main').getByRole('article', { name })

  await test.step('without a bike, parts ask for it and gear does not', async () => {
    await page.goto(`/product/${gear._id}`)
    await started(page)
    await expect(page.getByText('Does this fit your bike?')).toHaveCount(0)
    await page.goto(`/product/${fits._id}`)
    await expect(badge(page, 'Does this fit your bike?')).toBeVisible()
    await expectAccessible(page, 'a product without a bike')
    await page.setViewportSize(phone)
  })

  await test.step('typing finds the bike, which the header and the badge show', async () => {
    await started(page)
    await page.getByRole('main').getByRole('link', { name: 'Choose your bike' }).click()
    await expect(dialog(page).getByRole('button', { name: 'Yamaha', exact: true })).toBeVisible()
    await expectAccessible(page, 'the dialog that chooses a bike')
    await page.setViewportSize(phone)
    await dialog(page).getByLabel('Type your bike').fill('2009 r6')
    await dialog(page).getByLabel('Type your bike').press('Enter')
    await expect(dialog(page)).toBeHidden()
    await expect(bar(page).getByRole('link')).toHaveAccessibleName('Change bike: 2009 Yamaha YZF-R6')
    await expect(bar(page).getByRole('link')).toBeFocused()
    await expect(badge(page, 'Fits your 2009 Yamaha YZF-R6')).toContainText(
      'Front, 2 per bike · Note: not with ABS',
    )
    await expectAccessible(page, 'a product that fits')
    await page.setViewportSize(phone)
  })

  await test.step('the list marks each part with one call, and no gear', async () => {
    const calls: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/api/v1/fit')) calls.push(request.url())
    })
    await page.goto(list)
    await expect(card(fits)).toContainText('Fits')
    await expect(card(not)).toContainText('Does not fit')
    await expect(card(open)).toContainText('Fit not confirmed')
    await expect(card(gear)).not.toContainText(/fit/i)
    expect(calls).toHaveLength(1)
    await expectAccessible(page, 'a list with a bike')
    await page.setViewportSize(phone)
  })

  await test.step('missing data is neither yes nor no', async () => {
    await card(not).getByRole('link').first().click()
    await expect(badge(page, 'Does not fit your 2009 Yamaha YZF-R6.')).toBeVisible()
    await expect(page.getByRole('link', { name: 'See parts that fit' })).toHaveAttribute(
      'href',
      '/bikes/yamaha/yzf-r6/2009',
    )
    const failure = await failing(page, '**/api/v1/fitment?*', 'away')
    await page.goto(`/product/${open._id}`)
    await expect(badge(page, 'We could not check the fit.')).toBeVisible()
    await failure.end()
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(badge(page, 'Fit not confirmed for your 2009 Yamaha YZF-R6.')).toBeVisible()
  })

  await test.step('a bike in four steps, whose version the badge asks for', async () => {
    await page.goto(`/product/${some._id}`)
    await bar(page).getByRole('link').click()
    for (const name of ['Hayashi', 'K6', '2012', "I don't know"]) await choose(page, name)
    await expect(badge(page, 'Fits some versions of the 2012 Hayashi K6: ABS.')).toBeVisible()
    await page.getByRole('button', { name: 'Which version do you have?' }).click()
    await choose(page, 'ABS')
    await expect(badge(page, 'Fits your 2012 Hayashi K6 ABS')).toBeVisible()
  })

  await test.step('another tab follows, and switching off takes one step', async () => {
    const tab = await page.context().newPage()
    await tab.goto('/contact-us')
    await expect(bar(tab).getByRole('link')).toContainText('2012 Hayashi K6 ABS')
    await bar(tab).getByRole('button', { name: 'Switch off 2012 Hayashi K6 ABS' }).click()
    await expect(bar(tab)).toHaveText('Choose your bike')
    await expect(bar(page)).toHaveText('Choose your bike')
    await expect(badge(page, 'Does this fit your bike?')).toBeVisible()
    await tab.close()
  })

  await test.step('the garage manages the bikes, also those of an account', async () => {
    await bar(page).getByRole('link').click()
    await dialog(page).getByRole('link', { name: 'Manage' }).click()
    const rows = page.getByRole('main').getByRole('listitem')
    await expect(rows).toHaveCount(3)
    await page.getByRole('button', { name: 'Use 2009 Yamaha YZF-R6' }).click()
    await expect(bar(page)).toContainText('2009 Yamaha YZF-R6')
    await page.getByRole('button', { name: 'Remove 2012 Hayashi K6', exact: true }).click()
    await expect(rows).toHaveCount(2)
    await expectAccessible(page, 'the garage')
    await page.setViewportSize(phone)

    await enterAsNewRider(page)
    await page.goto('/garage')
    const read = () => callAs<{ bikes: object[]; current: number }>(page, 'GET', '/v1/me/garage')
    await expect.poll(async () => (await read()).bikes.length).toBe(2)
    await expect(rows).toHaveCount(2)
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('button', { name: 'Logout' }).click()
    await expect(page.getByRole('heading', { name: 'Your garage is empty.' })).toBeVisible()
    await expect(bar(page)).toHaveText('Choose your bike')
  })
  await admin.context().close()
})
