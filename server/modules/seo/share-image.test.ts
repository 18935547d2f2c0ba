import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { shareImage, shopShareImage } from '../../../contract/pictures.ts'
import { openTestShop, type TestShop } from '../../../tests/shop.ts'

const origin = 'https://shop.example'

test.each([
  ['/pictures/chain/d9482b.svg', `${origin}/pictures/chain/d9482b.png`],
  ['/pictures/oil.svg', `${origin}/pictures/oil.png`],
  ['/pictures/uploaded/0123-640.jpeg', `${origin}/pictures/uploaded/0123-640.jpeg`],
  ['https://maker.example/größe.jpg', 'https://maker.example/gr%C3%B6%C3%9Fe.jpg'],
  ['https://', `${origin}/pictures/hero.png`],
])('the share image of %s is %s', (image, url) => {
  expect(shareImage(origin, image).url).toBe(url)
})

describe('GET /pictures/….png', () => {
  let shop: TestShop
  beforeAll(async () => {
    shop = await openTestShop()
  })
  afterAll(() => shop.close())
  const get = (url: string) => shop.app.inject(url)

  test.each([
    shareImage('', '/pictures/helmet-full-face/d9482b.svg').url,
    shareImage('', '/pictures/helmet-full-face.svg').url,
    shopShareImage('').url,
  ])('%s is a PNG of the size that pages announce', async (url) => {
    const { statusCode, headers, rawPayload } = await get(url)
    expect(statusCode).toBe(200)
    expect(headers).toMatchObject({ 'content-type': 'image/png', 'cache-control': 'public, max-age=86400' })
    expect(await sharp(rawPayload).metadata()).toMatchObject({ format: 'png', width: 1200, height: 630 })
    expect(rawPayload.length).toBeLessThan(300_000)
  })

  test('shows the drawing in its tint', async () => {
    const [red, blue] = await Promise.all(
      ['ff0000', '0000ff'].map((tint) => get(`/pictures/chain/${tint}.png`)),
    )
    expect(red?.rawPayload).not.toEqual(blue?.rawPayload)
  })

  test('is small and has the shape of a product picture in emails', async () => {
    const { headers, rawPayload } = await get('/pictures/chain/ff0000.email.png')
    expect(headers['content-type']).toBe('image/png')
    expect(await sharp(rawPayload).metadata()).toMatchObject({ format: 'png', width: 320, height: 240 })
  })

  test('is 404 if there is no such drawing', async () => {
    for (const path of ['nothing', 'nothing/d9482b', 'chain/red', '..%2Fpackage']) {
      expect((await get(`/pictures/${path}.png`)).statusCode, path).toBe(404)
    }
  })

  test('is 503 if too many requests wait', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 40 }, async () => (await get('/pictures/hero.png')).statusCode),
    )
    expect(new Set(statuses)).toEqual(new Set([200, 503]))
  })
})
