import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import * as reviews from '../server/modules/reviews/service.ts'
import { aCustomer, anAdmin, aProduct, type TestCustomer } from './factories.ts'
import { openTestShop, type TestShop } from './shop.ts'
import { openShopProcesses, type ShopProcess } from './shop-process.ts'

/** So long after a change every process shows it. */
const withinASecond = { timeout: 1_000, interval: 20 }

const secret = 'the same secret in all processes of a shop'
const processes = openShopProcesses()
let shop: TestShop
/** Two processes of one shop, as behind a load balancer. */
let one: ShopProcess
let other: ShopProcess

beforeAll(async () => {
  shop = await openTestShop({ secret })
  const settings = { DATABASE_URL: shop.database.url, SHOP_SECRET: secret, DEMO: '0' }
  ;[one, other] = await Promise.all([
    processes.open(settings),
    processes.open({ ...settings, DATA_DIR: `${processes.dataDir}-2` }),
  ])
})
afterAll(async () => {
  await processes.remove()
  await shop.close()
})
beforeEach(() => shop.database.empty())

const visit = async ({ origin }: ShopProcess, path: string) => {
  const response = await fetch(origin + path)
  const state = response.headers.get('cache-status')
  return { status: response.status, isKept: state === 'shop; hit', text: await response.text() }
}

/** This process knows of every change so far: who has a token is answered by what is, and not by what was heard of. */
const catchUp = ({ origin }: ShopProcess) =>
  fetch(`${origin}/api/products`, { headers: { authorization: 'Bearer anything' } })

async function send(method: string, path: string, as: TestCustomer, body?: unknown): Promise<number> {
  const response = await fetch(one.origin + path, {
    method,
    headers: {
      authorization: `Bearer ${as.token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return response.status
}

/** Both processes say so, on each of these paths. */
async function everywhere(paths: string[], says: (text: string) => boolean): Promise<void> {
  await vi.waitFor(async () => {
    for (const path of paths)
      for (const each of [one, other]) expect(says((await visit(each, path)).text), path).toBe(true)
  }, withinASecond)
}

test('the last piece is bought at one process: both say so within a second', async () => {
  const productId = await aProduct(shop, { name: 'Left-hand lever', quantity: 8642 })
  const as = await aCustomer(shop)
  // Documents, what the browser's own steps ask for, and calls.
  const lists = ['/products', '/products.data', '/api/products', `/api/product/${productId}`]
  await everywhere(lists, (text) => text.includes('8642'))
  const amount = 8642 * 40
  const order = { productId, quantity: 8642, amount, customerAddress: '1 Road', customerPhone: '0' }
  expect(await send('POST', '/api/confirm-purchase', as, order)).toBe(200)
  await everywhere(
    [...lists, '/', '/_.data'],
    (text) => text.includes('Left-hand lever') && !text.includes('8642'),
  )
})

describe('a change refreshes the pages that show it, and no others', () => {
  const list = '/api/products?pageSize=24'
  const facets = '/api/v1/products/facets'
  const paths = ['/', '/products', '/products?page=2', '/reviews', '/blogs', list, facets]
  let shown: string
  let beyond: string

  beforeEach(async () => {
    for (let number = 0; number < 26; number++) {
      const id = await aProduct(shop, { name: `Chain ${number}` })
      if (number === 3) shown = id
      if (number === 25) beyond = id
    }
    await reviews.addReview(shop.db, { id: null, name: 'Robin', photo: '', email: '' }, { review: 'Good.' })
    await catchUp(other)
    await notKept()
  })

  /** Those that had to be made anew; they are kept from now on. */
  async function notKept(): Promise<string[]> {
    const anew: string[] = []
    for (const path of paths) if (!(await visit(other, path)).isKept) anew.push(path)
    return anew.toSorted()
  }

  test.each<[string, (by: TestCustomer) => Promise<unknown>, string[]]>([
    [
      'a restock of a product on the home page',
      (by) => send('PUT', `/api/update-product/${shown}`, by, { quantity: 11 }),
      ['/', '/products', list],
    ],
    [
      'a restock of a product on the second page',
      (by) => send('PUT', `/api/update-product/${beyond}`, by, { quantity: 3 }),
      ['/products?page=2'],
    ],
    [
      'a deleted product',
      (by) => send('DELETE', `/api/delete-product?id=${beyond}`, by),
      ['/', '/products', '/products?page=2', list, facets],
    ],
    [
      'a new product',
      (by) =>
        send('POST', '/api/add-product', by, {
          name: 'New chain',
          description: 'Gold',
          image: '/pictures/chain.svg',
          price: 40,
          quantity: 10,
          minimum: 1,
        }),
      ['/', '/products', '/products?page=2', list, facets],
    ],
    ['a review', (by) => send('POST', '/api/add-review', by, { review: 'Better.' }), ['/', '/reviews']],
    ['a new customer', () => aCustomer(shop), []],
  ])('%s', async (_, change, expected) => {
    const admin = await anAdmin(shop)
    expect(await notKept()).toEqual([])
    await change(admin)
    await catchUp(other)
    expect(await notKept()).toEqual(expected.toSorted())
  })
})

describe('what is kept', () => {
  beforeEach(async () => {
    await aProduct(shop, { name: 'Left-hand lever' })
    await catchUp(one)
    await visit(one, '/products')
  })

  test('a page that was rendered is served from memory, whatever else stands in its address', async () => {
    expect(await visit(one, '/products?utm_source=letter&page_=7')).toMatchObject({
      status: 200,
      isKept: true,
    })
  })

  test('HEAD is answered from the same page as GET', async () => {
    const head = await fetch(`${one.origin}/products`, { method: 'HEAD' })
    expect(head.headers.get('cache-status')).toBe('shop; hit')
    const { headers } = await fetch(`${one.origin}/products`)
    expect(head.headers.get('etag')).toBe(headers.get('etag'))
    const again = await fetch(`${one.origin}/products`, {
      headers: { 'if-none-match': `${headers.get('etag')}` },
    })
    expect(again.status).toBe(304)
  })

  test('a page that is not there is not kept', async () => {
    for (const _ of [1, 2])
      expect(await visit(one, '/products?page=99')).toMatchObject({ status: 404, isKept: false })
    for (const _ of [1, 2]) expect(await visit(one, '/nowhere')).toMatchObject({ status: 404, isKept: false })
  })
})
