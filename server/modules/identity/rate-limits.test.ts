import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type AuthServer, openAuthServer, type TestBrowser, wideLimits } from '../../../tests/auth-server.ts'
import { openTestDatabase, type TestDatabase } from '../../../tests/database.ts'
import { openAuthServerWithMail } from '../../../tests/identity-mail.ts'
import type { Limits } from './options.ts'

const rider = { email: 'rider@shop.test', password: 'secret1', name: 'A Rider' }
const right = { email: rider.email, password: rider.password }
const wrong = { email: rider.email, password: 'wrong-one' }

let database: TestDatabase
let servers: AuthServer[] = []
async function openLimited(limits: Partial<Limits>): Promise<AuthServer> {
  const server = await openAuthServer({ limits: { ...wideLimits(), ...limits } }, database)
  servers.push(server)
  return server
}
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())
beforeEach(async () => {
  await database.empty()
  servers = []
  return () => Promise.all(servers.map((server) => server.close()))
})

const signIn = async (browser: TestBrowser, body: object) =>
  (await browser.post('/idp/sign-in/email', body)).status
/** Returns the end of the last window, which limits the email. */
const findLastEnd = async (server: AuthServer) =>
  (await server.database.pool.query('select max(window_ends_at) from identity.rate_limits')).rows
const endWindows = (server: AuthServer) =>
  server.database.pool.query('update identity.rate_limits set window_ends_at = now()')

describe('wrong passwords for one email', () => {
  const limits = {
    failuresPerNetwork: { max: 3, seconds: 900 },
    failuresPerEmail: { max: 3, seconds: 900 },
  }

  test("stop the guesser's network first, not the owner in another one", async () => {
    const server = await openLimited({ ...limits, failuresPerEmail: { max: 6, seconds: 900 } })
    await server.browser().post('/idp/sign-up/email', rider)
    const guessFrom = async (ip: string) => {
      const attempts = []
      for (let round = 0; round < 5; round++) attempts.push(await signIn(server.browser(ip), wrong))
      return attempts
    }
    const stopped = [401, 401, 401, 429, 429]
    expect(await guessFrom('2001:db8:0:1::1')).toEqual(stopped)
    expect(await signIn(server.browser('2001:db8:0:1::2'), right)).toBe(429)
    expect(await signIn(server.browser('192.0.2.1'), right)).toBe(204)
    // From many networks, the limit of the email stops all unknown browsers.
    for (const ip of ['192.0.2.2', '192.0.2.3']) expect(await guessFrom(ip)).toEqual(stopped)
    expect(await signIn(server.browser('192.0.2.4'), right)).toBe(429)
  })

  test('block unknown browsers from any IP, even with the right password; the response contains the waiting time', async () => {
    const server = await openLimited(limits)
    await server.browser().post('/idp/sign-up/email', rider)
    for (const ip of ['192.0.2.1', '192.0.2.2', '192.0.2.3']) {
      expect(await signIn(server.browser(ip), wrong)).toBe(401)
    }
    const response = await server.browser('192.0.2.4').post('/idp/sign-in/email', right)
    const message = 'Too many attempts. Try again in 15 minutes.'
    expect(response).toMatchObject({ status: 429, body: { code: 'TOO_MANY_REQUESTS', message } })
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(890)
    expect(Number(response.headers['retry-after'])).toBeLessThanOrEqual(900)
  })

  test('do not block a browser that has signed in before', async () => {
    const server = await openLimited(limits)
    const owner = server.browser()
    await owner.post('/idp/sign-up/email', rider)
    await owner.post('/idp/sign-out', {})
    for (let round = 0; round < 5; round++) await signIn(server.browser('203.0.113.6'), wrong)

    expect(await signIn(owner, right)).toBe(204)
    expect(await signIn(server.browser('203.0.113.6'), right)).toBe(429)
  })

  test('are counted separately for a known browser', async () => {
    const server = await openLimited(limits)
    const browser = server.browser()
    await browser.post('/idp/sign-up/email', rider)
    const attempts = []
    for (let round = 0; round < 4; round++) attempts.push(await signIn(browser, wrong))
    expect(attempts).toEqual([401, 401, 401, 429])
    expect(await signIn(server.browser(), right)).toBe(204)
  })

  test("the device cookie is valid only for its own email, and can't be forged", async () => {
    const server = await openLimited(limits)
    const thirdParty = server.browser()
    await server.browser().post('/idp/sign-up/email', rider)
    await thirdParty.post('/idp/sign-up/email', { ...rider, email: 'stranger@shop.test' })
    for (let round = 0; round < 3; round++) expect(await signIn(thirdParty, wrong)).toBe(401)
    expect(await signIn(thirdParty, right)).toBe(429)
    thirdParty.cookies.set('torque-yard-3000.known_device', `${'a'.repeat(24)}~${'A'.repeat(43)}`)
    expect(await signIn(thirdParty, right)).toBe(429)
  })

  test('are cleared after a success and at the end of the window; further attempts do not extend it', async () => {
    const server = await openLimited(limits)
    await server.browser().post('/idp/sign-up/email', rider)
    for (let round = 0; round < 3; round++) {
      expect(await signIn(server.browser(), wrong)).toBe(401)
      expect(await signIn(server.browser(), wrong)).toBe(401)
      expect(await signIn(server.browser(), right)).toBe(204)
    }
    await signIn(server.browser(), wrong)
    const ends = await findLastEnd(server)
    for (let round = 0; round < 5; round++) await signIn(server.browser(), wrong)
    expect(await signIn(server.browser(), right)).toBe(429)
    expect(await findLastEnd(server)).toEqual(ends)
    await endWindows(server)
    expect(await signIn(server.browser(), right)).toBe(204)
  })

  test('are limited even for concurrent requests', async () => {
    const server = await openLimited(limits)
    await server.browser().post('/idp/sign-up/email', rider)
    const attempts = await Promise.all(Array.from({ length: 12 }, () => signIn(server.browser(), wrong)))
    expect(attempts.filter((status) => status === 401)).toHaveLength(3)
    expect(attempts.filter((status) => status === 429)).toHaveLength(9)
  })

  test('are counted without an account too, so that the limit reveals nothing', async () => {
    const server = await openLimited(limits)
    const attempts = []
    for (let round = 0; round < 4; round++) attempts.push(await signIn(server.browser(), wrong))
    expect(attempts).toEqual([401, 401, 401, 429])
  })
})

describe('attempts from one IP', () => {
  test('to sign in are limited for all emails and results; another IP is not affected', async () => {
    const server = await openLimited({ signInsPerIp: { max: 3, seconds: 60 } })
    const attempts = []
    for (const name of ['a', 'b', 'c', 'd']) {
      attempts.push(await signIn(server.browser('2001:db8::1'), { ...wrong, email: `${name}@shop.test` }))
    }
    expect(attempts).toEqual([401, 401, 401, 429])
    expect(await signIn(server.browser('2001:db8::ffff:2'), wrong)).toBe(429)
    expect(await signIn(server.browser('2001:db8:0:1::1'), wrong)).toBe(401)
  })

  test('to sign up are limited', async () => {
    const server = await openLimited({ signUpsPerIp: { max: 2, seconds: 60 } })
    const attempts = []
    for (const name of ['a', 'b', 'c']) {
      const response = await server
        .browser()
        .post('/idp/sign-up/email', { ...rider, email: `${name}@shop.test` })
      attempts.push(response.status)
    }
    expect(attempts).toEqual([204, 204, 429])
  })

  test('below /idp are limited; the popup reports it to the page that opened it', async () => {
    const server = await openLimited({ callsPerIp: { max: 2, seconds: 60 } })
    expect((await server.browser().get('/idp/token')).status).toBe(401)
    expect((await server.browser().get('/idp/nothing')).status).toBe(404)
    expect((await server.browser().get('/idp/token')).status).toBe(429)
    const { path, status } = await server.browser().follow('/idp/popup')
    expect(status).toBe(200)
    // The window of 60 seconds began with the first call.
    expect(path).toMatch(/^\/idp\/popup\/done\?error=TOO_MANY_REQUESTS&retryAfter=(60|5\d)$/)
  })
})

test('sign-ups for one email are limited, from any IP', async () => {
  const server = await openLimited({ signUpsPerEmail: { max: 2, seconds: 60 } })
  const attempts = []
  for (const ip of ['192.0.2.1', '192.0.2.2', '192.0.2.3']) {
    attempts.push((await server.browser(ip).post('/idp/sign-up/email', rider)).status)
  }
  expect(attempts).toEqual([204, 409, 429])
})

describe('emails', () => {
  const openWithMail = async (limits: Partial<Limits>) => {
    const server = await openAuthServerWithMail({ limits: { ...wideLimits(), ...limits } })
    servers.push(server)
    return server
  }
  const ask = async (browser: TestBrowser, email: string) =>
    (await browser.post('/idp/request-password-reset', { email })).status

  test('for a password reset are limited per email, with and without an account', async () => {
    const server = await openWithMail({ resetRequestsPerEmail: { max: 2, seconds: 60 } })
    await server.browser().post('/idp/sign-up/email', rider)
    for (const email of [rider.email, 'nobody@shop.test']) {
      const attempts = []
      for (const ip of ['192.0.2.1', '192.0.2.2', '192.0.2.3']) {
        attempts.push(await ask(server.browser(ip), email))
      }
      expect(attempts).toEqual([204, 204, 429])
    }
  })

  test('for a password reset have a separate limit for a browser that has signed in', async () => {
    const server = await openWithMail({ resetRequestsPerEmail: { max: 2, seconds: 60 } })
    const owner = server.browser()
    await owner.post('/idp/sign-up/email', rider)
    for (let round = 0; round < 3; round++) await ask(server.browser('203.0.113.6'), rider.email)
    expect(await ask(server.browser('203.0.113.6'), rider.email)).toBe(429)
    expect(await ask(owner, rider.email)).toBe(204)
  })

  test('for a password reset are limited per IP, for all emails', async () => {
    const server = await openWithMail({ resetRequestsPerIp: { max: 2, seconds: 60 } })
    const attempts = []
    for (const name of ['a', 'b', 'c']) attempts.push(await ask(server.browser(), `${name}@shop.test`))
    expect([...attempts, await ask(server.browser('203.0.113.6'), 'd@shop.test')]).toEqual([
      204, 204, 429, 204,
    ])
  })

  test('to verify an email are limited per account', async () => {
    const server = await openWithMail({ verificationsPerEmail: { max: 1, seconds: 60 } })
    const browser = server.browser()
    await browser.post('/idp/sign-up/email', rider)
    const again = async () => (await browser.post('/idp/send-verification-email', {})).status
    expect([await again(), await again()]).toEqual([204, 429])
  })

  test('for a password reset let their owner in, while wrong passwords block all other browsers', async () => {
    const server = await openWithMail({ failuresPerEmail: { max: 1, seconds: 60 } })
    await server.browser().post('/idp/sign-up/email', rider)
    await signIn(server.browser('192.0.2.1'), wrong)
    const owner = server.browser()
    expect(await signIn(owner, right)).toBe(429)
    const token = await server.askForReset(rider.email, owner)
    const password = 'another secret'
    expect((await owner.post('/idp/reset-password', { token, password })).status).toBe(204)
    expect(await signIn(owner, { ...right, password })).toBe(204)
    expect(await signIn(server.browser(), { ...right, password })).toBe(429)
  })

  test("have links that can't be guessed: attempts are limited per IP", async () => {
    const server = await openWithMail({ linksPerIp: { max: 2, seconds: 60 } })
    const guess = async () =>
      (await server.browser().post('/idp/reset-password', { token: 'a-guess', password: 'secret1' })).status
    expect([await guess(), await guess(), await guess()]).toEqual([410, 410, 429])
  })
})

test('are limited across two processes', async () => {
  const limits = { ...wideLimits(), failuresPerEmail: { max: 2, seconds: 60 } }
  const first = await openLimited(limits)
  const second = await openAuthServer({ limits }, database)
  const attempts = [await signIn(first.browser(), wrong), await signIn(second.browser(), wrong)]
  expect([...attempts, await signIn(first.browser(), wrong)]).toEqual([401, 401, 429])
  await second.close()
})

test('the table does not contain emails or IPs in plain text', async () => {
  const server = await openLimited({})
  await signIn(server.browser('203.0.113.77'), wrong)
  const { rows } = await server.database.pool.query<{ key: string }>('select key from identity.rate_limits')
  expect(rows.length).toBeGreaterThanOrEqual(3)
  expect(JSON.stringify(rows)).not.toMatch(/rider|203\.0/)
})

test('networks of one IPv6 /56 share a limit four times as high', async () => {
  const server = await openLimited({ signInsPerIp: { max: 1, seconds: 900 } })
  const from = (group: string) => signIn(server.browser(`2001:db8:0:${group}::1`), wrong)
  const statuses: number[] = []
  for (const group of ['1', '2', '3', 'ff', '4']) statuses.push(await from(group))
  expect(statuses.map((status) => status === 429)).toEqual([false, false, false, false, true])
  expect(await from('100')).not.toBe(429)
})

test('networks of one IPv6 /56 share the limit of wrong passwords for one email, which a success clears', async () => {
  const server = await openLimited({ failuresPerNetwork: { max: 1, seconds: 900 } })
  await server.browser().post('/idp/sign-up/email', rider)
  const from = (group: string, body: object) => signIn(server.browser(`2001:db8:0:${group}::1`), body)
  const guess = async (groups: string[]) => {
    const statuses: number[] = []
    for (const group of groups) statuses.push(await from(group, wrong))
    return statuses
  }
  expect(await guess(['1', '2', '3'])).toEqual([401, 401, 401])
  expect(await from('4', right)).toBe(204)
  expect(await guess(['5', '6', '7', '8', '9'])).toEqual([401, 401, 401, 401, 429])
  expect(await from('a', { ...wrong, email: 'other@shop.test' })).toBe(401)
  expect(await from('100', wrong)).toBe(401)
})
