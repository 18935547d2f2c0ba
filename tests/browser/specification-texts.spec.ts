import type { Page } from '@playwright/test'
import type { Product } from '../../contract/catalog.ts'
import { formatDollars } from '../../contract/money.ts'
import { formatPieces } from '../../contract/pieces.ts'
import type { Review } from '../../contract/reviews.ts'
import { addProduct, deleteProduct, editProduct, signInAsAdmin } from './admin-steps.ts'
import { callAs } from './specification-steps.ts'
import { enterAsNewRider, serveMap } from './steps.ts'
import { expect, test } from './test.ts'

/** Other tests leave products in this shop, one of them with a missing picture. */
const missingPicture = /status of 404 .*\/pictures\//

const columns = (page: Page, list: string) =>
  page
    .locator('main ul')
    .filter({ has: page.locator(list) })
    .first()
    .evaluate((grid) => getComputedStyle(grid).gridTemplateColumns.split(' ').length)

test('the public pages show what the specification requires', async ({ page, shop, expectConsole }) => {
  expectConsole(/status of 404/)
  await serveMap(page)

  await test.step('every page has the navbar and the footer, whose links have no target', async () => {
    for (const path of ['/login', '/signup', '/products', '/no-such-page', '/']) {
      await page.goto(path)
      await expectFrame(page, path)
    }
    const footer = page.getByRole('contentinfo')
    await expect(footer.getByText(/^Torque Yard\. Motorcycle parts and gear/)).toBeVisible()
    // Only the brand is a link, and the withdrawal that the law asks for.
    await expect(footer.locator('a[href]')).toHaveText(['Torque Yard', 'Withdraw from contract'])
    const links = await footer.getByRole('link', { disabled: true }).all()
    expect(links.length).toBeGreaterThanOrEqual(9)
  })

  await test.step('home has the hero, the first 4 products, the first 3 reviews, and the figures', async () => {
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/motorcycle\s+parts/i)
    await expect(page.getByRole('link', { name: 'Read More', exact: true })).toBeVisible()

    const products = await callAs<Product[]>(page, 'GET', '/products')
    const names = products.slice(0, 4).map(({ name }) => name)
    await expect(page.getByRole('article').getByRole('heading')).toHaveText(names)

    const reviews = await callAs<Review[]>(page, 'GET', '/reviews')
    const texts = reviews.slice(0, 3).map(({ review }) => review)
    await expect(page.locator('figure blockquote')).toHaveText(texts)
    const figures = page.getByRole('region', { name: 'Shop statistics' })
    await expect(figures.getByRole('term')).toHaveText([
      'Visitors',
      'New Users',
      'Total Products',
      'Successful Orders',
    ])
    await page.getByRole('link', { name: 'See All', exact: true }).click()
    await expect(page).toHaveURL(/\/reviews$/)
  })

  await test.step('reviews has the heading and a card for each review, 3 in a row', async () => {
    await expectFrame(page, '/reviews')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Reviews')
    const reviews = await callAs<Review[]>(page, 'GET', '/reviews')
    expect(reviews.length).toBeGreaterThanOrEqual(9)
    await expect(page.locator('figure')).toHaveCount(reviews.length)
    expect(await columns(page, 'figure')).toBe(3)
    const first = page.locator('figure').first()
    for (const part of [reviews[0]?.name, reviews[0]?.designation, reviews[0]?.review]) {
      await expect(first.getByText(part ?? '')).toBeVisible()
    }
    await expect(first.locator('img')).toHaveAttribute('src', /avatar/)
  })

  const bar = page.getByRole('banner')

  await test.step('blogs has three posts with CATEGORY, a date and Learn More, which is not a link', async () => {
    await bar.getByRole('link', { name: 'Blogs', exact: true }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Blogs')
    await expectFrame(page, '/blogs')
    const posts = page.locator('main').getByRole('article')
    await expect(posts).toHaveCount(3)
    for (const post of await posts.all()) {
      await expect(post.getByText('CATEGORY', { exact: true })).toBeVisible()
      await expect(post.getByText(/^\d{1,2} \w+ \d{4}$/)).toBeVisible()
      await expect(post.getByText('Learn More')).toBeVisible()
    }
    await expect(page.locator('main a[href]')).toHaveCount(0)
  })

  await test.step('contact us has a map, filler text, and a Feedback card with Email, Message and Submit', async () => {
    await bar.getByRole('link', { name: 'Contact Us', exact: true }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Contact Us')
    await expectFrame(page, '/contact-us')
    await page.getByRole('button', { name: 'Show the map' }).click()
    await expect(page.getByTitle("Map of the shop's location")).toBeVisible()
    const card = page.getByRole('region', { name: 'Feedback' })
    await expect(card.getByRole('heading', { name: 'Feedback' })).toBeVisible()
    await expect(card.getByText(/^Tell us what fits/)).toBeVisible()
    await expect(card.getByRole('textbox', { name: 'Email', exact: true })).toBeVisible()
    await expect(card.getByRole('textbox', { name: 'Message', exact: true })).toBeVisible()
    await expect(card.getByRole('button', { name: 'Submit', exact: true })).toBeEnabled()
  })

  await test.step('the navbar links to its pages', async () => {
    for (const [name, url] of [
      ['Reviews', /\/reviews$/],
      ['Blogs', /\/blogs$/],
      ['Contact Us', /\/contact-us$/],
      ['Dashboard', /\/login$/],
    ] as const) {
      await bar.getByRole('link', { name, exact: true }).click()
      await expect(page).toHaveURL(url)
    }
    await bar.getByRole('link', { name: 'Torque Yard' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/motorcycle/i)
    await expect(page).toHaveURL(`${shop.origin}/`)
  })
})

async function expectFrame(page: Page, path: string): Promise<void> {
  const bar = page.getByRole('banner')
  for (const name of ['Dashboard', 'Reviews', 'Blogs', 'Contact Us']) {
    await expect(bar.getByRole('link', { name, exact: true }), path).toBeVisible()
  }
  await expect(bar.getByRole('link', { name: 'Torque Yard' })).toHaveAttribute('href', '/')
  await expect(page.getByRole('contentinfo').getByRole('heading'), path).toHaveText([
    'Services',
    'Company',
    'Legal',
  ])
}

test('the product list shows what the specification requires', async ({ page, shop, expectConsole }) => {
  expectConsole(missingPicture)
  await page.goto('/products')
  const products = await callAs<Product[]>(page, 'GET', '/products')
  const [product] = products
  if (!product) throw new Error('the shop is empty')

  await test.step('a product card has picture, category, minimum order, name and price', async () => {
    const card = page.getByRole('article').filter({ hasText: product.name }).first()
    await expect(card.getByText(product.category ?? '', { exact: true })).toBeVisible()
    await expect(card.getByText(formatDollars(product.price), { exact: true })).toBeVisible()
    await expect(card.getByText(new RegExp(`min.*order.* ${product.minimum}\\b`, 'i'))).toBeVisible()
    await expect(card.locator('img')).toHaveAttribute('src', product.image)
    await expect(card.getByRole('link', { name: /Buy Now/ })).toHaveAttribute(
      'href',
      `/purchase/${product._id}`,
    )
  })

  await test.step('products shows every product once, in pages, 4 in a row', async () => {
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Products')
    expect(await columns(page, 'article')).toBe(4)
    const titles = page.getByRole('article').getByRole('heading')
    const shown = await titles.allInnerTexts()
    while (shown.length < products.length) {
      const first = await titles.first().innerText()
      await page.getByRole('link', { name: 'Next' }).click()
      await expect(titles.first()).not.toHaveText(first)
      shown.push(...(await titles.allInnerTexts()))
    }
    expect(shown).toEqual(products.map(({ name }) => name))
    await expect(page.getByRole('link', { name: 'Next' })).toHaveCount(0)
  })

  await test.step('for an admin a product card without a category has CATEGORY, and Update', async () => {
    await signInAsAdmin(page, shop)
    const { _id: id } = await addProduct(page, { name: 'Rag', image: product.image })
    await page.goto(`/products?page=${Math.ceil((products.length + 1) / 24)}`)
    const rag = page
      .getByRole('article')
      .filter({ has: page.getByRole('heading', { name: 'Rag', exact: true }) })
    await expect(rag.getByText('CATEGORY', { exact: true })).toBeVisible()
    await expect(rag.getByRole('link', { name: /Update/ })).toHaveAttribute(
      'href',
      `/dashboard/update-product/${id}`,
    )
    await deleteProduct(page, id)
  })
})

test('purchase has the product and the order form', async ({ page, shop }) => {
  await signInAsAdmin(page, shop)
  const { _id, quantity: _, options, ...added } = await addProduct(page, { name: 'Footpeg rubbers' })
  const product = { ...added, _id, quantity: 20, price: 12.5 }
  await editProduct(page, _id, { ...added, price: product.price })
  expect(options).toBe('standard')
  await enterAsNewRider(page)
  await page.goto(`/purchase/${product._id}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(product.name)
  await expect(page.getByRole('img', { name: product.name })).toHaveAttribute('src', product.image)
  await expect(page.getByText('4 Reviews', { exact: true })).toBeVisible()
  await expect(page.getByText('4 Reviews').locator('svg')).toHaveCount(0)
  await expect(page.getByText(`$${product.price.toFixed(2)}`, { exact: true })).toBeVisible()
  await expect(page.getByText(product.description.split('\n')[0] ?? '').first()).toBeVisible()
  const detail = (name: string) => page.locator('dl > div').filter({ hasText: name }).getByRole('definition')
  await expect(detail('Minimum order')).toHaveText(formatPieces(product.minimum))
  await expect(detail('In stock')).toHaveText(formatPieces(product.quantity))

  await expect(page.getByRole('group', { name: 'Size' }).getByRole('radio')).toHaveCount(4)
  for (const size of ['SM', 'M', 'L', 'XL']) {
    await expect(page.getByRole('radio', { name: size, exact: true })).toBeAttached()
  }
  expect(await page.getByRole('group', { name: 'Colour' }).getByRole('radio').count()).toBeGreaterThan(1)
  for (const label of ['Quantity', 'Name', 'Phone', 'Address']) {
    await expect(page.getByLabel(label, { exact: true })).toBeVisible()
  }
  await expect(page.getByRole('button', { name: 'Place Order', exact: true })).toBeEnabled()
  // The total follows the quantity.
  const quantity = product.minimum + 1
  await page.getByLabel('Quantity', { exact: true }).fill(String(quantity))
  await expect(page.locator('output')).toHaveText(`$${(quantity * product.price).toFixed(2)}`)
})
