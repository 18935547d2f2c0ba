import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../../tests/database.ts'
import { requireSameSecret, storeFingerprint } from './secret-fingerprint.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await openTestDatabase()
})
beforeEach(() => database.empty())
afterAll(() => database.close())

test('of two processes that start concurrently with different secrets, one is refused', async () => {
  const { db } = database
  const started = await Promise.allSettled([storeFingerprint(db, ['one']), storeFingerprint(db, ['other'])])
  expect(started.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
})

test('the fingerprint follows the current secret, and does not reveal it', async () => {
  const { db } = database
  await requireSameSecret(db, ['old'])
  await storeFingerprint(db, ['old'])
  await storeFingerprint(db, ['new', 'old'])
  await expect(requireSameSecret(db, ['old'])).rejects.toThrow('has another secret')
  await requireSameSecret(db, ['old', 'new'])
  const { rows } = await database.pool.query('select fingerprint from secret_fingerprint')
  expect(rows).toEqual([{ fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/) }])
})
