import { type Kysely, sql } from 'kysely'
import type { Database } from '../../../db/schema.ts'

/** Purpose of an email link. */
type TokenPurpose = 'password-reset' | 'email-verification'

interface AccountState {
  id: string
  email: string
  emailVerified: boolean
  hasPassword: boolean
}

/** @param email in lower case */
export async function findAccount(db: Kysely<Database>, email: string): Promise<AccountState | undefined> {
  const { rows } = await sql<AccountState>`
    select "id", "email", "emailVerified", exists (
      select from identity."account" where "userId" = "user"."id" and "providerId" = 'credential'
    ) as "hasPassword"
    from identity."user" where "email" = ${email}`.execute(db)
  return rows[0]
}

/** Stores the hash of a link token. An older link of the same account and purpose becomes invalid. */
export async function saveToken(
  db: Kysely<Database>,
  token: { userId: string; purpose: TokenPurpose; hash: string; seconds: number },
): Promise<void> {
  const { userId, purpose, hash, seconds } = token
  await sql`
    insert into identity.email_tokens (user_id, purpose, token_hash, expires_at)
    values (${userId}, ${purpose}, ${hash}, now() + make_interval(secs => ${seconds}))
    on conflict (user_id, purpose) do update
      set token_hash = excluded.token_hash, expires_at = excluded.expires_at`.execute(db)
}

/** Returns the account of a link, or undefined if the token is unknown, expired, used or replaced. */
export async function findTokenOwner(
  db: Kysely<Database>,
  { purpose, hash }: { purpose: TokenPurpose; hash: string },
): Promise<Pick<AccountState, 'id' | 'email'> | undefined> {
  const { rows } = await sql<Pick<AccountState, 'id' | 'email'>>`
    select "id", "email" from identity.email_tokens join identity."user" on "id" = user_id
    where token_hash = ${hash} and purpose = ${purpose} and expires_at > now()`.execute(db)
  return rows[0]
}

/** Deletes a token and returns its account, locked for update. Returns undefined if the token is not valid. */
export async function useToken(
  db: Kysely<Database>,
  { purpose, hash }: { purpose: TokenPurpose; hash: string },
): Promise<Omit<AccountState, 'hasPassword'> | undefined> {
  const { rows } = await sql<{ userId: string }>`
    delete from identity.email_tokens
    where token_hash = ${hash} and purpose = ${purpose} and expires_at > now()
    returning user_id as "userId"`.execute(db)
  const [used] = rows
  if (!used) return undefined
  const account = await sql<Omit<AccountState, 'hasPassword'>>`
    select "id", "email", "emailVerified" from identity."user" where "id" = ${used.userId} for update`.execute(
    db,
  )
  return account.rows[0]
}

export async function markVerified(db: Kysely<Database>, userId: string): Promise<void> {
  await sql`
    update identity."user" set "emailVerified" = true, "updatedAt" = now()
    where "id" = ${userId} and not "emailVerified"`.execute(db)
}

/** Deletes all sign-in methods of an account except its password. */
export async function deleteOtherSignIns(db: Kysely<Database>, userId: string): Promise<void> {
  await sql`delete from identity."account" where "userId" = ${userId} and "providerId" <> 'credential'`.execute(
    db,
  )
}

/** Sets or replaces the password of an account. */
export async function putPassword(
  db: Kysely<Database>,
  { userId, newId, passwordHash }: { userId: string; newId: string; passwordHash: string },
): Promise<void> {
  await sql`
    with changed as (
      update identity."account" set "password" = ${passwordHash}, "updatedAt" = now()
      where "userId" = ${userId} and "providerId" = 'credential' returning "id"
    )
    insert into identity."account" ("id", "accountId", "providerId", "userId", "password", "updatedAt")
    select ${newId}, ${userId}, 'credential', ${userId}, ${passwordHash}, now()
    where not exists (select from changed)`.execute(db)
}

/** Ends all sessions of an account and voids all links sent to it. */
export async function endSessions(db: Kysely<Database>, userId: string): Promise<void> {
  await sql`delete from identity."session" where "userId" = ${userId}`.execute(db)
  await sql`delete from identity.email_tokens where user_id = ${userId}`.execute(db)
}

/** Returns whether a session exists and has not expired. */
export async function hasSession(db: Kysely<Database>, sessionId: string): Promise<boolean> {
  const { rows } = await sql`
    select from identity."session" where "id" = ${sessionId} and "expiresAt" > now()`.execute(db)
  return rows.length === 1
}

/** Returns the stored hash of an account's password, or undefined if there is none. */
export async function findPasswordHash(db: Kysely<Database>, email: string): Promise<string | undefined> {
  const { rows } = await sql<{ password: string }>`
    select "password" from identity."account" join identity."user" on "user"."id" = "account"."userId"
    where "user"."email" = ${email} and "providerId" = 'credential'`.execute(db)
  return rows[0]?.password
}

/** Ends all sessions of the account with this email. */
export async function endAllSessions(db: Kysely<Database>, email: string): Promise<void> {
  await sql`
    delete from identity."session" using identity."user"
    where "user"."id" = "session"."userId" and "user"."email" = ${email}`.execute(db)
}
