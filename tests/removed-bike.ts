import { sql } from 'kysely'
import { expect, vi } from 'vitest'
import type { TestShop } from './shop.ts'

/** Sends a request that waits until a bike is removed, and returns its response. */
export async function whileRemoved<Response>(
  { db }: TestShop,
  bike: number,
  request: () => Promise<Response>,
): Promise<Response> {
  const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  const { response } = await db.transaction().execute(async (tx) => {
    await tx.deleteFrom('bikes').where('id', '=', bike).execute()
    const response = request()
    await vi.waitFor(async () => expect((await waiting.execute(db)).rows).toHaveLength(1), 10_000)
    return { response }
  })
  return response
}
