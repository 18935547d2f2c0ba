import { type Selectable, sql } from 'kysely'
import { Stripe } from 'stripe'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { openSandboxListener, type SandboxListener } from '../sandboxes/stripe/listener.ts'
import { openPaymentSandbox, type PaymentSandbox, type SandboxSettings } from '../sandboxes/stripe/sandbox.ts'
import type { SandboxTables } from '../sandboxes/stripe/tables.ts'
import { openTestDatabase, type TestDatabase } from './database.ts'
import { openWebhookInbox, type WebhookInbox } from './webhook-inbox.ts'

export const TEST_KEYS = {
  secretKey: 'sk_test_of_the_tests',
  publishableKey: 'pk_test_of_the_tests',
  webhookSecret: 'whsec_of_the_tests',
}

type TestTable = 'charges' | 'events' | 'payment_intents'

/** A sandbox with its webhook inbox and SDK, new for each test. */
export interface TestSandbox {
  database: TestDatabase
  inbox: WebhookInbox
  sandbox: PaymentSandbox
  listener: SandboxListener
  /** The real SDK, as the shop's server uses it. */
  stripe: Stripe
  /** Returns all rows of a table, oldest first. */
  rows<Table extends TestTable>(table: Table): Promise<Selectable<SandboxTables[Table]>[]>
  /** Closes the sandbox, and opens it again on the same database with a new inbox. */
  restart(whileStopped?: () => Promise<unknown>): Promise<void>
}

/** Call at the top of a test file. A test fails if the sandbox logged an error. */
export function useTestSandbox(): TestSandbox {
  let database: TestDatabase | undefined
  let opened: Awaited<ReturnType<typeof openAll>> | undefined

  beforeAll(async () => {
    database = await openTestDatabase()
  })
  beforeEach(async () => {
    await requireOpen(database).empty()
    opened = await openAll(requireOpen(database).url)
  })
  afterEach(() => opened?.close())
  afterAll(() => database?.close())

  return {
    get database() {
      return requireOpen(database)
    },
    get inbox() {
      return requireOpen(opened).inbox
    },
    get sandbox() {
      return requireOpen(opened).sandbox
    },
    get listener() {
      return requireOpen(opened).listener
    },
    get stripe() {
      return requireOpen(opened).stripe
    },
    async rows<Table extends TestTable>(table: Table) {
      const { rows } = await sql<Selectable<SandboxTables[Table]>>`
        select * from sandbox.${sql.id(table)} order by created_at`.execute(requireOpen(database).db)
      return rows
    },
    async restart(whileStopped) {
      await requireOpen(opened).close()
      await whileStopped?.()
      opened = await openAll(requireOpen(database).url)
    },
  }
}

async function openAll(databaseUrl: string) {
  const errors: string[] = []
  const inbox = await openWebhookInbox()
  const settings = testSettings(databaseUrl, inbox.url)
  settings.log.error = (_details, message) => void errors.push(message)
  const sandbox = openPaymentSandbox(settings)
  const listener = await openSandboxListener(sandbox)
  return {
    inbox,
    sandbox,
    listener,
    stripe: stripeAt(listener, TEST_KEYS.secretKey),
    async close() {
      await listener.close()
      await sandbox.close()
      await inbox.close()
      if (errors.length > 0) throw new Error(`The sandbox logged errors:\n${errors.join('\n')}`)
    },
  }
}

/** Sandbox settings: immediate webhook retries and no log output. */
export function testSettings(databaseUrl: string, webhookUrl: string): SandboxSettings {
  return {
    databaseUrl,
    secretKey: TEST_KEYS.secretKey,
    publishableKey: TEST_KEYS.publishableKey,
    webhook: { url: webhookUrl, secret: TEST_KEYS.webhookSecret, retryDelayMs: () => 10 },
    log: { warn: () => undefined, error: () => undefined },
  }
}

/** Returns an SDK with this key and without retries, so that errors appear immediately. */
export function stripeAt({ host, port, protocol }: SandboxListener, key: string): Stripe {
  return new Stripe(key, { host, port, protocol, maxNetworkRetries: 0, telemetry: false })
}

export interface BrowserResponse {
  status: number
  body: Record<string, unknown> & { error?: { code?: string; message: string; param?: string } }
}

/** Calls the API like a browser: form-encoded, with the publishable key. */
export async function asBrowser(
  { host, port }: SandboxListener,
  method: 'GET' | 'POST',
  path: string,
  params: Record<string, string>,
): Promise<BrowserResponse> {
  const form = new URLSearchParams({ key: TEST_KEYS.publishableKey, ...params })
  const url = `http://${host}:${port}/v1${path}`
  const sent = method === 'GET' ? fetch(`${url}?${form}`) : fetch(url, { method: 'POST', body: form })
  const response = await sent
  const body: BrowserResponse['body'] = await response.json()
  return { status: response.status, body }
}

/** Returns the error of a rejected call. */
export async function toFailure(call: Promise<unknown>): Promise<unknown> {
  try {
    await call
  } catch (error) {
    return error
  }
  throw new Error('The call should have been rejected')
}

function requireOpen<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('The test sandbox is only open during a test')
  return value
}
