import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Product } from '../contract/catalog.ts'
import { shopReads } from '../server/shop-reads.ts'
import type { ShopReads } from '../web/context.ts'
import { aProduct } from './factories.ts'
import { openTestShop, type TestShop } from './shop.ts'

let shop: TestShop

beforeAll(async () => {
  shop = await openTestShop()
})
afterAll(() => shop.close())

const answered: Product = {
  _id: 'x',
  name: 'Chain',
  image: '/pictures/chain.svg',
  description: 'Steel.',
  minimum: 1,
  quantity: 1,
  price: 40,
}

/** Every read, with the tags without which its page would stay as it is when that changes. */
const reads: Record<keyof ShopReads, (read: ShopReads, id: string) => [Promise<unknown>, string[]]> = {
  products: (read, id) => [read.products({}), ['products', `product:${id}`]],
  facets: (read) => [read.facets({}), ['products', 'availability']],
  productPage: (read, id) => [read.productPage(id), ['products', `product:${id}`]],
  product: (read, id) => [read.product(id), [`product:${id}`]],
  reviews: (read) => [read.reviews(), ['reviews']],
  // Addresses made of what another read has answered.
  cardOf: (read) => [read.cardOf(null), []],
  pictureOf: (read) => [read.pictureOf(answered), []],
}

test.each(Object.entries(reads))('%s names what it shows', async (_, read) => {
  const id = await aProduct(shop)
  const named: string[] = []
  const [reading, expected] = read(
    shopReads(shop.db, shop.config.origin)((...tags) => named.push(...tags)),
    id,
  )
  await reading
  expect(named).toEqual(expect.arrayContaining(expected))
})
