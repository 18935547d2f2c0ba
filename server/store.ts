import { fileURLToPath } from 'node:url'
import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import type { Database } from '../db/schema.ts'
import type { Config } from './config.ts'
import { Changes } from './platform/changes.ts'
import { Closing } from './platform/closing.ts'
import { requireWritableFolder } from './platform/data-folder.ts'
import { type OpenDatabase, openDatabase, requireDatabase } from './platform/database.ts'
import { openEmbeddedPostgres } from './platform/embedded-postgres.ts'
import { type Listening, listen } from './platform/listening.ts'
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
 * @throws StartupError where the data folder or the database cannot be used
 */
export async function openStore(config: Config, log: FastifyBaseLogger, closing: Closing): Promise<Store> {
  const store = await connectStore(config, log, closing)
  await migrate(store.db, migrations)
  return store
}

/** A store that is being opened. */
export interface Beginning {
  store: Promise<Store>
  /** Closes what was opened by then. */
  closing: Closing
}

/** Begins to open the store; whether it could be is told to whoever waits for it. */
export function beginStore(config: Config, log: FastifyBaseLogger): Beginning {
  const closing = new Closing()
  const store = openStore(config, log, closing)
  store.catch(() => undefined)
  return { store, closing }
}

/**
 * Opens the database as it is, migrated or not.
 *
 * @throws StartupError where the data folder or the database cannot be used
 */
export async function connectStore(config: Config, log: FastifyBaseLogger, closing: Closing): Promise<Store> {
  requireWritableFolder(config.dataDir)
  const databaseUrl = config.databaseUrl ?? (await openEmbedded(config, log, closing))
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

async function openEmbedded(config: Config, log: FastifyBaseLogger, closing: Closing): Promise<string> {
  const postgres = await openEmbeddedPostgres({
    dataDir: config.dataDir,
    database: 'shop',
    report: (sentence) => log.warn(sentence),
  })
  closing.add(postgres.stop)
  return postgres.url
}

/**
 * Hears of every change, by whichever process it is made. As long as the database does not answer, its pool refuses
 * everything at once.
 */
export async function followChanges(
  { databaseUrl, pool }: Store,
  log: FastifyBaseLogger,
  closing: Closing,
): Promise<{ changes: Changes } & Pick<Listening, 'catchUp'>> {
  const changes = new Changes()
  const listening = await listen({
    url: databaseUrl,
    channel: 'changes',
    onNotice: (tags) => changes.tell(tags),
    onHeard() {
      pool.resume()
      changes.hear()
    },
    onLost: () => changes.miss(),
    onAway: () => pool.suspend(),
    report: (sentence) => log.warn(sentence),
  })
  closing.add(listening.close)
  return { changes, catchUp: listening.catchUp }
}
