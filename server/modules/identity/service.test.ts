import { getMigrations } from 'better-auth/db/migration'
import { describe, expect, test } from 'vitest'
import {
  type AuthServer,
  openAuthServer,
  origin,
  secret,
  type TestResponse,
  useAuthServer,
} from '../../../tests/auth-server.ts'
import { deleteEndedWindows } from '../../platform/rate-limiter.ts'
import type { Secrets } from '../../platform/secrets/secrets.ts'
import { createBetterAuth, deriveAuthSecrets } from './better-auth.ts'
import { createIdTokenVerifier } from './id-token.ts'
import { deleteSigningKeys } from './service.ts'

const rider = { email: 'Rider@Shop.test', password: 'secret1', name: 'A Rider' }

const server = useAuthServer()

test('the migration creates the tables that better-auth expects', async () => {
  const { pool } = server.database
  const settings = { pool, origin, google: null, log: console }
  const { toBeCreated, toBeAdded, toBeAddedIndexes, schemaProblems } = await getMigrations(
    createBetterAuth(settings, deriveAuthSecrets([secret])).options,
  )
  expect({ toBeCreated, toBeAdded, toBeAddedIndexes, schemaProblems }).toEqual({
    toBeCreated: [],
    toBeAdded: [],
    toBeAddedIndexes: [],
    schemaProblems: [],
  })
})

test('a created account can sign in and is the subject of its tokens', async () => {
  const { subject } = await server.provider.createAccount(rider)
  const browser = server.browser()
  await browser.post('/idp/sign-in/email', { email: rider.email, password: rider.password })
  const { body } = await browser.get('/idp/token')
  expect(await createIdTokenVerifier([server.provider.issuer])(body.token)).toMatchObject({
    subject,
    email: 'rider@shop.test',
    emailVerified: true,
    name: 'A Rider',
  })
})

test('concurrent calls create an account once, and it keeps its password', async () => {
  const made = await Promise.all(Array.from({ length: 5 }, () => server.provider.createAccount(rider)))
  const again = await server.provider.createAccount({ ...rider, password: 'another1', name: 'Another' })
  expect(new Set([...made, again].map(({ subject }) => subject)).size).toBe(1)
  const signIn = (password: string) =>
    server.browser().post('/idp/sign-in/email', { email: rider.email, password })
  expect((await signIn('secret1')).status).toBe(204)
  expect((await signIn('another1')).body.code).toBe('WRONG_PASSWORD')
})

test("two processes accept each other's tokens", async () => {
  const other = await openAuthServer({}, server.database)
  await server.provider.createAccount(rider)
  const browser = server.browser()
  await browser.post('/idp/sign-in/email', { email: rider.email, password: rider.password })
  const there = other.browser()
  for (const [name, value] of browser.cookies) there.cookies.set(name, value)
  const { body } = await there.get('/idp/token')
  expect(await createIdTokenVerifier([server.provider.issuer])(body.token)).toMatchObject({
    emailVerified: true,
  })
  await other.close()
})

describe('a change of the secret', () => {
  const next = `another ${secret}`
  const open = (secrets: Secrets) => openAuthServer({ secrets }, server.database)

  /** Signs in at one process, and continues at another one with the same cookies. */
  async function continueAt(one: AuthServer, other: AuthServer) {
    const browser = one.browser()
    await browser.post('/idp/sign-in/email', { email: rider.email, password: rider.password })
    const there = other.browser()
    for (const [name, value] of browser.cookies) there.cookies.set(name, value)
    return there
  }

  test.each([
    ['the old secret', 'the new one', [secret, next], [next, secret]],
    ['the new secret', 'the old one', [next, secret], [secret, next]],
  ] as [string, string, Secrets, Secrets][])(
    'keeps sessions of a process with %s valid in one with %s',
    async (_one, _other, secrets, swapped) => {
      const one = await open(secrets)
      await one.provider.createAccount(rider)
      const other = await open(swapped)
      const { status, body } = await (await continueAt(one, other)).get('/idp/token')
      expect(status).toBe(200)
      const verify = createIdTokenVerifier([one.provider.issuer])
      expect(await verify(body.token)).toMatchObject({ email: 'rider@shop.test' })
      // The signing key is now encrypted with the secret of the other process.
      expect((await (await continueAt(one, one)).get('/idp/token')).status).toBe(200)
      await Promise.all([one.close(), other.close()])
    },
  )

  test('encrypts the signing key again, so that the old secret can be removed', async () => {
    const keys = async () => (await server.database.pool.query('select * from identity.jwks')).rows
    await (await open([secret])).close()
    const before = await keys()
    await expect(open([next])).rejects.toThrow(/encrypted with another secret.*SHOP_PREVIOUS_SECRETS/)
    expect(await keys()).toEqual(before)

    await (await open([next, secret])).close()
    const [key] = await keys()
    expect({ ...key, privateKey: '' }).toEqual({ ...before[0], privateKey: '' })
    const only = await open([next])
    await only.provider.createAccount(rider)
    expect((await (await continueAt(only, only)).get('/idp/token')).status).toBe(200)
    await only.close()
  })

  test.each(['http://localhost:3000', 'https://shop.test'])(
    'signs the session cookie again, so that the old secret can be removed: %s',
    async (ofShop) => {
      const openAt = (secrets: Secrets) => openAuthServer({ origin: ofShop, secrets }, server.database)
      const sessionCookie = ({ headers }: TestResponse) =>
        [headers['set-cookie'] ?? []].flat().find((cookie) => String(cookie).includes('session_token='))
      const toAttributes = (cookie: unknown) => String(cookie).split('; ').slice(1).toSorted()
      const one = await openAt([secret])
      await one.provider.createAccount(rider)
      const { email, password } = rider
      const signIn = await one.browser().post('/idp/sign-in/email', { email, password })

      const other = await openAt([next, secret])
      const there = await continueAt(one, other)
      const response = await there.get('/idp/email')
      expect(response.status).toBe(200)
      const renewed = sessionCookie(response)
      expect(toAttributes(renewed)).toEqual(toAttributes(sessionCookie(signIn)))
      expect(sessionCookie(await there.get('/idp/email'))).toBeUndefined()

      const only = await openAt([next])
      const last = only.browser()
      for (const [name, value] of there.cookies) last.cookies.set(name, value)
      expect((await last.get('/idp/token')).status).toBe(200)
      const signedOut = await continueAt(one, other)
      await signedOut.post('/idp/sign-out', {})
      expect([...signedOut.cookies.keys()].join()).not.toContain('session_token')
      await Promise.all([one.close(), other.close(), only.close()])
    },
  )

  test('signs out all users if the old secret is not a previous one', async () => {
    await server.provider.createAccount(rider)
    await deleteSigningKeys(server.database.db)
    const other = await open([next])
    expect((await (await continueAt(server, other)).get('/idp/token')).status).toBe(401)
    await other.close()
  })
})

test('deletes expired sessions, sign-ins and rate limits', async () => {
  await server.provider.createAccount(rider)
  await server.browser().post('/idp/sign-in/email', { email: rider.email, password: rider.password })
  await server.browser().get('/idp/popup')
  await server.database.pool.query(`update identity."session" set "expiresAt" = now() - interval '1 second'`)
  await server.database.pool.query(
    `update identity."verification" set "expiresAt" = now() - interval '1 second'`,
  )
  await server.database.pool.query('update identity.rate_limits set window_ends_at = now()')
  await server.provider.deleteExpired(server.database.db)
  await deleteEndedWindows(server.database.db)
  const { rows } = await server.database.pool.query(
    `select (select count(*) from identity."session") as sessions,
            (select count(*) from identity."verification") as verifications,
            (select count(*) from identity.rate_limits) as attempts`,
  )
  expect(rows).toEqual([{ sessions: 0, verifications: 0, attempts: 0 }])
})

test('without Google the popup closes immediately and reports a failure', async () => {
  const without = await openAuthServer({ google: null })
  expect((await without.browser().follow('/idp/popup')).path).toBe('/idp/popup/done?error=FAILED')
  expect((await without.browser().get('/sandbox/google/authorize')).status).toBe(404)
  await without.close()
})
