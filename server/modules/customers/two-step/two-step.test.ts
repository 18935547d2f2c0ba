import { decodeProtectedHeader } from 'jose'
import { describe, expect, test } from 'vitest'
import { staffCalls, toHopelessInput } from '../../../../tests/access/staff-calls.ts'
import { openBrowser, type TestBrowser } from '../../../../tests/auth-server.ts'
import { aCustomer, anAdmin, anOrder, signedIn, type TestCustomer } from '../../../../tests/factories.ts'
import { refused, useTestShop } from '../../../../tests/shop.ts'
import { appCode, setUpTwoStep, wrongCode } from '../../../../tests/two-step.ts'
import { deriveKeys } from '../../../platform/secrets/secrets.ts'
import { requireCustomerByEmail } from '../service.ts'
import { encryptSecretsAgain, listUnreadable, resetTwoStep } from './service.ts'

const shop = useTestShop({
  google: 'sandbox',
  adminEmails: ['jane@example.com'],
  trustsUnverifiedAdmins: true,
})

const pass = (as: TestCustomer, code: string) => shop.call('passTwoStep', { as, body: { code } })
const listUsers = async (as: { token: string }) => (await shop.call('listUsers', { as })).status

/** Signs the same customer in again, in another browser. */
const again = async ({ email }: { email: string }) =>
  signedIn(shop, await requireCustomerByEmail(shop.db, email))

const forgetAttempts = () => shop.database.pool.query('delete from identity.rate_limits')

describe('the set-up', () => {
  test('is only for staff', async () => {
    const rider = await aCustomer(shop)
    expect(await shop.call('startTwoStep', { as: rider })).toMatchObject(refused('ADMIN_REQUIRED'))
    expect((await shop.call('getTwoStep', { as: rider })).body).toEqual({
      isStaff: false,
      isSetUp: false,
      isPassed: false,
      isRequired: false,
      recoveryCodesLeft: 0,
    })
  })

  test('gives a key as text, as the URI of an app and as a QR code, and stores it encrypted', async () => {
    const admin = await anAdmin(shop)
    const { uri, key, qrCode } = (await shop.call('startTwoStep', { as: admin })).body
    expect(key).toMatch(/^[A-Z2-7]{32}$/)
    expect(uri).toBe(
      `otpauth://totp/Torque%20Yard:${encodeURIComponent(admin.email)}?issuer=Torque%20Yard&secret=${key}&algorithm=SHA1&digits=6&period=30`,
    )
    expect(qrCode.path).toMatch(/^(M\d+,\d+h\d+v1h-\d+z)+$/)
    const { secret } = await shop.db.selectFrom('two_step_logins').select('secret').executeTakeFirstOrThrow()
    expect(secret).not.toContain(key)
    expect(decodeProtectedHeader(secret)).toEqual({ alg: 'dir', enc: 'A256GCM' })
  })

  test('counts once it is confirmed with a code of the newest key, and is not replaced then', async () => {
    const admin = await anAdmin(shop)
    const start = async () => (await shop.call('startTwoStep', { as: admin })).body.key
    const first = await start()
    const key = await start()
    const confirm = (code: string) => shop.call('confirmTwoStep', { as: admin, body: { code } })
    expect(await confirm(appCode(first))).toMatchObject(refused('TWO_STEP_CODE_WRONG'))
    expect((await shop.call('getTwoStep', { as: admin })).body.isSetUp).toBe(false)
    expect(await listUsers(await again(admin))).toBe(200)

    const { body } = await confirm(` ${appCode(key).slice(0, 3)} ${appCode(key).slice(3)}`)
    expect(new Set(body.recoveryCodes).size).toBe(10)
    expect((await shop.call('getTwoStep', { as: admin })).body).toEqual({
      isStaff: true,
      isSetUp: true,
      isPassed: true,
      isRequired: false,
      recoveryCodesLeft: 10,
    })
    expect(await confirm(appCode(key, 1))).toMatchObject(refused('TWO_STEP_IS_SET_UP'))
    expect(await shop.call('startTwoStep', { as: admin })).toMatchObject(refused('TWO_STEP_IS_SET_UP'))
  })

  test('is required once, then from each other sign-in', async () => {
    const admin = await anAdmin(shop)
    const other = await again(admin)
    await setUpTwoStep(shop, admin)
    expect([await listUsers(admin), await listUsers(other)]).toEqual([200, 403])
  })
})

/** Sends a form to the sandbox of Google as its popup does. */
async function signInWithGoogle(browser: TestBrowser, email: string): Promise<void> {
  const below = (url: unknown) => String(url).replace(shop.config.origin, '')
  const { headers } = await browser.get('/idp/popup')
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const chosen = await browser.post(
    below(headers.location),
    `${new URLSearchParams({ email, name: 'Jane' })}`,
    form,
  )
  await browser.follow(below(chosen.headers.location))
}

/** Signs in with the same credentials as before, or signs up. */
const signIns = {
  password: async (browser: TestBrowser, email: string) => {
    const password = 'secret1'
    const { status } = await browser.post('/idp/sign-in/email', { email, password })
    if (status === 401) await browser.post('/idp/sign-up/email', { email, password, name: 'Jane' })
  },
  Google: signInWithGoogle,
}

describe.each(Object.entries(signIns))('after a sign-in with %s', (_, signIn) => {
  const email = 'jane@example.com'

  /** Opens a new browser and signs in. `renew` exchanges a new ID token of the same sign-in. */
  async function enter() {
    const browser = openBrowser(shop.app, shop.config.origin, '192.0.2.1')
    await signIn(browser, email)
    const renew = async () => {
      const { token: idToken } = (await browser.get('/idp/token')).body
      const { body } = await shop.call('exchangeIdToken', { params: { email }, body: { email, idToken } })
      return { token: body.token, openStep: body.openStep }
    }
    return { browser, renew, ...(await renew()) }
  }
  const code = (as: { token: string }, given: string) =>
    shop.call('passTwoStep', { as, body: { code: given } })

  test('staff without two-step login has its permissions', async () => {
    const { token, openStep } = await enter()
    expect([await listUsers({ token }), openStep]).toEqual([200, undefined])
  })

  test('the second step opens the calls of the staff for that sign-in only', async () => {
    const first = await enter()
    const { key, recoveryCodes } = await setUpTwoStep(shop, first)
    const second = await enter()
    expect(second.openStep).toBe('TWO_STEP_REQUIRED')
    for (const name of staffCalls) {
      const { body } = await shop.call(name, { as: second, ...toHopelessInput(name) })
      expect([name, body.code]).toEqual([name, 'TWO_STEP_REQUIRED'])
    }
    // The own data of a customer need no second step.
    expect((await shop.call('getUser', { as: second, query: { email } })).status).toBe(200)

    expect((await code(second, appCode(key, 1))).status).toBe(200)
    expect(await listUsers(second)).toBe(200)
    // A new token of the same sign-in, as after 15 minutes.
    const renewed = await second.renew()
    expect([renewed.openStep, await listUsers(renewed)]).toEqual([undefined, 200])

    const third = await enter()
    expect(await listUsers(third)).toBe(403)
    expect((await code(third, recoveryCodes[0]?.toUpperCase() ?? '')).status).toBe(200)
    expect(await listUsers(third)).toBe(200)
  })

  test('staff that must have two-step login can do nothing else before it is set up', async () => {
    const other = await anAdmin(shop)
    await setUpTwoStep(shop, other)
    await shop.call('setTwoStepPolicy', { as: other, body: { staff: 'required' } })
    const jane = await enter()
    expect(jane.openStep).toBe('TWO_STEP_NOT_SET_UP')
    expect(await shop.call('listUsers', { as: jane })).toMatchObject(refused('TWO_STEP_NOT_SET_UP'))
    await setUpTwoStep(shop, jane)
    expect(await listUsers(jane)).toBe(200)
  })
})

describe('a code', () => {
  test('counts once, and none counts that is older than the last one', async () => {
    const admin = await anAdmin(shop)
    const { key, code: used } = await setUpTwoStep(shop, admin)
    const next = appCode(key, 1)
    const [first, second, third] = [await again(admin), await again(admin), await again(admin)]
    expect(await pass(first, used)).toMatchObject(refused('TWO_STEP_CODE_WRONG'))
    expect((await pass(second, next)).status).toBe(200)
    expect(await pass(third, next)).toMatchObject(refused('TWO_STEP_CODE_WRONG'))
    expect([await listUsers(first), await listUsers(second), await listUsers(third)]).toEqual([403, 200, 403])
  })

  test('can be tried five times in 15 minutes, from all sign-ins together', async () => {
    const admin = await anAdmin(shop)
    const { key } = await setUpTwoStep(shop, admin)
    for (let attempt = 0; attempt < 5; attempt++)
      expect(await pass(await again(admin), wrongCode(key))).toMatchObject(refused('TWO_STEP_CODE_WRONG'))
    const late = await again(admin)
    expect((await pass(late, appCode(key, 1))).status).toBe(429)
    expect((await shop.call('removeTwoStep', { as: late, body: { code: appCode(key, 1) } })).status).toBe(429)
    await forgetAttempts()
    expect((await pass(late, appCode(key, 1))).status).toBe(200)
  })

  test('of recovery counts once', async () => {
    const admin = await anAdmin(shop)
    const { recoveryCodes } = await setUpTwoStep(shop, admin)
    const [used = '', next = ''] = recoveryCodes
    expect((await pass(await again(admin), used)).status).toBe(200)
    expect(await pass(await again(admin), used)).toMatchObject(refused('TWO_STEP_CODE_WRONG'))
    expect((await pass(await again(admin), next.replaceAll('-', ''))).status).toBe(200)
    expect((await shop.call('getTwoStep', { as: admin })).body.recoveryCodesLeft).toBe(8)
  })

  test.each(['', ' ', '12345', '1234567', '１２３４５６', "' or 1=1", 'x'.repeat(41)])(
    '%j opens nothing',
    async (text) => {
      const admin = await anAdmin(shop)
      await setUpTwoStep(shop, admin)
      const other = await again(admin)
      expect([400, 422]).toContain((await pass(other, text)).status)
      expect(await listUsers(other)).toBe(403)
    },
  )

  test('of another customer opens nothing', async () => {
    const [admin, other] = [await anAdmin(shop), await anAdmin(shop)]
    const { key, recoveryCodes } = await setUpTwoStep(shop, admin)
    await setUpTwoStep(shop, other)
    const thief = await again(other)
    for (const text of [appCode(key, 1), recoveryCodes[0] ?? ''])
      expect(await pass(thief, text)).toMatchObject(refused('TWO_STEP_CODE_WRONG'))
  })
})

test('a sign-in that the token does not name passes nothing, and gets a new token', async () => {
  const admin = await anAdmin(shop)
  const { key } = await setUpTwoStep(shop, admin)
  const {
    id: customerId,
    email,
    token_version: tokenVersion,
  } = await requireCustomerByEmail(shop.db, admin.email)
  const token = await shop.accessTokens.sign({ customerId, email, tokenVersion })
  expect(await pass({ id: customerId, email, token }, appCode(key, 1))).toMatchObject(
    refused('NOT_SIGNED_IN'),
  )
  expect(await listUsers({ token })).toBe(403)
})

test('a sign-in has passed for 30 days, and only for its customer', async () => {
  const [admin, other] = [await anAdmin(shop), await anAdmin(shop)]
  await setUpTwoStep(shop, admin)
  await setUpTwoStep(shop, other)
  const move = (age: string) =>
    shop.database.pool.query('update two_step_sign_ins set confirmed_at = now() - $1::interval', [age])
  await move('29 days 23 hours')
  expect(await listUsers(admin)).toBe(200)
  await move('30 days 1 minute')
  expect(await listUsers(admin)).toBe(403)
  await move('0 days')
  await shop.database.pool.query('delete from two_step_sign_ins where customer_id = $1', [other.id])
  await shop.database.pool.query('update two_step_sign_ins set customer_id = $1', [other.id])
  expect([await listUsers(admin), await listUsers(other)]).toEqual([403, 403])
})

test('before the second step staff reads neither orders nor emails of others', async () => {
  const rider = await aCustomer(shop)
  const id = await anOrder(shop, rider)
  await shop.call('addReview', { as: rider, body: { review: 'Good.' } })
  const admin = await anAdmin(shop)
  await setUpTwoStep(shop, admin)
  const open = await again(admin)
  expect(await shop.call('getUser', { as: open, query: { email: rider.email } })).toMatchObject(
    refused('TWO_STEP_REQUIRED'),
  )
  expect(await shop.call('getOrderDetails', { as: open, params: { id } })).toMatchObject(
    refused('TWO_STEP_REQUIRED'),
  )
  expect((await shop.call('listReviews', { as: open })).body).toEqual((await shop.call('listReviews')).body)
})

describe('turning it off', () => {
  test('needs a code, even by the customer', async () => {
    const admin = await anAdmin(shop)
    const { key } = await setUpTwoStep(shop, admin)
    const remove = (code: string) => shop.call('removeTwoStep', { as: admin, body: { code } })
    expect(await remove(wrongCode(key))).toMatchObject(refused('TWO_STEP_CODE_WRONG'))
    expect(await shop.call('resetTwoStep', { as: admin, params: { email: admin.email } })).toMatchObject(
      refused('OWN_TWO_STEP'),
    )
    expect((await remove(appCode(key, 1))).status).toBe(200)
    expect(await listUsers(await again(admin))).toBe(200)
    expect(await remove(appCode(key, 1))).toMatchObject(refused('TWO_STEP_NOT_SET_UP'))
  })

  test('by another member of the staff needs no code, and is in the audit like the set-up', async () => {
    const [admin, jane] = [await anAdmin(shop), await anAdmin(shop)]
    await setUpTwoStep(shop, jane)
    const reset = (email: string) => shop.call('resetTwoStep', { as: admin, params: { email } })
    expect((await reset(jane.email)).body).toEqual({ acknowledged: true, modifiedCount: 1 })
    expect(await listUsers(await again(jane))).toBe(200)
    expect((await reset(jane.email)).body.modifiedCount).toBe(0)
    expect(await reset('missing@example.com')).toMatchObject(refused('USER_NOT_FOUND'))
    const { entries } = (await shop.call('listAudit', { as: admin, query: { area: 'two-step' } })).body
    expect(entries.map(({ kind, by, subject }) => [kind, by?.email, subject.name])).toEqual([
      ['deleted', admin.email, jane.email],
      ['added', jane.email, jane.email],
    ])
  })

  test('on the command line needs no code', async () => {
    const jane = await anAdmin(shop)
    await setUpTwoStep(shop, jane)
    expect(await resetTwoStep(shop.db, jane.email, null)).toBe(true)
    expect(await resetTwoStep(shop.db, jane.email, null)).toBe(false)
    expect(await listUsers(await again(jane))).toBe(200)
  })
})

describe('the rule for everyone', () => {
  const set = (as: TestCustomer, staff: string) => shop.call('setTwoStepPolicy', { as, body: { staff } })

  test('is set only by those who have two-step login, and is a change of the settings', async () => {
    const admin = await anAdmin(shop)
    expect(await set(admin, 'required')).toMatchObject(refused('TWO_STEP_NOT_SET_UP'))
    await setUpTwoStep(shop, admin)
    expect((await set(admin, 'required')).body).toEqual({ staff: 'required' })
    expect((await set(admin, 'required')).status).toBe(200)
    expect((await set(admin, 'off')).body).toEqual({ staff: 'off' })
    const { entries } = (await shop.call('listAudit', { as: admin, query: { area: 'settings' } })).body
    expect(entries.map(({ changes }) => changes)).toEqual([
      [{ field: 'staff', before: 'required', after: 'off' }],
      [{ field: 'staff', before: 'off', after: 'required' }],
    ])
    expect((await set(admin, 'sometimes')).status).toBe(400)
  })

  test('does not concern customers', async () => {
    const admin = await anAdmin(shop)
    await setUpTwoStep(shop, admin)
    await set(admin, 'required')
    const rider = await aCustomer(shop)
    expect(await shop.call('listUsers', { as: rider })).toMatchObject(refused('ADMIN_REQUIRED'))
    expect((await shop.call('getCart', { as: rider })).status).toBe(200)
  })
})

describe('with another secret', () => {
  const secret = (name: string) => `the ${name} secret of this shop, long enough`
  const keysOf = (current: string, ...previous: string[]) =>
    deriveKeys([secret(current), ...previous.map(secret)], 'two-step login')

  test('the keys of apps follow a rotation, and unreadable ones are listed', async () => {
    const jane = await anAdmin(shop)
    await setUpTwoStep(shop, jane)
    const { secret: current } = shop.config
    const [own] = deriveKeys([current ?? ''], 'two-step login')
    const [next] = keysOf('next')
    await encryptSecretsAgain(shop.db, [own, next])
    expect(await listUnreadable(shop.db, [next])).toEqual([jane.email])
    await encryptSecretsAgain(shop.db, [next, own])
    expect([await listUnreadable(shop.db, [next]), await listUnreadable(shop.db, [own])]).toEqual([
      [],
      [jane.email],
    ])
  })

  test('a code of the app is refused with the reason, and a recovery code counts', async () => {
    const jane = await anAdmin(shop)
    const { key, recoveryCodes } = await setUpTwoStep(shop, jane)
    const [own] = deriveKeys([shop.config.secret ?? ''], 'two-step login')
    await encryptSecretsAgain(shop.db, [keysOf('lost')[0], own])
    const other = await again(jane)
    expect(await pass(other, appCode(key, 1))).toMatchObject(refused('TWO_STEP_UNREADABLE'))
    expect((await pass(other, recoveryCodes[0] ?? '')).status).toBe(200)
    const code = recoveryCodes[1] ?? ''
    expect((await shop.call('removeTwoStep', { as: other, body: { code } })).status).toBe(200)
    const { key: fresh } = await setUpTwoStep(shop, other)
    expect(fresh).not.toBe(key)
  })
})
