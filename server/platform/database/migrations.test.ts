import { hash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import type { PoolClient } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { asAdmin, databaseUrl, openTestDatabase, type TestDatabase } from '../../../tests/database.ts'
import { migrations } from '../../open-database.ts'
import { createDatabase, hasTable, newId } from './database.ts'
import { findPending, migrate, readMigrations, requireSchema } from './migrations.ts'
import { findServerFault } from './supported-server.ts'

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
  expect(await migrate(database, folder)).toEqual(['0001_first.sql', '0002_second.sql'])
  expect(await migrate(database, folder)).toEqual([])
  expect(await steps()).toEqual(['first', 'second'])
})

test('a schema without a file is refused, and not changed', async () => {
  const check = () => requireSchema(database.db, folder)
  write('0001_first.sql', first)
  await expect(check()).rejects.toThrow('lacks the migration 0001_first.sql. Run npm run migrate')
  await migrate(database, folder)
  await check()
  write('0002_second.sql', second)
  await expect(check()).rejects.toThrow('lacks the migration 0002_second.sql')
  expect(await steps()).toEqual(['first'])
})

test('creates everything in the schema public, even for a role with a schema of its own name', async () => {
  await sql`create schema authorization current_user`.execute(database.db)
  write('0001_first.sql', first)
  await migrate(database, folder)
  const { rows } = await sql`select schemaname from pg_tables where tablename = 'steps'`.execute(database.db)
  expect(rows).toEqual([{ schemaname: 'public' }])
  await sql`do $$ begin execute format('drop schema %I', current_user); end $$`.execute(database.db)
})

test('five concurrent processes apply each file once', async () => {
  write('0001_first.sql', `${first} select pg_sleep(0.2);`)
  write('0002_second.sql', second)
  const processes = Array.from({ length: 5 }, () => createDatabase(database.url, { poolSize: 1 }))
  const applied = await Promise.all(processes.map((each) => migrate(each, folder)))
  await Promise.all(processes.map(({ close }) => close()))
  expect(applied.flat().toSorted()).toEqual(['0001_first.sql', '0002_second.sql'])
  expect(await steps()).toEqual(['first', 'second'])
})

test('a file that fails is rolled back, and those before it stay applied', async () => {
  write('0001_first.sql', first)
  await migrate(database, folder)
  write('0002_second.sql', second)
  write('0003_broken.sql', `create table half (id int); select 1 / 0;`)
  await expect(migrate(database, folder)).rejects.toThrow(
    'The migration 0003_broken.sql failed (division by zero). Correct the file, then start again.',
  )
  expect(await steps()).toEqual(['first', 'second'])
  await expect(requireSchema(database.db, folder)).rejects.toThrow('0003_broken.sql')
  const { rows } = await sql`select to_regclass('public.half') as half`.execute(database.db)
  expect(rows).toEqual([{ half: null }])
})

test('an empty database gets all files, or none if one fails', async () => {
  write('0001_first.sql', first)
  write('0002_index.sql', '-- no transaction\ncreate index concurrently steps_step on steps (step);')
  write('0003_broken.sql', 'select 1 / 0;')
  await expect(migrate(database, folder)).rejects.toThrow('The migration 0003_broken.sql failed')
  expect(await hasTable(database.db, 'public.steps')).toBe(false)
  write('0003_broken.sql', second)
  expect(await migrate(database, folder)).toHaveLength(3)
  expect(await steps()).toEqual(['first', 'second'])
})

test('a landed file that fails is not to be corrected', async () => {
  const text = 'select 1 / 0;'
  write('0001_landed.sql', text)
  write('checksums.txt', `${hash('sha256', text)}  0001_landed.sql\n`)
  await expect(migrate(database, folder)).rejects.toThrow(
    /failed \(division by zero\)\. Fix this, then start again\. Nothing of it was changed\.$/,
  )
})

test('a database with another encoding than UTF8 is refused, and not changed', async () => {
  const name = `ascii_${newId()}`
  await asAdmin(database.url, `create database ${name} template template0 encoding 'SQL_ASCII' locale 'C'`)
  const ascii = createDatabase(databaseUrl(database.url, name), { poolSize: 1 })
  try {
    write('0001_first.sql', first)
    const refuse = async (work: Promise<unknown>) =>
      await expect(work).rejects.toThrow(/^The shop needs Postgres 18 .* with encoding SQL_ASCII\./)
    await refuse(migrate(ascii, folder))
    await refuse(requireSchema(ascii.db, folder))
    await refuse(findPending(ascii.db, folder))
    expect(await hasTable(ascii.db, 'public.migrations')).toBe(false)
  } finally {
    await ascii.close()
    await asAdmin(database.url, `drop database ${name}`)
  }
})

test('a version of Postgres before 18 and another encoding than UTF8 are faults', () => {
  expect(findServerFault(180_000, 'UTF8')).toBeNull()
  expect(findServerFault(190_001, 'UTF8')).toBeNull()
  expect(findServerFault(170_006, 'UTF8')).toContain('has Postgres 17.6 with encoding UTF8')
  expect(findServerFault(180_004, 'LATIN1')).toContain('has Postgres 18.4 with encoding LATIN1')
})

test('rejects an applied file that has changed, and changes nothing', async () => {
  write('0001_first.sql', first)
  await migrate(database, folder)
  write('0001_first.sql', `${first} -- a word`)
  write('0002_second.sql', second)
  await expect(migrate(database, folder)).rejects.toThrow(
    'The migration 0001_first.sql was changed after it was applied',
  )
  expect(await steps()).toEqual(['first'])
})

test('ignores Windows line endings', async () => {
  write('0001_first.sql', first.replace('; ', ';\n'))
  await migrate(database, folder)
  write('0001_first.sql', first.replace('; ', ';\r\n'))
  expect(await migrate(database, folder)).toEqual([])
})

test('rejects a database that a newer version has migrated', async () => {
  write('0001_first.sql', first)
  write('0002_second.sql', second)
  await migrate(database, folder)
  rmSync(path.join(folder, '0002_second.sql'))
  await expect(migrate(database, folder)).rejects.toThrow('migrated by 0002_second.sql')
})

describe('a version on the schema of a newer one', () => {
  beforeEach(async () => {
    write('0001_first.sql', first)
    write('0002_second.sql', second)
    await migrate(database, folder)
  })

  /** Applies a file of the newer version. */
  async function upgrade(name: string, declaration: string): Promise<void> {
    write(name, `${declaration}insert into steps (step) values ('newer');`)
    await migrate(database, folder)
    rmSync(path.join(folder, name))
  }

  test('starts if the newer file works with it, and applies nothing', async () => {
    await upgrade('0003_newer.sql', '-- works with: 0002_second.sql\n')
    expect(await migrate(database, folder)).toEqual([])
    await requireSchema(database.db, folder)
  })

  test('does not start if the newer file works with later versions only', async () => {
    write('0003_newer.sql', `-- works with: 0002_second.sql\n${second}`)
    await migrate(database, folder)
    await upgrade('0004_newest.sql', '-- works with: 0003_newer.sql\n')
    await requireSchema(database.db, folder)
    rmSync(path.join(folder, '0003_newer.sql'))
    await expect(requireSchema(database.db, folder)).rejects.toThrow('migrated by 0004_newest.sql')
  })

  test('does not start if the newer file declares nothing', async () => {
    await upgrade('0003_newer.sql', '')
    await expect(migrate(database, folder)).rejects.toThrow('migrated by 0003_newer.sql')
  })

  test('starts if the table has no column for declarations', async () => {
    await sql`alter table migrations drop column works_with`.execute(database.db)
    expect(await migrate(database, folder)).toEqual([])
  })
})

describe('a file that gets no lock', () => {
  const change = 'alter table steps add column length integer;'
  let holder: PoolClient

  beforeEach(async () => {
    write('0001_first.sql', first)
    await migrate(database, folder)
    write('0002_locked.sql', `${second} ${change}`)
    holder = await database.pool.connect()
    await holder.query('begin; lock table steps in row exclusive mode')
  })
  afterEach(() => holder.release(true))

  test('is tried again until it gets it', async () => {
    const onRetry = vi.fn<(message: string) => void>(() => void holder.query('rollback'))
    expect(await migrate(database, folder, { onRetry, retryDelayMs: () => 1 })).toEqual(['0002_locked.sql'])
    expect(onRetry).toHaveBeenCalledTimes(1)
    expect(await steps()).toEqual(['first', 'second'])
  })

  test('waits for it until Postgres has cancelled an autovacuum, and for less time than a request has', async () => {
    await holder.query('rollback')
    const [lock, deadlock] = ['lock', 'deadlock'].map((name) => `(current_setting('${name}_timeout'))`)
    write('0002_locked.sql', `insert into steps (step) values ${lock}, ${deadlock}`)
    await migrate(database, folder)
    expect(await steps()).toEqual(['first', '1100ms', '1s'])
  })

  test('is tried again after a deadlock', async () => {
    await holder.query('rollback')
    // A rollback keeps the number of a sequence.
    await sql`create sequence attempts`.execute(database.db)
    const deadlock = `do $$ begin
      if nextval('attempts') = 1 then raise exception using errcode = '40P01'; end if;
    end $$`
    write('0002_locked.sql', `${second} ${deadlock}`)
    const onRetry = vi.fn<(message: string) => void>()
    expect(await migrate(database, folder, { onRetry, retryDelayMs: () => 1 })).toEqual(['0002_locked.sql'])
    expect(onRetry).toHaveBeenCalledTimes(1)
    expect(await steps()).toEqual(['first', 'second'])
  })

  test('fails after ten attempts, and changes nothing', async () => {
    const onRetry = vi.fn<(message: string) => void>()
    const migrating = migrate(database, folder, { onRetry, lockTimeout: '20ms', retryDelayMs: () => 1 })
    await expect(migrating).rejects.toThrow('0002_locked.sql got no lock on its tables in 10 attempts')
    expect(onRetry).toHaveBeenCalledTimes(9)
    await holder.query('rollback')
    expect(await steps()).toEqual(['first'])
  })
})

describe('a file without a transaction', () => {
  const index = `-- no transaction
-- works with: 0001_first.sql
-- The index; of the steps.
create index concurrently if not exists steps_step on steps (step);
create index concurrently if not exists steps_id on steps (id);`

  async function indexes(): Promise<object[]> {
    const { rows } = await sql<object>`
      select indexrelid::regclass::text as name, indisvalid as valid from pg_index
      where indrelid = to_regclass('steps') order by 1`.execute(database.db)
    return rows
  }
  const both = [
    { name: 'steps_id', valid: true },
    { name: 'steps_step', valid: true },
  ]

  test('creates its indexes concurrently, even if several processes migrate', async () => {
    write('0001_first.sql', first)
    await migrate(database, folder)
    write('0002_index.sql', index)
    const processes = Array.from({ length: 3 }, () => createDatabase(database.url, { poolSize: 2 }))
    const applied = await Promise.all(processes.map((each) => migrate(each, folder)))
    await Promise.all(processes.map(({ close }) => close()))
    expect(applied.flat()).toEqual(['0002_index.sql'])
    expect(await indexes()).toEqual(both)
  })

  test('replaces an invalid index of an attempt that failed', async () => {
    write('0001_first.sql', `${first} insert into steps (step) values ('first');`)
    await migrate(database, folder)
    write('0002_index.sql', index.replace('create index', 'create unique index'))
    await expect(migrate(database, folder)).rejects.toThrow(/0002_index.sql failed \(could not create unique/)
    expect(await indexes()).toEqual([{ name: 'steps_step', valid: false }])
    await sql`delete from steps where id = 2`.execute(database.db)
    expect(await migrate(database, folder)).toEqual(['0002_index.sql'])
    expect(await indexes()).toEqual(both)
  })
})

describe('a baseline that replaces files', () => {
  const files = { '0001_first.sql': first, '0002_second.sql': second }
  const baseline = '0003_baseline.sql'
  const text = `-- works with: 0002_second.sql
create table steps (id serial, step text); insert into steps (step) values ('baseline');
${Object.entries(files)
  .map(([name, replaced]) => `-- replaces: ${hash('sha256', replaced)} ${name}`)
  .join('\n')}`

  /** Applies files like the previous version, and then replaces them. */
  async function replace(applied: Record<string, string>): Promise<void> {
    for (const [name, file] of Object.entries(applied)) write(name, file)
    await migrate(database, folder)
    for (const name of Object.keys(applied)) rmSync(path.join(folder, name))
    write(baseline, text)
  }
  const listApplied = async () =>
    (await sql`select name, works_with from migrations order by name`.execute(database.db)).rows

  test('creates the tables of an empty database', async () => {
    write(baseline, text)
    expect(await findPending(database.db, folder)).toMatchObject({ isEmpty: true })
    expect(await migrate(database, folder)).toEqual([baseline])
    expect(await steps()).toEqual(['baseline'])
  })

  test('is recorded, and not run, if the database has them; the previous version still starts', async () => {
    await replace(files)
    expect(await findPending(database.db, folder)).toEqual({
      isEmpty: false,
      pending: [{ name: baseline, isRunnable: true }],
    })
    expect(await migrate(database, folder)).toEqual([baseline])
    await requireSchema(database.db, folder)
    expect(await steps()).toEqual(['first', 'second'])
    expect(await listApplied()).toEqual([
      { name: '0001_first.sql', works_with: null },
      { name: '0002_second.sql', works_with: null },
      { name: baseline, works_with: '0002_second.sql' },
    ])
    rmSync(path.join(folder, baseline))
    for (const [name, file] of Object.entries(files)) write(name, file)
    expect(await migrate(database, folder)).toEqual([])
  })

  test('is followed by files that also work with the previous version', async () => {
    await replace(files)
    write('0004_later.sql', `-- works with: 0002_second.sql\ninsert into steps (step) values ('later');`)
    write('0005_last.sql', second)
    expect((await findPending(database.db, folder)).pending).toEqual([
      { name: baseline, isRunnable: true },
      { name: '0004_later.sql', isRunnable: true },
      { name: '0005_last.sql', isRunnable: false },
    ])
    rmSync(path.join(folder, '0005_last.sql'))
    expect(await migrate(database, folder)).toEqual([baseline, '0004_later.sql'])
    expect(await steps()).toEqual(['first', 'second', 'later'])
  })

  test.each([
    ['only some of them', { '0001_first.sql': first }, 'too old: it lacks the migration 0002_second.sql'],
    [
      'another one',
      { '0001_first.sql': first, '0002_second.sql': `${second} --` },
      'too old: it was created before',
    ],
    ['one more', { ...files, '0002_third.sql': second }, 'by a different 0002_third.sql'],
  ])('refuses a database with %s, and changes nothing', async (_, applied, sentence) => {
    await replace(applied)
    const before = await listApplied()
    await expect(findPending(database.db, folder)).rejects.toThrow(sentence)
    await expect(migrate(database, folder)).rejects.toThrow(sentence)
    expect(await listApplied()).toEqual(before)
  })
})

test('the files are the baseline and later ones, with a timestamp', () => {
  const [baseline, ...later] = readMigrations(migrations)
  expect(baseline?.name).toBe('20261124000000_baseline.sql')
  expect(baseline?.replaces.size).toBe(35)
  for (const { name, replaces } of later) {
    expect([name, replaces.size]).toEqual([expect.stringMatching(/^20\d{12}_[a-z0-9_]+\.sql$/), 0])
  }
})
