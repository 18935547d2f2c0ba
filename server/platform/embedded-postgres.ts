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
  /** An absolute path; the database is in its subfolder `postgres`. */
  dataDir: string
  /** Name of the database and of its owner role. Both are created if missing. */
  database: string
  /** False for temporary data: faster, but lost after a crash of the machine. */
  durable?: boolean
  /** Receives a sentence when the server crashes, restarts or does not stop. */
  report?: (message: string) => void
}

export interface EmbeddedPostgres {
  url: string
  how: Arrival['how']
  /** Folder of the data: below the data folder, or elsewhere if the server's account cannot enter it. */
  folder: string
  /** Disconnects, and stops the server if no other process uses it. */
  stop(): Promise<'stopped' | 'left running'>
}

/**
 * Creates, starts or attaches to the Postgres server of this data folder. It listens on loopback only, survives a
 * crash of this process, and is restarted if it crashes itself.
 * @throws StartupError if it cannot be used
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

/** The role of the shop is not a superuser, so that an SQL injection cannot reach the machine. */
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
    report(`The embedded Postgres did not stop in time (${toReason(error)}). It is still shutting down.`)
    return 'left running'
  } finally {
    await usageLock.end()
  }
}
