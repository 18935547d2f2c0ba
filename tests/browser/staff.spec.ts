import { appCode } from '../two-step.ts'
import { addPart } from './admin-steps.ts'
import { expectAccessible } from './axe.ts'
import { expect, test } from './direct-shop.ts'
import { losing } from './specification-steps.ts'
import { enterAsNewRider, linkTo, newEmail, payGuestOrder } from './steps.ts'

test.use({ viewport: { width: 360, height: 740 } })

test('a packer accepts an invitation, ships, reaches nothing else, and is demoted', async ({
  page,
  admin: owner,
  openOther,
  expectConsole,
}) => {
  test.slow()
  // The demoted packer's call.
  expectConsole(/status of (401|403|409|410)|ERR_FAILED/)
  const email = newEmail()
  const part = await addPart(owner, { minimum: 1 })
  const path = await payGuestOrder(page, [part], newEmail())
  const id = /\/order\/(\w+)/.exec(path)?.[1] ?? ''

  await test.step('the owner invites by email, with a sentence for each role', async () => {
    await owner.goto('/dashboard/staff')
    await owner.getByRole('button', { name: 'Invite' }).click()
    const dialog = owner.getByRole('dialog', { name: 'Invite' })
    await expect(dialog.getByText('Reads orders, prints packing slips and ships.')).toBeVisible()
    await expectAccessible(owner, 'the invitation')
    await dialog.getByLabel('Email').fill(email)
    await dialog.getByRole('radio', { name: /^Packer/ }).check()
    await dialog.getByRole('button', { name: 'Invite' }).click()
    await expect(owner.getByRole('row').filter({ hasText: email })).toContainText('Packer')
    await expectAccessible(owner, 'the staff')
  })

  const packer = await openOther()
  await test.step('the link of the email leads to the invitation, before and after the login', async () => {
    const link = await linkTo(packer, email, 'Your invitation to the staff')
    await packer.goto(link)
    await expect(packer.getByText('Your role: Packer.')).toBeVisible()
    await expectAccessible(packer, 'the invitation of a visitor')
    await enterAsNewRider(packer, email)
    await packer.goto(link)
    const accept = packer.getByRole('button', { name: 'Accept invitation' })
    await losing(packer, '**/api/v1/invitations/accept')
    await accept.click()
    await expect(packer.getByRole('alert')).toBeVisible()
    await accept.click()
    await expect(packer.getByText('Welcome to the staff')).toBeVisible()
    await packer.getByRole('link', { name: 'Start' }).click()
    await expect(packer.getByRole('heading', { level: 1 })).toHaveText('Today')
  })

  await test.step('the packer sets up two-step login', async () => {
    await packer.goto('/dashboard/security')
    const section = packer.getByRole('region', { name: 'Two-step login' })
    await section.getByRole('button', { name: 'Set up two-step login' }).click()
    const key = (await section.locator('code').innerText()).replaceAll(' ', '')
    await section.getByRole('textbox', { name: 'Code' }).fill(appCode(key))
    const turnOn = section.getByRole('button', { name: 'Turn on two-step login' })
    await losing(packer, '**/api/v1/me/two-step/confirm')
    await turnOn.click()
    await expect(section.getByRole('alert')).toBeVisible()
    await turnOn.click()
    await expect(packer.getByText('you have not seen its recovery codes')).toBeVisible()
    await expect(section.getByText('10 recovery codes are left.')).toBeVisible()
  })

  const menu = packer.getByRole('navigation', { name: 'Dashboard' }).getByRole('link')
  await test.step('the menu has only pages of a packer, and others are refused without a logout', async () => {
    await expect(menu.filter({ hasText: 'Pack' }).first()).toBeVisible()
    await expect(menu.filter({ hasText: /Products|Users|Staff|Shop|Audit/ })).toHaveCount(0)
    await packer.goto('/dashboard/manage-products')
    await expect(packer.getByRole('heading', { level: 1 })).toHaveText(
      'Your role does not include this page.',
    )
    await expectAccessible(packer, 'a page that the role does not include')
  })

  await test.step('the packer prints the slip and ships the order', async () => {
    await packer.goto(`/dashboard/search?q=${id.slice(0, 12)}`)
    const order = packer.getByRole('dialog')
    await expect(order.getByRole('button', { name: 'Print packing slip' })).toBeEnabled()
    await expect(order.getByRole('button', { name: 'Refund' })).toHaveCount(0)
    await packer.evaluate(() => {
      window.print = () => document.body.setAttribute('data-printed', '')
    })
    await order.getByRole('button', { name: 'Print packing slip' }).click()
    await expect(packer.locator('body')).toHaveAttribute('data-printed')
    await packer.goto(`/dashboard/manage-orders?tab=to-ship&q=${id.slice(0, 12)}`)
    await packer.getByRole('button', { name: 'Delivered' }).click()
    await expect(packer.getByText('Shipped ·')).toBeVisible()
  })

  await test.step('the owner removes the role, and the next click signs the packer out', async () => {
    await owner.reload()
    await owner
      .getByRole('row')
      .filter({ hasText: email })
      .getByRole('button', { name: /^Change role/ })
      .click()
    const dialog = owner.getByRole('dialog')
    await dialog.getByRole('radio', { name: /^No role/ }).check()
    await dialog.getByRole('button', { name: 'Change role' }).click()
    await expect(owner.getByRole('row').filter({ hasText: email })).toHaveCount(0)
    await menu.filter({ hasText: 'Returns' }).click()
    await expect(packer.getByText('Admin Access Required')).toBeVisible()
    await expect(packer).toHaveURL(/\/login$/)
  })
})
