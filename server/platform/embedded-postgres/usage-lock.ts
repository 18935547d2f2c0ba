import { Client } from 'pg'
import { hasCode } from '../startup-error.ts'
import { SUPERUSER } from './cluster.ts'

/** Advisory lock that all processes of the server share. Only the last process gets it exclusively. */
const IN_USE = 7_461_018

/** A connection with a shared advisory lock. It marks the server as used until the process ends. */
export type UsageLock = Client

/**
 * Connects to the server and takes the shared lock.
 * @returns null if no server runs, or if it is starting or stopping
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
    // 28P01: another server has taken the port.
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

const cannotConnectNow = '57P03'
const shuttingDown = '57P01'
const wrongPassword = '28P01'

function isAbsence(error: unknown): boolean {
  const codes = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', cannotConnectNow, shuttingDown, wrongPassword]
  const broken = error instanceof Error && /Connection terminated|timeout expired/.test(error.message)
  return broken || codes.some((code) => hasCode(error, code))
}
