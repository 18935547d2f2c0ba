import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { anAdmin, aProduct, type TestCustomer } from '../../../tests/factories.ts'
import { freePort } from '../../../tests/free-port.ts'
import { openTcpProxy } from '../../../tests/proxy.ts'
import { openS3Server, type S3Server } from '../../../tests/s3-server.ts'
import { openTestShop, refused, type TestShop } from '../../../tests/shop.ts'
import { openS3Store } from './s3.ts'
import { deleteUnusedPictures } from './service.ts'

let server: S3Server
let shop: TestShop
let admin: TestCustomer
let picture: Buffer

beforeAll(async () => {
  server = await openS3Server()
  shop = await openTestShop({ pictures: { store: 's3', s3: server.settings, url: null } })
  picture = await sharp({ create: { width: 8, height: 6, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
})
afterAll(async () => {
  await shop.close()
  await server.close()
})
beforeEach(async () => {
  await shop.database.empty()
  admin = await anAdmin(shop)
})

const upload = (to = shop, as = admin) =>
  to.call('addPicture', { as, body: picture, headers: { 'content-type': 'image/png' } })

const countPictures = async () => (await shop.db.selectFrom('pictures').select('hash').execute()).length

const toNames = (image: string) => {
  const hash = /[0-9a-f]{32}/.exec(image)?.[0]
  return ['avif', 'jpeg', 'webp'].map((format) => `pictures/${hash}-320.${format}`)
}

test('an upload is stored in the bucket and not in the database, and the shop serves it', async () => {
  const { body } = await upload()
  expect(server.list()).toEqual(toNames(body.image))
  expect(await shop.db.selectFrom('picture_files').selectAll().execute()).toEqual([])
  const response = await fetch(`${shop.config.origin}${body.image}`)
  expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  const { format, width } = await sharp(Buffer.from(await response.arrayBuffer())).metadata()
  expect([format, width]).toEqual(['jpeg', 8])
})

test('a repeated upload stores again what is missing in the bucket', async () => {
  const { body } = await upload()
  const hash = /[0-9a-f]{32}/.exec(body.image)?.[0] ?? ''
  const store = openS3Store(server.settings, { error: () => undefined })
  await store.remove({ hash, width: 320, format: 'webp' })
  await upload()
  expect(server.list()).toEqual(toNames(body.image))
})

test('an unused picture is deleted from the bucket', async () => {
  await upload()
  const store = openS3Store(server.settings, { error: () => undefined })
  const deps = { db: shop.db, store, log: { info: () => undefined } }
  const longAgo = new Date('2020-01-01')
  await shop.db.updateTable('pictures').set({ uploaded_at: longAgo, unused_since: longAgo }).execute()
  await deleteUnusedPictures(deps)
  expect([server.list(), await countPictures()]).toEqual([[], 0])
})

test('a picture is served while the database is frozen', async () => {
  const { body } = await upload()
  const proxy = await openTcpProxy(shop.database.url)
  const other = await openTestShop({ pictures: shop.config.pictures, databaseUrl: proxy.url })
  try {
    proxy.freeze()
    await vi.waitUntil(async () => (await other.request('GET', '/readyz')).status === 503, {
      timeout: 60_000,
    })
    expect((await other.request('GET', body.image)).status).toBe(200)
    expect((await other.request('GET', '/api/product/x')).status).toBe(503)
  } finally {
    proxy.thaw()
    await other.close()
    await proxy.close()
  }
})

test('without the store an upload fails and records nothing; other calls do not need it', async () => {
  const absent = { ...server.settings, endpoint: `http://127.0.0.1:${await freePort()}` }
  const other = await openTestShop({ pictures: { store: 's3', s3: absent, url: null } })
  try {
    expect(await upload(other, await anAdmin(other))).toMatchObject(refused('PICTURE_STORE_UNAVAILABLE'))
    const image = `/pictures/uploaded/${'0'.repeat(32)}-320.jpeg`
    expect(await other.request('GET', image)).toMatchObject(refused('PICTURE_STORE_UNAVAILABLE'))
    const id = await aProduct(other, { image })
    expect(await other.call('getProduct', { params: { id } })).toMatchObject({ status: 200, body: { image } })
    expect(await other.db.selectFrom('pictures').selectAll().execute()).toEqual([])
  } finally {
    await other.close()
  }
})
