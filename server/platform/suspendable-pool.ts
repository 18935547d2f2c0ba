import { Pool, type PoolClient, type PoolConfig } from 'pg'

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
