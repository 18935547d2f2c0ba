import { randomInt, randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { errors } from '../../contract/errors.ts'
import { addPart, setOptions } from './admin-steps.ts'
import { expectAccessible, expectNoViolations, readScrollWidth } from './axe.ts'
import { expect, test } from './direct-shop.ts'
import { callAs, failing, hold, losing } from './specification-steps.ts'
import { linkTo, newEmail, payGuestOrder } from './steps.ts'

const phone = { width: 360, height: 740 }
test.use({ viewport: phone })

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })

/** Cancels a piece of a paid order, as in another tab. */
async function cancelPiece(page: Page, id: string, amount: number): Promise<void> {
  const token = await page.evaluate(() => localStorage.getItem('accessToken'))
  const response = await page.request.post(`/api/v1/orders/${id}/refunds`, {
    headers: { authorization: `Bearer ${token}`, 'idempotency-key': randomUUID() },
    data: { kind: 'cancellation', lines: [{ line: 1, pieces: 1, amount }], reason: 'Changed mind' },
  })
  expect(response.status(), await response.text()).toBe(200)
}

/** Stores the lines of the first printed slip in an attribute instead of printing. */
const replacePrint = (page: Page) =>
  page.evaluate(() => {
    window.print = () => {
      const lines = document.querySelector('[data-print] article tbody')?.textContent ?? ''
      document.body.setAttribute('data-printed', lines)
    }
  })

/** Types like a scanner, which ends with Enter, into what has the focus. */
async function scan(page: Page, code: string): Promise<void> {
  await page.keyboard.type(code)
  await page.keyboard.press('Enter')
}

test('an admin prints slips, packs an order by scanning, and undoes its shipping', async ({
  page,
  admin,
  expectConsole,
}) => {
  test.slow()
  // A set-back without a reason, slips of cancelled orders, and a lost response.
  expectConsole(/status of (404|409|500)|ERR_FAILED/)
  const code = String(randomInt(1e6, 1e7))
  const [pads, chain] = [
    await addPart(admin, { minimum: 1 }),
    await addPart(admin, { name: `Chain ${code}`, minimum: 1 }),
  ]
  await setOptions(admin, pads._id, {
    options: 'none',
    variants: [{ id: pads._id, sku: `BP-${code}`, shelf: 'B-12-3' }],
  })
  await setOptions(admin, chain._id, { options: 'none', variants: [{ id: chain._id, sku: `CH-${code}` }] })
  const other = /\/order\/(\w+)/.exec(await payGuestOrder(page, [chain], newEmail()))?.[1] ?? ''
  const email = newEmail()
  const path = await payGuestOrder(page, [pads, pads], email)
  const id = /\/order\/(\w+)/.exec(path)?.[1] ?? ''
  const number = id.slice(0, 6)
  const said = admin.getByRole('status').first()
  const field = admin.getByLabel(/^(Scan a|Tracking number)/)

  await test.step('Today shows what is to ship', async () => {
    await admin.goto('/dashboard/today')
    await expect(admin.getByRole('link', { name: /to ship.*oldest one was paid/ })).toBeVisible()
    await expectAccessible(admin, 'Today')
  })

  await test.step('one print has a pick list and a slip for each order, with place and bar code', async () => {
    await button(admin, 'Print packing slips')
      .or(admin.getByRole('link', { name: 'Print packing slips' }))
      .click()
    await admin.evaluate(() => {
      window.print = () => document.body.setAttribute('data-printed', '')
    })
    await admin.getByRole('combobox', { name: 'Orders' }).selectOption('100')
    await losing(admin, '**/api/v1/packing-slips')
    await button(admin, 'Print next 100').click()
    await expect(admin.getByRole('main').getByRole('alert')).toBeVisible()
    await button(admin, 'Print next 100').click()
    await expect(admin.locator('body')).toHaveAttribute('data-printed')
    await expect(admin).toHaveURL(new RegExp(`ids=.*${id}`))
    await expectAccessible(admin, 'printed packing slips')
    await admin.emulateMedia({ media: 'print' })
    const slip = admin.getByRole('article').filter({ hasText: `#${number}` })
    await expect(slip.getByRole('row', { name: pads.name }).first()).toContainText('B-12-3')
    await expect(slip.getByRole('img', { name: `Bar code ${id.slice(0, 16)}` })).toBeVisible()
    await expect(admin.getByRole('row', { name: pads.name }).first()).toContainText(`#${number} × 2`)
    await admin.emulateMedia({ media: 'screen' })
    await button(admin, 'Print next 100').click()
    await expect(admin.getByText('except those with an open withdrawal')).toBeVisible()
  })

  await test.step('a print again leaves cancelled orders out, and names them', async () => {
    await cancelPiece(admin, other, chain.price)
    const unknown = `000000${id.slice(6)}`
    await admin.goto(`/dashboard/packing-slips?ids=${other},${id},${unknown}`)
    await replacePrint(admin)
    await button(admin, 'Print these 3 again').click()
    await expect(
      admin.getByText(`#000000, #${other.slice(0, 6)} were cancelled and are left out.`),
    ).toBeVisible()
    await expect(admin.locator('body')).toHaveAttribute('data-printed', /^B-12-3.*Pieces2$/)
    await button(admin, 'Print this one again').click()
    await expect(admin.getByText('left out')).toHaveCount(0)
    await admin.goto(`/dashboard/packing-slips?ids=${other}`)
    await button(admin, 'Print this one again').click()
    await expect(admin.getByRole('main').getByRole('alert')).toHaveText(
      `#${other.slice(0, 6)} was cancelled and is left out.`,
    )
  })

  await test.step('a scanned slip opens its order, and wrong codes change nothing', async () => {
    await admin.goto('/dashboard/pack')
    await expect(field).toBeFocused()
    await scan(admin, `BP-${code}`)
    await expect(said).toContainText('is an item. Scan a packing slip first.')
    await scan(admin, id.slice(0, 16))
    await expect(said).toHaveText(`Order #${number}: 2 pieces to pack.`)
    await scan(admin, 'nothing-1')
    await expect(said).toHaveText('Unknown code: nothing-1')
    await scan(admin, `CH-${code}`)
    await expect(said).toHaveText(`Not in this order: ${chain.name}`)
    await expect(admin.getByText('0 of 1').first()).toBeVisible()
    await expectAccessible(admin, 'the pack page')
  })

  await test.step('an item that was ordered before its sizes needs a check, not a scan', async () => {
    const variant = { id: pads._id, sku: `BP-${code}`, shelf: 'B-12-3' }
    await setOptions(admin, pads._id, { options: 'variants', variants: [{ ...variant, size: 'S' }] })
    await admin.goto('/dashboard/pack')
    await expect(field).toBeFocused()
    await scan(admin, id.slice(0, 16))
    await expect(
      admin.getByText('Ordered before this product had its sizes and colours.').first(),
    ).toBeVisible()
    await scan(admin, `BP-${code}`)
    await expect(said).toHaveText(`Not in this order: ${pads.name}, S`)
    await setOptions(admin, pads._id, { options: 'none', variants: [variant] })
    await admin.goto('/dashboard/pack')
    await expect(field).toBeFocused()
    await scan(admin, id.slice(0, 16))
    await expect(said).toHaveText(`Order #${number}: 2 pieces to pack.`)
  })

  await test.step("a scanner's Enter presses no button, even if a button has the focus", async () => {
    await button(admin, 'Leave this order').focus()
    await scan(admin, `BP-${code}`)
    await expect(said).toContainText(`1 of 1, ${pads.name}`)
    await button(admin, /without bar code$/).focus()
    await scan(admin, `BP-${code}`)
    await expect(said).toHaveText(`1 of 1, ${pads.name}. All pieces are packed.`)
    await expect(admin.getByLabel('Tracking number (optional)')).toBeFocused()
    await scan(admin, `BP-${code}`)
    await expect(said).toContainText('All pieces of this item are packed.')
  })

  await test.step('Enter ships, and Undo returns the order without an email', async () => {
    await admin.keyboard.press('Enter')
    await expect(said).toHaveText(`Order #${number} has shipped. Scan the next slip.`)
    await button(admin, 'Undo').click()
    await expect(said).toHaveText(`Order #${number} is to be shipped again.`)
    await expect(field).toBeFocused()
  })

  await test.step('Manage Orders offers the same Undo in the row, which stays, until it succeeds', async () => {
    await admin.goto(`/dashboard/manage-orders?tab=to-ship&q=${number}`)
    await button(admin, 'Delivered').click()
    await expect(admin.getByText('Shipped ·')).toBeVisible()
    const failure = await failing(admin, '**/api/v1/shipments/*')
    // The second click of a double click on Delivered.
    await button(admin, 'Undo').dispatchEvent('click', { detail: 2 })
    await button(admin, 'Undo').click()
    await expect(admin.getByText(errors.INTERNAL.message)).toBeVisible()
    expect(failure.asked()).toBe(1)
    await failure.end()
    await button(admin, 'Undo').click()
    await expect(button(admin, 'Delivered')).toBeVisible()
    await admin.goto('/dashboard/pack')
    await expect(field).toBeFocused()
  })

  await test.step('an Undo that arrives too late is explained, although its time has passed', async () => {
    await admin.clock.install()
    await admin.goto(`/dashboard/manage-orders?tab=to-ship&q=${number}`)
    const answer = Promise.withResolvers<void>()
    await admin.route('**/api/v1/shipments/*', async (route) => {
      await answer.promise
      const { status, message } = errors.REASON_REQUIRED
      await route.fulfill({ status, json: { code: 'REASON_REQUIRED', message } })
    })
    await button(admin, 'Delivered').click()
    const sent = admin.waitForRequest('**/api/v1/shipments/*')
    await button(admin, 'Undo').click()
    const path = new URL((await sent).url()).pathname.replace('/api', '')
    await callAs(admin, 'DELETE', path, {})
    await expect(button(admin, 'Undo')).toHaveAttribute('aria-busy', 'true')
    // Here the button stays until the answer. Without it, the time to undo is too short for this.
    expect(await readScrollWidth(admin)).toBe(phone.width)
    await expectNoViolations(admin, 'a shipment that can be undone')
    await admin.clock.fastForward(15_000)
    await expect(button(admin, 'Undo')).toBeVisible()
    // The order is not in this list.
    await admin.getByRole('navigation', { name: 'Work lists' }).getByRole('link', { name: 'Unpaid' }).click()
    await expect(button(admin, 'Undo')).toBeHidden()
    answer.resolve()
    await expect(admin.getByText(/^Too late to undo: the customer has been notified/)).toBeVisible()
    await admin.unroute('**/api/v1/shipments/*')
    await admin.goto('/dashboard/pack')
    await expect(field).toBeFocused()
  })

  await test.step('the order ships again with a tracking number, and its buyer gets one email', async () => {
    await scan(admin, number)
    await expect(said).toHaveText(`Order #${number}: 2 pieces to pack.`)
    for (const count of [1, 2]) {
      await button(admin, /without bar code$/)
        .first()
        .click()
      await expect(said).toContainText(count === 1 ? /^1 of 1, [^.]*$/ : 'All pieces are packed.')
      await expect(field).toBeFocused()
    }
    const carrier = admin.getByLabel('Carrier (optional)')
    await carrier.focus()
    for (const name of ['UPS', 'USPS']) {
      await admin.keyboard.press('ArrowDown')
      await expect(carrier).toHaveValue(name)
      await expect(carrier).toBeFocused()
    }
    await admin.keyboard.press('Enter')
    await expect(field).toBeFocused()
    await expect(said).toContainText('All pieces are packed.')
    // As a pointer does it in the browser's list.
    await carrier.focus()
    await carrier.dispatchEvent('pointerdown')
    await carrier.selectOption('None')
    await expect(field).toBeFocused()
    await scan(admin, '1Z 999 AA1')
    await expect(said).toContainText('has shipped')
    await linkTo(page, email, `Order #${number} has shipped`)
    const shipped = page.getByRole('article').filter({ hasText: `To ${email}` })
    await expect(shipped.filter({ hasText: 'has shipped' })).toHaveCount(1)
    await expect(shipped.filter({ hasText: '1Z 999 AA1' })).toHaveCount(1)
  })

  await test.step('after the email a set-back needs a reason', async () => {
    await admin.goto(`/dashboard/manage-orders?q=${number}`)
    await button(admin, 'Details').click()
    await button(admin, 'Set back').click()
    const dialog = admin.getByRole('dialog', { name: `Set back #${number}` })
    await dialog.getByRole('button', { name: 'Set back' }).click()
    await expect(dialog.getByRole('alert')).toHaveText(
      'The customer has been notified. Enter a reason, and we will send a correction.',
    )
    await dialog.getByLabel('Reason').fill('A part is missing.')
    await expectAccessible(admin, 'the dialog that sets a shipment back')
    await dialog.getByRole('button', { name: 'Set back' }).click()
    await expect(admin.getByText('Shipment set back')).toBeVisible()
    await linkTo(page, email, `Order #${number} has not shipped yet`)
  })

  const details = admin.getByRole('dialog', { name: `Order #${number}` })
  await test.step('no button of the details moves when the order is loaded', async () => {
    for (const size of [{ width: 1280, height: 800 }, phone]) {
      await admin.setViewportSize(size)
      await admin.goto(`/dashboard/manage-orders?q=${number}`)
      const release = await hold(admin, `**/api/v1/orders/${id}`)
      await button(admin, 'Details').click()
      const receipt = details.getByRole('button', { name: 'Print receipt' })
      const place = await receipt.boundingBox()
      release()
      await expect(details.getByRole('button', { name: 'Refund' })).toBeVisible()
      expect(await receipt.boundingBox()).toEqual(place)
    }
  })

  await test.step('the slip has the pieces that are left, although the details are older', async () => {
    await admin.goto(`/dashboard/search?q=${number}`)
    await expect(details.getByRole('button', { name: 'Print packing slip' })).toBeEnabled()
    await cancelPiece(admin, id, pads.price)
    await replacePrint(admin)
    await details.getByRole('button', { name: 'Print packing slip' }).click()
    await expect(admin.locator('body')).toHaveAttribute('data-printed', /^B-12-3.*Pieces1$/)
    await expect(details.getByRole('table', { name: 'Items' })).toContainText('1 cancelled')
  })

  await test.step('the search shows the new status of an order that ships in its dialog', async () => {
    await details.getByRole('button', { name: 'Ship', exact: true }).click()
    const dialog = admin.getByRole('dialog', { name: `Ship #${number}` })
    await dialog.getByRole('button', { name: 'Ship', exact: true }).click()
    await expect(admin.getByText('Shipment recorded')).toBeVisible()
    await expect(details.getByRole('button', { name: 'Ship', exact: true })).toHaveCount(0)
    await admin.keyboard.press('Escape')
    await expect(details).toHaveCount(0)
    await expect(button(admin, `#${number}`)).toContainText('Shipped')
  })
})
