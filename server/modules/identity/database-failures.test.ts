import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { openBrowser, type TestBrowser, type TestResponse } from '../../../tests/auth-server.ts'
import { openTestDatabase, type TestDatabase, untilWaiting } from '../../../tests/database.ts'
import { openTcpProxy, type TcpProxy } from '../../../tests/proxy.ts'
import { openTestShop, type TestShop } from '../../../tests/shop.ts'
import { newId } from '../../platform/database/database.ts'
import { hashToken } from './emails.ts'
import { saveToken } from './repository.ts'

const polling = { timeout: 60_000, interval: 50 }

const password = 'secret1'

let database: TestDatabase
let proxy: TcpProxy
let shop: TestShop
/** A signed-in user, with links for a password reset and the verification of the email. */
let rider: { email: string; browser: TestBrowser; resetToken: string; verificationToken: string }

beforeAll(async () => {
  database = await openTestDatabase({ poolSize: 2 })
  proxy = await openTcpProxy(database.url)
  // Without jobs and the payment sandbox: their statements would be interrupted instead.
  const changes = {
    databaseUrl: proxy.url,
    poolSize: 20,
    role: 'web',
    stripe: { secretKey: 'sk_test_1', publishableKey: 'pk_test_1', webhookSecret: 'whsec_1' },
    mail: 'mailbox',
    google: 'sandbox',
  } as const
  shop = await openTestShop(changes)
  await database.pool.query(`
    create sequence remaining minvalue -10 start 1;
    create function become_read_only() returns trigger language plpgsql as $$ begin
      if nextval('remaining') = 0 then perform set_config('default_transaction_read_only', 'on', false); end if;
      return null;
    end $$;
    create trigger become_read_only after insert or update on identity.rate_limits
      for each row execute function become_read_only()`)
})
afterAll(async () => {
  await shop.close()
  await proxy.close()
  await database.close()
})

beforeEach(async () => {
  await forgetAttempts()
  const [browser, email] = [open(), newEmail()]
  await browser.post('/idp/sign-up/email', { email, password, name: 'A Rider' })
  const { rows } = await database.pool.query('select "id" from identity."user" where "email" = $1', [email])
  const [resetToken, verificationToken] = [newId(), newId()]
  for (const [purpose, token] of [
    ['password-reset', resetToken],
    ['email-verification', verificationToken],
  ] as const)
    await saveToken(database.db, {
      userId: rows[0].id,
      purpose,
      hash: hashToken(token),
      newEmail: null,
      seconds: 3600,
    })
  rider = { browser, email, resetToken, verificationToken }
})

const newEmail = () => `${newId()}@shop.test`
const open = () => openBrowser(shop.app, shop.config.origin, '192.0.2.1')
const forgetAttempts = () => database.pool.query('delete from identity.rate_limits')

/** All calls of the identity provider, with the number of attempts that each counts before its other statements. */
interface Call {
  path: string
  attempts: number
  /** Sends nothing. Returns a function that sends the request. */
  prepare: () => Promise<() => Promise<TestResponse>>
  success: object
}

function post(path: string, attempts: number, body: () => object, success: object = { status: 204 }): Call {
  const send = () => rider.browser.post(`/idp${path}`, body())
  return { path: `POST ${path}`, attempts, prepare: async () => send, success }
}

function get(path: string, success: object = { status: 200 }): Call {
  const send = () => rider.browser.get(`/idp${path}`)
  return { path: `GET ${path}`, attempts: 1, prepare: async () => send, success }
}

/** Opens the popup and submits the form of the Google sandbox. Returns the function that follows its redirect. */
async function prepareCallback() {
  const browser = open()
  const { headers } = await browser.get('/idp/popup')
  const form = `email=${newEmail()}&name=A+Rider`
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  const chosen = await browser.post(below(headers.location), form, type)
  return () => browser.get(below(chosen.headers.location))
}

const below = (url: unknown) => String(url).replace(shop.config.origin, '')
const redirect = (path: RegExp) => ({ status: 302, headers: { location: expect.stringMatching(path) } })

const writes: Call[] = [
  post('/sign-up/email', 3, () => ({ email: newEmail(), password, name: 'A Rider' })),
  post('/sign-in/email', 3, () => ({ email: rider.email, password })),
  post('/update-user', 1, () => ({ name: 'Another Name' })),
  post('/sign-out', 1, () => ({})),
  post('/send-verification-email', 2, () => ({})),
  post('/verify-email', 2, () => ({ token: rider.verificationToken })),
  post('/request-password-reset', 3, () => ({ email: rider.email })),
  post('/reset-password', 2, () => ({ token: rider.resetToken, password: 'another1' })),
  get('/popup', redirect(/\/sandbox\/google\/authorize\?/)),
  { path: 'GET /callback', attempts: 1, prepare: prepareCallback, success: redirect(/\/idp\/popup\/done$/) },
]
const reads: Call[] = [get('/email'), get('/token'), get('/jwks')]

/** A popup passes the error to its opener, which shows it. */
function unavailable({ path }: Call): object {
  if (/popup|callback/.test(path)) return redirect(/\/idp\/popup\/done\?error=UNAVAILABLE$/)
  return { status: 503, headers: { 'retry-after': '2' }, body: { code: 'UNAVAILABLE' } }
}

/** The first byte of a message with a statement: Parse, Bind or Query. */
const isStatement = /^[PBQ]/

/** Interrupts the statement at this position of the next request. Returns whether there was one. */
function interruptAt(
  position: number,
  interrupt: (port: number | undefined) => Promise<unknown>,
): () => boolean {
  let remaining = position
  const watchPorts = new Set<number | undefined>()
  proxy.beforeForwarding = (bytes, port) => {
    // Not the start of a connection, and not the statements of the watch, which begins with this one.
    if (bytes.includes('pg_is_in_recovery')) watchPorts.add(port)
    if (!isStatement.test(bytes.toString('latin1', 0, 1)) || watchPorts.has(port)) return
    if (remaining-- === 0) return interrupt(port).then(() => undefined)
  }
  return () => remaining < 0
}

/** The server stops: it ends the connection with an error. */
const terminate = (port: number | undefined) =>
  database.pool.query(
    'select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = current_database() and client_port = $1',
    [port],
  )

/** Resolves when the shop has closed its broken connections. */
const untilRecovered = () =>
  vi.waitUntil(async () => (await open().get('/idp/nothing')).status === 404, polling)

/** Repeats a call, each time interrupted at its next statement, until it is complete. Returns all responses. */
async function interruptEach({ prepare }: Call): Promise<TestResponse[]> {
  const responses: TestResponse[] = []
  for (;;) {
    await forgetAttempts()
    const send = await prepare()
    const isInterrupted = interruptAt(responses.length, terminate)
    responses.push(await send())
    proxy.beforeForwarding = () => undefined
    if (!isInterrupted()) return responses
    await untilRecovered()
  }
}

test.each([...writes, ...reads])(
  '$path is UNAVAILABLE if the connection ends at any of its statements, and then succeeds',
  async (call) => {
    const responses = await interruptEach(call)
    expect(responses.pop()).toMatchObject(call.success)
    expect(responses.length).toBeGreaterThan(call.attempts)
    expect(responses).toMatchObject(responses.map(() => unavailable(call)))
  },
)

test.each(writes)('$path is UNAVAILABLE if the database is read-only after the last count', async (call) => {
  const send = await call.prepare()
  await database.pool.query("select setval('remaining', $1)", [-call.attempts])
  expect(await send()).toMatchObject(unavailable(call))
  await untilRecovered()
  expect(await (await call.prepare())()).toMatchObject(call.success)
})

test('all calls are UNAVAILABLE if the database freezes after the last count', async () => {
  const all = [...writes, ...reads]
  const prepared = await Promise.all(all.map(({ prepare }) => prepare()))
  await database.db.transaction().execute(async (tx) => {
    const tables = ['"user"', '"session"', '"verification"', '"jwks"'].map((name) => `identity.${name}`)
    await sql.raw(`lock table ${tables.join(', ')}, mail_outbox in access exclusive mode`).execute(tx)
    const responses = Promise.all(prepared.map((send) => send()))
    await untilWaiting(database, all.length)
    proxy.freeze()
    for (const [index, response] of (await responses).entries())
      expect(response).toMatchObject(unavailable(all[index] as Call))
  })
  proxy.thaw()
  await untilRecovered()
})
