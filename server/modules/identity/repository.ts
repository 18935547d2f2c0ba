import type { Pool } from 'pg'

export interface NewAccount {
  id: string
  /** Lower case. */
  email: string
  passwordHash: string
  name: string
  emailVerified: boolean
}

/** Creates an account with a password, unless the email has one. Returns the id in both cases. */
export async function insertAccount(pool: Pool, account: NewAccount): Promise<string> {
  const { rows } = await pool.query<{ id: string }>(
    `with made as (
       insert into identity."user" ("id", "name", "email", "emailVerified") values ($1, $2, $3, $4)
       on conflict ("email") do nothing returning "id"
     ), credential as (
       insert into identity."account" ("id", "accountId", "providerId", "userId", "password", "updatedAt")
       select "id", "id", 'credential', "id", $5, now() from made
     )
     select "id" from made union all select "id" from identity."user" where "email" = $3`,
    [account.id, account.name, account.email, account.emailVerified, account.passwordHash],
  )
  // No row: a concurrent insert is not yet visible to this statement, so try again.
  return rows[0]?.id ?? insertAccount(pool, account)
}

/** Replaces the password of an account that has one. Its sessions stay active. */
export async function setPassword(pool: Pool, email: string, passwordHash: string): Promise<void> {
  await pool.query(
    `update identity."account" set "password" = $2, "updatedAt" = now() from identity."user"
     where "user"."id" = "account"."userId" and "providerId" = 'credential' and "email" = $1`,
    [email, passwordHash],
  )
}

/** Returns whether an account has this email (lower case), with any sign-in method. */
export async function hasAccount(pool: Pool, email: string): Promise<boolean> {
  const { rowCount } = await pool.query(`select from identity."user" where "email" = $1`, [email])
  return rowCount === 1
}

/** Deletes keys that the current secret cannot decrypt. better-auth creates a new one when there is none. */
export async function deleteSigningKeys(pool: Pool): Promise<void> {
  await pool.query('delete from identity."jwks"')
}

/** Deletes expired sessions, unfinished sign-ins, rate limit windows and email tokens. */
export async function deleteExpired(pool: Pool): Promise<void> {
  await pool.query('delete from identity."session" where "expiresAt" < now()')
  await pool.query('delete from identity."verification" where "expiresAt" < now()')
  await pool.query('delete from identity.rate_limits where window_ends_at < now()')
  await pool.query('delete from identity.email_tokens where expires_at < now()')
}

/**
 * Counts one attempt under a key. The first attempt opens a window; after its end the count restarts.
 *
 * @returns the attempts in this window including this one, and the seconds until it ends
 */
export async function countAttempt(
  pool: Pool,
  key: string,
  windowSeconds: number,
): Promise<{ count: number; secondsLeft: number }> {
  const { rows } = await pool.query<{ count: number; secondsLeft: number }>(
    `insert into identity.rate_limits as t (key, count, window_ends_at)
     values ($1, 1, now() + make_interval(secs => $2))
     on conflict (key) do update set
       count = case when t.window_ends_at <= now() then 1 else t.count + 1 end,
       window_ends_at = case when t.window_ends_at <= now() then excluded.window_ends_at else t.window_ends_at end
     returning count, ceil(extract(epoch from window_ends_at - now()))::integer as "secondsLeft"`,
    [key, windowSeconds],
  )
  const [counted] = rows
  if (!counted) throw new Error('an attempt was not counted')
  return counted
}

export async function clearAttempts(pool: Pool, key: string): Promise<void> {
  await pool.query('delete from identity.rate_limits where key = $1', [key])
}
