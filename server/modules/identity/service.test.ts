import { getMigrations } from 'better-auth/db/migration'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type AuthServer, openAuthServer, origin, secret } from '../../../tests/auth-server.ts'
import { createBetterAuth } from './better-auth.ts'
import { createIdTokenVerifier } from './id-token.ts'

const rider = { email: 'Rider@Shop.test', password: 'secret1', name: 'A Rider' }

let server: AuthServer
beforeAll(async () => {
  server = await openAuthServer()
})
beforeEach(() => server.database.empty())
afterAll(() => server.close())

test('the migration creates the tables that better-auth expects', async () => {
  const { pool } = server.database
  const settings = { pool, origin, secret, google: null, log: console }
  const { toBeCreated, toBeAdded, toBeAddedIndexes, schemaProblems } = await getMigrations(
    createBetterAuth(settings).options,
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

test('after a change of the secret all users must sign in again, and can', async () => {
  await server.provider.createAccount(rider)
  const before = server.browser()
  await before.post('/idp/sign-in/email', { email: rider.email, password: rider.password })
  expect((await before.get('/idp/token')).status).toBe(200)

  const next = await openAuthServer({ secret: `another ${secret}` }, server.database)
  expect(next.logged()).toContain('all users must log in again')
  const after = next.browser()
  for (const [name, value] of before.cookies) after.cookies.set(name, value)
  expect((await after.get('/idp/token')).status).toBe(401)
  await after.post('/idp/sign-in/email', { email: rider.email, password: rider.password })
  expect((await after.get('/idp/token')).status).toBe(200)
  await next.close()
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
