import { describe, expect, test } from 'vitest'
import { anyEmail, email, imageUrl, line, lines, requiredLine, timestamp } from './fields.ts'

const accepts = (schema: typeof imageUrl, text: string) => schema.safeParse(text).success

describe('text', () => {
  test.each([
    ['a NUL', 'a\0b'],
    ['an escape', 'a\u001b[31m'],
    ['a delete', 'a\u007f'],
    ['a control character of the second set', 'a\u0085b'],
    ['half a character', 'a\ud83d'],
    ['an override of direction', 'invoice\u202efdp.exe'],
    ['an isolate', 'a\u2067b'],
  ])('with %s is rejected, with one line and with several', (_, text) => {
    expect([accepts(line(20), text), accepts(lines(20), text)]).toEqual([false, false])
  })

  test("with several lines can have line breaks and tabs; a single line can't", () => {
    expect([accepts(line(20), 'a\nb'), accepts(line(20), 'a\tb'), accepts(line(20), 'a\u2028b')]).toEqual([
      false,
      false,
      false,
    ])
    expect(accepts(lines(20), 'a\r\n\tb')).toBe(true)
  })

  test.each(['Zoë', 'سلام', '東京', '👩🏽‍🔧', '<b>&"\'', "Robert'); drop table orders;--", 'a\u200fb'])(
    'accepts %j',
    (text) => {
      expect(accepts(line(40), text)).toBe(true)
    },
  )
})

test.each([
  ['a pair of marks', '\u202a+1 555-0100\u202c'],
  ['isolates between spaces', ' \u2068 \u200e+1 555-0100 \u2069\n'],
  ['nothing', '+1 555-0100'],
])('one line loses the direction marks of a pasted phone number at its ends: %s', (_, text) => {
  expect(line(11).parse(text)).toBe('+1 555-0100')
  expect(requiredLine(11, 'Phone is required').parse(text)).toBe('+1 555-0100')
})

test('a required line of direction marks is blank, and inside a line they are refused', () => {
  const phone = requiredLine(20, 'Phone is required')
  expect(phone.safeParse('\u202a \u202c').error?.issues[0]?.message).toBe('Phone is required')
  expect(accepts(phone, '+1\u202a555\u202c0100')).toBe(false)
})

test('a very long line of spaces is trimmed in time', () => {
  const text = `a${' \u200e'.repeat(1_000_000)}b`
  expect(accepts(line(20), text)).toBe(false)
  expect(accepts(line(20), `${text}${' '.repeat(1_000_000)}`)).toBe(false)
}, 60_000)

describe('an email', () => {
  test.each([
    ['\u202aRider@Example.com\u202c', 'rider@example.com'],
    ['ivan@xn--e1afmkfd.xn--p1ai', 'ivan@xn--e1afmkfd.xn--p1ai'],
    ['a&b@example.com', 'a&b@example.com'],
    ["o'neil+shop@mail.example.co", "o'neil+shop@mail.example.co"],
  ])('accepts %j', (text, expected) => {
    expect(email.parse(text)).toBe(expected)
    expect(anyEmail.parse(text)).toBe(expected)
  })

  test.each([
    'rider',
    'rider@',
    '@example.com',
    'ri der@example.com',
    'rider@example',
    'rider@example.c',
    'rider@example..com',
    'rider@@example.com',
    'rider@example.com.',
    'rider@пример.рф',
    'иван@example.com',
    `rider@${'a.'.repeat(100_000)}`,
  ])('rejects %s', (text) => expect(email.safeParse(text).success).toBe(false))
})

describe('a time', () => {
  test.each([
    ['2026-05-01T00:00:00Z', '2026-05-01T00:00:00.000Z'],
    ['2026-05-01T00:00:00.123456+20:00', '2026-04-30T04:00:00.123Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59.000Z'],
  ])('such as %s is converted to UTC', (time, utc) => {
    expect(timestamp.parse(time)).toBe(utc)
  })

  test.each([
    '0000-06-01T00:00:00Z',
    '0001-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-05:00',
    '2026-05-01T00:00:00+24:00',
    '2026-02-30T00:00:00Z',
    '2026-05-01',
  ])('such as %s is rejected', (time) => {
    expect(timestamp.safeParse(time).success).toBe(false)
  })
})

describe('the URL of a picture', () => {
  test.each([
    'https://x.example/a.png',
    'http://localhost:3000/a?b=c&d=%20#e',
    'https://xn--mnchen-3ya.example/bild.jpg',
    '/pictures/helmet-full-face/d9482b.svg',
  ])('accepts %s', (url) => expect(accepts(imageUrl, url)).toBe(true))

  test.each([
    'javascript:alert(1)',
    'data:image/svg+xml,<svg/>',
    'ftp://x.example/a.png',
    '//x.example/a.png',
    'https://',
    'https://user:secret@x.example/a.png',
    'https://shop.example@x.example/a.png',
    'https:\\\\x.example\\a.png',
    'https://x.example/"onerror=alert(1)',
    'https://x.example/\u202egnp.exe',
    'https://x.example/a b',
    'https://[::1/a.png',
    '/pictures/../api/users',
    '/pictures//x.example/a.png',
    '/api/users',
  ])('rejects %s', (url) => expect(accepts(imageUrl, url)).toBe(false))

  test('rejects a very long host', () =>
    expect(accepts(imageUrl, `https://${'Z'.repeat(90_000)}`)).toBe(false))
})
