import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../../tests/database.ts'
import { createDatabase, type OpenDatabase } from './database.ts'
import { checkGuards, setGuards } from './session-guards.ts'

let database: TestDatabase
let own: OpenDatabase

beforeEach(async () => {
  database = await openTestDatabase({ poolSize: 1 })
  own = createDatabase(database.url, { poolSize: 3 })
})
afterEach(async () => {
  await own.close()
  await database.close()
})

const readGuards = async ({ db }: OpenDatabase) =>
  (
    await sql`select current_setting('statement_timeout') as statement,
      current_setting('idle_in_transaction_session_timeout') as transaction, current_setting('jit') as jit`.execute(
      db,
    )
  ).rows
const expected = [{ statement: '15s', transaction: '30s', jit: 'off' }]

test('the guards apply to every further statement, even of processes that start at the same time', async () => {
  const others = Array.from({ length: 4 }, () => createDatabase(database.url, { poolSize: 1 }))
  await Promise.all([own, ...others].map(setGuards))
  for (const each of [own, ...others]) expect(await readGuards(each)).toEqual(expected)
  await Promise.all(others.map(({ close }) => close()))
})

test('sessions without the guards are reported', async () => {
  const errors: string[] = []
  const check = ({ db }: OpenDatabase) =>
    checkGuards(db, { error: (message: string) => void errors.push(message) })
  await sql`select`.execute(database.db)
  await setGuards(own)
  await check(own)
  expect(errors).toEqual([])
  // This session is older than the guards, like one of a pooler.
  await check(database)
  expect(errors).toHaveLength(3)
  expect(errors[0]).toContain('The database session has statement_timeout = 0 instead of 15s.')
})
