import { request } from 'node:http'
import type { Socket } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { aCustomer, anOrder, aProduct, someJacket } from '../../../tests/factories.ts'
import { openOwnShop, openTestShop, type TestShop } from '../../../tests/shop.ts'
import { listFaults, textsIn } from '../../../tests/xml.ts'
import { productGroupJsonLd } from '../../../web/seo/json-ld.ts'
import { saveAttributes } from '../catalog/attributes/service.ts'

let shop: TestShop
let neighbour: TestShop

beforeAll(async () => {
  shop = await openOwnShop()
  neighbour = await openTestShop({ databaseUrl: shop.database.url })
})
afterAll(async () => {
  await neighbour.close()
  await shop.close()
})
beforeEach(() => shop.database.empty())

const read = (headers: Record<string, string> = {}, at = shop) =>
  at.app.inject({ url: '/feeds/products.xml', headers })

async function attributes(name: string, at = shop): Promise<string[]> {
  return textsIn((await read({}, at)).body, `g:${name}`)
}

/** Sets columns of a product, or part number and GTIN of its variant. */
async function set(
  id: string,
  { sku, gtin, ...values }: { sku?: string; gtin?: string; [column: string]: unknown },
) {
  if (Object.keys(values).length > 0) {
    await shop.db.updateTable('products').set(values).where('id', '=', id).execute()
  }
  if (sku || gtin) await shop.db.updateTable('variants').set({ sku, gtin }).where('id', '=', id).execute()
}

/** Moves the last change of all products back by this interval. */
const age = (interval: string) =>
  sql`update sitemap_entries set changed_at = now() - ${interval}::interval`.execute(shop.db)

describe('GET /feeds/products.xml', () => {
  test('returns a feed without items for an empty shop', async () => {
    const { body, headers } = await read()
    expect(headers['content-type']).toBe('application/xml; charset=utf-8')
    expect(await listFaults(body, 'product-feed.xsd')).toEqual([])
    expect(body).not.toContain('<item>')
  })

  test('contains every product with all fields that merchant centres require', async () => {
    const id = await aProduct(shop, {
      name: 'Brake pads',
      price: 40,
      image: '/pictures/brake-pads/d9482b.svg',
    })
    await set(id, { brand: 'Grauwerk', kind: 'Brake pads', sku: 'GW-4711/A', gtin: '4006381333931' })
    const { body } = await read({ host: 'evil.example' })
    expect(await listFaults(body, 'product-feed.xsd')).toEqual([])
    const one = (name: string) => textsIn(body, `g:${name}`)
    const { origin } = shop.config
    expect({
      id: one('id'),
      title: one('title'),
      description: one('description'),
      availability: one('availability'),
      price: one('price'),
      condition: one('condition'),
      brand: one('brand'),
      gtin: one('gtin'),
      mpn: one('mpn'),
      product_type: one('product_type'),
      identifier_exists: one('identifier_exists'),
      unit_pricing_measure: one('unit_pricing_measure'),
    }).toEqual({
      id: [id],
      title: ['Brake pads'],
      description: ['For the front.'],
      availability: ['in_stock'],
      price: ['40.00 USD'],
      condition: ['new'],
      brand: ['Grauwerk'],
      gtin: ['4006381333931'],
      mpn: ['GW-4711/A'],
      product_type: ['Motorcycle parts and gear > Brake pads'],
      identifier_exists: [],
      unit_pricing_measure: [],
    })
    expect(one('link')).toEqual([expect.stringContaining(`${origin}/product/${id}/`)])
    expect(one('image_link')).toEqual([`${origin}/pictures/brake-pads/d9482b.png`])
    expect(body).not.toContain('evil.example')
  })

  test('has the price of the minimum order and its number of pieces', async () => {
    await aProduct(shop, { price: 12.9, minimum: 3 })
    expect(await listFaults((await read()).body, 'product-feed.xsd')).toEqual([])
    expect(await attributes('price')).toEqual(['38.70 USD'])
    expect(await attributes('unit_pricing_measure')).toEqual(['3 ct'])
    expect(await attributes('unit_pricing_base_measure')).toEqual(['1 ct'])
  })

  test('has an item for each variant, with its own link, picture, price and availability', async () => {
    const id = await aProduct(shop, someJacket)
    await shop.db
      .updateTable('variants')
      .set({ removed_at: new Date() })
      .where('colour', '=', 'Red')
      .execute()
    const { body } = await read()
    expect(await listFaults(body, 'product-feed.xsd')).toEqual([])
    const variants = await shop.db
      .selectFrom('variants')
      .select('id')
      .where('removed_at', 'is', null)
      .orderBy('position')
      .execute()
    const all = (name: string) => textsIn(body, `g:${name}`)
    expect(all('id')).toEqual(variants.map((variant) => variant.id))
    expect(all('id')[0]).toBe(id)
    expect(all('item_group_id')).toEqual([id, id, id])
    expect(all('size')).toEqual(['M', 'L', 'XL'])
    expect(all('color')).toEqual(['Blue', 'Blue', 'Blue'])
    expect(all('title')).toContain('Touring jacket, XL, Blue')
    const page = `${shop.config.origin}/product/${id}/touring-jacket`
    expect(all('link')).toEqual(['M', 'L', 'XL'].map((size) => `${page}?size=${size}&colour=Blue`))
    expect(all('price')).toEqual(['200.00 USD', '200.00 USD', '219.50 USD'])
    expect(all('availability')).toEqual(['in_stock', 'out_of_stock', 'in_stock'])
    expect(all('mpn')).toEqual(['J-M-BL'])
    expect(all('gtin')).toEqual(['4006381333931'])
  })

  test('has an id for each variant that is the SKU in its JSON-LD', async () => {
    const id = await aProduct(shop, someJacket)
    const { body } = await shop.call('getProduct', { params: { id } })
    const { hasVariant } = productGroupJsonLd(shop.config.origin, body)
    const variants = [hasVariant].flat() as { sku?: string; mpn?: string }[]
    expect(variants.map(({ sku }) => sku)).toEqual(await attributes('id'))
    expect(new Set(variants.map(({ sku }) => sku)).size).toBe(someJacket.variants.length)
    expect(variants.flatMap(({ mpn }) => mpn ?? [])).toEqual(await attributes('mpn'))
  })

  describe('with the attributes Gender and Age group', () => {
    const define = (gender: string, ageGroup: string) =>
      saveAttributes(
        shop.db,
        'Jackets',
        {
          attributes: [
            { name: gender, type: 'choice', choices: ['Female', 'Men'] },
            { name: ageGroup, type: 'choice', choices: ['ADULT', 'Seniors'] },
          ],
        },
        null,
      )

    test('has them in lower case for each variant', async () => {
      await define('gender', 'Age Group')
      await aProduct(shop, { ...someJacket, attributes: { gender: 'Female', 'Age Group': 'ADULT' } })
      const { body } = await read()
      expect(await listFaults(body, 'product-feed.xsd')).toEqual([])
      expect(textsIn(body, 'g:gender')).toEqual(someJacket.variants.map(() => 'female'))
      expect(textsIn(body, 'g:age_group')).toEqual(someJacket.variants.map(() => 'adult'))
    })

    test('has no other values, and none that the kind does not define any more', async () => {
      await define('Gender', 'Age group')
      await aProduct(shop, { kind: 'Jackets', attributes: { Gender: 'Men', 'Age group': 'Seniors' } })
      await aProduct(shop, { kind: 'Jackets', attributes: { Gender: 'Female', 'Age group': 'ADULT' } })
      expect(await attributes('gender')).toEqual(['female'])
      await define('Sex', 'Ages')
      expect([await attributes('gender'), await attributes('age_group')]).toEqual([[], []])
    })
  })

  test('has the safety certificates of gear as product details of each variant', async () => {
    const id = await aProduct(shop, someJacket)
    const certificates = [
      { standard: 'EN 17092', class: 'AA', zone: '' },
      { standard: 'EN 1621-1', class: '2', zone: 'elbow' },
      { standard: 'ECE 22.06', class: '', zone: '' },
    ]
    await shop.db
      .insertInto('certificates')
      .values(certificates.map((certificate) => ({ product_id: id, ...certificate })))
      .execute()
    const { body } = await read()
    expect(await listFaults(body, 'product-feed.xsd')).toEqual([])
    expect(body).not.toContain('<g:certification>')
    const values = textsIn(body, 'g:attribute_value')
    expect(textsIn(body, 'g:attribute_name').map((name, index) => [name, values[index]])).toEqual(
      someJacket.variants.flatMap(() => [
        ['ECE 22.06', 'certified'],
        ['EN 1621-1, elbow', 'level 2'],
        ['EN 17092', 'class AA'],
      ]),
    )
  })

  test('marks a product without identifiers, and keeps the URL of an external picture', async () => {
    await aProduct(shop, { image: 'https://maker.example/a b/größe.jpg?x=1&y=2'.replace(' ', '') })
    expect(await attributes('identifier_exists')).toEqual(['no'])
    expect(await attributes('image_link')).toEqual(['https://maker.example/ab/gr%C3%B6%C3%9Fe.jpg?x=1&y=2'])
    expect(await listFaults((await read()).body, 'product-feed.xsd')).toEqual([])
  })

  test('has no in-store GTIN, and marks a product that has no other identifiers', async () => {
    const inStore = await aProduct(shop)
    await set(inStore, { gtin: '2001234567893' })
    await set(await aProduct(shop), { gtin: '4006381333931' })
    expect(await attributes('gtin')).toEqual(['4006381333931'])
    expect(await attributes('identifier_exists')).toEqual(['no'])
    const found = await shop.call('listProducts', { query: { q: '2001234567893' } })
    expect(found.body).toMatchObject([{ _id: inStore, gtin: '2001234567893' }])
  })

  test("omits deleted products and characters that XML can't contain, and escapes all others", async () => {
    const deleted = await aProduct(shop)
    await set(deleted, { deleted_at: new Date() })
    const id = await aProduct(shop)
    const name = `</item>]]>&<script>"'\u0001\u000b\u001b\ufffe 日本 🏍️ מגן ידיים Größe`
    await set(id, { name, description: '🏍'.repeat(6000) })
    const { body } = await read()
    expect(await listFaults(body, 'product-feed.xsd')).toEqual([])
    expect(textsIn(body, 'g:id')).toEqual([id])
    expect(textsIn(body, 'g:title')).toEqual([`</item>]]>&<script>"' 日本 🏍️ מגן ידיים Größe`])
    expect(textsIn(body, 'g:description')).toEqual(['🏍'.repeat(5000)])
  })

  test("omits a text that has only characters that XML can't contain", async () => {
    const id = await aProduct(shop)
    await set(id, { name: '\ufffe', description: '\ufffe', brand: '\u0001', kind: '\ufffe' })
    await sql`update variants set size = ${'\ufffe'}, colour = ${'\u0001'} where product_id = ${id}`.execute(
      shop.db,
    )
    const { body } = await read()
    expect(await listFaults(body, 'product-feed.xsd')).toEqual([])
    // Both are required.
    expect(textsIn(body, 'g:title')).toEqual([expect.stringContaining(id)])
    expect(textsIn(body, 'g:description')).toEqual([id])
  })

  test('shows immediately in every process that the last piece is sold', async () => {
    const rider = await aCustomer(shop)
    const productId = await aProduct(shop, { quantity: 2 })
    await anOrder(shop, rider, { productId })
    expect(await attributes('availability')).toEqual(['in_stock'])
    expect(await attributes('availability', neighbour)).toEqual(['in_stock'])
    await anOrder(shop, rider, { productId })
    expect(await attributes('availability')).toEqual(['out_of_stock'])
    expect(await attributes('availability', neighbour)).toEqual(['out_of_stock'])
  })

  test('marks a product with less stock than its minimum order as out of stock', async () => {
    await aProduct(shop, { quantity: 3, minimum: 4 })
    expect(await attributes('availability')).toEqual(['out_of_stock'])
  })

  test('contains all chunks, even chunks longer than one read batch', async () => {
    const ids: string[] = []
    for (let count = 0; count < 501; count++) ids.push(await aProduct(shop))
    await sql`alter table sitemap_entries alter column sequence restart with 60000`.execute(shop.db)
    ids.push(await aProduct(shop))
    expect(await attributes('id')).toEqual(ids)
  })

  test('is 304 if nothing has changed for a minute', async () => {
    const productId = await aProduct(shop, { quantity: 2 })
    const fresh = await read()
    expect(fresh.headers['last-modified']).toBeUndefined()
    await age('61 seconds')
    const { headers } = await read()
    expect(headers['cache-control']).toBe('no-cache')
    const known = { 'if-modified-since': String(headers['last-modified']) }
    const again = await read(known)
    expect({ status: again.statusCode, body: again.body }).toEqual({ status: 304, body: '' })

    const rider = await aCustomer(shop)
    await anOrder(shop, rider, { productId })
    expect((await read(known)).statusCode, 'one of two is sold: nothing in the feed is other').toBe(304)
    await anOrder(shop, rider, { productId })
    const changed = await read(known)
    expect(changed.statusCode).toBe(200)
    expect(textsIn(changed.body, 'g:availability')).toEqual(['out_of_stock'])
  })

  test.each([
    ['name', { name: 'Other' }],
    ['description', { description: 'Other.' }],
    ['image', { image: '/pictures/oil.svg' }],
    ['price', { price_cents: 100 }],
    ['brand', { brand: 'Other' }],
    ['kind', { kind: 'Other' }],
    ['sku', { sku: 'OTHER' }],
    ['gtin', { gtin: '4006381333931' }],
    ['minimum', { minimum_quantity: 99 }],
    ['deletion', { deleted_at: new Date() }],
  ])('is sent again after a change of the %s', async (_what, values) => {
    const id = await aProduct(shop)
    await age('2 minutes')
    const known = { 'if-modified-since': String((await read()).headers['last-modified']) }
    expect((await read(known)).statusCode).toBe(304)
    await set(id, values)
    expect((await read(known)).statusCode).toBe(200)
  })

  test.each<[string, string]>([
    ['the price', "update variants set price_cents = 30000 where size = 'XL'"],
    ['the picture', "update variants set image = '/pictures/oil.svg' where size = 'XL'"],
    ['the size', "update variants set size = 'XXL' where size = 'XL'"],
    ['the availability', "update variants set stock = 0 where size = 'XL'"],
    ['the removal', "update variants set removed_at = now() where size = 'L'"],
    [
      'the addition',
      "insert into variants (id, product_id, position, size, stock) select 'new', id, 9, 'S', 0 from products",
    ],
  ])('is sent again after %s of a variant', async (_what, change) => {
    await aProduct(shop, someJacket)
    await age('2 minutes')
    const known = { 'if-modified-since': String((await read()).headers['last-modified']) }
    await sql`update variants set stock = 5 where size = 'M' and colour = 'Blue'`.execute(shop.db)
    expect((await read(known)).statusCode, 'a change that is not public').toBe(304)
    await sql.raw(change).execute(shop.db)
    expect((await read(known)).statusCode).toBe(200)
  })

  test('is available to others after clients disconnect early', async () => {
    const deleted: Promise<unknown>[] = []
    const note = (socket: Socket) => deleted.push(new Promise((resolve) => socket.once('close', resolve)))
    shop.app.server.on('connection', note)
    await shop.db.transaction().execute(async (tx) => {
      await sql`lock table sitemap_entries in access exclusive mode`.execute(tx)
      const readers = [1, 2, 3].map(() =>
        request(`${shop.config.origin}/feeds/products.xml`, { agent: false }).on('error', () => undefined),
      )
      for (const reader of readers) reader.end()
      await vi.waitFor(async () => {
        const { rows } = await sql`
          select from pg_locks where relation = 'sitemap_entries'::regclass and not granted
            and database = (select oid from pg_database where datname = current_database())`.execute(tx)
        expect(rows).toHaveLength(readers.length)
      }, 60_000)
      for (const reader of readers) reader.destroy()
      expect(await Promise.all(deleted)).toHaveLength(readers.length)
    })
    shop.app.server.off('connection', note)
    await vi.waitFor(async () => {
      const { rows } = await sql`
        select from pg_locks where relation = 'sitemap_entries'::regclass
          and database = (select oid from pg_database where datname = current_database())`.execute(shop.db)
      expect(rows).toEqual([])
    }, 60_000)
    expect((await read()).statusCode).toBe(200)
  })

  test('is compressed if the client accepts it; HEAD returns only the headers', async () => {
    await aProduct(shop)
    const { headers, rawPayload } = await read({ 'accept-encoding': 'gzip' })
    expect(headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(rawPayload).toString()).toBe((await read()).body)
    const head = await shop.app.inject({ method: 'HEAD', url: '/feeds/products.xml' })
    expect({ status: head.statusCode, body: head.body }).toEqual({ status: 200, body: '' })
  })
})
