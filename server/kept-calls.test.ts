import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { anAdmin, aProduct } from '../tests/factories.ts'
import { openTestShop, refused, type TestShop } from '../tests/shop.ts'

let shop: TestShop
let productId: string

beforeAll(async () => {
  shop = await openTestShop()
})
afterAll(() => shop.close())
beforeEach(async () => {
  await shop.database.empty()
  productId = await aProduct(shop, { name: 'Chain' })
})

const get = async (path: string, headers: Record<string, string> = {}) => {
  const answer = await shop.request<unknown>('GET', `/api${path}`, { headers })
  return { ...answer, state: answer.headers.get('cache-status') }
}
const kept = 'shop; hit'

describe('a kept call', () => {
  test.each(['/products', '/products?pageSize=24&sort=-price', '/v1/products/facets', '/product/{id}'])(
    'GET %s is answered from memory, header by header as it was read',
    async (path) => {
      const address = path.replace('{id}', productId)
      const first = await get(address)
      const again = await get(address)
      const onceMore = await get(address)
      expect([first.state, again.state, onceMore.state]).toEqual(['shop; fwd=miss', kept, kept])
      for (const { body } of [again, onceMore]) expect(body).toEqual(first.body)
      const told = ({ headers }: typeof first) =>
        Object.entries(Object.fromEntries(headers)).filter(
          ([name]) => !['cache-status', 'date'].includes(name),
        )
      for (const answer of [again, onceMore]) expect(told(answer)).toEqual(told(first))
      const plain = await get(address, { 'accept-encoding': 'identity' })
      expect(plain).toMatchObject({ state: kept, body: first.body })
      expect(plain.headers.get('content-encoding')).toBeNull()
    },
  )

  test('is kept by browsers too, which ask each time whether it is still the same', async () => {
    const { headers } = await get('/products')
    expect(headers.get('cache-control')).toBe('public, no-cache')
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    const same = { 'if-none-match': `${headers.get('etag')}` }
    expect(await get('/products', same)).toMatchObject({ status: 304, body: '' })
    await aProduct(shop)
    expect(await get('/products', same)).toMatchObject({ status: 200 })
  })

  test('is compressed, and answers HEAD', async () => {
    const [whole, head] = await Promise.all(
      ['GET', 'HEAD'].map((method) =>
        shop.request<unknown>(method, '/api/products', { headers: { 'accept-encoding': 'br' } }),
      ),
    )
    expect(whole?.body).toMatchObject([{ name: 'Chain' }])
    expect(head?.body).toBe('')
    for (const answer of [whole, head]) {
      expect(answer?.headers.get('content-encoding')).toBe('br')
      expect(answer?.headers.get('x-total-count')).toBe('1')
    }
  })

  test('pays no heed to parameters that it does not know, nor to their order', async () => {
    await aProduct(shop)
    await get('/products?page=1&pageSize=1')
    const other = await get('/products?utm_source=letter&pageSize=1&page=1&_=7')
    expect(other.state).toBe(kept)
    expect(other.headers.get('link')).toBe('</api/products?page=2&pageSize=1>; rel="next"')
  })

  test('answers everybody alike: without a token, with a good one, with one that is void', async () => {
    const { token } = await anAdmin(shop)
    const answers = []
    for (const authorization of ['', `Bearer ${token}`, 'Bearer x.y.z'])
      answers.push(await get('/products', { authorization }))
    expect(answers.map(({ state }) => state)).toEqual(['shop; fwd=miss', kept, kept])
    for (const { body } of answers) expect(body).toEqual(answers[0]?.body)
  })

  test('refuses what it cannot read each time, in the one shape', async () => {
    for (const _ of [1, 2]) {
      const answer = await get('/products?page=0&sort=colour')
      expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST' }, state: null })
      expect(Object.keys((answer.body as { fields: object }).fields)).toEqual(['page', 'sort'])
      expect(answer.headers.get('cache-control')).toBe('no-store')
    }
  })

  test('does not keep that something is not there', async () => {
    for (const _ of [1, 2]) {
      expect(await get('/product/nothing')).toMatchObject({ ...refused('PRODUCT_NOT_FOUND'), state: null })
    }
    await get(`/product/${productId}`)
    await shop.call('deleteProduct', { as: await anAdmin(shop), query: { id: productId } })
    expect(await get(`/product/${productId}`)).toMatchObject(refused('PRODUCT_NOT_FOUND'))
  })
})

describe('who has changed something reads how it is now', () => {
  /** Asks without waiting for anything. */
  const read = async (headers: Record<string, string> = {}) => {
    const answer = await fetch(`${shop.config.origin}/api/product/${productId}`, { headers })
    return ((await answer.json()) as { quantity: number }).quantity
  }
  const often = Array.from({ length: 20 }, (_, number) => number + 100)

  test('at the same process, with the next call', async () => {
    const as = await anAdmin(shop)
    for (const quantity of often) {
      await shop.call('updateProduct', { as, params: { id: productId }, body: { quantity } })
      expect(await read()).toBe(quantity)
    }
  })

  test('at another process, as soon as they say who they are', async () => {
    const { token } = await anAdmin(shop)
    for (const stock of often) {
      await shop.db.updateTable('products').set({ stock }).where('id', '=', productId).execute()
      expect(await read({ authorization: `Bearer ${token}` })).toBe(stock)
    }
  })
})
