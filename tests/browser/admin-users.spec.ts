import { signInAsAdmin, toValues } from './admin-steps.ts'
import { callAs, failing, hold } from './specification-steps.ts'
import { enterAsNewRider, newEmail, openShopAsNewRider, signUp } from './steps.ts'
import { expect, test } from './test.ts'

test('the users: name, e-mail, phone, birthday, and what can be done', async ({ page, shop, browser }) => {
  const rider = await browser.newPage({ baseURL: shop.origin })
  const email = await openShopAsNewRider(rider)
  const profile = { name: 'Robin Rider', phone: '+1 503 555 0147', birthday: '1990-04-30' }
  await callAs(rider, 'PUT', `/create-user/${email}`, profile)
  await rider.close()

  await signInAsAdmin(page, shop)
  const letGo = await hold(page, '**/api/users?**')
  await page.goto('/dashboard/manage-users')
  await expect(page.getByRole('status').filter({ hasText: 'Loading…' })).toBeVisible()
  letGo()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Manage Users')
  await expect(page.getByRole('columnheader')).toHaveText([/^Name/, /^Email/, 'Phone', /^Birthday/, 'Action'])
  const row = page.getByRole('row').filter({ hasText: email })
  expect(await toValues(row)).toEqual(['Robin Rider', email, '+1 503 555 0147', '1990-04-30'])
  await expect(row.getByRole('button', { name: 'Make Admin' })).toBeVisible()

  const admin = page.getByRole('row').filter({ hasText: 'admin@example.com' })
  await expect(admin).toContainText('Already an Admin')
  await expect(admin.getByRole('button')).toHaveCount(0)
})

test('search and order of the users are kept in the address', async ({ page, shop, browser }) => {
  const rider = await browser.newPage({ baseURL: shop.origin })
  const email = await enterAsNewRider(rider)
  await rider.close()
  await signInAsAdmin(page, shop)
  await page.goto('/dashboard/manage-users')
  await page.getByRole('link', { name: 'Email' }).click()
  await page.getByRole('searchbox', { name: 'Search users' }).fill(email.toUpperCase())
  await page.getByRole('button', { name: 'Search' }).click()
  await expect(page.getByRole('row').filter({ hasText: '@' })).toHaveCount(1)
  await expect(page.getByRole('row').filter({ hasText: email })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('searchbox')).toHaveValue(email.toUpperCase())
  await expect(page.getByRole('columnheader', { name: 'Email' })).toHaveAttribute('aria-sort', 'ascending')
  await expect(page.getByRole('row').filter({ hasText: '@' })).toHaveCount(1)

  await page.getByRole('searchbox').fill('nobody-like-this')
  await page.getByRole('searchbox').press('Enter')
  await expect(page.getByRole('heading', { name: 'No results' })).toBeVisible()
  await expect(page.getByText('No user matches “nobody-like-this”.')).toBeVisible()
  await page.getByRole('link', { name: 'Show all' }).click()
  await expect(page.getByRole('row').filter({ hasText: '@' }).nth(1)).toBeVisible()
})

test('Make Admin asks first, and the new admin has another token and the menu of an admin', async ({
  page,
  shop,
  browser,
  watch,
  expectConsole,
  extraHTTPHeaders,
}) => {
  // The browser itself reports that the old token was refused.
  expectConsole(/status of 401/)
  const own = await browser.newContext({ baseURL: shop.origin, extraHTTPHeaders })
  const rider = await own.newPage()
  watch(rider)
  await rider.goto('/signup')
  const email = await signUp(rider, newEmail())
  await rider.goto('/dashboard')
  const before = await rider.evaluate(() => localStorage.getItem('accessToken'))

  await signInAsAdmin(page, shop)
  await page.goto(`/dashboard/manage-users?q=${email}`)
  const row = page.getByRole('row').filter({ hasText: email })
  const asked = page.getByRole('dialog', { name: 'Make Admin' })
  await row.getByRole('button', { name: 'Make Admin' }).click()
  await asked.getByRole('button', { name: 'No' }).click()
  await expect(row).not.toContainText('Already an Admin')
  await row.getByRole('button', { name: 'Make Admin' }).click()
  await expect(asked).toContainText(email)
  await asked.getByRole('button', { name: 'Yes' }).click()
  await expect(page.getByText('Robin Rider is now an admin')).toBeVisible()
  await expect(row).toContainText('Already an Admin')

  const old = await fetch(`${shop.origin}/api/orders?email=${email}`, {
    headers: { authorization: `Bearer ${before}` },
  })
  expect(old.status).toBe(401)
  await rider.reload()
  const menu = rider.getByRole('navigation', { name: 'Dashboard' })
  await menu.getByRole('link', { name: 'Manage Users' }).click()
  await expect(rider.getByRole('row').filter({ hasText: 'admin@example.com' })).toBeVisible()
  await expect(menu.getByRole('link', { name: 'My Orders' })).toHaveCount(0)
  expect(await rider.evaluate(() => localStorage.getItem('accessToken'))).not.toBe(before)
  await own.close()
})

test("Remove Admin asks first and removes another admin's role", async ({ page, shop, browser }) => {
  const rider = await browser.newPage({ baseURL: shop.origin })
  const email = await enterAsNewRider(rider)
  await rider.close()
  await signInAsAdmin(page, shop)
  await callAs(page, 'PUT', `/create-user/${email}`, { role: 'admin' })
  await page.goto(`/dashboard/manage-users?q=${email}`)
  const row = page.getByRole('row').filter({ hasText: email })
  await expect(row).toContainText('Already an Admin')
  await row.getByRole('button', { name: 'Remove Admin' }).click()
  await page.getByRole('dialog', { name: 'Remove Admin' }).getByRole('button', { name: 'Yes' }).click()
  await expect(page.getByText('Robin Rider is no longer an admin')).toBeVisible()
  await expect(row.getByRole('button', { name: 'Make Admin' })).toBeVisible()
})

test('a failure to make somebody an admin is said, and can be tried again', async ({
  page,
  shop,
  browser,
  expectConsole,
}) => {
  expectConsole(/status of 500|ERR_FAILED/)
  const rider = await browser.newPage({ baseURL: shop.origin })
  const email = await enterAsNewRider(rider)
  await rider.close()
  await signInAsAdmin(page, shop)
  await page.goto(`/dashboard/manage-users?q=${email}`)
  await page.getByRole('button', { name: 'Make Admin' }).click()
  const make = page.getByRole('dialog').getByRole('button', { name: 'Yes' })
  const broken = await failing(page, '**/api/create-user/**')
  await make.click()
  await expect(page.getByText(/Something went wrong on our side/)).toBeVisible()
  await expect(make).toBeEnabled()
  expect(broken.asked(), 'a write is never repeated by itself').toBe(1)
  await broken.end()
  const away = await failing(page, '**/api/create-user/**', 'away')
  await make.click()
  await expect(page.getByText("We can't reach the shop. Check your connection.")).toBeVisible()
  await away.end()
  const letGo = await hold(page, '**/api/create-user/**')
  await make.click()
  await expect(make).toBeDisabled()
  letGo()
  await expect(page.getByRole('row').filter({ hasText: email })).toContainText('Already an Admin')
})
