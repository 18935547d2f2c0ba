import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Access, type RouteName, routes } from '../contract/routes.ts'
import { saveSynonyms } from '../server/modules/catalog/synonyms/service.ts'
import { createAccessTokens } from '../server/modules/identity/access-token.ts'
import * as pricing from '../server/modules/pricing/service.ts'
import { presentRequests } from './access/present-requests.ts'
import { requests, type Scene } from './access/requests.ts'
import { aBike, aCustomer, anAddress, anAdmin, anOrder, aProduct, aSizeChart } from './factories.ts'
import { openTestShop, type TestShop } from './shop.ts'
import { testSecret } from './shop-process.ts'

let shop: TestShop

beforeAll(async () => {
  shop = await openTestShop()
})
afterAll(() => shop.close())

/** Creates a token for each kind of caller. */
const callers = {
  'no token': async () => undefined,
  'a malformed token': async () => ({ token: 'null.and.void' }),
  'a forged token': async ({ owner }: Scene) => {
    const forger = createAccessTokens({ secrets: ['another secret, which is just as long'] })
    return { token: await forger.sign({ customerId: owner.id, email: owner.email, tokenVersion: 1 }) }
  },
  'an unsigned token': async ({ owner }: Scene) => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    return {
      token: `${part({ alg: 'none', typ: 'at+jwt' })}.${part({ sub: owner.id, ver: 1, exp: 9_999_999_999 })}.`,
    }
  },
  'an expired token': async ({ owner }: Scene) => {
    const past = createAccessTokens({ secrets: [testSecret], ttlSeconds: -1 })
    return { token: await past.sign({ customerId: owner.id, email: owner.email, tokenVersion: 1 }) }
  },
  'a token after the sign-out': async () => {
    // Of another customer, so that the scene stays.
    const rider = await aCustomer(shop)
    await shop.call('signOut', { as: rider })
    return rider
  },
  // These two before those who may change the records: most calls refuse them, so the scene can be used again.
  'another customer': async () => aCustomer(shop),
  'an admin just demoted': async () => {
    const admin = await anAdmin(shop)
    await shop.db
      .updateTable('customers')
      .set({ role: null, is_owner: false })
      .where('id', '=', admin.id)
      .execute()
    return admin
  },
  'the customer': async ({ owner }: Scene) => owner,
  // The first one owns the shop. The roles are compared below.
  'an admin': async () => anAdmin(shop),
} satisfies Record<string, (scene: Scene) => Promise<{ token: string } | undefined>>

type CallerKind = keyof typeof callers

const thirdParties = ['another customer', 'an admin just demoted']
const unauthenticated: string[] = Object.keys(callers).slice(0, 6)

/** Adds a checked import without rows. */
async function aCheckedFile(): Promise<string> {
  await shop.db
    .insertInto('product_imports')
    .values({ id: 'checked', file_name: 'a.csv', state: 'checked' })
    .execute()
  return 'checked'
}

/** Returns the status of the expected refusal, or null if the call is allowed. */
function toExpectedError(access: Access, caller: CallerKind): 401 | 403 | 404 | null {
  if (access === 'public') return null
  if (unauthenticated.includes(caller)) return 401
  const isThirdParty = thirdParties.includes(caller)
  const isAdmin = caller === 'an admin'
  switch (access) {
    case 'signed-in':
      return null
    case 'self':
      return isThirdParty || isAdmin ? 403 : null
    case 'self-or-staff':
      return isThirdParty ? 403 : null
    case 'owner':
    case 'owner-or-key':
      return isThirdParty || isAdmin ? 404 : null
    case 'owner-or-staff':
    case 'owner-staff-or-key':
      return isThirdParty ? 404 : null
    case 'staff':
      return isAdmin ? null : 403
  }
}

/** Empties the database and adds the records. */
async function makeScene(): Promise<Scene> {
  await shop.database.empty()
  const owner = await aCustomer(shop)
  const productId = await aProduct(shop, { options: 'standard' })
  const orderId = await anOrder(shop, owner, { productId })
  const addressId = await anAddress(shop, owner)
  await aSizeChart(shop, 'c1')
  await saveSynonyms(shop.db, 'e1', { phrases: ['sissy bar', 'backrest'] }, null)
  await pricing.saveShippingRate(shop.db, 'f1', { name: 'Standard', places: [], price: 0, position: 0 }, null)
  const bikeId = await aBike(shop)
  return { shop, owner, productId, orderId, importId: await aCheckedFile(), addressId, bikeId }
}

describe.each(Object.keys(routes) as RouteName[])('%s', (name) => {
  const { access, method } = routes[name]
  /** Fresh records for the next caller of this route: its admin must be the first one. */
  let unchanged: Scene | undefined

  test.each(Object.keys(callers) as CallerKind[])(`(${access}) by %s`, async (caller) => {
    const scene = unchanged ?? (await makeScene())
    unchanged = undefined
    const as = await callers[caller](scene)
    const error = toExpectedError(access, caller)
    const present = error === null ? presentRequests[name] : undefined
    const input = present ? await present(scene) : requests[name](scene)
    const { status, body } = await shop.call(name, { ...input, as })
    expect(status, JSON.stringify(body).slice(0, 500)).toBe(error ?? toExpectedStatus(name, caller))
    const changesNothing = method === 'GET' || status >= 400
    if (changesNothing) unchanged = scene
  })
})

/**
 * An allowed call succeeds. But `exchangeIdToken` rejects the invalid ID token in its body, `checkOut` needs a token or the
 * wish to order as a guest, this shop sends no email again, and the tokens of invitations are not valid.
 */
function toExpectedStatus(name: RouteName, caller: CallerKind): number {
  if (name === 'checkOut' && unauthenticated.includes(caller)) return 401
  if (name === 'retryEmail' || name === 'testEmail') return 503
  if (name === 'startTwoStep') return caller === 'an admin' ? 200 : 403
  // These callers have no two-step login.
  if (['confirmTwoStep', 'passTwoStep', 'removeTwoStep'].includes(name)) return 403
  if (name === 'readInvitation' || name === 'acceptInvitation') return 410
  return name === 'exchangeIdToken' ? 401 : 200
}
