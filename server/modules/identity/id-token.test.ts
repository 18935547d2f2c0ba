import { createServer, type Server } from 'node:http'
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  type JWK,
  type JWTPayload,
  SignJWT,
} from 'jose'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { listen, stop } from '../../../tests/listen.ts'
import { ShopError } from '../../platform/errors.ts'
import { createAccessTokens } from './access-token.ts'
import { createIdTokenVerifier, type VerifyIdToken } from './id-token.ts'

const elsewhere = 'https://securetoken.google.com/my-project'
const here = 'http://localhost:3000'

interface Signer {
  jwk: JWK
  spki: string
  sign(claims: JWTPayload, header?: object): Promise<string>
}

let provider: Server
let port: number
let published: JWK[] = []
let asked = 0
let own: Signer
let others: Signer
let verify: VerifyIdToken

beforeAll(async () => {
  others = await makeSigner('RS256', 'first')
  own = await makeSigner('EdDSA', 'own')
  provider = createServer((_request, response) => {
    asked++
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ keys: published }))
  })
  port = await listen(provider)
})
afterAll(() => stop(provider))

beforeEach(() => {
  published = [others.jwk]
  asked = 0
  verify = createIdTokenVerifier([
    {
      issuer: elsewhere,
      audience: 'my-project',
      algorithms: ['RS256'],
      keys: createRemoteJWKSet(new URL(`http://127.0.0.1:${port}/keys`)),
      maxAge: 3600,
    },
    {
      issuer: here,
      audience: 'torque-yard',
      algorithms: ['EdDSA'],
      keys: createLocalJWKSet({ keys: [own.jwk] }),
      maxAge: 300,
    },
  ])
})

async function makeSigner(alg: string, kid: string): Promise<Signer> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true })
  return {
    jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' },
    spki: await exportSPKI(publicKey),
    sign: (claims, header) =>
      new SignJWT(claims).setProtectedHeader({ alg, kid, ...header }).sign(privateKey),
  }
}

const now = () => Math.floor(Date.now() / 1000)
const claims = (change: object = {}): JWTPayload => ({
  iss: elsewhere,
  aud: 'my-project',
  sub: 'u1',
  email: 'Rider@Shop.test',
  email_verified: true,
  iat: now(),
  exp: now() + 3600,
  ...change,
})
const ownClaims = (change: object = {}) => claims({ iss: here, aud: 'torque-yard', ...change })
const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')

async function failure(token: string, by = verify): Promise<ShopError> {
  const error: unknown = await by(token).catch((thrown: unknown) => thrown)
  if (!(error instanceof ShopError)) throw new Error('the token was taken')
  return error
}

test('accepts a token of a trusted provider and lower-cases the email', async () => {
  expect(
    await verify(await others.sign(claims({ name: 'A Rider', picture: 'https://x.test/y.png' }))),
  ).toEqual({
    issuer: elsewhere,
    subject: 'u1',
    email: 'rider@shop.test',
    emailVerified: true,
    name: 'A Rider',
    picture: 'https://x.test/y.png',
  })
})

test('accepts a token of the provider in this process without network access', async () => {
  expect(await verify(await own.sign(ownClaims()))).toMatchObject({ issuer: here, name: null, picture: null })
  expect(asked).toBe(0)
})

test('fetches the keys once for many tokens', async () => {
  for (let round = 0; round < 20; round++) await verify(await others.sign(claims()))
  expect(asked).toBe(1)
})

test('treats an email as verified only if the claim is true', async () => {
  for (const value of [undefined, false, 'true', 1]) {
    expect(await verify(await others.sign(claims({ email_verified: value })))).toMatchObject({
      emailVerified: false,
    })
  }
})

test('removes control characters from a name', async () => {
  const name = `${'x'.repeat(117)}\0\u202e🏍`
  expect((await verify(await others.sign(claims({ name })))).name).toBe('x'.repeat(117))
})

test('drops a picture that is not an http(s) URL', async () => {
  for (const picture of ['javascript:alert(1)', 'https://me:secret@x.test/y.png']) {
    expect((await verify(await others.sign(claims({ picture })))).picture, picture).toBeNull()
  }
})

test('allows a clock skew of less than 30 seconds', async () => {
  expect(await verify(await others.sign(claims({ iat: now() - 600, exp: now() - 10 })))).toBeTruthy()
  expect(await verify(await others.sign(claims({ iat: now() + 20 })))).toBeTruthy()
})

test.each<[string, () => Promise<string>, string]>([
  ['expired', () => others.sign(claims({ exp: now() - 40 })), 'ERR_JWT_EXPIRED'],
  ['without an expiry', () => others.sign(claims({ exp: undefined })), 'exp'],
  [
    'older than the maximum age of its provider',
    () => others.sign(claims({ iat: now() - 7200 })),
    'ERR_JWT_EXPIRED',
  ],
  [
    'older than the maximum age of the embedded provider',
    () => own.sign(ownClaims({ iat: now() - 400 })),
    'ERR_JWT_EXPIRED',
  ],
  ['from the future', () => others.sign(claims({ iat: now() + 60 })), 'iat'],
  ['for another audience', () => others.sign(claims({ aud: 'other' })), 'aud'],
  ['from an untrusted issuer', () => others.sign(claims({ iss: `${elsewhere}/evil` })), 'not trusted'],
  [
    'of one provider, signed with the key of another',
    () => others.sign(ownClaims()),
    'ERR_JOSE_ALG_NOT_ALLOWED',
  ],
  ['of another provider, signed with our own key', () => own.sign(claims()), 'ERR_JOSE_ALG_NOT_ALLOWED'],
  ['without an email', () => others.sign(claims({ email: undefined })), 'email'],
  [
    'with an email that is not text',
    () => others.sign(claims({ email: ['a@b.test'] })),
    'email is not valid',
  ],
  ['with two emails', () => others.sign(claims({ email: 'a@b.test c@d.test' })), 'email is not valid'],
  ['without a subject', () => others.sign(claims({ sub: '' })), 'subject'],
  [
    'signed with another key of the same id',
    async () => (await makeSigner('RS256', 'first')).sign(claims()),
    'SIGNATURE',
  ],
  [
    'signed with a key from its own header',
    async () => {
      const evil = await makeSigner('RS256', 'first')
      return evil.sign(claims(), { jwk: evil.jwk })
    },
    'SIGNATURE',
  ],
  [
    'signed with a key behind a URL in its header',
    async () => (await makeSigner('RS256', 'first')).sign(claims(), { jku: 'https://evil.test/keys' }),
    'SIGNATURE',
  ],
  [
    'signed with the public key as a shared secret',
    () =>
      new SignJWT(claims()).setProtectedHeader({ alg: 'HS256', kid: 'first' }).sign(Buffer.from(others.spki)),
    'ERR_JOSE_ALG_NOT_ALLOWED',
  ],
  ['without a signature', async () => `${encode({ alg: 'none' })}.${encode(claims())}.`, 'ERR_JO'],
  [
    'which is an access token of the shop',
    () =>
      createAccessTokens({ secrets: ['x'] }).sign({ customerId: '1', email: 'a@b.test', tokenVersion: 1 }),
    'not trusted',
  ],
  ['which is malformed', async () => 'not.a.token', 'ERR_JWT_INVALID'],
  ['which is empty', async () => '', 'ERR_JWT_INVALID'],
])('rejects a token %s', async (_what, make, reason) => {
  const { code, cause } = await failure(await make())
  expect(code).toBe('INVALID_ID_TOKEN')
  expect(cause).toBeInstanceOf(Error)
  expect(String(cause)).toContain(reason)
})

test('the logged reason for a rejected token does not contain its email', async () => {
  const { cause } = await failure(await others.sign(claims({ exp: now() - 40 })))
  expect(JSON.stringify(Object.entries(Object.getOwnPropertyDescriptors(cause)))).not.toMatch(/rider@shop/i)
})

test('accepts a new key of the embedded provider immediately', async () => {
  const keys = [own.jwk]
  const embedded = createIdTokenVerifier([
    {
      issuer: here,
      audience: 'torque-yard',
      algorithms: ['EdDSA'],
      keys: (header, token) => createLocalJWKSet({ keys })(header, token),
      maxAge: 300,
    },
  ])
  await embedded(await own.sign(ownClaims()))
  const next = await makeSigner('EdDSA', 'next')
  expect((await failure(await next.sign(ownClaims()), embedded)).code).toBe('INVALID_ID_TOKEN')
  keys.push(next.jwk)
  expect(await embedded(await next.sign(ownClaims()))).toMatchObject({ subject: 'u1' })
})

test("is unavailable while the keys of the provider can't be fetched", async () => {
  const broken = createIdTokenVerifier([
    {
      issuer: here,
      audience: 'torque-yard',
      algorithms: ['EdDSA'],
      keys: () => Promise.reject(new Error('away')),
      maxAge: 300,
    },
    {
      issuer: elsewhere,
      audience: 'my-project',
      algorithms: ['RS256'],
      keys: createRemoteJWKSet(new URL('http://127.0.0.1:9/keys')),
      maxAge: 300,
    },
  ])
  expect((await failure(await own.sign(ownClaims()), broken)).code).toBe('UNAVAILABLE')
  expect((await failure(await others.sign(claims()), broken)).code).toBe('UNAVAILABLE')
})
