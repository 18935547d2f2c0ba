import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { sandboxKeys } from '../../server/compose-payments.ts'
import { type AccessTokens, createAccessTokens } from '../../server/modules/identity/access-token.ts'
import { createDatabase } from '../../server/platform/database/database.ts'
import { openEmbeddedPostgres } from '../../server/platform/embedded-postgres/embedded-postgres.ts'
import { type Caller, toCaller } from '../call.ts'
import { fillDataFolder } from '../copied-data.ts'
import { openShopProcesses, project, type ShopProcess, type ShopProcesses } from '../shop-process.ts'
import { cleanup } from './cleanup.ts'
import { brokenRules } from './invariants.ts'
import { type PostgresUnderTest, postgresIn } from './postgres-under-test.ts'

/** One process of the shop, as `npm start` runs it. */
export interface Process extends Caller, ShopProcess {
  /** Whether `/readyz` and, except of a worker, a call that reads the database respond 2xx in time. */
  isReady(): Promise<boolean>
  /** Returns the output of all its runs. */
  printed(): string
  /** Kills it with SIGKILL. */
  kill(): Promise<void>
  /** Restarts it on the same port after its end. Resolves when it accepts requests. */
  start(): Promise<void>
}

/** The built shop in separate processes. */
export interface ShopUnderTest {
  /** All of them share one database. */
  processes: [Process, ...Process[]]
  databaseUrl: string
  /** Connections of the harness, to create test data and to check the results. */
  db: Kysely<Database>
  /** Signs with the secret of the shop. Its tokens are valid for longer than a check runs. */
  accessTokens: AccessTokens
  /** The key with which a browser calls the payment sandbox. */
  publishableKey: string
}

/** A shop on an embedded Postgres, which its processes have started and restart. */
export interface EmbeddedShopUnderTest extends ShopUnderTest {
  postgres: PostgresUnderTest
  dataDir: string
}

export interface ShopOptions {
  /** Number of processes; default 1, or one for each element of `each`. */
  processes?: number
  /** Settings of all processes, as in docs/operations.md. By default without demo data, with the payment sandbox. */
  settings?: Record<string, string>
  /** More settings of each process. */
  each?: readonly Record<string, string>[]
  /** Whether all payments are settled when the check ends, so that the rules about the provider hold too. */
  isSettled?: boolean
}

const tokenSeconds = 4 * 60 * 60
const readyWithinMs = 5_000

/** Starts a shop with an empty database. `cleanup` stops it and deletes its data. */
export async function openShopUnderTest({
  processes = 1,
  settings = {},
  each = Array.from({ length: processes }, () => ({})),
  isSettled,
}: ShopOptions = {}): Promise<EmbeddedShopUnderTest> {
  const shops = openShopProcesses()
  cleanup.add(shops.remove)
  const dataDir = settings.DATA_DIR ?? shops.dataDir
  await fillDataFolder(dataDir)
  const started = await startProcesses(
    shops,
    each.map((more) => ({ ...settings, ...more })),
  )
  const embedded = await openEmbeddedPostgres({ dataDir, database: 'shop' })
  await embedded.stop() // Detach: the server keeps running for the shop, which alone restarts it after a kill.
  return {
    ...started,
    databaseUrl: embedded.url,
    db: connect(embedded.url, isSettled),
    postgres: postgresIn(embedded.folder),
    dataDir,
  }
}

/**
 * Starts a shop on a running, empty database. `cleanup` stops it.
 *
 * @param settings of each process
 */
export async function openShopOn(
  databaseUrl: string,
  settings: readonly Record<string, string>[],
): Promise<ShopUnderTest> {
  const shops = openShopProcesses()
  cleanup.add(shops.remove)
  const started = await startProcesses(
    shops,
    settings.map((each) => ({ DATABASE_URL: databaseUrl, ...each })),
  )
  return { ...started, databaseUrl, db: connect(databaseUrl) }
}

/** A workload orders and pays more per account or network than a shop allows, and ends soon after its last shipment. */
const workloadSettings = {
  UNPAID_ORDERS_PER_CUSTOMER: '1000000',
  GUEST_ORDERS_PER_NETWORK: '1000000',
  PAYMENT_CALLS_PER_NETWORK: '1000000',
  SHIPPING_UNDO_SECONDS: '1',
}

async function startProcesses(shops: ShopProcesses, settings: readonly Record<string, string>[]) {
  const secret = settings[0]?.SHOP_SECRET ?? randomBytes(32).toString('hex')
  const start = async (more: Record<string, string> = {}) => {
    const all = { DEMO: '0', SHOP_SECRET: secret, LOG_LEVEL: 'error', ...workloadSettings, ...more }
    return toProcess(await shops.open(all), shops, all)
  }
  const [first, ...others] = settings
  // The first one migrates the database.
  const processes: [Process, ...Process[]] = [await start(first), ...(await Promise.all(others.map(start)))]
  return {
    processes,
    accessTokens: createAccessTokens({ secrets: [secret], ttlSeconds: tokenSeconds }),
    publishableKey: sandboxKeys(secret).publishableKey,
  }
}

/** Connects to the database of a shop. After the check, the harness verifies its rules. */
export function connect(url: string, isSettled = false): Kysely<Database> {
  const { db, close } = createDatabase(url, { poolSize: 4 })
  cleanup.add(close)
  cleanup.addVerification(() => brokenRules(db, { isSettled }))
  return db
}

/**
 * Starts another process of a shop.
 *
 * @param folder of the version that it runs
 */
export async function openProcess(settings: Record<string, string>, folder = project): Promise<Process> {
  const shops = openShopProcesses(folder)
  cleanup.add(shops.remove)
  const all = { DEMO: '0', LOG_LEVEL: 'error', ...workloadSettings, ...settings }
  return toProcess(await shops.open(all), shops, all)
}

/** Adds restarts to a started process. After the check, the harness looks for unexpected errors in its log. */
export function toProcess(
  first: ShopProcess,
  shops: ReturnType<typeof openShopProcesses>,
  settings: Record<string, string>,
): Process {
  const { origin } = first
  let { child } = first
  let printedBefore = ''
  const printed = () => printedBefore + child.printed()
  cleanup.addVerification(async () => findUnexpectedErrors(printed()))
  return {
    origin,
    ...toCaller(origin),
    get child() {
      return child
    },
    async isReady() {
      const signal = AbortSignal.timeout(readyWithinMs)
      // A response to a caller with a token is never cached.
      const headers = { authorization: 'Bearer none' }
      const isOk = (path: string) =>
        fetch(origin + path, { headers, signal }).then(
          async (response) => (await response.text()) !== '' && response.ok,
          () => false,
        )
      const paths = settings.ROLE === 'worker' ? ['/readyz'] : ['/readyz', '/api/reviews']
      return (await Promise.all(paths.map(isOk))).every(Boolean)
    },
    printed,
    kill: () => child.kill(),
    async start() {
      printedBefore += `${child.printed()}\n`
      ;({ child } = await shops.open({ ...settings, PORT: new URL(origin).port }))
    },
  }
}

/** Polls until the condition holds and returns the milliseconds. @throws after `withinMs` */
export async function untilTrue(
  holds: () => Promise<boolean>,
  withinMs: number,
  what: string,
): Promise<number> {
  const began = performance.now()
  while (!(await holds())) {
    if (performance.now() - began > withinMs) throw new Error(`${what} took more than ${withinMs} ms`)
    await delay(20)
  }
  return performance.now() - began
}

/** Returns the unexpected errors in a log. Needs the log level `error` or lower. */
function findUnexpectedErrors(log: string): string[] {
  const lines = log.split('\n')
  return lines.filter((line) => line.includes('"unexpected error"')).map(toViolation)
}

function toViolation(line: string): string {
  const { err } = JSON.parse(line) as { err?: { message?: string; code?: string; stack?: string } }
  return `the shop logged an unexpected error: ${err?.code ?? ''} ${err?.stack ?? err?.message}`
}
