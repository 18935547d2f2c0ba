import type { Registry } from 'prom-client'
import { toReason } from '../errors.ts'
import { responseTimeoutMs } from '../http/response-timeout.ts'
import { addGauge, createCounter, createHistogram } from '../telemetry/metrics.ts'
import { withStatementSpan } from '../telemetry/tracing.ts'
import type { SuspendablePool } from './connection-pool.ts'

const queryDurations = createHistogram({
  name: 'shop_db_query_duration_seconds',
  help: 'Duration of statements, without the wait for a connection.',
  labelNames: ['pool'],
  buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15],
})
const queryErrors = createCounter({
  name: 'shop_db_errors_total',
  help: 'Statements that failed, by SQLSTATE or error code; other if there is none.',
  labelNames: ['sqlstate'],
})

/** Adds gauges for the connections of these pools. `write` leads to the primary. */
export function addPoolGauges(
  registry: Registry,
  pools: Record<string, SuspendablePool> & { write: SuspendablePool },
): void {
  const all = Object.entries(pools)
  addGauge(registry, {
    name: 'shop_db_available',
    help: '1 if the database responds to heartbeats.',
    read: () => [{ value: pools.write.isSuspended ? 0 : 1 }],
  })
  addGauge(registry, {
    name: 'shop_db_connections',
    help: 'Open connections of each pool.',
    labelNames: ['pool', 'state'],
    read: () =>
      all.flatMap(([pool, { totalCount, idleCount }]) => [
        { labels: { pool, state: 'idle' }, value: idleCount },
        { labels: { pool, state: 'active' }, value: totalCount - idleCount },
      ]),
  })
  addGauge(registry, {
    name: 'shop_db_statements_late',
    help: 'Statements without a response for 1.5 seconds: commits that wait for a standby, or long work such as an import.',
    labelNames: ['pool'],
    read: () =>
      all.map(([pool, connections]) => ({
        labels: { pool },
        value: connections.countLate(responseTimeoutMs),
      })),
  })
  addGauge(registry, {
    name: 'shop_db_waiting',
    help: 'Work that waits for a connection of the pool.',
    labelNames: ['pool'],
    read: () => all.map(([pool, { waitingCount }]) => ({ labels: { pool }, value: waitingCount })),
  })
}

const errorCode = /^[0-9A-Z]{5}$|^E[A-Z]+$/

/** Measures and traces the statements of all further connections of a pool. */
export function measureStatements(connections: SuspendablePool, pool: string): void {
  connections.on('connect', (client) => {
    const query = client.query.bind(client)
    Object.assign(client, {
      query(...call: unknown[]) {
        const [text, , callback] = call
        // Streams and queries with a callback are not measured.
        if (typeof text !== 'string' || callback) return Reflect.apply(query, client, call)
        const run = () => measure(Reflect.apply(query, client, call) as Promise<unknown>, pool)
        return withStatementSpan(text, pool, run)
      },
    })
  })
}

async function measure(result: Promise<unknown>, pool: string): Promise<unknown> {
  const stopTimer = queryDurations.startTimer({ pool })
  try {
    return await result
  } catch (error) {
    const reason = toReason(error)
    queryErrors.inc({ sqlstate: errorCode.test(reason) ? reason : 'other' })
    throw error
  } finally {
    stopTimer()
  }
}
