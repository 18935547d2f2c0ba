import type { Page } from '@playwright/test'
import { expectAccessible, expectNoViolations } from './axe.ts'
import { hold } from './specification-steps.ts'
import { isUncovered, started } from './steps.ts'
import { expect, test } from './test.ts'

interface Listed {
  _id: string
  name: string
  kind?: string
  sku?: string
  quantity: number
  minimum: number
}

const listed = async (page: Page, query = ''): Promise<Listed[]> =>
  (await page.request.get(`/api/products${query}`)).json()
const titles = (page: Page) => page.getByRole('article').getByRole('heading')
const note = (page: Page) => page.getByRole('main').getByRole('status')
const box = (page: Page) => page.getByRole('searchbox', { name: 'Search products' })
const filter = (page: Page, name: string | RegExp) =>
  page.getByRole('complementary', { name: 'Filters' }).getByRole('link', { name })

async function expectUrl(page: Page, query: Record<string, string>): Promise<void> {
  await expect.poll(() => Object.fromEntries(new URL(page.url()).searchParams)).toEqual(query)
}

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('search, filters and order of the products work', async ({ page }) => {
    await page.goto('/products')
    await filter(page, /^Local/).click()
    await expectUrl(page, { category: 'Local' })
    await box(page).fill('oil')
    await page.getByRole('combobox', { name: 'Sort by' }).selectOption('Price, lowest first')
    await page.getByRole('button', { name: 'Search' }).click()
    await expectUrl(page, { category: 'Local', q: 'oil', sort: 'price' })
    const products = await listed(page, '?q=oil&category=Local&sort=price')
    await expect(titles(page)).toHaveText(products.map(({ name }) => name))
    await titles(page).first().getByRole('link').click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(products[0]?.name ?? '')

    await page.setViewportSize({ width: 360, height: 800 })
    await page.goto('/products')
    await expect(filter(page, /^Local/)).toBeHidden()
    await page.getByRole('button', { name: 'Filters' }).click()
    await filter(page, /^Local/).click()
    await expectUrl(page, { category: 'Local' })
  })
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 800 } })

  test('the filters are a sheet that opens, filters and closes', async ({ page }) => {
    await page.goto('/products')
    await started(page)
    const sheet = page.getByRole('complementary', { name: 'Filters' })
    await expect(sheet).toBeHidden()
    await page.getByRole('button', { name: 'Filters' }).click()
    await expect(sheet).toBeVisible()
    await expectNoViolations(page, 'the sheet of filters')
    await filter(page, /^Boots/).click()
    await expectUrl(page, { kind: 'Boots' })
    await sheet.getByRole('button', { name: /^Show \d+ products$/ }).click()
    await expect(sheet).toBeHidden()
    await expect(page.getByRole('button', { name: 'Filters (1)' })).toBeVisible()
    await page.getByRole('button', { name: 'Filters (1)' }).click()
    await page.keyboard.press('Escape')
    await expect(sheet).toBeHidden()
  })
})

test('a visitor searches the products', async ({ page }) => {
  await test.step('the list and the URL follow the typed text, and back returns to the earlier list', async () => {
    await page.goto('/products')
    await started(page)
    await box(page).pressSequentially('helmet')
    await expectUrl(page, { q: 'helmet' })
    await expect(note(page)).toHaveText(/^\d+ results for “helmet”$/)
    for (const title of await titles(page).allInnerTexts()) expect(title).toMatch(/helmet/i)
    await expect(box(page)).toBeFocused()
    await box(page).pressSequentially(' carbon')
    await expectUrl(page, { q: 'helmet carbon' })
    await expect(titles(page)).toHaveText([/Carbon full-face helmet/])
    await page.goBack()
    await expectUrl(page, {})
    await expect(note(page)).toHaveText(/^[\d,]+ products$/)
    await expect(box(page)).toHaveValue('')
    await page.goForward()
    await expectUrl(page, { q: 'helmet carbon' })
    await expect(titles(page)).toHaveCount(1)
    await expect(box(page)).toHaveValue('helmet carbon')
  })
  await test.step('a misspelled word is corrected, and the page says so', async () => {
    await page.goto('/products?q=braek+pasd')
    await started(page)
    await expect(note(page)).toHaveText(
      /^No results for “braek pasd”\. Showing \d+ results for “brake pads”\.$/,
    )
    for (const title of await titles(page).allInnerTexts()) expect(title).toMatch(/brake pads/i)
  })
  await test.step('the field in the header suggests pages while a rider types', async () => {
    await page.setViewportSize({ width: 360, height: 740 })
    await page.getByRole('button', { name: 'Find parts or a bike' }).click()
    const find = page.getByRole('combobox', { name: 'Find parts, a bike or a number' })
    await expect(find).toBeFocused()
    await find.pressSequentially('brak')
    await expect(page.getByRole('option', { name: /^Brake pads Kind of part/ })).toBeVisible()
    await expectAccessible(page, 'the suggestions')
    await page.setViewportSize({ width: 1280, height: 800 })
    const suggestions = page.getByRole('listbox', { name: 'Suggestions' })
    const selected = suggestions.getByRole('option', { selected: true })
    const answer = Promise.withResolvers<void>()
    await page.route('**/api/v1/suggestions?*', async (route) => {
      await answer.promise
      const suggestion = { type: 'kind', name: 'Brake levers', path: '/products?kind=Brake+levers' }
      await route.fulfill({ json: { suggestions: [suggestion] } })
    })
    await find.press('e')
    // The choice is from the previous list.
    await find.press('ArrowDown')
    await expect(selected).toHaveCount(1)
    answer.resolve()
    await expect(suggestions.getByRole('option')).toHaveText(['Brake leversKind of part'])
    await expect(selected).toHaveCount(0)
    await page.unroute('**/api/v1/suggestions?*')
    await find.press('ArrowDown')
    await expect(selected).toHaveCount(1)
    await find.press('Enter')
    await expect(page).toHaveURL(/\/products\?kind=/)
    await find.fill('brake')
    await suggestions
      .getByRole('option', { name: /Kind of part$/ })
      .last()
      .click()
    await expect(suggestions).toBeHidden()
    await find.fill('yamaha brake pads')
    await find.press('Enter')
    await expect(page.getByRole('main')).toContainText('Which Yamaha?')
    await expect(titles(page).first()).toContainText('brake pads')
    await hold(page, '**/api/v1/suggestions?*')
    const cancelled = page.waitForEvent('requestfailed', (request) => request.url().includes('/suggestions'))
    const asked = page.waitForRequest('**/api/v1/suggestions?*')
    await find.fill('chain')
    await asked
    await find.press('Enter')
    // Its answer would open the list over the results.
    await cancelled
    await expectUrl(page, { q: 'chain' })
    await page.unroute('**/api/v1/suggestions?*')
    await page.setViewportSize({ width: 360, height: 740 })
    await page.getByRole('button', { name: 'Find parts or a bike' }).click()
    await find.fill('sport tyre')
    await find.press('Enter')
    await expect(titles(page).first()).toContainText('sport tyre')
    await expect(find).toBeHidden()
    // 400 % zoom. A new document has no earlier list, which the next one would replace with its choice.
    await page.setViewportSize({ width: 320, height: 256 })
    await page.reload()
    await started(page)
    await page.getByRole('button', { name: 'Find parts or a bike' }).click()
    await find.fill('brake')
    await expect(suggestions.getByRole('option')).toHaveCount(8)
    for (const option of await suggestions.getByRole('option').all()) {
      await find.press('ArrowDown')
      await expect(option).toHaveAttribute('aria-selected', 'true')
      await expect.poll(() => isUncovered(option)).toBe(true)
    }
    await page.setViewportSize({ width: 1280, height: 800 })
  })
  await test.step('the field in the header has no words of an earlier page, except those typed since', async () => {
    await page.goto('/')
    await started(page)
    const find = page.getByRole('banner').getByRole('combobox', { name: 'Find parts, a bike or a number' })
    await find.fill('gloves')
    // The code of the suggestions also clears the field.
    await expect(page.getByRole('option').first()).toBeVisible()
    await find.press('Enter')
    await expectUrl(page, { q: 'gloves' })
    await expect(box(page)).toHaveValue('gloves')
    await expect(find).toHaveValue('')
    const release = await hold(page, '**/products.data?*')
    await find.fill('boots')
    const asked = page.waitForRequest('**/products.data?*')
    await find.press('Enter')
    await asked
    await find.fill('boots size')
    release()
    await expect(box(page)).toHaveValue('boots')
    await expect(find).toHaveValue('boots size')
    await box(page).fill('helmet')
    await expectUrl(page, { q: 'helmet' })
    await expect(note(page)).toContainText('“helmet”')
    await expect(find).toHaveValue('')
  })
  await test.step('the field of the home page finds a bike, and the kinds below it are links to their lists', async () => {
    const release = await hold(page, '**/*.js')
    await page.goto('/', { waitUntil: 'commit' })
    const find = page.getByRole('main').getByRole('combobox', { name: 'Find parts, a bike or a number' })
    // Before the scripts are loaded.
    await find.pressSequentially('2009 r6')
    release()
    await expect(page.getByRole('option', { name: /^2009 Yamaha YZF-R6 Bike/ })).toBeVisible()
    await find.fill('yamha')
    await expect(page.getByRole('option', { name: 'Yamaha Make' })).toBeVisible()
    await find.fill('2009 r6 brake pads')
    await page.getByRole('option', { name: 'Brake pads for the 2009 Yamaha YZF-R6 Parts' }).click()
    await expect(page.getByRole('main')).toContainText('Parts that fit the 2009 Yamaha YZF-R6')
    await page.goto('/')
    await find.fill('2009 r6')
    await find.press('Enter')
    await expect(page.getByRole('main')).toContainText('Parts that fit the 2009 Yamaha YZF-R6')
    await page.goto('/')
    await find.fill('brake')
    const options = page.getByRole('main').getByRole('listbox').getByRole('option')
    await expect(options).toHaveCount(8)
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 1600 })
      for (const option of await options.all()) await expect.poll(() => isUncovered(option)).toBe(true)
    }
    await find.press('Escape')
    const kinds = page.getByRole('navigation', { name: 'Kinds of parts' }).getByRole('link')
    await expect(kinds).toHaveCount(8)
    const kind = await kinds.first().innerText()
    await kinds.first().click()
    await expectUrl(page, { kind })
  })
  await test.step('a part number finds its product in any spelling', async () => {
    const [product] = await listed(page)
    for (const q of [product?.sku, product?.sku?.toLowerCase().replaceAll('-', ' ')]) {
      await page.goto(`/products?q=${encodeURIComponent(q ?? '')}`)
      await expect(titles(page).first()).toHaveText(product?.name ?? '')
    }
  })
  await test.step('a search without results links to all products', async () => {
    await page.goto('/products?q=zzzzqqqq')
    await expect(page.getByRole('heading', { name: 'No products found' })).toBeVisible()
    await page.getByRole('link', { name: 'Show all products' }).click()
    await expectUrl(page, {})
    await expect(titles(page)).toHaveCount(24)
  })
  await test.step('a URL with invalid parameters shows the list', async () => {
    for (const query of ['?price=7&sort=up&category=Mars&page=x', '?q=%20&kind=&utm_source=x', '?page=-1']) {
      await page.goto(`/products${query}`)
      await expect(titles(page)).toHaveCount(24)
    }
    await page.goto(`/products?q=${'x'.repeat(600)}`)
    await expect(page.getByRole('heading', { name: 'No products found' })).toBeVisible()
  })
})

test('a visitor filters and sorts the products', async ({ page }) => {
  await test.step('filters show their counts, combine, and can be removed one by one', async () => {
    await page.goto('/products')
    const kind = filter(page, /^Gloves \d+$/)
    const count = Number((await kind.innerText()).match(/\d+$/)?.[0])
    await kind.click()
    await expectUrl(page, { kind: 'Gloves' })
    await expect(note(page)).toHaveText(`${count} products`)
    await expect(titles(page)).toHaveCount(count)
    await expect(kind).toHaveAttribute('aria-current', 'true')

    const boots = filter(page, /^Boots \d+$/)
    const more = Number((await boots.innerText()).match(/\d+$/)?.[0])
    await boots.click()
    await expect(page).toHaveURL(/[?]kind=Boots&kind=Gloves$/)
    await expect(note(page)).toHaveText(`${count + more} products`)

    // The next choice does not wait for the list of the previous one, and keeps it.
    const release = await hold(page, '**/products.data?*')
    await boots.click()
    await expect(boots).not.toHaveAttribute('aria-current')
    await filter(page, /^\$25 to \$50/).click()
    await expectUrl(page, { kind: 'Gloves', price: '25-50' })
    release()
    const chips = page.getByRole('list', { name: 'Active filters' })
    await expect(chips.getByRole('link')).toHaveText(['Gloves', '$25 to $50', 'Clear all'])
    const products = await listed(page, '?kind=Gloves&price=25-50')
    await expect(titles(page)).toHaveText(products.map(({ name }) => name))

    await chips.getByRole('link', { name: 'Remove Price: $25 to $50' }).press('Enter')
    await expect(page.locator('#main')).toBeFocused()
    await expectUrl(page, { kind: 'Gloves' })
    await expect(chips.getByRole('link')).toHaveText(['Gloves', 'Clear all'])
    await expect(titles(page)).toHaveCount(count)
    await kind.click()
    await expectUrl(page, {})
    await expect(chips).toHaveCount(0)
    await filter(page, /^In stock/).click()
    await page.getByRole('list', { name: 'Active filters' }).getByRole('link', { name: 'Clear all' }).click()
    await expectUrl(page, {})
    await expect(page.getByRole('list', { name: 'Active filters' })).toHaveCount(0)
  })
  await test.step('the URL keeps the order on every page of the list', async () => {
    const order = page.getByRole('combobox', { name: 'Sort by' })
    await page.goto('/products')
    await started(page)
    await order.selectOption('Price, highest first')
    await expectUrl(page, { sort: '-price' })
    // The keyboard goes from order to order.
    await order.focus()
    await page.keyboard.press('ArrowUp')
    const [cheapest] = await listed(page, '?sort=price')
    await expect(titles(page).first()).toHaveText(cheapest?.name ?? '')
    await page.keyboard.press('ArrowDown')
    const products = await listed(page, '?sort=-price')
    await expect(titles(page)).toHaveText(products.slice(0, 24).map(({ name }) => name))
    await page.getByRole('link', { name: 'Page 2' }).click()
    await expectUrl(page, { sort: '-price', page: '2' })
    await expect(titles(page).first()).toHaveText(products[24]?.name ?? '')
    await page.reload()
    await expect(titles(page).first()).toHaveText(products[24]?.name ?? '')
    await page.goBack()
    await expect(titles(page).first()).toHaveText(products[0]?.name ?? '')
    await page.goBack()
    await expect(order).toHaveValue('price')
  })
  await test.step('words and an order from before the scripts are loaded are searched', async () => {
    const release = await hold(page, '**/*.js')
    await page.goto('/products', { waitUntil: 'commit' })
    await box(page).fill('oil')
    await page.getByRole('combobox', { name: 'Sort by' }).selectOption('Price, lowest first')
    release()
    await expectUrl(page, { q: 'oil', sort: 'price' })
    await expect(box(page)).toHaveValue('oil')
    // The form does not offer this order.
    await page.goto('/products?sort=quantity')
    await started(page)
    await expectUrl(page, { sort: 'quantity' })
  })
  await test.step('a word begun before the scripts are loaded is searched when it is long enough', async () => {
    const searches: (string | null)[] = []
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url())
      if (pathname === '/products.data') searches.push(searchParams.get('q'))
    })
    const release = await hold(page, '**/*.js')
    await page.goto('/products', { waitUntil: 'commit' })
    await box(page).fill('br')
    await box(page).blur()
    release()
    await started(page)
    await box(page).press('End')
    await box(page).pressSequentially('ake')
    await expectUrl(page, { q: 'brake' })
    await expect(box(page)).toHaveValue('brake')
    expect(searches).not.toContain('br')
  })
})

test('axe finds no violations and no horizontal scrolling in lists and products at 360 and 1280 pixels', async ({
  page,
  expectConsole,
}) => {
  expectConsole(/status of (404|410)/)
  const [product] = await listed(page)
  const paths = [
    '/products?q=helmet&inStock=true&price=100-250',
    '/products?q=braek',
    '/products?q=zzzzqqqq&kind=Oils',
    `/product/${product?._id}`,
    '/product/none',
  ]
  for (const path of paths) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expectAccessible(page, path)
  }
})

test('a product has a page of its own', async ({ page }) => {
  await test.step('the page has part number, stock, related products and a link to the purchase', async () => {
    const product = (await listed(page)).find(({ kind }) => kind === 'Brake pads')
    if (!product) throw new Error('the demo shop has no brake pads')
    await page.goto('/products?kind=Brake+pads')
    await page.getByRole('link', { name: product.name, exact: true }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(product.name)
    await expect(page).toHaveURL(/\/product\/[0-9a-f]{24}\/[a-z0-9-]+$/)
    await expect(page).toHaveTitle(`${product.name} · Torque Yard`)
    const main = page.getByRole('main')
    await expect(main.getByText(product.sku ?? '', { exact: true })).toBeVisible()
    await expect(main.getByText(`${product.quantity} pcs`, { exact: true })).toBeVisible()
    const kin = page.getByRole('region', { name: 'More brake pads' }).getByRole('article')
    const others = (await listed(page, '?kind=Brake+pads')).filter(({ _id }) => _id !== product._id)
    await expect(kin.getByRole('heading')).toHaveText(others.slice(0, 4).map(({ name }) => name))
    await main.getByRole('link', { name: 'Buy Now' }).first().click()
    await expect(page).toHaveURL(/\/login$/)
    await page.goBack()
    await page
      .getByRole('navigation', { name: 'Breadcrumb' })
      .getByRole('link', { name: 'Brake pads' })
      .click()
    await expectUrl(page, { kind: 'Brake pads' })
  })
  await test.step('a quantity from before the scripts are loaded stays', async () => {
    const product = (await listed(page)).find(({ quantity, minimum }) => quantity > minimum)
    const typed = `${(product?.minimum ?? 0) + 1}`
    const release = await hold(page, '**/*.js')
    await page.goto(`/product/${product?._id}`, { waitUntil: 'commit' })
    const main = page.getByRole('main')
    await main.getByLabel('Quantity', { exact: true }).fill(typed)
    release()
    await started(page)
    await expect(main.getByRole('link', { name: 'Buy Now' }).first()).toHaveAttribute(
      'href',
      new RegExp(`[?&]quantity=${typed}$`),
    )
    await expect(main.getByLabel('Quantity', { exact: true })).toHaveValue(typed)
  })
  await test.step('a product that is out of stock cannot be bought', async () => {
    const product = (await listed(page)).find(({ quantity }) => quantity === 0)
    await page.goto(`/product/${product?._id}`)
    await expect(page.getByText('Out of stock', { exact: true })).toHaveCount(1)
    await expect(page.getByText('0 pcs')).toHaveCount(0)
    const own = page.locator('main .grid').first()
    await expect(own.getByRole('link', { name: 'Buy Now' })).toHaveCount(0)
  })
})
