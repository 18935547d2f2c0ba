import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { addPart } from './admin-steps.ts'
import { expectAccessible } from './axe.ts'
import { expect, test } from './direct-shop.ts'
import { expectError, field, losing } from './specification-steps.ts'
import { isUncovered, newEmail, payGuestOrder } from './steps.ts'

test.use({ viewport: { width: 360, height: 740 } })

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

test('an admin ships an order in two parts, and its buyer tracks each parcel', async ({
  page,
  admin,
  expectConsole,
}) => {
  test.slow()
  expectConsole(/status of 409|ERR_FAILED/)
  const pads = await addPart(admin, { minimum: 1 })
  const chain = await addPart(admin, { name: `Chain ${randomUUID().slice(0, 8)}`, price: 60, minimum: 1 })
  const email = newEmail()
  const path = await payGuestOrder(page, [pads, chain], email)
  const number = /\/order\/(\w{6})/.exec(path)?.[1] ?? ''
  const row = admin.getByRole('row').filter({ hasText: pads.name })
  const details = admin.getByRole('dialog', { name: `Order #${number}` })
  const dialog = admin.getByRole('dialog', { name: `Ship #${number}` })

  await test.step('the order is among those to ship', async () => {
    await admin.goto('/dashboard/manage-orders')
    await admin.getByRole('link', { name: 'To ship' }).click()
    await expect(admin).toHaveURL(/tab=to-ship/)
    await expect(row).toContainText('Pending')
    await expect(admin.getByRole('row').filter({ hasText: 'Shipped' })).toHaveCount(0)
  })

  await test.step('the admin ships one item in two parcels, after correcting a number', async () => {
    await row.getByRole('button', { name: 'Details' }).click()
    const ship = details.getByRole('button', { name: 'Ship', exact: true })
    await expect(ship).toBeEnabled()
    await ship.press('Enter')
    await expect(dialog).toBeVisible()
    await admin.keyboard.press('Escape')
    await expect(ship).toBeFocused()
    // At 400 % zoom a pointer reaches it.
    await admin.setViewportSize({ width: 320, height: 256 })
    await admin.mouse.move(160, 128)
    await admin.mouse.wheel(0, 5_000)
    await expect.poll(() => isUncovered(ship)).toBe(true)
    await admin.setViewportSize({ width: 360, height: 740 })
    await ship.click()
    await dialog.getByLabel(`1 × ${chain.name}`).uncheck()
    await dialog.getByLabel('Carrier (optional)').fill('UPS')
    await dialog.getByLabel('Tracking numbers (optional)').fill('1Z 999 AA1 01\n1Z/2')
    await button(admin, 'Ship').last().click()
    await expectError(admin, 'Tracking numbers (optional)', '1Z/2: Use letters, digits, spaces and dashes')
    await expectAccessible(admin, 'the dialog that ships')
    await dialog.getByLabel('Tracking numbers (optional)').fill('1Z 999 AA1 01\n1Z-2')
    await losing(admin, '**/api/v1/orders/*/shipments')
    await button(admin, 'Ship').last().click()
    await expect(dialog.getByText('It will not ship twice')).toBeVisible()
    await expect(details.getByRole('link', { name: 'Track parcel 1Z 999 AA1 01' })).toBeAttached()
    await expect(dialog.getByRole('checkbox')).toHaveCount(2)
    await button(admin, 'Ship').last().click()
    await expect(admin.getByText('Shipment recorded')).toBeVisible()
    await expect(details.getByRole('link', { name: 'Track parcel 1Z 999 AA1 01' })).toHaveAttribute(
      'href',
      'https://www.ups.com/track?tracknum=1Z999AA101',
    )
    await expect(details.getByText('Partly shipped').first()).toBeVisible()
    await expectAccessible(admin, 'the details of a partly shipped order')
  })

  await test.step('the packing slip has the other item only', async () => {
    await admin.emulateMedia({ media: 'print' })
    const slip = admin.getByRole('article').filter({ hasText: 'Packing slip' })
    await expect(slip.getByRole('row')).toHaveCount(3)
    await expect(slip).toContainText(chain.name)
    await expect(slip.getByRole('table')).not.toContainText(pads.name)
    await admin.emulateMedia({ media: 'screen' })
  })

  await test.step('the buyer sees the parcels, and cannot cancel any more', async () => {
    await page.goto('/')
    await page.goto(path)
    await expect(page.getByRole('status').first()).toHaveText(
      'Partly shipped. We are preparing the other items.',
    )
    const shipments = page.getByRole('region', { name: 'Shipments' })
    await expect(shipments).toContainText(`1 × ${pads.name}`)
    await expect(shipments.getByRole('link')).toHaveText(['Track parcel 1Z 999 AA1 01', 'Track parcel 1Z-2'])
    await expect(button(page, 'Cancel order')).toHaveCount(0)
    await expectAccessible(page, 'a partly shipped order')
  })

  await test.step('the admin corrects the numbers, and ships the rest', async () => {
    await button(admin, 'Edit tracking').click()
    await field(admin, 'Carrier (optional)').fill('The bike courier')
    await field(admin, 'Tracking numbers (optional)').fill('77')
    await expect(admin.getByText('The customer gets no new email.')).toBeVisible()
    await expectAccessible(admin, 'the dialog that changes tracking')
    await button(admin, 'Save tracking').click()
    await expect(admin.getByText('Tracking saved')).toBeVisible()
    await expect(details.getByText('Tracking number: 77')).toBeVisible()
    await details.getByRole('button', { name: 'Ship', exact: true }).click()
    await expect(dialog.getByRole('checkbox')).toHaveCount(1)
    await button(admin, 'Ship').last().click()
    await expect(dialog).toHaveCount(0)
    await expect(details.getByRole('button', { name: 'Ship', exact: true })).toHaveCount(0)
    await button(admin, 'Add tracking').click()
    await expect(
      admin.getByText('The customer gets an email with the first tracking numbers, once.'),
    ).toBeVisible()
    await button(admin, 'Cancel').click()
    await expect(details.getByRole('region', { name: 'History' })).toContainText(
      /Partly shipped.*Tracking changed.*Shipped/s,
    )
    await admin.keyboard.press('Escape')
    // Its row stays until the list is read again.
    await expect(row.getByText('Shipped', { exact: true })).toBeVisible()
    await admin.reload()
    await expect(admin.getByRole('heading', { level: 1 })).toHaveText('Manage Orders')
    // The list and its count are read together.
    await expect(admin.getByRole('link', { name: /^To ship \d/ })).toBeVisible()
    await expect(row).toHaveCount(0)
  })

  await test.step('the buyer sees that the order is shipped in two parts', async () => {
    await page.goto('/')
    await page.goto(path)
    await expect(page.getByRole('status').first()).toContainText(/^Shipped on/)
    await expect(page.getByRole('region', { name: 'Shipments' }).getByText(/^Shipped on/)).toHaveCount(2)
  })
})
