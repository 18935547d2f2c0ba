import { fileURLToPath } from 'node:url'
import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import type { Database } from '../db/schema.ts'
import type { Config } from './config.ts'
import { Closing } from './platform/closing.ts'
import { requireWritableFolder } from './platform/data-folder.ts'
import { type OpenDatabase, openDatabase, requireDatabase } from './platform/database.ts'
import { watchDatabase } from './platform/database-watch.ts'
import { openEmbeddedPostgres } from './platform/embedded-postgres.ts'
import { migrate, pendingMigrations } from './platform/migrations.ts'

/** The folder of the shop's migrations. */
export const migrations = fileURLToPath(new URL('../db/migrations', import.meta.url))

/** Milliseconds that a request waits for a connection: whoever gets none is told within 2 s. */
const patience = 1_500

export interface Store extends OpenDatabase {
  databaseUrl: string
}

/**
 * Opens the database that the settings name, or the shop's own in the data folder, and migrates it.
 *
 * @param begun its address, where it is being started already
 * @throws StartupError where the data folder or the database cannot be used
 */
export async function openStore(
  config: Config,
  log: FastifyBaseLogger,
  closing: Closing,
  begun = startDatabase(config, log, closing),
): Promise<Store> {
  const store = await connectStore(config, log, closing, begun)
  await migrate(store.db, migrations)
  return store
}

/** A database that is being started, or only has an address. */
export interface Beginning {
  databaseUrl: Promise<string>
  /** Closes what was opened by then. */
  closing: Closing
}

/**
 * Begins with what another process does, the embedded Postgres; whether it could be started is told to whoever waits.
 * Nothing is asked of it yet: where this process is busy meanwhile, an answer would seem to come too late.
 */
export function beginStore(config: Config, log: FastifyBaseLogger): Beginning {
  const closing = new Closing()
  const databaseUrl = startDatabase(config, log, closing)
  databaseUrl.catch(() => undefined)
  return { databaseUrl, closing }
}

/**
 * Opens the database as it is, migrated or not.
 *
 * @throws StartupError where the data folder or the database cannot be used
 */
export async function connectStore(
  config: Config,
  log: FastifyBaseLogger,
  closing: Closing,
  begun = startDatabase(config, log, closing),
): Promise<Store> {
  const databaseUrl = await begun
  const database = openDatabase(databaseUrl, {
    poolSize: config.poolSize,
    connectionTimeout: patience,
    // Its message alone: the error carries the client, and with it the password.
    onLostConnection: ({ message }) => log.warn({ message }, 'lost a connection to the database'),
  })
  closing.add(database.close)
  await requireDatabase(database, databaseUrl)
  return { ...database, databaseUrl }
}

/** Whether the database answers and knows every migration; rejects where it does not answer. */
export async function isMigrated(db: Kysely<Database>): Promise<boolean> {
  return (await pendingMigrations(db, migrations)).length === 0
}

async function startDatabase(config: Config, log: FastifyBaseLogger, closing: Closing): Promise<string> {
  requireWritableFolder(config.dataDir)
  if (config.databaseUrl !== null) return config.databaseUrl
  const postgres = await openEmbeddedPostgres({
    dataDir: config.dataDir,
    database: 'shop',
    report: (sentence) => log.warn(sentence),
  })
  closing.add(postgres.stop)
  return postgres.url
}

/** Watches whether the database answers. While it does not, its pool refuses every query immediately. */
export async function superviseDatabase(
  { databaseUrl, pool }: Store,
  log: FastifyBaseLogger,
  closing: Closing,
): Promise<void> {
  const watch = await watchDatabase({
    url: databaseUrl,
    onUp: () => pool.resume(),
    onDown: () => pool.suspend(),
    report: (sentence) => log.warn(sentence),
  })
  closing.add(watch.close)
}
