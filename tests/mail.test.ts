import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  hasVerifiedIdentity,
  makeAdmin,
  requireCustomerByEmail,
} from '../server/modules/customers/service.ts'
import { aBike, aCustomer, anAdmin, anOrder, aProduct, signedIn, someAddress } from './factories.ts'
import { linkIn, type MailServer, openMailServer } from './mail-server.ts'
import { openTestShop, refused, type TestShop } from './shop.ts'

const email = 'rider@example.com'
const adminEmail = 'boss@example.com'
/** The mail server does not know this mailbox. */
const unknownEmail = 'gone@example.com'
/** The mail server is to be asked again later. */
const laterEmail = 'mistyped@example.com'
const refusals: Record<string, number> = { [unknownEmail]: 550, [laterEmail]: 450 }
const password = 'secret1'

let server: MailServer
let shop: TestShop
beforeAll(async () => {
  server = await openMailServer({
    onRcptTo: ({ address }, _session, done) =>
      done(
        address in refusals ? Object.assign(new Error('Refused'), { responseCode: refusals[address] }) : null,
      ),
  })
  shop = await openTestShop({
    mail: {
      host: '127.0.0.1',
      port: server.port,
      secure: false,
      login: null,
      from: { name: 'Torque Yard', address: 'shop@example.com' },
    },
    adminEmails: [adminEmail],
  })
})
afterAll(async () => {
  await shop.close()
  await server.close()
})
beforeEach(async () => {
  const isEmpty = async () => (await shop.database.pool.query('select from mail_outbox')).rowCount === 0
  await vi.waitUntil(isEmpty, { timeout: 60_000 })
  await shop.database.empty()
  server.received.length = 0
})

/** Calls the identity provider like a page of the shop; returns the session cookies too. */
async function idp(path: string, body: object, cookie = '') {
  const response = await fetch(`${shop.config.origin}/idp${path}`, {
    method: 'POST',
    headers: { origin: shop.config.origin, 'content-type': 'application/json', cookie },
    body: JSON.stringify(body),
  })
  const cookies = response.headers.getSetCookie().map((each) => each.split(';')[0])
  return { status: response.status, cookie: cookies.join('; ') }
}

async function idToken(cookie: string): Promise<string> {
  const response = await fetch(`${shop.config.origin}/idp/token`, { headers: { cookie } })
  return ((await response.json()) as { token: string }).token
}

async function exchange(who: string, token: string) {
  return shop.call('exchangeIdToken', { params: { email: who }, body: { email: who, idToken: token } })
}

async function findEmailTo(who: string, about: RegExp) {
  return vi.waitUntil(
    () => server.received.find(({ to, source }) => to.includes(who) && about.test(source)),
    {
      timeout: 60_000,
    },
  )
}

describe('a password reset', () => {
  test('revokes all access tokens immediately, and all ID tokens that could be exchanged for one', async () => {
    const { cookie } = await idp('/sign-up/email', { email, password, name: 'A Rider' })
    const stolen = await idToken(cookie)
    const { body: session } = await exchange(email, stolen)
    expect((await shop.call('getUser', { as: session, query: { email } })).status).toBe(200)

    await idp('/request-password-reset', { email })
    const { token } = linkIn(await findEmailTo(email, /Choose a new password/))
    expect((await idp('/reset-password', { token, password: 'another1' })).status).toBe(204)

    expect(await shop.call('getUser', { as: session, query: { email } })).toMatchObject(
      refused('NOT_SIGNED_IN'),
    )
    expect(await exchange(email, stolen)).toMatchObject(refused('INVALID_ID_TOKEN'))
    const again = await idp('/sign-in/email', { email, password: 'another1' })
    const { body: renewed } = await exchange(email, await idToken(again.cookie))
    expect((await shop.call('getUser', { as: renewed, query: { email } })).status).toBe(200)
    expect(await findEmailTo(email, /Your password was changed/)).toMatchObject({ from: 'shop@example.com' })
  })

  test.each([
    ['deletes what the customer of an unverified email has saved: a stranger may have signed up', false],
    ['leaves what the customer of a verified email has saved', true],
  ])('%s', async (_, isVerified) => {
    const { cookie } = await idp('/sign-up/email', { email, password, name: 'A Rider' })
    if (isVerified) {
      const { token } = linkIn(await findEmailTo(email, /Confirm your email/))
      await idp('/verify-email', { token }, cookie)
    }
    const { body: session } = await exchange(email, await idToken(cookie))
    const variantId = await aProduct(shop)
    const bikeId = await aBike(shop)
    const profile = { phone: '555', bio: 'Rides.', birthday: '1990-01-01', sex: 'Female' as const }
    const photo = sharp({ create: { width: 40, height: 40, channels: 3, background: '#aa3311' } })
    const saved = [
      await shop.call('addAddress', { as: session, body: someAddress }),
      await shop.call('setCartLine', { as: session, params: { variantId }, body: { quantity: 1 } }),
      await shop.call('setGarageBike', { as: session, params: { bikeId }, body: { current: true } }),
      await shop.call('updateProfile', { as: session, params: { email }, body: profile }),
      await shop.call('addPhoto', {
        as: session,
        headers: { 'content-type': 'image/png' },
        body: await photo.png().toBuffer(),
      }),
    ]
    expect(saved.map(({ status }) => status)).toEqual(saved.map(() => 200))

    await idp('/request-password-reset', { email })
    const { token } = linkIn(await findEmailTo(email, /Choose a new password/))
    await idp('/reset-password', { token, password: 'another1' })
    const again = await idp('/sign-in/email', { email, password: 'another1' })
    const { body: renewed } = await exchange(email, await idToken(again.cookie))
    expect(renewed.user._id).toBe(session.user._id)
    const { body: user } = await shop.call('getUser', { as: renewed, query: { email } })
    const count = isVerified ? 1 : 0
    expect({
      addresses: (await shop.call('listAddresses', { as: renewed })).body.length,
      lines: (await shop.call('getCart', { as: renewed })).body.lines.length,
      bikes: (await shop.call('getGarage', { as: renewed })).body.bikes.length,
      texts: [user.phone, user.bio, user.birthday, user.sex],
      hasPhoto: [user.photo, user.avatar].map(Boolean),
    }).toEqual({
      addresses: count,
      lines: count,
      bikes: count,
      texts: isVerified ? ['555', 'Rides.', '1990-01-01', 'Female'] : ['', '', '', ''],
      hasPhoto: [isVerified, isVerified],
    })
  })

  test('does not revoke access tokens of other users', async () => {
    const other = 'other@example.com'
    const { cookie } = await idp('/sign-up/email', { email: other, password, name: 'Another' })
    const { body: session } = await exchange(other, await idToken(cookie))
    await idp('/sign-up/email', { email, password, name: 'A Rider' })
    await idp('/request-password-reset', { email })
    const { token } = linkIn(await findEmailTo(email, /Choose a new password/))
    await idp('/reset-password', { token, password: 'another1' })
    expect((await shop.call('getUser', { as: session, query: { email: other } })).status).toBe(200)
  })
})

test('an email has the saved name as its sender, the saved email for replies, and the saved address', async () => {
  const settings = {
    name: 'Held Out Motos',
    email: 'hi@motos.example',
    street: '1 Kickstand Lane',
    city: 'Austin',
  }
  const value = JSON.stringify(settings)
  await shop.db.insertInto('shop_settings').values({ name: 'shop', value }).execute()
  await idp('/sign-up/email', { email, password, name: 'A Rider' })
  await idp('/request-password-reset', { email })
  const { source } = await findEmailTo(email, /Choose a new password/)
  expect(source).toMatch(/^From: Held Out Motos <shop@example\.com>\r$/m)
  expect(source).toMatch(/^Reply-To: hi@motos\.example\r$/m)
  expect(source).toContain('1 Kickstand Lane')
  expect(source.replaceAll(/=\r\n/g, '')).toContain('your Held Out Motos account')
  expect(source).not.toContain('Torque Yard')
})

describe('the texts of an email', () => {
  const texts = { subject: 'Welcome back to {shopName}', before: 'Hello from {shopName}.', after: '' }
  const draft = { kind: 'password-reset' as const, ...texts }

  test('are in the emails that are sent after they are saved', async () => {
    const admin = await anAdmin(shop)
    const saved = await shop.call('saveEmailSettings', {
      as: admin,
      headers: { 'if-match': '"0"' },
      body: { 'password-reset': texts },
    })
    expect(saved.status).toBe(200)
    await idp('/sign-up/email', { email, password, name: 'A Rider' })
    await idp('/request-password-reset', { email })
    const { source } = await findEmailTo(email, /Welcome back/)
    expect(source).toMatch(/^Subject: Welcome back to Torque Yard\r$/m)
    expect(source).toContain('Hello from Torque Yard.')
    expect(source).toContain('/reset-password#')
    expect(source).not.toContain('The link works once')
  })

  test('are sent to the admin who tries them, before they are saved', async () => {
    const admin = await anAdmin(shop)
    const sent = await shop.call('testEmail', { as: admin, body: draft })
    expect(sent).toMatchObject({ status: 200, body: { acknowledged: true, email: admin.email } })
    const { source } = await findEmailTo(admin.email, /Welcome back/)
    expect(source).not.toContain('/reset-password#')
    const subject = 'Hello\r\nBcc: all@example.com'
    expect(await shop.call('testEmail', { as: admin, body: { ...draft, subject } })).toMatchObject(
      refused('INVALID_REQUEST'),
    )
  })

  test('are not sent if the mail server refuses them, and the error has its response', async () => {
    await aCustomer(shop, { email: unknownEmail })
    await makeAdmin(shop.db, unknownEmail, null)
    const admin = await signedIn(shop, await requireCustomerByEmail(shop.db, unknownEmail))
    expect(await shop.call('testEmail', { as: admin, body: draft })).toMatchObject(
      refused('MAIL_NOT_SENT', { codes: expect.stringContaining('550') }),
    )
  })
})

describe('a change of the email', () => {
  const newEmail = 'new-rider@example.com'
  async function askForLink(cookie: string): Promise<string> {
    await idp('/request-email-change', { email: newEmail, password }, cookie)
    return linkIn(await findEmailTo(newEmail, /Confirm your new email/)).token
  }

  test('keeps the customer with their orders, and voids the access tokens', async () => {
    const { cookie } = await idp('/sign-up/email', { email, password, name: 'A Rider' })
    const { body: session } = await exchange(email, await idToken(cookie))
    const admin = await anAdmin(shop)
    const orderId = await anOrder(shop, { id: session.user._id, email, token: session.token })
    await shop.call('addNote', { as: admin, body: { email, body: 'Calls on Mondays' } })
    expect((await idp('/confirm-email-change', { token: await askForLink(cookie) }, cookie)).status).toBe(204)
    expect(await shop.call('getUser', { as: session, query: { email } })).toMatchObject(
      refused('NOT_SIGNED_IN'),
    )
    const { body: renewed } = await exchange(newEmail, await idToken(cookie))
    expect(renewed.user).toMatchObject({ _id: session.user._id, email: newEmail })
    const details = (as: { token: string }) => shop.call('getOrderDetails', { as, params: { id: orderId } })
    expect((await details(renewed)).body).toMatchObject({ own: true, email })
    expect((await details(admin)).body).toMatchObject({ own: false })
    // The email was not confirmed, so the note may be about another person.
    const found = await shop.call('getCustomer', { as: admin, params: { email: newEmail } })
    expect(found.body.notes).toEqual([])
  })

  test('makes earlier ID tokens invalid, which would set the old email again', async () => {
    const { cookie } = await idp('/sign-up/email', { email, password, name: 'A Rider' })
    const old = await idToken(cookie)
    const { body: session } = await exchange(email, old)
    expect((await idp('/confirm-email-change', { token: await askForLink(cookie) }, cookie)).status).toBe(204)
    expect(await exchange(email, old)).toMatchObject(refused('INVALID_ID_TOKEN'))
    expect(await requireCustomerByEmail(shop.db, newEmail)).toMatchObject({ id: session.user._id })
    expect((await exchange(newEmail, await idToken(cookie))).status).toBe(200)
  })

  test('withdraws the email to a mistyped address, which would void the link in the next one', async () => {
    const { cookie } = await idp('/sign-up/email', { email, password, name: 'A Rider' })
    await idp('/request-email-change', { email: laterEmail, password }, cookie)
    const queued = async () =>
      (await shop.database.pool.query("select email, attempts from mail_outbox where kind = 'email-change'"))
        .rows
    await vi.waitUntil(async () => (await queued())[0]?.attempts > 0, { timeout: 60_000 })
    const token = await askForLink(cookie)
    // The row of the later email is deleted after the email is sent.
    await vi.waitUntil(async () => (await queued()).length === 0, { timeout: 60_000 })
    expect((await idp('/confirm-email-change', { token }, cookie)).status).toBe(204)
  })

  test('moves the notes of the staff if the earlier email was confirmed', async () => {
    const { cookie } = await idp('/sign-up/email', { email, password, name: 'A Rider' })
    const { token } = linkIn(await findEmailTo(email, /Confirm your email/))
    await idp('/verify-email', { token }, cookie)
    await exchange(email, await idToken(cookie))
    const admin = await anAdmin(shop)
    await shop.call('addNote', { as: admin, body: { email, body: 'Calls on Mondays' } })
    expect((await idp('/confirm-email-change', { token: await askForLink(cookie) }, cookie)).status).toBe(204)
    const found = await shop.call('getCustomer', { as: admin, params: { email: newEmail } })
    expect(found.body.notes).toMatchObject([{ body: 'Calls on Mondays' }])
  })

  test('is refused if another customer has the email, and the account stays usable', async () => {
    const { cookie } = await idp('/sign-up/email', { email, password, name: 'A Rider' })
    const { body: session } = await exchange(email, await idToken(cookie))
    const token = await askForLink(cookie)
    await aCustomer(shop, { email: newEmail })
    expect(await idp('/confirm-email-change', { token }, cookie)).toMatchObject({ status: 409 })
    const { body: renewed } = await exchange(email, await idToken(cookie))
    expect(renewed.user._id).toBe(session.user._id)
  })
})

test('an ID token from before the email was verified does not clear the verification', async () => {
  const { cookie } = await idp('/sign-up/email', { email, password, name: 'A Rider' })
  const unverified = await idToken(cookie)
  const { body: session } = await exchange(email, unverified)
  expect(await hasVerifiedIdentity(shop.db, session.user._id)).toBe(false)
  const { token } = linkIn(await findEmailTo(email, /Confirm your email/))
  expect((await idp('/verify-email', { token }, cookie)).status).toBe(204)
  expect((await exchange(email, await idToken(cookie))).status).toBe(200)
  expect(await exchange(email, unverified)).toMatchObject(refused('INVALID_ID_TOKEN'))
  expect(await hasVerifiedIdentity(shop.db, session.user._id)).toBe(true)
})

test("an ID token of an ended session can't be exchanged for an access token", async () => {
  const { cookie } = await idp('/sign-up/email', { email, password, name: 'A Rider' })
  const copied = await idToken(cookie)
  expect((await exchange(email, copied)).status).toBe(200)
  await idp('/sign-out', {}, cookie)
  expect(await exchange(email, copied)).toMatchObject(refused('INVALID_ID_TOKEN'))
})

describe('an email in ADMIN_EMAILS', () => {
  test('does not make an admin before it is verified', async () => {
    const { cookie } = await idp('/sign-up/email', { email: adminEmail, password, name: 'Boss' })
    expect((await exchange(adminEmail, await idToken(cookie))).body.user.role).toBeUndefined()
    const { token } = linkIn(await findEmailTo(adminEmail, /Confirm your email/))
    expect((await idp('/verify-email', { token }, cookie)).status).toBe(204)
    const { body } = await exchange(adminEmail, await idToken(cookie))
    expect(body.user.role).toBe('admin')
    const audit = await shop.call('listAudit', { as: body, query: { area: 'roles' } })
    expect(audit.body.entries).toMatchObject([
      {
        kind: 'admin_by_settings',
        subject: { name: adminEmail },
        ip: expect.stringMatching(/^(127\.0\.0\.1|::1)$/),
      },
    ])
    expect(audit.body.entries[0]).not.toHaveProperty('by')
  })
})

describe('the mailbox', () => {
  const open = (headers: Record<string, string> = {}, of = shop, url = '/sandbox/mailbox') =>
    of.app.inject({ url, headers: { host: new URL(of.config.origin).host, ...headers } })

  test('is 404 if a mail server is set', async () => {
    expect((await open()).statusCode).toBe(404)
  })

  test('shows emails as text to a direct request from this machine', async () => {
    const demo = await openTestShop({ mail: 'mailbox' })
    expect((await open({}, demo)).body).toContain('Nothing has been sent yet.')
    await demo.app.inject({
      method: 'POST',
      url: '/idp/sign-up/email',
      headers: { origin: demo.config.origin },
      payload: { email, password, name: 'A Rider' },
    })
    const findPage = async () => {
      const { body } = await open({}, demo)
      return body.includes(email) && body
    }
    const page = await vi.waitUntil(findPage, { timeout: 60_000 })
    expect(page).toContain('no email is sent')
    expect(page).toContain('<h2>Confirm your email</h2>')
    const link = new RegExp(`<a [^>]*href="${demo.config.origin}/verify-email#([\\w-]+)">`)
    expect(page).toMatch(link)
    expect(page).not.toMatch(/<script|style=|<style/)
    const { headers } = await open({}, demo)
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })

    const [, path = ''] = /href="(\/sandbox\/mailbox\/\d+)"/.exec(page) ?? []
    const html = await open({}, demo, path)
    expect(html.headers['content-security-policy']).toContain("default-src 'none'; style-src 'unsafe-inline'")
    expect(html.body).toMatch(link)
    expect((await open({ 'x-forwarded-for': '203.0.113.9' }, demo, path)).statusCode).toBe(404)
    expect((await open({}, demo, '/sandbox/mailbox/0')).statusCode).toBe(404)
    await demo.close()
  })

  test('is 404 through a proxy or with another host name', async () => {
    const demo = await openTestShop({ mail: 'mailbox' })
    expect((await open({}, demo)).statusCode).toBe(200)
    const elsewhere: Record<string, string>[] = [
      { host: 'evil.test' },
      { host: `evil.test:${demo.config.port}` },
      { 'x-forwarded-for': '203.0.113.9' },
      { 'x-forwarded-host': 'shop.tunnel.test' },
      { forwarded: 'for=203.0.113.9' },
      { via: '1.1 proxy' },
    ]
    for (const headers of elsewhere) {
      expect((await open(headers, demo)).statusCode, JSON.stringify(headers)).toBe(404)
    }
    await demo.close()
  })
})
