import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../../tests/database.ts'
import { requireSameSecret, storeFingerprint } from './secret-fingerprint.ts'
import type { Secrets } from './secrets.ts'

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

test('while the secret changes, each process can restart with its settings until the old secret is removed', async () => {
  const { db } = database
  const restarts: Secrets[] = [['old', 'new'], ['new', 'old'], ['old', 'new'], ['new', 'old'], ['new']]
  for (const secrets of restarts) {
    await requireSameSecret(db, secrets)
    await storeFingerprint(db, secrets)
  }
  for (const check of [requireSameSecret, storeFingerprint]) {
    await expect(check(db, ['old'])).rejects.toThrow('has another secret')
  }
})

test('a process with the stored secret can start while the database is read-only', async () => {
  const { db } = database
  await storeFingerprint(db, ['one'])
  const readOnly = db.transaction().setAccessMode('read only')
  const stored = readOnly.execute((tx) => storeFingerprint(tx, ['one', 'previous']))
  await expect(stored).resolves.toBeUndefined()
})
