import { expect, test } from 'vitest'
import { readIdToken } from './provider.ts'

const readToken = (claims: object) =>
  `header.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.signature`

test('the account is read from an ID token, in any script', () => {
  const token = readToken({ email: 'zoe@example.com', name: 'Zoë Łukasiewicz 山田' })
  expect(readIdToken(token)).toEqual({ email: 'zoe@example.com', name: 'Zoë Łukasiewicz 山田' })
})

test('missing claims are empty', () => {
  expect(readIdToken(readToken({ sub: '1' }))).toEqual({ email: '', name: '' })
})
