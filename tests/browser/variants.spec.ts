import type { Page } from '@playwright/test'
import type { Product } from '../../contract/catalog.ts'
import { expectAccessible } from './axe.ts'
import { callAs, field, hold } from './specification-steps.ts'
import { signUp, started } from './steps.ts'
import { expect, test } from './test.ts'

const phone = { width: 360, height: 740 }

test('a visitor chooses a size that is sold out, then another colour, shares it, and orders it', async ({
  page,
  openOther,
  expectConsole,
}) => {
  // The last step loses a response.
  expectConsole(/ERR_FAILED/)
  await page.setViewportSize(phone)
  await page.goto('/products')
  await started(page)
  const card = page.getByRole('article').filter({ hasText: 'Harrow textile touring jacket' })
  await expect(card.getByText('$249')).toBeVisible()
  await card.getByRole('link', { name: /Harrow/ }).click()
  const choice = (name: string, on = page) => on.getByRole('main').getByRole('link', { name, exact: true })
  const picture = (on: Page) => on.getByRole('img', { name: /Harrow/ }).first()

  await test.step('nothing is preselected: both buttons, in view from the start, ask for what is missing', async () => {
    const [add, buy] = [
      page.getByRole('button', { name: 'Add to cart' }),
      page.getByRole('main').getByRole('link', { name: 'Buy Now' }).first(),
    ]
    for (const button of [add, buy]) {
      await page.reload()
      await started(page)
      await expect(button).toBeInViewport({ ratio: 1 })
      await expect(page.locator('[id^="choose-"] [aria-current="true"]')).toHaveCount(0)
      await button.click()
      await expect(page.getByRole('alert')).toHaveText(['Choose a size.', 'Choose a colour.'])
      await expect(choice('SM')).toBeFocused()
    }
    await expectAccessible(page, 'a product without a choice')
    await choice('Blue').click()
    await expect(page).toHaveURL(/\?colour=Blue$/)
    await add.click()
    await expect(page.getByRole('alert')).toHaveText(['Choose a size.'])
    await expect(page.getByRole('banner').getByRole('link', { name: 'Cart', exact: true })).toBeVisible()
  })

  await test.step('a size that is sold out in this colour can be chosen by keyboard, and the page says so', async () => {
    const large = choice('L (out of stock)')
    await large.press('Enter')
    await expect(page).toHaveURL(/\?size=L&colour=Blue$/)
    await expect(page.getByText('Out of stock in L, Blue.')).toBeVisible()
    await expect(large).toBeFocused()
    const buy = page.getByRole('main').getByRole('link', { name: 'Buy Now' }).first()
    await expect(buy).toHaveAttribute('aria-disabled', 'true')
    await expect(buy).toHaveAccessibleDescription('Out of stock in L, Blue.')
    await expectAccessible(page, 'a sold-out variant')
  })

  await test.step('another colour has its own picture, and the address can be shared', async () => {
    const blue = await picture(page).getAttribute('src')
    // A choice does not wait for the data: the next button that is pressed must belong to the chosen variant.
    const release = await hold(page, '**/*.data?*')
    await choice('Grey').click()
    await expect(page).toHaveURL(/\?size=L&colour=Grey$/)
    await expect(page.getByText(/^Out of stock in/)).toHaveCount(0)
    await expect(picture(page)).not.toHaveAttribute('src', blue ?? '')
    const quantity = page.getByLabel('Quantity', { exact: true })
    await quantity.fill('9')
    await page.getByRole('button', { name: 'Add to cart' }).click()
    await expect(quantity).toBeFocused()
    await quantity.fill('2')
    await expect(page.getByText('Total').locator('..')).toContainText('$498')
    await page.getByRole('button', { name: 'Add to cart' }).click()
    await expect(page.getByText('Added to cart.')).toBeVisible()
    release()
    await page.getByRole('link', { name: 'View cart' }).click()
    await expect(page.getByRole('main').getByText('L, Grey')).toBeVisible()
    await expect(page.getByLabel(/^Quantity of/)).toHaveValue('2')
    await page.goBack()
  })

  const friend = await openOther({ viewport: phone })
  await friend.goto(page.url())
  await expect(choice('L', friend)).toHaveAttribute('aria-current', 'true')
  await expect(choice('Grey', friend)).toHaveAttribute('aria-current', 'true')
  const [, id = ''] = /\/product\/(\w+)\//.exec(friend.url()) ?? []
  const order = friend.getByRole('button', { name: 'Place Order' })

  await test.step('Buy Now keeps the choice through sign-up, and Place Order needs no other', async () => {
    await started(friend)
    await friend.getByLabel('Quantity', { exact: true }).fill('2')
    await friend.getByRole('main').getByRole('link', { name: 'Buy Now' }).first().click()
    await friend.getByRole('link', { name: /sign up|create/i }).click()
    await signUp(friend)
    await expect(friend).toHaveURL(`/purchase/${id}?size=L&colour=Grey&quantity=2`)
    await expect(field(friend, 'Quantity')).toHaveValue('2')
    await expect(friend.getByText('In stock').locator('..')).toContainText('8 pcs')
    await field(friend, 'Address').fill('14 Kickstand Lane')
    const purchase = friend.waitForRequest('**/api/confirm-purchase')
    await order.click()
    const { variants = [] } = await callAs<Product>(friend, 'GET', `/product/${id}`)
    const grey = variants.find(({ size, colour }) => size === 'L' && colour === 'Grey')
    expect((await purchase).postDataJSON()).toMatchObject({ variantId: grey?.id, quantity: 2, amount: 498 })
    await expect(friend).toHaveURL(/my-orders$/)
    await friend.getByRole('button', { name: 'Details' }).click()
    await expect(friend.getByRole('dialog').getByText('Grey', { exact: true })).toBeVisible()
  })

  await test.step('the purchase screen preselects nothing, asks for what is missing, and explains a sold-out variant', async () => {
    await friend.goto(`/purchase/${id}`)
    // The address is missing too, and is asked for after the size.
    for (const button of [order, friend.getByRole('button', { name: 'Add to cart' })]) {
      await button.click()
      await expect(friend.getByRole('alert')).toHaveText(['Choose a size.', 'Choose a colour.'])
      await expect(choice('SM', friend)).toBeFocused()
      await field(friend, 'Address').focus()
    }
    await expect(friend).toHaveURL(`/purchase/${id}`)
    await field(friend, 'Address').fill('14 Kickstand Lane')
    await choice('Blue', friend).click()
    await choice('L (out of stock)', friend).click()
    await expect(order).toHaveAttribute('aria-disabled', 'true')
    await expect(order).toHaveAccessibleDescription('Out of stock in L, Blue.')
    let sent = 0
    friend.on('request', (request) => void (request.url().endsWith('/confirm-purchase') && sent++))
    await field(friend, 'Name').press('Enter')
    await order.click({ force: true })
    await expect(field(friend, 'Address')).toHaveValue('14 Kickstand Lane')
    await expectAccessible(friend, 'the purchase of a sold-out variant')
    expect(sent).toBe(0)
  })

  await test.step('the variant of an order without an answer cannot be changed, and is sent again', async () => {
    await friend.goto(`/purchase/${id}?size=L&colour=Grey`)
    await field(friend, 'Address').fill('15 Kickstand Lane')
    await friend.route(
      '**/api/confirm-purchase',
      async (route) => {
        await route.fetch()
        await route.abort()
      },
      { times: 1 },
    )
    await order.click()
    await expect(friend.getByText('You will not order twice.')).toBeVisible()
    await expect(choice('SM', friend)).toHaveAttribute('aria-disabled', 'true')
    await expectAccessible(friend, 'a purchase without an answer')
    await friend.goto(`/purchase/${id}`)
    await expect(friend).toHaveURL(`/purchase/${id}?size=L&colour=Grey`)
    await choice('SM', friend).click({ force: true })
    await expect(field(friend, 'Address')).toBeDisabled()
    await order.click()
    await expect(friend).toHaveURL(/my-orders$/)
    await expect(friend.getByRole('button', { name: 'Details' })).toHaveCount(2)
  })
})
