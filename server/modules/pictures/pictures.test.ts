import sharp from 'sharp'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { maxPictureBytes } from '../../../contract/picture-uploads.ts'
import { pictureLinks } from '../../../contract/pictures.ts'
import { untilWaiting } from '../../../tests/database.ts'
import {
  aCustomer,
  anAdmin,
  anOrder,
  aProduct,
  readProductEtag,
  type TestCustomer,
} from '../../../tests/factories.ts'
import { checkFile, checkUndo, productHeader, productRow, runImport } from '../../../tests/product-import.ts'
import { refused, useCustomer, useTestShop } from '../../../tests/shop.ts'
import { addPicture, deleteUnusedPictures, openPostgresStore, type PictureStore } from './service.ts'

const shop = useTestShop()
const admin = useCustomer(() => anAdmin(shop))

const photo = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#b93a0a' } })

const upload = (body: Buffer, as: TestCustomer | undefined = admin, type = 'image/jpeg') =>
  shop.call('addPicture', { as, body, headers: { 'content-type': type } })

async function load(url: string) {
  const response = await fetch(`${shop.config.origin}${url}`)
  return { response, bytes: Buffer.from(await response.arrayBuffer()) }
}

const toUrls = (image: string): string[] => [
  image,
  ...pictureLinks(image, null).sources.flatMap(({ srcSet }) =>
    srcSet.split(', ').map((part) => part.split(' ')[0] ?? ''),
  ),
]

describe('POST /v1/pictures', () => {
  test('is for admins, and rejects others before it reads the body', async () => {
    const rider = await aCustomer(shop)
    const body = Buffer.alloc(maxPictureBytes + 1)
    expect(await shop.call('addPicture', { body })).toMatchObject(refused('NOT_SIGNED_IN'))
    expect(await upload(body, rider)).toMatchObject(refused('ADMIN_REQUIRED'))
  })

  test('stores one file at a time, so that it does not take all connections', async () => {
    const store = openPostgresStore(shop.db)
    let running = 0
    const counts: number[] = []
    const alone =
      <Args extends unknown[], Result>(work: (...args: Args) => Promise<Result>) =>
      (...args: Args) => {
        counts.push(++running)
        return work(...args).finally(() => running--)
      }
    const watched = { ...store, put: alone(store.put), has: alone(store.has) }
    const file = await photo(900, 600).jpeg().toBuffer()
    for (let count = 0; count < 2; count++) await addPicture({ db: shop.db, store: watched }, file, admin.id)
    expect(counts.length).toBeGreaterThan(9)
    expect(new Set(counts)).toEqual(new Set([1]))
  })

  test('creates each size and format once, never larger than the original', async () => {
    const { status, body } = await upload(await photo(900, 600).jpeg().toBuffer())
    expect(status).toBe(200)
    expect(body.image).toMatch(/^\/pictures\/uploaded\/[0-9a-f]{32}-1280\.jpeg$/)
    const sizes = await Promise.all(
      toUrls(body.image).map(async (url) => {
        const { bytes } = await load(url)
        const { format, width, height } = await sharp(bytes).metadata()
        return `${url.split('-')[1]}: ${format} ${width} x ${height}`
      }),
    )
    expect(sizes).toEqual([
      '1280.jpeg: jpeg 900 x 600',
      '320.avif: heif 320 x 213',
      '640.avif: heif 640 x 427',
      '1280.avif: heif 900 x 600',
      '320.webp: webp 320 x 213',
      '640.webp: webp 640 x 427',
      '1280.webp: webp 900 x 600',
    ])
  })

  test('a small picture has only one size', async () => {
    const { body } = await upload(await photo(200, 150).png().toBuffer())
    expect(toUrls(body.image).map((url) => url.split('-')[1])).toEqual(['320.jpeg', '320.avif', '320.webp'])
  })

  test('a tall picture fits the box of its width', async () => {
    const { body } = await upload(await photo(1000, 4000).jpeg().toBuffer())
    const { bytes } = await load(body.image)
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 240, height: 960 })
  })

  test('rotates a picture upright and removes its metadata', async () => {
    const turned = await photo(400, 200)
      .withExif({ IFD0: { Copyright: 'somebody' }, IFD3: { GPSLatitude: '47/1 22/1 0/1' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    expect((await sharp(turned).metadata()).exif).toBeDefined()
    const { body } = await upload(turned)
    for (const url of toUrls(body.image)) {
      const { bytes } = await load(url)
      const { width, height, exif, orientation } = await sharp(bytes).metadata()
      expect(height, url).toBeGreaterThan(width)
      expect({ exif, orientation }).toEqual({ exif: undefined, orientation: undefined })
      expect(bytes.includes('somebody')).toBe(false)
    }
  })

  test('keeps transparency, and makes it white in formats without it', async () => {
    const clear = sharp({ create: { width: 80, height: 60, channels: 4, background: '#00000000' } })
    const { body } = await upload(await clear.png().toBuffer())
    const [jpeg = '', avif = '', webp = ''] = toUrls(body.image)
    const corner = async (url: string) => [
      ...(await sharp((await load(url)).bytes)
        .raw()
        .toBuffer()),
    ]
    expect((await corner(jpeg)).slice(0, 3)).toEqual([255, 255, 255])
    expect((await corner(avif))[3]).toBe(0)
    expect((await corner(webp))[3]).toBe(0)
  })

  test.each(['png', 'webp', 'avif'] as const)('accepts %s with any content type', async (format) => {
    const { status } = await upload(await photo(60, 40)[format]().toBuffer(), admin, 'image/jpeg')
    expect(status).toBe(200)
  })

  test('the same picture has the same URL, even for concurrent uploads', async () => {
    const picture = await photo(40, 30).png().toBuffer()
    const responses = await Promise.all([upload(picture), upload(picture)])
    responses.push(await upload(picture))
    expect(new Set(responses.map(({ body }) => body.image)).size).toBe(1)
    const { count } = await shop.db
      .selectFrom('pictures')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    expect(count).toBe(1)
  })

  test.each([
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    [
      'an SVG with a declaration',
      Buffer.from('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'),
    ],
    ['an HTML page', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['a GIF', Buffer.from(`GIF89a${'\0'.repeat(40)}`)],
    ['a PDF', Buffer.from(`%PDF-1.7${' '.repeat(40)}`)],
    ['an empty file', Buffer.alloc(0)],
    ['only the first bytes of a JPEG', Buffer.from([0xff, 0xd8, 0xff])],
  ])('rejects %s by its content', async (_what, body) => {
    expect(await upload(body)).toMatchObject(refused('PICTURE_KIND_REFUSED'))
  })

  test('rejects a picture with more than 50 megapixels without decoding it', async () => {
    const bomb = await photo(10_000, 5_001).png().toBuffer()
    expect(bomb.length).toBeLessThan(1_000_000)
    expect(await upload(bomb)).toMatchObject(refused('PICTURE_HAS_TOO_MANY_PIXELS'))
  })

  test('rejects a damaged picture and accepts the next one', async () => {
    const whole = await photo(600, 400).jpeg().toBuffer()
    expect(await upload(whole.subarray(0, 700))).toMatchObject(refused('PICTURE_UNREADABLE'))
    const noise = Buffer.concat([whole.subarray(0, 20), Buffer.alloc(400, 7)])
    expect(await upload(noise)).toMatchObject(refused('PICTURE_UNREADABLE'))
    expect((await upload(whole)).status).toBe(200)
  })

  test('accepts exactly 12 MB; other calls have their own limit', async () => {
    const picture = await photo(40, 30).png().toBuffer()
    const padded = (bytes: number) => Buffer.concat([picture, Buffer.alloc(bytes - picture.length)])
    expect((await upload(padded(maxPictureBytes))).status).toBe(200)
    expect(await upload(padded(maxPictureBytes + 1))).toMatchObject(refused('BODY_TOO_LARGE'))
    const long = { review: 'x'.repeat(200_000) }
    expect(await shop.call('addReview', { as: admin, body: long })).toMatchObject(refused('BODY_TOO_LARGE'))
  })

  test('accepts only pictures, and other calls accept none', async () => {
    const { as, body } = { as: admin, body: Buffer.from('{}') }
    const json = { as, body, headers: { 'content-type': 'application/json' } }
    expect((await shop.call('addPicture', json)).status).toBe(415)
    const png = { as, body, headers: { 'content-type': 'image/png' } }
    expect(await shop.call('addReview', png)).toMatchObject(refused('UNSUPPORTED_MEDIA_TYPE'))
  })
})

describe('GET /pictures/uploaded', () => {
  test("is cacheable forever, can't run scripts, and has a content type", async () => {
    const { body } = await upload(await photo(40, 30).png().toBuffer())
    const { response } = await load(body.image)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'cache-control': 'public, max-age=31536000, immutable',
      'cross-origin-resource-policy': 'cross-origin',
      'content-security-policy': "default-src 'none'",
      'x-content-type-options': 'nosniff',
    })
  })

  test.each([
    `/pictures/uploaded/${'0'.repeat(32)}-320.avif`,
    `/pictures/uploaded/${'0'.repeat(32)}-99999.avif`,
    `/pictures/uploaded/${'0'.repeat(32)}-320.svg`,
    '/pictures/uploaded/x-320.avif',
    '/pictures/uploaded/',
  ])('does not find %s', async (path) => {
    expect(await shop.request('GET', path)).toMatchObject(refused('NOT_FOUND'))
  })
})

describe('unused pictures', () => {
  const add = async (colour: string) => {
    const { body } = await upload(await photo(4, 4).tint(colour).png().toBuffer())
    return body.image
  }
  const isThere = async (image: string) => (await load(image)).response.ok
  /** Returns how many pictures were deleted. */
  async function deleteUnused(store = openPostgresStore(shop.db)): Promise<number> {
    let count = 0
    const log = { info: ({ deleted }: { deleted: number }) => void (count = deleted) }
    await deleteUnusedPictures({ db: shop.db, store, log })
    return count
  }
  const wait = (days: number) =>
    shop.database.pool.query(
      `update pictures set uploaded_at = uploaded_at - $1 * interval '24 hours 1 second',
        unused_since = unused_since - $1 * interval '24 hours 1 second'`,
      [days],
    )
  /** The same 30 days after the unused pictures were found. */
  async function deleteLater(store?: PictureStore): Promise<number> {
    expect(await deleteUnused(store)).toBe(0)
    await wait(30)
    return deleteUnused(store)
  }
  const drawing = '/pictures/brake-pads.svg'
  async function savePictures(id: string, ...images: string[]) {
    const saved = await shop.call('savePictures', {
      as: admin,
      params: { id },
      headers: { 'if-match': await readProductEtag(shop, admin, id) },
      body: { pictures: images.map((image) => ({ image })) },
    })
    expect(saved.status).toBe(200)
  }

  test('are deleted after 30 days with all their files, unless a product or an order uses them', async () => {
    const [lonely, sold, shown] = [await add('red'), await add('blue'), await add('lime')]
    await aProduct(shop, { image: shown })
    const rider = await aCustomer(shop)
    const soldId = await aProduct(shop, { image: sold })
    await anOrder(shop, rider, { productId: soldId })
    await savePictures(soldId, drawing)

    expect(await deleteLater()).toBe(1)
    expect([await isThere(sold), await isThere(shown)]).toEqual([true, true])
    expect(toUrls(lonely).length).toBe(3)
    for (const url of toUrls(lonely)) expect(await isThere(url)).toBe(false)
  })

  test('are not deleted with their product: Restore shows product, gallery and sizes with their pictures', async () => {
    const [first, second, present, removed] = [
      await add('red'),
      await add('blue'),
      await add('lime'),
      await add('gold'),
    ]
    const small = { size: 'S', image: present, quantity: 0 }
    const large = { size: 'L', image: removed, quantity: 0 }
    const id = await aProduct(shop, { image: first, variants: [small, large] })
    await savePictures(id, first, second)
    const saveVariants = async (...variants: object[]) => {
      const { headers } = await shop.call('listVariants', { as: admin, params: { id } })
      return shop.call('saveVariants', {
        as: admin,
        params: { id },
        headers: { 'if-match': headers.get('etag') ?? '' },
        body: { options: 'variants', variants },
      })
    }
    expect((await saveVariants({ id, size: 'S', image: present })).status).toBe(200)
    await shop.call('deleteProduct', { as: admin, query: { id } })

    expect(await deleteLater()).toBe(0)
    expect((await shop.call('restoreProduct', { as: admin, params: { id } })).status).toBe(200)
    const { body } = await shop.call('getProduct', { params: { id } })
    expect(body.pictures).toEqual([{ image: first }, { image: second }])
    expect(body.variants).toMatchObject([{ size: 'S', image: present }])
    for (const image of [first, second, present, removed]) expect(await isThere(image)).toBe(true)
  })

  test('are deleted 30 days after they were found to be replaced, however old their upload is', async () => {
    const image = await add('red')
    const id = await aProduct(shop, { image })
    expect(await deleteUnused()).toBe(0)
    await wait(60)
    await savePictures(id, drawing)
    expect(await deleteUnused()).toBe(0)
    await wait(29)
    expect(await deleteUnused()).toBe(0)
    expect(await isThere(image)).toBe(true)
    await wait(1)
    expect(await deleteUnused()).toBe(1)
    expect(await isThere(image)).toBe(false)
  })

  test('that are used again are found as unused for the first time when they are replaced again', async () => {
    const image = await add('red')
    const id = await aProduct(shop)
    expect(await deleteUnused()).toBe(0)
    await wait(29)
    await savePictures(id, image)
    expect(await deleteUnused()).toBe(0)
    await wait(29)
    await savePictures(id, drawing)
    expect(await deleteUnused()).toBe(0)
    await wait(29)
    expect(await deleteUnused()).toBe(0)
    await wait(1)
    expect(await deleteUnused()).toBe(1)
  })

  test('are not deleted while a checked undo of an import restores them', async () => {
    const [before, after] = [await add('red'), await add('blue')]
    const importImage = async (image: string) => {
      const file = `${productHeader}\n${productRow('P-1').replace('/pictures/chain.svg', image)}`
      return runImport(shop, admin, await checkFile(shop, admin, file))
    }
    await importImage(before)
    const undo = await checkUndo(shop, admin, await importImage(after))
    // As a job does after an import.
    await shop.database.pool.query('delete from product_import_rows')
    expect(await deleteLater()).toBe(0)
    await runImport(shop, admin, undo)
    const [product] = (await shop.call('listProducts')).body
    expect([product?.image, await isThere(before)]).toEqual([before, true])
  })

  test('that another transaction has locked are found by a later run, and the job does not wait', async () => {
    await add('red')
    await shop.db.transaction().execute(async (tx) => {
      await tx.updateTable('pictures').set({ uploaded_at: new Date() }).execute()
      expect(await deleteUnused()).toBe(0)
    })
    await wait(30)
    expect(await deleteLater()).toBe(1)
  })

  test('are not deleted while a version of a page or a post has them, in its text or as its picture', async () => {
    const [inText, asPicture] = [await add('red'), await add('blue')]
    const text = { title: 'Terms', summary: '', category: '', body: `Text\n\n![Red](${inText})` }
    const body = { kind: 'page', slug: 'terms', ...text, image: asPicture } as const
    expect((await shop.call('addDocument', { as: admin, body })).status).toBe(200)
    expect(await deleteLater()).toBe(0)
    expect([await isThere(inText), await isThere(asPicture)]).toEqual([true, true])
  })

  test('are not deleted while they are in the gallery of a product', async () => {
    const [first, second] = [await add('red'), await add('blue')]
    const id = await aProduct(shop)
    await savePictures(id, first, second)
    expect(await deleteLater()).toBe(0)
    expect(await isThere(second)).toBe(true)
    await savePictures(id, drawing)
    expect(await deleteLater()).toBe(2)
  })

  test('are not deleted early by a process whose clock is wrong', async () => {
    await add('red')
    expect(await deleteUnused()).toBe(0)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 31 * 24 * 60 * 60_000 })
    onTestFinished(() => void vi.useRealTimers())
    expect(await deleteUnused()).toBe(0)
  })

  test('any size of a picture can be the image of a product', async () => {
    const image = await add('red')
    await aProduct(shop, { image: image.replace('.jpeg', '.avif') })
    expect(await deleteLater()).toBe(0)
  })

  test('an upload during the deletion of the same picture waits, and stores its files again', async () => {
    const image = await add('red')
    const store = openPostgresStore(shop.db)
    const removing = Promise.withResolvers<void>()
    const proceed = Promise.withResolvers<void>()
    const slowStore: PictureStore = {
      ...store,
      async remove(key) {
        removing.resolve()
        await proceed.promise
        await store.remove(key)
      },
    }
    const deletion = deleteLater(slowStore)
    await removing.promise
    const repeated = add('red')
    await untilWaiting(shop)
    proceed.resolve()
    expect([await deletion, await repeated]).toEqual([1, image])
    for (const url of toUrls(image)) expect([url, await isThere(url)]).toEqual([url, true])
  })

  test('a failed deletion is repeated, and an upload after it stores the missing files again', async () => {
    const [image, other] = [await add('red'), await add('blue')]
    const store = openPostgresStore(shop.db)
    const failing: PictureStore = {
      ...store,
      async remove(key) {
        if (key.format === 'jpeg') throw new Error('the store fails')
        await store.remove(key)
      },
    }
    await expect(deleteLater(failing)).rejects.toThrow('the store fails')
    expect([await add('red'), await add('blue')]).toEqual([image, other])
    for (const url of [image, other].flatMap(toUrls)) {
      expect([url, await isThere(url)]).toEqual([url, true])
    }
    expect(await deleteLater()).toBe(2)
    expect([await isThere(image), await isThere(other)]).toEqual([false, false])
  })

  test('a repeated upload restarts the 30 days', async () => {
    const image = await add('red')
    expect(await deleteUnused()).toBe(0)
    await wait(30)
    expect(await add('red')).toBe(image)
    expect(await deleteUnused()).toBe(0)
    await wait(30)
    expect(await deleteUnused()).toBe(1)
  })
})
