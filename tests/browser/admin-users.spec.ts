import { signInAsAdmin, toValues } from './admin-steps.ts'
import { callAs, failing, hold } from './specification-steps.ts'
import { enterAsNewRider } from './steps.ts'
import { expect, test } from './test.ts'

test('an admin manages users', async ({ page, shop, openOther, expectConsole }) => {
  // The browser itself reports the failures, and that the old token was refused.
  expectConsole(/status of (401|500)|ERR_FAILED/)
  const rider = await openOther()
  const email = await enterAsNewRider(rider)
  const profile = { name: 'Robin Rider', phone: '+1 503 555 0147', birthday: '1990-04-30' }
  await callAs(rider, 'PUT', `/create-user/${email}`, profile)
  await rider.goto('/dashboard')
  const before = await rider.evaluate(() => localStorage.getItem('accessToken'))

  await signInAsAdmin(page, shop)
  const rows = page.getByRole('row').filter({ hasText: '@' })
  const row = page.getByRole('row').filter({ hasText: email })

  await test.step('the user table has name, email, phone, birthday and the actions', async () => {
    const release = await hold(page, '**/api/users?**')
    await page.goto('/dashboard/manage-users')
    await expect(page.getByRole('status').filter({ hasText: 'Loading…' })).toBeVisible()
    release()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Manage Users')
    await expect(page.getByRole('columnheader')).toHaveText([
      /^Name/,
      /^Email/,
      'Phone',
      /^Birthday/,
      'Action',
    ])
    await expect(row).toBeVisible()
    expect(await toValues(row)).toEqual(['Robin Rider', email, '+1 503 555 0147', '1990-04-30'])
    await expect(row.getByRole('button', { name: 'Make Admin' })).toBeVisible()

    await page.goto('/dashboard/manage-users?q=admin@example.com')
    const admin = page.getByRole('row').filter({ hasText: 'admin@example.com' })
    await expect(admin).toContainText('Already an Admin')
    await expect(admin.getByRole('button')).toHaveCount(0)
  })

  await test.step('the URL keeps search and order, and a search without results links to all', async () => {
    await page.getByRole('link', { name: 'Email', exact: true }).click()
    await page.getByRole('searchbox', { name: 'Search users' }).fill(email.toUpperCase())
    await page.getByRole('button', { name: 'Search' }).click()
    await expect(rows).toHaveCount(1)
    await expect(row).toBeVisible()
    await page.reload()
    await expect(page.getByRole('searchbox')).toHaveValue(email.toUpperCase())
    await expect(page.getByRole('columnheader', { name: 'Email' })).toHaveAttribute('aria-sort', 'ascending')
    await expect(rows).toHaveCount(1)

    await page.getByRole('searchbox').fill('unknown-user')
    await page.getByRole('searchbox').press('Enter')
    await expect(page.getByRole('heading', { name: 'No results' })).toBeVisible()
    await expect(page.getByText('No user matches “unknown-user”.')).toBeVisible()
    await page.getByRole('link', { name: 'Show all' }).click()
    await expect(rows.nth(1)).toBeVisible()
  })

  const question = page.getByRole('dialog', { name: 'Make Admin' })
  const yes = question.getByRole('button', { name: 'Yes' })

  await test.step('a failed Make Admin shows an error and can be repeated', async () => {
    await page.goto(`/dashboard/manage-users?q=${email}`)
    await row.getByRole('button', { name: 'Make Admin' }).click()
    const broken = await failing(page, '**/api/create-user/**')
    await yes.click()
    await expect(page.getByText(/Something went wrong on our side/)).toBeVisible()
    await expect(yes).toBeEnabled()
    expect(broken.asked(), 'a write is not repeated automatically').toBe(1)
    await broken.end()
    const away = await failing(page, '**/api/create-user/**', 'away')
    await yes.click()
    await expect(page.getByText("We can't reach the shop. Check your connection.")).toBeVisible()
    await away.end()
  })

  await test.step('Make Admin asks first; then the new admin gets another token and the menu of an admin', async () => {
    await question.getByRole('button', { name: 'No' }).click()
    await expect(row).not.toContainText('Already an Admin')
    await row.getByRole('button', { name: 'Make Admin' }).click()
    await expect(question).toContainText(email)
    const release = await hold(page, '**/api/create-user/**')
    await yes.click()
    await expect(yes).toBeDisabled()
    release()
    await expect(page.getByText('Robin Rider is now an admin')).toBeVisible()
    await expect(row).toContainText('Already an Admin')

    const old = await page.request.get(`/api/orders?email=${email}`, {
      headers: { authorization: `Bearer ${before}` },
    })
    expect(old.status()).toBe(401)
    await rider.reload()
    const menu = rider.getByRole('navigation', { name: 'Dashboard' })
    await menu.getByRole('link', { name: 'Manage Users' }).click()
    await expect(rider).toHaveURL('/dashboard/manage-users')
    await rider.goto('/dashboard/manage-users?q=admin@example.com')
    await expect(rider.getByRole('row').filter({ hasText: 'admin@example.com' })).toBeVisible()
    await expect(menu.getByRole('link', { name: 'My Orders' })).toHaveCount(0)
    expect(await rider.evaluate(() => localStorage.getItem('accessToken'))).not.toBe(before)
  })

  await test.step("Remove Admin asks first and removes another admin's role", async () => {
    await row.getByRole('button', { name: 'Remove Admin' }).click()
    await page.getByRole('dialog', { name: 'Remove Admin' }).getByRole('button', { name: 'Yes' }).click()
    await expect(page.getByText('Robin Rider is no longer an admin')).toBeVisible()
    await expect(row.getByRole('button', { name: 'Make Admin' })).toBeVisible()
  })
})
