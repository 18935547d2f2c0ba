import { describe, expect, test } from 'vitest'
import { migrations } from '../server/open-database.ts'
import { readMigrations } from '../server/platform/database/migrations.ts'

/** Statements after which a version that was written for the earlier schema may fail. */
const breaking: [name: string, statement: RegExp][] = [
  ['drop', /\bdrop\b(?! not null\b)(?! index\b)/],
  ['rename', /\brename\b/],
  ['new type', /\balter (column )?\S+ (set data )?type\b/],
  ['not null', /\bset not null\b/],
  [
    'required column',
    /\badd (column )?(?!constraint\b)(?=[^,]*\bnot null\b)(?![^,]*\b(default|generated)\b)/,
  ],
]

/** Statements that lock a table of the running shop while they read all of its rows. */
const locking: [name: string, statement: RegExp][] = [
  ['index that locks', /\bcreate (unique )?index (?!concurrently\b)/],
  ['constraint that locks', /\badd constraint\b(?!.*\bnot valid\b)(?!.*\busing index\b)/],
  ['check of a column that locks', /\badd column\b(?!.*\bnot valid\b)[^,;]*\bcheck\b/],
]

interface File {
  name: string
  text: string
  worksWith: string | null
  replaces: ReadonlyMap<string, unknown>
}

/** Returns the changes in a file that break or block a version that the file claims to work with. */
function findBreakingChanges({ name, text, worksWith }: Omit<File, 'replaces'>): string[] {
  if (worksWith === null || worksWith >= name) return []
  return text.split(';').flatMap((source) => {
    const unusedSince = /^-- unused since: (\S+)$/m.exec(source)?.[1]
    if (unusedSince && unusedSince <= worksWith) return []
    const statement = source
      .replaceAll(/--[^\n]*/g, '')
      .replaceAll(/\s+/g, ' ')
      .toLowerCase()
    const table = /\b(?:on|alter table) (?:only )?(\w+)/.exec(statement)?.[1]
    const isNew = new RegExp(`\\bcreate table ${table}\\b`, 'i').test(text)
    const patterns = isNew ? breaking : [...breaking, ...locking]
    return patterns.filter(([, pattern]) => pattern.test(statement)).map(([change]) => change)
  })
}

/** Returns the mistakes of a file that runs without a transaction. */
function findUnrepeatable({ text, isTransactional }: { text: string; isTransactional: boolean }): string[] {
  if (isTransactional) return []
  const statements = text.replaceAll(/--[^\n]*/g, '').split(';')
  const repeatable =
    /^(create (unique )?index concurrently if not exists|drop index concurrently if exists) \w/i
  return statements.map((statement) => statement.trim()).filter((each) => each && !repeatable.test(each))
}

/** Returns the names of files that do not declare an existing file, or one that the baseline replaces. */
function findUndeclared(all: readonly Omit<File, 'text'>[]): string[] {
  const names = new Set<string | null>(all.flatMap(({ name, replaces }) => [name, ...replaces.keys()]))
  const undeclared = all.filter(({ worksWith }) => !names.has(worksWith))
  return undeclared.map(({ name }) => name)
}

const files = readMigrations(migrations)

test('each file declares with which versions it works', () => {
  expect(findUndeclared(files)).toEqual([])
  const baseline = {
    name: '2_baseline.sql',
    worksWith: '1_replaced.sql',
    replaces: new Map([['1_replaced.sql', []]]),
  }
  const declare = (worksWith: string | null) =>
    findUndeclared([baseline, { name: '3_new.sql', worksWith, replaces: new Map() }])
  expect(['1_replaced.sql', '2_baseline.sql', null, '1_absent.sql'].map(declare)).toEqual([
    [],
    [],
    ['3_new.sql'],
    ['3_new.sql'],
  ])
})

test('no file breaks a version with which it claims to work', () => {
  expect(Object.fromEntries(files.map((file) => [file.name, findBreakingChanges(file)]))).toEqual(
    Object.fromEntries(files.map(({ name }) => [name, []])),
  )
})

test('a file without a transaction only creates and drops indexes, and can be repeated', () => {
  expect(files.flatMap(findUnrepeatable)).toEqual([])
  const text = '-- no transaction\ncreate index concurrently a on b (c);\nupdate b set c = 1;'
  expect(findUnrepeatable({ text, isTransactional: false })).toHaveLength(2)
})

describe('a file that works with older versions', () => {
  const check = (text: string, worksWith: string | null = '0002_second.sql') =>
    findBreakingChanges({ name: '0003_third.sql', text, worksWith })

  test.each([
    ['drop', 'alter table orders drop column note'],
    ['drop', 'drop table orders'],
    ['drop', 'alter table orders drop constraint orders_status'],
    ['rename', 'alter table orders rename column note to remark'],
    ['rename', 'alter table orders rename to purchases'],
    ['new type', 'alter table orders alter note type integer using 1'],
    ['new type', 'alter table orders alter column note set data type integer'],
    ['not null', 'alter table orders alter note set not null'],
    ['required column', 'alter table orders add column kind text not null'],
    ['index that locks', 'create index orders_note on orders (note)'],
    ['constraint that locks', 'alter table orders add constraint short check (length(note) < 9)'],
    ['check of a column that locks', 'alter table orders add column kind text check (length(kind) < 9)'],
  ])('must not contain: %s (%s)', (change, statement) => {
    expect(check(`${statement};`)).toEqual([change])
    expect(check(`-- unused since: 0002_second.sql\n${statement};`)).toEqual([])
    expect(check(`-- unused since: 0003_third.sql\n${statement};`)).toEqual([change])
    expect(check(`${statement};`, null)).toEqual([])
  })

  test.each([
    'alter table orders add column kind text',
    "alter table orders add column kind text not null default 'order'",
    'alter table orders alter note drop not null',
    'create table kinds (name text not null); create unique index kinds_name on kinds (name)',
    'create index concurrently if not exists orders_note on orders (note)',
    'alter table orders add constraint short check (length(note) < 9) not valid',
    'drop index concurrently if exists orders_note',
    '-- drop\nselect 1',
  ])('may contain: %s', (statement) => {
    expect(check(`${statement};`)).toEqual([])
  })
})
