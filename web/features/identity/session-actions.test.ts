import { expect, test } from 'vitest'
import { readClaims } from './session-actions.ts'

const readToken = (claims: object) =>
  `header.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.signature`

test('the account is read from a token, in any script', () => {
  const token = readToken({ email: 'zoe@example.com', name: 'Zoë Łukasiewicz 山田' })
  expect(readClaims(token)).toEqual({ email: 'zoe@example.com', name: 'Zoë Łukasiewicz 山田' })
})

test('missing claims are empty', () => {
  expect(readClaims(readToken({ sub: '1' }))).toEqual({ email: '', name: '' })
})
