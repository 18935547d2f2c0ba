import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type CallSchema, schemas } from '../../contract/schemas.ts'
import { anAdmin, aProduct } from '../../tests/factories.ts'
import { openTestShop, refused, type TestShop } from '../../tests/shop.ts'
import { parsed } from '../platform/http/parse-request.ts'

let shop: TestShop
let productId: string

beforeAll(async () => {
  shop = await openTestShop({ cacheSeconds: 60 })
})
afterAll(() => shop.close())
beforeEach(async () => {
  await shop.database.empty()
  productId = await aProduct(shop, { name: 'Chain' })
})

/** Each test uses its own URLs, because cache entries live for a minute. */
let pageSize = 100
beforeEach(() => void pageSize++)

const get = async (path: string, headers: Record<string, string> = {}) => {
  const response = await shop.request<unknown>('GET', `/api${path}`, { headers })
  return { ...response, state: response.headers.get('cache-status') }
}
const hit = 'shop; hit'
const miss = 'shop; fwd=miss'
const unchanged = 'shop; fwd=stale; fwd-status=304'

describe('a cached call', () => {
  test.each(['/products?pageSize={size}&sort=-price', '/v1/products/facets?q=chain{size}', '/product/{id}'])(
    'GET %s returns the same body and headers from the cache',
    async (path) => {
      const url = path.replace('{id}', productId).replace('{size}', `${pageSize}`)
      const first = await get(url)
      const again = await get(url)
      const onceMore = await get(url)
      expect([first.state, again.state, onceMore.state]).toEqual([miss, hit, hit])
      for (const { body } of [again, onceMore]) expect(body).toEqual(first.body)
      const readHeaders = ({ headers }: typeof first) =>
        Object.entries(Object.fromEntries(headers)).filter(
          ([name]) => !['cache-status', 'date', 'x-request-id'].includes(name),
        )
      for (const response of [again, onceMore]) expect(readHeaders(response)).toEqual(readHeaders(first))
      const plain = await get(url, { 'accept-encoding': 'identity' })
      expect(plain).toMatchObject({ state: hit, body: first.body })
      expect(plain.headers.get('content-encoding')).toBeNull()
    },
  )

  test('a comma in a value does not separate values', async () => {
    const url = `/products?pageSize=${pageSize}`
    const one = await get(`${url}&kind=a,b`)
    const two = await get(`${url}&kind=b&kind=a`)
    const sameTwo = await get(`${url}&kind=a&kind=b`)
    expect([one.state, two.state, sameTwo.state]).toEqual([miss, miss, hit])
  })

  test('can be stored by shared caches for as long as in the shop; browsers revalidate', async () => {
    const { headers } = await get(`/product/${productId}`)
    expect(headers.get('cache-control')).toBe(
      'public, max-age=0, s-maxage=60, stale-while-revalidate=1, stale-if-error=86400',
    )
    expect(headers.get('vary')).toBe('accept-encoding, authorization, cookie')
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    const same = { 'if-none-match': `${headers.get('etag')}` }
    expect(await get(`/product/${productId}`, same)).toMatchObject({ status: 304, body: '' })
  })

  test('is compressed, and supports HEAD', async () => {
    const [whole, head] = await Promise.all(
      ['GET', 'HEAD'].map((method) =>
        shop.request<unknown>(method, `/api/products?pageSize=${pageSize}`, {
          headers: { 'accept-encoding': 'br' },
        }),
      ),
    )
    expect(whole?.body).toMatchObject([{ name: 'Chain' }])
    expect(head?.body).toBe('')
    for (const response of [whole, head]) {
      expect(response?.headers.get('content-encoding')).toBe('br')
      expect(response?.headers.get('x-total-count')).toBe('1')
    }
  })

  test('ignores unknown parameters and the order of parameters', async () => {
    for (let count = 0; count < pageSize; count++) await aProduct(shop)
    await get(`/products?page=1&pageSize=${pageSize}`)
    const other = await get(`/products?utm_source=letter&pageSize=${pageSize}&page=1&_=7`)
    expect(other.state).toBe(hit)
    expect(other.headers.get('link')).toBe(`</api/products?page=2&pageSize=${pageSize}>; rel="next"`)
  })

  test('rejects invalid parameters each time, in the standard error shape', async () => {
    for (const _ of [1, 2]) {
      const response = await get('/products?page=0&sort=colour')
      expect(response).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST' }, state: null })
      expect(Object.keys((response.body as { fields: object }).fields)).toEqual(['page', 'sort'])
      expect(response.headers.get('cache-control')).toBe('no-store')
    }
  })

  test('does not cache a 404', async () => {
    for (const _ of [1, 2]) {
      const response = await get('/product/nothing')
      expect(response).toMatchObject({ ...refused('PRODUCT_NOT_FOUND'), state: null })
      expect(response.headers.get('cache-control')).toBe('no-store')
    }
  })

  test('does not serve a deleted product after one response said that it is deleted', async () => {
    await get(`/product/${productId}`)
    const admin = await anAdmin(shop)
    await shop.call('deleteProduct', { as: admin, query: { id: productId } })
    expect(await get(`/product/${productId}`, { authorization: `Bearer ${admin.token}` })).toMatchObject(
      refused('PRODUCT_NOT_FOUND'),
    )
    expect(await get(`/product/${productId}`)).toMatchObject(refused('PRODUCT_NOT_FOUND'))
  })
})

describe('after a change', () => {
  const read = async (headers: Record<string, string> = {}) => {
    const { state, body, ...rest } = await get(`/product/${productId}`, headers)
    return { ...rest, state, quantity: (body as { quantity: number }).quantity }
  }
  /** Changes the stock like another process. */
  const write = (stock: number) =>
    shop.db.updateTable('variants').set({ stock }).where('id', '=', productId).execute()

  test('a caller with a token reads the database, and the result is cached for others', async () => {
    const { token } = await anAdmin(shop)
    await read()
    for (const stock of [101, 102, 103]) {
      const { quantity } = await read()
      await write(stock)
      expect(await read()).toMatchObject({ quantity, state: hit })
      const own = await read({ authorization: `Bearer ${token}` })
      expect(own).toMatchObject({ quantity: stock, state: miss })
      expect(own.headers.get('cache-control')).toBe('private, no-cache')
      expect(await read()).toMatchObject({ quantity: stock, state: hit })
    }
  })

  test('unchanged data is not rendered again', async () => {
    await read()
    expect(await read({ authorization: 'Bearer x.y.z' })).toMatchObject({ state: unchanged })
  })

  test('the browser that made it reads the database also without a token until the cache expires', async () => {
    const as = await anAdmin(shop)
    await read()
    const { headers } = await shop.call('updateProduct', {
      as,
      params: { id: productId },
      body: { quantity: 104 },
    })
    const cookie = /^(\S+); Path=\/; Max-Age=61; HttpOnly; SameSite=Lax$/.exec(
      headers.get('set-cookie') ?? '',
    )
    expect(await read()).toMatchObject({ state: hit })
    expect(await read({ cookie: `a=b; ${cookie?.[1]}` })).toMatchObject({ quantity: 104, state: miss })
  })

  test('a call that only reads does not mark the browser', async () => {
    const reviews = await shop.request('GET', '/api/reviews')
    const quote = await shop.call('quoteCart', { body: { lines: [{ variantId: productId, quantity: 1 }] } })
    for (const { status, headers } of [reviews, quote]) {
      expect(status).toBe(200)
      expect(headers.get('set-cookie')).toBeNull()
    }
  })
})

test.each(Object.entries<CallSchema>(schemas).flatMap(([name, { body }]) => (body ? [{ name, body }] : [])))(
  '$name refuses a body that is not an object',
  ({ body }) => {
    for (const value of [null, [], 'text', 5, true]) {
      expect(() => parsed(body, value)).toThrow(expect.objectContaining({ code: 'INVALID_REQUEST' }))
    }
  },
)
