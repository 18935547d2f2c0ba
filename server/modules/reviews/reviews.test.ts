import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { aCustomer, anAdmin } from '../../../tests/factories.ts'
import { openTestShop, refused, type TestShop } from '../../../tests/shop.ts'

let shop: TestShop

beforeAll(async () => {
  shop = await openTestShop()
})
afterAll(() => shop.close())
beforeEach(() => shop.database.empty())

describe('POST /add-review', () => {
  test('requires a signed-in customer', async () => {
    expect(await shop.call('addReview', { body: {} })).toMatchObject(refused('NOT_SIGNED_IN'))
  })

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

  test('limits only the length of designation and review', async () => {
    const as = await aCustomer(shop)
    expect((await shop.call('addReview', { as, body: {} })).status).toBe(200)
    const response = await shop.call('addReview', { as, body: { review: 'x'.repeat(2001) } })
    expect(response).toMatchObject({ status: 400, body: { fields: { review: 'At most 2000 characters' } } })
  })
})

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
})
