import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { escapeIdentifier, escapeLiteral } from 'pg'
import { requireWritableFolder } from '../data-folder.ts'
import { StartupError, toReason } from '../errors.ts'
import { CLUSTER, createCluster, readPassword } from './cluster.ts'
import { lockFile, signIn, signOut, type UsageLock } from './locks.ts'
import { readPidFile, removeForeignPidFile, startPostmaster, stopPostmaster } from './postmaster.ts'
import { findBinaries, type Programs } from './programs.ts'
import { openServerFolder } from './server-folder.ts'

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
  const lock = () => lockFile(path.join(dataDir, 'postgres.lock'), lockTimeoutMs)

  async function open() {
    using _ = await lock()
    const serverFolder = openServerFolder(dataDir)
    const programs: Programs = { ...serverFolder, binaries: findBinaries(serverFolder) }
    const arrival = await startOrAttach(programs, durable)
    await createDatabase(arrival.usageLock, database, arrival.password)
    return { programs, ...arrival }
  }

  const { programs, password, port, how, usageLock } = await open()
  const leaving = new AbortController()
  const supervised = supervise(usageLock, report, leaving.signal, async () => {
    using _ = await lock()
    return (await startOrAttach(programs, durable, port)).usageLock
  })
  let end: ReturnType<typeof leave> | undefined
  return {
    url: `postgres://${database}:${password}@127.0.0.1:${port}/${database}?sslmode=disable`,
    how,
    folder: programs.folder,
    stop() {
      leaving.abort()
      end ??= supervised.then((current) => leave(current, programs, report))
      return end
    },
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
  password: string
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
  const { folder } = programs
  const cluster = path.join(folder, CLUSTER)
  const password = readPassword(folder)
  const deadline = Date.now() + startTimeoutMs
  let next = port ?? readPidFile(cluster)?.port ?? randomPort()
  let how: Arrival['how'] = 'attached'
  for (;;) {
    removeForeignPidFile(cluster)
    const running = readPidFile(cluster)
    const usageLock = running && (await signIn(running.port, password))
    if (usageLock) return { usageLock, port: running.port, password, how: created ? 'created' : how }
    if (Date.now() > deadline) {
      throw new StartupError(
        `The embedded Postgres in ${folder} does not respond and can't be started. End its processes (the first is ${running?.pid ?? 'unknown'}), then start again.`,
      )
    }
    if (await startPostmaster(programs, next, durable)) how = 'started'
    else {
      await delay(200)
      next = port ?? randomPort()
    }
  }
}

/**
 * Below the ports that systems use for outgoing connections, and that `scripts/prepare` uses as locks. If it is in use,
 * the start fails and is tried again.
 */
const randomPort = () => randomInt(10_000, 20_000)

const restartPauseMs = 1_000

/**
 * Restarts the server when its connection is lost, until the signal aborts.
 *
 * @returns the current lock, which the caller must release; null if the server is down
 */
async function supervise(
  first: UsageLock,
  report: (message: string) => void,
  signal: AbortSignal,
  restart: () => Promise<UsageLock>,
): Promise<UsageLock | null> {
  let current: UsageLock | null = first
  for (;;) {
    // Rejects when the signal aborts or the connection breaks.
    if (current) await once(current, 'end', { signal }).catch(() => undefined)
    if (signal.aborted) return current
    if (current) report('The embedded Postgres has stopped. Restarting it.')
    try {
      current = await restart()
      report('The embedded Postgres is available again.')
    } catch (error) {
      current = null
      const reason = error instanceof Error ? error.message : toReason(error)
      report(`The embedded Postgres could not be restarted (${reason}).`)
      await delay(restartPauseMs, undefined, { signal }).catch(() => undefined)
    }
  }
}
