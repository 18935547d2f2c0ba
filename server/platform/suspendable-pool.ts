import { Pool, type PoolClient, type PoolConfig } from 'pg'

type Connected = (error: Error | undefined, client: PoolClient | undefined, done: () => void) => void

/**
 * A pool that can be told that the database does not answer. It then ends what is in progress, which would wait forever on
 * a frozen server, and refuses what comes at once instead of letting it wait too.
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
    // One that waits for an answer is cut off; whoever holds another is refused at the next statement.
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
    const error = Object.assign(new Error('The database does not answer.'), { code: CONNECTION_FAILURE })
    if (!connected) return Promise.reject(error)
    connected(error, undefined, () => undefined)
  }
}

const CONNECTION_FAILURE = '08006'

/** The types know `end` of a client that no pool has lent. */
function waitForEnd(client: PoolClient): Promise<void> {
  const { end } = client as unknown as { end(): Promise<void> }
  return end.call(client).catch(() => undefined)
}
