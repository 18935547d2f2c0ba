import { type Kysely, sql } from 'kysely'
import type { Database } from '../../../../db/schema.ts'
import type { SignIn } from '../../../platform/actor.ts'

export interface TwoStepLogin {
  customerId: string
  /** Encrypted. */
  secret: string
  isConfirmed: boolean
  recoveryCodesLeft: number
}

const columns = sql`
  customer_id as "customerId", secret, confirmed_at is not null as "isConfirmed",
  cardinality(recovery_hashes) as "recoveryCodesLeft"`

export async function findLogin(db: Kysely<Database>, customerId: string): Promise<TwoStepLogin | undefined> {
  const { rows } = await sql<TwoStepLogin>`
    select ${columns} from two_step_logins where customer_id = ${customerId}`.execute(db)
  return rows[0]
}

/** Lists all logins. A shop has a few: one for each member of the staff. */
export async function listLogins(db: Kysely<Database>): Promise<(TwoStepLogin & { email: string })[]> {
  const { rows } = await sql<TwoStepLogin & { email: string }>`
    select ${columns}, email from two_step_logins join customers on id = customer_id order by email`.execute(
    db,
  )
  return rows
}

/** Adds a login, or replaces the secret of one that is not confirmed. Returns false if it is confirmed. */
export async function saveSecret(
  db: Kysely<Database>,
  { customerId, secret }: Pick<TwoStepLogin, 'customerId' | 'secret'>,
): Promise<boolean> {
  const { rows } = await sql`
    insert into two_step_logins as login (customer_id, secret) values (${customerId}, ${secret})
    on conflict (customer_id) do update set secret = excluded.secret where login.confirmed_at is null
    returning customer_id`.execute(db)
  return rows.length === 1
}

/** Replaces an encrypted secret by the same one, encrypted with another key. */
export async function replaceSecret(
  db: Kysely<Database>,
  { customerId, secret, encrypted }: Pick<TwoStepLogin, 'customerId' | 'secret'> & { encrypted: string },
): Promise<void> {
  await sql`
    update two_step_logins set secret = ${encrypted}
    where customer_id = ${customerId} and secret = ${secret}`.execute(db)
}

/** Returns false if the login is confirmed, or has another secret by now. */
export async function confirmLogin(
  tx: Kysely<Database>,
  { customerId, secret, step, hashes }: TwoStepStep & { hashes: string[] },
): Promise<boolean> {
  const { rows } = await sql`
    update two_step_logins set confirmed_at = now(), last_step = ${step}, recovery_hashes = ${hashes}
    where customer_id = ${customerId} and secret = ${secret} and confirmed_at is null
    returning customer_id`.execute(tx)
  return rows.length === 1
}

/** A time step of a code, and the encrypted secret with which it was found. */
type TwoStepStep = Pick<TwoStepLogin, 'customerId' | 'secret'> & { step: number }

/** Returns false if this step or a newer one was used. */
export async function useStep(
  db: Kysely<Database>,
  { customerId, secret, step }: TwoStepStep,
): Promise<boolean> {
  const { rows } = await sql`
    update two_step_logins set last_step = ${step}
    where customer_id = ${customerId} and secret = ${secret} and confirmed_at is not null and last_step < ${step}
    returning customer_id`.execute(db)
  return rows.length === 1
}

/** Removes a recovery code. Returns false if it is not there. */
export async function useRecoveryHash(
  db: Kysely<Database>,
  customerId: string,
  hash: string,
): Promise<boolean> {
  const { rows } = await sql`
    update two_step_logins set recovery_hashes = array_remove(recovery_hashes, ${hash})
    where customer_id = ${customerId} and confirmed_at is not null and ${hash} = any(recovery_hashes)
    returning customer_id`.execute(db)
  return rows.length === 1
}

/** Records that a sign-in has passed the second step now. */
export async function recordSignIn(
  tx: Kysely<Database>,
  customerId: string,
  { issuer, sid }: SignIn,
): Promise<void> {
  await sql`
    insert into two_step_sign_ins (issuer, sid, customer_id) values (${issuer}, ${sid}, ${customerId})
    on conflict (issuer, sid) do update set customer_id = excluded.customer_id, confirmed_at = now()`.execute(
    tx,
  )
}

/** Deletes a login with the sign-ins that have passed it. Returns whether it was confirmed; undefined if there is none. */
export async function deleteLogin(tx: Kysely<Database>, customerId: string): Promise<boolean | undefined> {
  const { rows } = await sql<{ isConfirmed: boolean }>`
    delete from two_step_logins where customer_id = ${customerId}
    returning confirmed_at is not null as "isConfirmed"`.execute(tx)
  return rows[0]?.isConfirmed
}

/** Returns whether each member of the staff has two-step login. */
export async function hasAllStaff(db: Kysely<Database>): Promise<boolean> {
  const { rows } = await sql`
    select from customers
    where role is not null
      and not exists (select from two_step_logins where customer_id = id and confirmed_at is not null)
    limit 1`.execute(db)
  return rows.length === 0
}
