import type { Page } from '@playwright/test'
import { toChannels } from '../../contract/contrast.ts'
import { brandColors } from '../../contract/shop.ts'
import { addFitted, addPart, editProduct, fittedKind } from './admin-steps.ts'
import { expectAccessible } from './axe.ts'
import { callAs, failing, field } from './specification-steps.ts'
import { enterAsNewRider, fillDelivery, newEmail, started } from './steps.ts'
import { expect, test } from './test.ts'

test.use({ viewport: { width: 360, height: 740 } })

const badge = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text })
const dialog = (page: Page) => page.getByRole('dialog')
/** A colour as a browser computes it. */
const toRgb = (color: string) => `rgb(${toChannels(color).join(', ')})`
const line = (page: Page, text: string) => page.getByRole('main').locator('ul > li').filter({ hasText: text })
const addToCart = (page: Page) => page.getByRole('button', { name: 'Add to cart' })
const placeOrder = (page: Page) => page.getByRole('button', { name: 'Place Order' })
const added = (page: Page) => page.getByText('Added to cart.')

const notConfirmed = "We don't know whether this part fits your bike."
const unknown = "We don't know whether this part fits your 2009 Yamaha YZF-R6."
const doesNotFit = 'This part does not fit your bike.'

test('a rider types a bike, reads what fits, is warned once about parts that may not, and the order has bike and answer', async ({
  page,
  admin,
  expectConsole,
}) => {
  test.slow()
  expectConsole(/Failed to load resource|net::ERR/)
  const range = { make: 'yamaha', model: 'yzf-r6', yearFrom: 2008, yearTo: 2009 }
  const note = { position: 'front', pieces: 2, note: 'not with ABS' }
  const fits = await addFitted(admin, 'Brake pads', { fitments: [{ ...range, ...note }] })
  const not = await addFitted(admin, 'Chain', { complete: true, fitments: [{ ...range, yearTo: 2008 }] })
  const open = await addFitted(admin, 'Lever')
  const gear = await addFitted(admin, 'Jacket', { fitKind: 'gear' })

  const path = '/v1/bikes?make=yamaha&model=yzf-r6'
  const { bikes } = await callAs<{ bikes: { id: number; name: string; year: number }[] }>(admin, 'GET', path)
  const older = bikes.find(({ year }) => year === 2008)
  await page.goto('/robots.txt')
  await page.evaluate(
    (bike) => localStorage.setItem('garage', JSON.stringify({ bikes: [bike], current: null })),
    older && { id: older.id, name: older.name },
  )
  const email = newEmail()
  const openProduct = async (id: string) => {
    await page.goto(`/product/${id}`)
    await started(page)
  }

  await test.step('typing finds the bike, which the header shows', async () => {
    await page.goto(`/products?${new URLSearchParams({ kind: fittedKind })}`)
    await started(page)
    await page.getByRole('main').getByRole('link', { name: 'Choose your bike' }).click()
    await expect(dialog(page).getByRole('button', { name: 'Yamaha', exact: true })).toBeVisible()
    await expectAccessible(page, 'the dialog that chooses a bike')
    // The field has the focus.
    await page.keyboard.type('yamha r6 1990')
    await expect(
      page.getByRole('button', { name: /^Yamaha YZF-R6: listed for 20\d\d–20\d\d$/ }),
    ).toBeVisible()
    await field(page, 'Type your bike').fill('r6 2009')
    await field(page, 'Type your bike').press('Enter')
    await expect(dialog(page)).toBeHidden()
    const bike = page.getByRole('banner').getByRole('button', { name: 'Your bike: 2009 Yamaha YZF-R6' })
    await expect(bike).toBeFocused()
  })

  await test.step('the list becomes the one of the parts that fit, whose pages show the note and keep the bike', async () => {
    await expect(page.getByText('Parts that fit the 2009 Yamaha YZF-R6.')).toBeVisible()
    const card = page.getByRole('article', { name: fits.name })
    await expect(card).toBeVisible()
    const last = page.getByRole('main').getByRole('region').last()
    await expect(last.getByRole('heading', { level: 2 })).toHaveText('Does not fit')
    await expect(last.getByRole('article', { name: not.name })).toBeVisible()
    await expect(page.getByRole('article', { name: not.name })).toHaveCount(1)
    // The link of the card has the former name.
    fits.name = `New ${fits.name}`
    const { _id, quantity: _, options: __, ...edited } = fits
    await editProduct(admin, _id, edited)
    await card.getByRole('link').first().click()
    await expect(page).toHaveURL(/\/new-brake-pads-\d+\?bike=\d+$/)
    await expect(badge(page, 'Fits your 2009 Yamaha YZF-R6')).toContainText(
      'Front, 2 per bike · Note: not with ABS',
    )
    await expect(page.getByRole('main').getByRole('link', { name: 'Buy Now' }).first()).toHaveAttribute(
      'href',
      /\/purchase\/\w+\?bike=\d+$/,
    )
    await expectAccessible(page, 'a product that fits')
    await openProduct(not._id)
    await expect(badge(page, 'Does not fit your 2009 Yamaha YZF-R6.')).toBeVisible()
  })

  await test.step('lists are for the bike until the rider looks at parts for any bike, and again after its link', async () => {
    const anyBike = page.getByRole('link', { name: 'Show parts for any bike' }).first()
    const list = `/products?${new URLSearchParams({ kind: fittedKind })}`
    await page.goto(list)
    await expect(page).toHaveURL(/&bike=\d+$/)
    await anyBike.click()
    await expect(page.getByText('Show only parts that fit your 2009 Yamaha YZF-R6')).toBeVisible()
    await page.goto(list)
    await expect(page.getByText('Show only parts that fit your 2009 Yamaha YZF-R6')).toBeVisible()
    await expect(page).toHaveURL(list)
    await page.getByRole('link', { name: 'Show only parts that fit your 2009 Yamaha YZF-R6' }).click()
    await expect(anyBike).toBeVisible()
    await page.goto(list)
    await expect(page).toHaveURL(/&bike=\d+$/)
  })

  await test.step('lists are for the bike again after another one is chosen', async () => {
    const changeTo = async (from: string, to: string) => {
      await page
        .getByRole('banner')
        .getByRole('button', { name: `Your bike: ${from}` })
        .click()
      await page.getByRole('button', { name: 'Change bike' }).click()
      await dialog(page).getByRole('button', { name: to }).click()
      await expect(dialog(page)).toBeHidden()
    }
    await page.getByRole('link', { name: 'Show parts for any bike' }).first().click()
    await expect(page.getByText('Show only parts that fit your 2009 Yamaha YZF-R6')).toBeVisible()
    await changeTo('2009 Yamaha YZF-R6', '2008 Yamaha YZF-R6')
    await expect(page.getByText('Parts that fit the 2008 Yamaha YZF-R6.')).toBeVisible()
    await changeTo('2008 Yamaha YZF-R6', '2009 Yamaha YZF-R6')
    await expect(page.getByText('Parts that fit the 2009 Yamaha YZF-R6.')).toBeVisible()
  })

  await test.step('a search for the make of the bike links the parts for the bike', async () => {
    await page.goto(`/products?${new URLSearchParams({ q: `yamaha ${fits.name}` })}`)
    await page.getByRole('link', { name: 'Only parts for your 2009 Yamaha YZF-R6' }).click()
    await expect(page.getByText('Parts that fit the 2009 Yamaha YZF-R6')).toBeVisible()
    await expect(page).toHaveURL(/[?&]bike=\d+/)
    await page.goto('/products?q=honda')
    await expect(page.getByText('Which Honda?')).toBeVisible()
    await expect(page.getByRole('link', { name: /^Only parts for your/ })).toHaveCount(0)
  })

  await test.step('the search field of a list keeps the focus when the list becomes the one for the bike', async () => {
    await page.goto('/products?q=zzzzqqqq')
    await started(page)
    const search = page.getByRole('searchbox', { name: 'Search products' })
    await search.fill(fittedKind)
    await expect(page.getByText('Parts that fit the 2009 Yamaha YZF-R6')).toBeVisible()
    await expect(page).toHaveURL(/[?&]bike=\d+/)
    await expect(search).toBeFocused()
  })

  await test.step('a list of several pages that begins with gear stays as it is', async () => {
    const kinds = [
      'Full-face helmets',
      'Jackets',
      'Boots',
      'Open-face helmets',
      'Gloves',
      'Tools',
      'Trousers',
    ]
    const more = ['Paddock stands', 'Protectors'].concat(kinds).map((kind) => ['kind', kind])
    const list = `/products?${new URLSearchParams(more)}`
    await page.goto(list)
    await expect(page.getByText('Show only parts that fit your 2009 Yamaha YZF-R6')).toBeVisible()
    await expect(page).toHaveURL(list)
  })

  await test.step('a part that is not confirmed is added after a warning, once', async () => {
    await openProduct(open._id)
    await addToCart(page).click()
    await expect(dialog(page)).toContainText(notConfirmed)
    await expect(dialog(page)).toContainText(
      "It isn't listed for the 2009 Yamaha YZF-R6. Compare the part number or the dimensions before you order.",
    )
    const kind = fittedKind.toLowerCase()
    const toFitting = dialog(page).getByRole('link', { name: `See ${kind} that fit` })
    await expect(toFitting).toHaveCSS('background-color', toRgb(brandColors.signal))
    const anyway = dialog(page).getByRole('button', { name: 'Add anyway' })
    await expect(anyway).toHaveCSS('background-color', toRgb(brandColors.surface))
    await expectAccessible(page, 'the warning before a part is added')
    await dialog(page).getByRole('button', { name: 'Close' }).click()
    await expect(dialog(page)).toBeHidden()
    await expect(addToCart(page)).toBeFocused()
    await expect(added(page)).toBeHidden()
    await addToCart(page).press('Enter')
    await expect(anyway).toBeVisible()
    await dialog(page).getByRole('button', { name: 'Close' }).click()
    const cart = page.getByRole('banner').getByRole('link', { name: /^Cart/ })
    await cart.click()
    await page.goBack()
    await addToCart(page).click()
    await expect(anyway).toBeVisible()
    // The question is about the page that was left.
    await page.goForward()
    await expect(page.getByRole('heading', { name: 'Your cart', exact: true })).toBeVisible()
    await expect(dialog(page)).toHaveCount(0)
    await expect(page.getByRole('main')).toBeFocused()
    await page.goBack()
    await addToCart(page).click()
    await anyway.click()
    await expect(added(page)).toBeVisible()
    await page.reload()
    await started(page)
    await addToCart(page).click()
    await expect(added(page)).toBeVisible()
    await expect(dialog(page)).toBeHidden()
  })

  await test.step('parts that fit, gear, and parts without an answer are added without a warning', async () => {
    for (const { _id } of [fits, gear]) {
      await openProduct(_id)
      await addToCart(page).click()
      await expect(added(page)).toBeVisible()
    }
    await openProduct(not._id)
    const failure = await failing(page, '**/api/v1/fitment?*', 'away')
    await addToCart(page).click()
    await expect(added(page)).toBeVisible()
    await failure.end()
  })

  await test.step('the cart shows bike and answer of each line, but of no gear, and changes the bike', async () => {
    await page.goto('/cart')
    await expect(line(page, fits.name)).toContainText(
      'Fits your 2009 Yamaha YZF-R6Front, 2 per bike · Note: not with ABS',
    )
    await expect(line(page, not.name)).toContainText('Does not fit your 2009 Yamaha YZF-R6.')
    await expect(line(page, open.name)).toContainText(unknown)
    await expect(line(page, gear.name)).not.toContainText(/fit|bike/i)
    await expect(line(page, fits.name).getByRole('link')).toHaveAttribute('href', /[?&]bike=\d+$/)
    await field(page, `Bike for ${fits.name}`).selectOption('No bike')
    await expect(line(page, fits.name)).not.toContainText('Fits your')
    await expectAccessible(page, 'a cart with bikes')
  })

  const fillCheckout = async () => {
    await page.goto('/checkout')
    await expect(line(page, open.name)).toContainText(unknown)
    await fillDelivery(page, email)
  }

  await test.step('the checkout warns a rider whose browser has no garage', async () => {
    const garage = await page.evaluate(() => {
      const stored = localStorage.getItem('garage') ?? ''
      localStorage.removeItem('garage')
      sessionStorage.clear()
      return stored
    })
    await fillCheckout()
    await placeOrder(page).click()
    await expect(dialog(page)).toContainText(doesNotFit)
    await dialog(page).getByRole('button', { name: 'Close' }).click()
    await expect(placeOrder(page)).toBeEnabled()
    await expect(placeOrder(page)).toBeFocused()
    await page.evaluate((stored) => localStorage.setItem('garage', stored), garage)
    await page.goto('/cart')
    await field(page, `Bike for ${not.name}`).selectOption('2008 Yamaha YZF-R6')
    await expect(line(page, not.name)).toContainText('Fits your 2008 Yamaha YZF-R6')
  })

  await test.step("the checkout shows the fit of each line, and the guest's order has it", async () => {
    await fillCheckout()
    await expectAccessible(page, 'a checkout with bikes')
    await placeOrder(page).click()
    const order = page.getByRole('region', { name: 'Your order' })
    await expect(order).toContainText('Bike: 2009 Yamaha YZF-R6Fit when ordered: not confirmed')
    await expect(order).toContainText('Bike: 2008 Yamaha YZF-R6Fit when ordered: fits')
    await expect(page.getByRole('button', { name: /^Pay/ })).toBeEnabled()
  })

  await test.step('the admin sees them in the order and on the packing slip', async () => {
    await admin.goto(`/dashboard/manage-orders?${new URLSearchParams({ q: email })}`)
    await admin.getByRole('row', { name: 'and 3 more' }).getByRole('button', { name: 'Details' }).click()
    await expect(admin.getByRole('button', { name: 'Print packing slip' })).toBeEnabled()
    const item = dialog(admin).getByRole('table', { name: 'Items' }).getByRole('row', { name: open.name })
    await expect(item.getByText('Bike: 2009 Yamaha YZF-R6')).toBeVisible()
    await expect(item.getByText('Fit when ordered: not confirmed')).toBeVisible()
    await admin.emulateMedia({ media: 'print' })
    const slip = admin.getByRole('article').filter({ hasText: 'Packing slip' })
    await expect(slip.getByRole('row', { name: open.name })).toContainText(
      'Bike: 2009 Yamaha YZF-R6 · Fit when ordered: not confirmed',
    )
    await expect(slip.getByRole('row', { name: gear.name })).not.toContainText('Bike')
  })

  await test.step('the purchase screen asks for a bike once a product without a kind has fitments', async () => {
    await enterAsNewRider(page)
    const { _id } = await addPart(admin, { name: `Grips ${Date.now()}`, minimum: 1 })
    const path = `/v1/products/${_id}/fitments`
    const counted = page.waitForResponse(`**/api${path}*`)
    await page.goto(`/purchase/${_id}`)
    await (await counted).finished()
    await expect(placeOrder(page)).toBeEnabled()
    await expect(badge(page, 'your 2009 Yamaha YZF-R6')).toHaveCount(0)
    const { revision } = await callAs<{ revision: string }>(admin, 'GET', path)
    await callAs(admin, 'PUT', path, { fitKind: 'vehicle', complete: false, fitments: [range], revision })
    await page.reload()
    await expect(badge(page, 'Fits your 2009 Yamaha YZF-R6')).toBeVisible()
  })

  await test.step('the purchase screen warns once too, and repeats an order without an answer for its bike', async () => {
    await page.goto(`/purchase/${not._id}`)
    await expect(badge(page, 'Does not fit your 2009 Yamaha YZF-R6.')).toBeVisible()
    const trail = page.getByRole('navigation', { name: 'Breadcrumb' })
    await expect(trail.getByRole('link', { name: not.name })).toHaveAttribute('href', /^\/product\//)
    await field(page, 'Address').fill('14 Kickstand Lane')
    await placeOrder(page).click()
    await expect(dialog(page)).toContainText(doesNotFit)
    await expect(dialog(page)).toContainText(
      "The manufacturer's list does not include the 2009 Yamaha YZF-R6.",
    )
    await dialog(page).getByRole('button', { name: 'Close' }).click()
    await expect(placeOrder(page)).toBeFocused()
    await placeOrder(page).click()
    const failure = await failing(page, '**/api/confirm-purchase', 'away')
    await dialog(page).getByRole('button', { name: 'Order anyway' }).click()
    await expect(page.getByText('You will not order twice.')).toBeVisible()
    await failure.end()
    await page.evaluate(() => {
      const { bikes } = JSON.parse(localStorage.getItem('garage') ?? '{}')
      localStorage.setItem('garage', JSON.stringify({ bikes, current: bikes[0].id }))
    })
    await page.reload()
    await placeOrder(page).click()
    await expect(page.getByText('Order Placed successfully')).toBeVisible()
    await page.getByRole('button', { name: 'Details' }).first().click()
    await expect(dialog(page)).toContainText('Bike: 2009 Yamaha YZF-R6')
    await expect(dialog(page)).toContainText('Fit when ordered: does not fit')
    await expectAccessible(page, 'the details of an order with a bike')
  })
})
