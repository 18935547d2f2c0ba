import { randomUUID } from 'node:crypto'
import { type APIResponse, expect, type Locator, type Page } from '@playwright/test'
import type { Product } from '../../contract/catalog.ts'
import { mapHost } from '../../contract/shop.ts'
import { callAs, field } from './specification-steps.ts'

export const password = 'secret-1'
export const newEmail = (): string => `rider-${randomUUID().slice(0, 8)}@example.com`

/** Waits until the page is hydrated: from then on links navigate within the document. */
export const started = (page: Page): Promise<void> =>
  expect(page.locator('html')).toHaveAttribute('data-start', 'done')

/** Takes the focus from the page, so that the last toast does not disappear before it is closed. */
export async function pauseToasts(page: Page): Promise<void> {
  const timer = page.getByRole('progressbar', { name: 'notification timer' }).last()
  // When a toast has moved in, its time starts even without the focus.
  await expect(timer).toHaveCSS('animation-play-state', 'running')
  await page.evaluate(() => window.dispatchEvent(new Event('blur')))
  await expect(timer).toHaveCSS('animation-play-state', 'paused')
}

/** Whether the centre of an element is on the screen, and no other element covers it. */
export const isUncovered = (element: Locator): Promise<boolean> =>
  element.evaluate((node) => {
    const { x, y, width, height } = node.getBoundingClientRect()
    return node.contains(document.elementFromPoint(x + width / 2, y + height / 2))
  })

/** Moves the sentences about a slow shop to a time after they were rendered, in milliseconds, and stops them there. */
export const passSlow = (page: Page, ms: number): Promise<void> =>
  expect
    .poll(() =>
      page.evaluate((time) => {
        const slow = document
          .getAnimations()
          .filter((animation) => (animation as CSSAnimation).animationName === 'slow')
        for (const animation of slow) {
          animation.pause()
          animation.currentTime = time
        }
        return slow.length
      }, ms),
    )
    .toBeGreaterThan(0)

/**
 * Presses a button whose request is held: after 8 s a sentence is below it and below the buttons beside it. Nothing moves
 * before that.
 */
export async function expectSlowSentence(
  page: Page,
  button: Locator,
  sentence = 'This takes longer than usual.',
) {
  const row = button.locator('..')
  const before = await row.boundingBox()
  await button.click()
  await passSlow(page, 7_990)
  await expect(page.getByText(sentence)).toBeHidden()
  const { y, height } = (await row.boundingBox()) ?? {}
  expect({ y, height }).toEqual({ y: before?.y, height: before?.height })
  await passSlow(page, 8_010)
  const below = await page.getByText(sentence).boundingBox()
  for (const each of await row.getByRole('button').all()) {
    const above = await each.boundingBox()
    expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThanOrEqual(below?.y ?? 0)
  }
}

/** Serves a map in place of OpenStreetMap's. Only for tests that open it: a route switches the browser's cache off. */
export const serveMap = (page: Page): Promise<unknown> =>
  page.route(`${mapHost}/**`, (route) => route.fulfill({ body: '<h1>Map</h1>', contentType: 'text/html' }))

/** Fills the sign-up form that is on the page, and waits until it is gone. */
export async function signUp(page: Page, email = newEmail()): Promise<string> {
  await page.getByLabel('Name').fill('Robin Rider')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Confirm Password').fill(password)
  await page.getByRole('button', { name: 'Sign Up' }).click()
  await expect(page.getByText('Account created successfully')).toBeVisible()
  return email
}

/** Signs in on the login page, and waits until it is left. */
export async function signIn(page: Page, email: string, secret = password): Promise<void> {
  await page.goto('/login')
  await fillLogin(page, email, secret)
}

/** Fills the login form that is on the page, and waits until it is left. */
export async function fillLogin(page: Page, email: string, secret = password): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(secret)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await expect(page.getByText('Successfully Logged in')).toBeVisible()
  await expect(page).not.toHaveURL(/\/login/)
}

/**
 * Signs in with the calls of the form, for a test about something else. It leaves the page on a document without
 * scripts.
 */
export async function enter(page: Page, email: string, secret = password): Promise<void> {
  await enterBy(page, '/idp/sign-in/email', { email, password: secret })
}

/** Signs up a new rider in the same way. */
export async function enterAsNewRider(page: Page, email = newEmail()): Promise<string> {
  await enterBy(page, '/idp/sign-up/email', { email, password, name: 'Robin Rider' })
  return email
}

async function enterBy(
  page: Page,
  path: string,
  account: { email: string } & Record<string, string>,
): Promise<void> {
  await page.goto('/robots.txt')
  const { origin } = new URL(page.url())
  await expectOk(page.request.post(path, { data: account, headers: { origin } }))
  await storeAccessToken(page, account.email)
}

/** Signs in with the session cookie that the page already has. */
export async function enterBySession(page: Page, email: string): Promise<void> {
  await page.goto('/robots.txt')
  await storeAccessToken(page, email)
}

async function storeAccessToken(page: Page, email: string): Promise<void> {
  const { token: idToken } = await (await expectOk(page.request.get('/idp/token'))).json()
  const exchange = page.request.put(`/api/create-user/${encodeURIComponent(email)}`, {
    data: { email, name: 'Robin Rider', idToken },
  })
  const { token } = await (await expectOk(exchange)).json()
  await page.evaluate((saved) => localStorage.setItem('accessToken', saved), token)
}

async function expectOk(response: Promise<APIResponse>): Promise<APIResponse> {
  const got = await response
  expect(got.ok(), `${got.url()}: ${got.status()}`).toBe(true)
  return got
}

/** Types a card into the provider's frame. */
export async function fillCard(page: Page, number: string): Promise<void> {
  const frame = page.frameLocator('iframe[title="Secure card payment input frame"]')
  await frame.getByLabel('Card number').fill(number)
  await frame.getByLabel('Expiry date').fill('12 / 34')
  await frame.getByLabel('CVC').fill('123')
}

/** Orders one of each product as a guest, and pays it. Returns the path of the order with its key. */
export async function payGuestOrder(
  page: Page,
  products: Pick<Product, '_id' | 'price'>[],
  email: string,
): Promise<string> {
  const lines = products.map(({ _id, price }) => ({ variantId: _id, quantity: 1, unitPrice: price }))
  const address = { name: 'Gail Guest', line1: '14 Kickstand Lane', city: 'Springfield', country: 'IS' }
  const response = await page.request.post('/api/v1/orders', {
    headers: { 'idempotency-key': randomUUID() },
    data: {
      lines,
      total: products.reduce((sum, { price }) => sum + price, 0),
      address,
      email,
      asGuest: true,
    },
  })
  const { id, key } = (await response.json()) as { id: string; key: string }
  await page.goto(`/order/${id}#${key}`)
  await fillCard(page, '4242424242424242')
  await page.getByRole('button', { name: /^Pay \$/ }).click()
  await expect(page.getByText('Payment Successful..!')).toBeVisible()
  return `/order/${id}#${key}`
}

/** Opens the newest email to this recipient in the mailbox, and returns the URL of its link. */
export async function linkTo(page: Page, email: string, subject: string): Promise<string> {
  const message = page
    .getByRole('article')
    .filter({ hasText: `To ${email}` })
    .filter({ has: page.getByRole('heading', { name: subject }) })
  await expect(async () => {
    await page.goto('/sandbox/mailbox')
    await expect(message).not.toHaveCount(0, { timeout: 100 })
  }).toPass()
  return (await message.first().getByRole('link').first().getAttribute('href')) ?? ''
}

export interface ShownProduct {
  _id: string
  name: string
  minimum: number
  price: number
}

/** Signs up a new rider; the shop's home page is shown afterwards. */
export async function openShopAsNewRider(page: Page): Promise<string> {
  await page.goto('/signup')
  return signUp(page)
}

/** Places an order of the first product without options that is in stock, as the rider who is signed in. */
export async function placeOrder(page: Page): Promise<{ id: string; product: ShownProduct }> {
  const products = await callAs<(ShownProduct & { quantity: number; options: string })[]>(
    page,
    'GET',
    '/products',
  )
  const product = products.find((each) => each.options === 'none' && each.quantity > 2 * each.minimum)
  if (!product) throw new Error('nothing is in stock')
  const { insertedId: id } = await callAs<{ insertedId: string }>(page, 'POST', '/confirm-purchase', {
    productId: product._id,
    quantity: product.minimum,
    amount: product.minimum * product.price,
    customerAddress: '14 Kickstand Lane',
  })
  return { id, product }
}

/**
 * Fills the delivery form of a guest, or, without an email, of a customer. Returns how many fields are chosen from lists: on a
 * phone each of them is a tap.
 */
export async function fillDelivery(page: Page, email?: string): Promise<number> {
  if (email) {
    await field(page, 'Email').fill(email)
    await field(page, 'Name').fill('Gail Guest')
  }
  await field(page, 'Address').fill('14 Kickstand Lane')
  await field(page, 'City').fill('Springfield')
  const choices = { Country: 'US', 'State or region': 'IL' }
  for (const [label, value] of Object.entries(choices)) await field(page, label).selectOption(value)
  // The country decides whether it is optional.
  await field(page, 'Postal code').fill('62701')
  return Object.keys(choices).length
}

export async function readStock(page: Page, productId: string): Promise<number> {
  return (await callAs<{ quantity: number }>(page, 'GET', `/product/${productId}`)).quantity
}
