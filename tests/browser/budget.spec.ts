import { readdirSync, readFileSync } from 'node:fs'
import type { Page, Request } from '@playwright/test'
import { addFitted, fittedKind, signInAsAdmin } from './admin-steps.ts'
import { layoutShift, watchShifts } from './layout-shift.ts'
import { started } from './steps.ts'
import { expect, test } from './test.ts'

/** In KiB. React with React DOM takes 57 of them. */
const budgets = {
  home: { script: 77, stylesheet: 12 },
  list: { script: 77, stylesheet: 12 },
  product: { script: 77, stylesheet: 12 },
  cart: { script: 85, stylesheet: 12 },
  checkout: { script: 105, stylesheet: 12 },
  order: { script: 110, stylesheet: 12 },
}
/** Pages that show products; they need no code of other pages. */
const lean: string[] = ['home', 'list', 'product']
type PageName = keyof typeof budgets

/** Text that identifies code which the lean pages do not need. The others need some of it. */
const elsewhere = {
  forms: 'shouldUnregister',
  schemas: '_zod',
  toasts: 'Toastify',
  queries: 'gcTime',
  payment: 'confirmCardPayment',
  cart: 'mergeFailure',
  'calls for those who are signed in': '/create-payment-intent',
  'routes of the dashboard': '/edit-page/:id',
}

test('the build contains each text that identifies code of other pages', () => {
  const assets = new URL('../../build/client/assets/', import.meta.url)
  const scripts = readdirSync(assets).filter((name) => name.endsWith('.js'))
  const code = scripts.map((name) => readFileSync(new URL(name, assets), 'utf8')).join()
  expect(Object.entries(elsewhere).filter(([, word]) => !code.includes(word))).toEqual([])
})

async function toPath(page: Page, name: PageName): Promise<string> {
  const order = `/order/${'0'.repeat(24)}`
  if (name !== 'product')
    return { home: '/', list: '/products', cart: '/cart', checkout: '/checkout', order }[name]
  const [product] = (await (await page.request.get('/api/products?pageSize=1')).json()) as { _id: string }[]
  return `/product/${product?._id}`
}

for (const [name, { script, stylesheet }] of Object.entries(budgets)) {
  test(`${name} loads at most ${script} KiB of script and ${stylesheet} of CSS${lean.includes(name) ? ', and no code of other pages' : ''}`, async ({
    page,
    expectConsole,
  }) => {
    // The order does not exist.
    if (name === 'order') expectConsole(/status of 401/)
    const requests: Request[] = []
    page.on('requestfinished', (request) => requests.push(request))
    await page.goto(await toPath(page, name as PageName), { waitUntil: 'networkidle' })
    const weigh = async (type: string) => {
      const ofType = requests.filter((request) => request.resourceType() === type)
      const sizes = await Promise.all(ofType.map((request) => request.sizes()))
      return sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0) / 1024
    }
    expect(await weigh('script')).toBeLessThanOrEqual(script)
    expect(await weigh('stylesheet')).toBeLessThanOrEqual(stylesheet)
    expect(await weigh('stylesheet')).toBeGreaterThan(0)

    const scripts = requests.filter((request) => request.resourceType() === 'script')
    const texts = await Promise.all(scripts.map(async (request) => (await request.response())?.text()))
    const code = texts.join()
    expect(code.includes('hydrateRoot')).toBe(true)
    // Guests have nothing that only a schema can check before they type.
    expect(code.includes(elsewhere.schemas)).toBe(false)
    if (!lean.includes(name)) return
    expect(Object.entries(elsewhere).filter(([, word]) => code.includes(word))).toEqual([])
  })
}

test('the document requests what is painted before the scripts, and the first pictures before the others', async ({
  request,
}) => {
  const html = await (await request.get('/products')).text()
  const scripts = html.match(/<link rel="modulepreload"[^>]*>/g) ?? []
  expect(scripts.length).toBeGreaterThan(3)
  expect(scripts.filter((link) => !link.includes('fetchpriority="low"'))).toEqual([])
  const places = ['rel="stylesheet"', 'as="font"', 'rel="modulepreload"'].map((part) => html.indexOf(part))
  expect(places).toEqual(places.toSorted((one, other) => one - other))
  expect(html.match(/fetchpriority="high"/gi)).toHaveLength(1)
  const pictures = html.slice(html.indexOf('<article')).match(/<img [^>]*>/g) ?? []
  expect(pictures.at(0)).toMatch(/fetchpriority="high"/i)
  expect(pictures.at(0)).toContain('loading="eager"')
  expect(pictures.at(-1)).toContain('loading="lazy"')
})

for (const width of [360, 1280]) {
  test(`late fonts cause no layout shift at ${width} pixels`, async ({ page, expectConsole }) => {
    // The order does not exist.
    expectConsole(/status of 401/)
    await page.setViewportSize({ width, height: 800 })
    await watchShifts(page)
    // As narrow as Arial and Roboto are for some titles, for machines without them.
    await page.addInitScript(() => {
      const narrow = { sizeAdjust: '61%', ascentOverride: '164%', descentOverride: '33%' }
      document.fonts.add(new FontFace('Condensed Arial', 'local("DejaVu Sans Bold")', narrow))
    })
    for (const name of Object.keys(budgets) as PageName[]) {
      const fonts = await holdFonts(page)
      await page.goto(await toPath(page, name), { waitUntil: 'commit' })
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      fonts.release()
      await page.evaluate(() => document.fonts.ready)
      await page.waitForLoadState('load')
      await started(page)
      expect({ name, shift: await layoutShift(page) }).toEqual({ name, shift: 0 })
      expect(await page.evaluate(() => document.fonts.check('700 20px "Barlow Condensed"'))).toBe(true)
    }
  })
}

test('the cart icon does not move when the rest of the header arrives', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 800 })
  await page.goto('/')
  await started(page)
  const cart = page.getByRole('link', { name: 'Cart' })
  const whole = await cart.boundingBox()
  await page.getByRole('button', { name: 'Account' }).evaluate((button) => button.remove())
  expect(await cart.boundingBox()).toEqual(whole)
})

test('the current bike shifts neither a list nor a product with long notes, which a button shows', async ({
  page,
  admin,
}) => {
  const years = { make: 'yamaha', model: 'yzf-r6', yearFrom: 2009, yearTo: 2009 }
  const positions = ['front left', 'front right', 'rear left', 'rear right', 'centre']
  const note = 'only with the long brake hose of the race kit, '.repeat(7).slice(0, 300)
  const { _id, name } = await addFitted(admin, 'Long notes', {
    fitments: positions.map((position) => ({ ...years, position, note })),
  })
  const short = await addFitted(admin, 'Short note', {
    fitments: [{ ...years, note: note.slice(0, 150).trim() }],
  })
  const unknown = await addFitted(admin, 'Unknown fit', {
    fitments: [{ ...years, make: 'hayashi', model: 'k6' }],
  })
  await watchShifts(page)
  await page.goto('/bikes/yamaha/yzf-r6/2009')
  const href = await page.getByRole('link', { name: 'View all' }).getAttribute('href')
  await page.evaluate((text) => {
    const id = Number(text?.split('=')[1])
    const bikes = [{ id, name: '2009 Yamaha YZF-R6' }]
    localStorage.setItem('garage', JSON.stringify({ bikes, current: id }))
  }, href)
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    // The list opens the one for the bike, unless the words are only words.
    for (const [more, text] of [
      [{}, 'Parts that fit the 2009 Yamaha YZF-R6.'],
      [{ plain: 'true' }, 'Show only parts that fit your 2009 Yamaha YZF-R6'],
    ] as const) {
      await page.goto(`/products?${new URLSearchParams({ kind: fittedKind, ...more })}`)
      await expect(page.getByText(text)).toBeVisible()
      await expect(page.getByRole('article', { name }).getByText('Fits', { exact: true })).toBeVisible()
      expect(await layoutShift(page)).toBe(0)
    }

    await page.goto(`/product/${_id}`)
    const badge = page.getByRole('status').filter({ hasText: 'Fits your 2009 Yamaha YZF-R6' })
    const height = async () => (await badge.boundingBox())?.height
    await expect(badge).toContainText('Centre · Note: only with the long brake hose')
    expect(await layoutShift(page)).toBe(0)
    const reserved = await height()
    await badge.getByRole('button', { name: 'Show all' }).click()
    expect(await height()).toBeGreaterThan(400)
    await badge.getByRole('button', { name: 'Show less' }).click()
    expect(await height()).toBe(reserved)

    await page.goto(`/product/${unknown._id}`)
    await expect(page.getByRole('status').getByRole('link', { name: 'Its bikes' })).toBeVisible()
    expect(await layoutShift(page)).toBe(0)
  }

  // A note that is long only on a phone.
  await page.goto(`/product/${short._id}`)
  await expect(page.getByRole('status').getByText('Note: only with the long brake')).toBeVisible()
  const button = page.getByRole('button', { name: 'Show all' })
  for (const [width, count] of [
    [1280, 0],
    [360, 1],
    [1280, 0],
  ] as const) {
    await page.setViewportSize({ width, height: 800 })
    await expect(button).toHaveCount(count)
  }
})

test('short pages of the dashboard cause no layout shift', async ({ page, shop, expectConsole }) => {
  // The product does not exist.
  expectConsole(/status of 404/)
  await signInAsAdmin(page, shop)
  await watchShifts(page)
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    for (const [path, text] of [
      ['refunds', 'No refunds'],
      ['update-product/none', 'Product not found'],
    ]) {
      await page.goto(`/dashboard/${path}`)
      await expect(page.getByRole('heading', { name: text })).toBeVisible()
      expect({ path, shift: await layoutShift(page) }).toEqual({ path, shift: 0 })
    }
  }
})

async function holdFonts(page: Page) {
  const held = Promise.withResolvers<void>()
  await page.unrouteAll()
  await page.route('**/*.woff2', async (route) => {
    await held.promise
    await route.continue()
  })
  return { release: held.resolve }
}
