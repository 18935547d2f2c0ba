import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { sandboxKeys } from '../../server/compose-payments.ts'
import { type AccessTokens, createAccessTokens } from '../../server/modules/identity/access-token.ts'
import { createDatabase } from '../../server/platform/database.ts'
import { openEmbeddedPostgres } from '../../server/platform/embedded-postgres.ts'
import { type Caller, toCaller } from '../call.ts'
import { openShopProcesses, type ShopProcess } from '../shop-process.ts'
import { ending } from './cleanup.ts'
import { type PostgresUnderTest, postgresIn } from './postgres-under-test.ts'

/** One process of the shop, as `npm start` runs it. */
export interface Process extends Caller, ShopProcess {
  /** Whether it answers that it and its database are well. */
  isReady(): Promise<boolean>
  /** All that it has printed, in its earlier lives too. */
  printed(): string
  /** Kills it at once (-9). */
  kill(): Promise<void>
  /** Starts it again at the same address, after it ended; resolves when it says that it is open. */
  start(): Promise<void>
}

/** A shop that really runs: built, in processes of its own, on a Postgres that these have started themselves. */
export interface ShopUnderTest {
  /** All of them share one database. */
  processes: [Process, ...Process[]]
  databaseUrl: string
  /** Connections of the harness's own, to make what is to be attacked, and to look at what came of it. */
  db: Kysely<Database>
  /** Signs as the shop does; its tokens outlive every check. */
  accessTokens: AccessTokens
  postgres: PostgresUnderTest
  /** The key that a browser shows to the payment sandbox. */
  publishableKey: string
  dataDir: string
}

export interface ShopOptions {
  /** How many processes; 1 if not given. */
  processes?: number
  /** Settings of each, as in README. Without them: no demo shop, payments by the sandbox. */
  settings?: Record<string, string>
}

const tokenSeconds = 4 * 60 * 60
const readyWithinMs = 5_000

/** Starts a shop with an empty database. It is ended, and its data deleted, when the check is over. */
export async function openShopUnderTest({
  processes = 1,
  settings = {},
}: ShopOptions = {}): Promise<ShopUnderTest> {
  const secret = randomBytes(32).toString('hex')
  const shops = openShopProcesses()
  ending.add(shops.remove)
  const all = { DEMO: '0', SHOP_SECRET: secret, LOG_LEVEL: 'error', ...settings }
  const started: Process[] = []
  // One after the other: each is a start that a check does not want to measure.
  for (let count = 0; count < processes; count++) started.push(toProcess(await shops.open(all), shops, all))

  const embedded = await openEmbeddedPostgres({ dataDir: shops.dataDir, database: 'shop' })
  await embedded.stop() // The shops use it, so it stays: none but them brings it back when it is killed.
  const database = createDatabase(embedded.url, { poolSize: 4 })
  ending.add(database.close)
  return {
    processes: started as [Process, ...Process[]],
    databaseUrl: embedded.url,
    db: database.db,
    accessTokens: createAccessTokens({ secret, ttlSeconds: tokenSeconds }),
    postgres: postgresIn(embedded.folder),
    publishableKey: sandboxKeys(secret).publishableKey,
    dataDir: shops.dataDir,
  }
}

function toProcess(
  first: ShopProcess,
  shops: ReturnType<typeof openShopProcesses>,
  settings: Record<string, string>,
): Process {
  const { origin } = first
  let { child } = first
  let printedBefore = ''
  return {
    origin,
    ...toCaller(origin),
    get child() {
      return child
    },
    async isReady() {
      const signal = AbortSignal.timeout(readyWithinMs)
      return fetch(`${origin}/readyz`, { signal }).then(
        async (response) => (await response.text()) !== '' && response.ok,
        () => false,
      )
    },
    printed: () => printedBefore + child.printed(),
    kill: () => child.kill(),
    async start() {
      printedBefore += `${child.printed()}\n`
      ;({ child } = await shops.open({ ...settings, PORT: new URL(origin).port }))
    },
  }
}

/** Waits until it holds; answers after how many milliseconds. @throws where it does not within so many */
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

/** What the shop has logged as its own faults: errors that no one foresaw, each once. */
export function unforeseen({ processes }: ShopUnderTest): string[] {
  const lines = processes.flatMap((process) => process.printed().split('\n'))
  return [...new Set(lines.filter((line) => line.includes('nobody foresaw')).map(findFault))]
}

function findFault(line: string): string {
  const { err } = JSON.parse(line) as { err?: { message?: string; code?: string; stack?: string } }
  return `the shop met an error that nobody foresaw: ${err?.code ?? ''} ${err?.stack ?? err?.message}`
}
