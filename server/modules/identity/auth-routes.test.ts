import { describe, expect, test } from 'vitest'
import { useAuthServer } from '../../../tests/auth-server.ts'

const rider = { email: 'rider@shop.test', password: 'secret1', name: 'A Rider' }

const server = useAuthServer()

describe('a better-auth endpoint that the shop does not use', () => {
  test.each<['GET' | 'POST' | 'PUT' | 'DELETE', string]>([
    ['POST', '/change-email'],
    ['POST', '/set-password'],
    ['POST', '/delete-user'],
    ['GET', '/delete-user/callback'],
    ['GET', '/request-password-reset'],
    ['GET', '/reset-password'],
    ['GET', '/reset-password/a-token'],
    ['GET', '/send-verification-email'],
    ['GET', '/verify-email'],
    ['POST', '/verify-password'],
    ['POST', '/sign-in/social'],
    ['POST', '/link-social'],
    ['POST', '/unlink-account'],
    ['GET', '/list-accounts'],
    ['GET', '/account-info'],
    ['POST', '/get-access-token'],
    ['POST', '/refresh-token'],
    ['GET', '/get-session'],
    ['GET', '/list-sessions'],
    ['POST', '/revoke-sessions'],
    ['POST', '/update-session'],
    ['GET', '/callback/google'],
    ['POST', '/callback/google-sandbox'],
    ['GET', '/ok'],
    ['GET', '/error'],
    ['GET', '/sign-in/email'],
    ['PUT', '/update-user'],
    ['DELETE', '/sign-out'],
    ['POST', '//sign-out'],
    ['GET', '/'],
  ])('%s /idp%s is 404', async (method, path) => {
    const response = await server.browser().send(method, `/idp${path}`, method === 'GET' ? undefined : {})
    expect(response).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
  })

  test('is 404 even for a signed-in user', async () => {
    const browser = server.browser()
    await browser.post('/idp/sign-up/email', rider)
    expect((await browser.post('/idp/delete-user', {})).status).toBe(404)
    expect((await browser.get('/idp/get-session')).status).toBe(404)
  })
})

describe('a page of another origin', () => {
  test.each([
    ['another site', { origin: 'https://evil.test' }],
    ['another port of this host', { origin: 'http://localhost:3001' }],
    ['a page without an origin', { origin: 'null' }],
    ['something that says nothing', { origin: '' }],
    ['an address that begins like ours', { origin: 'http://localhost:3000.evil.test' }],
  ])("%s can't sign a user up, in or out", async (_what, headers) => {
    const browser = server.browser()
    await browser.post('/idp/sign-up/email', rider)
    for (const [path, body] of [
      ['/sign-up/email', { ...rider, email: 'other@shop.test' }],
      ['/sign-in/email', { email: rider.email, password: rider.password }],
      ['/update-user', { name: 'Evil' }],
      ['/sign-out', {}],
    ] as const) {
      expect(await browser.post(`/idp${path}`, body, headers)).toMatchObject({
        status: 403,
        body: { code: 'FOREIGN_ORIGIN' },
      })
    }
    expect((await browser.get('/idp/token')).status).toBe(200)
    expect((await server.database.pool.query('select from identity."user"')).rowCount).toBe(1)
  })

  test.each(['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data'])(
    "can't send a form as %s",
    async (type) => {
      const form = new URLSearchParams(rider).toString()
      const response = await server.browser().post('/idp/sign-up/email', form, { 'content-type': type })
      expect(response).toMatchObject({ status: 415, body: { code: 'UNSUPPORTED_MEDIA_TYPE' } })
    },
  )

  test("can't read a response, because no CORS header allows it", async () => {
    const browser = server.browser()
    await browser.post('/idp/sign-up/email', rider)
    const { headers } = await browser.get('/idp/token', { origin: 'https://evil.test' })
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([])
    expect(headers['cross-origin-resource-policy']).toBe('same-origin')
  })
})

test.each(['{', '[]', 'null', '"x"', '{"email":{"$ne":""},"password":"secret1"}', '{"__proto__":{}}'])(
  'the invalid body %s is rejected without internal details',
  async (body) => {
    const response = await server.browser().post('/idp/sign-in/email', body)
    expect(response.status).toBe(400)
    expect(Object.keys(response.body)).toEqual(['code', 'message', 'requestId'])
  },
)

test('without a mail server, requests that send email are 503', async () => {
  const browser = server.browser()
  await browser.post('/idp/sign-up/email', rider)
  for (const [path, body] of [
    ['/request-password-reset', { email: rider.email }],
    ['/reset-password', { token: 'x', password: 'secret1' }],
    ['/send-verification-email', {}],
  ] as const) {
    expect(await browser.post(`/idp${path}`, body)).toMatchObject({
      status: 503,
      body: { code: 'MAIL_OFF', message: "This shop can't send email." },
    })
  }
})

test('an internal error has no details in the response and no email in the log', async () => {
  await server.database.pool.query(
    'alter table identity."account" add constraint broken check (false) not valid',
  )
  const response = await server.browser().post('/idp/sign-up/email', rider)
  await server.database.pool.query('alter table identity."account" drop constraint broken')

  expect(response).toMatchObject({ status: 500, body: { code: 'INTERNAL' } })
  expect((await server.database.pool.query('select from identity."user"')).rowCount).toBe(0)
  expect(server.logged()).toContain('"constraint":"broken"')
  expect(server.logged()).not.toMatch(/rider@shop|secret1/)
})

test('IP headers of a client are ignored', async () => {
  const browser = server.browser('203.0.113.9')
  await browser.post('/idp/sign-up/email', rider, {
    'x-client-ip': '198.51.100.1',
    'x-forwarded-for': '198.51.100.2',
  })
  const { rows } = await server.database.pool.query('select "ipAddress" from identity."session"')
  expect(rows).toEqual([{ ipAddress: '203.0.113.9' }])
})

test('the Host header is ignored', async () => {
  const { status, headers } = await server.browser().get('/idp/popup', { host: 'evil.test' })
  expect(status).toBe(302)
  expect(headers.location).toMatch(/^http:\/\/localhost:3000\/sandbox\/google\/authorize\?/)
  expect(headers.location).not.toContain('evil')
})
