import type { Page } from '@playwright/test'
import type { Product } from '../../contract/catalog.ts'
import { visible } from '../page-head.ts'
import { addFitted, addPart, fittedKind } from './admin-steps.ts'
import { expectAccessible, readScrollWidth } from './axe.ts'
import { callAs, failing, hold } from './specification-steps.ts'
import { enterAsNewRider, passSlow, started } from './steps.ts'
import { expect, test } from './test.ts'

const phone = { width: 360, height: 740 }
test.use({ viewport: phone })

const bar = (page: Page) => page.getByRole('banner').locator('#bike')
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Choose your bike' })
const badge = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text })
const currentBike = (page: Page) => bar(page).getByRole('button', { name: /^Your bike: / })
async function stopUsing(page: Page): Promise<void> {
  await currentBike(page).click()
  await bar(page).getByRole('button', { name: 'Stop using this bike' }).click()
}
const choose = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true }).click()

const k6 = { make: 'hayashi', model: 'k6', yearFrom: 2012, yearTo: 2012 }
const r6 = { make: 'yamaha', model: 'yzf-r6', yearFrom: 2008, yearTo: 2010 }

test('a rider chooses a bike once and sees on every page whether parts fit', async ({
  page,
  openOther,
  admin,
  expectConsole,
}) => {
  test.slow()
  expectConsole(/Failed to load resource|net::ERR/)
  const fits = await addFitted(admin, 'Disc', {
    fitments: [k6, { ...r6, position: 'front', pieces: 2, note: 'not with ABS' }],
  })
  const not = await addFitted(admin, 'Pads', { complete: true, fitments: [r6] })
  const open = await addFitted(admin, 'Lever')
  const some = await addFitted(admin, 'Caliper', { fitments: [{ ...k6, version: 'ABS' }] })
  const gear = await addFitted(admin, 'Jacket', { fitKind: 'gear' })
  // Without a kind only the fitments say that the fit depends on the bike.
  const grips = `Grips ${Date.now()}`
  const plain = await addPart(admin, { name: `Plain ${grips}` })
  const fitted = await addPart(admin, { name: `Fitted ${grips}` })
  const fitTo = async (fitments: object[]) => {
    const path = `/v1/products/${fitted._id}/fitments`
    const { revision } = await callAs<{ revision: string }>(admin, 'GET', path)
    await callAs(admin, 'PUT', path, { fitKind: 'vehicle', complete: false, fitments, revision })
  }
  await fitTo([r6])
  const list = `/products?${new URLSearchParams({ kind: fittedKind })}`
  const readCurrent = () =>
    page.evaluate(() => (JSON.parse(localStorage.getItem('garage') ?? '{}') as { current: number }).current)
  const card = ({ name }: Product) => page.getByRole('main').getByRole('article', { name })

  await test.step('without JavaScript, bike pages lead to the parts for a bike and to all bikes of a part', async () => {
    let path = '/'
    let html = await (await page.request.get(path)).text()
    const findLink = (name: string, from: string) => {
      const links = html.slice(html.indexOf(from)).matchAll(/<a [^>]*?href="([^"]*)"[^>]*>(.*?)<\/a>/gs)
      return (
        links.find(([, , text = '']) => visible(text).includes(name))?.[1]?.replaceAll('&amp;', '&') ?? ''
      )
    }
    for (const [name, title] of [
      ['Choose your bike', 'Find parts for your motorcycle'],
      ['Yamaha', 'Yamaha motorcycles'],
      ['YZF-R6', 'Yamaha YZF-R6: choose the year'],
      ['2009', 'Parts for the 2009 Yamaha YZF-R6'],
      [fittedKind, 'Products'],
      [fits.name, fits.name],
    ] as const) {
      path = findLink(name, path === '/' ? '<header' : '<main')
      html = await (await page.request.get(path)).text()
      expect(visible(/<h1.*?<\/h1>/s.exec(html)?.[0] ?? '').trim(), path).toBe(title)
      if (path === '/bikes') continue
      expect(visible(html)).toMatch(
        /Demo data: the fitments in this shop are invented\..*Hayashi is invented/,
      )
    }
    expect(visible(html)).toMatch(
      /Fits these bikes .*Yamaha YZF-R6 2008–2010 Front, 2 per bike\. Note: not with ABS/,
    )
    await page.goto('/bikes/yamaha/yzf-r6/2009')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Parts for the 2009 Yamaha YZF-R6')
    expect(await readScrollWidth(page)).toBe(phone.width)
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.goto('/bikes/yamaha')
    const trail = page.getByRole('navigation', { name: 'Breadcrumb' })
    await expect(trail.getByRole('link', { name: 'Motorcycles' })).toHaveAttribute('href', '/bikes')
    await page.setViewportSize(phone)
  })

  await test.step('on a phone the dialog opens before its code is loaded, stays as large, and no typed space closes it', async () => {
    const touch = await openOther({ hasTouch: true })
    const held = Promise.withResolvers<void>()
    await touch.route('**/assets/tools-*.js', async (route) => {
      await held.promise
      await route.continue()
    })
    await touch.goto('/')
    await started(touch)
    await touch.getByRole('banner').getByRole('link', { name: 'Cart' }).tap()
    await expect(touch).toHaveURL('/cart')
    await bar(touch).getByRole('link').tap()
    await expect(dialog(touch)).toContainText('Loading')
    await touch.goBack()
    await expect(dialog(touch)).toHaveCount(0)
    await touch.reload()
    await started(touch)
    // A double tap: the second tap hits the dialog.
    await bar(touch)
      .getByRole('link')
      .evaluate((link: HTMLElement) => {
        link.click()
        document.querySelector('dialog')?.click()
      })
    await expect(dialog(touch)).toContainText('Loading')
    await touch.keyboard.press('Space')
    const frame = await dialog(touch).boundingBox()
    await passSlow(touch, 8_010)
    await expect(dialog(touch).getByRole('link', { name: 'Try the list of bikes' })).toHaveAttribute(
      'href',
      '/bikes',
    )
    held.resolve()
    await expect(dialog(touch).getByRole('button', { name: 'Hayashi', exact: true })).toBeVisible()
    expect(await dialog(touch).boundingBox()).toEqual(frame)
    await expect(dialog(touch).getByRole('heading', { name: 'Choose your bike' })).toBeFocused()
    await touch.keyboard.press('Space')
    await choose(touch, 'Hayashi')
    await expect(dialog(touch).getByRole('button', { name: 'K6' })).toBeVisible()
    expect(await dialog(touch).boundingBox()).toEqual(frame)
    await dialog(touch).getByRole('button', { name: 'Close' }).tap()
    await expect(bar(touch).getByRole('link')).toBeFocused()
  })

  await test.step('without a bike, parts ask for it and gear does not', async () => {
    await page.goto(`/product/${gear._id}`)
    await started(page)
    await expect(page.getByText('Does this fit your bike?')).toHaveCount(0)
    await page.goto(list)
    await started(page)
    // The press begins to load the code, which arrives before it ends.
    await page.getByRole('main').getByRole('link', { name: 'Choose your bike' }).click({ delay: 1_000 })
    await expect(dialog(page).getByRole('button', { name: 'Yamaha', exact: true })).toBeVisible()
    await page.goto(`/product/${some._id}`)
    await expect(page.getByText('Does this fit your bike?')).toBeVisible()
    await expectAccessible(page, 'a product without a bike')
  })

  await test.step('a bike in four steps, whose version the badge asks for', async () => {
    await started(page)
    await page.route('**/api/v1/bikes', () => undefined, { times: 1 })
    await page.getByRole('main').getByRole('link', { name: 'Choose your bike' }).click({ delay: 1_000 })
    await passSlow(page, 8_010)
    await dialog(page).getByRole('link', { name: 'Try again' }).click()
    await choose(page, 'Hayashi')
    await dialog(page).getByRole('button', { name: 'Back' }).click()
    await expect(dialog(page).getByRole('heading', { name: 'Choose the make' })).toBeFocused()
    for (const name of ['Hayashi', 'K6', '2012', "I don't know"]) await choose(page, name)
    await expect(badge(page, 'Fits some versions of the 2012 Hayashi K6: ABS.')).toBeVisible()
    await expect(page.getByText('Does this fit your bike?')).toBeHidden()
    await page.getByRole('button', { name: 'Add to cart' }).click()
    await expect(page.getByText('Added to cart.')).toBeVisible()
    await page.getByRole('button', { name: 'Which version do you have?' }).click()
    await choose(page, 'ABS')
    await expect(badge(page, 'Fits your 2012 Hayashi K6 ABS')).toBeVisible()
    await expect(bar(page)).toContainText('2012 Hayashi K6 ABS')
  })

  await test.step('the cart line asks for the version', async () => {
    await page.goto('/cart')
    const line = page.getByRole('main').getByRole('listitem').filter({ hasText: some.name })
    await expect(line).toContainText('Fits some versions of the 2012 Hayashi K6: ABS.')
    await line.getByRole('button', { name: 'Which version do you have?' }).click()
    await choose(page, 'ABS')
    await expect(line).toContainText('Fits your 2012 Hayashi K6 ABS')
    await expect(line.getByRole('combobox', { name: `Bike for ${some.name}` })).toBeFocused()
  })

  await test.step('the page of the model and year does not replace the version of the rider', async () => {
    // The next step counts these calls of its own page.
    const marks = page.waitForResponse((response) => response.url().includes('/api/v1/fits'))
    await page.goto('/bikes/hayashi/k6/2012')
    await started(page)
    await marks
    await expect(bar(page)).toContainText('2012 Hayashi K6 ABS')
    const link = page.getByRole('main').getByRole('article').first().getByRole('link').first()
    await expect(link).toHaveAttribute('href', /^\/product\/[^?]+$/)
  })

  await test.step('the list marks each part with one call, and no gear', async () => {
    await page.goto(`/products?${new URLSearchParams({ q: grips, plain: 'true' })}`)
    await expect(card(fitted)).toContainText('Fit not confirmed')
    await expect(card(plain)).not.toContainText(/fit/i)
    const calls: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/api/v1/fit')) calls.push(request.url())
    })
    await page.goto(`${list}&plain=true`)
    await expect(card(fits).getByText('Fits', { exact: true })).toBeVisible()
    await expect(card(not)).toContainText('Does not fit')
    await expect(card(open)).toContainText('Fit not confirmed')
    await expect(card(gear)).not.toContainText(/fit/i)
    expect(calls).toHaveLength(1)
    await expectAccessible(page, 'a list with a bike')
  })

  await test.step('missing data is neither yes nor no', async () => {
    await card(not).getByRole('link').first().click()
    const answer = badge(page, 'Does not fit your 2012 Hayashi K6 ABS.')
    await expect(answer).toBeInViewport({ ratio: 1 })
    const kind = fittedKind.toLowerCase()
    await expect(answer.getByRole('link', { name: `See ${kind} that fit` })).toHaveAttribute(
      'href',
      `/products?${new URLSearchParams({ kind: fittedKind, bike: `${await readCurrent()}` })}`,
    )
    const failure = await failing(page, '**/api/v1/fitment?*', 'away')
    await page.goto(`/product/${open._id}`)
    await expect(badge(page, 'We could not check the fit.')).toBeVisible()
    await failure.end()
    await page.getByRole('button', { name: 'Try again' }).click()
    const unknown = badge(page, "We don't know whether this part fits your 2012 Hayashi K6 ABS.")
    await expect(unknown).toBeVisible()
    await page.route('**/api/v1/fitment?*', () => undefined, { times: 1 })
    await page.reload()
    await expect(page.getByText('Checking the fit …')).toBeVisible()
    await passSlow(page, 8_010)
    await badge(page, 'Checking the fit').getByRole('link', { name: 'Try again' }).click()
    await expect(unknown.getByRole('link', { name: `See ${kind} that fit` })).toBeVisible()
    await expect(unknown.getByRole('link', { name: 'Its bikes' })).toHaveCount(0)
  })

  await test.step('on a phone the bar scrolls away, and the first row of the header stays', async () => {
    await page.evaluate(() => scrollTo(0, 600))
    await expect(bar(page)).not.toBeInViewport()
    await expect(page.getByRole('link', { name: 'Cart', exact: false }).first()).toBeInViewport()
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.evaluate(() => scrollTo(0, 600))
    await expect(bar(page)).toBeInViewport()
    await page.setViewportSize(phone)
  })

  await test.step('other words than those that were searched as words may name a bike again', async () => {
    await page.goto('/products?q=brake&plain=true')
    await started(page)
    await page.getByRole('searchbox', { name: 'Search products' }).fill('yzf-r6')
    await expect(page).toHaveURL('/products?q=yzf-r6')
  })

  await test.step('switching off leaves no bike in the URL, of a product or of a list', async () => {
    for (const path of [`/product/${not._id}?`, `${list}&fit=some&`]) {
      await page.goto(`${path}bike=${await readCurrent()}`)
      await started(page)
      await stopUsing(page)
      await expect(page).not.toHaveURL(/bike=|fit=/)
      await expect(page.getByRole('main').getByRole('link', { name: 'Choose your bike' })).toBeVisible()
      await expect(bar(page)).toHaveText('Choose your bike')
      await bar(page).getByRole('link').click()
      await choose(page, '2012 Hayashi K6 ABS')
      await expect(bar(page)).toContainText('2012 Hayashi K6 ABS')
    }
    await page.goto(`/product/${open._id}`)
  })

  await test.step('another tab follows, and the bike is switched off there too', async () => {
    const tab = await page.context().newPage()
    await tab.goto('/contact-us')
    await expect(currentBike(tab)).toHaveText('Your bike: 2012 Hayashi K6 ABS')
    await stopUsing(tab)
    await expect(bar(tab)).toHaveText('Choose your bike')
    await expect(bar(page)).toHaveText('Choose your bike')
    await expect(page.getByText('Does this fit your bike?')).toBeVisible()
    await tab.close()
  })

  await test.step('a product that is tapped opens, even if another tab chooses a bike then', async () => {
    await page.goto(list)
    await started(page)
    const release = await hold(page, `**/product/${open._id}/*.data`)
    await card(open).getByRole('link').first().click()
    await expect(page).toHaveURL(new RegExp(`/product/${open._id}/`))
    const tab = await page.context().newPage()
    await tab.goto('/contact-us')
    await bar(tab).getByRole('link').click()
    await choose(tab, '2012 Hayashi K6 ABS')
    await expect(page.getByRole('link', { name: /^Show only parts that fit your/ })).toBeAttached()
    release()
    await expect(page.getByRole('heading', { level: 1, name: open.name })).toBeVisible()
    await stopUsing(tab)
    await tab.close()
  })

  await test.step('the garage manages the bikes of a guest and of an account', async () => {
    await bar(page).getByRole('link').click()
    await dialog(page).getByRole('link', { name: 'Manage' }).click()
    const rows = page.getByRole('main').getByRole('listitem')
    await expect(rows).toHaveCount(2)
    await page.getByRole('button', { name: 'Use this bike: 2012 Hayashi K6', exact: true }).click()
    await expect(bar(page)).toContainText('2012 Hayashi K6')
    await expect(
      page.getByRole('link', { name: 'See parts for the 2012 Hayashi K6', exact: true }),
    ).toHaveAttribute('href', `/products?bike=${await readCurrent()}`)
    await page.getByRole('button', { name: 'Remove 2012 Hayashi K6 ABS' }).click()
    await expect(rows).toHaveCount(1)
    await expectAccessible(page, 'the garage')

    await enterAsNewRider(page)
    await page.goto('/')
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('banner').getByRole('link', { name: 'My garage' }).last().click()
    const read = () => callAs<{ bikes: object[]; current: number }>(page, 'GET', '/v1/me/garage')
    await expect.poll(async () => (await read()).bikes.length).toBe(1)
    await expect(rows).toHaveCount(1)
    // A dialog that was closed while it saved closes none that was opened since.
    const openDialog = async () => {
      await currentBike(page).click()
      await bar(page).getByRole('button', { name: 'Change bike' }).click()
    }
    const release = await hold(page, '**/api/v1/me/garage/**')
    await openDialog()
    for (const name of ['Hayashi', 'K6', '2012', 'ABS']) await choose(page, name)
    await page.keyboard.press('Escape')
    await openDialog()
    release()
    await expect(dialog(page).getByRole('button', { name: '2012 Hayashi K6 ABS' })).toHaveAttribute(
      'aria-current',
      'true',
    )
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('button', { name: 'Logout' }).click()
    await expect(page.getByRole('heading', { name: 'Your garage is empty.' })).toBeVisible()
    await expect(bar(page)).toHaveText('Choose your bike')
  })

  await test.step('the garage of an account is not called empty before it is loaded', async () => {
    await enterAsNewRider(page)
    const release = await hold(page, '**/api/v1/me/garage')
    await page.goto('/garage')
    await expect(page.getByRole('button', { name: 'Account' })).toBeVisible()
    await started(page)
    const empty = page.getByRole('heading', { name: 'Your garage is empty.' })
    await expect(page.getByRole('main').getByText('Loading…')).toBeAttached()
    await expect(empty).toHaveCount(0)
    release()
    await expect(empty).toBeVisible()
    await page.unroute('**/api/v1/me/garage')
    await page.evaluate(() => localStorage.clear())
    const atLogin = await failing(page, '**/api/v1/me/garage', 'away')
    await enterAsNewRider(page)
    await page.goto('/contact-us')
    await expect.poll(atLogin.asked).toBeGreaterThan(0)
    await atLogin.end()
    await page.getByRole('link', { name: 'Torque Yard' }).first().click()
    await expect.poll(() => page.evaluate(() => localStorage.getItem('garage'))).toContain('customerId')
    await page.evaluate(() => localStorage.clear())
    const failure = await failing(page, '**/api/v1/me/garage', 'away')
    await enterAsNewRider(page)
    await page.goto('/garage')
    await expect(page.getByRole('heading', { name: 'Your garage could not be loaded' })).toBeVisible()
    await failure.end()
    // The menu of the bike may load it first.
    await expect(async () => {
      const again = page.getByRole('button', { name: 'Try again' })
      if (await again.isVisible()) await again.click({ timeout: 1000 })
      await expect(empty).toBeVisible({ timeout: 1000 })
    }).toPass()
    await page.evaluate(() => localStorage.clear())
  })

  await test.step('an eleventh bike replaces one of ten, and going back loses nothing', async () => {
    const bikes = Array.from({ length: 10 }, (_, index) => ({ id: 900_000 + index, name: `Bike ${index}` }))
    await page.evaluate(
      (garage) => localStorage.setItem('garage', garage),
      JSON.stringify({ bikes, current: null }),
    )
    await page.goto('/contact-us')
    await started(page)
    await bar(page).getByRole('link').click()
    for (const name of ['Hayashi', 'K6', '2012', "I don't know"]) await choose(page, name)
    const question = 'Your garage can hold 10 bikes. Which one does the 2012 Hayashi K6 replace?'
    await expect(dialog(page).getByRole('heading', { name: question })).toBeFocused()
    await expectAccessible(page, 'the dialog with a full garage')
    await dialog(page).getByRole('button', { name: 'Back' }).click()
    for (const name of ['2012', "I don't know", 'Bike 3']) await choose(page, name)
    await expect(dialog(page)).toHaveCount(0)
    await expect(currentBike(page)).toHaveText('Your bike: 2012 Hayashi K6')
    const names = bikes.map(({ name }) => name).filter((name) => name !== 'Bike 3')
    await page.goto('/garage')
    await expect(page.getByRole('main').getByRole('listitem')).toContainText([...names, '2012 Hayashi K6'])
  })

  await test.step('the bike of a search and of its page marks the parts, and is taken over', async () => {
    await page.evaluate(() => localStorage.removeItem('garage'))
    for (const path of [
      `/products?${new URLSearchParams({ q: not.name + ' 2009 r6' })}`,
      '/bikes/yamaha/yzf-r6/2009',
    ]) {
      await page.goto(path)
      await expect(card(not).getByText('Fits', { exact: true })).toBeVisible()
      await expect(page.getByRole('button', { name: 'Use this bike' })).toBeVisible()
    }
    await page.getByRole('button', { name: 'Use this bike' }).click()
    await expect(page.getByRole('main').getByText('Your bike')).toBeVisible()
    await expect(currentBike(page)).toBeFocused()
    await expect(currentBike(page)).toHaveText('Your bike: 2009 Yamaha YZF-R6')
    await bar(page)
      .getByRole('link', { name: / parts fit your 2009 Yamaha YZF-R6$/ })
      .click()
    await expect(page.getByText('Parts that fit the 2009 Yamaha YZF-R6.')).toBeVisible()
    await currentBike(page).click()
    await expectAccessible(page, 'the menu of the bike')
  })

  await test.step('a bike without parts says so, with a link to its list, until it has one', async () => {
    const model = `Bare ${Date.now()}`
    const { model: slug } = await callAs<{ model: string }>(admin, 'POST', '/v1/bikes', {
      make: 'Hayashi',
      model,
      yearFrom: 2012,
    })
    await page.goto(`/bikes/hayashi/${slug}/2012`)
    await page.getByRole('button', { name: 'Use this bike' }).click()
    const none = bar(page).getByRole('link', {
      name: `No parts are confirmed to fit your 2012 Hayashi ${model} yet`,
    })
    await expect(none).toBeVisible()
    await expectAccessible(page, 'a bike without parts')
    await none.click()
    await expect(page).toHaveURL(`/products?bike=${await readCurrent()}`)
    await fitTo([{ make: 'hayashi', model: slug, yearFrom: 2012, yearTo: 2012 }])
    await page.reload()
    await expect(bar(page).getByRole('link', { name: /^1 part fits your / })).toBeVisible()
  })
})
