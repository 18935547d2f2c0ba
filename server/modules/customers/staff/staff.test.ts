import { describe, expect, test } from 'vitest'
import { type StaffRole, staffRoles } from '../../../../contract/permissions.ts'
import {
  aCustomer,
  anAdmin,
  aStaffMember,
  signedIn,
  type TestCustomer,
  untilDecided,
} from '../../../../tests/factories.ts'
import { sentEmails } from '../../../../tests/mailbox.ts'
import { whileReferenced } from '../../../../tests/referenced-row.ts'
import { openTestShop, refused, useTestShop } from '../../../../tests/shop.ts'
import { findOrCreateCustomer, makeAdmin, makeOwner, requireCustomerByEmail } from '../service.ts'
import * as repository from './repository.ts'

const shop = useTestShop()

const readRole = async (email: string): Promise<StaffRole | null> =>
  repository.toStaffRole(await requireCustomerByEmail(shop.db, email))
const change = (email: string, role: StaffRole | null, as: TestCustomer) =>
  shop.call('changeRole', { as, params: { email }, body: { role } })

/** The roles that each role gives and takes; `null` removes the role. */
const givable: Partial<Record<StaffRole, (StaffRole | null)[]>> = {
  owner: ['owner', 'admin', 'editor', 'packer', 'support', null],
  admin: ['admin', 'editor', 'packer', 'support', null],
}
const roles = [...staffRoles, null]

describe('PUT /v1/staff/{email}', () => {
  test.each(staffRoles)('lets the role %s change exactly what the list says', async (giverRole) => {
    const giver = await aStaffMember(shop, giverRole)
    const { id, email } = await aCustomer(shop)
    const given = givable[giverRole] ?? []
    const outcomes: unknown[] = []
    const expected: unknown[] = []
    for (const present of roles) {
      for (const next of given.length > 0 ? roles : staffRoles.slice(0, 2)) {
        await repository.changeRole(shop.db, id, present, { granted_by: 'command' })
        const { status } = await change(email, next, giver)
        outcomes.push([present, next, status === 200 ? await readRole(email) : status])
        const isAllowed = given.includes(present) && given.includes(next)
        // A role that the person already has needs no permission to give it.
        const isSame = given.length > 0 && present === next
        expected.push([present, next, isAllowed || isSame ? next : 403])
      }
    }
    expect(outcomes).toEqual(expected)
  })

  test("records the change and revokes the person's tokens", async () => {
    const owner = await anAdmin(shop)
    const jane = await aCustomer(shop)
    expect((await change(jane.email, 'packer', owner)).body).toEqual({ acknowledged: true, modifiedCount: 1 })
    expect((await change(jane.email, 'packer', owner)).body).toEqual({ acknowledged: true, modifiedCount: 0 })
    expect(await shop.call('getUser', { as: jane, query: { email: jane.email } })).toMatchObject(
      refused('NOT_SIGNED_IN'),
    )
    const { body } = await shop.call('listAudit', { as: owner, query: { area: 'roles' } })
    expect(body.entries[0]).toMatchObject({
      kind: 'packer',
      by: { email: owner.email },
      subject: { name: jane.email },
    })
  })

  test('refuses the own role, an unknown person and an unknown role', async () => {
    const owner = await anAdmin(shop)
    expect(await change(owner.email, 'admin', owner)).toMatchObject(refused('OWN_ROLE'))
    expect(await change('nobody@example.com', 'admin', owner)).toMatchObject(refused('USER_NOT_FOUND'))
    const { status } = await shop.call('changeRole', {
      as: owner,
      params: { email: owner.email },
      body: { role: 'chef' },
    })
    expect(status).toBe(400)
  })

  test('leaves one owner if two remove each other concurrently', async () => {
    for (let round = 0; round < 5; round++) {
      await shop.database.empty()
      const one = await aStaffMember(shop, 'owner')
      const two = await aStaffMember(shop, 'owner')
      const replies = await Promise.all([change(one.email, null, two), change(two.email, null, one)])
      expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
      expect([await readRole(one.email), await readRole(two.email)].filter(Boolean)).toEqual(['owner'])
    }
  })
})

describe('the specified calls', () => {
  test('change no owner unless the caller is one', async () => {
    const owner = await anAdmin(shop)
    const admin = await anAdmin(shop)
    const remove = (as: TestCustomer) => shop.call('removeAdmin', { as, params: { email: owner.email } })
    expect(await remove(admin)).toMatchObject(refused('ROLE_NOT_YOURS_TO_GIVE'))
    const promote = { as: admin, params: { email: owner.email }, body: { role: 'admin' } }
    expect((await shop.call('makeAdmin', promote)).body.modifiedCount).toBe(0)
    expect(await readRole(owner.email)).toBe('owner')
    expect((await remove(await aStaffMember(shop, 'owner'))).body.modifiedCount).toBe(1)
  })

  test('show owners as admins and other staff without a role', async () => {
    const owner = await anAdmin(shop)
    for (const role of ['admin', 'packer'] as const) await aStaffMember(shop, role)
    const shown = async (query: Record<string, string>) =>
      (await shop.call('listUsers', { as: owner, query })).body.map(({ role, staffRole }) => [
        role,
        staffRole,
      ])
    const packer = [undefined, 'packer']
    expect(await shown({ role: 'admin' })).toEqual(
      expect.arrayContaining([
        ['admin', 'owner'],
        ['admin', 'admin'],
      ]),
    )
    expect(await shown({ role: 'customer' })).toEqual([packer])
  })
})

describe('the first admin', () => {
  test('of the command line owns the shop, even if two are made concurrently', async () => {
    const people = await Promise.all([aCustomer(shop), aCustomer(shop)])
    await Promise.all(people.map(({ email }) => makeAdmin(shop.db, email, null)))
    const found = await Promise.all(people.map(({ email }) => readRole(email)))
    expect(new Set(found)).toEqual(new Set(['admin', 'owner']))
    for (const { email } of people) expect(await makeAdmin(shop.db, email, null)).toBe(false)
  })

  test('of the settings owns the shop', async () => {
    const jane = { issuer: 'test', subject: 'jane', email: 'jane@example.com', emailVerified: true }
    const admins = { emails: [jane.email], trustUnverified: false }
    await findOrCreateCustomer(shop.db, { ...jane, name: 'Jane', picture: null }, 'Jane', admins)
    expect(await readRole(jane.email)).toBe('owner')
  })
})

test('another owner of the command line can remove the lost one, and the audit has both changes', async () => {
  const lost = await anAdmin(shop)
  const jane = await aCustomer(shop)
  const invitation = { email: jane.email, role: 'packer' as const }
  expect((await shop.call('addInvitation', { as: lost, body: invitation })).status).toBe(200)
  expect(await makeOwner(shop.db, jane.email)).toBe(true)
  expect(await shop.call('listStaff', { as: jane })).toMatchObject(refused('NOT_SIGNED_IN'))
  const owner = await signedIn(shop, await requireCustomerByEmail(shop.db, jane.email))
  // Its link would make the new owner a packer.
  expect((await shop.call('listStaff', { as: owner })).body.invitations).toEqual([])
  expect((await change(lost.email, null, owner)).body.modifiedCount).toBe(1)
  const { body } = await shop.call('listAudit', { as: owner, query: { area: 'roles' } })
  expect(body.entries.slice(0, 2)).toMatchObject([
    { kind: 'admin_removed', by: { email: jane.email, staffRole: 'owner' }, subject: { name: lost.email } },
    { kind: 'admin_by_command', subject: { name: jane.email }, changes: [{ field: 'role', after: 'owner' }] },
  ])
})

test('GET /v1/staff lists people with a role, owners first, with the last change', async () => {
  const owner = await anAdmin(shop)
  const jane = await aCustomer(shop, { name: 'Jane' })
  await change(jane.email, 'support', owner)
  const { body } = await shop.call('listStaff', { as: owner })
  expect(body.staff).toMatchObject([
    { email: owner.email, role: 'owner' },
    {
      email: jane.email,
      name: 'Jane',
      role: 'support',
      changedBy: owner.email,
      changedAt: expect.any(String),
    },
  ])
  expect(body.staff[0]).not.toHaveProperty('changedBy')
})

describe('invitations', () => {
  const invite = (email: string, role: StaffRole, as: TestCustomer) =>
    shop.call('addInvitation', { as, body: { email, role } })
  const accept = (token: string, as: TestCustomer) => shop.call('acceptInvitation', { as, body: { token } })
  const toToken = (link = '') => link.split('#')[1] ?? ''
  const expire = () =>
    shop.db
      .updateTable('invitations')
      .set({ expires_at: new Date(0) })
      .execute()

  /** Invites Jane as a packer. */
  async function anInvitation(role: StaffRole = 'packer') {
    const owner = await anAdmin(shop)
    const jane = await aCustomer(shop, { email: 'jane@example.com' })
    const { body } = await invite('Jane@Example.com', role, owner)
    return { owner, jane, id: body.id, token: toToken(body.link) }
  }

  test('give the role to an account with the invited email, once', async () => {
    const { owner, jane, token } = await anInvitation()
    expect((await shop.call('readInvitation', { body: { token } })).body).toEqual({
      shop: 'Torque Yard',
      role: 'packer',
    })
    expect(await accept(token, await aCustomer(shop))).toMatchObject(refused('INVITATION_NOT_YOURS'))
    expect((await accept(token, jane)).body).toEqual({ role: 'packer' })
    expect(await readRole(jane.email)).toBe('packer')
    const packer = await signedIn(shop, await requireCustomerByEmail(shop.db, jane.email))
    expect(await accept(token, packer)).toMatchObject(refused('INVITATION_OVER'))
    expect(await shop.call('readInvitation', { body: { token } })).toMatchObject(refused('INVITATION_OVER'))
    const { body } = await shop.call('listStaff', { as: owner })
    expect(body.staff[1]).toMatchObject({ email: jane.email, role: 'packer', changedBy: owner.email })
    expect(body.invitations).toEqual([])
  })

  test.each(['', 'x', '#', `${'0'.repeat(24)}.x`])('do not accept the token %j', async (token) => {
    const { jane } = await anInvitation()
    const { status } = await accept(token, jane)
    expect(status).toBe(410)
  })

  test('do not accept another token of the same id', async () => {
    const { jane, id, token } = await anInvitation()
    for (const wrong of [id, `${id}.`, `${token}A`, token.slice(0, -1)]) {
      expect(await accept(wrong, jane)).toMatchObject(refused('INVITATION_OVER'))
    }
  })

  test('are over after a resend, a revocation or 7 days', async () => {
    const { owner, jane, id, token } = await anInvitation()
    const again = await shop.call('resendInvitation', { as: owner, params: { id } })
    expect(await accept(token, jane)).toMatchObject(refused('INVITATION_OVER'))
    await expire()
    const second = toToken(again.body.link)
    expect(await accept(second, jane)).toMatchObject(refused('INVITATION_OVER'))
    const { body } = await shop.call('listStaff', { as: owner })
    expect(body.invitations).toMatchObject([{ email: jane.email, expired: true, invitedBy: owner.email }])
    const third = await shop.call('resendInvitation', { as: owner, params: { id } })
    expect((await shop.call('revokeInvitation', { as: owner, params: { id } })).status).toBe(200)
    expect(await accept(toToken(third.body.link), jane)).toMatchObject(refused('INVITATION_OVER'))
    for (const name of ['resendInvitation', 'revokeInvitation'] as const)
      expect(await shop.call(name, { as: owner, params: { id } })).toMatchObject(refused('INVITATION_OVER'))
  })

  test('are one per email, unless the earlier one has expired; staff need none', async () => {
    const { owner, jane } = await anInvitation()
    expect(await invite(jane.email, 'editor', owner)).toMatchObject(refused('INVITATION_OPEN'))
    await expire()
    // An import by this admin holds the row until its end.
    const invited = await whileReferenced(shop, { table: 'customers', id: owner.id }, () =>
      invite(jane.email, 'editor', owner),
    )
    expect(invited.status).toBe(200)
    expect(await invite(owner.email, 'editor', owner)).toMatchObject(refused('ALREADY_STAFF'))
  })

  test('are sent, repeated and revoked only by who may give the role', async () => {
    const { id } = await anInvitation('owner')
    const admin = await anAdmin(shop)
    expect(await invite('ada@example.com', 'owner', admin)).toMatchObject(refused('ROLE_NOT_YOURS_TO_GIVE'))
    for (const name of ['resendInvitation', 'revokeInvitation'] as const)
      expect(await shop.call(name, { as: admin, params: { id } })).toMatchObject(
        refused('ROLE_NOT_YOURS_TO_GIVE'),
      )
    expect((await invite('ada@example.com', 'admin', admin)).status).toBe(200)
  })

  test.each(['packer', null] as const)('are over if the inviter has the role %j now', async (role) => {
    await anAdmin(shop)
    const admin = await anAdmin(shop)
    const jane = await aCustomer(shop)
    const { body } = await invite(jane.email, 'editor', admin)
    await repository.changeRole(shop.db, admin.id, role, { granted_by: 'command' })
    expect(await accept(toToken(body.link), jane)).toMatchObject(refused('INVITATION_OVER'))
    expect(await readRole(jane.email)).toBe(null)
  })

  test("are over after a direct change of the person's role", async () => {
    const { owner, jane, token } = await anInvitation('admin')
    await change(jane.email, 'packer', owner)
    await change(jane.email, null, owner)
    const fired = await signedIn(shop, await requireCustomerByEmail(shop.db, jane.email))
    expect(await accept(token, fired)).toMatchObject(refused('INVITATION_OVER'))
    expect(await readRole(jane.email)).toBe(null)
    expect((await shop.call('listStaff', { as: owner })).body.invitations).toEqual([])
  })

  test('are over after the command line or the settings have made the person an admin', async () => {
    const owner = await anAdmin(shop)
    const jane = { issuer: 'test', subject: 'jane', email: 'jane@example.com', emailVerified: true }
    const signIn = (emails: string[]) =>
      findOrCreateCustomer(shop.db, { ...jane, name: 'Jane', picture: null }, 'Jane', {
        emails,
        trustUnverified: false,
      })
    const customer = await signIn([])
    for (const makeJaneAdmin of [() => signIn([jane.email]), () => makeAdmin(shop.db, jane.email, null)]) {
      const { body } = await invite(jane.email, 'packer', owner)
      await makeJaneAdmin()
      const admin = await signedIn(shop, await requireCustomerByEmail(shop.db, jane.email))
      expect(await accept(toToken(body.link), admin)).toMatchObject(refused('INVITATION_OVER'))
      expect(await readRole(jane.email)).toBe('admin')
      await repository.changeRole(shop.db, customer.id, null, { granted_by: 'command' })
    }
  })

  test('do not change an owner on behalf of an admin', async () => {
    await anAdmin(shop)
    const admin = await anAdmin(shop)
    const jane = await aCustomer(shop)
    const { body } = await invite(jane.email, 'support', admin)
    await repository.changeRole(shop.db, jane.id, 'owner', { granted_by: 'command' })
    const owner = await signedIn(shop, await requireCustomerByEmail(shop.db, jane.email))
    expect(await accept(toToken(body.link), owner)).toMatchObject(refused('INVITATION_OVER'))
    expect(await readRole(jane.email)).toBe('owner')
  })

  test('are accepted once if the link is used 10 times concurrently', async () => {
    const { jane, token } = await anInvitation()
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => untilDecided(() => accept(token, jane))),
    )
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    const rows = await shop.db
      .selectFrom('role_changes')
      .select('id')
      .where('customer_id', '=', jane.id)
      .execute()
    expect(rows).toHaveLength(1)
  })
})

test('an invitation is emailed if the shop sends email', async () => {
  await using cleanup = new AsyncDisposableStack()
  const withMail = await openTestShop({ mail: 'mailbox' })
  cleanup.defer(withMail.close)
  const owner = await anAdmin(withMail)
  const jane = await aCustomer(withMail)
  const { body } = await withMail.call('addInvitation', {
    as: owner,
    body: { email: jane.email, role: 'editor' },
  })
  expect(body.link).toBeUndefined()
  const [email] = await sentEmails(withMail.db, jane.email)
  expect(email).toMatchObject({ subject: 'Your invitation to the staff' })
  expect(email?.body).toContain('Your role: editor.')
  // An email that a process sends at the moment, whose link has expired when it arrives.
  const next_attempt_at = new Date(Date.now() + 3_600_000)
  const sending = { id: 'sending', kind: 'invitation', attempts: 1, next_attempt_at } as const
  await withMail.db
    .insertInto('mail_outbox')
    .values({ ...sending, email: jane.email, subject: body.id, expires_at: next_attempt_at })
    .execute()
  await withMail.call('resendInvitation', { as: owner, params: { id: body.id } })
  const [, again] = await sentEmails(withMail.db, jane.email)
  const [, token = ''] = /\/join#(\S+)/.exec(again?.body ?? '') ?? []
  const accepted = await withMail.call('acceptInvitation', { as: jane, body: { token } })
  expect(accepted.body).toEqual({ role: 'editor' })
})
