import { afterAll, beforeAll, expect, test } from 'vitest'
import { shopReads } from '../server/shop-reads.ts'
import type { ShopReads } from '../web/context.ts'
import { aProduct } from './factories.ts'
import { openTestShop, type TestShop } from './shop.ts'

let shop: TestShop

beforeAll(async () => {
  shop = await openTestShop()
})
afterAll(() => shop.close())

/** Every read, with the tags without which its page would stay as it is when that changes. */
const reads: Record<keyof ShopReads, (read: ShopReads, id: string) => [Promise<unknown>, string[]]> = {
  products: (read, id) => [read.products({}), ['products', `product:${id}`]],
  facets: (read) => [read.facets({}), ['products', 'availability']],
  productPage: (read, id) => [read.productPage(id), ['products', `product:${id}`]],
  product: (read, id) => [read.product(id), [`product:${id}`]],
  reviews: (read) => [read.reviews(), ['reviews']],
}

test.each(Object.entries(reads))('%s names what it shows', async (_, read) => {
  const id = await aProduct(shop)
  const named: string[] = []
  const [reading, expected] = read(
    shopReads(shop.db)((...tags) => named.push(...tags)),
    id,
  )
  await reading
  expect(named).toEqual(expect.arrayContaining(expected))
})

/** Reads, and answers the tags of what was read. */
async function tagsOf(act: (read: ShopReads) => Promise<unknown>): Promise<string[]> {
  const named: string[] = []
  await act(shopReads(shop.db)((...tags) => named.push(...tags)))
  return named
}

test('a list that the stock orders or cuts names the stock, or whether there is any', async () => {
  expect(await tagsOf((read) => read.products({}))).not.toEqual(expect.arrayContaining(['stock']))
  expect(await tagsOf((read) => read.products({ sort: '-quantity' }))).toContain('stock')
  expect(await tagsOf((read) => read.products({ inStock: 'true' }))).toContain('availability')
})

test('the page of a product names those that it shows beside it', async () => {
  const details = { kind: 'Chains', brand: 'Northwind' }
  const [id, other] = [await aProduct(shop, details), await aProduct(shop, details)]
  expect(await tagsOf((read) => read.productPage(id))).toContain(`product:${other}`)
})
