import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { aCustomer, anAdmin } from '../../../tests/factories.ts'
import { refused, useTestShop } from '../../../tests/shop.ts'
import { findOrCreateCustomer, hasVerifiedIdentity, makeAdmin } from './service.ts'

const shop = useTestShop()

const noAdmins = { emails: [], trustUnverified: false }

/** Signs up at the embedded identity provider. Returns the ID token of the new account. */
async function signUp(email: string, name = 'Jane'): Promise<string> {
  const headers = { origin: shop.config.origin, 'content-type': 'application/json' }
  const signedUp = await fetch(`${shop.config.origin}/idp/sign-up/email`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ email, password: 'secret1', name }),
  })
  const cookie = signedUp.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ')
  const response = await fetch(`${shop.config.origin}/idp/token`, { headers: { cookie } })
  return ((await response.json()) as { token: string }).token
}

const exchange = (email: string, body: object) => shop.call('exchangeIdToken', { params: { email }, body })

describe('PUT /create-user/{email} after sign-in', () => {
  test('exchanges the ID token for an access token that works', async () => {
    const email = 'jane@example.com'
    const idToken = await signUp(email)
    const { status, body } = await exchange(email, { email, name: 'Jane', idToken })
    expect(status).toBe(200)
    expect(body.user).toMatchObject({
      email,
      name: 'Jane',
      phone: '',
      birthday: '',
      sex: '',
      bio: '',
      photo: '',
    })
    expect((await shop.call('getUser', { as: body, query: { email } })).body).toEqual(body.user)
  })

  test('creates one customer per account, even for repeated and concurrent sign-ins', async () => {
    const email = 'jane@example.com'
    const idToken = await signUp(email)
    const responses = await Promise.all(Array.from({ length: 8 }, () => exchange(email, { email, idToken })))
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200))
    expect(new Set(responses.map(({ body }) => body.user._id)).size).toBe(1)
  })

  test('is rejected without the ID token', async () => {
    const email = 'jane@example.com'
    await signUp(email)
    expect(await exchange(email, { email, name: 'Jane' })).toMatchObject(refused('NOT_SIGNED_IN'))
    expect(await exchange(email, { email, idToken: '' })).toMatchObject(refused('NOT_SIGNED_IN'))
  })

  test('rejects another email, a forged token and an access token', async () => {
    const idToken = await signUp('thief@example.com')
    expect(await exchange('jane@example.com', { email: 'jane@example.com', idToken })).toMatchObject(
      refused('INVALID_ID_TOKEN'),
    )
    expect(await exchange('thief@example.com', { idToken: `${idToken}x` })).toMatchObject(
      refused('INVALID_ID_TOKEN'),
    )
    const { body } = await exchange('thief@example.com', { idToken })
    expect(await exchange('thief@example.com', { idToken: body.token })).toMatchObject(
      refused('INVALID_ID_TOKEN'),
    )
  })

  test.each([
    ['a character that is not allowed', 'Ja\u202ene'],
    ['121 characters', 'x'.repeat(121)],
    ['no text', null],
  ])('takes the name of the ID token instead of a name with %s', async (_, name) => {
    const email = 'jane@example.com'
    const { status, body } = await exchange(email, { email, name, idToken: await signUp(email) })
    expect({ status, name: body.user?.name }).toEqual({ status: 200, name: 'Jane' })
  })

  test('ignores the case of the email in the path', async () => {
    const idToken = await signUp('Jane@Example.com')
    expect((await exchange('JANE@example.COM', { idToken })).body.user.email).toBe('jane@example.com')
  })
})

describe('a sign-in from a second provider', () => {
  const identity = (emailVerified: boolean) => ({
    issuer: 'elsewhere',
    subject: randomUUID(),
    email: 'jane@example.com',
    emailVerified,
    name: null,
    picture: null,
  })

  test('is linked to the customer if both have verified the email', async () => {
    const first = await findOrCreateCustomer(shop.db, identity(true), 'Jane', noAdmins)
    expect((await findOrCreateCustomer(shop.db, identity(true), 'Jane', noAdmins)).id).toBe(first.id)
  })

  test.each([
    ['the first', false, true],
    ['the second', true, false],
  ])('is rejected if %s has not', async (_, firstVerified, secondVerified) => {
    await findOrCreateCustomer(shop.db, identity(firstVerified), 'Jane', noAdmins)
    await expect(
      findOrCreateCustomer(shop.db, identity(secondVerified), 'Jane', noAdmins),
    ).rejects.toMatchObject({
      code: 'EMAIL_NOT_VERIFIED',
    })
  })

  test('keeps its customer after a change of email, and is not linked to another one', async () => {
    const jane = identity(true)
    const { id } = await findOrCreateCustomer(shop.db, jane, 'Jane', noAdmins)
    const moved = await findOrCreateCustomer(shop.db, { ...jane, email: 'new@example.com' }, 'Jane', noAdmins)
    expect(moved).toMatchObject({ id, email: 'new@example.com' })
    await aCustomer(shop, { email: 'other@example.com' })
    await expect(
      findOrCreateCustomer(shop.db, { ...jane, email: 'other@example.com' }, 'Jane', noAdmins),
    ).rejects.toMatchObject({ code: 'EMAIL_NOT_VERIFIED' })
  })

  test('has a verified email only if the provider that gave the present email has verified it', async () => {
    const [jane, other] = [identity(true), identity(true)]
    const { id } = await findOrCreateCustomer(shop.db, jane, 'Jane', noAdmins)
    await findOrCreateCustomer(shop.db, other, 'Jane', noAdmins)
    const unverified = { ...other, email: 'new@example.com', emailVerified: false }
    await findOrCreateCustomer(shop.db, unverified, 'Jane', noAdmins)
    expect(await hasVerifiedIdentity(shop.db, id)).toBe(false)
    await findOrCreateCustomer(shop.db, { ...unverified, emailVerified: true }, 'Jane', noAdmins)
    expect(await hasVerifiedIdentity(shop.db, id)).toBe(true)
  })

  test('does not get a removed admin role back by the settings', async () => {
    const jane = identity(true)
    const admins = { emails: [jane.email], trustUnverified: false }
    const [other, another] = [await anAdmin(shop), await anAdmin(shop)]
    const { id } = await findOrCreateCustomer(shop.db, jane, 'Jane', admins)
    await shop.call('removeAdmin', { as: other, params: { email: jane.email } })
    expect(await findOrCreateCustomer(shop.db, jane, 'Jane', admins)).toMatchObject({ id, role: null })
    await makeAdmin(shop.db, jane.email, { customerId: another.id, ip: null })
    expect(await findOrCreateCustomer(shop.db, jane, 'Jane', admins)).toMatchObject({ role: 'admin' })
  })

  test('does not become an admin by the settings with the email of staff whose role was removed', async () => {
    const jane = identity(true)
    const admins = { emails: [jane.email], trustUnverified: false }
    const owner = await anAdmin(shop)
    await findOrCreateCustomer(shop.db, jane, 'Jane', admins)
    await shop.call('removeAdmin', { as: owner, params: { email: jane.email } })
    await findOrCreateCustomer(shop.db, { ...jane, email: 'other@example.com' }, 'Jane', admins)
    const again = await findOrCreateCustomer(shop.db, identity(true), 'Jane', admins)
    expect(again).toMatchObject({ email: jane.email, role: null })
  })

  test('becomes an admin by the settings only with a verified email or from the embedded provider', async () => {
    const emails = ['jane@example.com']
    const role = async (emailVerified: boolean, trustUnverified: boolean) => {
      await shop.database.empty()
      return (await findOrCreateCustomer(shop.db, identity(emailVerified), '', { emails, trustUnverified }))
        .role
    }
    expect(await role(true, false)).toBe('admin')
    expect(await role(false, true)).toBe('admin')
    expect(await role(false, false)).toBe(null)
  })
})
