import type { Page } from '@playwright/test'
import { failing, hold, lateRead, waitOutRepeats } from './specification-steps.ts'
import { enter, enterAsNewRider, password, signUp, started } from './steps.ts'
import { expect, test } from './test.ts'

const someId = '0123456789abcdef01234567'

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

/** Records what appears of pages for customers and admins besides menu and title, even briefly. */
async function noteContent(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const seen: string[] = JSON.parse(sessionStorage.getItem('content') ?? '[]')
    const look = () => {
      if (!/^.(?:dashboard|purchase)/.test(location.pathname)) return
      const content = document.querySelectorAll('main :is(form, input, td, dd, article, img, button)')
      for (const element of content) if (!element.closest('nav, search')) seen.push(element.outerHTML)
      sessionStorage.setItem('content', JSON.stringify(seen))
    }
    new MutationObserver(look).observe(document, { childList: true, subtree: true })
  })
  return () => page.evaluate(() => JSON.parse(sessionStorage.getItem('content') ?? '[]'))
}

const sideMenu = (page: Page) => page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link')

async function openAccountMenu(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Account' }).click()
}

async function logOut(page: Page): Promise<void> {
  await openAccountMenu(page)
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL(/\/login$/)
}

/** Fills in the login form that is on the page. */
async function logIn(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByLabel('Password').press('Enter')
}

test('a visitor can log in, and sees no page of a customer or an admin', async ({ page }) => {
  await test.step('the account menu has a blank avatar and Login, and Login and Sign Up link to each other', async () => {
    await page.goto('/')
    await expect(page.getByRole('button', { name: 'Account' }).locator('img')).toHaveAttribute(
      'src',
      /avatar/,
    )
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

  await test.step('a visitor at a page for customers or admins is redirected to the login page, and sees at most menu and title', async () => {
    const content = await noteContent(page)
    // The other pages have the same guards: `web/router/routes.test.ts`.
    for (const path of [
      '/dashboard',
      `/purchase/${someId}`,
      '/dashboard/manage-orders',
      `/dashboard/edit-product/${someId}`,
    ]) {
      await page.goto(path)
      await expect(page, path).toHaveURL(/\/login$/)
    }
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Login')
    expect(await content()).toEqual([])
  })
})

test('after login or sign-up the shop returns to the requested page, else to the home page', async ({
  page,
  expectConsole,
}) => {
  expectConsole(lateRead)
  const wanted = '/dashboard/my-orders?sort=-amount#main'
  const readPath = () => page.evaluate(() => location.pathname + location.search + location.hash)
  await page.goto(wanted)
  await page.getByRole('link', { name: 'Sign Up' }).click()
  const email = await signUp(page)
  await expect.poll(readPath).toBe(wanted)

  await logOut(page)
  await page.goto(wanted)
  await logIn(page, email)
  await expect(page.getByText('Successfully Logged in')).toBeVisible()
  await expect.poll(readPath).toBe(wanted)

  // Another person may log in next, so the shop does not return to the previous page.
  await logOut(page)
  await logIn(page, email)
  await expect(page).toHaveURL(/:\d+\/$/)
})

test("the account menu's Login returns to the page it was opened on, even through Sign Up", async ({
  page,
  openOther,
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

  const other = await openOther()
  await other.goto('/reviews')
  await started(other)
  await openAccountMenu(other)
  await other.getByRole('link', { name: 'Login', exact: true }).click()
  await logIn(other, email)
  await expect(other).toHaveURL('/reviews')
})

test('a customer has a side menu, an account menu with email and Logout, and no page of an admin', async ({
  page,
  expectConsole,
}) => {
  expectConsole(lateRead)
  const email = await enterAsNewRider(page)

  await test.step('the side menu has the pages of a customer', async () => {
    await page.goto('/dashboard')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('My Profile')
    // My Addresses, My Garage and Security are not in the specification.
    const names = ['My Profile', 'My Orders', 'Add a Review', 'My Addresses']
    await expect(sideMenu(page)).toHaveText([...names, 'My Garage', 'Security'])
    for (const name of [...names.filter((each) => each !== 'My Profile'), 'My Profile']) {
      await sideMenu(page).filter({ hasText: name }).click()
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
    }
  })

  await test.step('the account menu has the email and Logout, which signs out', async () => {
    await openAccountMenu(page)
    await expect(page.getByText(email, { exact: true }).first()).toBeVisible()
    await page.getByRole('button', { name: 'Logout' }).click()
    await expect(page).toHaveURL(/\/login$/)
    expect(await page.evaluate(() => localStorage.getItem('accessToken'))).toBeNull()
  })

  await test.step('a customer at any page of an admin is warned and signed out, and sees at most menu and title', async () => {
    const content = await noteContent(page)
    // The other pages of an admin have the same guard: `web/router/routes.test.ts`.
    for (const path of ['/dashboard/manage-orders', `/dashboard/edit-product/${someId}`]) {
      await enter(page, email)
      await page.goto(path)
      await expect(page.getByText('Admin Access Required'), path).toBeVisible()
      await expect(page, path).toHaveURL(/\/login$/)
      expect(await page.evaluate(() => localStorage.getItem('accessToken'))).toBeNull()
    }
    expect(await content()).toEqual([])
    await page.goto('/dashboard/my-orders')
    await expect(page).toHaveURL(/\/login$/)
  })
})

test('an admin has a side menu, and stays signed in while the role is unknown', async ({
  page,
  shop,
  expectConsole,
}) => {
  expectConsole(/status of 500/)
  await page.clock.install()
  await enter(page, 'admin@example.com', shop.password)

  await test.step("the side menu has the admin's pages, and none of a customer's", async () => {
    await page.goto('/dashboard')
    const names = [
      'Today',
      'My Profile',
      'Manage Orders',
      // Not in the specification.
      'Pack',
      'Returns',
      'Refunds',
      'Manage Users',
      'Manage Products',
      'Add Product',
      'Goods In',
      'Bikes',
      'Brands',
      'Attributes',
      'Search Words',
      'Size Charts',
      'Shop',
      'Pages',
      'Charges',
      'Discount Codes',
      'Staff',
      'Failed Emails',
      'Audit',
      'Security',
    ]
    await expect(sideMenu(page)).toHaveText(names)
    // `tests/pages.test.ts` checks the heading of each page.
    for (const name of ['Manage Users', 'My Profile']) {
      await sideMenu(page).filter({ hasText: name }).click()
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
    }
  })

  await test.step('the guard does not redirect because the role request failed', async () => {
    const broken = await failing(page, '**/api/user?**')
    await page.goto('/dashboard/manage-orders')
    await waitOutRepeats(page, broken)
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
    await expect(page).toHaveURL(/manage-orders$/)
    await broken.end()
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('heading', { name: 'Manage Orders' })).toBeVisible()
  })

  await test.step('a page keeps its input while the role is read again', async () => {
    const role = '**/api/user?**'
    // As for someone who gets the role while the page is open.
    await page.route(
      role,
      async (route) => {
        const { role: _, staffRole: __, ...user } = await (await route.fetch()).json()
        await route.fulfill({ json: user })
      },
      { times: 1 },
    )
    await page.goto('/dashboard/add-product')
    const name = page.getByLabel('Name', { exact: true })
    await name.fill('Half a product')
    const release = await hold(page, role)
    const asked = page.waitForRequest(role)
    await page.evaluate(() => dispatchEvent(new Event('visibilitychange')))
    await asked
    await expect(name).toHaveValue('Half a product')
    release()
  })

  await test.step('the guard does not redirect while it waits for the role', async () => {
    await page.goto('/')
    const headings = await noteHeadings(page)
    const release = await hold(page, '**/api/user?**')
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
    release()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Manage Orders')
    expect(await headings()).toEqual(['Manage Orders'])
  })
})
