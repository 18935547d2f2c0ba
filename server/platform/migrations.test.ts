import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../tests/database.ts'
import { migrations } from '../open-database.ts'
import { createDatabase } from './database.ts'
import { migrate, pendingMigrations, readMigrations } from './migrations.ts'

let database: TestDatabase
let folder: string

beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'migrations-'))
  await sql.raw('drop schema public cascade; create schema public').execute(database.db)
})
afterEach(() => rmSync(folder, { recursive: true }))

function write(name: string, text: string): void {
  writeFileSync(path.join(folder, name), text)
}

async function steps(): Promise<string[]> {
  const { rows } = await sql<{ step: string }>`select step from steps order by id`.execute(database.db)
  return rows.map(({ step }) => step)
}

const first = "create table steps (id serial, step text); insert into steps (step) values ('first');"
const second = "insert into steps (step) values ('second');"

test('applies files in the order of their names, each once', async () => {
  write('0002_second.sql', second)
  write('0001_first.sql', first)
  write('notes.txt', 'not a migration')
  expect(await migrate(database.db, folder)).toEqual(['0001_first.sql', '0002_second.sql'])
  expect(await migrate(database.db, folder)).toEqual([])
  expect(await steps()).toEqual(['first', 'second'])
})

test('lists the files that are not applied yet', async () => {
  write('0001_first.sql', first)
  expect(await pendingMigrations(database.db, folder)).toEqual(['0001_first.sql'])
  await migrate(database.db, folder)
  write('0002_second.sql', second)
  expect(await pendingMigrations(database.db, folder)).toEqual(['0002_second.sql'])
})

test('creates everything in the schema public, also for a role with a schema of its own name', async () => {
  await sql`create schema authorization current_user`.execute(database.db)
  write('0001_first.sql', first)
  await migrate(database.db, folder)
  const { rows } = await sql`select schemaname from pg_tables where tablename = 'steps'`.execute(database.db)
  expect(rows).toEqual([{ schemaname: 'public' }])
  await sql`do $$ begin execute format('drop schema %I', current_user); end $$`.execute(database.db)
})

test('five concurrent processes apply each file once', async () => {
  write('0001_first.sql', `${first} select pg_sleep(0.2);`)
  write('0002_second.sql', second)
  const processes = Array.from({ length: 5 }, () => createDatabase(database.url, { poolSize: 1 }))
  const applied = await Promise.all(processes.map(({ db }) => migrate(db, folder)))
  await Promise.all(processes.map(({ close }) => close()))
  expect(applied.flat().toSorted()).toEqual(['0001_first.sql', '0002_second.sql'])
  expect(await steps()).toEqual(['first', 'second'])
})

test('a file that fails is rolled back, and those before it stay applied', async () => {
  write('0001_first.sql', first)
  write('0002_broken.sql', `${second} create table half (id int); select 1 / 0;`)
  await expect(migrate(database.db, folder)).rejects.toThrow(
    'The migration 0002_broken.sql failed (division by zero). Correct the file, then start again.',
  )
  expect(await steps()).toEqual(['first'])
  expect(await pendingMigrations(database.db, folder)).toEqual(['0002_broken.sql'])
  const { rows } = await sql`select to_regclass('public.half') as half`.execute(database.db)
  expect(rows).toEqual([{ half: null }])
})

test('rejects an applied file that has changed, and changes nothing', async () => {
  write('0001_first.sql', first)
  await migrate(database.db, folder)
  write('0001_first.sql', `${first} -- a word`)
  write('0002_second.sql', second)
  await expect(migrate(database.db, folder)).rejects.toThrow(
    'The migration 0001_first.sql was changed after it was applied',
  )
  expect(await steps()).toEqual(['first'])
})

test('ignores Windows line endings', async () => {
  write('0001_first.sql', first.replace('; ', ';\n'))
  await migrate(database.db, folder)
  write('0001_first.sql', first.replace('; ', ';\r\n'))
  expect(await migrate(database.db, folder)).toEqual([])
})

test('rejects a database that a newer version has migrated', async () => {
  write('0001_first.sql', first)
  write('0002_second.sql', second)
  await migrate(database.db, folder)
  rmSync(path.join(folder, '0002_second.sql'))
  await expect(migrate(database.db, folder)).rejects.toThrow('migrated by 0002_second.sql')
})

test('refuses a database from before the baseline, and says to create a new one', async () => {
  write('0001_shop.sql', first)
  await migrate(database.db, folder)
  rmSync(path.join(folder, '0001_shop.sql'))
  write('0001_baseline.sql', first)
  await expect(migrate(database.db, folder)).rejects.toThrow(
    'Create an empty database, or delete the data folder',
  )
  expect(await steps()).toEqual(['first'])
})

test('the files are the baseline and files with a timestamp', () => {
  const [baseline, ...later] = readMigrations(migrations).map(({ name }) => name)
  expect(baseline).toBe('0001_baseline.sql')
  for (const name of later) expect(name).toMatch(/^20\d{12}_[a-z0-9_]+\.sql$/)
})
