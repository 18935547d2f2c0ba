import path from 'node:path'
import { escapeIdentifier, escapeLiteral } from 'pg'
import { requireWritableFolder } from './data-folder.ts'
import { findBinaries } from './embedded-postgres/binaries.ts'
import { readPassword } from './embedded-postgres/cluster.ts'
import { exclusively } from './embedded-postgres/file-lock.ts'
import { stopPostmaster } from './embedded-postgres/postmaster.ts'
import type { Programs } from './embedded-postgres/program.ts'
import { openHome } from './embedded-postgres/server-folder.ts'
import { type Arrival, arrive } from './embedded-postgres/start-or-attach.ts'
import { type Presence, signOut } from './embedded-postgres/usage-lock.ts'
import { watch } from './embedded-postgres/watch.ts'
import { reasonOf } from './startup-error.ts'

const lockTimeoutMs = 90_000

export interface EmbeddedPostgresOptions {
  /** An absolute folder; the database lives in `postgres` below it. */
  dataDir: string
  /** The database, made where it is missing, and the role that owns it. */
  database: string
  /** False for throwaway data: quicker, and lost with the power. */
  durable?: boolean
  /** Told, in a sentence, what happens to the server while it is in use. */
  report?: (message: string) => void
}

export interface EmbeddedPostgres {
  url: string
  how: Arrival['how']
  /** Where the data are: below the data folder, or elsewhere if the server's account can't go there. */
  folder: string
  /** Ends this process's use of the server, and the server with it where no other process uses it. */
  stop(): Promise<'stopped' | 'left running'>
}

/**
 * Opens a Postgres of our own: creates it, starts it, or attaches to the one that runs already on this data folder.
 * It listens on loopback only, survives this process's violent end (the next one attaches), and is started again
 * when it was killed itself.
 * @throws StartupError with a sentence that says what to do.
 */
export async function openEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { dataDir, database, durable = true, report = () => undefined } = options
  requireWritableFolder(dataDir)
  const alone = <Result>(work: () => Promise<Result>) =>
    exclusively(path.join(dataDir, 'postgres.lock'), lockTimeoutMs, work)

  const { programs, arrival, password } = await alone(async () => {
    const home = openHome(dataDir)
    const programs: Programs = { binaries: findBinaries(home), home }
    const arrival = await arrive(programs, durable)
    const password = readPassword(home.folder)
    await createDatabase(arrival.presence, database, password)
    return { programs, arrival, password }
  })
  const { port, how } = arrival
  const watched = watch(arrival.presence, report, async () => {
    const again = await alone(() => arrive(programs, durable, port))
    return again.presence
  })
  return {
    url: `postgres://${database}:${password}@127.0.0.1:${port}/${database}?sslmode=disable`,
    how,
    folder: programs.home.folder,
    stop: async () => leave(await watched.end(), programs, report),
  }
}

/** The shop gets a role that owns its database and nothing else: a hole in a query must not reach the machine. */
async function createDatabase(superuser: Presence, database: string, password: string): Promise<void> {
  const name = escapeIdentifier(database)
  const role = await superuser.query('select from pg_roles where rolname = $1', [database])
  if (role.rowCount === 0) {
    await superuser.query(`create role ${name} login createdb password ${escapeLiteral(password)}`)
  }
  const existing = await superuser.query('select from pg_database where datname = $1', [database])
  if (existing.rowCount === 0) await superuser.query(`create database ${name} owner ${name}`)
}

async function leave(
  presence: Presence | null,
  programs: Programs,
  report: (message: string) => void,
): Promise<'stopped' | 'left running'> {
  if (!presence) return 'stopped'
  try {
    const isLast = await signOut(presence)
    if (isLast) await stopPostmaster(programs)
    return isLast ? 'stopped' : 'left running'
  } catch (error) {
    report(`The embedded Postgres did not stop in time (${reasonOf(error)}); it goes on stopping by itself.`)
    return 'left running'
  } finally {
    await presence.end()
  }
}
