import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { aProduct } from './factories.ts'
import { load as loadAt, readCanonical, readMeta, readRobots, toTitle } from './page-head.ts'
import { findJsonLdErrors, readJsonLd } from './schema-org.ts'
import { openOwnShop, type TestShop } from './shop.ts'
import { openShopProcesses, type ShopProcess } from './shop-process.ts'

/** A page shows a change within this time. */
const withinCacheAge = { timeout: 10_000, interval: 20 }
const publicUrl = 'https://parts.shop.test'
const processes = openShopProcesses()
let shop: TestShop
let one: ShopProcess

beforeAll(async () => {
  shop = await openOwnShop()
  one = await processes.open({
    DATABASE_URL: shop.database.url,
    DEMO: '0',
    CACHE_SECONDS: '0',
    PUBLIC_URL: publicUrl,
  })
})
afterAll(async () => {
  await processes.remove()
  await shop.close()
})
beforeEach(() => shop.database.empty())

const load = (path: string) => loadAt(path, one)

/** Waits until the page matches, because a cached version may come first. */
const eventually = (path: string, holds: (text: string) => boolean) =>
  vi.waitFor(async () => {
    const { text } = await load(path)
    expect(holds(text), text.slice(0, 2000)).toBe(true)
    return text
  }, withinCacheAge)

const indexed = ['/', '/products', '/reviews', '/blogs', '/contact-us']
const unindexed = ['/login', '/signup', '/dashboard', '/dashboard/my-orders', '/purchase/x']

describe('every page', () => {
  test('has a unique title, and an indexed page has a unique description', async () => {
    await aProduct(shop)
    const texts = await Promise.all([...indexed, ...unindexed].map(async (path) => (await load(path)).text))
    const titles = texts.flatMap(toTitle)
    expect(new Set(titles).size).toBe(texts.length)
    const descriptions = texts.slice(0, indexed.length).flatMap((text) => readMeta(text, 'description'))
    expect(new Set(descriptions).size).toBe(indexed.length)
    for (const description of descriptions) expect(description.length).toBeGreaterThan(20)
  })

  test.each(indexed)(
    '%s has its canonical URL with the public origin, regardless of the Host header',
    async (path) => {
      await aProduct(shop)
      const text = await eventually(`${path}?utm_source=letter`, (page) => readCanonical(page).length === 1)
      expect(readCanonical(text)).toEqual([publicUrl + path])
      expect(readMeta(text, 'og:url')).toEqual([publicUrl + path])
      expect(readRobots(text)).toEqual([])
      expect(text).not.toContain('evil.example')
    },
  )

  test.each([...unindexed, '/nowhere', '/products?page=99'])('%s is noindex', async (path) => {
    await aProduct(shop)
    const { text } = await load(path)
    expect(readRobots(text)).toEqual(['noindex'])
    expect({
      canonical: readCanonical(text),
      statements: readJsonLd(text),
      card: readMeta(text, 'og:image'),
    }).toEqual({
      canonical: [],
      statements: [],
      card: [],
    })
  })

  test('has an existing share image', async () => {
    const [card = ''] = readMeta((await load('/blogs')).text, 'og:image')
    expect(card.startsWith(`${publicUrl}/pictures/`)).toBe(true)
    const picture = await fetch(one.origin + card.slice(publicUrl.length))
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png'])
  })

  test('contains valid JSON-LD', async () => {
    await aProduct(shop)
    const home = await eventually('/', (text) => readJsonLd(text).length > 0)
    expect(readJsonLd(home)).toMatchObject([{ '@type': 'Organization' }, { '@type': 'WebSite' }])
    const list = await eventually('/products', (text) => text.includes('"ItemList"'))
    expect(readJsonLd(list)).toMatchObject([{ '@type': 'BreadcrumbList' }, { '@type': 'ItemList' }])
    for (const text of [home, list]) expect(readJsonLd(text).flatMap(findJsonLdErrors)).toEqual([])
  })
})

describe('the product list', () => {
  test('has a canonical URL for each page, and continuous positions of products', async () => {
    for (let number = 0; number < 25; number++) await aProduct(shop, { name: `Chain ${number}` })
    const first = await eventually('/products', (text) => text.includes('Chain 23'))
    const second = await eventually('/products?page=2', (text) => text.includes('Chain 24'))
    expect(readCanonical(first)).toEqual([`${publicUrl}/products`])
    expect(readCanonical(second)).toEqual([`${publicUrl}/products?page=2`])
    expect(readCanonical((await load('/products?page=1')).text)).toEqual([`${publicUrl}/products`])
    expect(toTitle(second)).not.toEqual(toTitle(first))
    expect(readJsonLd(second)[1]).toMatchObject({ itemListElement: [{ position: 25, name: 'Chain 24' }] })
  })

  test('escapes names in JSON-LD', async () => {
    const name = '</script><script>alert(1)</script>'
    await aProduct(shop, { name })
    const text = await eventually('/products', (page) => page.includes('alert'))
    expect(readJsonLd(text)[1]).toMatchObject({ itemListElement: [{ name }] })
    expect(text).not.toContain('<script>alert')
  })
})

describe('a list that duplicates other lists', () => {
  test.each(['?q=chain', '?sort=price', '?kind=Chains&brand=Dravic', '?kind=Nonsense'])(
    '%s is noindex',
    async (search) => {
      await aProduct(shop, { name: 'Chain', kind: 'Chains', brand: 'Dravic' })
      expect(readRobots((await load(`/products${search}`)).text)).toEqual(['noindex'])
    },
  )

  test('but the list of one kind has a canonical URL', async () => {
    await aProduct(shop, { name: 'Chain', kind: 'Chains', brand: 'Dravic' })
    const text = await eventually('/products?kind=Chains', (page) => page.includes('"ItemList"'))
    expect(readCanonical(text)).toEqual([`${publicUrl}/products?kind=Chains`])
    expect(readJsonLd(text).flatMap(findJsonLdErrors)).toEqual([])
    expect(readJsonLd(text)[0]).toMatchObject({
      itemListElement: [{}, {}, { name: 'Chains', item: `${publicUrl}/products?kind=Chains` }],
    })
  })
})
