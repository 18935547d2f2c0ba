import type { Locator, Page } from '@playwright/test'
import { multiplyPrice } from '../../contract/money.ts'
import { addProduct, signInAsAdmin } from './admin-steps.ts'
import { expectError, expectLongest, expectNoError, failing, field, hold } from './specification-steps.ts'
import { enterAsNewRider, expectSlowSentence, newEmail, password, readStock, signUp } from './steps.ts'
import { expect, test } from './test.ts'

/** Whether no part of the element is outside the window or covered by another element, such as the navbar. */
const isUncovered = (element: Locator): Promise<boolean> =>
  element.evaluate((node) => {
    const { left, right, top, bottom } = node.getBoundingClientRect()
    return [top + 2, bottom - 2].every((y) => node.contains(document.elementFromPoint((left + right) / 2, y)))
  })

const alert = (page: Page) => page.getByRole('main').getByRole('alert')
const warning = (page: Page) => page.locator('.Toastify__toast--warning')

test('the login form checks its fields and shows why a login failed', async ({ page, expectConsole }) => {
  expectConsole(/status of (401|429)/)
  await page.goto('/login')
  const submit = page.getByRole('button', { name: 'Login', exact: true })
  const logIn = async (email: string, secret: string) => {
    await field(page, 'Email').fill(email)
    await field(page, 'Password').fill(secret)
    await submit.click()
  }

  await test.step('login requires a valid email and a password of at least 6 characters', async () => {
    await expect(submit).toBeEnabled()
    await submit.click()
    await expectError(page, 'Email', 'Email is required')
    await expectError(page, 'Password', 'Password is required')
    await expect(field(page, 'Email')).toBeFocused()

    await field(page, 'Email').fill('rider@')
    await field(page, 'Password').fill('12345')
    await field(page, 'Password').press('Enter')
    await expectError(page, 'Email', 'Email not valid')
    await expectError(page, 'Password', 'Minimum 6 characters required')

    await field(page, 'Email').fill('unknown@example.com')
    await field(page, 'Password').fill('123456')
    const release = await hold(page, '**/idp/sign-in/email')
    await expectSlowSentence(page, submit)
    await expect(submit).toBeDisabled()
    release()
    await expect(alert(page)).toHaveText('No account with this email')
    await expect(warning(page)).toHaveText('No account with this email')
    await expectNoError(page, 'Password')
    await expect(field(page, 'Email')).toHaveValue('unknown@example.com')
    await expect(field(page, 'Password')).toHaveValue('123456')
    await expect(submit).toBeEnabled()
  })

  await test.step('the alert of a failed login disappears when the email is corrected', async () => {
    await field(page, 'Email').fill(newEmail())
    await expect(alert(page)).toBeHidden()
  })

  await test.step('an unknown email, a wrong password and any other failure have their own messages', async () => {
    const email = newEmail()
    const headers = { origin: new URL(page.url()).origin }
    await page.request.post('/idp/sign-up/email', { headers, data: { email, password, name: 'Robin' } })
    await page.context().clearCookies()
    await logIn(newEmail(), password)
    await expect(page.getByText('No account with this email').first()).toBeVisible()
    await logIn(email, 'another-1')
    await expect(page.getByText('Wrong Password')).toBeVisible()
    const refuse = { status: 401, json: {} }
    await page.route('**/idp/sign-in/email', (route) => route.fulfill(refuse), { times: 1 })
    await logIn(email, password)
    await expect(page.getByText('Login failed')).toBeVisible()
  })

  await test.step('after too many attempts the message has the real waiting time', async () => {
    const email = newEmail()
    const headers = { origin: new URL(page.url()).origin }
    const attempt = () => page.request.post('/idp/sign-in/email', { headers, data: { email, password } })
    await Promise.all(Array.from({ length: 10 }, attempt))
    await logIn(email, password)
    await expect(alert(page)).toHaveText(
      'Too many attempts. Try again in 15 minutes. Forgot your password? Reset it.',
    )
    await alert(page).getByRole('link', { name: 'Reset it' }).click()
    await expect(page.getByRole('heading', { name: 'Forgot password?' })).toBeVisible()
  })
})

test('the sign-up form checks its fields, shows why a sign-up failed, and creates an account', async ({
  page,
  shop,
  expectConsole,
}) => {
  expectConsole(/status of (4\d\d|500)|ERR_FAILED/)
  await page.goto('/signup')
  const submit = page.getByRole('button', { name: 'Sign Up' })
  const requests: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (/^\/(idp|api)\//.test(pathname)) requests.push(`${request.method()} ${pathname}`)
  })
  const listPosts = () => requests.filter((request) => request.startsWith('POST'))

  await test.step('sign-up checks each change before it sends anything', async () => {
    await expect(submit).toBeEnabled()
    for (const label of ['Password', 'Confirm Password']) {
      await field(page, label).fill('12345')
      await expectError(page, label, 'Minimum 6 characters required')
      await field(page, label).fill('123456')
      await expectNoError(page, label)
      await field(page, label).fill('')
      await expectError(page, label, `${label} is required`)
    }
    for (const email of ['rider', 'rider@', '@example.com', 'ri der@example.com']) {
      await field(page, 'Email').fill(email)
      await expectError(page, 'Email', 'Email not valid')
    }
    await field(page, 'Email').fill('rider@example.com')
    await expectNoError(page, 'Email')
    await field(page, 'Name').fill('R')
    await expectNoError(page, 'Name')
    await field(page, 'Name').fill(' ')
    await expectError(page, 'Name', 'Name is required')
    await expectLongest(page, submit, { Name: 120, Password: 128, 'Confirm Password': 128 })
    expect(listPosts()).toEqual([])
  })

  await test.step('sign-up requires all fields', async () => {
    await page.reload()
    await submit.click()
    for (const label of ['Name', 'Email', 'Password', 'Confirm Password']) {
      await expectError(page, label, `${label} is required`)
    }
  })

  await test.step('sign-up with different passwords creates nothing, and the alert disappears with the correction', async () => {
    await page.setViewportSize({ width: 360, height: 640 })
    await field(page, 'Name').fill('Robin Rider')
    await field(page, 'Email').fill('rider@example.com')
    await field(page, 'Password').fill(password)
    await field(page, 'Confirm Password').fill(`${password}x`)
    await submit.click()
    await expect(alert(page)).toHaveText("Password did't matched")
    await expect.poll(() => isUncovered(alert(page))).toBe(true)
    await field(page, 'Confirm Password').fill(password)
    await expect(alert(page)).toBeHidden()
    expect(listPosts()).toEqual([])
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  await test.step('sign-up with the email of an account changes nothing', async () => {
    await submit.click()
    await expect(page.getByText('Email already exist')).toBeVisible()
    const login = await fetch(`${shop.origin}/idp/sign-in/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: shop.origin },
      body: JSON.stringify({ email: 'rider@example.com', password }),
    })
    expect(login.status).toBe(401)
  })

  const email = newEmail()
  await test.step('sign-up keeps the input after each failure', async () => {
    await field(page, 'Email').fill(email)
    const invalid = { status: 400, json: { code: 'INVALID_EMAIL', message: 'Invalid Email' } }
    await page.route('**/idp/sign-up/email', (route) => route.fulfill(invalid), { times: 1 })
    await submit.click()
    await expect(alert(page)).toHaveText('Invalid Email')
    for (const how of [500, 'away'] as const) {
      const failure = await failing(page, '**/idp/sign-up/email', how)
      await submit.click()
      await expect.poll(failure.asked).toBe(1)
      await expect(alert(page)).toHaveText('Something goes wrong')
      await expect(field(page, 'Email')).toHaveValue(email)
      await expect(field(page, 'Confirm Password')).toHaveValue(password)
      await failure.end()
    }
  })

  await test.step('sign-up creates the account, names it, and exchanges it for the token that is stored as accessToken', async () => {
    requests.length = 0
    await signUp(page, email)
    expect(requests.slice(0, 4)).toEqual([
      'POST /idp/sign-up/email',
      'POST /idp/update-user',
      'GET /idp/token',
      `PUT /api/create-user/${encodeURIComponent(email)}`,
    ])
    expect(await page.evaluate(() => localStorage.getItem('accessToken'))).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)
  })
})

test('the first of several errors gets the focus and is in view on a phone', async ({ page, shop }) => {
  await page.setViewportSize({ width: 360, height: 640 })
  await signInAsAdmin(page, shop)
  await page.goto('/dashboard/add-product')
  await page.getByRole('button', { name: 'Add Product' }).click()
  await expect(field(page, 'Name')).toBeFocused()
  await expect.poll(() => isUncovered(field(page, 'Name'))).toBe(true)
  await expect.poll(() => isUncovered(page.getByText('Name', { exact: true }))).toBe(true)

  const { _id } = await addProduct(page)
  await enterAsNewRider(page)
  await page.goto(`/purchase/${_id}`)
  await field(page, 'Quantity').fill('0')
  await page.getByRole('button', { name: 'Place Order' }).click()
  await expectError(page, 'Address', 'Address is required')
  await expect(field(page, 'Quantity')).toBeFocused()
  await expect.poll(() => isUncovered(field(page, 'Quantity'))).toBe(true)
  await expect.poll(() => isUncovered(page.getByText('Quantity not matched'))).toBe(true)
})

test('a customer orders a product', async ({ page, shop, expectConsole }) => {
  expectConsole(/status of 409|ERR_FAILED/)
  await page.clock.install()
  await signInAsAdmin(page, shop)
  // It has the sizes and colours of the specification.
  const product = await addProduct(page, { name: 'Bar end weights', minimum: 2, quantity: 20 })
  await enterAsNewRider(page)
  const { minimum, quantity: stock } = product
  const order = page.getByRole('button', { name: 'Place Order' })
  const rows = page.getByRole('button', { name: 'Details' })
  await page.goto(`/purchase/${product._id}`)

  await test.step('purchase requires a quantity from the minimum to the stock and an address', async () => {
    const notMatched = page.getByRole('alert').filter({ hasText: 'Quantity not matched' })
    await expect(field(page, 'Quantity')).toHaveValue(String(minimum))
    for (const quantity of [minimum - 1, stock + 1, '', 0, -1, `${minimum}.5`]) {
      await field(page, 'Quantity').fill(String(quantity))
      await order.click()
      await expect(notMatched, `${quantity}`).toBeVisible()
    }
    await expectError(page, 'Address', 'Address is required')
    for (const quantity of [stock, minimum]) {
      await field(page, 'Quantity').fill(String(quantity))
      await expect(notMatched, `${quantity}`).toBeHidden()
    }
    await expect(field(page, 'Name')).toHaveValue('Robin Rider')
    await expect(field(page, 'Phone')).toHaveValue('')
    await expectLongest(page, order, { Name: 120, Phone: 40, Address: 500 })
  })

  await test.step('an order that fails is sent once, and the input stays', async () => {
    await field(page, 'Address').fill('14 Kickstand Lane')
    await page.getByText('XL', { exact: true }).click()
    const ordering = await failing(page, '**/api/confirm-purchase', 'away')
    await order.click()
    await expect(alert(page)).toContainText("We can't reach the shop. Check your connection.")
    await page.clock.fastForward(60_000)
    expect(ordering.asked()).toBe(1)
    await expect(field(page, 'Address')).toHaveValue('14 Kickstand Lane')
    await expect(page.getByRole('radio', { name: 'XL' })).toBeChecked()
    await ordering.end()
    // An order without a response can only be repeated. The next steps place other orders.
    await page.evaluate(() => sessionStorage.clear())
    await page.reload()
  })

  await test.step('purchase sends the order, then size and colour, which the details of the order show', async () => {
    for (const label of ['Name', 'Phone']) await field(page, label).fill('')
    await page.getByText('L', { exact: true }).click()
    await page.getByRole('radio', { name: 'Blue' }).check({ force: true })
    await field(page, 'Address').fill('14 Kickstand Lane')
    const purchase = page.waitForRequest('**/api/confirm-purchase')
    const options = page.waitForRequest('**/api/v1/orders/*/options')
    const release = await hold(page, '**/api/confirm-purchase')
    await order.click()
    await expect(order).toBeDisabled()
    const request = await purchase
    release()
    expect(request.postDataJSON()).toEqual({
      productId: product._id,
      productName: product.name,
      quantity: minimum,
      amount: multiplyPrice(product.price, minimum),
      customerEmail: expect.stringContaining('@'),
      customerName: '',
      customerPhone: '',
      customerAddress: '14 Kickstand Lane',
    })
    expect((await options).postDataJSON()).toEqual({ size: 'L', colour: 'Blue' })
    await expect(page).toHaveURL(/\/dashboard\/my-orders$/)
    await expect(page.getByText('Order Placed successfully')).toBeVisible()
    await rows.click()
    const details = page.getByRole('dialog')
    const name = details.locator('dl > div').filter({ hasText: 'Customer Name' })
    await expect(name.getByRole('definition')).toHaveText('Robin Rider')
    await expect(details.getByText('L', { exact: true })).toBeVisible()
    await expect(details.getByText('Blue', { exact: true })).toBeVisible()
  })

  await test.step('a double click on Place Order places one order', async () => {
    await page.goto(`/purchase/${product._id}`)
    await field(page, 'Address').fill('14 Kickstand Lane')
    await order.dblclick()
    await expect(page).toHaveURL(/my-orders$/)
    await expect(rows).toHaveCount(2)
  })

  await test.step('a purchase that is not acknowledged places no order, and offers the new price', async () => {
    await page.goto(`/purchase/${product._id}`)
    await field(page, 'Address').fill('16 Kickstand Lane')
    const json = { acknowledged: false, code: 'PRICE_CHANGED', message: 'The price has changed.', amount: 9 }
    await page.route('**/api/confirm-purchase', (route) => route.fulfill({ status: 409, json }), {
      times: 1,
    })
    await order.click()
    await expect(alert(page)).toContainText('No order was placed.')
    await expect(page).toHaveURL(/\/purchase\//)
    await expect(page.getByText('Order Placed successfully')).toHaveCount(0)
    await page.getByRole('button', { name: 'Order at the new price' }).click()
    await expect(page.getByText('Order Placed successfully')).toBeVisible()
  })

  await test.step('an order whose response is lost can be sent again, and is placed once', async () => {
    await page.goto(`/purchase/${product._id}`)
    await field(page, 'Address').fill('15 Kickstand Lane')
    await field(page, 'Quantity').fill(String(await readStock(page, product._id)))
    await page.route(
      '**/api/confirm-purchase',
      async (route) => {
        await route.fetch()
        await route.abort()
      },
      { times: 1 },
    )
    const soldOut = page.waitForResponse(`**/api/product/${product._id}`)
    await order.click()
    await expect(alert(page)).toContainText('Press Place Order again. You will not order twice.')
    await soldOut
    await expect(field(page, 'Quantity')).toBeDisabled()
    await expect(field(page, 'Address')).toBeDisabled()
    await expect(order).toBeEnabled()
    await page.reload()
    await expect(field(page, 'Address')).toHaveValue('15 Kickstand Lane')
    await expect(alert(page)).toContainText('Press Place Order again. You will not order twice.')
    await order.click()
    await expect(page).toHaveURL(/my-orders$/)
    await expect(rows).toHaveCount(4)
    await page.goto(`/purchase/${product._id}`)
    await expect(page.getByText('This product is currently sold out.')).toBeVisible()
  })
})
