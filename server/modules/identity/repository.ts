import { type Kysely, sql } from 'kysely'
import type { Database } from '../../../db/schema.ts'

/** An email link, by its purpose and the hash of its token. */
export interface EmailLink {
  purpose: 'password-reset' | 'email-verification' | 'email-change'
  hash: string
}

interface Account {
  id: string
  email: string
  emailVerified: boolean
}

/** `passwordHash` is null if the account has no password. */
type AccountState = Account & { passwordHash: string | null }

/** @param email in lower case */
export async function findAccount(db: Kysely<Database>, email: string): Promise<AccountState | undefined> {
  const { rows } = await sql<AccountState>`
    select "id", "email", "emailVerified", (
      select "password" from identity."account" where "userId" = "user"."id" and "providerId" = 'credential'
    ) as "passwordHash"
    from identity."user" where "email" = ${email}`.execute(db)
  return rows[0]
}

/** Stores the hash of a link token. An older link of the same account and purpose becomes invalid. */
export async function saveToken(
  db: Kysely<Database>,
  {
    userId,
    purpose,
    hash,
    seconds,
    newEmail,
  }: EmailLink & { userId: string; seconds: number; newEmail: string | null },
): Promise<void> {
  await sql`
    insert into identity.email_tokens (user_id, purpose, token_hash, expires_at, new_email)
    values (${userId}, ${purpose}, ${hash}, now() + make_interval(secs => ${seconds}), ${newEmail})
    on conflict (user_id, purpose) do update
      set token_hash = excluded.token_hash, expires_at = excluded.expires_at, new_email = excluded.new_email`.execute(
    db,
  )
}

/** Returns the account of a link, or undefined if the token is unknown, expired, used or replaced. */
export async function findTokenOwner(
  db: Kysely<Database>,
  { purpose, hash }: EmailLink,
): Promise<Account | undefined> {
  const { rows } = await sql<Account>`
    select "id", "email", "emailVerified" from identity.email_tokens join identity."user" on "id" = user_id
    where token_hash = ${hash} and purpose = ${purpose} and expires_at > now()`.execute(db)
  return rows[0]
}

/** Deletes a token and returns its account, locked for update. Returns undefined if the token is not valid. */
export async function useToken(
  db: Kysely<Database>,
  { purpose, hash }: EmailLink,
): Promise<(Account & { newEmail: string | null }) | undefined> {
  const { rows } = await sql<Account & { newEmail: string | null }>`
    with used as (
      delete from identity.email_tokens
      where token_hash = ${hash} and purpose = ${purpose} and expires_at > now()
      returning user_id, new_email
    )
    select "id", "email", "emailVerified", new_email as "newEmail" from identity."user" join used on "id" = user_id
    for update of "user"`.execute(db)
  return rows[0]
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
    insert into identity."account" ("id", "accountId", "providerId", "userId", "password", "updatedAt")
    values (${newId}, ${userId}, 'credential', ${userId}, ${passwordHash}, now())
    on conflict ("providerId", "accountId") do update
      set "password" = excluded."password", "updatedAt" = excluded."updatedAt"`.execute(db)
}

/** Ends the sessions of an account, except perhaps one. */
export async function endSessions(db: Kysely<Database>, userId: string, exceptId = ''): Promise<void> {
  await sql`delete from identity."session" where "userId" = ${userId} and "id" <> ${exceptId}`.execute(db)
}

/** Returns an account, locked until the transaction ends. */
export async function lockAccount(tx: Kysely<Database>, id: string): Promise<AccountState | undefined> {
  const { rows } = await sql<{ email: string }>`
    select "email" from identity."user" where "id" = ${id} for update`.execute(tx)
  return rows[0] && findAccount(tx, rows[0].email)
}

/**
 * Returns whether an account has this email and verification. It cannot change until the transaction ends.
 *
 * @param email in lower case
 */
export async function lockUnchanged(
  tx: Kysely<Database>,
  { id, email, emailVerified }: Account,
): Promise<boolean> {
  const { rows } = await sql`
    select from identity."user"
    where "id" = ${id} and lower("email") = ${email} and "emailVerified" = ${emailVerified}
    for share`.execute(tx)
  return rows.length === 1
}

/** Sets an email that its owner has confirmed. */
export async function setEmail(db: Kysely<Database>, id: string, email: string): Promise<void> {
  await sql`
    update identity."user" set "email" = ${email}, "emailVerified" = true, "updatedAt" = now()
    where "id" = ${id}`.execute(db)
}

/** Voids all links sent to an account. */
export async function deleteTokens(db: Kysely<Database>, userId: string): Promise<void> {
  await sql`delete from identity.email_tokens where user_id = ${userId}`.execute(db)
}

/** Returns whether a session exists and has not expired. */
export async function hasSession(db: Kysely<Database>, sessionId: string): Promise<boolean> {
  const { rows } = await sql`
    select from identity."session" where "id" = ${sessionId} and "expiresAt" > now()`.execute(db)
  return rows.length === 1
}

/** Creates a verified account with a password, unless the email has one. Returns the id in both cases. */
export async function insertAccount(
  db: Kysely<Database>,
  account: { id: string; email: string; passwordHash: string; name: string },
): Promise<string> {
  const { id, email, passwordHash, name } = account
  const { rows } = await sql<{ id: string }>`
    with made as (
      insert into identity."user" ("id", "name", "email", "emailVerified")
      values (${id}, ${name}, ${email}, true)
      on conflict ("email") do nothing returning "id"
    ), credential as (
      insert into identity."account" ("id", "accountId", "providerId", "userId", "password", "updatedAt")
      select "id", "id", 'credential', "id", ${passwordHash}, now() from made
    )
    select "id" from made union all select "id" from identity."user" where "email" = ${email}`.execute(db)
  // No row: a concurrent insert is not yet visible to this statement, so try again.
  return rows[0]?.id ?? insertAccount(db, account)
}

/** Returns the keys that sign tokens, with their encrypted private keys. */
export async function listSigningKeys(db: Kysely<Database>): Promise<{ id: string; privateKey: string }[]> {
  const { rows } = await sql<{ id: string; privateKey: string }>`
    select "id", "privateKey" from identity."jwks" where "expiresAt" is null or "expiresAt" > now()`.execute(
    db,
  )
  return rows
}

/** Replaces an encrypted private key, unless another process has. */
export async function replaceSigningKey(
  db: Kysely<Database>,
  { id, privateKey, encrypted }: { id: string; privateKey: string; encrypted: string },
): Promise<void> {
  await sql`
    update identity."jwks" set "privateKey" = ${encrypted}
    where "id" = ${id} and "privateKey" = ${privateKey}`.execute(db)
}

/** better-auth creates a new key when there is none. */
export async function deleteSigningKeys(db: Kysely<Database>): Promise<void> {
  await sql`delete from identity."jwks"`.execute(db)
}

/** Deletes expired sessions, unfinished sign-ins and email tokens. */
export async function deleteExpired(db: Kysely<Database>): Promise<void> {
  await sql`delete from identity."session" where "expiresAt" < now()`.execute(db)
  await sql`delete from identity."verification" where "expiresAt" < now()`.execute(db)
  await sql`delete from identity.email_tokens where expires_at < now()`.execute(db)
}
