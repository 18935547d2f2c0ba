import { describe, expect, test } from 'vitest'
import { aCustomer, anAdmin, type TestCustomer } from '../../../tests/factories.ts'
import { refused, useTestShop } from '../../../tests/shop.ts'

const shop = useTestShop()

describe('PUT /create-user/{email} with a profile', () => {
  const profile = {
    name: 'Jane R.',
    birthday: '1990-04-30',
    phone: '555',
    sex: 'Common',
    bio: 'Rides.\nA lot.',
    photo: 'https://example.com/me.png',
  }
  const update = (email: string, body: object, as?: TestCustomer) =>
    shop.call('updateProfile', { as, params: { email }, body })

  test('is only for the customer, not even for admins', async () => {
    const jane = await aCustomer(shop)
    expect(await update(jane.email, profile)).toMatchObject(refused('NOT_SIGNED_IN'))
    expect(await update(jane.email, profile, await aCustomer(shop))).toMatchObject(refused('NOT_YOURS'))
    expect(await update(jane.email, profile, await anAdmin(shop))).toMatchObject(refused('NOT_YOURS'))
  })

  test('saves the fields; a blank one keeps the old value', async () => {
    const jane = await aCustomer(shop)
    expect((await update(jane.email, profile, jane)).body).toEqual({ acknowledged: true, modifiedCount: 1 })
    await update(jane.email, { name: '', birthday: '', phone: '  ', sex: '', bio: '', photo: '' }, jane)
    await update(jane.email, {}, jane)
    const { body } = await shop.call('getUser', { as: jane, query: { email: jane.email } })
    expect(body).toMatchObject(profile)
  })

  test.each([
    ['birthday', '1990-02-30'],
    ['birthday', '0000-01-01'],
    ['birthday', '30/04/1990'],
    ['sex', 'Robot'],
    ['photo', 'javascript:alert(1)'],
    ['photo', 'data:image/png;base64,AAAA'],
    ['name', 'x'.repeat(121)],
  ])('rejects %s %j', async (field, value) => {
    const jane = await aCustomer(shop)
    const response = await update(jane.email, { [field]: value }, jane)
    expect(response).toMatchObject({
      status: 400,
      body: { code: 'INVALID_REQUEST', fields: { [field]: expect.any(String) } },
    })
  })

  test('ignores unknown fields', async () => {
    const jane = await aCustomer(shop)
    await update(jane.email, { name: 'J', token_version: 99, _id: 'x' }, jane)
    const { body } = await shop.call('getUser', { as: jane, query: { email: jane.email } })
    expect(body).toMatchObject({ _id: jane.id, name: 'J' })
  })
})

describe('PUT /create-user/{email} with a role', () => {
  const promote = (email: string, as?: TestCustomer, body: object = { role: 'admin' }) =>
    shop.call('makeAdmin', { as, params: { email }, body })

  test("makes an admin, records it, and revokes the user's tokens", async () => {
    const jane = await aCustomer(shop)
    const admin = await anAdmin(shop)
    expect((await promote(jane.email, admin)).body).toEqual({ acknowledged: true, modifiedCount: 1 })
    expect((await promote(jane.email, admin)).body).toEqual({ acknowledged: true, modifiedCount: 0 })
    const records = shop.db
      .selectFrom('role_changes')
      .select(['role', 'changed_by'])
      .where('customer_id', '=', jane.id)
    expect(await records.execute()).toEqual([{ role: 'admin', changed_by: admin.id }])
    expect(await shop.call('getUser', { as: jane, query: { email: jane.email } })).toMatchObject(
      refused('NOT_SIGNED_IN'),
    )
  })

  test.each([
    { role: 'admin', name: 'x' },
    { role: 'admin', email: 'a@b.c' },
    { role: 'customer' },
    { role: null },
  ])('rejects the combination %j and changes nothing', async (body) => {
    const jane = await aCustomer(shop)
    const admin = await anAdmin(shop)
    expect(await promote(jane.email, admin, body)).toMatchObject(refused('ROLE_CHANGE_REFUSED'))
    const { body: user } = await shop.call('getUser', { as: jane, query: { email: jane.email } })
    expect(user.role).toBeUndefined()
  })

  test('is 404 for an unknown user', async () => {
    expect(await promote('nobody@example.com', await anAdmin(shop))).toMatchObject(refused('USER_NOT_FOUND'))
  })
})

describe('DELETE /v1/admins/{email}', () => {
  const demote = (email: string, as: TestCustomer) => shop.call('removeAdmin', { as, params: { email } })
  const countAdmins = async () =>
    (await shop.db.selectFrom('customers').select('id').where('role', '=', 'admin').execute()).length

  test("removes another admin's role, records it, and revokes their tokens", async () => {
    const admin = await anAdmin(shop)
    const other = await anAdmin(shop)
    expect((await demote(other.email, admin)).body).toEqual({ acknowledged: true, modifiedCount: 1 })
    expect(await shop.call('listUsers', { as: other })).toMatchObject(refused('NOT_SIGNED_IN'))
    expect((await demote(other.email, admin)).body).toEqual({ acknowledged: true, modifiedCount: 0 })
    const { body } = await shop.call('listAudit', { as: admin, query: { area: 'roles' } })
    expect(body.entries[0]).toMatchObject({
      kind: 'admin_removed',
      by: { email: admin.email },
      subject: { name: other.email },
    })
  })

  test('rejects removing your own role', async () => {
    const admin = await anAdmin(shop)
    expect(await demote(admin.email, admin)).toMatchObject(refused('OWN_ADMIN_ROLE'))
    expect(await countAdmins()).toBe(1)
  })

  test('leaves one admin if two remove each other concurrently', async () => {
    for (let round = 0; round < 5; round++) {
      await shop.database.empty()
      const one = await anAdmin(shop)
      const two = await anAdmin(shop)
      const responses = await Promise.all([demote(one.email, two), demote(two.email, one)])
      expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
      expect(await countAdmins()).toBe(1)
    }
  })
})

describe('POST /v1/sign-out', () => {
  test('revokes all access tokens of the caller immediately', async () => {
    const jane = await aCustomer(shop)
    expect((await shop.call('signOut', { as: jane })).status).toBe(200)
    expect(await shop.call('getUser', { as: jane, query: { email: jane.email } })).toMatchObject(
      refused('NOT_SIGNED_IN'),
    )
    expect(await shop.call('signOut')).toMatchObject(refused('NOT_SIGNED_IN'))
  })
})

describe('GET /user', () => {
  test('is for the user and for admins', async () => {
    const jane = await aCustomer(shop)
    const query = { email: jane.email }
    expect(await shop.call('getUser', { query })).toMatchObject(refused('NOT_SIGNED_IN'))
    expect(await shop.call('getUser', { as: await aCustomer(shop), query })).toMatchObject(
      refused('ADMIN_REQUIRED'),
    )
    const admin = await anAdmin(shop)
    expect((await shop.call('getUser', { as: admin, query })).body._id).toBe(jane.id)
    expect((await shop.call('getUser', { as: admin, query: { email: admin.email } })).body.role).toBe('admin')
  })
})

describe('GET /users', () => {
  test('marks users whose email no one has confirmed, who can be made admins all the same', async () => {
    const admin = await anAdmin(shop)
    const stranger = await aCustomer(shop, { emailVerified: false })
    const { body } = await shop.call('listUsers', { as: admin })
    expect(body.map(({ email, unverified }) => [email, unverified])).toEqual([
      [stranger.email, true],
      [admin.email, undefined],
    ])
    const promoted = { as: admin, params: { email: stranger.email }, body: { role: 'admin' } }
    expect((await shop.call('makeAdmin', promoted)).body.modifiedCount).toBe(1)
  })

  test('searches, filters, sorts and pages', async () => {
    const admin = await anAdmin(shop)
    for (const name of ['Cleo', 'Ada', 'Bea'])
      await aCustomer(shop, { name, email: `${name}@example.com`.toLowerCase() })
    const list = async (query: Record<string, string | number>) =>
      (await shop.call('listUsers', { as: admin, query })).body.map((user: { name: string }) => user.name)
    expect(await list({ role: 'customer', sort: 'name' })).toEqual(['Ada', 'Bea', 'Cleo'])
    expect(await list({ q: 'bea@' })).toEqual(['Bea'])
    expect(await list({ role: 'admin' })).toHaveLength(1)
    expect(await list({ role: 'customer', sort: '-name', page: 2, pageSize: 2 })).toEqual(['Ada'])
  })

  test('sorts names without regard to case, and users without a birthday last', async () => {
    const admin = await anAdmin(shop)
    const birthdays = { bea: '1990-04-30', Ada: '1985-12-10', Cleo: '' }
    for (const [name, birthday] of Object.entries(birthdays)) {
      const customer = await aCustomer(shop, { name })
      const profile = { as: customer, params: { email: customer.email }, body: { birthday } }
      expect((await shop.call('updateProfile', profile)).status).toBe(200)
    }
    const list = async (sort: string) =>
      (await shop.call('listUsers', { as: admin, query: { role: 'customer', sort } })).body.map(
        (user: { name: string }) => user.name,
      )
    expect(await list('name')).toEqual(['Ada', 'bea', 'Cleo'])
    expect(await list('birthday')).toEqual(['Ada', 'bea', 'Cleo'])
    expect(await list('-birthday')).toEqual(['bea', 'Ada', 'Cleo'])
  })
})
