import { createServer, type RequestListener, type Server } from 'node:http'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { aCustomer, type TestCustomer } from '../../../tests/factories.ts'
import { listen, stop } from '../../../tests/listen.ts'
import { openTestShop, refused, type TestShop } from '../../../tests/shop.ts'
import { deleteUnusedPictures, openPostgresStore } from '../pictures/service.ts'
import { fetchPhotos, findOrCreateCustomer } from './service.ts'

let shop: TestShop
let server: Server
let respond: RequestListener
let photo: Buffer
let link: string

beforeAll(async () => {
  shop = await openTestShop()
  server = createServer((request, response) => respond(request, response))
  link = `http://127.0.0.1:${await listen(server)}/me.png`
  photo = await picture('#aa3311')
})
afterAll(async () => {
  await stop(server)
  await shop.close()
})
beforeEach(async () => {
  await shop.database.empty()
  respond = (_request, response) => response.end(photo)
})

const picture = (background: string) =>
  sharp({ create: { width: 400, height: 200, channels: 3, background } })
    .png()
    .toBuffer()
const deps = () => ({ db: shop.db, store: openPostgresStore(shop.db) })
const fetchDue = (isAllowed?: (ip: string) => boolean) =>
  fetchPhotos({ ...deps(), isAllowed }, new AbortController().signal)
const fetchFromOwnServer = () => fetchDue((ip) => ip === '127.0.0.1')
const save = (as: TestCustomer, url: string) =>
  shop.call('updateProfile', { as, params: { email: as.email }, body: { photo: url } })
const readUser = async (as: TestCustomer) =>
  (await shop.call('getUser', { as, query: { email: as.email } })).body
const upload = (as: TestCustomer | undefined, body: Buffer) =>
  shop.call('addPhoto', { as, headers: { 'content-type': 'image/png' }, body })
const load = (path = '') => fetch(shop.config.origin + path)
/** Makes the photos due whose last attempt failed. */
const passTime = () =>
  shop.database.pool.query('update profile_photos set due_at = now() where due_at is not null')

describe('a linked photo', () => {
  test('is fetched once and shown by the shop, and the call keeps its URL', async () => {
    const jane = await aCustomer(shop)
    expect((await save(jane, link)).body).toEqual({ acknowledged: true, modifiedCount: 1 })
    expect((await readUser(jane)).avatar).toBeUndefined()
    await shop.call('addReview', { as: jane, body: { review: 'Good.' } })
    await fetchFromOwnServer()
    const { photo: url, avatar } = await readUser(jane)
    expect(url).toBe(link)
    expect(avatar).toMatch(/^\/pictures\/uploaded\/[0-9a-f]{32}-320\.jpeg$/)
    const file = await load(avatar)
    expect(file.headers.get('content-type')).toBe('image/jpeg')
    const { width, height } = await sharp(Buffer.from(await file.arrayBuffer())).metadata()
    expect([width, height]).toEqual([320, 320])
    expect((await shop.call('listReviews')).body).toMatchObject([{ review: 'Good.', avatar }])
    respond = () => {
      throw new Error('fetched again')
    }
    await save(jane, link)
    await fetchFromOwnServer()
    expect((await readUser(jane)).avatar).toBe(avatar)
  })

  test('is fetched for a sign-in with Google', async () => {
    const identity = {
      issuer: 'google',
      subject: '1',
      email: 'g@example.com',
      emailVerified: true,
      name: 'G',
    }
    const rule = { emails: [], trustUnverified: false }
    const { id } = await findOrCreateCustomer(shop.db, { ...identity, picture: link }, 'G', rule)
    await fetchFromOwnServer()
    const { rows } = await shop.database.pool.query('select customer_id, hash from profile_photos')
    expect(rows).toEqual([{ customer_id: id, hash: expect.any(String) }])
  })

  test.each([
    'http://127.0.0.1:1/x.png',
    'http://10.0.0.1/x.png',
    'http://[::1]/x.png',
    'http://localhost/x.png',
  ])('is not fetched from %s, which is not public, and the profile says so', async (url) => {
    const jane = await aCustomer(shop)
    await save(jane, url)
    await fetchDue()
    expect(await readUser(jane)).toMatchObject({
      photo: url,
      photoProblem: expect.stringContaining('does not lead to a public website'),
    })
    const { rows } = await shop.database.pool.query('select due_at from profile_photos')
    expect(rows).toEqual([{ due_at: null }])
  })

  test.each<[string, RequestListener, string]>([
    [
      'is no image',
      (_request, response) => response.end('<svg xmlns="http://www.w3.org/2000/svg"/>'),
      'is not a JPEG',
    ],
    ['is too large', (_request, response) => response.end(Buffer.alloc(5_000_001)), 'too large'],
    ['does not exist', (_request, response) => response.writeHead(404).end(), 'could not load'],
  ])('that %s is not stored, and the profile says why', async (_, listener, problem) => {
    respond = listener
    const jane = await aCustomer(shop)
    await save(jane, link)
    await fetchFromOwnServer()
    const user = await readUser(jane)
    expect(user).toMatchObject({ photo: link, photoProblem: expect.stringContaining(problem) })
    expect(user.avatar).toBeUndefined()
  })

  test('is fetched again after a failure of the other server, but only four times', async () => {
    let requests = 0
    respond = (_request, response) => {
      requests++
      response.writeHead(503).end()
    }
    const jane = await aCustomer(shop)
    await save(jane, link)
    for (let count = 0; count < 6; count++) {
      await fetchFromOwnServer()
      await passTime()
    }
    expect(requests).toBe(4)
    respond = (_request, response) => response.end(photo)
    await save(jane, link)
    await fetchFromOwnServer()
    const user = await readUser(jane)
    expect(user.avatar).toBeDefined()
    expect(user.photoProblem).toBeUndefined()
  })

  test('that is replaced while it is fetched is not shown', async () => {
    const jane = await aCustomer(shop)
    await save(jane, link)
    respond = (_request, response) => void save(jane, '/pictures/chain.svg').then(() => response.end(photo))
    await fetchFromOwnServer()
    expect((await readUser(jane)).avatar).toBe('/pictures/chain.svg')
    await cleanUp()
    expect(await countPictures()).toBe(0)
  })
})

describe('POST /v1/me/photo', () => {
  test('requires a signed-in customer, and an image', async () => {
    expect(await upload(undefined, photo)).toMatchObject(refused('NOT_SIGNED_IN'))
    const jane = await aCustomer(shop)
    expect(await upload(jane, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))).toMatchObject(
      refused('PICTURE_KIND_REFUSED'),
    )
  })

  test('becomes the photo of the profile and stays when the profile is saved', async () => {
    const jane = await aCustomer(shop)
    const { body } = await upload(jane, photo)
    expect(await readUser(jane)).toMatchObject({ photo: body.photo, avatar: body.photo })
    await save(jane, body.photo)
    const longAgo = new Date('2020-01-01')
    await shop.db.updateTable('pictures').set({ uploaded_at: longAgo, unused_since: longAgo }).execute()
    await cleanUp()
    expect((await load(body.photo)).status).toBe(200)
  })

  test('is not replaced by the photo before, which a form that was loaded earlier sends', async () => {
    const jane = await aCustomer(shop)
    const first = (await upload(jane, photo)).body.photo
    const second = (await upload(jane, await picture('#115511'))).body.photo
    await save(jane, first)
    expect(await readUser(jane)).toMatchObject({ photo: second, avatar: second })
    await cleanUp()
    expect((await load(second)).status).toBe(200)
  })

  test('deletes the file of the photo before, but not the same photo of another customer', async () => {
    const [jane, joe] = [await aCustomer(shop), await aCustomer(shop)]
    const first = (await upload(jane, photo)).body.photo
    const foreign = (await upload(joe, photo)).body.photo
    expect(foreign).not.toBe(first)
    const second = (await upload(jane, await picture('#115511'))).body.photo
    await cleanUp()
    const statuses = await Promise.all(
      [first, foreign, second].map(async (path) => (await load(path)).status),
    )
    expect(statuses).toEqual([404, 200, 200])
    await save(jane, link)
    await cleanUp()
    expect((await load(second)).status).toBe(404)
  })

  test('is limited for a customer', async () => {
    const jane = await aCustomer(shop)
    for (let count = 0; count < 20; count++) expect((await upload(jane, photo)).status).toBe(200)
    expect(await upload(jane, photo)).toMatchObject({ status: 429, body: { code: 'TOO_MANY_REQUESTS' } })
  })
})

const cleanUp = () => deleteUnusedPictures({ ...deps(), log: { info: () => undefined } })
async function countPictures(): Promise<number> {
  const { rows } = await shop.database.pool.query('select hash from pictures')
  return rows.length
}
