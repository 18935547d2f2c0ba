import {
  enterAsNewRider,
  fillPurchase,
  openShopAsNewRider,
  placeOrder,
  readStock,
  signIn,
  signUp,
} from './steps.ts'
import { expect, test } from './test.ts'

test('an order shows all its details, and cancelling it gives the stock back', async ({ page }) => {
  await enterAsNewRider(page)
  const { id, product } = await placeOrder(page)
  const stock = await readStock(page, product._id)

  await page.goto('/dashboard/my-orders')
  const row = page.getByRole('row').filter({ hasText: product.name })
  await row.getByRole('button', { name: 'Details' }).click()
  const details = page.getByRole('dialog')
  await expect(details.getByRole('heading', { name: `#${id.slice(0, 6)}` })).toBeVisible()
  for (const text of [product.name, 'Robin Rider', '14 Kickstand Lane', 'Pending']) {
    await expect(details.getByText(text).first()).toBeVisible()
  }
  await expect(details.getByRole('region', { name: 'History' }).getByRole('listitem')).toHaveText([
    /^Order placed/,
  ])
  await page.keyboard.press('Escape')
  await expect(details).toBeHidden()
  await expect(row.getByRole('button', { name: 'Details' })).toBeFocused()

  await row.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByText('You are about to cancel your order')).toBeVisible()
  await expect(page.getByText('Are you sure?')).toBeVisible()
  await page.getByRole('button', { name: 'No', exact: true }).click()
  await expect(row).toBeVisible()
  await row.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Yes' }).click()
  await expect(page.getByText('Order Canceled Successfully')).toBeVisible()
  await expect(row).toBeHidden()
  expect(await readStock(page, product._id)).toBe(stock + product.minimum)
})

test('size and colour that are chosen reach the details of the order', async ({ page }) => {
  await enterAsNewRider(page)
  await fillPurchase(page)
  await page.getByText('XL', { exact: true }).click()
  await page.getByText('Red', { exact: true }).click()
  await page.getByRole('button', { name: 'Place Order' }).click()
  await page.getByRole('button', { name: 'Details' }).click()
  await expect(page.getByRole('dialog').getByText('XL', { exact: true })).toBeVisible()
  await expect(page.getByRole('dialog').getByText('Red', { exact: true })).toBeVisible()
})

test('a double click on Place Order orders once', async ({ page }) => {
  await enterAsNewRider(page)
  await fillPurchase(page)
  await page.getByRole('button', { name: 'Place Order' }).dblclick()
  await expect(page).toHaveURL(/my-orders$/)
  await expect(page.getByRole('button', { name: 'Details' })).toHaveCount(1)
})

test('an order whose answer is lost can be sent again, and is one order', async ({ page, expectConsole }) => {
  expectConsole(/ERR_FAILED/)
  await enterAsNewRider(page)
  await fillPurchase(page)
  await page.route('**/api/confirm-purchase', async (route) => {
    await route.fetch()
    await route.abort()
  })
  await page.getByRole('button', { name: 'Place Order' }).click()
  await expect(page.getByRole('alert')).toBeVisible()
  await page.unroute('**/api/confirm-purchase')
  await page.reload()
  await expect(page.getByLabel('Address')).toHaveValue('14 Kickstand Lane')
  await page.getByRole('button', { name: 'Place Order' }).click()
  await expect(page).toHaveURL(/my-orders$/)
  await expect(page.getByRole('button', { name: 'Details' })).toHaveCount(1)
})

test('a customer at an admin page is warned, signed out and sent to the sign-in', async ({ page }) => {
  await enterAsNewRider(page)
  await page.goto('/dashboard/manage-orders')
  await expect(page.getByText('Admin Access Required')).toBeVisible()
  await expect(page).toHaveURL(/\/login$/)
  expect(await page.evaluate(() => localStorage.getItem('accessToken'))).toBeNull()
  await expect(page.getByRole('heading', { name: /Manage Orders/ })).toHaveCount(0)
  await page.goto('/dashboard/my-orders')
  await expect(page).toHaveURL(/\/login$/)
})

test('an admin is never turned out because a request failed', async ({ page, shop, expectConsole }) => {
  expectConsole(/status of 500/)
  await signIn(page, 'admin@example.com', shop.password)
  await page.route('**/api/user?**', (route) =>
    route.fulfill({ status: 500, json: { code: 'INTERNAL', message: 'Something went wrong' } }),
  )
  await page.goto('/dashboard/manage-orders')
  await expect(page.getByRole('button', { name: /try again/i })).toBeVisible({ timeout: 20_000 })
  await expect(page).toHaveURL(/manage-orders$/)
  await page.unroute('**/api/user?**')
  await page.getByRole('button', { name: /try again/i }).click()
  await expect(page.getByRole('heading', { name: 'Manage Orders' })).toBeVisible()
})

test('an access token that is over is renewed once and silently', async ({ page, expectConsole }) => {
  expectConsole(/status of 401/)
  await openShopAsNewRider(page)
  await page.evaluate(() => localStorage.setItem('accessToken', 'over'))
  await page.goto('/dashboard/my-orders')
  await expect(page.getByRole('heading', { name: 'My Orders' })).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('accessToken'))).not.toBe('over')
})

test('Logout ends the session everywhere in the browser, and voids the token', async ({
  page,
  context,
  shop,
}) => {
  await openShopAsNewRider(page)
  const token = await page.evaluate(() => localStorage.getItem('accessToken'))
  const other = await context.newPage()
  await other.goto('/dashboard/my-orders')
  await expect(other.getByRole('heading', { name: 'My Orders' })).toBeVisible()

  await page.getByRole('button', { name: /account/i }).click()
  // The browser signs out immediately; the token is void after the response. Either may come first.
  const voided = page.waitForResponse('**/api/v1/sign-out')
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(other).toHaveURL(/\/login$/)
  expect(await page.evaluate(() => localStorage.getItem('accessToken'))).toBeNull()
  expect((await voided).ok()).toBe(true)
  const response = await fetch(`${shop.origin}/api/orders?email=x`, {
    headers: { authorization: `Bearer ${token}` },
  })
  expect(response.status).toBe(401)
})

test('the Google popup signs in, and leads back to where one came from', async ({ page }) => {
  await page.goto('/dashboard/my-orders')
  await expect(page).toHaveURL(/\/login$/)
  const popupOpens = page.waitForEvent('popup')
  await page.getByRole('button', { name: /Google/ }).click()
  const popup = await popupOpens
  await expect(popup.getByText(/not Google/i).first()).toBeVisible()
  await popup.getByRole('button').first().click()
  await expect(page.getByText('Successfully Logged in')).toBeVisible()
  await expect(page).toHaveURL(/\/dashboard\/my-orders$/)
})

test('the three messages of the sign-in', async ({ page, expectConsole }) => {
  expectConsole(/status of 401/)
  await page.goto('/signup')
  const email = await signUp(page)
  await page.context().clearCookies()
  await page.evaluate(() => localStorage.clear())
  await page.goto('/login')
  const login = async (as: string, secret: string) => {
    await page.getByLabel('Email').fill(as)
    await page.getByLabel('Password').fill(secret)
    await page.getByRole('button', { name: 'Login', exact: true }).click()
  }
  await login('nobody@example.com', 'secret-1')
  await expect(page.getByText('No account with this email')).toBeVisible()
  await login(email, 'another-1')
  await expect(page.getByText('Wrong Password')).toBeVisible()
  await page.route('**/idp/sign-in/email', (route) => route.fulfill({ status: 401, json: {} }))
  await login(email, 'secret-1')
  await expect(page.getByText('Login failed')).toBeVisible()
})

test('the rules and messages of the sign-up', async ({ page, expectConsole, shop }) => {
  expectConsole(/status of 4\d\d/)
  await page.goto('/signup')
  const field = (label: string) => page.getByLabel(label, { exact: true })
  await page.getByRole('button', { name: 'Sign Up' }).click()
  for (const text of [
    'Name is required',
    'Email is required',
    'Password is required',
    'Confirm Password is required',
  ]) {
    await expect(page.getByText(text, { exact: true })).toBeVisible()
  }
  await field('Email').fill('rider@')
  await expect(page.getByText('Email not valid')).toBeVisible()
  await field('Password').fill('12345')
  await expect(page.getByText('Minimum 6 characters required')).toBeVisible()
  await field('Password').fill('123456')
  await expect(page.getByText('Minimum 6 characters required')).toBeHidden()

  await field('Name').fill('Robin')
  await field('Email').fill('rider@example.com')
  await field('Confirm Password').fill('1234567')
  await page.getByRole('button', { name: 'Sign Up' }).click()
  await expect(page.getByRole('alert').filter({ hasText: "Password did't matched" })).toBeVisible()
  await field('Confirm Password').fill('123456')
  await page.getByRole('button', { name: 'Sign Up' }).click()
  await expect(page.getByText('Email already exist')).toBeVisible()
  const login = await fetch(`${shop.origin}/idp/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: shop.origin },
    body: JSON.stringify({ email: 'rider@example.com', password: '123456' }),
  })
  expect(login.status).toBe(401)
})
