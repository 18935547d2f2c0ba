import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import type { TestBrowser } from '../../../tests/auth-server.ts'
import { untilWaiting } from '../../../tests/database.ts'
import { useAuthServerWithMail } from '../../../tests/identity-mail.ts'
import { linkIn } from '../../../tests/mail-server.ts'
import { createIdTokenVerifier, createSessionCheck } from './id-token.ts'

const rider = { email: 'rider@shop.test', password: 'secret1', name: 'A Rider' }
const { email } = rider
const over = { status: 410, body: { code: 'LINK_OVER' } }

const voided: string[] = []
const server = useAuthServerWithMail(
  { voidAccessTokens: async (_tx, { subject }) => void voided.push(subject) },
  /rider@shop|secret1|new-secret/i,
)
beforeEach(() => {
  voided.length = 0
})

const signUp = async (account = rider): Promise<TestBrowser> => {
  const browser = server.browser()
  await browser.post('/idp/sign-up/email', account)
  return browser
}
const signIn = async (password: string) =>
  (await server.browser().post('/idp/sign-in/email', { email, password })).body.code ?? 'SIGNED_IN'
const reset = (token: string, password = 'new-secret') =>
  server.browser().post('/idp/reset-password', { token, password })
const stored = async () =>
  (
    await server.database.pool.query('select * from identity.email_tokens where purpose = $1', [
      'password-reset',
    ])
  ).rows

describe('POST /idp/reset-password', () => {
  test('sets the new password, invalidates the old one, and sends an email', async () => {
    await signUp()
    expect((await reset(await server.askForReset(email))).status).toBe(204)
    expect(await signIn('new-secret')).toBe('SIGNED_IN')
    expect(await signIn(rider.password)).toBe('WRONG_PASSWORD')
    await server.settled()
    const last = server.server.received.at(-1)
    expect(last).toMatchObject({ to: [email] })
    expect(last?.source).toContain('Subject: Your password was changed')
    expect(last?.source).not.toContain('new-secret')
  })

  test('ends all sessions and revokes all access tokens immediately', async () => {
    const here = await signUp()
    const there = server.browser()
    await there.post('/idp/sign-in/email', { email, password: rider.password })
    const { token: idToken } = (await there.get('/idp/token')).body
    const stands = createSessionCheck([server.provider.issuer])
    expect(await stands(idToken)).toBe(true)

    await reset(await server.askForReset(email))
    for (const browser of [here, there]) expect((await browser.get('/idp/token')).status).toBe(401)
    const { subject } = await createIdTokenVerifier([server.provider.issuer])(idToken)
    expect(voided).toEqual([subject])
    expect(await stands(idToken)).toBe(false)
  })

  test('is atomic', async () => {
    const browser = await signUp()
    const token = await server.askForReset(email)
    await server.database.pool.query(
      `alter table mail_outbox add constraint broken check (kind <> 'password-changed') not valid`,
    )
    expect(await reset(token)).toMatchObject({ status: 500, body: { code: 'INTERNAL' } })
    await server.database.pool.query('alter table mail_outbox drop constraint broken')
    expect(await signIn(rider.password)).toBe('SIGNED_IN')
    expect((await browser.get('/idp/token')).status).toBe(200)
    expect((await reset(token)).status).toBe(204)
  })

  test('accepts a link once, even for concurrent requests', async () => {
    await signUp()
    const token = await server.askForReset(email)
    const { resets } = await server.database.db.transaction().execute(async (tx) => {
      await sql`select from identity."user" for update`.execute(tx)
      const resets = Array.from({ length: 6 }, (_, index) => reset(token, `new-secret-${index}`))
      // Each has found the link.
      await untilWaiting(server.database, 6)
      return { resets }
    })
    const responses = await Promise.all(resets)
    expect(responses.filter(({ status }) => status === 204)).toHaveLength(1)
    expect(responses.filter(({ status }) => status === 410)).toHaveLength(5)
    expect(await reset(token)).toMatchObject(over)
    expect(voided).toHaveLength(1)
  })

  test('accepts only the newest link', async () => {
    await signUp()
    const older = await server.askForReset(email)
    const newer = await server.askForReset(email)
    expect(await reset(older)).toMatchObject(over)
    expect((await reset(newer)).status).toBe(204)
  })

  test('rejects a link after one hour', async () => {
    await signUp()
    const token = await server.askForReset(email)
    const { rows } = await server.database.pool.query(
      `update identity.email_tokens set expires_at = expires_at - interval '1 hour'
       where purpose = 'password-reset'
       returning extract(epoch from expires_at - now())::integer as left`,
    )
    expect(rows[0]?.left).toBeGreaterThan(-60)
    expect(await reset(token)).toMatchObject(over)
    expect(await signIn(rider.password)).toBe('SIGNED_IN')
  })

  test('rejects an invented token, a stored hash and an email verification token', async () => {
    await signUp()
    const [message] = await server.emails(email, 1)
    const token = await server.askForReset(email)
    const [row] = await stored()
    for (const wrong of [
      `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`,
      String(row?.token_hash),
      'x',
    ]) {
      expect(await reset(wrong)).toMatchObject(over)
    }
    expect(await reset(linkIn(message ?? { text: '' }).token)).toMatchObject(over)
  })

  test('changes only the account of the link', async () => {
    await signUp()
    await signUp({ ...rider, email: 'other@shop.test' })
    await reset(await server.askForReset('other@shop.test'))
    expect(await signIn(rider.password)).toBe('SIGNED_IN')
    expect(await signIn('new-secret')).toBe('WRONG_PASSWORD')
  })

  test.each([
    ['abcde', 'PASSWORD_TOO_SHORT'],
    ['x'.repeat(129), 'PASSWORD_TOO_LONG'],
  ])('rejects %s like the sign-up, and does not use up the link', async (password, code) => {
    await signUp()
    const token = await server.askForReset(email)
    expect(await reset(token, password)).toMatchObject({ status: 400, body: { code } })
    expect((await reset(token)).status).toBe(204)
  })

  test('leaves no session to a concurrent sign-in with the old password', async () => {
    await signUp()
    const token = await server.askForReset(email)
    const { pool } = server.database
    await pool.query(`
      create function identity.wait() returns trigger language plpgsql as
        $$ begin perform pg_advisory_xact_lock(7); return new; end $$;
      create trigger wait before insert on identity."session" for each row execute function identity.wait()`)
    const gate = await pool.connect()
    await gate.query('select pg_advisory_lock(7)')

    const thief = server.browser()
    const late = thief.post('/idp/sign-in/email', { email, password: rider.password })
    await untilWaiting(server.database)
    expect((await reset(token)).status).toBe(204)
    await gate.query('select pg_advisory_unlock(7)')
    gate.release()

    expect(await late).toMatchObject({ status: 401, body: { code: 'WRONG_PASSWORD' } })
    expect((await pool.query('select from identity."session"')).rowCount).toBe(0)
    await pool.query('drop trigger wait on identity."session"; drop function identity.wait')
  })
})

describe("an account that an attacker created with another person's email", () => {
  test('belongs to the email owner after a reset: verified, and without the earlier ways to sign in', async () => {
    const thirdParty = await signUp()
    const { rows } = await server.database.pool.query('select "id" from identity."user"')
    await server.database.pool.query(
      `insert into identity."account" ("id", "accountId", "providerId", "userId", "updatedAt")
       values ('a1', 'the-strangers', 'google', $1, now())`,
      [rows[0]?.id],
    )
    await reset(await server.askForReset(email))
    expect((await thirdParty.get('/idp/token')).status).toBe(401)
    expect(await signIn(rider.password)).toBe('WRONG_PASSWORD')
    const left = await server.database.pool.query('select "providerId" from identity."account"')
    expect(left.rows).toEqual([{ providerId: 'credential' }])
    const owner = server.browser()
    await owner.post('/idp/sign-in/email', { email, password: 'new-secret' })
    expect((await owner.get('/idp/email')).text).toBe(JSON.stringify({ email, verified: true }))
  })

  test('created by an unverified Google sign-in gets its first password from the email owner', async () => {
    await server.database.pool.query(
      `insert into identity."user" ("id", "name", "email", "emailVerified") values ('u1', 'A Stranger', $1, false)`,
      [email],
    )
    await server.database.pool.query(
      `insert into identity."account" ("id", "accountId", "providerId", "userId", "updatedAt")
       values ('a1', 'g1', 'google', 'u1', now())`,
    )
    expect((await reset(await server.askForReset(email))).status).toBe(204)
    expect(await signIn('new-secret')).toBe('SIGNED_IN')
    const left = await server.database.pool.query('select "providerId" from identity."account"')
    expect(left.rows).toEqual([{ providerId: 'credential' }])
  })
})

test('that is verified keeps its Google sign-in after a reset', async () => {
  const { subject } = await server.provider.createAccount(rider)
  await server.database.pool.query(
    `insert into identity."account" ("id", "accountId", "providerId", "userId", "updatedAt")
     values ('a1', 'g1', 'google', $1, now())`,
    [subject],
  )
  await reset(await server.askForReset(email))
  const left = await server.database.pool.query('select "providerId" from identity."account" order by 1')
  expect(left.rows).toEqual([{ providerId: 'credential' }, { providerId: 'google' }])
})
