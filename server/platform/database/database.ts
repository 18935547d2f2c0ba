import { randomBytes } from 'node:crypto'
import { callbackify } from 'node:util'
import { Kysely, PostgresDialect, sql, Transaction } from 'kysely'
import { type ClientBase, type CustomTypesConfig, DatabaseError, types } from 'pg'
import type { ErrorCode } from '../../../contract/errors.ts'
import type { Database } from '../../../db/schema.ts'
import { hasCode, ShopError, StartupError, toReason } from '../errors.ts'
import { handleStatements, isStaleStatement, SuspendablePool } from './connection-pool.ts'

/** Connections to one database by the kind of work, so that no kind waits for another. */
export interface Connections {
  /** For requests that only read. */
  read: Kysely<Database>
  /** For requests that write. Their time is limited. */
  write: Kysely<Database>
  /** For jobs and other work that may take long. */
  background: Kysely<Database>
}

export interface OpenDatabase {
  db: Kysely<Database>
  /** The pool of `db`, for code that queries Postgres without Kysely. */
  pool: SuspendablePool
  close: () => Promise<void>
}

interface DatabaseOptions {
  /** Maximum number of connections. */
  poolSize: number
  /** Whether statements with parameters, and queries without, are prepared by name; default true. */
  prepared?: boolean
  /** Milliseconds to wait for a new or free connection. */
  connectionTimeout?: number
  /** Called when an idle connection breaks. The pool replaces it. */
  onLostConnection?: (error: Error) => void
  /** Checks a new connection. If it rejects, the connection is closed, and the work that waits for it fails. */
  verify?: ((client: ClientBase) => Promise<void>) | undefined
}

/**
 * Creates a connection pool; the first query opens the first connection. A pooler refuses other parameters of a
 * connection than user, database, encoding and application name: see `session-guards.ts`.
 * Returns `bigint` values as numbers and `date` values as text.
 */
export function createDatabase(url: string, options: DatabaseOptions): OpenDatabase {
  const { verify } = options
  const pool = new SuspendablePool({
    connectionString: url,
    max: options.poolSize,
    connectionTimeoutMillis: options.connectionTimeout ?? 5_000,
    keepAlive: true,
    types: { getTypeParser },
    ...(verify && { verify: callbackify(verify) }),
  })
  // An 'error' event without a listener would end the process. The pool only listens on idle connections, so a
  // connection in use needs its own listener. Its next statement fails anyway.
  let closed = false
  pool.on('error', (error) => {
    // The server and this pool may close a connection at the same time.
    if (!closed) options.onLostConnection?.(error)
  })
  pool.on('connect', (client) => client.on('error', () => undefined))
  handleStatements(pool, { prepared: options.prepared ?? true })
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
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
 * Checks that the database responds.
 * @throws StartupError if it does not; the message contains no password
 */
export async function requireDatabase({ db }: OpenDatabase, url: string): Promise<void> {
  try {
    await sql`select 1`.execute(db)
  } catch (error) {
    const { host, pathname } = new URL(url)
    const code = toReason(error)
    const reason = plainReasons[code] ?? (error instanceof DatabaseError ? error.message : code)
    throw new StartupError(
      `The database ${pathname.slice(1)} at ${host} can't be reached (${reason}). Start it, correct DATABASE_URL, or remove DATABASE_URL to use the embedded one.`,
      { cause: error },
    )
  }
}

const plainReasons: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'unknown host',
  EAI_AGAIN: 'unknown host',
  '28P01': 'wrong user or password',
  '3D000': 'no database has this name',
}

// Codes of Postgres.
const UNIQUE_VIOLATION = '23505'
const FOREIGN_KEY_VIOLATION = '23503'
const CHECK_VIOLATION = '23514'
/** A lock took longer than `lock_timeout`. */
export const LOCK_NOT_AVAILABLE = '55P03'
/** Transactions wait for each other. */
export const DEADLOCK_DETECTED = '40P01'

/** Returns whether the error violates the unique constraint with this SQL name. */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  return error instanceof DatabaseError && error.code === UNIQUE_VIOLATION && error.constraint === constraint
}

/**
 * Returns a function for `catch`, which throws the code of the violated unique constraint. Other errors stay as they are.
 *
 * @param codes by the SQL name of the constraint
 */
export const rejectTaken =
  (codes: Record<string, ErrorCode>) =>
  (error: unknown): never => {
    const taken = Object.entries(codes).find(([constraint]) => isUniqueViolation(error, constraint))
    throw taken ? new ShopError(taken[1], { cause: error }) : error
  }

/** Returns whether the error violates the foreign key with this SQL name. */
export function isForeignKeyViolation(error: unknown, constraint?: string): boolean {
  return (
    error instanceof DatabaseError &&
    error.code === FOREIGN_KEY_VIOLATION &&
    (constraint ?? error.constraint) === error.constraint
  )
}

/** Returns whether the error violates the check constraint with this SQL name. */
export function isCheckViolation(error: unknown, constraint: string): boolean {
  return error instanceof DatabaseError && error.code === CHECK_VIOLATION && error.constraint === constraint
}

const parsers: Record<number, (text: string) => unknown> = {
  [types.builtins.INT8]: parseSafeInteger,
  // Not a Date: its time zone could move a birthday to the day before.
  [types.builtins.DATE]: (text) => text,
}

const getTypeParser: CustomTypesConfig['getTypeParser'] = (type: number, format?: 'text' | 'binary') =>
  (format !== 'binary' && parsers[type]) || types.getTypeParser(type, format)

function parseSafeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is larger than the largest exact number`)
  return value
}

/**
 * Returns the operand of `=` for a few ids, in a statement that runs often. Postgres expects ten elements of an array. With
 * fewer a custom plan looks cheaper, so that it would plan each execution. The subquery hides the number of ids.
 */
export const anyOf = (ids: readonly string[]) => sql<string>`any((select ${ids}::text[])::text[])`

/** Deadlock and serialization failure. */
const transientCodes = [DEADLOCK_DETECTED, '40001']
const maxAttempts = 4

/**
 * Retries a statement or a whole transaction that Postgres has rolled back: after a deadlock, or with a prepared
 * statement that no longer exists. Lost connections are excluded, because the commit may have succeeded. The work must
 * have no side effects outside the database. Within a transaction it does not retry, because the whole transaction is
 * rolled back.
 */
export async function retryTransient<Result>(
  db: Kysely<Database>,
  work: () => Promise<Result>,
): Promise<Result> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await work()
    } catch (error) {
      const isTransient = transientCodes.some((code) => hasCode(error, code)) || isStaleStatement(error)
      if (!isTransient || db.isTransaction || attempts === maxAttempts) throw error
    }
  }
}

/**
 * Runs a transaction and retries it like `retryTransient`, or joins the caller's transaction. `work` may run again,
 * so it must only use `tx`.
 */
export function inTransaction<Result>(
  db: Kysely<Database>,
  work: (tx: Transaction<Database>) => Promise<Result>,
): Promise<Result> {
  if (db instanceof Transaction) return work(db)
  return retryTransient(db, () => db.transaction().execute(work))
}

/** Returns whether a table exists, given as schema and name: a database that is not migrated has none. */
export async function hasTable(db: Kysely<Database>, table: string): Promise<boolean> {
  const { rows } = await sql<{ exists: boolean }>`
    select to_regclass(${table}) is not null as exists`.execute(db)
  return rows[0]?.exists ?? false
}

/**
 * Waits until the standbys that Postgres waits for have all commits that are visible now: its own commit follows them.
 * It needs a record, because Postgres does not wait for an empty transaction.
 */
export async function confirmCommits(db: Kysely<Database>): Promise<void> {
  await sql`select pg_logical_emit_message(true, 'confirm', '')`.execute(db)
}

/** Returns 24 random hexadecimal characters. The first ones are random too, because screens show a prefix. */
export const newId = (): string => randomBytes(12).toString('hex')
