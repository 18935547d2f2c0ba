import { failing, field, hold } from './specification-steps.ts'
import { enterAsNewRider, fillLogin, openShopAsNewRider, placeOrder } from './steps.ts'
import { expect, test } from './test.ts'

test('an expired access token is renewed once and without a message', async ({ page, expectConsole }) => {
  expectConsole(/status of 401/)
  await enterAsNewRider(page)
  await page.evaluate(() => localStorage.setItem('accessToken', 'over'))
  await page.goto('/dashboard/my-orders')
  await expect(page.getByRole('heading', { name: 'My Orders' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'No orders yet' })).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('accessToken'))).not.toBe('over')
})

test('a review and an address that are typed when the session ends stay for the next login', async ({
  page,
  expectConsole,
}) => {
  expectConsole(/status of 401/)
  const email = await openShopAsNewRider(page)
  const { product } = await placeOrder(page)
  for (const [path, label, press] of [
    ['/dashboard/add-review', 'Review', 'Submit'],
    [`/purchase/${product._id}`, 'Address', 'Place Order'],
  ] as const) {
    await page.goto(path)
    await field(page, label).fill('Many words')
    // Other tests read the newest review, and expect a designation.
    if (label === 'Review') await field(page, 'Designation').fill('Tourer')
    await page.context().clearCookies()
    await page.evaluate(() => localStorage.setItem('accessToken', 'ended'))
    await page.getByRole('button', { name: press }).click()
    await expect(page).toHaveURL(/\/login$/)
    await expect(page.getByText('Your session has ended')).toBeVisible()
    await fillLogin(page, email)
    await expect(field(page, label)).toHaveValue('Many words')
    await page.getByRole('button', { name: press }).click()
    await expect(page.getByText(/Review Submitted|Order Placed successfully/)).toBeVisible()
    await page.goto(path)
    await expect(field(page, label)).toHaveValue('')
  }
})

test('Logout signs out', async ({ page, context, expectConsole }) => {
  expectConsole(/ERR_FAILED/)
  const logOut = async () => {
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('button', { name: 'Logout' }).click()
  }
  await enterAsNewRider(page)

  await test.step('Logout ends the session in every tab, and voids the token', async () => {
    const token = await page.evaluate(() => localStorage.getItem('accessToken'))
    const other = await context.newPage()
    await other.goto('/dashboard/my-orders')
    await expect(other.getByRole('heading', { name: 'My Orders' })).toBeVisible()

    await page.goto('/')
    // The browser signs out immediately; the token is void after the response. Either may come first.
    const voided = page.waitForResponse('**/api/v1/sign-out')
    await logOut()
    await expect(other).toHaveURL(/\/login$/)
    expect(await page.evaluate(() => localStorage.getItem('accessToken'))).toBeNull()
    expect((await voided).ok()).toBe(true)
    const response = await page.request.get('/api/orders?email=x', {
      headers: { authorization: `Bearer ${token}` },
    })
    expect(response.status()).toBe(401)
    await other.close()
  })

  await test.step('a page that the back/forward cache restores follows the changes since it was left', async () => {
    const email = await enterAsNewRider(page)
    await page.goto('/')
    const account = page.getByRole('banner').getByText(email)
    const cart = page.getByRole('banner').getByRole('link', { name: /^Cart/ })
    await expect(account).toBeAttached()
    await expect(cart).toHaveAccessibleName('Cart')
    await page.evaluate(() => {
      localStorage.removeItem('accessToken')
      localStorage.setItem('cart', JSON.stringify([{ variantId: 'a'.repeat(24), quantity: 2 }]))
      dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
    })
    await expect(account).toHaveCount(0)
    await expect(cart).toHaveAccessibleName(/^Cart, /)
    await page.evaluate(() => localStorage.removeItem('cart'))
  })

  await test.step('a customer who leaves the page right after Logout is signed out', async () => {
    await enterAsNewRider(page)
    await page.goto('/')
    const release = await hold(page, '**/api/v1/sign-out')
    await page.getByRole('button', { name: 'Account' }).click()
    const logout = page.getByRole('button', { name: 'Logout' })
    // The page may end in the task of the click, so no part of signing out may wait for a later one.
    const tokenAfterClick = await logout.evaluate((button: HTMLElement) => {
      button.click()
      return localStorage.getItem('accessToken')
    })
    expect(tokenAfterClick).toBeNull()
    await page.goto('/dashboard/my-orders')
    await expect(page).toHaveURL(/\/login$/)
    release()
  })

  await test.step('a Logout that does not reach the shop signs out in this browser, and says so', async () => {
    await enterAsNewRider(page)
    await page.goto('/')
    await failing(page, '**/api/v1/sign-out', 'away')
    await logOut()
    await expect(page.getByText('You are logged out in this browser')).toBeVisible()
    expect(await page.evaluate(() => localStorage.getItem('accessToken'))).toBeNull()
  })
})

test('the Google popup signs in and returns to the requested page', async ({ page, context }) => {
  const email = await enterAsNewRider(page)
  await context.clearCookies()
  await page.evaluate(() => localStorage.clear())
  await page.goto('/dashboard/my-orders')
  await expect(page).toHaveURL(/\/login$/)
  const button = page.getByRole('button', { name: /Google/ })
  const openPopup = async () => {
    const popupOpens = page.waitForEvent('popup')
    await button.click()
    const popup = await popupOpens
    await expect(popup).toHaveTitle('Sandbox: this is not Google')
    return popup
  }

  await test.step('an email with an account of another kind is not signed in', async () => {
    const popup = await openPopup()
    await popup.getByLabel('Email').fill(email)
    await popup.keyboard.press('Tab')
    await popup.keyboard.type('Another Name')
    await popup.keyboard.press('Enter')
    await expect(page.getByRole('alert')).toHaveText(/An account with this email already exists/)
    expect(await page.evaluate(() => localStorage.getItem('accessToken'))).toBeNull()
  })

  await test.step('a popup that is cancelled or closed leaves the login page without a message', async () => {
    const cancelled = await openPopup()
    await expect(button).toBeDisabled()
    await cancelled.getByRole('link', { name: 'Cancel' }).click()
    await expect(button).toBeEnabled()
    await expect(page.getByRole('alert')).toHaveCount(0)

    const closed = await openPopup()
    await expect(button).toBeDisabled()
    await closed.close()
    await expect(button).toBeEnabled()
    await expect(page.getByRole('alert')).toHaveCount(0)
  })

  await test.step('a blocked popup has its own message', async () => {
    await page.evaluate(() => {
      const { open } = window
      window.open = () => {
        window.open = open
        return null
      }
    })
    await button.click()
    await expect(page.getByRole('alert')).toHaveText(/Your browser blocked the Google window/)
  })

  await test.step('an account that the popup lists is signed in', async () => {
    const popup = await openPopup()
    await popup.getByRole('button', { name: 'Sandbox Rider' }).click()
    await expect(page.getByText('Successfully Logged in')).toBeVisible()
    await expect(page).toHaveURL(/\/dashboard\/my-orders$/)
    expect(popup.isClosed()).toBe(true)
  })
})
