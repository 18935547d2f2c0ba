import { Kysely, PostgresDialect, sql } from 'kysely'
import { type CustomTypesConfig, types } from 'pg'
import type { Database } from '../../db/schema.ts'
import { withPreparedStatements } from './prepared-statements.ts'
import { hasCode, StartupError, toReason } from './startup-error.ts'
import { SuspendablePool } from './suspendable-pool.ts'

export interface OpenDatabase {
  db: Kysely<Database>
  /** The connections beneath `db`, for what speaks to Postgres without Kysely. */
  pool: SuspendablePool
  close: () => Promise<void>
}

export interface DatabaseOptions {
  /** The most connections that are open at once. */
  poolSize: number
  /** Milliseconds that a statement may take. */
  statementTimeout?: number
  /** Milliseconds that one waits for a connection, be it a new one or one that others have. */
  connectionTimeout?: number
  /** Told when a connection that no one was using breaks; the pool opens another. */
  onLostConnection?: (error: Error) => void
}

/**
 * Opens a pool of connections; the first is made by the first query.
 * A `bigint` arrives as a number, a `date` as its text.
 */
export function createDatabase(url: string, options: DatabaseOptions): OpenDatabase {
  const pool = new SuspendablePool({
    connectionString: url,
    max: options.poolSize,
    connectionTimeoutMillis: options.connectionTimeout ?? 5_000,
    statement_timeout: options.statementTimeout ?? 15_000,
    idle_in_transaction_session_timeout: 30_000,
    keepAlive: true,
    // To compile a statement takes Postgres a tenth of a second, where it guesses that it will be a long one; ours are short.
    options: '-c jit=off',
    types: { getTypeParser },
  })
  // Without listeners the loss of a connection would end the process: the pool listens for those that are idle,
  // and no one for one that is in use, between two statements of a transaction. Its next statement will fail.
  let closed = false
  pool.on('error', (error) => {
    // One that has said goodbye can still hear the server, which may close at the same moment.
    if (!closed) options.onLostConnection?.(error)
  })
  pool.on('connect', (client) => client.on('error', () => undefined))
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool: withPreparedStatements(pool) }) })
  return {
    db,
    pool,
    close() {
      closed = true
      return db.destroy()
    },
  }
}

/**
 * Proves that the database answers.
 * @throws StartupError with what to do about it; the address in it is without its password.
 */
export async function requireDatabase({ db }: OpenDatabase, url: string): Promise<void> {
  try {
    await sql`select 1`.execute(db)
  } catch (error) {
    const { host, pathname } = new URL(url)
    throw new StartupError(
      `The database ${pathname.slice(1)} at ${host} can't be reached (${plainReason(error)}): start it, correct DATABASE_URL, or leave DATABASE_URL out to use the embedded one.`,
      { cause: error },
    )
  }
}

const plainReasons: Record<string, string> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'the host is unknown',
  EAI_AGAIN: 'the host is unknown',
  '28P01': 'it refuses the user or the password',
  '28000': 'it refuses the user or the password',
  '3D000': 'there is none of that name',
}

function plainReason(error: unknown): string {
  const reason = toReason(error)
  return plainReasons[reason] ?? reason
}

const UNIQUE_VIOLATION = '23505'

/** Whether the statement failed because a row with that unique key exists; the constraint is named as in SQL. */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  return hasCode(error, UNIQUE_VIOLATION) && error instanceof Error && readConstraint(error) === constraint
}

function readConstraint(error: Error): unknown {
  return 'constraint' in error ? error.constraint : undefined
}

const parsers: Record<number, (text: string) => unknown> = {
  [types.builtins.INT8]: parseSafeInteger,
  // Not a Date: a birthday has no time, and no time zone to move it to the day before.
  [types.builtins.DATE]: (text) => text,
}

const getTypeParser: CustomTypesConfig['getTypeParser'] = (type: number, format?: 'text' | 'binary') =>
  (format !== 'binary' && parsers[type]) || types.getTypeParser(type, format)

function parseSafeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is more than a number can hold exactly`)
  return value
}
