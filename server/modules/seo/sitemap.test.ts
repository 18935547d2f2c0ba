import { gunzipSync } from 'node:zlib'
import { type Kysely, sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Database } from '../../../db/schema.ts'
import { aBike, anAdmin, aProduct } from '../../../tests/factories.ts'
import { isCrawled } from '../../../tests/robots.ts'
import { useTestShop } from '../../../tests/shop.ts'
import { listFaults, textsIn } from '../../../tests/xml.ts'
import { addDocument, publishDocument } from '../content/service.ts'
import { saveFitments } from '../fitment/service.ts'
import { chunksQuery } from './queries.ts'

const origin = 'https://parts.shop.test'

const shop = useTestShop({ origin })

const read = (url: string, headers: Record<string, string> = {}) => shop.app.inject({ url, headers })
const locations = async (url: string) => textsIn((await read(url)).body, 'loc')

/** The next added product gets this number. */
const startWith = (number: number) =>
  sql`alter table sitemap_entries alter column sequence restart with ${sql.lit(number)}`.execute(shop.db)

const deleteProduct = (id: string) =>
  shop.db.updateTable('products').set({ deleted_at: new Date() }).where('id', '=', id).execute()

/** As if nothing had changed since March. */
const age = () =>
  shop.db.updateTable('sitemap_entries').set({ changed_at: '2026-03-01T10:00:00.5Z' }).execute()

describe('GET /robots.txt', () => {
  test('disallows personal pages and APIs, and has the public URL of the sitemap', async () => {
    const { body, headers } = await read('/robots.txt', { host: 'evil.example' })
    expect(headers['content-type']).toContain('text/plain')
    expect(body.split('\n')).toEqual([
      'User-agent: *',
      'Disallow: /api/',
      'Disallow: /dashboard/',
      'Disallow: /dashboard$',
      'Disallow: /purchase/',
      'Disallow: /cart$',
      'Disallow: /garage$',
      'Disallow: /checkout$',
      'Disallow: /order/',
      'Disallow: /idp/',
      'Disallow: /sandbox/',
      'Disallow: /product/*?*bike=',
      'Disallow: /products?q=',
      'Disallow: /products?bike=',
      'Disallow: /products?fit=',
      'Disallow: /products?certificate=',
      'Disallow: /products?price=',
      'Disallow: /products?inStock=',
      'Disallow: /products?attribute=',
      'Disallow: /products?plain=',
      'Disallow: /products?sort=',
      'Disallow: /products?range=',
      'Disallow: /products?*&',
      'Allow: /products?kind=*&page=',
      'Disallow: /products?kind=*&*&page=',
      'Allow: /products?brand=*&page=',
      'Disallow: /products?brand=*&*&page=',
      'Allow: /products?category=*&page=',
      'Disallow: /products?category=*&*&page=',
      '',
      `Sitemap: ${origin}/sitemap.xml`,
      '',
    ])
  })
})

describe('the sitemaps', () => {
  test('contain no URL that robots.txt closes', async () => {
    await aBike(shop)
    const id = await aProduct(shop, { name: 'Cart & garage', kind: 'Brake pads', brand: 'Größe & Co' })
    const k6 = { make: 'hayashi', model: 'k6', yearFrom: 2012, yearTo: 2012 }
    await saveFitments(shop.db, id, { fitKind: 'vehicle', complete: true, fitments: [k6] }, null)
    const files = await locations('/sitemap.xml')
    const urls = (await Promise.all(files.map((file) => locations(file.slice(origin.length))))).flat()
    const paths = urls.map((url) => url.slice(origin.length))
    expect(paths).toEqual(
      expect.arrayContaining([
        '/',
        '/products?kind=Brake+pads',
        '/bikes/hayashi/k6/2012',
        expect.stringContaining(id),
      ]),
    )
    const robots = (await read('/robots.txt')).body
    expect(paths.filter((path) => !isCrawled(robots, path))).toEqual([])
  })

  test('of an empty shop contain its static pages', async () => {
    const { body, headers, statusCode } = await read('/sitemap.xml')
    expect({ statusCode, type: headers['content-type'] }).toEqual({
      statusCode: 200,
      type: 'application/xml; charset=utf-8',
    })
    expect(await listFaults(body, 'siteindex.xsd')).toEqual([])
    expect(textsIn(body, 'loc')).toEqual([`${origin}/sitemaps/pages.xml`])
    const pages = await read('/sitemaps/pages.xml')
    expect(await listFaults(pages.body, 'sitemap.xsd')).toEqual([])
    expect(textsIn(pages.body, 'loc')).toContain(`${origin}/products`)
  })

  test('contain the list of each kind and each brand', async () => {
    await aProduct(shop, { kind: 'Brake pads', brand: 'Größe & Co' })
    await aProduct(shop, { kind: 'Brake pads', sku: 'X-1' })
    const { body } = await read('/sitemaps/pages.xml')
    expect(await listFaults(body, 'sitemap.xsd')).toEqual([])
    expect(textsIn(body, 'loc').filter((location) => location.includes('?'))).toEqual([
      `${origin}/products?kind=Brake+pads`,
      `${origin}/products?brand=Gr%C3%B6%C3%9Fe+%26+Co`,
    ])
  })

  test('contain the visible pages and posts with the time of their last change', async () => {
    const text = { title: 'Terms', summary: '', category: '', image: '', body: 'Text' }
    const actor = { customerId: (await anAdmin(shop)).id, ip: null }
    const page = await addDocument(shop.db, { kind: 'page', slug: 'terms', ...text }, actor)
    await addDocument(shop.db, { kind: 'post', slug: 'draft', ...text }, actor)
    const { value } = await publishDocument(shop.db, page.value.id, page.etag, undefined, actor)
    const { body } = await read('/sitemaps/pages.xml')
    expect(await listFaults(body, 'sitemap.xsd')).toEqual([])
    const own = textsIn(body, 'loc').filter((location) => /\/(pages|blogs)\//.test(location))
    expect(own).toEqual([`${origin}/pages/terms`])
    expect(textsIn(body, 'lastmod')).toEqual([value.versions[0]?.publishedAt])
  })

  test('contain every product once, with the time of its last change', async () => {
    const saved = await aProduct(shop, { name: "Größe <M> ]]> & 'L' 日本 🏍️ מגן" })
    const deleted = await aProduct(shop)
    await deleteProduct(deleted)
    const { body } = await read('/sitemaps/products-1.xml', { host: 'evil.example' })
    expect(await listFaults(body, 'sitemap.xsd')).toEqual([])
    expect(textsIn(body, 'loc')).toEqual([expect.stringContaining(`${origin}/product/${saved}/`)])
    const changedAt = await shop.db
      .selectFrom('sitemap_entries')
      .select('changed_at')
      .where('product_id', '=', saved)
      .execute()
    expect(textsIn(body, 'lastmod')).toEqual([changedAt[0]?.changed_at.toISOString()])
  })

  test('have chunks of 25,000 products that stay stable when products are added or deleted', async () => {
    const first = [await aProduct(shop)]
    await startWith(25_000)
    first.push(await aProduct(shop))
    const second = [await aProduct(shop)]
    const { body } = await read('/sitemap.xml')
    expect(await listFaults(body, 'siteindex.xsd')).toEqual([])
    expect(textsIn(body, 'loc').slice(1)).toEqual([
      `${origin}/sitemaps/products-1.xml`,
      `${origin}/sitemaps/products-2.xml`,
    ])
    const ids = async (chunk: number) =>
      (await locations(`/sitemaps/products-${chunk}.xml`)).map((location) => location.split('/')[4])
    expect(await ids(1)).toEqual(first)
    expect(await ids(2)).toEqual(second)

    await deleteProduct(first[0] ?? '')
    second.push(await aProduct(shop))
    expect(await ids(1)).toEqual(first.slice(1))
    expect(await ids(2)).toEqual(second)
  })

  test('have an index with the last change of each chunk, including deletions, and without empty chunks', async () => {
    const first = [await aProduct(shop), await aProduct(shop)]
    await startWith(25_001)
    const second = await aProduct(shop)
    await age()
    const lastmods = async () => textsIn((await read('/sitemap.xml')).body, 'lastmod')
    expect(await lastmods()).toEqual(['2026-03-01T10:00:00.500Z', '2026-03-01T10:00:00.500Z'])
    await deleteProduct(first[0] ?? '')
    const [changed = '', unchanged] = await lastmods()
    expect(Date.now() - Date.parse(changed)).toBeLessThan(60_000)
    expect(unchanged).toBe('2026-03-01T10:00:00.500Z')

    await deleteProduct(second)
    expect((await lastmods()).length).toBe(1)
    expect((await read('/sitemaps/products-2.xml')).statusCode).toBe(404)
  })

  test('have 40 chunks for a million products, none longer than the protocol allows', async () => {
    for (let chunk = 0; chunk < 40; chunk++) {
      await startWith(chunk * 25_000 + 1)
      await aProduct(shop)
    }
    await startWith(1_000_000)
    const last = await aProduct(shop)
    const { body } = await read('/sitemap.xml')
    expect(await listFaults(body, 'siteindex.xsd')).toEqual([])
    expect(textsIn(body, 'loc').length).toBe(1 + 40)
    expect((await locations('/sitemaps/products-40.xml')).map((location) => location.split('/')[4])[1]).toBe(
      last,
    )
  })

  test('read only database indexes for the sitemap index', async () => {
    for (let count = 0; count < 300; count++) await aProduct(shop)
    await sql`analyze sitemap_entries`.execute(shop.db)
    const { rows } = await sql<{ 'QUERY PLAN': string }>`explain ${chunksQuery()}`.execute(shop.db)
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).not.toContain('Seq Scan on sitemap_entries')
  })

  test('are not final while an older transaction is open', async () => {
    const [slow, quick] = [await aProduct(shop), await aProduct(shop)]
    const isSettled = async () =>
      (await chunksQuery('0 seconds').execute(shop.db)).rows.map((chunk) => chunk.is_settled)
    const rename = (db: Kysely<Database>, id: string) =>
      db.updateTable('products').set({ name: 'Other' }).where('id', '=', id).execute()
    await shop.db.transaction().execute(async (importing) => {
      await rename(importing, slow)
      await rename(shop.db, quick)
      expect(await isSettled()).toEqual([false])
    })
    expect(await isSettled()).toEqual([true])
  })

  test.each([
    'products-0.xml',
    'products-2.xml',
    'products-01.xml',
    'products-999999999.xml',
    'products-x.xml',
    'other.xml',
  ])('are 404 for %s', async (name) => {
    await aProduct(shop)
    expect(await shop.app.inject(`/sitemaps/${name}`)).toMatchObject({ statusCode: 404 })
  })

  test('are compressed if the client accepts it', async () => {
    await aProduct(shop)
    const { headers, rawPayload } = await read('/sitemaps/products-1.xml', { 'accept-encoding': 'gzip, br' })
    expect(headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' })
    expect(gunzipSync(rawPayload).toString()).toBe((await read('/sitemaps/products-1.xml')).body)
  })
})
