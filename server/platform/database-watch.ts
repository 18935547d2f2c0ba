import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { Client, type ClientBase } from 'pg'
import type { SuspendablePool } from './connection-pool.ts'
import { hasCode, toReason } from './errors.ts'

const heartbeatMs = 250
/** The database is down after this many heartbeats without a response. */
const maxMissedHeartbeats = 4
const timeoutMs = heartbeatMs * maxMissedHeartbeats
const TOO_MANY_CONNECTIONS = '53300'

/**
 * Suspends the pools while the database does not respond or is not the primary, so that queries fail immediately. Sends
 * heartbeats on a separate connection, which also detects a frozen server and a network that drops all packets. Resolves
 * after the first attempt.
 *
 * @param isMigrated checks the schema on each new connection, which may lead to another database than the one before, and
 *   at each heartbeat until it is migrated
 */
export async function watchDatabase(
  url: string,
  pools: readonly Pick<SuspendablePool, 'resume' | 'suspend'>[],
  log: Pick<FastifyBaseLogger, 'warn'>,
  isMigrated: (client: ClientBase) => Promise<boolean>,
): Promise<{ close: () => Promise<void>; isReady: () => boolean }> {
  const closed = new AbortController()
  let isUp: boolean | null = null
  let hasSchema: boolean | null = null
  let client: Client | null = null

  function disconnect(): void {
    void client?.end().catch(() => undefined)
    client = null
  }

  async function beat(): Promise<void> {
    try {
      if (client) {
        await ask(client)
        if (!hasSchema) await checkSchema(client)
        return
      }
    } catch (error) {
      // Try a new connection if this one was closed, or if its server is no longer the primary. A timeout means down.
      if (error === silent) throw error
    }
    disconnect()
    client = new Client({ connectionString: url, connectionTimeoutMillis: timeoutMs })
    client.on('error', () => undefined) // The next heartbeat fails.
    await client.connect()
    await ask(client)
    await checkSchema(client)
  }

  async function checkSchema(client: Client): Promise<void> {
    const hadSchema = hasSchema
    hasSchema = await inTime(isMigrated(client))
    if (!hasSchema && hadSchema !== false) log.warn('The database is not migrated.')
  }

  async function check(): Promise<void> {
    try {
      await beat()
      if (isUp === false) log.warn('The database is available again.')
      if (!isUp) for (const pool of pools) pool.resume()
      isUp = true
    } catch (error) {
      disconnect()
      // The server is up if it only has no free connection.
      if (closed.signal.aborted || hasCode(error, TOO_MANY_CONNECTIONS)) return
      if (isUp !== false) log.warn(`The database is unavailable (${toReason(error)}).`)
      isUp = false
      for (const pool of pools) pool.suspend()
    }
  }

  async function watch(): Promise<void> {
    for (;;) {
      await delay(heartbeatMs, undefined, { signal: closed.signal }).catch(() => undefined)
      if (closed.signal.aborted) return disconnect()
      await check()
    }
  }

  await check()
  const watching = watch()
  return {
    close() {
      closed.abort()
      return watching
    },
    /** Whether the database responds and has the schema of this version. */
    isReady: () => isUp === true && hasSchema === true,
  }
}

const silent = new Error('no response')

/** Rejects with `silent` on a timeout, and if the server is a standby. */
async function ask(client: Client): Promise<void> {
  const role = client.query<{ standby: boolean }>('select pg_is_in_recovery() as standby')
  const { rows } = await inTime(role)
  if (rows[0]?.standby) throw new Error('a standby responds')
}

/**
 * Rejects with `silent` on a timeout. The timeout is split into heartbeats: if this process was busy, it reads a response
 * that has arrived before the timeout ends.
 */
function inTime<Response>(response: Promise<Response>): Promise<Response> {
  async function timeout(): Promise<never> {
    for (let count = 0; count < maxMissedHeartbeats; count++) await delay(heartbeatMs, null, { ref: false })
    throw silent
  }
  return Promise.race([response, timeout()])
}
