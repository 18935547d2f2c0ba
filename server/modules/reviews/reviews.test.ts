import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { aCustomer, anAdmin, type TestCustomer, untilDecided } from '../../../tests/factories.ts'
import { useTestShop } from '../../../tests/shop.ts'

const shop = useTestShop()

describe('POST /add-review', () => {
  test('uses name, photo and email of the session instead of those in the body', async () => {
    const rider = await aCustomer(shop, { email: 'jane@example.com', name: 'Jane' })
    const body = {
      name: 'Boss',
      email: 'boss@example.com',
      photo: 'http://x/y.png',
      designation: 'Commuter',
      review: 'Good.',
    }
    const response = await shop.call('addReview', { as: rider, body })
    expect(response.body).toEqual({ acknowledged: true, insertedId: expect.any(String) })
    expect((await shop.call('listReviews', { as: rider })).body).toEqual([
      {
        _id: response.body.insertedId,
        name: 'Jane',
        photo: '',
        email: 'jane@example.com',
        designation: 'Commuter',
        review: 'Good.',
      },
    ])
  })

  test('limits only the length of designation and review, with a sentence', async () => {
    const as = await aCustomer(shop)
    expect((await shop.call('addReview', { as, body: {} })).status).toBe(200)
    const full = { designation: 'x'.repeat(10_000), review: 'x'.repeat(10_000) }
    expect((await shop.call('addReview', { as, body: full })).status).toBe(200)
    for (const field of ['designation', 'review']) {
      const response = await shop.call('addReview', { as, body: { [field]: 'x'.repeat(10_001) } })
      const fields = { [field]: `A ${field} can have at most 10,000 characters.` }
      expect(response).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST', fields } })
    }
  })

  test.each([[null], [[]], ['Good.'], [5], [true]])(
    'refuses the body %j and stores nothing',
    async (body) => {
      const as = await aCustomer(shop)
      const response = await shop.call('addReview', { as, body: body as never })
      expect(response).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST' } })
      expect(await countReviews()).toBe(0)
    },
  )

  test('refuses the sixth review of a customer in a day, and says when to try again', async () => {
    const as = await aCustomer(shop)
    for (let count = 0; count < 5; count++) expect((await add(as)).status).toBe(200)
    const sixth = await add(as)
    expect(sixth).toMatchObject({
      status: 429,
      body: { code: 'TOO_MANY_REVIEWS', message: 'You can add 5 reviews a day. Try again in 24 hours.' },
    })
    const seconds = Number(sixth.headers.get('retry-after'))
    expect(seconds).toBeGreaterThan(24 * 3600 - 60)
    expect(seconds).toBeLessThanOrEqual(24 * 3600)
  })

  test('counts concurrent reviews of several customers of one network together', async () => {
    const riders = [await aCustomer(shop), await aCustomer(shop), await aCustomer(shop)]
    const statuses = await Promise.all(
      riders.flatMap((as) => Array.from({ length: 4 }, () => untilDecided(() => add(as)))),
    )
    expect(statuses.filter(({ status }) => status === 200)).toHaveLength(5)
    expect(statuses.filter(({ status }) => status === 429)).toHaveLength(7)
    expect(await countReviews()).toBe(5)
  })
})

const add = (as: TestCustomer, review = 'Good.') => shop.call('addReview', { as, body: { review } })

async function countReviews(): Promise<number> {
  const { total } = await shop.db
    .selectFrom('reviews')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}

describe('GET /reviews', () => {
  test('masks the email except for its owner and for admins', async () => {
    const owner = await aCustomer(shop, { email: 'jane@example.com' })
    await shop.call('addReview', { as: owner, body: { review: 'Good.' } })
    const emailFor = async (as?: { token: string }) => (await shop.call('listReviews', { as })).body[0]?.email
    expect(await emailFor()).toBe('j***@example.com')
    expect(await emailFor(await aCustomer(shop))).toBe('j***@example.com')
    expect(await emailFor({ token: 'stale' })).toBe('j***@example.com')
    expect(await emailFor(owner)).toBe('jane@example.com')
    expect(await emailFor(await anAdmin(shop))).toBe('jane@example.com')
  })

  test('does not list a review without text', async () => {
    const as = await aCustomer(shop)
    for (const review of ['', '  \n ', 'Good.']) {
      expect((await shop.call('addReview', { as, body: { designation: 'Commuter', review } })).status).toBe(
        200,
      )
    }
    const { body } = await shop.call('listReviews')
    expect(body.map((each: { review: string }) => each.review)).toEqual(['Good.'])
  })

  test('returns the newest first', async () => {
    const as = await aCustomer(shop)
    for (const review of ['first', 'second']) await shop.call('addReview', { as, body: { review } })
    const { body } = await shop.call('listReviews')
    expect(body.map((each: { review: string }) => each.review)).toEqual(['second', 'first'])
  })

  test('returns the first 100 of a longer list, and any page of it', async () => {
    await sql`insert into reviews (id, name, review, created_at)
      select n, 'Robin', 'Review ' || n, now() - n * interval '1 minute' from generate_series(1, 130) n`.execute(
      shop.db,
    )
    const whole = await shop.call('listReviews')
    expect(whole.body).toHaveLength(100)
    expect(whole.headers.get('x-total-count')).toBe('130')
    expect(whole.headers.get('link')).toBe('</api/reviews?page=2>; rel="next"')
    const second = await shop.call('listReviews', { query: { page: '2', pageSize: '60' } })
    expect(second.body.map(({ review }: { review: string }) => review).slice(0, 2)).toEqual([
      'Review 61',
      'Review 62',
    ])
    expect(second.body).toHaveLength(60)
    expect(second.headers.get('link')).toContain('page=3&pageSize=60>; rel="next"')
    const tooLarge = await shop.call('listReviews', { query: { pageSize: '101' } })
    expect(tooLarge).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST' } })
  })

  test('is cached without a token, and never for a caller with one', async () => {
    const owner = await aCustomer(shop, { email: 'jane@example.com' })
    await add(owner)
    const read = (as?: TestCustomer) => shop.call('listReviews', { as })
    const own = await read(owner)
    expect(own.headers.get('cache-control')).toBe('no-store')
    expect(own.body[0]).toMatchObject({ email: 'jane@example.com' })
    const anonymous = await read()
    expect(anonymous.headers.get('cache-control')).toContain('public')
    expect(anonymous.headers.get('cache-status')).toContain('shop; fwd')
    expect(anonymous.body[0]).toMatchObject({ email: 'j***@example.com' })
    expect((await read(owner)).body[0]).toMatchObject({ email: 'jane@example.com' })
  })
})
