import type { FastifyBaseLogger } from 'fastify'
import { Kysely, PostgresDialect } from 'kysely'
import type { Database } from '../db/schema.ts'
import type { Config } from './config/config.ts'
import { isMigrated, openDatabase, openPool } from './open-database.ts'
import type { Connections } from './platform/database/database.ts'
import { watchDatabase } from './platform/database/database-watch.ts'
import { openReplicas } from './platform/database/replicas.ts'
import { limitResponseTime } from './platform/http/response-timeout.ts'

/** Shorter than for the primary, which serves the request then. */
const replicaTimeoutMs = 500

export type ShopDatabase = Awaited<ReturnType<typeof openShopDatabase>>

/**
 * Opens and migrates the database of a shop process, and watches it. A quarter of the connections is for requests that
 * only read, so that they do not wait for writes that wait for a standby.
 *
 * @throws StartupError if the data folder or the database cannot be used
 */
export async function openShopDatabase(
  config: Config,
  log: FastifyBaseLogger,
  cleanup: AsyncDisposableStack,
) {
  const readPoolSize = Math.max(1, Math.floor(config.poolSize / 4))
  const all = await openDatabase({ ...config, poolSize: config.poolSize - readPoolSize }, log, cleanup)
  const reads = openPool(all.databaseUrl, { ...config, poolSize: readPoolSize }, 'read', log, cleanup)
  const replicas = await openReplicas({
    // A worker has no public reads.
    urls: config.role === 'worker' ? [] : config.replicas.urls,
    openPool: (url, verify) =>
      openPool(
        url,
        { ...config, ...config.replicas, verify, connectionTimeout: replicaTimeoutMs },
        'replica',
        log,
        cleanup,
      ),
    primary: reads.db,
    log,
  })
  cleanup.defer(replicas.close)
  // A write that still waits for a standby must not delay the shutdown.
  cleanup.defer(() => all.pool.suspend())
  const { close, findUnready } = await watchDatabase(all.databaseUrl, {
    pools: [all.pool, reads.pool],
    log,
    isMigrated,
    onHeartbeat: replicas.onHeartbeat,
  })
  cleanup.defer(close)
  const writePool = limitResponseTime(all.pool)
  const write = new Kysely<Database>({ dialect: new PostgresDialect({ pool: writePool }) })
  const connections: Connections = { read: reads.db, write, background: all.db }
  return {
    connections,
    /** The pool of `connections.write`. */
    writePool,
    pools: { write: all.pool, read: reads.pool, ...replicas.pools },
    replicas,
    findUnready,
    databaseUrl: all.databaseUrl,
    secrets: all.secrets,
  }
}
