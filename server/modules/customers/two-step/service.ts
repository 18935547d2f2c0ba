import type { Kysely } from 'kysely'
import type { TwoStepPolicy, TwoStepSetup, TwoStepState } from '../../../../contract/two-step.ts'
import type { Database } from '../../../../db/schema.ts'
import type { Actor, Caller, SignIn } from '../../../platform/actor.ts'
import { inTransaction } from '../../../platform/database/database.ts'
import { ShopError } from '../../../platform/errors.ts'
import type { RateLimiter } from '../../../platform/rate-limiter.ts'
import { recordChange } from '../../audit/service.ts'
import * as settings from '../../settings/service.ts'
import { requireCustomerByEmail } from '../service.ts'
import {
  decryptAppKey,
  encryptAppKey,
  findStep,
  generateAppKey,
  generateRecoveryCodes,
  hashRecoveryCode,
  isAppCode,
  normalizeCode,
  presentAppKey,
  type StorageKeys,
} from './codes.ts'
import * as repository from './repository.ts'

export { deriveStorageKeys } from './codes.ts'
export { hasAllStaff } from './repository.ts'

/** Attempts with a code, right or wrong; a right one clears the count. */
export const twoStepLimits = { twoStepPerCustomer: { max: 5, seconds: 900 } }

/** The dependencies of the calls that check a code. */
export interface CodeDeps {
  db: Kysely<Database>
  keys: StorageKeys
  rateLimiter: RateLimiter<keyof typeof twoStepLimits>
}

export async function readState(db: Kysely<Database>, caller: Caller): Promise<TwoStepState> {
  const [login, policy] = await Promise.all([
    repository.findLogin(db, caller.customerId),
    settings.readTwoStepPolicy(db),
  ])
  const isSetUp = login?.isConfirmed ?? false
  return {
    isStaff: caller.role !== null,
    isSetUp,
    isPassed: isSetUp && caller.openStep === null,
    isRequired: policy.staff === 'required',
    recoveryCodesLeft: login?.recoveryCodesLeft ?? 0,
  }
}

/**
 * Creates a key for the authenticator app of staff. It counts once it is confirmed with a code; until then each call
 * replaces it.
 *
 * @throws ADMIN_REQUIRED, TWO_STEP_IS_SET_UP
 */
export async function startSetup(
  db: Kysely<Database>,
  keys: StorageKeys,
  caller: Caller,
  shopName: string,
): Promise<TwoStepSetup> {
  if (caller.role === null) throw new ShopError('ADMIN_REQUIRED')
  const appKey = generateAppKey()
  const secret = await encryptAppKey(appKey, keys)
  const isSaved = await repository.saveSecret(db, { customerId: caller.customerId, secret })
  if (!isSaved) throw new ShopError('TWO_STEP_IS_SET_UP')
  return presentAppKey(appKey, { shopName, email: caller.email })
}

/**
 * Turns two-step login on with a code of the app. This sign-in has passed the second step then; all others of the
 * customer have not.
 *
 * @returns the recovery codes. Only their hashes are stored
 * @throws TWO_STEP_NOT_SET_UP, TWO_STEP_IS_SET_UP, TWO_STEP_CODE_WRONG, TOO_MANY_REQUESTS, NOT_SIGNED_IN
 */
export async function confirmSetup(deps: CodeDeps, caller: Caller, typed: string): Promise<string[]> {
  const { customerId } = caller
  const signIn = requireSignIn(caller)
  await deps.rateLimiter.count('twoStepPerCustomer', customerId)
  const login = await repository.findLogin(deps.db, customerId)
  if (!login) throw new ShopError('TWO_STEP_NOT_SET_UP')
  if (login.isConfirmed) throw new ShopError('TWO_STEP_IS_SET_UP')
  const step = await readStep(deps.keys, login, normalizeCode(typed))
  const recoveryCodes = generateRecoveryCodes()
  const hashes = recoveryCodes.map(hashRecoveryCode)
  await inTransaction(deps.db, async (tx) => {
    const { secret } = login
    const isConfirmed =
      step !== null && (await repository.confirmLogin(tx, { customerId, secret, step, hashes }))
    if (!isConfirmed) throw new ShopError('TWO_STEP_CODE_WRONG')
    await repository.recordSignIn(tx, customerId, signIn)
    await recordLogin(tx, { customerId, email: caller.email, isAdded: true, actor: caller })
  })
  await deps.rateLimiter.clear('twoStepPerCustomer', customerId)
  return recoveryCodes
}

/**
 * Records that the sign-in of the caller has passed the second step. It does not matter which provider it is from.
 *
 * @throws TWO_STEP_NOT_SET_UP, TWO_STEP_CODE_WRONG, TWO_STEP_UNREADABLE, TOO_MANY_REQUESTS, NOT_SIGNED_IN
 */
export async function passSecondStep(deps: CodeDeps, caller: Caller, typed: string): Promise<void> {
  const signIn = requireSignIn(caller)
  await useCode(deps, caller, typed, (tx) => repository.recordSignIn(tx, caller.customerId, signIn))
}

/**
 * Turns the caller's own two-step login off.
 *
 * @throws TWO_STEP_NOT_SET_UP, TWO_STEP_CODE_WRONG, TWO_STEP_UNREADABLE, TOO_MANY_REQUESTS
 */
export async function removeOwn(deps: CodeDeps, caller: Caller, typed: string): Promise<void> {
  const { customerId, email } = caller
  await useCode(deps, caller, typed, async (tx) => {
    await repository.deleteLogin(tx, customerId)
    await recordLogin(tx, { customerId, email, isAdded: false, actor: caller })
  })
}

/**
 * Removes the two-step login of another member of the staff, who has lost the app and the recovery codes.
 *
 * @param actor null for the command line
 * @returns false if they have none
 * @throws USER_NOT_FOUND, OWN_TWO_STEP
 */
export async function resetTwoStep(
  db: Kysely<Database>,
  email: string,
  actor: Actor | null,
): Promise<boolean> {
  const { id: customerId } = await requireCustomerByEmail(db, email)
  if (customerId === actor?.customerId) throw new ShopError('OWN_TWO_STEP')
  return inTransaction(db, async (tx) => {
    const wasConfirmed = await repository.deleteLogin(tx, customerId)
    if (wasConfirmed) await recordLogin(tx, { customerId, email, isAdded: false, actor })
    return wasConfirmed ?? false
  })
}

/**
 * Sets whether staff must have two-step login. To require it, the caller must have it.
 *
 * @throws TWO_STEP_NOT_SET_UP
 */
export async function setPolicy(
  db: Kysely<Database>,
  policy: TwoStepPolicy,
  caller: Caller,
): Promise<TwoStepPolicy> {
  const login = await repository.findLogin(db, caller.customerId)
  if (policy.staff === 'required' && !login?.isConfirmed) throw new ShopError('TWO_STEP_NOT_SET_UP')
  return settings.saveTwoStepPolicy(db, policy, caller)
}

/**
 * Encrypts the secrets of a previous SHOP_SECRET with the current one, so that the previous one can be removed from the
 * settings. Leaves those that no secret decrypts: their owners have recovery codes.
 */
export async function encryptSecretsAgain(db: Kysely<Database>, keys: StorageKeys): Promise<void> {
  for (const { customerId, secret } of await repository.listLogins(db)) {
    const decrypted = await decryptAppKey(secret, keys)
    if (!decrypted || decrypted.isCurrent) continue
    const encrypted = await encryptAppKey(decrypted.appKey, keys)
    await repository.replaceSecret(db, { customerId, secret, encrypted })
  }
}

/** Returns the emails of the staff whose secrets were encrypted with another SHOP_SECRET. */
export async function listUnreadable(db: Kysely<Database>, keys: StorageKeys): Promise<string[]> {
  const logins = await repository.listLogins(db)
  const decrypted = await Promise.all(logins.map(({ secret }) => decryptAppKey(secret, keys)))
  return logins.filter((_, index) => decrypted[index] === null).map(({ email }) => email)
}

/** Uses a code up, and runs `work` in the same transaction. */
async function useCode(
  { db, keys, rateLimiter }: CodeDeps,
  { customerId }: Actor,
  typed: string,
  work: (tx: Kysely<Database>) => Promise<void>,
): Promise<void> {
  await rateLimiter.count('twoStepPerCustomer', customerId)
  const code = normalizeCode(typed)
  await inTransaction(db, async (tx) => {
    const login = await repository.findLogin(tx, customerId)
    if (!login?.isConfirmed) throw new ShopError('TWO_STEP_NOT_SET_UP')
    if (!(await isAccepted(tx, keys, login, code))) throw new ShopError('TWO_STEP_CODE_WRONG')
    await work(tx)
  })
  await rateLimiter.clear('twoStepPerCustomer', customerId)
}

async function isAccepted(
  tx: Kysely<Database>,
  keys: StorageKeys,
  login: repository.TwoStepLogin,
  code: string,
): Promise<boolean> {
  const { customerId, secret } = login
  if (!isAppCode(code)) return repository.useRecoveryHash(tx, customerId, hashRecoveryCode(code))
  const step = await readStep(keys, login, code)
  return step !== null && repository.useStep(tx, { customerId, secret, step })
}

/** @throws TWO_STEP_UNREADABLE */
async function readStep(
  keys: StorageKeys,
  { secret }: repository.TwoStepLogin,
  code: string,
): Promise<number | null> {
  const decrypted = await decryptAppKey(secret, keys)
  if (!decrypted) throw new ShopError('TWO_STEP_UNREADABLE')
  return isAppCode(code) ? findStep(decrypted.appKey, code) : null
}

/** A token from before this version does not name its sign-in. The browser gets a new one. */
function requireSignIn({ signIn }: Caller): SignIn {
  if (!signIn) throw new ShopError('NOT_SIGNED_IN')
  return signIn
}

/** Records that a customer has two-step login, or has it no longer. */
async function recordLogin(
  tx: Kysely<Database>,
  change: { customerId: string; email: string; isAdded: boolean; actor: Actor | null },
): Promise<void> {
  const { customerId: subject, email: name, isAdded, actor } = change
  const login = { twoStepLogin: 'on' }
  await recordChange(tx, {
    area: 'two-step',
    subject,
    name,
    before: isAdded ? null : login,
    after: isAdded ? login : null,
    actor,
  })
}
