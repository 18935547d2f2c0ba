import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import { type ClientBase, DatabaseError } from 'pg'
import type { Registry } from 'prom-client'
import type { Database } from '../../../db/schema.ts'
import { ShopError, toReason } from '../errors.ts'
import { addGauge, createCounter } from '../telemetry/metrics.ts'
import { CONNECTION_FAILURE, failure, type SuspendablePool } from './connection-pool.ts'
import type { OpenDatabase } from './database.ts'
import { inTime, openHeartbeat } from './heartbeat.ts'

/** The data of a public page may lack commits made up to this time before its queries. */
const maxLagMs = 1_000
/** One minute of heartbeats. After a longer lag, its duration is known again when the replica has caught up to this. */
const maxSamples = 240
const notStandby = 'it is not a standby'

/** Runs the queries of a page or of a cached call, all of them on one server. `work` may run twice. */
export type PublicReads = <Result>(
  /** The data must contain all earlier commits: for clients with a token or a recent change. */
  fresh: boolean,
  work: (db: Kysely<Database>) => Promise<Result>,
) => Promise<Result>

export type Replicas = Awaited<ReturnType<typeof openReplicas>>

interface Replica extends OpenDatabase {
  /** Host and port. */
  name: string
  /** Why it is not used; null if it responds as it should, undefined before the first heartbeat. */
  problem: string | null | undefined
  /** The server of the last heartbeat. */
  server: string | null
  /** Another server, to which a connection of the pool has led since the last heartbeat. */
  otherServer: string | null
  hasSeveralServers: boolean
  /** Position in the WAL that was replayed at the last heartbeat; null if unknown. */
  position: number | null
  /** Whether the primary was later found at or after `position`. A replica that was ahead of it follows another server. */
  followsPrimary: boolean | null
  /** Its data contain all commits of the primary before this time, from `performance.now()`. */
  freshAt: number
}

const sources = createCounter({
  name: 'shop_public_reads_total',
  help: 'Pages and cached calls whose data were read for visitors without a token. One that fails on a replica counts for the primary too.',
  labelNames: ['source'],
})

interface ReplicaOptions {
  urls: readonly string[]
  /** @param verify checks each new connection of the pool */
  openPool: (url: string, verify: (client: ClientBase) => Promise<void>) => OpenDatabase
  primary: Kysely<Database>
  log: Pick<FastifyBaseLogger, 'warn'>
}

/**
 * Opens the replicas, which serve public reads while they are at most a second behind the primary. Their lag is measured
 * without writes: at each heartbeat of the primary its position in the WAL is recorded with the time, and a replica
 * contains all commits before the newest record that it has replayed.
 */
export async function openReplicas({ urls, openPool, primary, log }: ReplicaOptions) {
  /** Positions of the primary in the WAL, and the times at which they were requested. */
  let samples: { sentAt: number; position: number }[] = []
  let cluster: string | null = null
  /** Why the position of the primary is unknown; null if it is known. */
  let sampleProblem: string | null = null
  let next = 0

  const replicas = urls.map((url): Replica => {
    const { hostname, port } = new URL(url)
    const replica: Replica = {
      ...openPool(url, (client) => verify(replica, client)),
      name: `${hostname}:${port || 5432}`,
      problem: undefined,
      server: null,
      otherServer: null,
      hasSeveralServers: false,
      position: null,
      ...unknownLag,
    }
    return replica
  })

  /** The check of the lag and the reads must reach the same server. */
  async function verify(replica: Replica, client: ClientBase): Promise<void> {
    const { server } = await inTime(askServer(client))
    if (server === replica.server) return
    // It was restarted, or the address leads to several servers. The next heartbeat shows which.
    replica.otherServer = server
    throw failure(CONNECTION_FAILURE, 'The connection leads to another server than before.')
  }

  function findProblem(replica: Replica, state: ServerState): string | null {
    if (replica.otherServer !== null) replica.hasSeveralServers ||= replica.otherServer !== state.server
    replica.otherServer = null
    if (replica.hasSeveralServers) return 'its address leads to several servers'
    if (cluster !== null && state.cluster !== cluster) return 'it belongs to another cluster'
    return state.isStandby ? null : notStandby
  }

  function observe(replica: Replica, state: ServerState): void {
    const problem = findProblem(replica, state)
    if (problem) return suspend(replica, problem)
    if (replica.server !== state.server) {
      forgetPosition(replica)
      // The connections of the pool lead to the previous server.
      if (replica.server !== null) replica.pool.suspend()
      replica.server = state.server
    }
    replica.position = state.position
    const replayed = samples.findLast(({ position }) => position <= state.position)
    replica.freshAt = Math.max(replica.freshAt, replayed?.sentAt ?? -Infinity)
    replica.pool.resume()
    if (replica.problem) log.warn(`The replica ${replica.name} is available again.`)
    replica.problem = null
  }

  function suspend(replica: Replica, problem: string): void {
    if (replica.problem !== problem) log.warn(`The replica ${replica.name} is not used (${problem}).`)
    replica.problem = problem
    forgetPosition(replica)
    replica.pool.suspend()
  }

  function isUsable({ problem, followsPrimary, freshAt }: Replica): boolean {
    return problem === null && followsPrimary === true && performance.now() - freshAt <= maxLagMs
  }

  /** Returns the usable replicas in turn. */
  function choose(): Replica | undefined {
    const turn = next++ % (replicas.length || 1)
    return [...replicas.slice(turn), ...replicas.slice(0, turn)].find(isUsable)
  }

  const read: PublicReads = async (fresh, work) => {
    const replica = fresh ? undefined : choose()
    if (replica) {
      sources.inc({ source: 'replica' })
      try {
        return await work(replica.db)
      } catch (error) {
        if (error instanceof ShopError) throw error
        // The connection is lost, replay has cancelled the query, or the last migration is not replayed yet.
        log.warn({ reason: toReason(error), replica: replica.name }, 'repeating a read on the primary')
      }
    }
    if (!fresh) sources.inc({ source: 'primary' })
    return work(primary)
  }

  function forgetSamples(): void {
    samples = []
    for (const replica of replicas) Object.assign(replica, unknownLag)
  }

  /** Records the position of the primary. A new connection may lead to another primary. */
  async function sample(client: ClientBase, isNewConnection: boolean): Promise<void> {
    if (isNewConnection) forgetSamples()
    const known = replicas.map(({ position }) => position)
    const sentAt = performance.now()
    const state = await askServer(client)
    if (state.position < (samples.at(-1)?.position ?? 0)) forgetSamples()
    cluster = state.cluster
    samples.push({ sentAt, position: state.position })
    if (samples.length > maxSamples) samples.shift()
    replicas.forEach((replica, index) => {
      const before = known[index] ?? null
      if (before !== null && replica.position !== null && replica.followsPrimary !== false)
        replica.followsPrimary = before <= state.position
    })
  }

  const heartbeats = await Promise.all(
    urls.map((url, index) => {
      const replica = replicas[index] as Replica
      return openHeartbeat(url, {
        ask: async (client) => observe(replica, await askServer(client)),
        onUp: () => undefined,
        onDown: (error) => suspend(replica, toReason(error)),
      })
    }),
  )

  return {
    read,
    /** Public reads may lack the commits of this time. */
    maxLagMs: replicas.length > 0 ? maxLagMs : 0,
    /** Must be called at each heartbeat of the primary. */
    async onHeartbeat(client: ClientBase, isNewConnection: boolean): Promise<void> {
      if (replicas.length === 0) return
      try {
        await sample(client, isNewConnection)
        sampleProblem = null
      } catch (error) {
        // The primary is up, even if its role may not ask for the position.
        if (!(error instanceof DatabaseError)) throw error
        if (sampleProblem !== error.message)
          log.warn({ reason: error.message }, 'The replicas are not used: their lag cannot be measured.')
        sampleProblem = error.message
      }
    },
    pools: Object.fromEntries(
      replicas.map(({ name, pool }): [string, SuspendablePool] => [`replica ${name}`, pool]),
    ),
    addGauges(registry: Registry): void {
      addGauge(registry, {
        name: 'shop_replica_lag_seconds',
        help: 'Maximum age of the data of a replica: all commits before are replayed. Missing until it is known.',
        labelNames: ['replica'],
        read: () =>
          replicas
            .filter(({ freshAt }) => freshAt > 0)
            .map(({ name, freshAt }) => ({
              labels: { replica: name },
              value: (performance.now() - freshAt) / 1000,
            })),
      })
      addGauge(registry, {
        name: 'shop_replica_usable',
        help: '1 if public reads may use the replica. Missing for a server that is not a standby.',
        labelNames: ['replica'],
        read: () =>
          replicas
            .filter(({ problem }) => problem !== notStandby)
            .map((replica) => ({ labels: { replica: replica.name }, value: isUsable(replica) ? 1 : 0 })),
      })
    },
    async close(): Promise<void> {
      await Promise.all(heartbeats.map(({ close }) => close()))
    },
  }
}

const unknownLag = { followsPrimary: null, freshAt: -Infinity } satisfies Partial<Replica>

function forgetPosition(replica: Replica): void {
  Object.assign(replica, unknownLag, { position: null })
}

interface ServerState {
  isStandby: boolean
  /** Bytes of WAL, exact up to 8 PiB: replayed by a standby, written by a primary. */
  position: number
  cluster: string
  /**
   * Differs between servers, and after a restart. If two servers behind translated addresses have the same address,
   * the start time differs.
   */
  server: string
}

async function askServer(client: ClientBase): Promise<ServerState> {
  const { rows } = await client.query<ServerState>(`
    select pg_is_in_recovery() as "isStandby",
      pg_wal_lsn_diff(
        case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end, '0/0'
      )::float8 as position,
      system_identifier::text as cluster,
      concat_ws(' ', inet_server_addr(), inet_server_port(), extract(epoch from pg_postmaster_start_time())) as server
    from pg_control_system()`)
  const [state] = rows
  if (!state) throw new Error('the server has no state')
  return state
}
