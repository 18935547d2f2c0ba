import { hash } from 'node:crypto'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { saveFitments } from '../server/modules/fitment/service.ts'
import * as reviews from '../server/modules/reviews/service.ts'
import { Stars } from '../web/features/catalog/product-detail.tsx'
import { reviewsLabel } from '../web/texts.ts'
import { aBike, aCustomer, anAdmin, aProduct, someJacket, type TestCustomer } from './factories.ts'
import { payloads } from './hostile-markdown.ts'
import { visible } from './page-head.ts'
import { openOwnShop, type TestShop } from './shop.ts'
import { openShopProcesses, type ShopProcess } from './shop-process.ts'

/** A change appears within this time: one second in the cache, and more on a busy machine. */
const withinCacheAge = { timeout: 60_000, interval: 20 }

const processes = openShopProcesses()
/** The shop that makes the changes, in this process. */
let shop: TestShop
/** Another process of the same shop, as behind a load balancer. */
let other: ShopProcess
/** A third process, whose cache does not expire during the tests. */
let longCached: ShopProcess

beforeAll(async () => {
  shop = await openOwnShop()
  const settings = { DATABASE_URL: shop.database.url, DEMO: '0' }
  other = await processes.open(settings)
  longCached = await processes.open({ ...settings, DATA_DIR: `${processes.dataDir}-2`, CACHE_SECONDS: '60' })
})
afterAll(async () => {
  await processes.remove()
  await shop.close()
})
beforeEach(() => shop.database.empty())

const visit = async ({ origin }: ShopProcess, path: string, headers: Record<string, string> = {}) => {
  const response = await fetch(origin + path, { headers })
  return {
    status: response.status,
    state: response.headers.get('cache-status'),
    text: await response.text(),
  }
}
const hit = 'shop; hit'
const miss = 'shop; fwd=miss'
const unchanged = 'shop; fwd=stale; fwd-status=304'

/** The cookie of a browser that has just made a change. */
const afterChange = { cookie: 'recent-change=1' }

async function send(method: string, path: string, as: TestCustomer, body?: unknown): Promise<number> {
  const response = await fetch(shop.config.origin + path, {
    method,
    headers: {
      authorization: `Bearer ${as.token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return response.status
}

/** Waits until the other process shows a change on each path. */
async function untilShown(paths: string[], isShown: (text: string) => boolean): Promise<void> {
  for (const path of paths)
    await vi.waitFor(
      async () => expect(isShown((await visit(other, path)).text), path).toBe(true),
      withinCacheAge,
    )
}

test('cards and lists have no stars and no number of reviews', async () => {
  await aProduct(shop, { name: 'Left-hand lever' })
  const star = / d="[^"]+"/.exec(renderToStaticMarkup(createElement(Stars)))?.[0] ?? ''
  expect(star.length).toBeGreaterThan(20)
  const lists = ['/', '/products', '/products?q=lever']
  await untilShown(lists, (text) => text.includes('Left-hand lever'))
  for (const path of lists) {
    const { text } = await visit(other, path)
    for (const absent of [star, '★', reviewsLabel(false), reviewsLabel(true)])
      expect(text, path).not.toContain(absent)
  }
})

test('a purchase in one process is shown by another one when its pages have expired', async () => {
  const productId = await aProduct(shop, { name: 'Left-hand lever', quantity: 8642 })
  const as = await aCustomer(shop)
  // Documents, navigation data and API calls.
  const lists = ['/products', '/products.data', '/api/products', `/api/product/${productId}`]
  await untilShown(lists, (text) => text.includes('8642'))
  const amount = 8642 * 40
  const order = { productId, quantity: 8642, amount, customerAddress: '1 Road', customerPhone: '0' }
  expect(await send('POST', '/api/confirm-purchase', as, order)).toBe(200)
  await untilShown(
    [...lists, '/', '/_.data'],
    (text) => text.includes('Left-hand lever') && !text.includes('8642'),
  )
})

test('the first bike of a shop, and the removal of the last one, show on pages that were cached', async () => {
  const admin = await anAdmin(shop)
  const documents = ['/', '/products', '/contact-us']
  const untilPagesHaveBikes = async (hasBikes: boolean) => {
    await untilShown(documents, (text) => text.includes('Choose your bike') === hasBikes)
    await untilShown(['/_.data', '/products.data'], (text) => text.includes(`"hasBikes":${hasBikes}`))
  }
  await untilPagesHaveBikes(false)
  expect(await send('POST', '/api/v1/bikes', admin, { make: 'Hayashi', model: 'K6', yearFrom: 2012 })).toBe(
    200,
  )
  await untilPagesHaveBikes(true)
  expect(await send('DELETE', '/api/v1/bikes?make=hayashi&model=k6&yearFrom=2012', admin)).toBe(200)
  await untilPagesHaveBikes(false)
})

describe('the settings of the shop', () => {
  const company = {
    name: 'Held Out Motos',
    legalName: 'Held Out Motos LLC',
    email: 'hi@motos.example',
    street: '1 Kickstand Lane',
    city: 'Austin',
    country: 'US',
    homeTitle: 'Used parts',
    social: ['https://social.example/motos'],
    hours: [{ from: 'Monday', to: 'Friday', opens: '09:00', closes: '18:00' }],
  } as const
  const columns = [
    {
      title: 'Help',
      links: [
        { label: 'Write to us', href: '/contact-us' },
        { label: '</script><b>x', href: '' },
      ],
    },
  ]
  const documents = ['/', '/products', '/reviews', '/blogs', '/contact-us', '/cart', '/login', '/nowhere']

  test('are on all pages of another process within two seconds, and of the author immediately', async () => {
    const id = await aProduct(shop)
    const paths = [...documents, `/product/${id}/left-hand-lever`, '/withdraw', '/dashboard']
    const admin = await anAdmin(shop)
    for (const path of paths) expect((await visit(other, path)).text, path).toContain('Torque Yard')
    const headers = { 'if-match': '"0"' }
    expect(
      (
        await shop.call('saveShopSettings', {
          as: admin,
          headers,
          body: { ...company, hours: [...company.hours], social: [...company.social] },
        })
      ).status,
    ).toBe(200)
    expect((await shop.call('saveFooterSettings', { as: admin, headers, body: { columns } })).status).toBe(
      200,
    )
    const savedAt = performance.now()
    for (const path of paths) {
      const { text } = await visit(longCached, path, afterChange)
      expect(text, path).toContain('Held Out Motos')
      expect(text, path).not.toContain('Torque Yard')
      // The initial of the default name in the drawn mark, in the header and in the icon.
      expect(text, path).not.toMatch(/M20 22[hH]/)
      expect(text, path).not.toContain('Services')
      expect(text, path).toContain('>Write to us</a>')
      expect(text, path).toContain('&lt;/script&gt;&lt;b&gt;x')
      expect(text, path).not.toContain('</script><b>')
    }
    await untilShown(paths, (text) => !text.includes('Torque Yard') && text.includes('Held Out Motos'))
    expect(performance.now() - savedAt).toBeLessThan(withinCacheAge.timeout)
    const home = (await visit(other, '/')).text
    expect(home).toContain('<title>Used parts · Held Out Motos</title>')
    expect(home).toContain('<meta property="og:site_name" content="Held Out Motos">')
    expect(home).toContain('"@type":"AutoPartsStore"')
    expect(home).toContain('href="https://social.example/motos"')
    const contact = (await visit(other, '/contact-us')).text
    for (const shown of ['1 Kickstand Lane', 'mailto:hi@motos.example', 'Monday to Friday: 09:00–18:00'])
      expect(contact).toContain(shown)
    // An own address without a place has no map.
    expect(contact).not.toContain('openstreetmap.org/?mlat')
  })

  test('are not in the data of a page, which a cached page reads without a query', async () => {
    for (const path of ['/_.data', '/products.data', '/contact-us.data'])
      expect((await visit(other, path)).text, path).not.toMatch(/"shop":|"details":|Torque Yard/)
    await visit(longCached, '/')
    expect((await visit(longCached, '/')).state).toBe(hit)
  })

  test('set the colours by a style whose hash the policy allows, and the icon', async () => {
    const admin = await anAdmin(shop)
    const read = async () => {
      const response = await fetch(`${other.origin}/`, { headers: afterChange })
      return { text: await response.text(), policy: response.headers.get('content-security-policy') ?? '' }
    }
    const before = await read()
    expect(before.text).not.toContain('<style')
    expect(before.policy).toContain("style-src 'self';")
    const body = { accent: '#0A7A5C', accentOnDark: '#4dd2a8' }
    expect(
      (await shop.call('saveBrandSettings', { as: admin, headers: { 'if-match': '"0"' }, body })).status,
    ).toBe(200)
    const { text, policy } = await read()
    const [, style = ''] = /<style>([^<]*)<\/style>/.exec(text) ?? []
    expect(style).toBe(
      ':root{--color-signal:#0a7a5c;--color-signal-deep:#08624a;--color-signal-bright:#4dd2a8}',
    )
    expect(policy).toContain(`style-src 'self' 'sha256-${hash('sha256', style, 'base64')}';`)
    expect(text.indexOf('<style>')).toBeGreaterThan(text.indexOf('rel="stylesheet"'))
    expect(text).toContain('rel="icon" type="image/svg+xml"')
  })
})

describe('the settings of the home page', () => {
  const saveHome = async (body: object, version = 0) => {
    const headers = { 'if-match': `"${version}"` }
    const as = await anAdmin(shop)
    expect((await shop.call('saveHomeSettings', { as, headers, body })).status).toBe(200)
  }
  const readHome = async () => (await visit(other, '/', afterChange)).text
  const listNames = (text: string) => [...text.matchAll(/>(Product \d)</g)].map(([, name]) => name)
  const addProducts = (count: number) =>
    Promise.all(Array.from({ length: count }, (_, index) => aProduct(shop, { name: `Product ${index}` })))

  test('set titles, texts, banners and figures, and have their defaults one by one', async () => {
    const banner = { title: 'Winter sale', text: 'Until March', picture: '', href: '/products?q=sale' }
    await saveHome({
      lines: ['Held Out Motos', 'and parts'],
      button: 'All parts',
      href: 'https://motos.example/all',
      banners: [banner, { ...banner, title: 'Open house', href: '' }],
      stats: ['1', '2', '3', '4'].map((figure) => ({ figure: `${figure} lifts`, label: 'In the workshop' })),
    })
    const text = await readHome()
    expect(text).toMatch(/<h1[^>]*>Held Out Motos\nand parts<\/h1>/)
    expect(text).toMatch(/<a href="https:\/\/motos\.example\/all"[^>]*><span>All parts</)
    expect(text).toContain('Brakes, chains, tyres and riding gear.')
    expect(text).toMatch(/<a href="\/products\?q=sale"[^>]*>.*Winter sale.*Until March/)
    expect(text).toMatch(/<a class="[^"]*"><span[^>]*>Open house</)
    expect(text).toContain('4 lifts')
    expect(text).not.toContain('120K+')
    await saveHome({ stats: [] }, 1)
    expect(await readHome()).not.toContain('Shop statistics')
  })

  test('choose products in an order. Those that are not for sale vanish, and without any the first four are shown', async () => {
    const [, , second = '', , fourth = '', fifth = ''] = await addProducts(6)
    await saveHome({ productIds: [fifth, second, 'unknown', fourth, second] })
    expect(listNames(await readHome())).toEqual(['Product 5', 'Product 2', 'Product 4'])
    const as = await anAdmin(shop)
    await shop.call('hideProduct', { as, params: { id: second }, body: { hidden: true } })
    await shop.call('deleteProduct', { as, query: { id: fifth } })
    expect(listNames(await readHome())).toEqual(['Product 4'])
    await shop.call('deleteProduct', { as, query: { id: fourth } })
    const { products } = await listFirst()
    expect(listNames(await readHome())).toEqual(products)
  })
  const listFirst = async () => {
    const list = await shop.call('listProducts', { query: {} })
    return { products: list.body.slice(0, 4).map(({ name }) => name) }
  }

  test('never become markup', async () => {
    const hostile = payloads.filter((payload) => !/[\p{Cc}\u202e]/u.test(payload))
    const as = await anAdmin(shop)
    const listTags = (text: string) =>
      new Set((text.match(/<main.*<\/main>/s)?.[0].match(/<[^>]*>/g) ?? []).map((tag) => tag))
    const banner = { title: 'A', text: 'A', picture: '', href: '' }
    const fill = (texts: [string, string, string, string]) => ({
      lines: [texts[0].slice(0, 20).trim()],
      text: texts[1].slice(0, 200),
      button: texts[2].slice(0, 30),
      banners: [{ ...banner, title: texts[3].slice(0, 40).trim(), text: texts[1].slice(0, 120) }],
      stats: Array.from({ length: 4 }, () => ({
        figure: texts[2].slice(0, 10).trim(),
        label: texts[3].slice(0, 30).trim(),
      })),
    })
    await saveHome(fill(['A long first line', 'A', 'A', 'A']))
    const usual = listTags(await readHome())
    let version = 1
    for (const payload of hostile.filter((_, index) => index % 6 === 0)) {
      const lines = `long line ${payload}`
      const body = fill([payload.length > 10 ? payload : lines, payload, payload, payload])
      const headers = { 'if-match': `"${version}"` }
      expect((await shop.call('saveHomeSettings', { as, headers, body })).status, payload).toBe(200)
      version += 1
      const tags = [...listTags(await readHome())].filter((tag) => !usual.has(tag))
      expect(tags, payload).toEqual([])
    }
  })

  test('remove all placeholder texts from home, blogs and footer, in the data of a navigation as well', async () => {
    const as = await anAdmin(shop)
    expect((await shop.call('removePlaceholders', { as })).status).toBe(200)
    const [home, blogs, data] = await Promise.all(
      ['/', '/blogs', '/blogs.data'].map(async (path) => (await visit(other, path, afterChange)).text),
    )
    expect(home).not.toMatch(/120K\+|aria-disabled="true"|Fitting advice/)
    expect(blogs).not.toContain('Bedding in brake pads')
    expect(blogs).toContain('No posts yet')
    expect(JSON.parse(data ?? '')).toMatchObject({ data: { hasSamples: false } })
  })
})

describe('a change re-renders only the pages that show it', () => {
  const list = '/api/products?pageSize=24'
  const facets = '/api/v1/products/facets'
  const paths = ['/', '/products', '/products?page=2', '/reviews', '/blogs', list, facets]
  let shown: string
  let onSecondPage: string

  beforeEach(async () => {
    for (let number = 0; number < 26; number++) {
      const id = await aProduct(shop, { name: `Chain ${number}` })
      if (number === 3) shown = id
      if (number === 25) onSecondPage = id
    }
    await reviews.addReview(shop.db, { id: null, name: 'Robin', photo: '', email: '' }, { review: 'Good.' })
    await rendered()
  })

  /** Returns the paths whose data have changed since they were read last. */
  async function rendered(): Promise<string[]> {
    const changed: string[] = []
    for (const path of paths)
      if ((await visit(longCached, path, afterChange)).state === miss) changed.push(path)
    return changed.toSorted()
  }

  test.each<[string, (by: TestCustomer) => Promise<unknown>, string[]]>([
    [
      'a restock of a product on the home page',
      (by) => send('PUT', `/api/update-product/${shown}`, by, { quantity: 11 }),
      ['/', '/products', list],
    ],
    [
      'a restock of a product on the second page',
      (by) => send('PUT', `/api/update-product/${onSecondPage}`, by, { quantity: 3 }),
      ['/products?page=2'],
    ],
    [
      'a deleted product',
      (by) => send('DELETE', `/api/delete-product?id=${onSecondPage}`, by),
      ['/products', '/products?page=2', list, facets],
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
      ['/products', '/products?page=2', list, facets],
    ],
    ['a review', (by) => send('POST', '/api/add-review', by, { review: 'Better.' }), ['/', '/reviews']],
    ['a new customer', () => aCustomer(shop), []],
  ])('%s', async (_, change, expected) => {
    const admin = await anAdmin(shop)
    expect(await rendered()).toEqual([])
    await change(admin)
    expect(await rendered()).toEqual(expected.toSorted())
    for (const path of paths) expect((await visit(longCached, path)).state, path).toBe(hit)
  })
})

describe('the cache', () => {
  beforeEach(async () => {
    await aProduct(shop, { name: 'Left-hand lever' })
    await visit(longCached, '/products', afterChange)
  })

  test('serves a cached page with any unknown parameters in the URL', async () => {
    expect(await visit(longCached, '/products?utm_source=letter&page_=7')).toMatchObject({
      status: 200,
      state: hit,
    })
  })

  test('caches a product page for each size and colour, and for nothing else', async () => {
    const path = `/product/${await aProduct(shop, someJacket)}/touring-jacket`
    expect(await visit(longCached, `${path}?size=M&colour=Red`)).toMatchObject({ state: miss })
    const same = await visit(longCached, `${path}?utm_source=letter&colour=Red&size=M&quantity=2`)
    expect(same).toMatchObject({ state: hit })
    const other = await visit(longCached, `${path}?size=XL&colour=Red`)
    expect(other.state).toBe(miss)
    expect(other.text).toContain('Not available in XL, Red.')
  })

  test('shares the entry of a product page without sizes and colours that the product does not have', async () => {
    const path = `/product/${await aProduct(shop, someJacket)}/touring-jacket`
    const { text } = await visit(longCached, `${path}?size=XXS&colour=Plaid`)
    expect(await visit(longCached, path)).toEqual({ status: 200, state: hit, text })
    for (const query of ['size=1', 'size=2&size=3', 'colour=4'])
      expect(await visit(longCached, `${path}?${query}`)).toEqual({ status: 200, state: unchanged, text })
    const red = await visit(longCached, `${path}?size=5&colour=Red`)
    expect(await visit(longCached, `${path}?colour=Red`)).toEqual({ ...red, state: hit })
    const moved = await fetch(`${longCached.origin}${path.replace('touring-', '')}?size=M&colour=6`, {
      redirect: 'manual',
    })
    expect(moved.headers.get('location')).toBe(`${path}?size=M`)
  })

  test('serves HEAD from the same page as GET', async () => {
    const head = await fetch(`${longCached.origin}/products`, { method: 'HEAD' })
    expect(head.headers.get('cache-status')).toBe(hit)
    const { headers } = await fetch(`${longCached.origin}/products`)
    expect(head.headers.get('etag')).toBe(headers.get('etag'))
    const again = await fetch(`${longCached.origin}/products`, {
      headers: { 'if-none-match': `${headers.get('etag')}` },
    })
    expect(again.status).toBe(304)
  })

  test('does not cache a 404', async () => {
    for (const path of ['/products?page=99', '/nowhere'])
      for (const _ of [1, 2])
        expect(await visit(longCached, path)).toMatchObject({ status: 404, state: miss })
  })

  test('is bypassed after a change by the browser that made it', async () => {
    const admin = await anAdmin(shop)
    const id = await aProduct(shop, { name: 'Right-hand lever' })
    const paths = ['/products', '/products.data', '/', '/_.data']
    for (const path of paths) await visit(longCached, path, afterChange)
    expect(await send('DELETE', `/api/delete-product?id=${id}`, admin)).toBe(200)
    for (const path of paths) {
      expect((await visit(longCached, path)).text).toContain('Right-hand lever')
      expect((await visit(longCached, path, afterChange)).text).not.toContain('Right-hand lever')
    }
  })
})

test('the redirect to the present name of a product keeps its bike, even from the cache', async () => {
  const id = await aProduct(shop, { name: 'Race pads', options: 'standard' })
  for (const [search, expected] of [
    ['?size=M&bike=7', '?size=M&bike=7'],
    ['?x=y&bike=8', '?bike=8'],
    ['?bike=9', '?bike=9'],
    ['?bike=r6', ''],
  ]) {
    const url = `${longCached.origin}/product/${id}/old-name${search}`
    const { status, headers } = await fetch(url, { redirect: 'manual' })
    expect([status, headers.get('location')]).toEqual([301, `/product/${id}/race-pads${expected}`])
  }
  const { text } = await visit(longCached, `/product/${id}/race-pads?bike=7`)
  expect(text).toContain(`rel="canonical" href="${longCached.origin}/product/${id}/race-pads"`)
})

test('the list for a bike names it, says how a search was read, and is not found for an unknown bike', async () => {
  const bike = await aBike(shop, { make: 'Yamaha', model: 'YZF-R6', year: 2009 })
  const pads = await aProduct(shop, { name: 'Race pads' })
  await aProduct(shop, { name: 'Street pads' })
  const fitments = [{ make: 'yamaha', model: 'yzf-r6', yearFrom: 2006, yearTo: 2012 }]
  await saveFitments(shop.db, pads, { fitKind: 'vehicle', complete: false, fitments }, null)

  const list = await visit(other, `/products?bike=${bike}`)
  expect(list.text).toContain('Parts that fit the <strong>2009 Yamaha YZF-R6</strong>')
  expect(list.text).toContain(`href="/product/${pads}/race-pads?bike=${bike}"`)
  expect(list.text).toContain(`href="/purchase/${pads}?bike=${bike}"`)
  expect(list.text).toMatch(/Race pads.*whether these fit the.*Street pads/s)
  expect(list.text).toMatch(/href="[^"]*fit=unconfirmed[^>]*>.*Fit not confirmed<.*>1</)
  expect(list.text).toContain('name="robots" content="noindex')

  const read = await visit(other, '/products?q=yzf-r6+2009+pads')
  expect(read.text).toContain(`href="/product/${pads}/race-pads?bike=${bike}"`)
  expect(read.text).toContain('Parts that fit the <strong>2009 Yamaha YZF-R6</strong> matching “')
  expect(read.text).toMatch(/Race pads.*whether these fit the.*Street pads/s)
  const plain = await visit(other, '/products?q=pads+yzf-r6+2009&plain=true')
  expect(plain.text).not.toContain('Parts that fit')
  expect(plain.text).toMatch(/<a (?=[^>]*aria-label="Remove search: )(?=[^>]*href="\/products")[^>]*>/)
  const otherYear = await visit(other, '/products?q=pads+yzf-r6+2013')
  expect(visible(otherYear.text)).toMatch(
    /The Yamaha YZF-R6 is listed for 2009\. Parts for the Yamaha YZF-R6 .*Race pads/,
  )
  expect(otherYear.text).toContain('href="/bikes/yamaha/yzf-r6"')

  const unknown = await visit(other, '/products?bike=999999')
  expect(unknown.status).toBe(404)
  expect(unknown.text).toContain('We do not have this bike in our list.')
  expect(unknown.text).toMatch(/<a [^>]*href="\/products"[^>]*>look at all products<\/a>/)
})

test('the list for a bike has what may fit behind what fits, and last what does not fit, each in the chosen order', async () => {
  // Not the first bike: another test requests its list, which the process may still have in its cache.
  await aBike(shop, { make: 'Yamaha', model: 'YZF-R6', year: 2013 })
  const bike = await aBike(shop, { make: 'Yamaha', model: 'YZF-R6', year: 2009 })
  await aBike(shop, { make: 'Yamaha', model: 'YZF-R6', year: 2009, version: 'ABS' })
  const complete = (yearFrom: number, version?: string) => ({
    fitKind: 'vehicle' as const,
    complete: true,
    fitments: [{ make: 'yamaha', model: 'yzf-r6', yearFrom, yearTo: yearFrom, version }],
  })
  const without = (fitKind: 'universal' | 'gear') => ({ fitKind, complete: false, fitments: [] })
  for (const [name, price, fit] of [
    ['Version part', 10, complete(2009, 'ABS')],
    ['Misfit one', 9, complete(2013)],
    ['Misfit two', 8, complete(2013)],
    ['Unknown part', 7, null],
    ['Universal part', 6, without('universal')],
    ['Fitting part', 5, complete(2009)],
    ['Riding glove', 4, without('gear')],
  ] as const) {
    const id = await aProduct(shop, { name, price })
    if (fit) await saveFitments(shop.db, id, fit, null)
  }
  const names = async (search: string) => {
    const { text } = await visit(other, `/products?bike=${bike}${search}`)
    return [
      ...text.matchAll(
        /<h[23][^>]*>(?:<a[^>]*>)?((?:Misfit|Unknown|Universal|Fitting|Riding|Version)[^<]*)</g,
      ),
    ]
      .map(([, name]) => name)
      .filter((name) => name !== 'Universal parts')
  }
  const rest = ['Fitting part', 'Version part', 'Universal part', 'Riding glove', 'Unknown part']
  expect(await names('')).toEqual([...rest, 'Misfit one', 'Misfit two'])
  expect(await names('&sort=price')).toEqual([...rest, 'Misfit two', 'Misfit one'])
  expect(await names('&q=misfit')).toEqual(['Misfit one', 'Misfit two'])
  expect(await names('&fit=fits')).toEqual(['Fitting part'])
  expect(await names('&fit=some')).toEqual(['Version part'])
  const whole = await visit(other, `/products?bike=${bike}`)
  expect(whole.text).toMatch(
    /Fits some versions<\/h2>.*href="\/bikes\/yamaha\/yzf-r6\/2009"[^>]*>Which version do you have\?/s,
  )
  const { text } = await visit(other, `/products?bike=${bike}&q=misfit`)
  expect(text).toMatch(
    /No parts for the 2009 Yamaha YZF-R6 match.*Does not fit<\/h2>.*Show parts for any bike/s,
  )
  expect((await visit(other, `/products?bike=${bike}&page=9`)).text).toMatch(
    /No products on this page.*Go to first page.*Universal parts<\/h2>/s,
  )
})

test('pages of an account have menu, heading and table head in their HTML, which is the same for all users', async () => {
  const read = async (path: string) => (await visit(other, path)).text
  const orders = await read('/dashboard/my-orders')
  expect(orders).toMatch(
    /aria-label="Dashboard".*href="\/dashboard\/add-review".*<h1[^>]*>My Orders<\/h1>.*Newest first/s,
  )
  expect(orders).toMatch(/<th [^>]*>.*Quantity.*Shipment.*<\/thead><tbody[^>]*><\/tbody>.*data-loading/s)
  expect(orders).not.toContain('href="/dashboard/manage-users"')
  expect(await read('/dashboard/my-orders?sort=date')).toMatch(/href="\?sort=date" aria-current="true"/)
  const admins = await read('/dashboard/refunds')
  expect(admins).toMatch(/href="\/dashboard\/manage-users".*<h1[^>]*>Refunds<\/h1>.*data-loading/s)
  expect(admins).not.toContain('href="/dashboard/add-review"')
  expect(await read('/dashboard/payment/26c624aa')).toMatch(
    /<h1[^>]*>Payment for Order #26c624<\/h1>.*data-loading/s,
  )
  expect(await read('/order/26c624aa')).toMatch(/<h1[^>]*>Order #26c624<\/h1>.*data-loading/s)
  for (const path of ['/dashboard/my-orders', '/order/26c624aa'])
    expect((await visit(other, path, { authorization: 'Bearer x' })).text).toBe(await read(path))
})

test('the HTML of an account page has its menu entry as the heading, and nothing that a guard hides', async () => {
  const read = async (path: string) => (await visit(other, path)).text
  const listEntries = async (path: string) => {
    const menu = /<nav aria-label="Dashboard".*?<\/nav>/s.exec(await read(path))?.[0] ?? ''
    return [...menu.matchAll(/<a href="([^"]*)"[^>]*>([^<]+)<\/a>/g)]
  }
  const expectPending = async (path: string, name = '') => {
    const main = /<main.*<\/main>/s.exec(await read(path))?.[0] ?? ''
    expect(main, path).toMatch(new RegExp(`<h1[^>]*>${name}`))
    const content = main.replaceAll(/<(nav|search)\b.*?<\/\1>/gs, '')
    expect(content, path).not.toMatch(/<(form|input|td|dd|article|img|button)\b/)
  }
  const entries = [...(await listEntries('/dashboard')), ...(await listEntries('/dashboard/refunds'))].filter(
    ([, href]) => href !== '/garage',
  )
  expect(entries.length).toBeGreaterThan(25)
  // The first page of the settings has another heading.
  for (const [, href = '', name = ''] of entries) await expectPending(href, name === 'Shop' ? 'Set-up' : name)
  for (const path of ['import-products', 'edit-product/7', 'update-product/7', 'payment/26c624aa'])
    await expectPending(`/dashboard/${path}`)
})

test('the pages that need JavaScript to order say so without it', async () => {
  const product = `/product/${await aProduct(shop, { name: 'Chain' })}/chain`
  for (const [path, sentence] of [
    [product, 'You need JavaScript to order.'],
    ['/cart', 'This page needs JavaScript.'],
    ['/checkout', 'This page needs JavaScript.'],
  ] as const)
    expect((await visit(other, path)).text, path).toMatch(
      new RegExp(`<main.*<noscript><p[^>]*>${sentence}</p></noscript>.*</main>`, 's'),
    )
})

test('the home page has a search form, and the kinds with the most products as links to their lists', async () => {
  for (const kind of ['Chains', 'Brake pads', 'Brake pads']) await aProduct(shop, { kind })
  await aProduct(shop)
  const { text } = await visit(other, '/')
  expect(text).toMatch(/<h1.*<form [^>]*action="\/products".*name="q".*Read More/s)
  expect([...text.matchAll(/href="\/products\?kind=([^"]*)"/g)].map(([, kind]) => kind)).toEqual([
    'Brake+pads',
    'Chains',
  ])
})

test('a search for a model of several years does not say that its parts fit the model, and links its years', async () => {
  const years: number[] = []
  for (const year of [2008, 2009]) years.push(await aBike(shop, { make: 'Yamaha', model: 'YZF-R6', year }))
  const pads = await aProduct(shop, { name: 'Race pads' })
  const fitments = [{ make: 'yamaha', model: 'yzf-r6', yearFrom: 2009, yearTo: 2009 }]
  await saveFitments(shop.db, pads, { fitKind: 'vehicle', complete: false, fitments }, null)

  const { text } = await visit(other, '/products?q=yzf-r6+pads&sort=price', afterChange)
  expect(text).toContain('Race pads')
  expect(text).not.toContain('Parts that fit')
  expect(text).toContain('Parts for the <strong>Yamaha YZF-R6</strong> matching “')
  expect(text).toContain('Each fits at least one year; choose yours to be sure')
  const link = (id: number | undefined, year: number) =>
    new RegExp(`href="/products\\?q=pads&amp;sort=price&amp;bike=${id}"[^>]*>${year}</a>`)
  expect(text).toMatch(link(years[0], 2008))
  expect(text).toMatch(link(years[1], 2009))

  await aBike(shop)
  const k6 = { make: 'hayashi', model: 'k6', yearFrom: 2012, yearTo: 2012 }
  await saveFitments(shop.db, pads, { fitKind: 'vehicle', complete: false, fitments: [k6] }, null)
  const single = await visit(other, '/products?q=k6', afterChange)
  expect(single.text).toContain('Parts that fit the <strong>2012 Hayashi K6</strong>')
})

test('a search for a name of a model that is a part number too leads to the part', async () => {
  await aBike(shop, { make: 'Yamaha', model: 'MT-07', year: 2014 })
  const pads = await aProduct(shop, { name: 'Street pads', sku: 'MT07' })
  const { text } = await visit(other, '/products?q=mt+07', afterChange)
  expect(text).toMatch(new RegExp(`href="/product/${pads}/street-pads"[^>]*>Street pads</a>`))
  expect(text).toContain('is a part number too')
  expect(text).toContain('Search for the words “')
  const other2 = await visit(other, '/products?q=mt-07+chain', afterChange)
  expect(other2.text).not.toContain('is a part number too')
})

test('a list of gear does not offer the parts that fit a bike, unlike a list with one part', async () => {
  await aBike(shop)
  await aProduct(shop, { name: 'Glove', fitKind: 'gear' })
  await aProduct(shop, { name: 'Glove protector', fitKind: 'universal' })
  await aProduct(shop, { name: 'Helmet', fitKind: 'gear' })
  for (const [q, isOffered] of [
    ['helmet', false],
    ['glove', true],
  ] as const) {
    const { text } = await visit(other, `/products?q=${q}`, afterChange)
    expect(text).toContain(`/${q}"`)
    expect(text.includes('Choose your bike to see which parts fit')).toBe(isOffered)
  }
})
