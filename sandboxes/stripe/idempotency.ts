import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { ApiError } from './api-error.ts'
import type { Call, Reply } from './call.ts'
import type { SandboxDb } from './tables.ts'

export interface RepeatableResponse extends Reply {
  /** The response of an earlier request with the same key. */
  replayed: boolean
}

/**
 * Runs a request in one transaction. With an idempotency key it runs once in 24 hours, and a repeat gets the first
 * response; a concurrent repeat waits for it. An ApiError rolls back the key as well.
 * @param request the exact request, which is hashed: the same key cannot be used for another request
 */
export function respondOnce(
  db: SandboxDb,
  call: Omit<Call, 'db'>,
  request: string,
  work: (call: Call) => Promise<Reply>,
): Promise<RepeatableResponse> {
  const fingerprint = createHash('sha256').update(request).digest('hex')
  return db.transaction().execute(async (tx) => {
    // Waiting longer for a row lock is an error that api.ts maps to a response.
    await sql`set local lock_timeout = '2s'`.execute(tx)
    const inside: Call = { ...call, db: tx }
    if (!call.idempotencyKey) return { ...(await work(inside)), replayed: false }
    if (!(await claimKey(inside, call.idempotencyKey, fingerprint))) {
      return { ...(await readFirstResponse(inside, call.idempotencyKey, fingerprint)), replayed: true }
    }
    const response = await work(inside)
    await saveResponse(inside, call.idempotencyKey, response)
    return { ...response, replayed: false }
  })
}

/** Returns true if this request is the first with its key. Waits for a concurrent request with the same key. */
async function claimKey(call: Call, key: string, fingerprint: string): Promise<boolean> {
  const claimed = await call.db
    .insertInto('idempotency_keys')
    .values({ caller: call.caller, key, fingerprint })
    .onConflict((conflict) =>
      conflict
        .columns(['caller', 'key'])
        .doUpdateSet({ fingerprint, status: null, body: null, created_at: sql<Date>`now()` })
        .where(isOld('idempotency_keys.created_at')),
    )
    .returning('key')
    .executeTakeFirst()
  return claimed !== undefined
}

const isOld = (column: string) => sql<boolean>`${sql.ref(column)} < now() - interval '24 hours'`

/** Deletes keys older than 24 hours. Most are used once, so nothing else removes them. */
export async function deleteOldKeys(db: SandboxDb): Promise<void> {
  await db.deleteFrom('idempotency_keys').where(isOld('created_at')).execute()
}

async function readFirstResponse(call: Call, key: string, fingerprint: string): Promise<Reply> {
  const first = await call.db
    .selectFrom('idempotency_keys')
    .select(['fingerprint', 'status', 'body'])
    .where('caller', '=', call.caller)
    .where('key', '=', key)
    .executeTakeFirstOrThrow()
  if (first.fingerprint !== fingerprint) throw keyReused(key)
  if (first.status === null || first.body === null)
    throw new Error(`The idempotency key ${key} was saved without a response`)
  return { status: first.status, body: first.body }
}

async function saveResponse(call: Call, key: string, response: Reply): Promise<void> {
  await call.db
    .updateTable('idempotency_keys')
    .set({ status: response.status, body: JSON.stringify(response.body) })
    .where('caller', '=', call.caller)
    .where('key', '=', key)
    .execute()
}

function keyReused(key: string): ApiError {
  const message = `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`
  return new ApiError(400, { type: 'idempotency_error', message })
}
