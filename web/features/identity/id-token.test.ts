import { expect, test } from 'vitest'
import { readIdToken } from './id-token.ts'

const readToken = (claims: object) =>
  `header.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.signature`

test('an ID token names its account, in any script', () => {
  const token = readToken({ email: 'zoe@example.com', name: 'Zoë Łukasiewicz 山田' })
  expect(readIdToken(token)).toEqual({ email: 'zoe@example.com', name: 'Zoë Łukasiewicz 山田' })
})

test('what it does not tell is empty', () => {
  expect(readIdToken(readToken({ sub: '1' }))).toEqual({ email: '', name: '' })
})
