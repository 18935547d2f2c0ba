import { sql } from 'kysely'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { openAuthServer, useAuthServer } from '../../../tests/auth-server.ts'
import { quickScrypt, realScrypt, setScrypt } from '../../../tests/quick-passwords.ts'

const rider = { email: 'rider@shop.test', password: 'secret1', name: 'A Rider' }
const { email, password } = rider

const server = useAuthServer({}, /rider@shop|secret1|wrong-one/i)

describe('POST /idp/sign-up/email', () => {
  test("signs in immediately, with a session cookie that scripts can't read", async () => {
    const browser = server.browser()
    const response = await browser.post('/idp/sign-up/email', rider)

    expect(response).toMatchObject({ status: 204, text: '', headers: { 'cache-control': 'no-store' } })
    const cookies = [response.headers['set-cookie']].flat().map(String)
    const session = cookies.find((cookie) => cookie.startsWith('torque-yard-3000.session_token='))
    expect(session?.split('; ').slice(1).toSorted()).toEqual([
      'HttpOnly',
      'Max-Age=604800',
      'Path=/idp',
      'SameSite=Lax',
    ])
    for (const cookie of cookies) expect(cookie).toMatch(/; Path=\/idp; HttpOnly; SameSite=Lax$/)
    expect((await browser.get('/idp/token')).status).toBe(200)
  })

  test('rejects an email in use, in any case', async () => {
    await server.browser().post('/idp/sign-up/email', rider)
    expect(
      await server.browser().post('/idp/sign-up/email', { ...rider, email: ' Rider@Shop.test ' }),
    ).toMatchObject({
      status: 409,
      body: { code: 'EMAIL_TAKEN', message: 'Email already exist' },
    })
  })

  test('is 503 with Retry-After while the database is full, and works after that', async () => {
    const { db } = server.database
    await sql`create function fail() returns trigger language plpgsql as
      $$ begin raise exception 'no space left' using errcode = '53100'; end $$`.execute(db)
    await sql`create trigger fail before insert on identity."user" execute function fail()`.execute(db)
    const response = await server.browser().post('/idp/sign-up/email', rider)
    expect(response).toMatchObject({
      status: 503,
      headers: { 'retry-after': '2' },
      body: { code: 'UNAVAILABLE' },
    })
    await sql`drop function fail cascade`.execute(db)
    expect((await server.browser().post('/idp/sign-up/email', rider)).status).toBe(204)
  })

  test('creates one account for concurrent sign-ups with the same email', async () => {
    const responses = await Promise.all(
      Array.from({ length: 6 }, () => server.browser().post('/idp/sign-up/email', rider)),
    )
    expect(responses.map(({ status, body }) => body.code ?? String(status)).toSorted()).toEqual([
      '204',
      ...Array.from({ length: 5 }, () => 'EMAIL_TAKEN'),
    ])
    const { rows } = await server.database.pool.query(
      'select (select count(*) from identity."user") as users, (select count(*) from identity.account) as accounts',
    )
    expect(rows).toEqual([{ users: 1, accounts: 1 }])
  })

  test.each([
    ['an invalid email', { email: 'rider' }, 400, 'INVALID_EMAIL', 'Invalid Email'],
    [
      'an email that better-auth does not accept',
      { email: 'a&b@example.com' },
      400,
      'INVALID_REQUEST',
      'Some values are not valid.',
    ],
    [
      'a password of 5 characters',
      { password: '12345' },
      400,
      'PASSWORD_TOO_SHORT',
      'Minimum 6 characters required',
    ],
    [
      'a password of 129 characters',
      { password: 'x'.repeat(129) },
      400,
      'PASSWORD_TOO_LONG',
      'At most 128 characters',
    ],
    ['no name', { name: ' ' }, 400, 'INVALID_REQUEST', 'Some values are not valid.'],
    ['unknown fields', { emailVerified: true }, 400, 'INVALID_REQUEST', 'Some values are not valid.'],
    [
      'a redirect',
      { callbackURL: 'https://evil.test' },
      400,
      'INVALID_REQUEST',
      'Some values are not valid.',
    ],
  ])('rejects %s, and creates no account', async (_what, change, status, code, message) => {
    const response = await server.browser().post('/idp/sign-up/email', { ...rider, ...change })
    expect(response).toMatchObject({ status, body: { code, message } })
    expect(response.headers['set-cookie']).toBeUndefined()
    expect((await server.database.pool.query('select from identity."user"')).rowCount).toBe(0)
  })

  test('accepts passwords of 6 and of 128 characters', async () => {
    for (const [index, length] of [6, 128].entries()) {
      const account = { ...rider, email: `rider@shop${index}.test`, password: 'x'.repeat(length) }
      expect((await server.browser().post('/idp/sign-up/email', account)).status).toBe(204)
      expect(
        (
          await server
            .browser()
            .post('/idp/sign-in/email', { email: account.email, password: account.password })
        ).status,
      ).toBe(204)
    }
  })
})

describe('POST /idp/sign-in/email', () => {
  beforeEach(async () => {
    await server.browser().post('/idp/sign-up/email', rider)
  })

  test('signs in with the email in any case', async () => {
    const browser = server.browser()
    expect((await browser.post('/idp/sign-in/email', { email: 'Rider@Shop.TEST', password })).status).toBe(
      204,
    )
    expect((await browser.get('/idp/token')).status).toBe(200)
  })

  test('returns an error for an unknown email', async () => {
    const response = await server.browser().post('/idp/sign-in/email', { email: 'x@shop.test', password })
    expect(response).toMatchObject({
      status: 401,
      body: { code: 'NO_ACCOUNT', message: 'No account with this email' },
    })
  })

  test('returns an error for a wrong password', async () => {
    const response = await server.browser().post('/idp/sign-in/email', { email, password: 'wrong-one' })
    expect(response).toMatchObject({
      status: 401,
      body: { code: 'WRONG_PASSWORD', message: 'Wrong Password' },
    })
    expect(response.headers['set-cookie']).toBeUndefined()
  })

  test('hashes once in both cases, so that they take the same time', async () => {
    // A quick hash would be too short to measure.
    setScrypt(realScrypt)
    onTestFinished(() => setScrypt(quickScrypt))
    const times: Record<string, number[]> = { 'x@shop.test': [], [email]: [] }
    // Alternates, so that other load affects both. It only adds time: the minimum shows the hash.
    for (let round = 0; round < 9; round++) {
      for (const [who, taken] of Object.entries(times)) {
        const start = performance.now()
        await server.browser().post('/idp/sign-in/email', { email: who, password: 'wrong-one' })
        taken.push(performance.now() - start)
      }
    }
    const [unknown = 0, known = 0] = Object.values(times).map((taken) => Math.min(...taken))
    const ratio = unknown / known
    expect(ratio).toBeGreaterThan(0.5)
    expect(ratio).toBeLessThan(2)
  })

  test('returns one error for both cases if MERGE_SIGN_IN_MESSAGES is set', async () => {
    const merged = await openAuthServer({ mergeSignInMessages: true })
    await merged.browser().post('/idp/sign-up/email', rider)
    for (const who of [email, 'x@shop.test']) {
      expect(
        await merged.browser().post('/idp/sign-in/email', { email: who, password: 'wrong-one' }),
      ).toMatchObject({
        status: 401,
        body: { code: 'SIGN_IN_FAILED', message: 'Login failed' },
      })
    }
    await merged.close()
  })
})
