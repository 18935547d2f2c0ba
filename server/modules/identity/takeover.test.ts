import { SignJWT } from 'jose'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { openGoogleSandbox } from '../../../sandboxes/google/google.ts'
import { openAuthServer, type TestBrowser } from '../../../tests/auth-server.ts'
import { useAuthServerWithMail } from '../../../tests/identity-mail.ts'
import { linkIn } from '../../../tests/mail-server.ts'
import { realGoogle } from './google.ts'
import { createIdTokenVerifier } from './id-token.ts'

const email = 'rider@shop.test'
const byPassword = { email, password: 'secret1', name: 'By password' }

const server = useAuthServerWithMail({
  google: realGoogle({ clientId: 'our-client', clientSecret: 'our-secret' }),
})
afterEach(() => vi.unstubAllGlobals())

interface GoogleClaims {
  sub: string
  email: string
  email_verified: boolean
  name: string
}
const atGoogle = (change: Partial<GoogleClaims> = {}): GoogleClaims => ({
  sub: 'google-1',
  email,
  email_verified: true,
  name: 'By Google',
  ...change,
})

/** Mocks the token endpoint, which is the only network request to Google. */
function mockGoogle(claims: GoogleClaims): { asked: string[] } {
  const asked: string[] = []
  vi.stubGlobal('fetch', async (input: string | URL | Request) => {
    const url = String(input instanceof Request ? input.url : input)
    if (url !== 'https://oauth2.googleapis.com/token') throw new Error(`no server at ${url}`)
    asked.push(url)
    const id_token = await new SignJWT({ ...claims })
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuer('https://accounts.google.com')
      .setAudience('our-client')
      .setExpirationTime('1h')
      .sign(new Uint8Array(32))
    return Response.json({
      id_token,
      access_token: 'google-access-token',
      token_type: 'Bearer',
      expires_in: 3600,
    })
  })
  return { asked }
}

/** Signs in through the popup with Google's claims. Returns the error code at its end, or null. */
async function signInWithGoogle(browser: TestBrowser, claims: GoogleClaims): Promise<string | null> {
  mockGoogle(claims)
  const { headers } = await browser.get('/idp/popup')
  const authorize = new URL(String(headers.location))
  const state = authorize.searchParams.get('state') ?? ''
  const { path } = await browser.follow(`/idp/callback/google?${new URLSearchParams({ code: 'c', state })}`)
  return new URL(path, 'http://x').searchParams.get('error')
}

const verify = () => createIdTokenVerifier([server.provider.issuer])
async function whoIs(browser: TestBrowser) {
  const { status, body } = await browser.get('/idp/token')
  return status === 200 ? verify()(body.token) : null
}
const signIn = async (password: string) =>
  (await server.browser().post('/idp/sign-in/email', { email, password })).body.code ?? 'SIGNED_IN'

describe('Google with keys', () => {
  test('gets a request with PKCE, client, callback and account chooser', async () => {
    const { headers } = await server.browser().get('/idp/popup')
    const url = new URL(String(headers.location))
    expect(url.origin + url.pathname).toBe('https://accounts.google.com/o/oauth2/v2/auth')
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      client_id: 'our-client',
      response_type: 'code',
      code_challenge_method: 'S256',
      redirect_uri: 'http://localhost:3000/idp/callback/google',
      prompt: 'select_account',
    })
    expect(url.searchParams.get('scope')?.split(' ').toSorted()).toEqual(['email', 'openid', 'profile'])
  })

  test('signs in with a verified email, and as the same user the next time', async () => {
    const first = server.browser()
    expect(await signInWithGoogle(first, atGoogle())).toBeNull()
    const person = await whoIs(first)
    expect(person).toMatchObject({ email, emailVerified: true, name: 'By Google' })

    const second = server.browser()
    expect(await signInWithGoogle(second, atGoogle())).toBeNull()
    expect((await whoIs(second))?.subject).toBe(person?.subject)
  })

  test('leaves no token in the tables or in the log', async () => {
    await signInWithGoogle(server.browser(), atGoogle())
    const { rows } = await server.database.pool.query('select * from identity."account"')
    expect(rows).toMatchObject([
      { providerId: 'google', accountId: 'google-1', accessToken: null, idToken: null },
    ])
    expect(server.logged()).not.toMatch(/google-access-token|our-secret|rider@shop|code=c/)
  })

  test('a callback of a sign-in that another browser started is rejected', async () => {
    const attacker = server.browser()
    const { headers } = await attacker.get('/idp/popup')
    const state = new URL(String(headers.location)).searchParams.get('state') ?? ''
    mockGoogle(atGoogle({ sub: 'attacker', email: 'attacker@shop.test' }))
    const victim = server.browser()
    await victim.get('/idp/popup')
    const { path } = await victim.follow(`/idp/callback/google?${new URLSearchParams({ code: 'c', state })}`)
    expect(path).toBe('/idp/popup/done?error=FAILED')
    expect(await whoIs(victim)).toBeNull()
  })

  test('a callback without a started sign-in is rejected', async () => {
    for (const search of ['', '?code=c', '?code=c&state=made-up', '?error=access_denied']) {
      const browser = server.browser()
      const { path } = await browser.follow(`/idp/callback/google${search}`)
      expect(path).toBe('/idp/popup/done?error=FAILED')
      expect(await whoIs(browser)).toBeNull()
    }
  })

  test('a state is valid once', async () => {
    const browser = server.browser()
    const { headers } = await browser.get('/idp/popup')
    const state = new URL(String(headers.location)).searchParams.get('state') ?? ''
    const cookies = new Map(browser.cookies)
    const { asked } = mockGoogle(atGoogle())
    const callback = `/idp/callback/google?${new URLSearchParams({ code: 'c', state })}`
    expect((await browser.follow(callback)).path).toBe('/idp/popup/done')
    for (const [name, value] of cookies) browser.cookies.set(name, value)
    expect((await browser.follow(callback)).path).toBe('/idp/popup/done?error=FAILED')
    expect(asked).toHaveLength(1)
  })
})

describe('one email, two ways to sign in', () => {
  test('an unverified password account is not linked to the Google account of the same email', async () => {
    const attacker = server.browser()
    await attacker.post('/idp/sign-up/email', byPassword)
    const victim = server.browser()
    expect(await signInWithGoogle(victim, atGoogle())).toBe('NOT_LINKED')
    expect(await whoIs(victim)).toBeNull()
    expect(await whoIs(attacker)).toMatchObject({ emailVerified: false })
  })

  test('an unverified Google account is not linked to the account of the same email', async () => {
    await server.provider.createAccount(byPassword)
    const attacker = server.browser()
    expect(await signInWithGoogle(attacker, atGoogle({ email_verified: false }))).toBe('NOT_LINKED')
    expect(await whoIs(attacker)).toBeNull()
  })

  test('an account from an unverified Google sign-in is not linked to the email owner who comes later', async () => {
    const attacker = server.browser()
    expect(await signInWithGoogle(attacker, atGoogle({ sub: 'attacker', email_verified: false }))).toBeNull()
    expect(await whoIs(attacker)).toMatchObject({ email, emailVerified: false })
    const owner = server.browser()
    expect(await signInWithGoogle(owner, atGoogle({ sub: 'owner' }))).toBe('NOT_LINKED')
    expect(await whoIs(owner)).toBeNull()
  })

  test("a password can't be added to an account from Google by signing up", async () => {
    const owner = server.browser()
    await signInWithGoogle(owner, atGoogle())
    const response = await server
      .browser()
      .post('/idp/sign-up/email', { ...byPassword, password: 'attacker1' })
    expect(response.body.code).toBe('EMAIL_TAKEN')
    expect(await signIn('attacker1')).toBe('WRONG_PASSWORD')
  })

  test('two verified accounts are linked, and the password stays valid', async () => {
    const { subject } = await server.provider.createAccount(byPassword)
    const browser = server.browser()
    expect(await signInWithGoogle(browser, atGoogle({ email: 'Rider@Shop.test' }))).toBeNull()
    expect(await whoIs(browser)).toMatchObject({ subject, email, emailVerified: true })
    expect(await signIn('secret1')).toBe('SIGNED_IN')
  })

  test('a sign-up that was verified by email is linked to Google', async () => {
    const byMail = server.browser()
    await byMail.post('/idp/sign-up/email', byPassword)
    const [message] = await server.emails(email, 1)
    expect(await signInWithGoogle(server.browser(), atGoogle())).toBe('NOT_LINKED')
    vi.unstubAllGlobals()
    await byMail.post('/idp/verify-email', { token: linkIn(message ?? { text: '' }).token })
    const browser = server.browser()
    expect(await signInWithGoogle(browser, atGoogle())).toBeNull()
    expect((await whoIs(browser))?.subject).toBe((await whoIs(byMail))?.subject)
    expect(await signIn('secret1')).toBe('SIGNED_IN')
  })

  test("after a reset, only the email owner can sign in to the attacker's account, by password or by Google", async () => {
    const thirdParty = server.browser()
    await thirdParty.post('/idp/sign-up/email', byPassword)
    const token = await server.askForReset(email)
    await server.browser().post('/idp/reset-password', { token, password: 'the-owners' })
    const owner = server.browser()
    expect(await signInWithGoogle(owner, atGoogle())).toBeNull()
    expect(await whoIs(owner)).toMatchObject({ email, emailVerified: true })
    expect(await whoIs(thirdParty)).toBeNull()
    expect([await signIn('secret1'), await signIn('the-owners')]).toEqual(['WRONG_PASSWORD', 'SIGNED_IN'])
  })

  test('another Google account is not linked to it', async () => {
    await signInWithGoogle(server.browser(), atGoogle())
    const other = server.browser()
    expect(await signInWithGoogle(other, atGoogle({ sub: 'google-2', email: 'other@shop.test' }))).toBeNull()
    expect(await whoIs(other)).toMatchObject({ email: 'other@shop.test' })
  })
})

describe('the sandbox, which accepts any identity', () => {
  /** Signs in with the popup. Returns its last path. */
  async function signInAtSandbox(browser: TestBrowser): Promise<string> {
    const { text } = await browser.follow('/idp/popup')
    const action = /<form method="post" action="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? ''
    const chosen = await browser.post(
      action.replace('http://localhost:3000', ''),
      new URLSearchParams({ email, name: 'Anybody' }).toString(),
      { 'content-type': 'application/x-www-form-urlencoded' },
    )
    const { path } = await browser.follow(
      String(chosen.headers.location).replace('http://localhost:3000', ''),
    )
    return path
  }

  test('signs in only to accounts that it created, verified or not', async () => {
    const sandbox = await openAuthServer()
    await sandbox.provider.createAccount(byPassword)
    const browser = sandbox.browser()
    expect(await signInAtSandbox(browser)).toBe('/idp/popup/done?error=NOT_LINKED')
    expect((await browser.get('/idp/token')).status).toBe(401)
    await sandbox.close()
  })

  test.each([true, false])(
    'verifies emails only in a shop that no one else can reach: %s',
    async (isPrivate) => {
      const secrets = ['a secret of this test, which is long enough'] as const
      const google = openGoogleSandbox({
        origin: 'http://localhost:3000',
        secrets,
        verifiesEmails: isPrivate,
      })
      const sandbox = await openAuthServer({ google, secrets })
      for (const browser of [sandbox.browser(), sandbox.browser()]) {
        expect(await signInAtSandbox(browser)).toBe('/idp/popup/done')
        expect((await browser.get('/idp/email')).body).toEqual({ email, verified: isPrivate })
      }
      await sandbox.close()
    },
  )
})
