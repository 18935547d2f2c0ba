import { createHash } from 'node:crypto'
import type { PostgresPool } from 'kysely'
import { Pool, type PoolClient, type PoolConfig } from 'pg'
import { hasCode } from './errors.ts'

type Connected = (error: Error | undefined, client: PoolClient | undefined, done: () => void) => void

/**
 * A pool that can be suspended while the database does not respond. It then closes its connections in use, because a
 * frozen server would block them forever, and new requests fail immediately.
 */
export class SuspendablePool extends Pool {
  readonly #inUse = new Set<PoolClient>()
  isSuspended = false

  constructor(config: PoolConfig) {
    super(config)
    this.on('acquire', (client) => this.#inUse.add(client))
    this.on('release', (_error, client) => this.#inUse.delete(client))
  }

  suspend(): void {
    this.isSuspended = true
    // Running statements fail now; idle transactions fail at their next statement.
    for (const client of this.#inUse) void waitForEnd(client)
  }

  resume(): void {
    this.isSuspended = false
  }

  override connect(): Promise<PoolClient>
  override connect(connected: Connected): void
  override connect(connected?: Connected): Promise<PoolClient> | undefined {
    if (!this.isSuspended && !connected) return super.connect()
    if (!this.isSuspended && connected) return super.connect(connected) as undefined
    const error = Object.assign(new Error('The database is unavailable.'), { code: CONNECTION_FAILURE })
    if (!connected) return Promise.reject(error)
    connected(error, undefined, () => undefined)
  }
}

const CONNECTION_FAILURE = '08006'

/** The type of a pooled client lacks `end`. */
function waitForEnd(client: PoolClient): Promise<void> {
  const { end } = client as unknown as { end(): Promise<void> }
  return end.call(client).catch(() => undefined)
}

/** Each name takes memory in every connection. Further statements are sent unnamed. */
const MAX_NAMES = 500
const PLAN_NO_LONGER_FITS = '0A000'

/**
 * Returns a pool for Kysely that names statements with parameters, so that each connection parses them only once.
 * Measured: 1.7 to 2.6 times as fast as unnamed statements.
 */
export function withPreparedStatements(pool: Pool): PostgresPool {
  const names = new Map<string, string>()
  const named = new WeakMap<PoolClient, PoolClient>()
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect()
      // Kysely identifies a connection by its client, so each client has one proxy.
      const proxy = named.get(client) ?? nameStatements(client, names)
      named.set(client, proxy)
      return proxy
    },
  }
}

function nameStatements(client: PoolClient, names: Map<string, string>): PoolClient {
  const query = (text: string, values: unknown[]) =>
    values.length === 0 ? client.query(text) : queryNamed(client, names, text, values)
  return withMethod(client, 'query', query)
}

/** Returns the client with another implementation of one method. */
export function withMethod(client: PoolClient, name: keyof PoolClient, method: unknown): PoolClient {
  return new Proxy(client, {
    get(target, key) {
      if (key === name) return method
      const value: unknown = Reflect.get(target, key, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

async function queryNamed(client: PoolClient, names: Map<string, string>, text: string, values: unknown[]) {
  let name = names.get(text)
  if (!name && names.size < MAX_NAMES) {
    name = createHash('sha1').update(text).digest('hex').slice(0, 20)
    names.set(text, name)
  }
  try {
    return await client.query({ name, text, values })
  } catch (error) {
    // A migration has changed the table, so the cached plan is invalid: use another name from now on.
    if (name && hasCode(error, PLAN_NO_LONGER_FITS)) names.set(text, `${name}+`)
    throw error
  }
}
