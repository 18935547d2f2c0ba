import { setTimeout as delay } from 'node:timers/promises'
import Fastify from 'fastify'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase, waitUntilBlocking } from '../../../tests/database.ts'
import { aCustomer, aProduct } from '../../../tests/factories.ts'
import { openTestShop, type TestShop } from '../../../tests/shop.ts'
import { countDatabaseTime, limitDatabaseTime, limitResponseTime } from './response-timeout.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await openTestDatabase({ poolSize: 1 })
})
// A late statement has the only connection until it ends.
afterEach(() => database.pool.query('select 1'))
afterAll(() => database.close())

test('the wait for a connection counts, and while all statements are late no other is accepted', async () => {
  const pool = limitResponseTime(database.pool)
  const before = database.pool.query('select pg_sleep(0.7)')
  const client = await pool.connect()
  await expect(client.query('select pg_sleep(1.4)', [])).rejects.toMatchObject({ code: '40003' })
  await expect(client.query('select 1', [])).rejects.toMatchObject({ code: '40003' })
  client.release()
  await expect(pool.connect()).rejects.toMatchObject({ code: '08006' })
  await before
})

/** Runs this as the handler of a request. */
async function request(handle: () => Promise<unknown>): Promise<void> {
  const app = Fastify()
  limitDatabaseTime(app)
  app.get('/', handle)
  const { statusCode, body } = await app.inject('/')
  if (statusCode !== 200) throw new Error(body)
}

test('all connections of a request share one limit', async () => {
  const pool = limitResponseTime(database.pool)
  async function run(statement: string): Promise<void> {
    const client = await pool.connect()
    await client.query(statement, []).finally(() => client.release())
  }
  await request(async () => {
    await expect(run('select pg_sleep(3)')).rejects.toMatchObject({ code: '40003' })
    await database.pool.query('select 1')
    await expect(run('select 1')).rejects.toMatchObject({ code: '08006' })
  })
  await request(() => run('select 1'))

  // Statements that are in time count too.
  await request(async () => {
    await run('select pg_sleep(0.4)')
    countDatabaseTime(1_200)
    await expect(run('select 1')).rejects.toMatchObject({ code: '08006' })
  })

  // Together they take longer than the limit.
  await request(async () => {
    const deadlock = `do $$ begin perform pg_sleep(0.4); raise exception using errcode = '40P01'; end $$`
    for (let count = 0; count < 4; count++)
      await expect(run(deadlock)).rejects.toMatchObject({ code: '40P01' })
    await run('select 1')
  })

  // The wait for a connection ends with the limit too, and the connection is used by others afterwards.
  await request(async () => {
    countDatabaseTime(1_200)
    const other = database.pool.query('select pg_sleep(1)')
    await expect(run('select 1')).rejects.toMatchObject({ code: '08006' })
    await other
  })
  await request(() => run('select 1'))
})

test('the calls of the shop have this limit', async () => {
  const shop = await openTestShop()
  const productId = await aProduct(shop)
  const rider = await aCustomer(shop)
  const body = { productId, quantity: 1, amount: 40, customerAddress: '1 Road' }

  // Each connection of the purchase waits for less than the limit. A poll must see the first wait in time.
  const locks = [
    { ...(await lock(shop, 'customers')), waitMs: 300 },
    { ...(await lock(shop, 'products')), waitMs: 1_300 },
  ]
  const purchase = shop.call('confirmPurchase', { as: rider, body })
  for (const { client, pid, waitMs } of locks) {
    await waitUntilBlocking(shop.database, pid)
    await delay(waitMs)
    await client.query('commit')
    client.release()
  }

  expect(await purchase).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } })
  await shop.close()
})

async function lock({ database: { pool } }: TestShop, table: string) {
  const client = await pool.connect()
  await client.query(`begin; lock table ${table} in access exclusive mode`)
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return { client, pid: rows[0]?.pid }
}
