import type { Product } from '../../contract/catalog.ts'
import {
  callAs,
  expectError,
  expectLongest,
  expectNoError,
  failing,
  field,
  hold,
} from './specification-steps.ts'
import { enterAsNewRider, newEmail, password, signUp } from './steps.ts'
import { expect, test } from './test.ts'

test('login: e-mail and password are required, the one looks like one, the other has 6 characters', async ({
  page,
  expectConsole,
}) => {
  expectConsole(/status of 401/)
  await page.goto('/login')
  const submit = page.getByRole('button', { name: 'Login', exact: true })
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

  await field(page, 'Email').fill('nobody@example.com')
  await field(page, 'Password').fill('123456')
  const letGo = await hold(page, '**/idp/sign-in/email')
  await field(page, 'Password').press('Enter')
  await expect(submit).toBeDisabled()
  letGo()
  await expect(page.getByRole('alert')).toHaveText('No account with this email')
  await expectNoError(page, 'Password')
  await expect(field(page, 'Email')).toHaveValue('nobody@example.com')
  await expect(field(page, 'Password')).toHaveValue('123456')
  await expect(submit).toBeEnabled()
})

test('sign-up: each change is checked, before anything is sent', async ({ page }) => {
  const sent: string[] = []
  page.on('request', (request) => void (request.method() === 'POST' && sent.push(request.url())))
  await page.goto('/signup')
  await expect(page.getByRole('button', { name: 'Sign Up' })).toBeEnabled()
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
  const submit = page.getByRole('button', { name: 'Sign Up' })
  await expectLongest(page, submit, { Name: 120, Password: 128, 'Confirm Password': 128 })
  expect(sent).toEqual([])
})

test('sign-up: two passwords that differ create nothing; what was typed stays after each failure', async ({
  page,
  expectConsole,
}) => {
  expectConsole(/status of (400|500)|ERR_FAILED/)
  const email = newEmail()
  await page.goto('/signup')
  const submit = page.getByRole('button', { name: 'Sign Up' })
  await field(page, 'Name').fill('Robin Rider')
  await field(page, 'Email').fill(email)
  await field(page, 'Password').fill(password)
  await field(page, 'Confirm Password').fill(`${password}x`)
  const sent: string[] = []
  page.on('request', (request) => void (request.method() === 'POST' && sent.push(request.url())))
  await submit.click()
  await expect(page.getByRole('alert')).toHaveText("Password did't matched")
  expect(sent).toEqual([])

  await field(page, 'Confirm Password').fill(password)
  const invalid = { status: 400, json: { code: 'INVALID_EMAIL' } }
  await page.route('**/idp/sign-up/email', (route) => route.fulfill(invalid), { times: 1 })
  await submit.click()
  await expect(page.getByRole('alert')).toHaveText('Invalid Email')
  for (const how of [500, 'away'] as const) {
    const failure = await failing(page, '**/idp/sign-up/email', how)
    await submit.click()
    await expect.poll(failure.asked).toBe(1)
    await expect(page.getByRole('alert')).toHaveText('Something goes wrong')
    await expect(field(page, 'Email')).toHaveValue(email)
    await expect(field(page, 'Confirm Password')).toHaveValue(password)
    await failure.end()
  }
  await submit.click()
  await expect(page.getByText('Account created successfully')).toBeVisible()
})

test('the account is made, then named, then exchanged for the token that is kept as accessToken', async ({
  page,
}) => {
  const calls: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (/^\/(idp|api)\//.test(pathname)) calls.push(`${request.method()} ${pathname}`)
  })
  await page.goto('/signup')
  const email = await signUp(page)
  expect(calls.slice(0, 4)).toEqual([
    'POST /idp/sign-up/email',
    'POST /idp/update-user',
    'GET /idp/token',
    `PUT /api/create-user/${encodeURIComponent(email)}`,
  ])
  expect(await page.evaluate(() => localStorage.getItem('accessToken'))).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)
})

test('purchase: the quantity from the minimum to the stock, the address, and what is sent', async ({
  page,
}) => {
  await enterAsNewRider(page)
  const products = await callAs<Product[]>(page, 'GET', '/products')
  const product = products.find(({ minimum, quantity }) => minimum > 1 && quantity > minimum + 1)
  if (!product) throw new Error('no product has a minimum')
  const { minimum, quantity: stock } = product
  await page.goto(`/purchase/${product._id}`)
  const order = page.getByRole('button', { name: 'Place Order' })
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
  for (const label of ['Name', 'Phone']) await field(page, label).fill('')
  await page.getByText('L', { exact: true }).click()
  await page.getByRole('radio', { name: 'Blue' }).check({ force: true })
  await field(page, 'Address').fill('14 Kickstand Lane')

  const purchase = page.waitForRequest('**/api/confirm-purchase')
  const options = page.waitForRequest('**/api/v1/orders/*/options')
  const letGo = await hold(page, '**/api/confirm-purchase')
  await order.click()
  await expect(order).toBeDisabled()
  letGo()
  expect((await purchase).postDataJSON()).toEqual({
    productId: product._id,
    productName: product.name,
    quantity: minimum,
    amount: minimum * product.price,
    customerEmail: expect.stringContaining('@'),
    customerName: '',
    customerPhone: '',
    customerAddress: '14 Kickstand Lane',
  })
  expect((await options).postDataJSON()).toEqual({ size: 'L', colour: 'Blue' })
  await expect(page).toHaveURL(/\/dashboard\/my-orders$/)
  await expect(page.getByText('Order Placed successfully')).toBeVisible()
  await page.getByRole('button', { name: 'Details' }).click()
  const name = page.getByRole('dialog').locator('dl > div').filter({ hasText: 'Customer Name' })
  await expect(name.getByRole('definition')).toHaveText('Robin Rider')
})
