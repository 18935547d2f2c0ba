import { fileURLToPath } from 'node:url'
import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import type { Database } from '../db/schema.ts'
import type { Config } from './config/config.ts'
import { requireWritableFolder } from './platform/data-folder.ts'
import { createDatabase, requireDatabase } from './platform/database.ts'
import { openEmbeddedPostgres } from './platform/embedded-postgres.ts'
import { migrate, pendingMigrations } from './platform/migrations.ts'

/** The folder of the shop's migrations. */
export const migrations = fileURLToPath(new URL('../db/migrations', import.meta.url))

/** A request without a connection fails after this time, so that it is answered within 2 s. */
const connectionTimeoutMs = 1_500

/**
 * Opens and migrates the configured database, or the embedded one in the data folder.
 *
 * @throws StartupError if the data folder or the database cannot be used
 */
export async function openDatabase(config: Config, log: FastifyBaseLogger, cleanup: AsyncDisposableStack) {
  const database = await connectDatabase(config, log, cleanup)
  await migrate(database.db, migrations)
  return database
}

/**
 * Opens the database without migrating it.
 *
 * @throws StartupError if the data folder or the database cannot be used
 */
export async function connectDatabase(config: Config, log: FastifyBaseLogger, cleanup: AsyncDisposableStack) {
  requireWritableFolder(config.dataDir)
  let { databaseUrl } = config
  if (databaseUrl === null) {
    const postgres = await openEmbeddedPostgres({
      dataDir: config.dataDir,
      database: 'shop',
      report: (message) => log.warn(message),
    })
    cleanup.defer(async () => void (await postgres.stop()))
    databaseUrl = postgres.url
  }
  const database = createDatabase(databaseUrl, {
    poolSize: config.poolSize,
    connectionTimeout: connectionTimeoutMs,
    // Log the message only: the error contains the client with its password.
    onLostConnection: ({ message }) => log.warn({ message }, 'lost a connection to the database'),
  })
  cleanup.defer(database.close)
  await requireDatabase(database, databaseUrl)
  return { ...database, databaseUrl }
}

/** Returns whether all migrations are applied. Rejects if the database does not respond. */
export async function isMigrated(db: Kysely<Database>): Promise<boolean> {
  return (await pendingMigrations(db, migrations)).length === 0
}
