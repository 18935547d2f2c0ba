import { randomUUID } from 'node:crypto'
import { type Cookie, expect, type Locator, type Page } from '@playwright/test'
import type { NewProduct, Product } from '../../contract/catalog.ts'
import type { EditedVariants } from '../../contract/variants.ts'
import type { RunningShop } from './running-shop.ts'
import { callAs } from './specification-steps.ts'
import { enter, enterBySession } from './steps.ts'

export const adminEmail = 'admin@example.com'
const sessions = new WeakMap<RunningShop, Cookie[]>()

/**
 * Signs in as the demo admin. All tests of a worker share one session, because each login hashes the password. A test
 * that ends the session must `enter` with the password instead.
 */
export async function signInAsAdmin(page: Page, shop: RunningShop): Promise<void> {
  const cookies = sessions.get(shop)
  if (cookies) {
    await page.context().addCookies(cookies)
    return enterBySession(page, adminEmail)
  }
  await enter(page, adminEmail, shop.password)
  sessions.set(shop, await page.context().cookies())
}

/** Adds a product with a unique name, as the signed-in admin. */
export async function addProduct(page: Page, changes: Partial<NewProduct> = {}): Promise<Product> {
  const product: NewProduct = {
    name: `Brake pads ${randomUUID().slice(0, 8)}`,
    price: 40,
    quantity: 20,
    minimum: 2,
    description: 'Sintered, for the front.',
    image: '/pictures/brake-pads.svg',
    ...changes,
  }
  const { insertedId: _id } = await callAs<{ insertedId: string }>(page, 'POST', '/add-product', product)
  return { ...product, _id, options: 'standard' }
}

/** Saves the variants of a product, as the signed-in admin. */
export async function setOptions(page: Page, id: string, data: EditedVariants): Promise<void> {
  const token = await page.evaluate(() => localStorage.getItem('accessToken'))
  const path = `/api/v1/products/${id}/variants`
  const headers = { authorization: `Bearer ${token}` }
  const etag = (await page.request.get(path, { headers })).headers().etag ?? ''
  const reply = await page.request.put(path, { headers: { ...headers, 'if-match': etag }, data })
  expect(reply.status()).toBe(200)
}

/** Adds a product without sizes and colours, as the signed-in admin. */
export async function addPart(page: Page, changes: Partial<NewProduct> = {}): Promise<Product> {
  const product = await addProduct(page, changes)
  await setOptions(page, product._id, { options: 'none', variants: [{ id: product._id, sku: changes.sku }] })
  return { ...product, options: 'none' }
}

/** Adds a product in these sizes with their stock, as the signed-in admin. */
export async function addProductInSizes(
  page: Page,
  sizes: Record<string, number>,
  changes: Partial<NewProduct> = {},
): Promise<Product> {
  const { _id } = await addProduct(page, { quantity: 0, minimum: 1, ...changes })
  await setOptions(page, _id, { options: 'variants', variants: Object.keys(sizes).map((size) => ({ size })) })
  const product = await callAs<Product>(page, 'GET', `/product/${_id}`)
  for (const { id: variantId, size = '' } of product.variants ?? []) {
    await callAs(page, 'PUT', `/update-product/${_id}`, { quantity: sizes[size], variantId })
  }
  return product
}

interface Fitted {
  fitKind?: string
  complete?: boolean
  fitments?: object[]
}

/** The kind of products that `addFitted` adds. */
export const fittedKind = 'Fitted parts'

/** Adds a product with these fitments, as the signed-in admin. */
export async function addFitted(page: Page, name: string, fitted: Fitted = {}): Promise<Product> {
  const product = await addPart(page, { name: `${name} ${Date.now()}`, minimum: 1, kind: fittedKind })
  const path = `/v1/products/${product._id}/fitments`
  const { revision } = await callAs<{ revision: string }>(page, 'GET', path)
  await callAs(page, 'PUT', path, { fitKind: 'vehicle', complete: false, fitments: [], revision, ...fitted })
  return product
}

/** Replaces the fields of a product except its stock, as another admin does. */
export async function editProduct(page: Page, id: string, body: object): Promise<void> {
  const token = await page.evaluate(() => localStorage.getItem('accessToken'))
  const url = `/api/v1/products/${id}`
  const headers = { authorization: `Bearer ${token}` }
  const etag = (await page.request.get(url, { headers })).headers().etag ?? ''
  const saved = await page.request.put(url, { headers: { ...headers, 'if-match': etag }, data: body })
  expect(saved.status()).toBe(200)
}

export async function deleteProduct(page: Page, id: string): Promise<void> {
  await callAs(page, 'DELETE', `/delete-product?id=${id}`)
}

/** Opens Edit Product of a product without attributes. Waits for all parts: one that loads moves what is below it. */
export async function openEditProduct(page: Page, productId: string): Promise<void> {
  await page.goto(`/dashboard/edit-product/${productId}`)
  await expect(page.getByRole('link', { name: 'Kinds with attributes' })).toBeVisible()
  await expect(page.getByRole('radio', { name: /^Standard sizes/ })).toBeVisible()
  await expect(page.getByLabel('Fit kind')).toBeVisible()
}

/** Opens Manage Products filtered to this product; returns its row. */
export async function openProductRow(page: Page, { name }: Product): Promise<Locator> {
  await page.goto(`/dashboard/manage-products?${new URLSearchParams({ q: name })}`)
  return page.getByRole('row').filter({ hasText: name })
}

/** Opens a product's details from its row. */
export async function openDetails(page: Page, product: Product): Promise<Locator> {
  const row = await openProductRow(page, product)
  await row.getByRole('button', { name: 'Details' }).click()
  return page.getByRole('dialog', { name: 'Details' })
}

/** Waits for a row, and returns the texts of its cells without the buttons at its end. */
export async function toValues(row: Locator): Promise<string[]> {
  await row.waitFor()
  return (await row.getByRole('cell').locator('> div').allInnerTexts()).slice(0, -1)
}

/** Fills in and submits the Restock form. */
export async function restock(within: Locator | Page, quantity: string): Promise<void> {
  await within.getByPlaceholder('Quantity').fill(quantity)
  await within.getByRole('button', { name: 'Restock' }).click()
}

/** Expects that a bar at the bottom covers no element that gets the focus, and is not sticky in a low window. */
export async function expectUnobtrusive(bar: Locator): Promise<void> {
  const page = bar.page()
  const before = page.viewportSize()
  await page.setViewportSize({ width: 360, height: 640 })
  const { height } = await bar.evaluate((node) => node.getBoundingClientRect())
  const padding = await page.evaluate(() => getComputedStyle(document.documentElement).scrollPaddingBottom)
  expect(Number.parseFloat(padding)).toBeGreaterThanOrEqual(height)
  await page.setViewportSize({ width: 640, height: 360 })
  await expect(bar).toHaveCSS('position', 'static')
  if (before) await page.setViewportSize(before)
}
