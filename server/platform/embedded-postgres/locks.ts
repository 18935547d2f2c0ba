import { closeSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { hasCode, StartupError } from '../errors.ts'
import { SUPERUSER } from './cluster.ts'

const SQLITE_BUSY = 5

/**
 * Locks a file exclusively, across processes and within this one, until the result is disposed.
 *
 * Node has no file locks, so this uses SQLite. The kernel releases its lock when the process dies.
 * @throws StartupError if the lock is not free after `timeoutMs`
 */
export async function lockFile(file: string, timeoutMs: number): Promise<Disposable> {
  closeSync(openSync(file, 'a', 0o600))
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const lock = new DatabaseSync(file)
    try {
      lock.exec('begin exclusive')
      return lock
    } catch (error) {
      lock.close()
      if (!(error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY)) throw error
    }
    if (Date.now() > deadline) {
      throw new StartupError(
        `Another process is still starting the embedded database (it holds ${file}). Wait for it or end it, then start again.`,
      )
    }
    await delay(25)
  }
}

/** Advisory lock that all processes of the server share. Only the last process gets it exclusively. */
const IN_USE = 7_461_018

/** A connection with a shared advisory lock. It marks the server as used until the process ends. */
export type UsageLock = Client

/**
 * Connects to the server and takes the shared lock.
 * @returns null if no server of this folder accepts connections on this port
 */
export async function signIn(port: number, password: string): Promise<UsageLock | null> {
  const client = new Client({
    host: '127.0.0.1',
    port,
    user: SUPERUSER,
    password,
    database: 'postgres',
    ssl: false,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
  })
  // An 'error' event without a listener would end the process. Callers listen to 'end'.
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query('select pg_try_advisory_lock_shared($1) as shared', [IN_USE])
    if (rows[0].shared) return client
  } catch (error) {
    if (!isAbsence(error)) throw error
  }
  await client.end()
  return null
}

/** Releases the shared lock. Returns true if no other process uses the server: the caller must stop it then. */
export async function signOut(usageLock: UsageLock): Promise<boolean> {
  await usageLock.query('select pg_advisory_unlock_shared($1)', [IN_USE])
  const { rows } = await usageLock.query('select pg_try_advisory_lock($1) as last', [IN_USE])
  return rows[0].last
}

/** Refused, starting, stopping, or with another password because the server of another folder uses the port. */
const absenceCodes = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', '57P03', '57P01', '28P01']

function isAbsence(error: unknown): boolean {
  const broken = error instanceof Error && /Connection terminated|timeout expired/.test(error.message)
  return broken || absenceCodes.some((code) => hasCode(error, code))
}
