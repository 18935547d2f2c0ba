import { decodeJwt, decodeProtectedHeader, SignJWT } from 'jose'
import { expect, onTestFinished, test, vi } from 'vitest'
import { deriveKey } from '../../platform/secrets/secrets.ts'
import { createAccessTokens } from './access-token.ts'

const secret = 'the secret of this shop, long enough'
const customer = { customerId: '5f0c', email: 'rider@shop.test', tokenVersion: 3 }
const tokens = createAccessTokens({ secrets: [secret] })

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
const now = () => Math.floor(Date.now() / 1000)

/** Returns one of our tokens with one change. */
async function tampered(change: { claims?: object; header?: object; key?: Uint8Array }): Promise<string> {
  const ours = await tokens.sign(customer)
  return new SignJWT({ ...decodeJwt(ours), ...change.claims })
    .setProtectedHeader({ alg: 'HS256', ...decodeProtectedHeader(ours), ...change.header })
    .sign(change.key ?? deriveKey(secret, 'access token'))
}

test('is valid for a customer for 15 minutes', async () => {
  const token = await tokens.sign(customer)
  expect(await tokens.verify(token)).toEqual({ customerId: '5f0c', tokenVersion: 3, signIn: null })
  const { iat = 0, exp = 0 } = decodeJwt(token)
  expect(exp - iat).toBe(900)
  expect(decodeProtectedHeader(token)).toMatchObject({ alg: 'HS256', typ: 'at+jwt' })
})

test('expires, although it was valid before', async () => {
  const token = await tokens.sign(customer)
  expect(await tokens.verify(token)).not.toBeNull()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 900_000 })
  onTestFinished(() => void vi.useRealTimers())
  expect(await tokens.verify(token)).toBeNull()
})

test('names the sign-in whose ID token was exchanged for it', async () => {
  const signIn = { issuer: 'urn:provider', sid: 's1' }
  expect(await tokens.verify(await tokens.sign({ ...customer, signIn }))).toMatchObject({ signIn })
})

test('is void after a change of the secret', async () => {
  const old = await tokens.sign(customer)
  expect(await createAccessTokens({ secrets: ['another secret'] }).verify(old)).toBeNull()
})

test('a valid token is accepted: the forged tokens below differ from it in one respect only', async () => {
  expect(await tokens.verify(await tampered({}))).toEqual({
    customerId: '5f0c',
    tokenVersion: 3,
    signIn: null,
  })
})

test.each([
  ['has expired', { claims: { exp: now() - 1 } }],
  ['has no expiry', { claims: { exp: undefined } }],
  ['is for another audience', { claims: { aud: 'elsewhere' } }],
  ['is from another issuer', { claims: { iss: 'elsewhere' } }],
  ['has no subject', { claims: { sub: '' } }],
  ['has no version', { claims: { ver: undefined } }],
  ['has a version that is not a number', { claims: { ver: '3' } }],
  ['has another type, such as an ID token', { header: { typ: 'JWT' } }],
  ['is signed with the bare secret', { key: Buffer.from(secret) }],
  ['is signed with a key for another purpose', { key: deriveKey(secret, 'known device') }],
])('rejects a token that %s', async (_what, change) => {
  expect(await tokens.verify(await tampered(change))).toBeNull()
})

test.each([
  ['an empty token', ''],
  ['a malformed token', 'a.b.c'],
  [
    'a token without a signature',
    `${encode({ alg: 'none', typ: 'at+jwt' })}.${encode({ sub: '5f0c', ver: 3 })}.`,
  ],
])('rejects %s', async (_what, token) => {
  expect(await tokens.verify(token)).toBeNull()
})
