import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { escapeIdentifier, escapeLiteral } from 'pg'
import { requireWritableFolder } from './data-folder.ts'
import { CLUSTER, createCluster, readPassword } from './embedded-postgres/cluster.ts'
import { signIn, signOut, type UsageLock, withFileLock } from './embedded-postgres/locks.ts'
import {
  findFreePort,
  readPidFile,
  removeForeignPidFile,
  startPostmaster,
  stopPostmaster,
} from './embedded-postgres/postmaster.ts'
import { findBinaries, type Programs } from './embedded-postgres/programs.ts'
import { openServerFolder } from './embedded-postgres/server-folder.ts'
import { StartupError, toReason } from './errors.ts'

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

/** Crash recovery may take long. A previous server that is stopping takes only seconds. */
const startTimeoutMs = 60_000

interface Arrival {
  usageLock: UsageLock
  port: number
  /** Whether this process created the cluster, started the server, or found it running. */
  how: 'created' | 'started' | 'attached'
}

/**
 * Attaches to a running server, or creates and starts one. The caller must hold the file lock of the data folder.
 * @param port required port, because clients already use it; by default the last one or any
 * @throws StartupError if the server does not run after one minute
 */
async function startOrAttach(programs: Programs, durable: boolean, port?: number): Promise<Arrival> {
  const created = await createCluster(programs, durable)
  const { folder } = programs.serverFolder
  const cluster = path.join(folder, CLUSTER)
  const password = readPassword(folder)
  const deadline = Date.now() + startTimeoutMs
  let next = port ?? readPidFile(cluster)?.port ?? (await findFreePort())
  let how: Arrival['how'] = 'attached'
  for (;;) {
    removeForeignPidFile(cluster)
    const running = readPidFile(cluster)
    const usageLock = running && (await signIn(running.port, password))
    if (usageLock) return { usageLock, port: running.port, how: created ? 'created' : how }
    if (Date.now() > deadline) {
      throw new StartupError(
        `The embedded Postgres in ${folder} does not respond and can't be started. End its processes (the first is ${running?.pid ?? 'unknown'}), then start again.`,
      )
    }
    if (await startPostmaster(programs, next, durable)) how = 'started'
    else {
      await delay(200)
      next = port ?? (await findFreePort())
    }
  }
}

const PAUSE = 1_000

/** Restarts the server when the connection is lost, until the watch ends. */
function watch(first: UsageLock, report: (message: string) => void, bringBack: () => Promise<UsageLock>) {
  const ended = new AbortController()
  let current: UsageLock | null = first
  let revival = Promise.resolve()

  async function revive(): Promise<void> {
    report('The embedded Postgres has stopped. Restarting it.')
    while (!ended.signal.aborted) {
      try {
        follow(await bringBack())
        report('The embedded Postgres is available again.')
        return
      } catch (error) {
        report(
          `The embedded Postgres could not be restarted (${error instanceof Error ? error.message : toReason(error)}).`,
        )
        await delay(PAUSE, undefined, { signal: ended.signal }).catch(() => undefined)
      }
    }
  }

  function follow(usageLock: UsageLock): void {
    current = usageLock
    usageLock.once('end', () => {
      current = null
      if (!ended.signal.aborted) revival = revive()
    })
  }

  follow(first)
  return {
    /** Stops watching. Returns the current lock, which the caller must release; null if the server is down. */
    async end(): Promise<UsageLock | null> {
      ended.abort()
      await revival
      return current
    },
  }
}
