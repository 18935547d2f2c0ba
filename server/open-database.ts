import { fileURLToPath } from 'node:url'
import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import type { ClientBase } from 'pg'
import type { Database } from '../db/schema.ts'
import { type Config, requireSecrets } from './config/config.ts'
import { createDatabase, type OpenDatabase, requireDatabase } from './platform/database/database.ts'
import { findPending, hasAllMigrations, migrate, requireSchema } from './platform/database/migrations.ts'
import { measureStatements } from './platform/database/pool-metrics.ts'
import { checkGuards, setGuards } from './platform/database/session-guards.ts'
import { openEmbeddedPostgres } from './platform/embedded-postgres/embedded-postgres.ts'
import { requireSameSecret, storeFingerprint } from './platform/secrets/secret-fingerprint.ts'
import { generateSecret, loadOrCreateSecret, type Secrets } from './platform/secrets/secrets.ts'

/** The folder of the shop's migrations. */
export const migrations = fileURLToPath(new URL('../db/migrations', import.meta.url))

/** A request that waits for a connection fails after this time. */
const connectionTimeoutMs = 1_500

/**
 * Opens and migrates the configured database, or the embedded one in the data folder.
 *
 * @throws StartupError if the data folder or the database cannot be used, if the secret differs from the one of the shop
 *   on this database, or if the database is not migrated and MIGRATE=off
 */
export async function openDatabase(config: Config, log: FastifyBaseLogger, cleanup: AsyncDisposableStack) {
  requireSecrets(config)
  const database = await connectDatabase(config, log, cleanup)
  const secrets = loadSecrets(config)
  await requireSameSecret(database.db, secrets)
  if (config.migrate === 'off') await requireMigrated(database.db)
  else await migrateShop(database, (message) => log.warn(message))
  await checkGuards(database.db, log)
  await storeFingerprint(database.db, secrets)
  return { ...database, secrets }
}

/** Applies pending migrations and sets the guards of the role. Returns the names of the files. */
export async function migrateShop(
  database: OpenDatabase,
  onRetry: (message: string) => void,
): Promise<string[]> {
  const names = await migrate(database, migrations, { onRetry })
  await setGuards(database)
  return names
}

/** Returns the migrations that `migrateShop` would apply. @throws StartupError if the database cannot be upgraded */
export const findPendingMigrations = (db: Kysely<Database>) => findPending(db, migrations)

/** Returns the configured secrets. Generates one on first use, which only an embedded database allows. */
export function loadSecrets({ secret, previousSecrets, dataDir }: Config): Secrets {
  const current = secret ?? loadOrCreateSecret(dataDir, 'secret', generateSecret)
  return [current, ...previousSecrets.filter((previous) => previous !== current)]
}

/**
 * Opens the database without migrating it.
 *
 * @throws StartupError if the data folder or the database cannot be used
 */
export async function connectDatabase(config: Config, log: FastifyBaseLogger, cleanup: AsyncDisposableStack) {
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
  const database = openPool(databaseUrl, config, 'write', log, cleanup)
  await requireDatabase(database, databaseUrl)
  return { ...database, databaseUrl }
}

interface PoolSettings extends Pick<Config, 'poolSize' | 'preparedStatements' | 'metrics' | 'tracing'> {
  connectionTimeout?: number
  verify?: (client: ClientBase) => Promise<void>
}

export function openPool(
  url: string,
  {
    poolSize,
    preparedStatements,
    metrics,
    tracing,
    connectionTimeout = connectionTimeoutMs,
    verify,
  }: PoolSettings,
  name: 'read' | 'write' | 'replica',
  log: FastifyBaseLogger,
  cleanup: AsyncDisposableStack,
): OpenDatabase {
  const database = createDatabase(url, {
    poolSize,
    prepared: preparedStatements,
    connectionTimeout,
    verify,
    // Log the message only: the error contains the client with its password.
    onLostConnection: ({ message }) => log.warn({ message }, 'lost a connection to the database'),
  })
  if (metrics || tracing) measureStatements(database.pool, name)
  cleanup.defer(database.close)
  return database
}

/** @throws StartupError if a migration is pending, or this version does not work with the schema */
export const requireMigrated = (db: Kysely<Database>): Promise<void> => requireSchema(db, migrations)

/** Returns whether all migrations are applied. */
export const isMigrated = (client: ClientBase): Promise<boolean> => hasAllMigrations(client, migrations)
