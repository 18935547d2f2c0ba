import { describe, expect, test } from 'vitest'
import { describeError, openLog, withoutSecrets } from './log.ts'

function listen() {
  const lines: string[] = []
  const log = openLog('trace', { write: (line: string) => void lines.push(line) })
  return { log, logged: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>) }
}

describe('secrets in a text', () => {
  test.each([
    ['sent to a.rider+x@shop.test: no', 'sent to [e-mail]: no'],
    ['<rider@shop.test>, "o\'neil@shop.co.uk"', '<[e-mail]>, "o\'[e-mail]"'],
    ['GET /user?email=rider%40shop.test', 'GET /user?email=[e-mail]'],
    ['smtps://shop:p%40ss@mail.shop.test/', 'smtps://[login] mail.shop.test/'],
    ['authorization: Bearer abc.def-_~+/=', 'authorization: [token]'],
    ['token eyJhbGciOi.eyJzdWIi.c2ln-_x', 'token [token]'],
    ['JWE eyJhbGciOi..aXY.dGV4dA.dGFn-_x', 'JWE [token]'],
    [
      'otpauth://totp/Shop:x?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&digits=6',
      'otpauth://totp/Shop:x?secret=[key]&digits=6',
    ],
    ['code 2k3m-abcd-efgh-9xyz is wrong', 'code [code] is wrong'],
    ['pi_1A2b_secret_3C4d', 'pi_1A2b_secret_[key]'],
    ['sk_live_abc, rk_test_def and whsec_ghi', '[key], [key] and [key]'],
    ['http://localhost:3000/reset-password#Ab-_9', 'http://localhost:3000/reset-password#[token]'],
    ['http://localhost:3000/confirm-email#Ab-_c', 'http://localhost:3000/confirm-email#[token]'],
    ['http://localhost:3000/join#64f1c2a9.Ab-_c', 'http://localhost:3000/join#[token]'],
    [
      'http://localhost:3000/order/64f1c2a9#qV9_x-3kLmN0pQrStUvWxYz1234567890abcdEFGHij',
      'http://localhost:3000/order/64f1c2a9#[key]',
    ],
    ['order-key: qV9_x-3kLmN0pQrStUvWxYz1234567890abcdEFGHij, end', 'order-key: [key], end'],
    ['4242 4242 4242 4242, 378282246310005', '[number], [number]'],
  ])('%s', (text, received) => expect(withoutSecrets(text)).toBe(received))

  test.each([
    'at handler (file:///srv/shop/node_modules/@fastify/static/index.js:10:3)',
    'npm:pg@8.23.1',
    '{"time":1763731234567,"pid":4242}',
    'order 64f1c2a9b7e3d80012ab34cd',
    'orders_with_a_long_name_of_43_characters_key',
    'at /assets/order-confirmation-page-Ab3dE-9fGh1jK2L.js',
  ])('%s is unchanged', (text) => expect(withoutSecrets(text)).toBe(text))
})

test('a line is valid JSON after redaction', () => {
  const { log, logged } = listen()
  log.info({ text: 'line\nrider@shop.test\t4242424242424242\\"rider@shop.test"' }, 'to\nrider@shop.test')
  expect(logged()).toMatchObject([{ text: 'line\n[e-mail]\t[number]\\"[e-mail]"', msg: 'to\n[e-mail]' }])
})

test('an error is logged with type, code and stack, without other properties', () => {
  const { log, logged } = listen()
  const error = Object.assign(new TypeError('duplicate key: (rider@shop.test)'), {
    code: '23505',
    constraint: 'customers_email_key',
    detail: 'Key (email)=(rider@shop.test) already exists, password hunter2.',
    parameters: ['hunter2'],
    rawPacket: Buffer.from('cookie: hunter2'),
    raw: { payment_intent: { client_secret: 'hunter2' } },
  })
  log.error({ err: error }, 'it failed')
  log.error(error)
  for (const { err } of logged()) {
    expect(err).toMatchObject({
      type: 'TypeError',
      code: '23505',
      constraint: 'customers_email_key',
      stack: expect.stringContaining('TypeError: duplicate key: ([e-mail])'),
    })
  }
  expect(JSON.stringify(logged())).not.toMatch(/hunter2|rider@|detail|rawPacket/)
})

test('causes and aggregated errors are logged alike, even if they are circular', () => {
  const cause = Object.assign(new Error('of rider@shop.test'), { code: 'ECONNRESET', body: 'hunter2' })
  const both = new AggregateError([cause], 'both', { cause })
  cause.cause = both
  const received = describeError(both)
  expect(received).toMatchObject({ cause: { code: 'ECONNRESET' }, errors: [{ code: 'ECONNRESET' }] })
  expect(JSON.stringify(received)).not.toMatch(/hunter2|rider@/)
  expect(describeError({ password: 'hunter2' })).toEqual({ type: 'object' })
})
