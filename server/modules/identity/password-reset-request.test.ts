import { describe, expect, test, vi } from 'vitest'
import { useAuthServerWithMail } from '../../../tests/identity-mail.ts'
import { linkIn } from '../../../tests/mail-server.ts'

const rider = { email: 'rider@shop.test', password: 'secret1', name: 'A Rider' }
const { email } = rider

const server = useAuthServerWithMail({}, /rider@shop|secret1/i)

const signUp = (account = rider) => server.browser().post('/idp/sign-up/email', account)
const ask = (who = email, headers: Record<string, string> = {}) =>
  server.browser().post('/idp/request-password-reset', { email: who }, headers)
const stored = async () =>
  (
    await server.database.pool.query('select * from identity.email_tokens where purpose = $1', [
      'password-reset',
    ])
  ).rows

describe('POST /idp/request-password-reset', () => {
  test('returns the same status, body and headers with and without an account', async () => {
    await signUp()
    const responses = await Promise.all([ask(), ask('nobody@shop.test')])
    const [known, unknown] = responses.map(({ status, text, headers }) => ({
      status,
      text,
      headers: { ...headers, date: 'now' },
    }))
    expect(known).toEqual(unknown)
    expect(known).toMatchObject({ status: 204, text: '' })
    await server.settled()
    expect(server.server.received.filter(({ to }) => to.includes('nobody@shop.test'))).toEqual([])
  })

  test('queues the email in both cases, without looking up the account', async () => {
    await signUp()
    await server.settled()
    const { pool } = server.database
    // Delays sending, so that both rows can be compared.
    await pool.query(
      'alter table mail_outbox alter next_attempt_at set default now() + make_interval(hours => 1)',
    )
    await ask()
    await ask('nobody@shop.test')
    const { rows } = await pool.query('select kind, email, attempts from mail_outbox order by email desc')
    await pool.query('alter table mail_outbox alter next_attempt_at set default now()')
    await pool.query('delete from mail_outbox')
    expect(rows).toEqual([
      { kind: 'password-reset', email, attempts: 0 },
      { kind: 'password-reset', email: 'nobody@shop.test', attempts: 0 },
    ])
    expect(await stored()).toEqual([])
  })

  test('sends a link with the origin of the shop, regardless of the Host header', async () => {
    await signUp()
    await ask(email, { host: 'evil.test', 'x-forwarded-host': 'evil.test' })
    const emails = await server.emails(email, 2)
    const message = emails.find(({ source }) => source.includes('Choose a new password'))
    expect(linkIn(message ?? { text: '' }).url).toMatch(/^http:\/\/localhost:3000\/reset-password#[\w-]{43}$/)
    expect(message?.text).not.toContain('evil')
  })

  test('puts no user input into the email', async () => {
    await signUp({ ...rider, name: 'Win a prize at https://evil.test' })
    await server.askForReset(email)
    for (const { source, text } of server.server.received) expect(source + text).not.toMatch(/evil|prize/)
  })

  test.each([
    'rider@shop.test\r\nBcc: thief@shop.test',
    'rider@shop.test\nto: thief@shop.test',
    'rider@shop.test,thief@shop.test',
    'rider@shop.test%0d%0aBcc:thief@shop.test',
    '"rider\r\n"@shop.test',
    '<rider@shop.test>',
  ])('rejects %j as an email', async (who) => {
    await signUp()
    await server.settled()
    expect(await ask(who)).toMatchObject({ status: 400, body: { code: 'INVALID_EMAIL' } })
    expect((await server.database.pool.query('select from mail_outbox')).rowCount).toBe(0)
  })

  test('accepts no redirect URL', async () => {
    const response = await server
      .browser()
      .post('/idp/request-password-reset', { email, redirectTo: 'https://evil.test' })
    expect(response).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST' } })
  })

  test('is rejected from another origin', async () => {
    expect(await ask(email, { origin: 'https://evil.test' })).toMatchObject({ status: 403 })
  })

  test('stores only the hash of the token', async () => {
    await signUp()
    const token = await server.askForReset(email)
    const rows = JSON.stringify(await stored())
    expect(token).toMatch(/^[\w-]{43}$/)
    expect(rows).toContain('password-reset')
    expect(rows).not.toContain(token)
    expect(server.logged()).not.toContain(token)
  })

  test('asks an account without a password to use Google, and sends no link', async () => {
    await server.database.pool.query(
      `insert into identity."user" ("id", "name", "email", "emailVerified") values ('u1', 'By Google', $1, true)`,
      [email],
    )
    await server.database.pool.query(
      `insert into identity."account" ("id", "accountId", "providerId", "userId", "updatedAt")
       values ('a1', 'g1', 'google', 'u1', now())`,
    )
    await ask()
    const [message] = await server.emails(email, 1)
    expect(message?.text).toContain('Use “Sign in using Google”.')
    expect(message?.text).not.toContain('reset-password')
    expect(await stored()).toEqual([])
  })
})

describe('an email whose sending process is killed before it records the success', () => {
  const resets = () =>
    server.server.received.filter(({ source }) => /^Subject: Choose a new password\r$/m.test(source))

  /** Sends the first email and leaves its row, as a process does that dies before deleting it. */
  async function sendWithoutNote(): Promise<void> {
    await signUp()
    await server.settled()
    const { pool } = server.database
    await pool.query(`
      create sequence noted;
      create function died() returns trigger language plpgsql as
        $$ begin perform nextval('noted'); return null; end $$;
      create trigger died before delete on mail_outbox for each row execute function died()`)
    await ask()
    await vi.waitUntil(async () => (await pool.query('select from noted where is_called')).rowCount, {
      interval: 10,
      timeout: 60_000,
    })
    await pool.query('drop function died cascade; drop sequence noted')
  }
  /** Ends the lease, so that the email is sent again. */
  async function resendEmail(): Promise<void> {
    await server.database.pool.query('update mail_outbox set next_attempt_at = now()')
    await ask('nobody@shop.test')
    await server.settled()
  }

  test('is sent again unchanged, so that mail servers drop the duplicate and its link works', async () => {
    await sendWithoutNote()
    await resendEmail()
    const [first, copy] = resets()
    const readId = (message: typeof first) => /^Message-ID: (.*)$/im.exec(message?.source ?? '')?.[1]
    expect(readId(first)).toMatch(/^<\w{24}@shop\.test>/)
    expect(readId(copy)).toBe(readId(first))
    const { url, token } = linkIn(first ?? { text: '' })
    expect(linkIn(copy ?? { text: '' }).url).toBe(url)
    expect((await server.browser().post('/idp/reset-password', { token, password: 'secret2' })).status).toBe(
      204,
    )
  })

  test('is not sent again if its link has been used', async () => {
    await sendWithoutNote()
    const { token } = linkIn(resets()[0] ?? { text: '' })
    const use = () => server.browser().post('/idp/reset-password', { token, password: 'secret2' })
    expect((await use()).status).toBe(204)
    await resendEmail()
    expect(resets()).toHaveLength(1)
    expect(await use()).toMatchObject({ body: { code: 'LINK_OVER' } })
  })
})
