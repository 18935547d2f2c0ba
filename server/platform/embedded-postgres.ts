import path from 'node:path'
import { escapeIdentifier, escapeLiteral } from 'pg'
import { requireWritableFolder } from './data-folder.ts'
import { findBinaries } from './embedded-postgres/binaries.ts'
import { readPassword } from './embedded-postgres/cluster.ts'
import { withFileLock } from './embedded-postgres/file-lock.ts'
import { stopPostmaster } from './embedded-postgres/postmaster.ts'
import type { Programs } from './embedded-postgres/program.ts'
import { openServerFolder } from './embedded-postgres/server-folder.ts'
import { type Arrival, startOrAttach } from './embedded-postgres/start-or-attach.ts'
import { signOut, type UsageLock } from './embedded-postgres/usage-lock.ts'
import { watch } from './embedded-postgres/watch.ts'
import { toReason } from './startup-error.ts'

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
  const withLock = <Result>(work: () => Promise<Result>) =>
    withFileLock(path.join(dataDir, 'postgres.lock'), lockTimeoutMs, work)

  const { programs, arrival, password } = await withLock(async () => {
    const serverFolder = openServerFolder(dataDir)
    const programs: Programs = { binaries: findBinaries(serverFolder), serverFolder }
    const arrival = await startOrAttach(programs, durable)
    const password = readPassword(serverFolder.folder)
    await createDatabase(arrival.usageLock, database, password)
    return { programs, arrival, password }
  })
  const { port, how } = arrival
  const watched = watch(arrival.usageLock, report, async () => {
    const again = await withLock(() => startOrAttach(programs, durable, port))
    return again.usageLock
  })
  return {
    url: `postgres://${database}:${password}@127.0.0.1:${port}/${database}?sslmode=disable`,
    how,
    folder: programs.serverFolder.folder,
    stop: async () => leave(await watched.end(), programs, report),
  }
}

/** The shop gets a role that owns its database and nothing else: a hole in a query must not reach the machine. */
async function createDatabase(superuser: UsageLock, database: string, password: string): Promise<void> {
  const name = escapeIdentifier(database)
  const role = await superuser.query('select from pg_roles where rolname = $1', [database])
  if (role.rowCount === 0) {
    await superuser.query(`create role ${name} login createdb password ${escapeLiteral(password)}`)
  }
  const existing = await superuser.query('select from pg_database where datname = $1', [database])
  if (existing.rowCount === 0) await superuser.query(`create database ${name} owner ${name}`)
}

async function leave(
  usageLock: UsageLock | null,
  programs: Programs,
  report: (message: string) => void,
): Promise<'stopped' | 'left running'> {
  if (!usageLock) return 'stopped'
  try {
    const isLast = await signOut(usageLock)
    if (isLast) await stopPostmaster(programs)
    return isLast ? 'stopped' : 'left running'
  } catch (error) {
    report(`The embedded Postgres did not stop in time (${toReason(error)}); it goes on stopping by itself.`)
    return 'left running'
  } finally {
    await usageLock.end()
  }
}
