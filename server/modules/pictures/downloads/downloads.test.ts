import { createServer, type RequestListener, type Server } from 'node:http'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { anAdmin, type TestCustomer } from '../../../../tests/factories.ts'
import { brokenRules } from '../../../../tests/hardening/invariants.ts'
import { listen, stop } from '../../../../tests/listen.ts'
import { readSampleFile } from '../../../../tests/other-shop-files.ts'
import {
  checkFile,
  checkUndo,
  productHeader,
  productRow,
  runImport,
  waitForImport,
} from '../../../../tests/product-import.ts'
import { openTestShop, refused, type TestShop } from '../../../../tests/shop.ts'
import { productFile } from '../../catalog/files/products/file.ts'
import * as productPictures from '../../catalog/pictures/service.ts'
import { runBatches } from '../../imports/batches.ts'
import * as imports from '../../imports/repository.ts'
import { deleteUnusedPictures, openPostgresStore } from '../service.ts'
import { copyPictures, type ProductPictures } from './service.ts'

let shop: TestShop
let admin: TestCustomer
/** The server of the earlier shop. */
let server: Server
let port: number
let cdn: string
let respond: RequestListener
let pictures: Buffer[]

beforeAll(async () => {
  shop = await openTestShop()
  server = createServer((request, response) => respond(request, response))
  port = await listen(server)
  cdn = `http://cdn.example:${port}`
  pictures = await Promise.all(
    [0, 80, 160].map((r) =>
      sharp({ create: { width: 8, height: 6, channels: 3, background: { r, g: 0, b: 0 } } })
        .png()
        .toBuffer(),
    ),
  )
})
afterAll(async () => {
  await stop(server)
  await shop.close()
})
beforeEach(async () => {
  await shop.database.empty()
  admin = await anAdmin(shop)
  respond = ({ url = '' }, response) => {
    const picture = pictures[Number(/(\d)\.\w+/.exec(url)?.[1])]
    if (picture) response.end(picture)
    else response.writeHead(404).end()
  }
})
afterEach(async () => {
  const broken = await brokenRules(shop.db)
  if (broken.length > 0) throw new Error(broken.join('\n'))
})

const copied = /^\/pictures\/uploaded\/[0-9a-f]{32}-320\.jpeg$/
const store = () => openPostgresStore(shop.db)

/** Runs the job, for which the names of hosts lead to this machine. */
const copy = (products: ProductPictures = productPictures) =>
  copyPictures(
    {
      db: shop.db,
      store: store(),
      products,
      reach: {
        isAllowed: (ip) => ip === '127.0.0.1',
        lookup: (_host, _options, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]),
        ports: ['', String(port)],
      },
    },
    new AbortController().signal,
  )

const start = (id: string, hosts?: string[]) =>
  shop.call('runImport', { as: admin, params: { id }, query: { acceptWarnings: 'true' }, body: { hosts } })

/** Imports a file, and queues the pictures on these hosts. */
async function importFile(file: string, hosts: string[] = ['cdn.example']) {
  const { id } = await checkFile(shop, admin, file)
  const { status, body } = await start(id, hosts)
  if (status !== 200) throw new Error(JSON.stringify(body))
  return waitForImport(shop, admin, id)
}

/** A file of products with these pictures. */
const withImages = (...images: string[]) =>
  [productHeader, ...images.map((image, index) => productRow(`P-${index}`).replace(/[^,]+$/, image))].join(
    '\n',
  )

const listImages = async () =>
  (await shop.db.selectFrom('products').select('image').orderBy('created_at').execute()).map(
    ({ image }) => image,
  )
const read = async (name?: string) =>
  (await shop.call('listPictureDownloads', { as: admin, query: name === undefined ? {} : { name } })).body

const upload = async () =>
  (
    await shop.call('addPicture', {
      as: admin,
      body: pictures[2] as Buffer,
      headers: { 'content-type': 'image/png' },
    })
  ).body.image

describe('pictures at other addresses', () => {
  const file = () =>
    [
      `${productHeader},pictures,group,size`,
      `J-1,Jacket,90,1,1,Warm.,${cdn}/0.jpg?v=1,"${cdn}/1.jpg; https://other.example/3.jpg",jacket,M`,
      `J-2,Jacket,90,1,1,Warm.,${cdn}/2.jpg,"${cdn}/1.jpg; https://other.example/3.jpg",jacket,L`,
      'P-1,Pads,40,1,1,Two.,/pictures/pads.svg,,,',
    ].join('\n')

  test('are listed by host, and copied from the chosen ones into products, variants and galleries', async () => {
    const { id, pictureHosts } = await checkFile(shop, admin, file())
    expect(pictureHosts).toEqual([
      { host: 'cdn.example', pictures: 3 },
      { host: 'other.example', pictures: 1 },
    ])
    expect(await start(id, ['cdn.example', 'evil.example'])).toMatchObject(refused('HOST_NOT_IN_FILE'))
    expect((await start(id, ['cdn.example'])).body.copiedHosts).toEqual(['cdn.example'])
    await waitForImport(shop, admin, id)
    expect(await read()).toEqual({ waiting: 3, done: 0, failed: 0, listed: [] })
    expect(await listImages()).toEqual([`${cdn}/0.jpg?v=1`, '/pictures/pads.svg'])

    await copy()
    expect(await read()).toEqual({ waiting: 0, done: 3, failed: 0, listed: [] })
    const [image = ''] = await listImages()
    const { body } = await shop.call('listProducts')
    const { body: jacket } = await shop.call('getProduct', { params: { id: body[0]?._id ?? '' } })
    const gallery = jacket.pictures?.map((picture) => picture.image) ?? []
    expect(gallery).toEqual([image, expect.stringMatching(copied), 'https://other.example/3.jpg'])
    const variants = await shop.db.selectFrom('variants').select('image').where('size', '=', 'L').execute()
    expect(new Set([image, gallery[1], variants[0]?.image]).size).toBe(3)
    expect([image, variants[0]?.image]).toEqual([
      expect.stringMatching(copied),
      expect.stringMatching(copied),
    ])
    const change = await shop.db.selectFrom('product_changes').selectAll().orderBy('id', 'desc').execute()
    expect(change[0]?.actor_id).toBe(admin.id)

    const again = await checkFile(shop, admin, file())
    expect(again).toMatchObject({ added: 0, changed: 0, unchanged: 3 })
    expect(again.pictureHosts).toEqual([{ host: 'other.example', pictures: 1 }])
  })

  test('are not copied unless an admin chooses their host, now or for a scheduled import', async () => {
    const { id } = await checkFile(shop, admin, withImages(`${cdn}/0.jpg`))
    await start(id)
    await waitForImport(shop, admin, id)
    expect(await read()).toMatchObject({ waiting: 0 })

    // The products exist, and the file changes nothing else.
    expect(await importFile(withImages(`${cdn}/0.jpg`, `${cdn}/0.jpg`))).toMatchObject({ added: 1 })
    const later = await checkFile(shop, admin, withImages(`${cdn}/1.jpg`))
    const at = new Date(Date.now() + 60_000).toISOString()
    const scheduled = await shop.call('runImport', {
      as: admin,
      params: { id: later.id },
      query: { acceptWarnings: 'true', at },
      body: { hosts: ['cdn.example'] },
    })
    expect(scheduled.body).toMatchObject({ state: 'checked', copiedHosts: ['cdn.example'] })
    await copy()
    expect(await listImages()).toEqual([expect.stringMatching(copied), expect.stringMatching(copied)])
  })

  test('are replaced by an import that was checked before they were copied', async () => {
    await importFile(withImages(`${cdn}/0.jpg`))
    const checked = await checkFile(shop, admin, withImages(`${cdn}/0.jpg`, `${cdn}/0.jpg`))
    await copy()
    await start(checked.id)
    expect(await waitForImport(shop, admin, checked.id)).toMatchObject({ added: 1, changed: 0 })
    const [first, second] = await listImages()
    expect(first).toMatch(copied)
    expect(second).toBe(first)
  })

  test('are replaced by a batch that runs after they were copied', async () => {
    await importFile(withImages(`${cdn}/0.jpg`))
    const { id } = await checkFile(shop, admin, withImages(`${cdn}/0.jpg`, `${cdn}/0.jpg`))
    const by = { customerId: admin.id, ip: null }
    await imports.beginImporting(shop.db, id, by, { inBatches: true, skipsErrors: false, hosts: [] })
    const file = await imports.findImport(shop.db, id)
    if (!file) throw new Error('the import is missing')
    await shop.db.transaction().execute(async (tx) => {
      await imports.setBatches(tx, id, await productFile.batches.prepare(tx, file))
    })
    await copy()
    await runBatches({ db: shop.db, log: shop.app.log }, id, productFile, new AbortController().signal)
    const [first, second] = await listImages()
    expect(first).toMatch(copied)
    expect(second).toBe(first)
  })

  test('of a file of Shopify are copied; the wrong product is left out, and a second import changes nothing', async () => {
    const sample = readSampleFile('shopify-products').replaceAll('https://cdn.shop.example', cdn)
    respond = (_request, response) => response.end(pictures[0])
    const checked = await checkFile(shop, admin, sample, 'shopify-products')
    expect(checked).toMatchObject({
      added: 3,
      errorCount: 1,
      pictureHosts: [{ host: 'cdn.example', pictures: 3 }],
    })
    const { status } = await shop.call('runImport', {
      as: admin,
      params: { id: checked.id },
      query: { skipErrors: 'true' },
      body: { hosts: ['cdn.example'] },
    })
    expect(status).toBe(200)
    await waitForImport(shop, admin, checked.id)
    await copy()
    expect(await listImages()).toEqual([expect.stringMatching(copied), expect.stringMatching(copied)])
    expect(await checkFile(shop, admin, sample, 'shopify-products')).toMatchObject({
      added: 0,
      changed: 0,
      unchanged: 3,
      pictureHosts: [],
    })
  })

  test('with the same content are shown once, and the same file changes nothing', async () => {
    const row = `P-1,Pads,40,1,1,Two.,${cdn}/0.jpg,"${cdn}/1.jpg; ${cdn}/1.jpg?v=2; ${cdn}/2.jpg"`
    const twice = `${productHeader},pictures\n${row}`
    await importFile(twice)
    await copy()
    const { rows } = await sql<{ images: number; positions: number[] }>`
      select count(distinct image)::integer as images, array_agg(position order by position) as positions
      from product_pictures`.execute(shop.db)
    expect(rows).toEqual([{ images: 2, positions: [2, 3] }])
    expect(await checkFile(shop, admin, twice)).toMatchObject({ errorCount: 0, changed: 0, unchanged: 1 })
  })

  const inMany = () => withImages(...Array.from({ length: 220 }, () => `${cdn}/0.jpg`))
  /** The transactions that have written the products, and the products that a later one has locked. */
  async function countWrites() {
    const { rows } = await sql<{ images: number; transactions: number; locked: number }>`
      select count(distinct image)::integer as images, count(distinct xmin::text)::integer as transactions,
        count(*) filter (where xmax::text not in ('0', xmin::text))::integer as locked
      from products`.execute(shop.db)
    return rows[0]
  }
  const inThree = { images: 1, transactions: 3, locked: 0 }

  test('in many products are replaced in several transactions', async () => {
    await importFile(inMany())
    await copy()
    expect(await countWrites()).toEqual(inThree)
    expect(await listImages()).toContainEqual(expect.stringMatching(copied))
  })

  test('in many products are replaced by an uploaded picture in several transactions', async () => {
    await importFile(inMany())
    respond = (_request, response) => response.writeHead(404).end()
    await copy()
    const body = { url: `${cdn}/0.jpg`, image: await upload() }
    expect((await shop.call('assignPicture', { as: admin, body })).body).toMatchObject({ done: 1, failed: 0 })
    expect(await countWrites()).toEqual(inThree)
    expect(await listImages()).toContainEqual(body.image)
  })

  test('in many products are all replaced, although the process ends between two transactions', async () => {
    await importFile(inMany())
    let replaced = 0
    const ending: ProductPictures = {
      ...productPictures,
      async replaceImage(...replacement) {
        if (replaced === 2) throw new Error('the process has ended')
        replaced += 1
        return productPictures.replaceImage(...replacement)
      },
    }
    await expect(copy(ending)).rejects.toThrow('the process has ended')
    expect((await listImages()).filter((image) => copied.test(image))).toHaveLength(200)
    expect(await read()).toMatchObject({ waiting: 1, done: 0 })
    await shop.db
      .updateTable('picture_downloads')
      .set({ next_attempt_at: new Date(0) })
      .execute()
    await copy()
    expect((await listImages()).filter((image) => copied.test(image))).toHaveLength(220)
    expect(await read()).toMatchObject({ waiting: 0, done: 1 })
  })

  test('are not a change by hand: the undo of the import restores the pictures and deletes what is new', async () => {
    const old = withImages('/pictures/pads.svg', '/pictures/pads.svg').replace(',image', ',image,pictures')
    await importFile(old.replaceAll('pads.svg', 'pads.svg,/pictures/chain.svg'), [])
    const done = await importFile(
      [
        `${productHeader},pictures,group,size`,
        `P-0,Pads,40,10,1,Two.,${cdn}/0.jpg,"${cdn}/1.jpg; ${cdn}/1.jpg?v=2; ${cdn}/2.jpg",,`,
        `P-1,Screen,40,10,1,Two.,${cdn}/0.jpg,,,`,
        `N-1,Disc,40,1,1,Two.,${cdn}/0.jpg,${cdn}/1.jpg,,`,
        `N-2,Lever,40,1,1,Two.,${cdn}/1.jpg,,,`,
        `J-1,Jacket,90,1,1,Warm.,${cdn}/0.jpg,"${cdn}/1.jpg; ${cdn}/0.jpg?v=2",jacket,M`,
        `J-2,Jacket,90,1,1,Warm.,${cdn}/2.jpg,"${cdn}/1.jpg; ${cdn}/0.jpg?v=2",jacket,L`,
      ].join('\n'),
    )
    // Judged with the URLs, and again when the undo runs.
    const preview = await checkUndo(shop, admin, done)
    await copy()
    await sql`update products set image = '/pictures/own.svg' where name in ('Screen', 'Lever')`.execute(
      shop.db,
    )
    expect(preview).toMatchObject({ removed: 3, changed: 2, skippedCount: 0 })
    const undone = await runImport(shop, admin, preview)
    expect(undone).toMatchObject({ state: 'done', removed: 2, changed: 2, skippedCount: 2 })
    const { rows } = await sql<{ name: string; image: string; others: string }>`
      select name, products.image, coalesce(string_agg(other.image, ' '), '') as others
      from products left join product_pictures as other on product_id = id
      where deleted_at is null group by id order by name, image`.execute(shop.db)
    expect(rows).toEqual([
      { name: 'Chain', image: '/pictures/own.svg', others: '/pictures/chain.svg' },
      { name: 'Chain', image: '/pictures/pads.svg', others: '/pictures/chain.svg' },
      { name: 'Lever', image: '/pictures/own.svg', others: '' },
    ])
  })

  test('stay copied while an import writes the same products', async () => {
    const images = Array.from({ length: 60 }, (_, index) => `${cdn}/${index % 3}.jpg`)
    await importFile(withImages(...images))
    const file = withImages(...images).replaceAll(',40,', ',45,')
    const [done] = await Promise.all([importFile(file), copy()])
    expect(done).toMatchObject({ state: 'done', changed: 60 })
    await copy()
    expect((await listImages()).filter((image) => !copied.test(image))).toEqual([])
  })
})

describe('a picture that cannot be copied', () => {
  test.each<[string, RequestListener, string]>([
    ['is missing', (_request, response) => response.writeHead(404).end(), 'The server refused the request.'],
    [
      'is an SVG with the name of a JPEG',
      (_request, response) =>
        response
          .setHeader('content-type', 'image/jpeg')
          .end('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
      'This is not a JPEG, PNG, WebP or AVIF image.',
    ],
    [
      'is damaged',
      (_request, response) => response.end(pictures[0]?.subarray(0, 60)),
      'The image file is damaged.',
    ],
    [
      'leads to another host',
      (_request, response) => response.writeHead(302, { location: 'http://other.example/0.jpg' }).end(),
      'It leads to a host that was not chosen, or to an unusual port.',
    ],
  ])('fails if it %s, and the reason quotes nothing', async (_what, listener, reason) => {
    await importFile(withImages(`${cdn}/0.jpg`))
    respond = listener
    await copy()
    expect(await read()).toEqual({
      waiting: 0,
      done: 0,
      failed: 1,
      listed: [{ url: `${cdn}/0.jpg`, reason, products: 1 }],
    })
    expect(await listImages()).toEqual([`${cdn}/0.jpg`])
  })

  test('is copied if it is requested again, with the missing host, while an attempt runs', async () => {
    const url = `${cdn}/0.jpg`
    await importFile(withImages(url))
    const elsewhere = url.replace('cdn.example', 'other.example')
    const respondWithPicture = respond
    respond = (_request, response) => {
      respond = respondWithPicture
      const again = importFile(withImages(url, url, elsewhere), ['cdn.example', 'other.example'])
      void again.finally(() => response.writeHead(302, { location: elsewhere }).end())
    }
    await copy()
    expect(await read()).toMatchObject({ waiting: 0, done: 2, failed: 0 })
    expect(await listImages()).toEqual(Array.from({ length: 3 }, () => expect.stringMatching(copied)))
  })

  test('is tried four times within 8 hours if the server does not respond, and again on request', async () => {
    await importFile(withImages(`${cdn}/0.jpg`))
    let requests = 0
    let minutes = 0
    respond = (_request, response) => {
      requests++
      response.writeHead(503).end()
    }
    for (let attempt = 1; attempt <= 4; attempt++) {
      expect(await read()).toMatchObject({ waiting: 1, failed: 0 })
      await copy()
      expect(requests).toBe(attempt)
      if (attempt < 4) {
        const { rows } = await sql<{ minutes: number }>`
          select round(extract(epoch from next_attempt_at - now()) / 60)::integer as minutes
          from picture_downloads`.execute(shop.db)
        minutes += rows[0]?.minutes ?? 0
      }
      await shop.db
        .updateTable('picture_downloads')
        .set({ next_attempt_at: new Date(0) })
        .execute()
    }
    expect(minutes).toBe(480)
    const reason = 'The server could not be reached, or was too slow.'
    expect(await read()).toMatchObject({ waiting: 0, failed: 1, listed: [{ reason }] })
    await copy()
    expect(requests).toBe(4)
    // Its process has ended in the last attempt.
    await shop.db
      .updateTable('picture_downloads')
      .set({ state: 'waiting', reason: null, attempts: 4, next_attempt_at: new Date(0) })
      .execute()
    await copy()
    expect(requests).toBe(4)
    expect(await read()).toMatchObject({ waiting: 0, failed: 1 })

    const { body } = await shop.call('retryPictureDownloads', { as: admin })
    expect(body).toEqual({ waiting: 1, done: 0, failed: 0, listed: [] })
    respond = (_request, response) => response.end(pictures[0])
    await copy()
    expect(await listImages()).toEqual([expect.stringMatching(copied)])
  })

  test('is found by its file name, and replaced by an uploaded picture', async () => {
    const url = `${cdn}/a/Vier%20Zylinder.JPG?v=2`
    await importFile(withImages(url, `${cdn}/b/other.jpg`))
    await copy()
    expect(await read('vier zylinder.jpg')).toMatchObject({ failed: 2, listed: [{ url, products: 1 }] })
    expect((await read('vier.jpg')).listed).toEqual([])
    const assign = (body: { url: string; image: string }) => shop.call('assignPicture', { as: admin, body })
    const image = await upload()
    const missing = `/pictures/uploaded/${'0'.repeat(32)}-320.jpeg`
    expect(await assign({ url, image: missing })).toMatchObject(refused('PICTURE_NOT_FOUND'))
    expect(await assign({ url: `${url}3`, image })).toMatchObject(refused('DOWNLOAD_NOT_FOUND'))
    expect((await assign({ url, image: 'https://evil.example/a.jpg' })).status).toBe(400)
    expect((await assign({ url, image })).body).toMatchObject({ waiting: 0, done: 1, failed: 1 })
    expect(await listImages()).toEqual([image, `${cdn}/b/other.jpg`])
    expect(await assign({ url, image })).toMatchObject(refused('DOWNLOAD_NOT_FOUND'))
    expect(await checkFile(shop, admin, withImages(url))).toMatchObject({ unchanged: 1, pictureHosts: [] })
  })
})

/** Deletes the pictures that nothing uses, as if that were so since long ago. */
async function deleteOldPictures() {
  const longAgo = new Date('2020-01-01')
  await shop.db.updateTable('pictures').set({ uploaded_at: longAgo, unused_since: longAgo }).execute()
  await deleteUnusedPictures({ db: shop.db, store: store(), log: { info: () => undefined } })
}

const replaceImage = (image: string) =>
  shop.db.updateTable('products').set({ image: '/pictures/chain.svg' }).where('image', '=', image).execute()

test('a copy that only a checked file uses is not deleted until the file is imported', async () => {
  await importFile(withImages(`${cdn}/0.jpg`))
  await copy()
  const [copiedImage = ''] = await listImages()
  await replaceImage(copiedImage)
  const { id } = await checkFile(shop, admin, withImages(`${cdn}/0.jpg`))
  await deleteOldPictures()
  expect(await read()).toMatchObject({ done: 1 })
  await start(id)
  await waitForImport(shop, admin, id)
  expect(await listImages()).toEqual([copiedImage])
})

test('a copy that nothing uses is deleted after 30 days, and then its URL is not replaced any more', async () => {
  await importFile(withImages(`${cdn}/0.jpg`, `${cdn}/1.jpg`))
  await copy()
  const [used = '', unused = ''] = await listImages()
  await replaceImage(unused)
  await deleteOldPictures()
  expect(await read()).toMatchObject({ done: 1 })
  const again = await checkFile(shop, admin, withImages(`${cdn}/0.jpg`, `${cdn}/1.jpg`))
  expect(again.pictureHosts).toEqual([{ host: 'cdn.example', pictures: 1 }])
  expect(await listImages()).toContain(used)
})
