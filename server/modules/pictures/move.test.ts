import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { anAdmin, type TestCustomer } from '../../../tests/factories.ts'
import { openS3Server, type S3Server } from '../../../tests/s3-server.ts'
import { openTestShop, type TestShop } from '../../../tests/shop.ts'
import { movePictures } from './move.ts'
import { openS3Store } from './s3.ts'
import { openPostgresStore, type PictureStore } from './store.ts'

let shop: TestShop
let server: S3Server
let admin: TestCustomer
let postgres: PictureStore
let bucket: PictureStore

beforeAll(async () => {
  shop = await openTestShop()
  postgres = openPostgresStore(shop.db)
})
afterAll(() => shop.close())
beforeEach(async () => {
  await shop.database.empty()
  admin = await anAdmin(shop)
  server = await openS3Server()
  bucket = openS3Store(server.settings, { error: () => undefined })
  return () => server.close()
})

/** Uploads pictures with three files each; returns their hashes in the order in which they are moved. */
async function addPictures(count: number): Promise<string[]> {
  const hashes: string[] = []
  for (let shade = 0; shade < count; shade++) {
    const background = { r: shade, g: 0, b: 0 }
    const body = await sharp({ create: { width: 4, height: 4, channels: 3, background } })
      .png()
      .toBuffer()
    const response = await shop.call('addPicture', {
      as: admin,
      body,
      headers: { 'content-type': 'image/png' },
    })
    hashes.push(/[0-9a-f]{32}/.exec(response.body.image)?.[0] ?? '')
  }
  return hashes.toSorted()
}

const run = (from: PictureStore, to: PictureStore, more: Partial<Parameters<typeof movePictures>[0]> = {}) =>
  movePictures({
    db: shop.db,
    from,
    to,
    removeSource: false,
    signal: new AbortController().signal,
    onProgress: () => undefined,
    ...more,
  })

const readFiles = () =>
  shop.db.selectFrom('picture_files').selectAll().orderBy('hash').orderBy('width').orderBy('format').execute()

test('pictures move to a bucket and back without a change of any byte', async () => {
  await addPictures(3)
  const before = await readFiles()
  expect(await run(postgres, bucket, { removeSource: true })).toEqual({
    pictures: 3,
    copiedFiles: 9,
    incomplete: [],
  })
  expect([await readFiles(), server.list().length]).toEqual([[], 9])
  await run(bucket, postgres, { removeSource: true })
  expect([await readFiles(), server.list()]).toEqual([before, []])
})

test('without removal the originals stay, and a second run copies nothing', async () => {
  await addPictures(2)
  expect((await run(postgres, bucket)).copiedFiles).toBe(6)
  expect(await run(postgres, bucket)).toEqual({ pictures: 2, copiedFiles: 0, incomplete: [] })
  expect((await readFiles()).length).toBe(6)
})

test('an interrupted run ends after the current picture, and the next one does the rest', async () => {
  const [first] = await addPictures(3)
  const stopping = new AbortController()
  const stoppingBucket: PictureStore = {
    ...bucket,
    async put(key, content) {
      await bucket.put(key, content)
      stopping.abort()
    },
  }
  const result = await run(postgres, stoppingBucket, { signal: stopping.signal, removeSource: true })
  expect(result).toEqual({ pictures: 1, copiedFiles: 3, incomplete: [] })
  expect(server.list().filter((name) => !name.includes(first ?? ''))).toEqual([])
  expect(await run(postgres, bucket, { removeSource: true })).toEqual({
    pictures: 3,
    copiedFiles: 6,
    incomplete: [],
  })
  expect([(await readFiles()).length, server.list().length]).toEqual([0, 9])
})

test('a file that differs in the target is replaced', async () => {
  const [hash = ''] = await addPictures(1)
  const key = { hash, width: 320, format: 'avif' } as const
  await bucket.put(key, Buffer.from('something else'))
  expect((await run(postgres, bucket)).copiedFiles).toBe(3)
  expect(await bucket.get(key)).toEqual(await postgres.get(key))
})

test('a target that stores other bytes stops the run before anything is removed', async () => {
  await addPictures(1)
  const broken: PictureStore = {
    ...bucket,
    put: (key, content) => bucket.put(key, content.subarray(0, content.length / 2)),
  }
  await expect(run(postgres, broken, { removeSource: true })).rejects.toThrow(
    /^The copy of .* differs from the original\./,
  )
  expect((await readFiles()).length).toBe(3)
})

test('a picture with a missing file is reported and not removed', async () => {
  const [hash = ''] = await addPictures(1)
  await postgres.remove({ hash, width: 320, format: 'webp' })
  expect(await run(postgres, bucket, { removeSource: true })).toEqual({
    pictures: 1,
    copiedFiles: 2,
    incomplete: [hash],
  })
  expect((await readFiles()).length).toBe(2)
})
