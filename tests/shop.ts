import type { DestinationStream } from 'pino'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { errors } from '../contract/errors.ts'
import { composeShop, type Shop } from '../server/compose.ts'
import { type Config, readConfig } from '../server/config/config.ts'
import { openLog } from '../server/platform/telemetry/log.ts'
import { type Caller, toCaller } from './call.ts'
import { openTestDatabase, type TestDatabase } from './database.ts'
import type { TestCustomer } from './factories.ts'
import { freePort } from './free-port.ts'
import { brokenRules } from './hardening/invariants.ts'
import { testSecret } from './shop-process.ts'

export interface TestShop
  extends Caller,
    Pick<Shop, 'app' | 'accessTokens' | 'payments' | 'settings' | 'startJobs'> {
  database: TestDatabase
  db: TestDatabase['db']
  config: Config
  close(): Promise<void>
}

/** Open shops with the default settings that no test file uses now. The files of a worker run one after another. */
const idleShops: TestShop[] = []

/**
 * Opens a real shop on a real Postgres and a free port, with the payment sandbox and without pages. Without settings it
 * may be the emptied shop of an earlier file. A file that changes more than rows opens its own shop.
 */
export async function openTestShop(...settings: Parameters<typeof openOwnShop>): Promise<TestShop> {
  if (settings.length > 0) return openOwnShop(...settings)
  const shop = idleShops.pop() ?? (await openOwnShop())
  await shop.database.empty()
  return {
    ...shop,
    async close() {
      idleShops.push(shop)
    },
  }
}

/** Opens the shop of a test file, and empties its database before each test. Call it at the top of the file. */
export function useTestShop(...settings: Parameters<typeof openTestShop>): TestShop {
  const shop = {} as TestShop
  beforeAll(async () => void Object.assign(shop, await openTestShop(...settings)))
  beforeEach(() => shop.database.empty())
  afterAll(() => shop.close())
  return shop
}

/** Creates a customer or an admin before each test. Call it below `useTestShop`, which empties the database first. */
export function useCustomer(create: () => Promise<TestCustomer>): TestCustomer {
  const customer = {} as TestCustomer
  beforeEach(async () => void Object.assign(customer, await create()))
  return customer
}

/** @param destination receives the log */
export async function openOwnShop(
  changes: Partial<Config> = {},
  destination?: DestinationStream,
): Promise<TestShop> {
  const database = await openTestDatabase({ poolSize: 4 })
  const port = await freePort()
  const environment = {
    PORT: String(port),
    DATABASE_URL: database.url,
    SHOP_SECRET: testSecret,
    DEMO: '0',
    // Tests read their own writes immediately.
    CACHE_SECONDS: '0',
    // Emails about shipments are sent immediately.
    SHIPPING_UNDO_SECONDS: '0',
    LOG_LEVEL: 'silent',
  }
  const config = { ...readConfig(environment), ...changes }
  const shop = await composeShop(config, null, openLog(config.logLevel, destination))

  return {
    ...shop,
    ...toCaller(config.origin),
    database,
    config,
    async close() {
      await shop.close()
      await database.close()
    },
  }
}

/** Returns the expected error response. */
export function refused(code: keyof typeof errors, more: object = {}) {
  const { status, message } = errors[code]
  return { status, body: { code, message, ...more } }
}

/**
 * Expects that no rule is broken, including the rules for settled payments. Postgres has checked the foreign keys: only
 * a restore or a migration can bypass them.
 */
export const expectConsistent = async (db: TestShop['db']) =>
  expect(await brokenRules(db, { isSettled: true, trustsKeys: true })).toEqual([])
