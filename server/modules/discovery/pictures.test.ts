import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { anAdmin, aProduct } from '../../../tests/factories.ts'
import { openTestShop, type TestShop } from '../../../tests/shop.ts'
import { createPictures } from './drawing.ts'
import { drawableWords, linesOf, outline, widthOf } from './lettering.ts'
import { drawnPath, type PicturedProduct } from './pictures.ts'

const product: PicturedProduct = {
  id: 'f'.repeat(24),
  name: 'Strada full-face helmet',
  brand: 'Corvane',
  kind: 'Full-face helmets',
  sku: 'CV-100',
  image: '/pictures/helmet-full-face/d9482b.svg',
  price_cents: 28_900,
  minimum_quantity: 1,
}
const other = (changes: Partial<PicturedProduct>): PicturedProduct => ({ ...product, ...changes })

describe('the address of a picture', () => {
  test.each([
    { name: 'Other' },
    { brand: null },
    { kind: null },
    { sku: null },
    { price_cents: 1 },
    { minimum_quantity: 2 },
    { image: '/pictures/oil.svg' },
  ])('is another one when the product shows %j', (changes) => {
    expect(drawnPath(other(changes), 'card')).not.toBe(drawnPath(product, 'card'))
  })

  test('of the drawing alone stays when the words change', () => {
    expect(drawnPath(other({ name: 'Other', price_cents: 1 }), 'plain')).toBe(drawnPath(product, 'plain'))
  })
})

describe('a drawn card', () => {
  const { ofProduct: draw, ofShop } = createPictures({ shopName: 'Torque Yard' })
  const card = (changes: Partial<PicturedProduct>) => draw(other(changes), 'card')

  test('is a PNG of 1200 x 630, small enough to be shown everywhere', async () => {
    const bytes = await draw(product, 'card')
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'png', width: 1200, height: 630 })
    expect(bytes.length).toBeLessThan(300_000)
  })

  test('of the shop itself has the same size', async () => {
    expect(await sharp(await ofShop()).metadata()).toMatchObject({ format: 'png', width: 1200, height: 630 })
  })

  test('shows name, brand, price and drawing: each other one is another picture', async () => {
    const pictures = await Promise.all([
      card({}),
      card({ name: 'Other' }),
      card({ brand: 'Other' }),
      card({ price_cents: 1999 }),
      card({ minimum_quantity: 2 }),
      card({ image: '/pictures/chain/d9482b.svg' }),
      card({ image: 'https://maker.example/helmet.jpg' }),
    ])
    expect(new Set(pictures.map((picture) => picture.toString('base64'))).size).toBe(pictures.length)
  })

  test("is drawn with the shop's own letters: what they lack is left out, never taken from the machine", async () => {
    expect(outline('日本', 700, 40, 0, 0)).toBe('')
    expect(widthOf('Łé ž', 700, 40)).toBeGreaterThan(widthOf('Łé', 700, 40))
    expect(await card({ name: 'Chain 日本 kit 🏍️' })).toEqual(await card({ name: 'Chain kit' }))
  })

  test.each(['Тормозные колодки', 'Ελληνικά τακάκια', 'Má phanh trước ở'])('has letters for %s', (name) => {
    expect(drawableWords(name, 700)).toBe(name.normalize('NFC'))
    expect(outline(name, 700, 54, 0, 0)).toMatch(/^M[^a-z]{1000,}$/)
  })

  test.each(['刹车片 前轮', 'מגן ידיים', '🏍️', '日本A'])(
    'says what kind of part it is, and its number, where the name %s has no letters to draw it with',
    async (name) => {
      expect(await card({ name })).toEqual(await card({ name: 'Full-face helmets CV-100' }))
      expect(await card({ name, kind: null, sku: null })).toEqual(
        await card({ name: '', kind: null, sku: null }),
      )
    },
  )

  test('shows a name of 90 letters whole, and breaks a word that is longer than a line', () => {
    const name = 'Grauwerk reinforced stainless braided brake line kit for dual front discs with ABS, 90 cha'
    expect(linesOf(name, 700, 54, 520, 4).join(' ')).toBe(name)
    const word = 'Donaudampfschifffahrtsgesellschaftskapitänsmütze'
    const lines = linesOf(word, 700, 46, 520, 5)
    expect(lines.length).toBeGreaterThan(1)
    expect(lines.join('')).toBe(word)
  })

  test('keeps the longest names in their place', () => {
    const long = 'Donaudampfschifffahrtskapitän '.repeat(6)
    const lines = linesOf(long, 700, 54, 520, 3)
    expect(lines.length).toBe(3)
    expect(lines.at(-1)).toMatch(/…$/)
    for (const line of lines) expect(widthOf(line, 700, 54)).toBeLessThanOrEqual(520)
    for (const signs of ['', ' ', '<&>"\'', '\u0000\u001f']) {
      expect(() => card({ name: signs, brand: signs })).not.toThrow()
    }
  })

  test('has no number in its outlines that is none', () => {
    const text = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join('')
    for (const size of [32, 54, 64, 76, 92]) expect(outline(text, 700, size, 64, 168)).not.toMatch(/NaN|e/)
  })

  test('is drawn once, and again when it was pushed out by others', async () => {
    const { ofProduct: bounded } = createPictures({ shopName: 'Torque Yard', mostBytes: 200_000 })
    const first = await bounded(product, 'card')
    expect(await bounded(product, 'card')).toBe(first)
    for (let price = 1; price < 6; price++) await bounded(other({ price_cents: price }), 'card')
    const again = await bounded(product, 'card')
    expect(again).not.toBe(first)
    expect(again).toEqual(first)
  })

  test('is refused when too many wait already', async () => {
    const { ofProduct: narrow } = createPictures({ shopName: 'Torque Yard', waiting: 2 })
    const answers = await Promise.allSettled(
      [1, 2, 3, 4].map((price) => narrow(other({ price_cents: price }), 'card')),
    )
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected'])
    expect(answers[3]).toMatchObject({ reason: { code: 'UNAVAILABLE' } })
    expect((await narrow(product, 'card')).length).toBeGreaterThan(0)
  })
})

describe('GET /pictures/products', () => {
  let shop: TestShop
  beforeAll(async () => {
    shop = await openTestShop()
  })
  afterAll(() => shop.close())
  beforeEach(() => shop.database.empty())

  const pathOf = async (id: string, look: 'card' | 'plain' = 'card') => {
    const row = await shop.db
      .selectFrom('products')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    return drawnPath(row, look)
  }

  test('may be kept for ever', async () => {
    const id = await aProduct(shop)
    for (const look of ['card', 'plain'] as const) {
      const { statusCode, headers, rawPayload } = await shop.app.inject(await pathOf(id, look))
      expect(statusCode).toBe(200)
      expect(headers).toMatchObject({
        'content-type': 'image/png',
        'cache-control': 'public, max-age=31536000, immutable',
      })
      expect((await sharp(rawPayload).metadata()).width).toBe(1200)
    }
  })

  test('leads from an old picture to what the product looks like now', async () => {
    const id = await aProduct(shop)
    const old = await pathOf(id)
    await shop.db.updateTable('products').set({ price_cents: 100 }).where('id', '=', id).execute()
    const { statusCode, headers } = await shop.app.inject(old)
    expect({ statusCode, location: headers.location }).toEqual({
      statusCode: 307,
      location: await pathOf(id),
    })
  })

  test('draws nothing for what is not in the shop', async () => {
    const id = await aProduct(shop)
    const path = await pathOf(id)
    const ask = async (url: string) => (await shop.app.inject(url)).statusCode
    expect(await ask(path.replace(id, 'e'.repeat(24)))).toBe(404)
    expect(await ask(path.replace('card', 'poster'))).toBe(404)
    expect(await ask(path.replace(/\/\w{12}-/, '/x-'))).toBe(404)
    await shop.db.updateTable('products').set({ deleted_at: new Date() }).where('id', '=', id).execute()
    expect(await ask(path)).toBe(404)
  })

  test('shows the picture that was uploaded for a product, in each of its formats', async () => {
    const red = sharp({ create: { width: 400, height: 300, channels: 3, background: '#ff0000' } })
    const { body } = await shop.call('addPicture', {
      as: await anAdmin(shop),
      body: await red.png().toBuffer(),
      headers: { 'content-type': 'image/png' },
    })
    for (const format of ['jpeg', 'avif']) {
      const id = await aProduct(shop, { image: body.image.replace('jpeg', format) })
      const { rawPayload } = await shop.app.inject(await pathOf(id))
      const middle = { left: 920, top: 315, width: 1, height: 1 }
      const [red, green, blue] = await sharp(rawPayload).extract(middle).removeAlpha().raw().toBuffer()
      expect([Number(red) > 240, Number(green) < 20, Number(blue) < 20], format).toEqual([true, true, true])
    }
  })

  test("never loads a picture at another's address", async () => {
    let asked = 0
    const elsewhere = createServer((_request, reply) => {
      asked++
      reply.end()
    }).listen(0, '127.0.0.1')
    await once(elsewhere, 'listening')
    const image = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/a.svg`
    const id = await aProduct(shop, { image })
    expect((await shop.app.inject(await pathOf(id))).statusCode).toBe(200)
    expect((await shop.app.inject(await pathOf(id, 'plain'))).statusCode).toBe(404)
    expect(asked).toBe(0)
    elsewhere.close()
  })
})
