import { createHmac } from 'node:crypto'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { tooManyAttempts } from '../../contract/waiting-time.ts'
import type { Database } from '../../db/schema.ts'
import { ShopError } from './errors.ts'
import { groupIp, wideNetwork, wideNetworkFactor } from './http/ip.ts'
import { deriveKey } from './secrets/secrets.ts'

/** Maximum attempts in a window of this length, which starts with the first attempt. */
interface RateLimit {
  max: number
  seconds: number
}

export type RateLimiter<Name extends string> = ReturnType<typeof openRateLimiter<Name>>

/**
 * Counts in the database: all machines share the limits, and a restart does not reset them. Another secret does, because
 * the keys are hashed with it.
 *
 * @param limits by name. The counts of one name are shared by all limiters that have it
 */
export function openRateLimiter<Name extends string>(
  db: Kysely<Database>,
  secret: string,
  limits: Record<Name, RateLimit>,
) {
  const hashing = deriveKey(secret, 'rate limits')
  const toKey = (limit: Name, who: string) =>
    createHmac('sha256', hashing).update(`${limit} ${who}`).digest('base64url')

  /** An IPv6 /64 counts for its /56 too, which has a higher limit. */
  function listCounters(limit: Name, who: string): (RateLimit & { key: string })[] {
    const { max, seconds } = limits[limit]
    const wide = wideNetwork(who)
    return [
      { key: toKey(limit, who), max, seconds },
      ...(wide ? [{ key: toKey(limit, wide), max: max * wideNetworkFactor, seconds }] : []),
    ]
  }

  /**
   * Counts before the outcome is known, so that concurrent attempts cannot exceed the limit.
   * @throws TOO_MANY_REQUESTS above the limit
   */
  async function count(limit: Name, who: string): Promise<void> {
    const seconds = await countIn(db, limit, who)
    if (seconds > 0) throw tooManyRequests(seconds)
  }

  /** A subquery for the seconds until `who` is below the limit again, null if it is now. Counts nothing. */
  function secondsToWait(limit: Name, who: string): RawBuilder<number | null> {
    const counters = listCounters(limit, who)
    return sql`(
      select ceil(extract(epoch from max(window_ends_at) - now()))::integer
      from unnest(${counters.map(({ key }) => key)}::text[], ${counters.map(({ max }) => max)}::integer[]) as own (key, max)
        join identity.rate_limits using (key)
      where count >= own.max and window_ends_at > now())`
  }

  /** Counts nothing. @throws TOO_MANY_REQUESTS at the limit */
  async function requireBelow(limit: Name, who: string): Promise<void> {
    const waiting = db.selectNoFrom(secondsToWait(limit, who).as('seconds'))
    const { seconds } = await waiting.executeTakeFirstOrThrow()
    if (seconds) throw tooManyRequests(seconds)
  }

  /**
   * Counts in the caller's transaction, so a rollback undoes it. Locks the counter until the transaction ends.
   *
   * @returns the seconds to wait: 0 up to the limit
   */
  async function countIn(tx: Kysely<Database>, limit: Name, who: string): Promise<number> {
    for (const { key, max, seconds } of listCounters(limit, who)) {
      const attempts = await countAttempt(tx, key, seconds)
      if (attempts.count > max) return Math.max(1, attempts.secondsLeft)
    }
    return 0
  }

  return {
    limits,
    count,
    countIp: (limit: Name, ip: string) => count(limit, groupIp(ip)),
    /** Like `countIp`, but returns the seconds to wait: 0 up to the limit. */
    tryCountIp: (limit: Name, ip: string) => countIn(db, limit, groupIp(ip)),
    secondsToWait,
    requireBelow,
    countIn,
    async clear(limit: Name, who: string): Promise<void> {
      const keys = listCounters(limit, who).map(({ key }) => key)
      await sql`delete from identity.rate_limits where key = any(${keys}::text[])`.execute(db)
    },
  }
}

/** @param retryAfter seconds to wait; part of the message */
export const tooManyRequests = (retryAfter: number): ShopError =>
  new ShopError('TOO_MANY_REQUESTS', { retryAfter, details: { message: tooManyAttempts(retryAfter) } })

/**
 * Counts one attempt under a key. The first attempt opens a window; after its end the count restarts.
 *
 * @returns the attempts in this window including this one, and the seconds until it ends
 */
async function countAttempt(
  db: Kysely<Database>,
  key: string,
  windowSeconds: number,
): Promise<{ count: number; secondsLeft: number }> {
  const { rows } = await sql<{ count: number; secondsLeft: number }>`
    insert into identity.rate_limits as t (key, count, window_ends_at)
    values (${key}, 1, now() + make_interval(secs => ${windowSeconds}))
    on conflict (key) do update set
      count = case when t.window_ends_at <= now() then 1 else t.count + 1 end,
      window_ends_at = case when t.window_ends_at <= now() then excluded.window_ends_at else t.window_ends_at end
    returning count, ceil(extract(epoch from window_ends_at - now()))::integer as "secondsLeft"`.execute(db)
  const [counted] = rows
  if (!counted) throw new Error('an attempt was not counted')
  return counted
}

/** Deletes ended windows. Skips locked rows: a transaction may have locked several. */
export async function deleteEndedWindows(db: Kysely<Database>): Promise<void> {
  await sql`
    delete from identity.rate_limits where key in (
      select key from identity.rate_limits where window_ends_at < now() for update skip locked
    )`.execute(db)
}
