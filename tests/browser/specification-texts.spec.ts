import type { Page } from '@playwright/test'
import type { Product } from '../../contract/catalog.ts'
import type { Review } from '../../contract/reviews.ts'
import { callAs } from './specification-steps.ts'
import { enterAsNewRider, signIn } from './steps.ts'
import { expect, test } from './test.ts'

/** Other tests leave products in this shop, one of them with a picture that leads nowhere. */
const missingPicture = /status of 404 .*\/pictures\//

const columns = (page: Page, list: string) =>
  page
    .locator('main ul')
    .filter({ has: page.locator(list) })
    .first()
    .evaluate((grid) => getComputedStyle(grid).gridTemplateColumns.split(' ').length)

test('home: the hero, the first 4 products, the first 3 reviews, and the figures', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/motorcycle\s+parts/i)
  await expect(page.getByRole('link', { name: 'Read More', exact: true })).toBeVisible()

  const products = await callAs<Product[]>(page, 'GET', '/products')
  const names = products.slice(0, 4).map(({ name }) => name)
  await expect(page.getByRole('article').getByRole('heading')).toHaveText(names)

  const reviews = await callAs<Review[]>(page, 'GET', '/reviews')
  const said = reviews.slice(0, 3).map(({ review }) => review)
  await expect(page.locator('figure blockquote')).toHaveText(said)
  await page.getByRole('link', { name: 'See All', exact: true }).click()
  await expect(page).toHaveURL(/\/reviews$/)

  await page.goto('/')
  const figures = page.getByRole('region', { name: 'Shop statistics' })
  await expect(figures.getByRole('term')).toHaveText([
    'Visitors',
    'New Users',
    'Total Products',
    'Successful Orders',
  ])
})

test('every page has the navbar and the footer, whose links lead nowhere', async ({
  page,
  expectConsole,
}) => {
  expectConsole(/status of 404/)
  const paths = ['/', '/products', '/reviews', '/contact-us', '/blogs', '/login', '/signup', '/no-such-page']
  for (const path of paths) {
    await page.goto(path)
    const bar = page.getByRole('banner')
    for (const name of ['Dashboard', 'Reviews', 'Blogs', 'Contact Us']) {
      await expect(bar.getByRole('link', { name, exact: true }), path).toBeVisible()
    }
    await expect(bar.getByRole('link', { name: 'Torque Yard' })).toHaveAttribute('href', '/')
    const footer = page.getByRole('contentinfo')
    await expect(footer.getByRole('heading'), path).toHaveText(['Services', 'Company', 'Legal'])
  }
  const footer = page.getByRole('contentinfo')
  await expect(footer.getByText(/^Torque Yard\. Motorcycle parts and gear/)).toBeVisible()
  // The brand alone leads somewhere.
  await expect(footer.locator('a[href]')).toHaveCount(1)
  const links = await footer.getByRole('link', { disabled: true }).all()
  expect(links.length).toBeGreaterThanOrEqual(9)
})

test('the navbar leads to its pages', async ({ page }) => {
  await page.goto('/')
  const bar = page.getByRole('banner')
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
  await expect(page).toHaveURL(/:\d+\/$/)
})

test('products: every product once, in pages, 4 side by side', async ({ page, expectConsole }) => {
  expectConsole(missingPicture)
  await page.goto('/products')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Products')
  expect(await columns(page, 'article')).toBe(4)
  const products = await callAs<Product[]>(page, 'GET', '/products')
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

test('a product card: picture, category or CATEGORY, minimum order, name and price', async ({
  page,
  shop,
  expectConsole,
}) => {
  expectConsole(missingPicture)
  await page.goto('/products')
  const [product] = await callAs<Product[]>(page, 'GET', '/products')
  if (!product) throw new Error('the shop is empty')
  const card = page.getByRole('article').filter({ hasText: product.name }).first()
  await expect(card.getByText(product.category ?? '', { exact: true })).toBeVisible()
  await expect(card.getByText(`$${product.price}`, { exact: true })).toBeVisible()
  await expect(card.getByText(new RegExp(`min.*order.* ${product.minimum}\\b`, 'i'))).toBeVisible()
  await expect(card.locator('img')).toHaveAttribute('src', product.image)
  await expect(card.getByRole('link', { name: /Buy Now/ })).toHaveAttribute(
    'href',
    `/purchase/${product._id}`,
  )

  await signIn(page, 'admin@example.com', shop.password)
  const added = {
    name: 'Rag',
    price: 3,
    quantity: 9,
    minimum: 2,
    description: 'Cotton.',
    image: product.image,
  }
  const { insertedId: id } = await callAs<{ insertedId: string }>(page, 'POST', '/add-product', added)
  const all = await callAs<Product[]>(page, 'GET', '/products')
  await page.goto(`/products?page=${Math.ceil(all.length / 24)}`)
  const rag = page
    .getByRole('article')
    .filter({ has: page.getByRole('heading', { name: 'Rag', exact: true }) })
  await expect(rag.getByText('CATEGORY', { exact: true })).toBeVisible()
  await expect(rag.getByRole('link', { name: /Update/ })).toHaveAttribute(
    'href',
    `/dashboard/update-product/${id}`,
  )
  await callAs(page, 'DELETE', `/delete-product?id=${id}`)
})

test('reviews: the heading, and a card for each, 3 side by side', async ({ page }) => {
  await page.goto('/reviews')
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

test('blogs: three posts with CATEGORY, a date and Learn More, which leads nowhere', async ({ page }) => {
  await page.goto('/blogs')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Blogs')
  const posts = page.locator('main').getByRole('article')
  await expect(posts).toHaveCount(3)
  for (const post of await posts.all()) {
    await expect(post.getByText('CATEGORY', { exact: true })).toBeVisible()
    await expect(post.getByText(/^\d{1,2} \w+ \d{4}$/)).toBeVisible()
    await expect(post.getByText('Learn More')).toBeVisible()
  }
  await expect(page.locator('main a[href]')).toHaveCount(0)
})

test('contact us: a map, filler text, and a Feedback card with Email, Message and Submit', async ({
  page,
}) => {
  await page.goto('/contact-us')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Contact Us')
  await expect(page.getByTitle("Map of the shop's location")).toBeVisible()
  const card = page.getByRole('region', { name: 'Feedback' })
  await expect(card.getByRole('heading', { name: 'Feedback' })).toBeVisible()
  await expect(card.getByText(/^Tell us what fits/)).toBeVisible()
  await expect(card.getByRole('textbox', { name: 'Email', exact: true })).toBeVisible()
  await expect(card.getByRole('textbox', { name: 'Message', exact: true })).toBeVisible()
  await expect(card.getByRole('button', { name: 'Submit', exact: true })).toBeEnabled()
})

test('purchase: the product and the order form', async ({ page }) => {
  await enterAsNewRider(page)
  const products = await callAs<Product[]>(page, 'GET', '/products')
  const product = products.find(({ quantity, minimum }) => minimum > 1 && quantity > minimum)
  if (!product) throw new Error('no product has a minimum')
  await page.goto(`/purchase/${product._id}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(product.name)
  await expect(page.getByRole('img', { name: product.name })).toHaveAttribute('src', product.image)
  await expect(page.getByText('4 Reviews', { exact: true })).toBeVisible()
  await expect(page.getByText('4 Reviews').locator('svg')).toHaveCount(0)
  await expect(page.getByText(`$${product.price}`, { exact: true }).first()).toBeVisible()
  await expect(page.getByText(product.description.split('\n')[0] ?? '').first()).toBeVisible()
  const detail = (name: string) => page.locator('dl > div').filter({ hasText: name }).getByRole('definition')
  await expect(detail('Minimum order')).toHaveText(`${product.minimum} pcs`)
  await expect(detail('In stock')).toHaveText(`${product.quantity} pcs`)

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
  await expect(page.locator('output')).toHaveText(`$${(quantity * product.price).toLocaleString('en-US')}`)
})
