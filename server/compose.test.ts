import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { demoAccounts } from '../seed/seed.ts'
import { openTestDatabase, type TestDatabase } from '../tests/database.ts'
import { freePort } from '../tests/free-port.ts'
import { brokenRules } from '../tests/hardening/invariants.ts'
import { testSecret } from '../tests/shop-process.ts'
import { composeShop, type Shop } from './compose.ts'
import { readConfig } from './config/config.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

interface OpenShop extends Shop {
  signIn(email: string, password: string): Promise<number>
}

/** Opens the demo shop on the database of this test file. */
async function open(settings: Record<string, string> = {}): Promise<OpenShop> {
  const port = String(await freePort())
  const config = readConfig({
    PORT: port,
    DATABASE_URL: database.url,
    SHOP_SECRET: testSecret,
    DEMO_PASSWORD: 'demo-password',
    LOG_LEVEL: 'silent',
    ...settings,
  })
  const shop = await composeShop(config, null, pino({ level: 'silent' }))
  const signIn = async (email: string, password: string) => {
    const response = await fetch(`${config.origin}/idp/sign-in/email`, {
      method: 'POST',
      headers: { origin: config.origin, 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    })
    return response.status
  }
  return { ...shop, signIn }
}

test('concurrent starts fill an empty database with the demo shop once', async () => {
  const shops = await Promise.all([open(), open(), open()])
  const count = (table: 'products' | 'orders' | 'reviews' | 'customers') =>
    database.db
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as('rows'))
      .executeTakeFirstOrThrow()
  expect((await count('products')).rows).toBeGreaterThanOrEqual(72)
  expect((await count('reviews')).rows).toBeGreaterThanOrEqual(9)
  expect(await count('customers')).toEqual({ rows: 2 })
  const states = await database.db
    .selectFrom('orders')
    .select('status')
    .distinct()
    .orderBy('status')
    .execute()
  expect(states.map(({ status }) => status)).toEqual(['cancelled', 'paid', 'shipped', 'unpaid'])
  await Promise.all(shops.map((shop) => shop.close()))
})

test('the demo shop follows all rules for stored data, and its gear has sizes', async () => {
  expect(await brokenRules(database.db)).toEqual([])
  const { rows } = await sql<{ options: string; sizes: number }>`
    select options, count(distinct size) as sizes from products join variants on variants.product_id = products.id
    group by options order by options`.execute(database.db)
  expect(rows).toEqual([
    { options: 'none', sizes: 0 },
    { options: 'variants', sizes: 4 },
  ])
})

test('the demo customer has an address, so that checkout is filled in', async () => {
  const saved = database.db.selectFrom('addresses').innerJoin('customers', 'customers.id', 'customer_id')
  const customers = await saved.select(['email', 'city']).execute()
  expect(customers).toEqual([{ email: demoAccounts.rider.email, city: expect.any(String) }])
})

test('the demo accounts have the password of the settings, even after a change', async () => {
  const { admin, rider } = demoAccounts
  const first = await open()
  expect(first.demo?.password).toBe('demo-password')
  expect(await first.signIn(rider.email, 'demo-password')).toBe(204)
  await first.close()

  const changed = await open({ DEMO_PASSWORD: 'named-by-hand' })
  expect(changed.demo?.password).toBe('named-by-hand')
  expect(await changed.signIn(admin.email, 'named-by-hand')).toBe(204)
  expect(await changed.signIn(rider.email, 'demo-password')).toBe(401)
  await changed.close()
})

test('without DEMO the database stays empty', async () => {
  await database.empty()
  const shop = await open({ DEMO: '0' })
  expect(shop.demo).toBeNull()
  expect(await database.db.selectFrom('products').select('id').execute()).toEqual([])
  await shop.close()
})

test('a failed start closes all connections', async () => {
  const name = 'failing-start'
  const url = new URL(database.url)
  url.searchParams.set('application_name', name)
  const config = readConfig({ PORT: '3000', DATABASE_URL: url.href, SHOP_SECRET: testSecret, DEMO: '0' })
  const connections = async () => {
    const { rows } = await sql`select from pg_stat_activity where application_name = ${name}`.execute(
      database.db,
    )
    return rows.length
  }
  const log = pino({ level: 'silent' })
  const unbuilt = () => Promise.reject(new Error('The pages are not built.'))
  await expect(composeShop(config, unbuilt, log)).rejects.toThrow('The pages are not built.')
  await expect.poll(connections).toBe(0)

  const taken = createServer().listen(0, 'localhost')
  await once(taken, 'listening')
  const { port } = taken.address() as AddressInfo
  await expect(composeShop({ ...config, port }, null, log)).rejects.toMatchObject({
    name: 'StartupError',
    message: `Port ${port} is already in use. Stop the other process or set PORT.`,
  })
  await expect.poll(connections).toBe(0)
  taken.close()
})

test.each([
  [
    'a host of another machine',
    { HOST: 'nowhere.invalid' },
    'HOST nowhere.invalid is not an address of this machine',
  ],
  [
    'an unreachable database',
    { DATABASE_URL: 'postgres://me:hidden@127.0.0.1:1/orders' },
    "The database orders at 127.0.0.1:1 can't be reached (connection refused).",
  ],
])('a start with %s fails with a sentence for the operator', async (_name, settings, sentence) => {
  await expect(open(settings)).rejects.toMatchObject({
    name: 'StartupError',
    message: expect.stringContaining(sentence),
  })
})
