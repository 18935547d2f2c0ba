import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { addDocument, publishDocument, saveDocument } from '../server/modules/content/service.ts'
import { anAdmin, aProduct } from './factories.ts'
import { load as loadAt, readCanonical, readMeta, readRobots, toTitle } from './page-head.ts'
import { findJsonLdErrors, readJsonLd } from './schema-org.ts'
import { openOwnShop, type TestShop } from './shop.ts'
import { openShopProcesses, type ShopProcess } from './shop-process.ts'

/** A page shows a change within this time. */
const withinCacheAge = { timeout: 60_000, interval: 20 }
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

describe('pages and posts', () => {
  const text = { summary: 'What applies', category: '', image: '', body: '# General\n\n[Home](/)' }

  async function publish(kind: 'page' | 'post', slug: string, more: object = {}) {
    const actor = { customerId: (await anAdmin(shop)).id, ip: null }
    const document = { kind, slug, title: `Title of ${slug}`, ...text, ...more }
    const added = await addDocument(shop.db, document, actor)
    const { id } = added.value
    const { etag } = await publishDocument(shop.db, id, added.etag, undefined, actor)
    const rename = (next: string) => saveDocument(shop.db, id, etag, { ...document, slug: next }, actor)
    return { id, rename }
  }

  test('a page is complete in its HTML, and a legal page is in the footer of all pages', async () => {
    expect((await load('/contact-us')).text).not.toContain('href="/pages/')
    await publish('page', 'terms', { legalKind: 'terms' })
    const html = await eventually('/pages/terms', (page) => page.includes('Title of terms'))
    expect(html).toContain('<h2>General</h2>\n<p><a href="/">Home</a></p>')
    expect(readCanonical(html)).toEqual([`${publicUrl}/pages/terms`])
    expect(readMeta(html, 'description')).toEqual(['What applies'])
    expect(readJsonLd(html)).toMatchObject([{ '@type': 'BreadcrumbList' }])
    for (const path of ['/', '/contact-us', '/nowhere']) {
      const page = await eventually(path, (each) => each.includes('href="/pages/terms"'))
      expect(page, path).toMatch(/<footer.*<a href="\/pages\/terms"[^>]*>Title of terms<\/a>/s)
    }
  })

  test('Blogs has the three posts of the specification until the first post is visible', async () => {
    const before = await load('/blogs')
    expect(before.text.match(/<article/g)).toHaveLength(3)
    expect(before.text).toContain('>CATEGORY<')
    await publish('post', 'chain-care', { category: 'Workshop' })
    const after = await eventually('/blogs', (page) => page.includes('Title of chain-care'))
    expect(after.match(/<article/g)).toHaveLength(1)
    expect(after).not.toContain('>CATEGORY<')
    expect(after).toMatch(/<a href="\/blogs\/chain-care"[^>]*>Learn More/)
    expect((await load('/blogs?page=2')).status).toBe(404)
  })

  test('a post describes itself to search engines', async () => {
    const image = `/pictures/uploaded/${'0'.repeat(32)}-640.jpeg`
    await publish('post', 'chain-care', { image })
    const html = await eventually('/blogs/chain-care', (page) => page.includes('BlogPosting'))
    expect(readJsonLd(html).flatMap(findJsonLdErrors)).toEqual([])
    expect(readJsonLd(html)).toMatchObject([
      { '@type': 'BlogPosting', headline: 'Title of chain-care', image: `${publicUrl}${image}` },
      { '@type': 'BreadcrumbList', itemListElement: [{}, { name: 'Blogs' }, {}] },
    ])
    expect(readMeta(html, 'og:type')).toEqual(['article'])
  })

  test('an earlier address redirects in one hop without its query, and is otherwise not found', async () => {
    const follow = (path: string) => fetch(one.origin + path, { redirect: 'manual' })
    expect((await follow('/pages/agb')).status).toBe(404)
    const { rename } = await publish('page', 'agb')
    await rename('terms')
    for (const path of ['/pages/agb', '/Pages/AGB/', '/pages/%61gb', '/pages/agb?utm_source=x']) {
      const response = await follow(path)
      expect([response.status, response.headers.get('location')], path).toEqual([301, '/pages/terms'])
    }
    const data = (await (await follow('/pages/agb.data')).json()) as object
    expect(data).toMatchObject({ redirect: '/pages/terms' })
    expect((await load('/pages/terms')).status).toBe(200)
  })

  test('deleted products whose redirects lead to each other are gone', async () => {
    const ids = [await aProduct(shop), await aProduct(shop)]
    const paths = ids.map((id) => `/product/${id}/sintered-brake-pads`)
    await shop.db.updateTable('products').set({ deleted_at: new Date() }).where('id', 'in', ids).execute()
    const redirects = paths.map((path, index) => ({
      path,
      product_id: ids[1 - index],
      source: 'admin' as const,
    }))
    await shop.db.insertInto('redirects').values(redirects).execute()
    for (const path of paths) {
      expect((await fetch(one.origin + path, { redirect: 'manual' })).status).toBe(410)
    }
  })

  test('an archived page is gone, and an unknown one is not found', async () => {
    const { id } = await publish('page', 'terms')
    await shop.db.updateTable('documents').set({ archived_at: new Date() }).where('id', '=', id).execute()
    const gone = await load('/pages/terms')
    expect([gone.status, readRobots(gone.text)]).toEqual([410, ['noindex']])
    expect(gone.text).toContain('This page is no longer available')
    expect((await load('/blogs/terms')).status).toBe(404)
    expect((await load('/pages/%00')).status).toBe(404)
  })
})
