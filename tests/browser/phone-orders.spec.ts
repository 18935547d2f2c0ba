import { randomInt } from 'node:crypto'
import type { Page } from '@playwright/test'
import { errors } from '../../contract/errors.ts'
import { addFitted, setOptions } from './admin-steps.ts'
import { expectAccessible } from './axe.ts'
import { expect, test } from './direct-shop.ts'
import { field, hold } from './specification-steps.ts'
import { fillCard, linkTo, newEmail, readStock } from './steps.ts'

test.use({ viewport: { width: 360, height: 740 } })

const quote = '**/api/v1/cart/quote'
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })

/** Counts the clicks of a mouse; keys are not clicks. */
const countClicks = async (page: Page) => {
  await page.addInitScript(() => {
    addEventListener(
      'pointerdown',
      () => sessionStorage.setItem('clicks', String(Number(sessionStorage.getItem('clicks')) + 1)),
      true,
    )
  })
  return () => page.evaluate(() => Number(sessionStorage.getItem('clicks')))
}

test('an admin orders for a caller with a part that fits, who pays by the link', async ({
  page: caller,
  admin: page,
  expectConsole,
}) => {
  test.slow()
  // Prices that fail to load, an order without an answer, and one whose price has changed.
  expectConsole(/ERR_FAILED|status of (404|409)/)
  const clicks = await countClicks(page)
  const range = { make: 'yamaha', model: 'yzf-r6', yearFrom: 2008, yearTo: 2009 }
  const pads = await addFitted(page, 'Brake pads', { fitments: [range] })
  const sku = `PH-${randomInt(1e6, 1e7)}`
  await setOptions(page, pads._id, { options: 'none', variants: [{ id: pads._id, sku }] })
  const email = newEmail()
  const total = page.getByRole('region', { name: 'Total' }).getByRole('status')
  const place = button(page, 'Place order and send link')
  let link = ''

  await test.step('the button on Manage Orders opens an empty order, which needs a customer and an item', async () => {
    await page.goto('/dashboard/manage-orders')
    await page.getByRole('link', { name: 'New order' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('New Order')
    const search = page.getByLabel('Find a customer')
    await expect(search).toBeFocused()
    await page.keyboard.type(email)
    await page.keyboard.press('Enter')
    await expect(page.getByText(`No customer matches “${email}”.`)).toBeVisible()
    await expect(place).toHaveAccessibleDescription('Add an item first.')
    await expectAccessible(page, 'an empty order by phone')
  })

  await test.step('a scan adds the item, with its stock, and the bike of the caller gives the fit', async () => {
    const scan = async () => {
      await field(page, 'Add an item').focus()
      await page.keyboard.type(sku.toLowerCase())
      await page.keyboard.press('Enter')
    }
    await scan()
    const items = page.getByRole('group', { name: 'Items of the order' }).getByRole('list')
    await items.getByRole('button', { name: `Remove ${pads.name}` }).press('Enter')
    await expect(items).toBeFocused()
    await scan()
    const line = page.getByRole('listitem').filter({ hasText: pads.name })
    await expect(line).toContainText('$40 each · 20 in stock')
    await expect(total).toHaveText('$40')
    const release = await hold(page, quote)
    const more = line.getByRole('button', { name: /^Increase/ })
    for (let times = 0; times < 3; times++) await more.press('Enter')
    await expect(line.getByRole('spinbutton')).toHaveValue('4')
    release()
    await expect(total).toHaveText('$160')
    for (let times = 0; times < 3; times++)
      await line.getByRole('button', { name: /^Decrease/ }).press('Enter')
    await expect(total).toHaveText('$40')
    await line.getByLabel(/^Bike for/).selectOption('Another bike …')
    await page.keyboard.type('2009 r6')
    await page.keyboard.press('Enter')
    await expect(line).toContainText('Fits your 2009 Yamaha YZF-R6')
  })

  await test.step('its lines stay while their prices cannot be loaded', async () => {
    const json = { code: 'NOT_FOUND', message: errors.NOT_FOUND.message }
    await page.route(quote, (route) => route.fulfill({ status: 404, json }))
    const line = page.getByRole('listitem').filter({ hasText: pads.name })
    await line.getByRole('button', { name: /^Increase/ }).press('Enter')
    await expect(page.getByText('The prices could not be loaded')).toBeVisible()
    await expect(line.getByRole('spinbutton')).toHaveValue('2')
    await page.unroute(quote)
    await button(page, 'Try again').click()
    await expect(total).toHaveText('$80')
    await line.getByRole('button', { name: /^Decrease/ }).press('Enter')
    await expect(total).toHaveText('$40')
  })

  await test.step('what is missing is named at its field, and a reload loses nothing', async () => {
    await field(page, 'Email of a new customer').fill(email)
    await field(page, 'Country').selectOption('IS')
    await field(page, 'Name').fill('Casey Caller')
    await field(page, 'Address').fill('14 Kickstand Lane')
    await place.click()
    await expect(field(page, 'City')).toBeFocused()
    await expect(field(page, 'City')).toHaveAccessibleDescription('City is required')
    await page.reload()
    await expect(field(page, 'Name')).toHaveValue('Casey Caller')
    await expect(page.getByRole('listitem').filter({ hasText: pads.name })).toContainText('Fits your 2009')
    await field(page, 'City').fill('Springfield')
    await expectAccessible(page, 'an order by phone')
  })

  await test.step('a press right after a typed quantity asks to check the new total', async () => {
    const line = page.getByRole('listitem').filter({ hasText: pads.name })
    const release = await hold(page, quote)
    await line.getByRole('spinbutton').fill('2')
    await place.click()
    await expect(
      page.getByText(
        'The order is not placed yet. Check the total, then press Place order and send link again.',
      ),
    ).toBeVisible()
    release()
    await expect(total).toHaveText('$80')
    await line.getByRole('button', { name: /^Decrease/ }).press('Enter')
    await expect(total).toHaveText('$40')
    await expect(total).toHaveAttribute('aria-busy', 'false')
  })

  await test.step('an order whose response is lost is placed once, even if its country is not served any more', async () => {
    await page.route('**/api/v1/phone-orders', async (route) => {
      await route.fetch()
      await route.abort()
    })
    await place.click()
    await expect(page.getByText('Press Place order and send link again.')).toBeVisible()
    await expect(field(page, 'City')).toBeDisabled()
    await page.unroute('**/api/v1/phone-orders')
    // In the meantime the shop stops serving the country of the order.
    await page.route('**/dashboard/new-order', async (route) => {
      const response = await route.fetch()
      const served = (await response.text()).replace('"countries":null', '"countries":["DE"]')
      await route.fulfill({ response, body: served })
    })
    await page.reload()
    await page.unroute('**/dashboard/new-order')
    await expect(page.getByText('We did not get an answer.')).toBeVisible()
    await expect(field(page, 'Country').locator('option')).toHaveCount(2)
    await place.click()
    await expect(page.getByText(/^Order #\w{6} is placed: \$40$/)).toBeVisible()
    expect(await readStock(page, pads._id)).toBe(19)
    // The three clicks that place nothing are not part of an order.
    expect((await clicks()) - 3).toBeLessThanOrEqual(12)
    test.info().annotations.push({ type: 'clicks', description: String((await clicks()) - 3) })
    link = await page.getByLabel('Payment link').inputValue()
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await button(page, 'Copy link').click()
    await expect(page.getByText('Copied.')).toBeVisible()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link)
    await expectAccessible(page, 'an order by phone that was placed')
  })

  await test.step('its details name the admin and the last day, and send the link again', async () => {
    await button(page, /^Show order #/).click()
    const details = page.getByRole('dialog')
    await expect(details).toContainText('Placed by admin@example.com, pay by ')
    await details.getByLabel('Pay within').selectOption('14 days')
    await button(page, 'Send the link again').click()
    await expect(details.getByText(`Sent to ${email}.`)).toBeVisible()
    await expect(button(page, 'Send the link again')).toBeFocused()
    await expect(details.getByLabel('Payment link')).toHaveValue(link)
    await expectAccessible(page, 'the details of an order by phone')
  })

  await test.step('the email has the link, which starts no payment until the caller presses the button', async () => {
    const sent = await linkTo(caller, email, `Order #${/order\/(\w{6})/.exec(link)?.[1]}: please pay by`)
    expect(sent).toBe(link)
    const calls: string[] = []
    caller.on('request', (request) => calls.push(`${request.method()} ${new URL(request.url()).pathname}`))
    await caller.goto(link)
    await expect(caller.getByText('Your items are reserved until')).toBeVisible()
    await expect(caller.getByText('Fits', { exact: false }).first()).toBeVisible()
    await expectAccessible(caller, 'the page of an order by phone')
    expect(calls.filter((each) => !each.startsWith('GET '))).toEqual([])
    await button(caller, 'Pay $40 by card').press('Enter')
    await expect(caller.getByRole('group', { name: 'Payment by card' })).toBeFocused()
    await fillCard(caller, '4242424242424242')
    await button(caller, 'Pay $40').click()
    await expect(caller.getByText('Payment Successful..!')).toBeVisible()
  })

  await test.step('a caller who is known gets the last address, and items that were added before', async () => {
    await page.goto('/dashboard/new-order')
    // A product is found by words, too.
    await field(page, 'Add an item').fill(pads.name)
    await field(page, 'Add an item').press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: pads.name }).click()
    await expect(total).toHaveText('$40')
    await page.goto(`/dashboard/customer?${new URLSearchParams({ email })}`)
    await page.getByRole('link', { name: 'New order' }).click()
    await expect(page.getByText(`${email} · ordered as a guest`)).toBeVisible()
    await expect(field(page, 'City')).toHaveValue('Springfield')
    await expect(total).toHaveText('$40')
    await expect(total).toHaveAttribute('aria-busy', 'false')
    await place.click()
    await expect(page.getByText(/^Order #\w{6} is placed: \$40$/)).toBeVisible()
  })
})
