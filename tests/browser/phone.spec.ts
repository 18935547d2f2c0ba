import type { Page } from '@playwright/test'
import { readScrollWidth } from './axe.ts'
import { field, hold } from './specification-steps.ts'
import { enterAsNewRider, fillCard, fillDelivery, newEmail, placeOrder, started } from './steps.ts'
import { expect, test } from './test.ts'

test.use({ viewport: { width: 360, height: 740 }, hasTouch: true })

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Choose your bike' })
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

test('on a phone a guest finds a part for a bike, orders it without an account and pays, with targets of 44 px', async ({
  page,
}) => {
  test.slow()
  await page.goto('/')
  await started(page)
  await expectLargeTargets(page, 'home')

  await test.step('the dialog chooses the bike', async () => {
    await page.getByRole('banner').getByRole('link', { name: 'Choose your bike' }).tap()
    for (const name of ['Yamaha', 'YZF-R6', '2009']) {
      const button = dialog(page).getByRole('button', { name, exact: true })
      await expect(button).toBeVisible()
      await expectLargeTargets(page, `the dialog with ${name}`)
      await button.tap()
    }
    await expect(page.getByRole('button', { name: 'Your bike: 2009 Yamaha YZF-R6' })).toBeVisible()
  })

  await test.step('the list shows two of the parts that fit beside each other', async () => {
    await page.goto('/products?kind=Brake+pads')
    // The list opens the one for the bike by itself.
    await expect(page.getByRole('link', { name: 'Show parts for any bike' })).toBeVisible()
    const cards = page.getByRole('main').getByRole('article')
    await expect(cards.first().getByText('Fits', { exact: true })).toBeVisible()
    await expectLargeTargets(page, 'a list with a bike')
    const [first, second] = [await cards.first().boundingBox(), await cards.nth(1).boundingBox()]
    expect(second?.y).toBe(first?.y)
    expect(second?.x).toBeGreaterThan((first?.x ?? 0) + (first?.width ?? 0))
    await cards.first().getByRole('link').first().tap()
    await expect(state(page, 'Fits your 2009 Yamaha YZF-R6')).toBeVisible()
    await started(page)
    await expectLargeTargets(page, 'a product with a bike')
  })

  await test.step('Buy Now needs no account', async () => {
    await page.getByRole('main').getByRole('link', { name: 'Buy Now' }).first().tap()
    await expect(page).toHaveURL(/\/login$/)
    await expectLargeTargets(page, 'the login')
    await field(page, 'Password').fill('secret')
    await page.getByRole('button', { name: 'Show password' }).tap()
    await expect(field(page, 'Password')).toHaveAttribute('type', 'text')
    await page.getByRole('button', { name: 'Order without an account' }).tap()
    await expect(page).toHaveURL('/checkout')
    await page.goto('/cart')
    await expect(page.getByRole('link', { name: 'Checkout' })).toBeVisible()
    await expectLargeTargets(page, 'the cart')
    await page.getByRole('link', { name: 'Checkout' }).tap()
    await expect(page.getByRole('button', { name: 'Place Order' })).toBeVisible()
    await expectLargeTargets(page, 'checkout')
  })

  await test.step('the paid order has one state, even before the shop has confirmed it', async () => {
    await fillDelivery(page, newEmail())
    await page.getByRole('button', { name: 'Place Order' }).tap()
    await expect(page.getByRole('button', { name: /^Pay/ })).toBeEnabled()
    await expectLargeTargets(page, 'an unpaid order')
    await fillCard(page, '4242424242424242')
    const confirm = await hold(page, '**/api/v1/orders/*/payment')
    await page.getByRole('button', { name: /^Pay/ }).tap()
    await expect(page.getByText('Payment Successful..!')).toBeVisible()
    await expect(state(page, 'Paid. We are preparing your order.')).toBeVisible()
    await expect(page.getByText('Awaiting payment')).toHaveCount(0)
    const receipt = page.getByRole('button', { name: 'Print receipt' })
    await expect(receipt).toHaveCount(0)
    confirm()
    await expect(receipt).toBeVisible()
    await expect(page.getByRole('link', { name: 'Continue shopping' })).toHaveAttribute('href', '/products')
    await expectLargeTargets(page, 'a paid order')
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
