import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { addPart } from './admin-steps.ts'
import { expectAccessible } from './axe.ts'
import { expect, test } from './direct-shop.ts'
import { newEmail } from './steps.ts'

const phone = { width: 360, height: 740 }
test.use({ viewport: phone })

interface Buyer {
  name: string
  phone: string
  city: string
  email: string
}

/** Orders a product as a guest. Returns the id of the order and its key. */
async function orderAsGuest(page: Page, { _id, price }: { _id: string; price: number }, buyer: Buyer) {
  const { email, ...address } = buyer
  const response = await page.request.post('/api/v1/orders', {
    headers: { 'idempotency-key': randomUUID() },
    data: {
      lines: [{ variantId: _id, quantity: 1, unitPrice: price }],
      total: price,
      address: { ...address, line1: '1 Hauptstrasse', postalCode: '50667', country: 'IS' },
      email,
      asGuest: true,
    },
  })
  expect(response.ok(), await response.text()).toBe(true)
  return (await response.json()) as { id: string; key: string }
}

test('an admin finds the order of a caller, leaves a note, and works with the list of orders', async ({
  page: buyerPage,
  admin: page,
  expectConsole,
}) => {
  test.slow()
  // A request is lost.
  expectConsole(/ERR_FAILED/)
  const part = await addPart(page, { minimum: 1 })
  const digits = String(Math.floor(10_000_000 + Math.random() * 89_999_999))
  const surname = `Möller${digits.slice(0, 5)}`
  const buyer = { name: `Jürgen ${surname}`, phone: `+49 171 ${digits}`, city: 'Köln', email: newEmail() }
  const order = await orderAsGuest(buyerPage, part, buyer)
  const number = order.id.slice(0, 6)
  const details = page.getByRole('dialog', { name: `Order #${number}` })
  const row = page.getByRole('row').filter({ hasText: `#${number}` })
  const searchFor = async (q: string) => {
    await page.getByRole('textbox', { name: 'Find an order or a customer' }).fill(q)
    await page.keyboard.press('Enter')
  }

  await test.step('the digits of a phone number open the only order at once', async () => {
    await page.goto('/dashboard/manage-products')
    await page.getByRole('link', { name: 'Search for an order or a customer' }).click()
    await expectAccessible(page, 'the search without words')
    await searchFor(`0171 ${digits.slice(0, 3)} ${digits.slice(3)}`)
    await expect(details).toBeVisible()
    await expect(details).toContainText(buyer.email)
    await page.keyboard.press('Escape')
    await expectAccessible(page, 'the results of the search')
    const find = page.getByRole('button', { name: 'Find order or customer' })
    await find.press('/')
    await expect(page.getByRole('textbox', { name: 'Find an order or a customer' })).toBeFocused()
    await page.getByLabel('The key / moves to the search').uncheck()
    await find.press('/')
    await expect(find).toBeFocused()
  })

  await test.step('a note with a tag is a filter of the orders', async () => {
    await page.getByRole('button', { name: `#${number}` }).click()
    await details.getByLabel('New note').hover()
    await page.mouse.down()
    await page.mouse.move(2, 2)
    await page.mouse.up()
    await expect(details).toBeVisible()
    await page.mouse.click(2, 2)
    await expect(details).toHaveCount(0)
    await page.getByRole('button', { name: `#${number}` }).click()
    const tag = `#callback${digits}`
    await details.getByLabel('New note').fill(`Wants size L ${tag}`)
    await details.getByRole('button', { name: 'Add note' }).dblclick()
    await expect(details.getByText(`Wants size L ${tag}`)).toBeVisible()
    await expectAccessible(page, 'the details with a note')
    // A double click adds one note.
    await expect(details.getByText(`Wants size L ${tag}`)).toHaveCount(1)
    await page.route('**/api/v1/notes/*', (route) => route.abort(), { times: 1 })
    await details.getByRole('button', { name: 'Remove the note' }).click()
    await expect(details.getByRole('region', { name: 'Notes' }).getByRole('alert')).toBeVisible()
    await details.getByLabel('New note').fill('Half a note')
    const question = page.getByRole('dialog', { name: 'Leave without saving?' })
    for (const leave of [
      () => details.getByRole('link', { name: tag }).click(),
      () => details.getByRole('button', { name: 'Close' }).click(),
      () => page.keyboard.press('Escape'),
    ]) {
      await leave()
      await question.getByRole('button', { name: 'Stay' }).click()
      await expect(details.getByLabel('New note')).toHaveValue('Half a note')
    }
    await details.getByLabel('New note').fill('')
    await details.getByRole('link', { name: tag }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Manage Orders')
    await expect(row).toContainText(buyer.name)
    await expect(page.getByRole('button', { name: 'Details' })).toHaveCount(1)
    // In another list, and in the same one.
    for (const list of [`q=${surname}`, `tag=${encodeURIComponent(tag)}`]) {
      await page.goto(`/dashboard/manage-orders?${list}`)
      await row.getByRole('button', { name: 'Details' }).click()
      await details.getByRole('link', { name: tag }).click()
      await expect(details).toHaveCount(0)
      await expect(page).toHaveURL(/\?tag=/)
    }
  })

  await test.step('new orders are counted, and the rows stay until they are read again', async () => {
    await page.clock.install()
    await page.goto(`/dashboard/manage-orders?q=${surname}`)
    await expect(page.getByRole('button', { name: 'Details' })).toHaveCount(1)
    await expectAccessible(page, 'the work list')
    const place = await page.getByRole('button', { name: 'Details' }).boundingBox()
    await orderAsGuest(buyerPage, part, buyer)
    await page.clock.fastForward(20_000)
    await expect(page.getByText('1 new order')).toBeInViewport()
    await expect(page.getByRole('button', { name: 'Details' })).toHaveCount(1)
    expect(await page.getByRole('button', { name: 'Details' }).boundingBox()).toEqual(place)
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await expect(page.getByRole('button', { name: 'Details' })).toHaveCount(2)
    await expect(page.getByText('1 new order')).toHaveCount(0)
  })

  await test.step('a cancelled order leaves the list, and its tab and the search have it', async () => {
    await row.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Yes', exact: true }).click()
    await expect(page.getByRole('button', { name: 'Details' })).toHaveCount(1)
    await page.getByRole('link', { name: /^Cancelled/ }).click()
    await row.getByRole('button', { name: 'Details' }).click()
    await expect(details).toContainText('Cancelled')
    await details.getByRole('link', { name: `${buyer.email} Other orders (1)` }).click()
    await expect(page.getByRole('heading', { name: 'Orders (2)' })).toBeVisible()
    await expect(page.getByText('1 unpaid · 1 cancelled')).toBeVisible()
    await expectAccessible(page, 'the page of a customer')
  })

  await test.step('on a phone 20 orders fit 6 screens, and the filters are behind a button', async () => {
    await page.goto('/dashboard/manage-orders')
    const rows = page.getByRole('row').filter({ has: page.getByRole('cell') })
    const tops = async () => rows.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().top))
    await expect.poll(async () => (await tops()).length).toBeGreaterThan(3)
    const [first = 0, ...others] = await tops()
    const height = ((others.at(-1) ?? 0) - first) / others.length
    expect(first + 20 * height).toBeLessThanOrEqual(6 * phone.height)
    await expect(page.getByLabel('From')).toBeHidden()
    await page.getByRole('button', { name: 'Filters' }).click()
    await expectAccessible(page, 'the filters of the orders')
    await page.getByLabel('From').fill('2020-01-01')
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await expect(page.getByRole('button', { name: 'Filters (1)' })).toHaveAttribute('aria-expanded', 'true')
  })

  await test.step('the lines of an order are downloaded for Excel', async () => {
    await page.goto(`/dashboard/manage-orders?q=${surname}`)
    await page.getByRole('button', { name: 'Filters' }).click()
    await page.getByLabel('Format of the export').selectOption('For Excel (; and ,)')
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export' }).click(),
    ])
    expect(file.suggestedFilename()).toBe('order-lines.csv')
    const [header, ...rows] = readFileSync(await file.path(), 'utf8')
      .trimEnd()
      .split('\n')
    expect(header).toMatch(/^\uFEFForder;number;/)
    expect(rows[0]).toContain(';Köln;1;item;')
    expect(rows.every((row) => row.startsWith(rows[0]?.slice(0, 25) ?? '-'))).toBe(true)
  })
})
