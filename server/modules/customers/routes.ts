import type { Kysely } from 'kysely'
import type { User } from '../../../contract/customers.ts'
import type { Database } from '../../../db/schema.ts'
import type { Calls } from '../../http/calls.ts'
import { ShopError } from '../../platform/errors.ts'
import { normalizeIp } from '../../platform/http/ip.ts'
import { sendPage } from '../../platform/http/paging.ts'
import type { Identity } from '../identity/service.ts'
import type { PictureStore } from '../pictures/service.ts'
import { uploadPhoto } from './photos.ts'
import type { Customer } from './repository.ts'
import * as customers from './service.ts'

interface CustomerDeps extends Pick<Identity, 'verifyIdToken' | 'isSessionActive' | 'accessTokens'> {
  rateLimiter: customers.PhotoLimiter
  admins: customers.AdminRule
  moveNotes: customers.MoveNotes
  pictureStore: PictureStore
}

export function registerCustomers(
  calls: Calls,
  {
    verifyIdToken,
    isSessionActive,
    accessTokens,
    rateLimiter,
    admins,
    moveNotes,
    pictureStore,
  }: CustomerDeps,
): void {
  calls.handle('getUser', async ({ query, db }) =>
    presentWithPhoto(db, await customers.requireCustomerByEmail(db, query.email)),
  )

  calls.handle('addPhoto', async ({ request, caller, db }) => {
    await rateLimiter.count('photosPerCustomer', caller.customerId)
    const upload = request.body as Buffer
    return { photo: await uploadPhoto({ db, store: pictureStore }, caller.customerId, upload) }
  })

  calls.handle('listUsers', async ({ query, db, reply }) => {
    const users = sendPage(reply, await customers.listCustomers(db, query))
    const ids = users.map(({ id }) => id)
    const verified = await customers.findVerified(db, ids)
    return users.map((user) => ({
      ...presentUser(user),
      ...(!verified.has(user.id) && { unverified: true as const }),
    }))
  })

  calls.handle('removeAdmin', async ({ params, caller, db }) =>
    presentChange(await customers.removeAdmin(db, params.email, caller)),
  )

  calls.handle('signOut', async ({ caller, db }) => {
    await customers.voidTokens(db, caller.customerId)
    return presentChange(true)
  })

  calls.handleByBody(chooseUserCall, {
    exchangeIdToken: async ({ params, body, db, reply }) => {
      if (!body.idToken) throw new ShopError('NOT_SIGNED_IN')
      const identity = await verifyIdToken(body.idToken)
      if (identity.email !== params.email) throw new ShopError('INVALID_ID_TOKEN')
      const ip = normalizeIp(reply.request.ip)
      const name = body.name ?? ''
      const customer = await customers.findOrCreateCustomer(db, identity, name, admins, ip, moveNotes)
      const { issuer, sid } = identity
      const signIn = sid === undefined ? null : { issuer, sid }
      const token = await accessTokens.sign({
        customerId: customer.id,
        email: customer.email,
        tokenVersion: customer.token_version,
        signIn,
      })
      // Check this after reading the version: an earlier sign-out is found here, a later one voids the new token.
      if (!(await isSessionActive(body.idToken))) throw new ShopError('INVALID_ID_TOKEN')
      const openStep = customer.role && (await customers.findOpenStep(db, customer.id, signIn))
      return { token, user: await presentWithPhoto(db, customer), ...(openStep && { openStep }) }
    },
    updateProfile: async ({ body, caller, db }) =>
      presentChange(await customers.updateProfile(db, caller.customerId, body)),
    makeAdmin: async ({ params, caller, db }) =>
      presentChange(await customers.makeAdmin(db, params.email, caller)),
  })
}

/**
 * `PUT /create-user/{email}` is three calls. A body with `role` must have no other field; one with `idToken` or
 * `email` is the exchange after a sign-in.
 */
function chooseUserCall(body: unknown): 'exchangeIdToken' | 'updateProfile' | 'makeAdmin' {
  const fields = typeof body === 'object' && body ? (body as Record<string, unknown>) : {}
  if ('role' in fields) {
    if (fields.role !== 'admin' || Object.keys(fields).length > 1) throw new ShopError('ROLE_CHANGE_REFUSED')
    return 'makeAdmin'
  }
  return 'idToken' in fields || 'email' in fields ? 'exchangeIdToken' : 'updateProfile'
}

const presentChange = (isChanged: boolean) => ({
  acknowledged: true as const,
  modifiedCount: isChanged ? 1 : 0,
})

async function presentWithPhoto(db: Kysely<Database>, customer: Customer): Promise<User> {
  const stored = await customers.findPhoto(db, customer.id)
  return { ...presentUser(customer), ...customers.presentPhoto(customer.photo, stored) }
}

/** Converts a customer to the wire format of the specification. */
function presentUser(customer: Customer): User {
  return {
    _id: customer.id,
    name: customer.name,
    email: customer.email,
    phone: customer.phone,
    birthday: customer.birthday ?? '',
    sex: customer.sex ?? '',
    bio: customer.bio,
    photo: customer.photo,
    role: customer.role === 'admin' ? 'admin' : undefined,
    staffRole: customers.toStaffRole(customer) ?? undefined,
  }
}
