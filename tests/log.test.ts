import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { toBikeSlug } from '../contract/bike-urls.ts'
import { makeAdmin } from '../server/modules/customers/service.ts'
import { aBike, aCheckout, aProduct, aWrongKey, someAddress } from './factories.ts'
import { freePort } from './free-port.ts'
import { linkIn, type MailServer, openMailServer } from './mail-server.ts'
import { openTestShop, type TestShop } from './shop.ts'
import { openTraceReceiver, type TraceReceiver } from './trace-receiver.ts'
import { appCode, setUpTwoStep, wrongCode } from './two-step.ts'

const email = 'zoe.rider@example.com'
const thirdParty = 'nobody.at.all@example.com'
const passwords = ['first-passw0rd', 'second-passw0rd', 'wrong-passw0rd']
const [first = '', second = '', wrong = ''] = passwords
const card = '4242424242424242'
const smtpPassword = 'smtp-passw0rd'
const secret = 'a secret of the shop that no log may tell'

/** Values that must not appear in log, metrics and spans. The tests add their tokens and cookies. */
const home = '17 Long Winding Road'
const phone = '+49 151 2345678'
const make = 'Zanzibar Werke'
const person = [email, thirdParty, 'Zoe Rider', home, phone, make, toBikeSlug(make)]
const secrets = new Set([...person, ...passwords, card, '4242 4242', smtpPassword, secret])
let log = ''
let server: MailServer
let traces: TraceReceiver
let shop: TestShop

beforeAll(async () => {
  server = await openMailServer({
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: (_login, _session, done) => done(null, { user: 'shop' }),
    onRcptTo({ address }, _session, done) {
      const error = Object.assign(new Error(`no ${address}`), { responseCode: 451 })
      done(address.startsWith('refused') ? error : null)
    },
  })
  const mail = {
    host: '127.0.0.1',
    port: server.port,
    secure: false,
    login: { user: 'shop', password: smtpPassword },
    from: { name: '', address: 'counter@example.com' },
  }
  traces = await openTraceReceiver()
  for (const [name, value] of Object.entries(traces.settings)) vi.stubEnv(name, value)
  const metrics = { host: '127.0.0.1', port: await freePort() }
  const destination = { write: (line: string) => void (log += line) }
  shop = await openTestShop({ mail, secret, metrics, tracing: true, logLevel: 'trace' }, destination)
})
afterAll(async () => {
  await shop.close()
  await server.close()
  await traces.close()
})

function addSecret(value: unknown): string {
  const entry = String(value)
  if (entry.length < 12) throw new Error(`too short for a secret: ${entry}`)
  secrets.add(entry)
  return entry
}

/** Waits until the spans of all requests so far have been sent: they are sent in the order of their ends. */
async function receiveSpans(): Promise<string> {
  const count = () => traces.spans.filter(({ name }) => name === 'GET /healthz').length
  const before = count()
  await fetch(`${shop.config.origin}/healthz`)
  await vi.waitUntil(() => count() > before, { timeout: 60_000 })
  return traces.text()
}

/** Checks that no secret appears in log, metrics and spans. */
async function expectNoSecrets(): Promise<void> {
  const metrics = await (await fetch(`http://127.0.0.1:${shop.config.metrics?.port}/metrics`)).text()
  expect(metrics).not.toContain('127.0.0.1')
  expect(metrics).toMatch(/shop_emails_total\{kind="email-verification",outcome="sent"\} [1-9]/)
  const spans = await receiveSpans()
  expect(spans).not.toContain('127.0.0.1')
  expect(traces.spans.flatMap(({ others }) => others)).toEqual([])
  // IP addresses of clients are in the audit, and never in the log.
  const requests = log.split('\n').filter((line) => !line.includes('"msg":"Server listening at'))
  expect(requests.filter((line) => /127\.0\.0\.1|::1/.test(line))).toEqual([])
  const text = log + metrics + spans
  const found = [...secrets].filter((each) => text.includes(each) || text.includes(encodeURIComponent(each)))
  expect(found).toEqual([])
}

async function idp(path: string, body: object | null, cookie = '') {
  const response = await fetch(`${shop.config.origin}/idp${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { origin: shop.config.origin, cookie, ...(body && { 'content-type': 'application/json' }) },
    body: body && JSON.stringify(body),
  })
  const cookies = response.headers.getSetCookie().map((each) => each.split(';')[0] ?? '')
  for (const each of cookies) if (each.length > 60) addSecret(each.split('=').slice(1).join('='))
  return { status: response.status, cookie: cookies.join('; '), body: await response.text() }
}

/** Signs in and exchanges the ID token; returns the session cookies and the access token. */
async function signIn(path: string, body: object) {
  const { cookie, status } = await idp(path, body)
  expect(status).toBe(204)
  const idToken = addSecret(JSON.parse((await idp('/token', null, cookie)).body).token)
  const { body: session } = await shop.call('exchangeIdToken', {
    params: { email },
    body: { email, name: 'Zoe', idToken },
  })
  return { cookie, token: addSecret(session.token) }
}

async function readLinkToken(about: RegExp): Promise<string> {
  const mail = await vi.waitUntil(() => server.received.find(({ source }) => about.test(source)), {
    timeout: 60_000,
  })
  return addSecret(linkIn(mail).token)
}

async function sandbox(path: string, fields: Record<string, string>) {
  const response = await fetch(`${shop.config.origin}/sandbox/payments/v1/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${addSecret(shop.settings.stripe.publishableKey)}` },
    body: new URLSearchParams(fields),
  })
  return (await response.json()) as { id: string; status: string }
}

test('at the lowest level the log of successful requests contains no password, token, cookie, email, card or client secret', async () => {
  const up = await signIn('/sign-up/email', { email, password: first, name: 'Zoe Rider' })
  await idp('/verify-email', { token: await readLinkToken(/Subject: Confirm your email/) }, up.cookie)
  await shop.call('updateProfile', { as: up, params: { email }, body: { name: 'Zoe', phone: '555' } })
  await shop.call('getUser', { as: up, query: { email } })

  const productId = await aProduct(shop)
  const { body: placed } = await shop.call('confirmPurchase', {
    as: up,
    body: { productId, quantity: 1, amount: 40, customerAddress: home },
  })
  const { body: intent } = await shop.call('createPaymentIntent', {
    as: up,
    body: { orderId: placed.insertedId, amount: 40 },
  })
  const clientSecret = addSecret(intent.client_secret)
  const method = await sandbox('payment_methods', {
    type: 'card',
    'card[number]': card,
    'card[exp_month]': '12',
    'card[exp_year]': '2034',
    'card[cvc]': '123',
  })
  const transactionId = clientSecret.split('_secret_')[0] ?? ''
  const paid = await sandbox(`payment_intents/${transactionId}/confirm`, {
    client_secret: clientSecret,
    payment_method: method.id,
  })
  expect(paid.status).toBe('succeeded')
  const settled = await shop.call('payOrder', {
    as: up,
    params: { id: placed.insertedId },
    body: { transactionId },
  })
  expect(settled.status).toBe(200)

  await idp('/request-password-reset', { email })
  const token = await readLinkToken(/Subject: Choose a new password/)
  expect((await idp('/reset-password', { token, password: second })).status).toBe(204)
  const again = await signIn('/sign-in/email', { email, password: second })
  await shop.call('signOut', { as: again })
  await idp('/sign-out', {}, again.cookie)
  await expectNoSecrets()
})

test('nor does the log of guest orders, fit and garages contain an order key, a phone number, an email or a bike', async () => {
  const guest = 'a.guest.rider@example.com'
  secrets.add(guest)
  const productId = await aProduct(shop)
  const bike = await aBike(shop, { make, model: 'Bukit 9000' })
  const lines = [{ variantId: productId, quantity: 1, unitPrice: 40 }]
  const body = aCheckout(lines, {
    email: guest,
    asGuest: true,
    address: { ...someAddress, name: 'Zoe Rider', phone },
  })
  const { body: placed } = await shop.call('checkOut', { headers: { 'idempotency-key': randomUUID() }, body })
  const order = { params: { id: placed.id }, headers: { 'order-key': addSecret(placed.key) } }
  expect((await shop.call('getOrderDetails', order)).status).toBe(200)
  const { body: payment } = await shop.call('openOrderPayment', order)
  addSecret(payment.clientSecret)
  const wrong = { ...order, headers: { 'order-key': addSecret(aWrongKey(order.headers['order-key'])) } }
  expect((await shop.call('getOrderDetails', wrong)).status).toBe(404)
  expect((await shop.call('cancelOrder', order)).status).toBe(200)
  await vi.waitUntil(() => server.received.some(({ source }) => source.includes(guest)), { timeout: 60_000 })

  const as = await signIn('/sign-in/email', { email, password: second })
  const query = { product: productId, bike }
  const responses = [
    await shop.call('searchBikes', { query: { q: make } }),
    await shop.call('getFit', { query }),
    await shop.call('listFits', { query }),
    await shop.call('listFitments', { params: { id: productId } }),
    await shop.call('setGarageBike', { as, params: { bikeId: bike }, body: { current: true } }),
    await shop.call('mergeGarage', { as, body: { bikes: [bike], current: bike } }),
    await shop.call('getGarage', { as }),
    await shop.call('removeGarageBike', { as, params: { bikeId: bike } }),
  ]
  expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200))
  const broken = 'alter table garage_bikes add constraint broken check (is_current is null) not valid'
  await shop.database.pool.query(broken)
  const failed = await shop.call('setGarageBike', { as, params: { bikeId: bike }, body: { current: true } })
  await shop.database.pool.query('alter table garage_bikes drop constraint broken')
  expect(failed.status).toBe(500)
  await expectNoSecrets()
})

test('nor does the log of two-step logins contain a key of an app or a recovery code', async () => {
  const { log: logError } = shop.app
  await makeAdmin(shop.db, email, null)
  const as = await signIn('/sign-in/email', { email, password: second })
  const { key, uri, recoveryCodes } = await setUpTwoStep(shop, as)
  const { secret: stored } = await shop.db
    .selectFrom('two_step_logins')
    .select('secret')
    .executeTakeFirstOrThrow()
  for (const each of [key, uri, stored, ...recoveryCodes]) addSecret(each)
  const later = await signIn('/sign-in/email', { email, password: second })
  const pass = (code: string) => shop.call('passTwoStep', { as: later, body: { code } })
  expect((await pass(appCode(key, 1))).status).toBe(200)
  expect((await pass(wrongCode(key))).status).toBe(422)
  expect((await shop.call('removeTwoStep', { as, body: { code: recoveryCodes[0] } })).status).toBe(200)
  // As if a library named them in the message of an error.
  for (const each of [key, uri, stored, ...recoveryCodes])
    logError.error({ err: new Error(`wrong: ${each}`) })
  await shop.db
    .updateTable('customers')
    .set({ role: null, is_owner: false })
    .where('email', '=', email)
    .execute()
  await expectNoSecrets()
})

test('nor does the log of rejected requests', async () => {
  const { cookie, token } = await signIn('/sign-in/email', { email, password: second })
  expect((await idp('/sign-in/email', { email, password: wrong })).status).toBe(401)
  expect((await idp('/sign-in/email', { email: thirdParty, password: wrong })).status).toBe(401)
  expect((await idp('/sign-up/email', { email, password: wrong, name: 'Zoe' })).status).toBe(409)
  await idp('/reset-password', { token: addSecret('a-token-that-was-never-given'), password: wrong })
  await idp('/verify-email', { token: addSecret('another-token-that-was-never-given') }, cookie)
  await shop.call('getUser', { as: { token: addSecret(`${token}changed`) }, query: { email } })
  await shop.call('exchangeIdToken', {
    params: { email },
    body: { email, idToken: addSecret(`${token.slice(0, -3)}AAA`) },
  })
  await shop.call('updateProfile', {
    as: { token },
    params: { email },
    body: { photo: `javascript:${wrong}` },
  })
  await shop.request('PUT', `/api/create-user/${email}`, {
    as: { token },
    headers: { 'content-type': 'text/plain' },
  })
  await sandbox('payment_methods', { type: 'card', 'card[number]': '4000056655665556' })
  secrets.add('4000056655665556')
  await expectNoSecrets()
})

test('nor does the log of invalid HTTP', async () => {
  const socket = connect(shop.config.port, 'localhost')
  const cookie = addSecret('torque=a-cookie-of-a-broken-request')
  socket.write(`GET / HTTP/1.1\r\nHost: x\r\nCookie: ${cookie}\r\nBroken header of ${email}\r\n\r\n`)
  expect(await text(socket)).toContain('400 Bad Request')
  expect(log).toContain('invalid or slow HTTP request')
  expect(log).not.toContain('rawPacket')
  await expectNoSecrets()
})

test('nor does the log of internal errors: an SQL error with values, a mail server error with the email', async () => {
  const { cookie, token } = await signIn('/sign-in/email', { email, password: second })
  const { pool } = shop.database
  await pool.query(`alter table customers add constraint broken check (phone <> 'broken')`)
  const broken = await shop.call('updateProfile', {
    as: { token },
    params: { email },
    body: { phone: 'broken' },
  })
  await pool.query('alter table customers drop constraint broken')
  expect(broken.status).toBe(500)
  expect(log).toContain('"constraint":"broken"')

  await pool.query('alter table identity."session" add constraint broken check (false) not valid')
  expect((await idp('/sign-in/email', { email, password: second })).status).toBe(500)
  await pool.query('alter table identity."session" drop constraint broken')

  const refused = 'refused.rider@example.com'
  secrets.add(refused)
  await idp('/sign-up/email', { email: refused, password: first, name: 'Refused' })
  await vi.waitUntil(() => log.includes('could not send an email'), { timeout: 60_000 })
  await idp('/sign-out', {}, cookie)
  await expectNoSecrets()
})

test('spans have only the names and attributes of decision 45', async () => {
  const names = traces.spans.map(({ name }) => name)
  expect(names).toEqual(
    expect.arrayContaining([
      'POST /idp/sign-up/email',
      'insert identity.user',
      'payment createIntent',
      'job send email',
      'mail send',
    ]),
  )
  const known =
    /^((GET|POST|PUT|PATCH|DELETE) (\/\S*|none)|(select|insert|update|delete) [\w.]+|select|begin|commit|rollback|(payment|job|picture) [\w ]+|mail send)$/
  expect(names.filter((name) => !known.test(name))).toEqual([])
  const attributes = new Set(traces.spans.flatMap((span) => Object.keys(span.attributes)))
  expect([...attributes].toSorted()).toEqual([
    'db.query.text',
    'db.system.name',
    'http.request.method',
    'http.response.status_code',
    'http.route',
    'shop.cache',
    'shop.items',
    'shop.outcome',
    'shop.pool',
  ])
})
