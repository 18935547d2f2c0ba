import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../../tests/database.ts'
import { limitResponseTime } from './response-timeout.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await openTestDatabase({ poolSize: 1 })
})
afterAll(() => database.close())

test('the wait for a connection counts, and while all statements are late no other is accepted', async () => {
  const pool = limitResponseTime(database.pool)
  const before = database.pool.query('select pg_sleep(1)')
  const client = await pool.connect()
  await expect(client.query('select pg_sleep(1.4)', [])).rejects.toMatchObject({ code: '40003' })
  await expect(client.query('select 1', [])).rejects.toMatchObject({ code: '40003' })
  client.release()
  await expect(pool.connect()).rejects.toMatchObject({ code: '08006' })
  await before
})
