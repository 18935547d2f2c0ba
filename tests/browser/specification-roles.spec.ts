import type { Page } from '@playwright/test'
import { hold } from './specification-steps.ts'
import { enter, enterAsNewRider, openShopAsNewRider, password, signIn, signUp, started } from './steps.ts'
import { expect, test } from './test.ts'

const someId = '0123456789abcdef01234567'
const ownPages = [
  '/dashboard',
  '/dashboard/my-orders',
  '/dashboard/add-review',
  `/dashboard/payment/${someId}`,
  `/purchase/${someId}`,
]
const adminPages = [
  '/dashboard/manage-orders',
  '/dashboard/manage-users',
  '/dashboard/manage-products',
  '/dashboard/add-product',
  '/dashboard/import-products',
  `/dashboard/edit-product/${someId}`,
  `/dashboard/update-product/${someId}`,
  '/dashboard/refunds',
  '/dashboard/audit',
]

/** Records every heading that appears on the page, even briefly. */
async function noteHeadings(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const seen: string[] = JSON.parse(sessionStorage.getItem('seen') ?? '[]')
    const look = () => {
      for (const heading of document.querySelectorAll('main h1')) {
        if (heading.textContent && !seen.includes(heading.textContent)) seen.push(heading.textContent)
      }
      sessionStorage.setItem('seen', JSON.stringify(seen))
    }
    new MutationObserver(look).observe(document, { childList: true, subtree: true })
  })
  return () => page.evaluate(() => JSON.parse(sessionStorage.getItem('seen') ?? '[]'))
}

const sideMenu = (page: Page) => page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link')

async function openAccountMenu(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Account' }).click()
}

test('a visitor is offered the sign-in, under a blank avatar', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByRole('button', { name: 'Account' }).locator('img')).toHaveAttribute('src', /avatar/)
  await openAccountMenu(page)
  await expect(page.getByRole('button', { name: 'Logout' })).toHaveCount(0)
  await page.getByRole('link', { name: 'Login', exact: true }).click()
  await expect(page).toHaveURL(/\/login$/)
  await expect(page.getByRole('link', { name: 'Sign Up' })).toHaveAttribute('href', '/signup')
  await page.getByRole('link', { name: 'Sign Up' }).click()
  await expect(page.getByRole('link', { name: 'Login', exact: true }).last()).toHaveAttribute(
    'href',
    '/login',
  )
})

test('a visitor at any page of somebody is sent to the sign-in, and sees nothing of it', async ({ page }) => {
  const headings = await noteHeadings(page)
  for (const path of [...ownPages, ...adminPages]) {
    await page.goto(path)
    await expect(page, path).toHaveURL(/\/login$/)
  }
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Login')
  expect(await headings()).toEqual(['Login'])
})

test('who signs in or up goes on where they wanted to go, else to the home page', async ({ page }) => {
  const wanted = '/dashboard/my-orders?sort=-amount#main'
  const place = () => page.evaluate(() => location.pathname + location.search + location.hash)
  await page.goto(wanted)
  await page.getByRole('link', { name: 'Sign Up' }).click()
  const email = await signUp(page)
  await expect.poll(place).toBe(wanted)

  await openAccountMenu(page)
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL(/\/login$/)
  await page.goto(wanted)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByLabel('Password').press('Enter')
  await expect(page.getByText('Successfully Logged in')).toBeVisible()
  await expect.poll(place).toBe(wanted)

  await openAccountMenu(page)
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL(/\/login$/)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  // Another person may sign in next, so the shop does not return to the previous page.
  await expect(page).toHaveURL(/:\d+\/$/)
})

test("the avatar menu's Login leads back to the page it was opened on, also by way of Sign Up", async ({
  page,
}) => {
  const wanted = '/products?sort=-price'
  await page.goto(wanted)
  await started(page)
  await openAccountMenu(page)
  await page.getByRole('link', { name: 'Login', exact: true }).click()
  await expect(page).toHaveURL(/\/login$/)
  // The menu of the login page keeps the same return page.
  await openAccountMenu(page)
  await page.getByRole('link', { name: 'Login', exact: true }).first().click()
  await page.getByRole('link', { name: 'Sign Up' }).click()
  const email = await signUp(page)
  await expect(page).toHaveURL(wanted)

  await page.evaluate(() => localStorage.clear())
  await page.goto('/reviews')
  await started(page)
  await openAccountMenu(page)
  await page.getByRole('link', { name: 'Login', exact: true }).click()
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByLabel('Password').press('Enter')
  await expect(page).toHaveURL('/reviews')
})

test('a customer has a side menu, and an avatar menu with e-mail and Logout', async ({ page }) => {
  const email = await enterAsNewRider(page)
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('My Profile')
  await expect(sideMenu(page)).toHaveText(['My Profile', 'My Orders', 'Add a Review'])
  for (const [name, heading] of [
    ['My Orders', 'My Orders'],
    ['Add a Review', 'Add a Review'],
    ['My Profile', 'My Profile'],
  ] as const) {
    await sideMenu(page).filter({ hasText: name }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading)
  }
  await openAccountMenu(page)
  await expect(page.getByText(email, { exact: true }).first()).toBeVisible()
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL(/\/login$/)
  expect(await page.evaluate(() => localStorage.getItem('accessToken'))).toBeNull()
})

test("an admin's side menu has the admin's pages, and none of a customer's", async ({ page, shop }) => {
  await enter(page, 'admin@example.com', shop.password)
  await page.goto('/dashboard')
  await expect(sideMenu(page)).toHaveText([
    'My Profile',
    'Manage Users',
    'Manage Orders',
    'Manage Products',
    'Add Product',
    // Not in the specification.
    'Refunds',
    'Audit',
  ])
  for (const name of [
    'Manage Users',
    'Manage Orders',
    'Manage Products',
    'Add Product',
    'Refunds',
    'Audit',
    'My Profile',
  ]) {
    await sideMenu(page).filter({ hasText: name }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
  }
})

test('a customer at any admin page is warned and signed out, and never sees it', async ({ page }) => {
  const email = await openShopAsNewRider(page)
  const headings = await noteHeadings(page)
  for (const path of adminPages) {
    await page.goto(path)
    await expect(page.getByText('Admin Access Required'), path).toBeVisible()
    await expect(page, path).toHaveURL(/\/login$/)
    expect(await page.evaluate(() => localStorage.getItem('accessToken'))).toBeNull()
    await signIn(page, email)
    await expect(page).toHaveURL(/:\d+\/$/)
  }
  for (const heading of await headings()) expect(heading).toMatch(/^(Login|Motorcycle.*)$/)
})

test('nobody is turned out while the answer is awaited', async ({ page, shop }) => {
  await signIn(page, 'admin@example.com', shop.password)
  const headings = await noteHeadings(page)
  const letGo = await hold(page, '**/api/user?**')
  const asked = page.waitForRequest('**/api/user?**')
  await page.goto('/dashboard/manage-orders')
  await asked
  // A guard that does not wait would redirect to the login page during these requests.
  for (let times = 0; times < 5; times++) {
    await page.evaluate(() => fetch('/login').then((response) => response.text()))
  }
  await expect(page.getByRole('status').filter({ hasText: 'Loading…' })).toBeVisible()
  await expect(page).toHaveURL(/manage-orders$/)
  expect(await page.evaluate(() => localStorage.getItem('accessToken'))).not.toBeNull()
  letGo()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Manage Orders')
  expect(await headings()).toEqual(['Manage Orders'])
})

test('who leaves the page right after Logout is signed out all the same', async ({ page }) => {
  await openShopAsNewRider(page)
  const letGo = await hold(page, '**/api/v1/sign-out')
  await openAccountMenu(page)
  await page.getByRole('button', { name: 'Logout' }).click()
  await page.goto('/dashboard/my-orders')
  await expect(page).toHaveURL(/\/login$/)
  letGo()
})
