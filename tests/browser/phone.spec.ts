import type { Locator, Page } from '@playwright/test'
import { readScrollWidth } from './axe.ts'
import { field, hold } from './specification-steps.ts'
import { enterAsNewRider, fillCard, fillDelivery, newEmail, placeOrder, started } from './steps.ts'
import { expect, test } from './test.ts'

test.use({ viewport: { width: 360, height: 740 }, hasTouch: true })

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Choose your bike' })
const withoutAccount = (page: Page) => page.getByRole('button', { name: 'Order without an account' })
const state = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text })

/** Returns the controls that are less than 44 pixels high or wide. A link in running text is exempt. */
const readSmallTargets = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const controls = document.querySelectorAll<HTMLElement>(
      'a[href], button, summary, select, input, textarea',
    )
    const isInText = (control: HTMLElement) =>
      getComputedStyle(control).display === 'inline' &&
      control.parentElement?.textContent?.trim() !== control.textContent?.trim()
    // The link of a card covers it.
    const isStretched = (control: HTMLElement) => getComputedStyle(control, '::after').position === 'absolute'
    return [...controls]
      .filter((control) => control.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
      .filter((control) => !isInText(control) && !isStretched(control))
      .flatMap((control) => {
        const isCheck = control.matches('[type="checkbox"], [type="radio"]')
        const target = (isCheck && control.closest('label')) || control
        const { width, height } = target.getBoundingClientRect()
        // A hidden one is a pixel wide.
        if (width <= 1 || (width >= 43.5 && height >= 43.5)) return []
        const name = target.getAttribute('aria-label') ?? target.innerText
        return `${name || target.outerHTML.slice(0, 80)}: ${Math.round(width)} × ${Math.round(height)}`
      })
  })

async function expectLargeTargets(page: Page, where: string): Promise<void> {
  // A page that is still being drawn has placeholders and controls of two states.
  await expect.poll(() => readSmallTargets(page), { message: where }).toEqual([])
  const { width } = page.viewportSize() ?? {}
  expect({ where, width: await readScrollWidth(page) }).toEqual({ where, width })
}

/** docs/search.md lists them. */
const expectedTaps = 12

test(`on a phone a guest gets from the home page to a paid part for a bike in ${expectedTaps} taps, with targets of 44 px`, async ({
  page,
}) => {
  test.slow()
  let taps = 0
  const tap = (control: Locator) => {
    taps++
    return control.tap()
  }
  await page.goto('/')
  await started(page)
  await expectLargeTargets(page, 'home')

  let bike: string | null
  await test.step('the dialog chooses the bike', async () => {
    await tap(page.getByRole('banner').getByRole('link', { name: 'Choose your bike' }))
    for (const name of ['Yamaha', 'YZF-R6', '2009']) {
      const button = dialog(page).getByRole('button', { name, exact: true })
      await expect(button).toBeVisible()
      await expectLargeTargets(page, `the dialog with ${name}`)
      await tap(button)
    }
    await expect(page.getByRole('button', { name: 'Your bike: 2009 Yamaha YZF-R6' })).toBeVisible()
  })

  await test.step('the list shows two of the parts that fit beside each other', async () => {
    await tap(page.getByRole('banner').getByRole('link', { name: 'parts fit your 2009 Yamaha YZF-R6' }))
    await expect(page.getByText('Parts that fit the 2009 Yamaha YZF-R6.')).toBeVisible()
    const cards = page.getByRole('main').getByRole('article')
    await expect(cards.first().getByText('Fits', { exact: true })).toBeVisible()
    await expectLargeTargets(page, 'a list with a bike')
    bike = new URL(page.url()).searchParams.get('bike')
    const [first, second] = [await cards.first().boundingBox(), await cards.nth(1).boundingBox()]
    expect(second?.y).toBe(first?.y)
    expect(second?.x).toBeGreaterThan((first?.x ?? 0) + (first?.width ?? 0))
    await tap(cards.getByRole('link', { name: /brake pads/ }).first())
    await expect(state(page, 'Fits your 2009 Yamaha YZF-R6')).toBeVisible()
    await started(page)
    await expectLargeTargets(page, 'a product with a bike')
  })

  await test.step('Buy Now needs no account', async () => {
    await tap(page.getByRole('main').getByRole('link', { name: 'Buy Now' }).first())
    await expect(page).toHaveURL(/\/login$/)
    await expectLargeTargets(page, 'the login')
    await tap(withoutAccount(page))
    await expect(page).toHaveURL('/checkout')
    await expect(page.getByRole('button', { name: 'Place Order' })).toBeVisible()
    await expectLargeTargets(page, 'checkout')
  })

  await test.step('the paid order has one state, even before the shop has confirmed it', async () => {
    taps += await fillDelivery(page, newEmail())
    await tap(page.getByRole('button', { name: 'Place Order' }))
    await expect(page.getByRole('button', { name: /^Pay/ })).toBeEnabled()
    await expectLargeTargets(page, 'an unpaid order')
    await fillCard(page, '4242424242424242')
    const confirm = await hold(page, '**/api/v1/orders/*/payment')
    await tap(page.getByRole('button', { name: /^Pay/ }))
    await expect(page.getByText('Payment Successful..!')).toBeVisible()
    await expect(state(page, 'Paid. We are preparing your order.')).toBeVisible()
    await expect(page.getByText('Awaiting payment')).toHaveCount(0)
    const receipt = page.getByRole('button', { name: 'Print receipt' })
    await expect(receipt).toHaveCount(0)
    confirm()
    await expect(receipt).toBeVisible()
    await expect(page.getByRole('link', { name: 'Continue shopping' })).toHaveAttribute('href', '/products')
    await expectLargeTargets(page, 'a paid order')
    expect(taps).toBe(expectedTaps)
  })

  await test.step('without an account too, a missing size is asked for, and the bike stays', async () => {
    await page.goto('/products?kind=Jackets')
    const buyNow = page.getByRole('article').first().getByRole('link', { name: 'Buy Now' })
    await page.goto(`${await buyNow.getAttribute('href')}?bike=${bike}`)
    await expect(page).toHaveURL(/\/login$/)
    await field(page, 'Password').fill('secret')
    await page.getByRole('button', { name: 'Show password' }).tap()
    await expect(field(page, 'Password')).toHaveAttribute('type', 'text')
    await withoutAccount(page).tap()
    await expect(page).toHaveURL(new RegExp(`/product/.*\\?bike=${bike}#choose-size$`))
    await expect(page.getByText('Choose a size.')).toBeInViewport()
    await page.getByRole('list', { name: 'Size' }).getByRole('link', { name: 'M', exact: true }).tap()
    await expect(page.getByText('Choose a size.')).toHaveCount(0)
    await expect(page.getByText('Choose a colour.')).toBeVisible()
    await page.getByRole('list', { name: 'Colour' }).getByRole('link', { name: 'Blue' }).tap()
    await expect(page.getByText('Choose a colour.')).toHaveCount(0)
    await page.getByRole('button', { name: 'Add to cart' }).tap()
    await expect(page.getByText('Added to cart.')).toBeVisible()
    await page.goto('/cart')
    await expect(page.getByRole('link', { name: 'Checkout' })).toBeVisible()
    await expectLargeTargets(page, 'the cart')
  })

  await test.step('a part that is sold out cannot be ordered, and the reason is shown', async () => {
    const response = await page.request.get('/api/products')
    const products = (await response.json()) as { _id: string; quantity: number }[]
    const soldOut = products.find(({ quantity }) => quantity === 0)
    await page.goto(`/purchase/${soldOut?._id}`)
    await withoutAccount(page).tap()
    await expect(page).toHaveURL(new RegExp(`/product/${soldOut?._id}/`))
    await expect(page.getByRole('alert').filter({ hasText: 'Out of stock.' })).toBeVisible()
  })

  await test.step('the page of a bike and Contact Us', async () => {
    await page.goto('/bikes/yamaha/yzf-r6/2009')
    await started(page)
    await expectLargeTargets(page, 'the page of a bike')
    await page.goto('/contact-us')
    await started(page)
    await expectLargeTargets(page, 'Contact Us')
  })

  await test.step('the orders of a customer, on a tablet too', async () => {
    await enterAsNewRider(page)
    const { id } = await placeOrder(page)
    for (const size of [
      { width: 360, height: 740 },
      { width: 1180, height: 820 },
    ]) {
      await page.setViewportSize(size)
      await page.goto('/dashboard/my-orders')
      await started(page)
      await expect(page.getByRole('button', { name: 'Details' })).toBeVisible()
      await expectLargeTargets(page, 'My Orders')
      await page.goto(`/order/${id}`)
      await expect(page.getByRole('main').getByRole('link', { name: 'My Orders' })).toBeVisible()
      await expectLargeTargets(page, 'the order of a customer')
    }
  })
})
