import { Kysely, PostgresDialect } from 'kysely'
import { Pool } from 'pg'
import type { FailureLog } from '../../server/platform/errors.ts'
import { hourMs, type RunningJob, startJob } from '../../server/platform/jobs.ts'
import type { Caller } from './call.ts'
import { deleteOldKeys } from './idempotency.ts'
import type { SandboxDb, SandboxTables } from './tables.ts'
import type { WebhookEndpoint } from './webhook.ts'
import { createWebhookJob } from './webhook-sender.ts'

export interface SandboxSettings {
  /** The shop's database. The sandbox uses only its schema `sandbox`. */
  databaseUrl: string
  /** Starts with `sk_test_`. */
  secretKey: string
  /** Starts with `pk_test_`. */
  publishableKey: string
  /** Null: this process sends no webhooks. */
  webhook: WebhookEndpoint | null
  log: FailureLog
}

/** Our own card payment provider, which moves no money. */
export interface PaymentSandbox {
  db: SandboxDb
  keys: Record<Caller, string>
  /** Sends webhooks. Wake it after a change. */
  webhookSender: RunningJob | null
  log: FailureLog
  /** Stops the jobs and closes the database pool. Close the servers of the sandbox first. */
  close(): Promise<void>
}

const CONNECTIONS = 5

/**
 * Opens the sandbox's database and starts its jobs. Any number of processes may share one database.
 * @throws Error if a key is not a test key: the sandbox must never get a live key
 */
export function openPaymentSandbox(settings: SandboxSettings): PaymentSandbox {
  requirePrefix('secret key', settings.secretKey, 'sk_test_')
  requirePrefix('publishable key', settings.publishableKey, 'pk_test_')
  if (settings.webhook) requirePrefix('webhook secret', settings.webhook.secret, 'whsec_')
  const db = openDatabase(settings)
  const { webhook: endpoint, log } = settings
  const webhookSender = endpoint && startJob(createWebhookJob({ db, endpoint, log }), log)
  const deleting = startJob(
    { name: 'delete old idempotency keys', intervalMs: hourMs, run: () => deleteOldKeys(db) },
    settings.log,
  )
  return {
    db,
    keys: { secret: settings.secretKey, publishable: settings.publishableKey },
    webhookSender,
    log: settings.log,
    async close() {
      await Promise.all([webhookSender?.stop(), deleting.stop()])
      await db.destroy()
    },
  }
}

/**
 * Uses its own pool to avoid a deadlock: the shop may call the provider while its transactions hold all connections
 * of the shop's pool.
 */
function openDatabase(settings: SandboxSettings): SandboxDb {
  const pool = new Pool({
    connectionString: settings.databaseUrl,
    max: CONNECTIONS,
    allowExitOnIdle: true,
  })
  pool.on('connect', (client) => client.on('error', () => undefined))
  pool.on('error', ({ message }) => {
    if (!pool.ending) settings.log.warn({ reason: message }, 'payment sandbox lost a database connection')
  })
  return new Kysely<SandboxTables>({ dialect: new PostgresDialect({ pool }) }).withSchema('sandbox')
}

function requirePrefix(name: string, value: string, prefix: string): void {
  if (value.startsWith(prefix) && value.length > prefix.length) return
  throw new Error(`The payment sandbox needs a ${name} that starts with ${prefix}`)
}
