import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import { collectDefaultMetrics, Registry } from 'prom-client'
import type { Database } from '../db/schema.ts'
import type { Config } from './config/config.ts'
import type { ResponseCache } from './http/cache.ts'
import { buildProbes, type Unready } from './http/health.ts'
import { countRequestsInFlight } from './http/http-metrics.ts'
import { countDueEmails } from './modules/mail/service.ts'
import { countOpenRefunds } from './modules/payments/service.ts'
import type { SuspendablePool } from './platform/database/connection-pool.ts'
import { addPoolGauges } from './platform/database/pool-metrics.ts'
import type { Replicas } from './platform/database/replicas.ts'
import { isDatabaseUnavailable } from './platform/errors.ts'
import { listOpenJobs } from './platform/jobs.ts'
import { addGauge, processMetrics } from './platform/telemetry/metrics.ts'

interface MetricsDeps {
  config: Config
  db: Kysely<Database>
  pools: Record<string, SuspendablePool> & { write: SuspendablePool }
  replicas: Pick<Replicas, 'addGauges'>
  cache: ResponseCache
  /** The job names of this version. */
  jobs: readonly string[]
  findUnready: () => Unready | null
  log: FastifyBaseLogger
}

/** Creates the server of the metrics port: `/metrics` in the text format of Prometheus, and the probes. */
export function buildMetricsServer({
  config,
  db,
  pools,
  replicas,
  cache,
  jobs,
  findUnready,
  log,
}: MetricsDeps) {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  addPoolGauges(registry, pools)
  replicas.addGauges(registry)
  addShopGauges(registry, config, cache)
  addJobGauges(registry, db, jobs)

  const app = buildProbes(log, findUnready, { showsReason: true })
  app.get('/metrics', async (_request, reply) => {
    const texts = await Promise.all([processMetrics.metrics(), registry.metrics()])
    return reply.header('content-type', registry.contentType).send(texts.join('\n'))
  })
  return app
}

const project = path.join(import.meta.dirname, '..')
/** The code that a process runs, with the list of its built pages. */
const code =
  '{package.json,{contract,db,sandboxes,seed,server}/**/*.{ts,sql},build/client/.vite/manifest.json}'

/** Returns a hash of the code. Processes that were started from the same code have the same one. */
function readBuild(): string {
  const hash = createHash('sha256')
  for (const file of globSync(code, { cwd: project }).toSorted()) {
    hash.update(`${file}\0`).update(readFileSync(path.join(project, file)))
  }
  return hash.digest('hex').slice(0, 12)
}

function addShopGauges(registry: Registry, { role }: Config, cache: ResponseCache): void {
  const { version } = JSON.parse(readFileSync(path.join(project, 'package.json'), 'utf8')) as {
    version: string
  }
  // Read now: later the files may belong to another version.
  const build = readBuild()
  addGauge(registry, {
    name: 'shop_build_info',
    help: 'The version of the shop, a hash of its code and the role of the process. Always 1.',
    labelNames: ['version', 'build', 'role'],
    read: () => [{ labels: { version, build, role }, value: 1 }],
  })
  addGauge(registry, {
    name: 'http_requests_in_flight',
    help: 'Requests without a complete response.',
    read: () => [{ value: countRequestsInFlight() }],
  })
  addGauge(registry, {
    name: 'shop_cache_bytes',
    help: 'Estimated memory of cached pages and responses.',
    read: () => [{ value: cache.measureSize() }],
  })
}

/** The gauges of work in the database are the same in all processes: take their maximum. */
function addJobGauges(registry: Registry, db: Kysely<Database>, names: readonly string[]): void {
  async function readDue() {
    const [jobs, emails, refunds] = await Promise.all([
      listOpenJobs(db, names),
      countDueEmails(db),
      countOpenRefunds(db),
    ])
    return [
      ...jobs.map(({ name, seconds, failures }) => ({
        job: name,
        due: seconds > 0 ? 1 : 0,
        seconds,
        failed: failures,
      })),
      { job: 'email', due: emails.count, seconds: emails.seconds, failed: 0 },
      { job: 'refund', due: refunds.due, seconds: refunds.seconds, failed: refunds.failed },
    ]
  }
  // One query for the gauges of a scrape. Without the database they have no values.
  let current: ReturnType<typeof readDue> | undefined
  const read = (value: 'due' | 'seconds' | 'failed') => async () => {
    current ??= readDue().finally(() => (current = undefined))
    const rows = await current.catch((error: unknown) => {
      if (isDatabaseUnavailable(error)) return []
      throw error
    })
    return rows.map((row) => ({ labels: { job_name: row.job }, value: row[value] }))
  }
  const labelNames = ['job_name'] as const
  addGauge(registry, {
    name: 'shop_job_due',
    help: 'Due work: a job that no process runs, emails to send, refunds to request.',
    labelNames,
    read: read('due'),
  })
  addGauge(registry, {
    name: 'shop_job_oldest_due_seconds',
    help: 'Seconds since the oldest work became due.',
    labelNames,
    read: read('seconds'),
  })
  addGauge(registry, {
    name: 'shop_job_failed',
    help: 'Failed runs in a row of a job; refunds that the payment provider has rejected.',
    labelNames,
    read: read('failed'),
  })
}
