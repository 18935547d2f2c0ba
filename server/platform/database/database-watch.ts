import type { FastifyBaseLogger } from 'fastify'
import type { Client, ClientBase } from 'pg'
import { toReason } from '../errors.ts'
import type { SuspendablePool } from './connection-pool.ts'
import { openHeartbeat } from './heartbeat.ts'

/** Two processes refuse each other's ID tokens if their clocks differ by 30 s: one may be ahead and the other behind. */
const maxClockOffsetMs = 10_000

interface WatchOptions {
  /** Suspended while the database is down. */
  pools: readonly Pick<SuspendablePool, 'resume' | 'suspend'>[]
  log: Pick<FastifyBaseLogger, 'warn'>
  /**
   * Checks the schema on each new connection, which may lead to another database, and at each heartbeat until the
   * database is migrated.
   */
  isMigrated: (client: ClientBase) => Promise<boolean>
  /** Called at each heartbeat of the primary. */
  onHeartbeat?: (client: ClientBase, isNewConnection: boolean) => Promise<void>
}

/**
 * Suspends the pools while the database does not respond or is not the primary, so that queries fail immediately.
 * Resolves after the first attempt.
 */
export async function watchDatabase(
  url: string,
  { pools, log, isMigrated, onHeartbeat }: WatchOptions,
): Promise<{
  close: () => Promise<void>
  findUnready: () => 'database unavailable' | 'database not migrated' | null
}> {
  let isUp: boolean | null = null
  let hasSchema: boolean | null = null
  let hasWarnedOfClock = false

  async function checkSchema(client: Client): Promise<void> {
    const hadSchema = hasSchema
    hasSchema = await isMigrated(client)
    if (!hasSchema && hadSchema !== false) log.warn('The database is not migrated.')
  }

  /** Warns once per connection, which may lead to another database. */
  function checkClock(offsetMs: number, isNewConnection: boolean): void {
    if (isNewConnection) hasWarnedOfClock = false
    if (hasWarnedOfClock || Math.abs(offsetMs) <= maxClockOffsetMs) return
    hasWarnedOfClock = true
    const seconds = Math.round(Math.abs(offsetMs) / 1000)
    log.warn(
      `The clocks of this machine and of the database differ by ${seconds} s. Synchronize both with NTP.`,
    )
  }

  const { close } = await openHeartbeat(url, {
    async ask(client, isNewConnection) {
      const askedAt = Date.now()
      const { rows } = await client.query<{ standby: boolean; clock: Date }>(
        'select pg_is_in_recovery() as standby, clock_timestamp() as clock',
      )
      const [server] = rows
      if (server?.standby) throw new Error('a standby responds')
      // The server has read its clock at some time between both.
      if (server) checkClock(server.clock.getTime() - (askedAt + Date.now()) / 2, isNewConnection)
      await onHeartbeat?.(client, isNewConnection)
      if (isNewConnection || !hasSchema) await checkSchema(client)
    },
    onUp() {
      if (isUp === false) log.warn('The database is available again.')
      if (!isUp) for (const pool of pools) pool.resume()
      isUp = true
    },
    onDown(error) {
      if (isUp !== false) log.warn(`The database is unavailable (${toReason(error)}).`)
      isUp = false
      for (const pool of pools) pool.suspend()
    },
  })
  return {
    close,
    /** Returns null if the database responds and has the schema of this version. */
    findUnready: () => {
      if (isUp !== true) return 'database unavailable'
      return hasSchema === true ? null : 'database not migrated'
    },
  }
}
