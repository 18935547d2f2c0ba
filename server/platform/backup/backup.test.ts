import { copyFileSync, cpSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { seedDemoShop } from '../../../seed/seed.ts'
import { backUp, digest, forge, makeBackupFolder, readBackup, restore } from '../../../tests/backups.ts'
import { openTestDatabase, type TestDatabase } from '../../../tests/database.ts'
import { toBackup } from '../../../tests/releases.ts'
import { migrations } from '../../open-database.ts'
import { requireSchema } from '../database/migrations.ts'
import type { RestoreOptions } from './restore.ts'

const baseline = '20261124000000_baseline.sql'
const folder = makeBackupFolder()
/** A filled database, which no test changes. */
let source: TestDatabase
let target: TestDatabase
let backup: string
let backupStartedAt: number
/** A copy of the source's backup, which the test may damage. */
let file: string

beforeAll(async () => {
  source = await openTestDatabase()
  target = await openTestDatabase()
  await fill(source)
  backup = folder.newFile()
  backupStartedAt = Date.now()
  await backUp(source, backup)
})
afterAll(async () => {
  await Promise.all([source.close(), target.close()])
  folder.remove()
})
beforeEach(() => {
  file = folder.newFile()
  copyFileSync(backup, file)
})

/** Adds the demo shop, and values that need escaping: line breaks, tabs, backslashes, the end mark, quotes, null. */
async function fill({ db }: TestDatabase): Promise<void> {
  let count = 0
  await seedDemoShop(db, { createAccount: async () => ({ issuer: 'test', subject: `${++count}` }) })
  for (const [index, review] of ['\\.', 'a\tb\nc\r\nd', '\\N', `"'\\\\ ☃ 🏍`, ''].entries()) {
    await db
      .insertInto('reviews')
      .values({ id: `odd ${index}`, name: '\\.\n\\.', review })
      .execute()
  }
  await sql`insert into identity.rate_limits values ('k', 1, now())`.execute(db)
  await sql`insert into sandbox.events (id, type, object, request_id) values ('e', 't', '{"a": "\\n"}', 'r')`.execute(
    db,
  )
}

async function restoreIntoEmpty(options?: Partial<RestoreOptions>): Promise<void> {
  await target.empty()
  await restore(target, backup, options)
}

async function sequences({ db }: TestDatabase) {
  return (await sql`select schemaname, sequencename, last_value from pg_sequences order by 1, 2`.execute(db))
    .rows
}

describe('a restored shop', () => {
  beforeAll(() => restoreIntoEmpty())

  test('has every row byte by byte, and every sequence continues', async () => {
    const { 'identity.rate_limits': attempts, 'public.migrations': ours, ...expected } = await digest(source)
    const { 'identity.rate_limits': noAttempts, 'public.migrations': theirs, ...found } = await digest(target)
    expect(found).toEqual(expected)
    expect(await sequences(target)).toEqual(await sequences(source))
    expect([attempts, noAttempts].map((digest) => digest?.split(',')[0])).toEqual(['1 rows', '0 rows'])
    expect([ours, theirs].map((digest) => digest?.split(',')[0])).toEqual([
      expect.anything(),
      ours?.split(',')[0],
    ])
  })

  test('has a backup that is identical except for its time', async () => {
    const again = folder.newFile()
    const startedAt = Date.now()
    await backUp(target, again)
    const withoutVersions = async (name: string, minTakenAt: number) => {
      const { header, rows } = await readBackup(name)
      const { takenAt, ...others } = JSON.parse(header)
      expect(new Date(takenAt).getTime()).toBeGreaterThanOrEqual(minTakenAt)
      const lines = Object.values(rows).flatMap((text) => text.split('\n'))
      return { ...others, lines: lines.filter((line) => !/@example\.com\t.*\t\d+\t20/.test(line)) }
    }
    expect(await withoutVersions(again, startedAt)).toEqual(await withoutVersions(file, backupStartedAt))
  })

  test('has append-only tables that are still append-only', async () => {
    await expect(sql`update order_events set kind = 'paid'`.execute(target.db)).rejects.toThrow(
      'cannot be changed',
    )
  })
})

describe('damage is found without a database, in', () => {
  test.each([0.1, 0.5, 0.9])('a file that is truncated to %f', async (share) => {
    truncateSync(file, Math.floor(readFileSync(file).length * share))
    await expect(readBackup(file)).rejects.toThrow(/is damaged|is not a backup/)
  })

  test('a truncated text with valid compression', async () => {
    const text = zstdDecompressSync(readFileSync(file))
    writeFileSync(file, zstdCompressSync(text.subarray(0, text.length - 100)))
    await expect(readBackup(file)).rejects.toThrow('is damaged')
  })

  test.each([0.2, 0.5, 0.8])('a file with a changed byte at %f', async (share) => {
    const bytes = readFileSync(file)
    const at = Math.floor(bytes.length * share)
    bytes[at] = (bytes[at] ?? 0) ^ 1
    writeFileSync(file, bytes)
    await expect(readBackup(file)).rejects.toThrow('is damaged')
  })

  test('a changed text', async () => {
    const text = zstdDecompressSync(readFileSync(file)).toString('latin1')
    const changed = text.replace('Workshop Admin', 'Workshop Thief')
    writeFileSync(file, zstdCompressSync(Buffer.from(changed, 'latin1')))
    await expect(readBackup(file)).rejects.toThrow('its checksum is wrong')
  })
})

describe('nothing is changed', () => {
  let before: Awaited<ReturnType<typeof digest>>
  beforeAll(async () => {
    await target.empty()
    await fill(target)
    before = await digest(target)
  })

  /** Checks that nothing has changed, and returns the error message. */
  async function failure(replace = true): Promise<string> {
    const error: unknown = await restore(target, file, { replace }).then(
      () => 'restored',
      (reason) => reason,
    )
    expect(await digest(target)).toEqual(before)
    return error instanceof Error ? error.message : String(error)
  }

  test('if there are rows and they are not to be replaced', async () => {
    expect(await failure(false)).toMatch(/^The database is not empty \(.*public\.products 85.*add --replace/)
    expect(before).not.toEqual(await digest(source))
  })

  test('by a file that lacks its end', async () => {
    truncateSync(file, Math.floor(readFileSync(file).length * 0.999))
    expect(await failure()).toContain('is damaged')
  })

  test('by a file without one of its parts', async () => {
    const bytes = zstdDecompressSync(readFileSync(file))
    const toEnd = (start: number) => start + 36 + bytes.readUInt32BE(start)
    const first = toEnd(bytes.indexOf(10) + 1)
    writeFileSync(
      file,
      zstdCompressSync(Buffer.concat([bytes.subarray(0, first), bytes.subarray(toEnd(first))])),
    )
    expect(await failure()).toContain('its checksum is wrong')
  })

  test('by a file with data after its end', async () => {
    writeFileSync(
      file,
      Buffer.concat([readFileSync(file), zstdCompressSync(Buffer.from('drop table orders;\n'))]),
    )
    expect(await failure()).toContain('is damaged')
  })

  test.each([
    ['another file', Buffer.from('name,price\nhelmet,389\n')],
    ['another text, compressed', zstdCompressSync(Buffer.from('create table t (id int);\n'))],
  ])('by %s', async (_, bytes) => {
    writeFileSync(file, bytes)
    expect(await failure()).toContain('is not a backup of this shop')
  })

  test('by an empty file', async () => {
    writeFileSync(file, '')
    expect(await failure()).toContain('is damaged')
  })

  test('by a missing file', async () => {
    file = folder.newFile()
    expect(await failure()).toContain("can't be read (ENOENT)")
  })

  test('by a backup of a newer version, of a different migration, or of a newer format', async () => {
    await forge(file, { header: (text) => text.replace(baseline, '9999_later.sql') })
    expect(await failure()).toContain('with the migration 9999_later.sql, which this version does not have')
    await forge(file, {
      header: (text) =>
        text.replace('9999_later.sql', baseline).replace(/"checksum":"\w{9}/, '"checksum":"x'),
    })
    expect(await failure()).toContain(`with a different migration ${baseline}`)
    await forge(file, { header: (text) => text.replace('"version":1,"takenAt"', '"version":2,"time"') })
    expect(await failure()).toContain('has format version 2')
  })

  test.each([
    [
      'format',
      'the version that created it',
      async () => writeFileSync(file, zstdCompressSync(Buffer.from('-- backup {"version":1}\ncopy …'))),
    ],
    [
      'format version',
      'the version that created it',
      () => forge(file, { header: (text) => text.replace('"version":1,', '"version":0,') }),
    ],
    [
      'database',
      'version 0.1.0 (commit 705b3b9), run npm run backup with it',
      async () => {
        copyFileSync(toBackup('0.1.0'), file)
        await forge(file, {
          header: (text) => text.replace(/,\{"name":"20261123074100_bike_references.sql"[^}]*\}/, ''),
        })
      },
    ],
    [
      'baseline',
      'the version that created it',
      async () => {
        copyFileSync(toBackup('0.1.0'), file)
        await forge(file, { header: (text) => text.replace(/"checksum":"\w{9}/, '"checksum":"x') })
      },
    ],
  ])('by a backup with an older %s', async (_, restorer, age) => {
    await age()
    const message = await failure()
    expect(message).toContain(
      'is too old: this version restores backups of version 0.1.0 (commit 705b3b9) and newer ones.',
    )
    expect(message).toContain(`Restore it with ${restorer}`)
  })

  test.each([
    ['column', '"columns":"id, ', '"columns":"identity, '],
    ['statement', '"public.orders"', '"public.orders from stdin; drop table orders; --"'],
  ])('by an unknown %s', async (_, known, unknown) => {
    await forge(file, { header: (text) => text.replace(known, unknown) })
    expect(await failure()).toContain('its tables do not match its migrations')
  })

  test('by the value of a sequence that is not a number', async () => {
    await forge(file, {
      header: (text) => text.replace(/"public\.order_events_id_seq":"\d+/, '$&); drop table orders; --'),
    })
    expect(await failure()).toContain('invalid input syntax for type bigint')
  })

  test('by a backup without one of the tables', async () => {
    await forge(file, { header: (text) => text.replace(/\{"name":"sandbox\.events",[^}]*\},?/, '') })
    expect(await failure()).toContain('its tables do not match its migrations')
  })

  test('by a failure partway through', async () => {
    await forge(file, {
      rows: (text, table) =>
        table === 'public.orders' ? text.replace(/^(\w{24}\t)\w{24}/, '$1nobody') : text,
    })
    expect(await failure()).toContain('violates foreign key constraint')
  })

  test('in a database with other tables', async () => {
    await sql`create view public.report as select 1 as one`.execute(target.db)
    expect(await failure()).toContain('The database has other tables (public.report)')
    await sql`drop view public.report`.execute(target.db)
  })

  test('in a database with an extension that is not of the shop', async () => {
    await sql`create extension pgcrypto schema public`.execute(target.db)
    expect(await failure()).toMatch(
      /^The database has other extensions \(pgcrypto\), which a restore would delete\..* in another schema\.$/,
    )
    await sql`drop extension pgcrypto`.execute(target.db)
  })
})

test('the rows are replaced if that is wanted', async () => {
  await target.empty()
  await fill(target)
  const { 'public.orders': orders } = await digest(source)
  expect((await digest(target))['public.orders']).not.toBe(orders)
  await restore(target, file, { replace: true })
  expect((await digest(target))['public.orders']).toBe(orders)
})

test('an older backup gets the later migrations', async () => {
  const newer = mkdtempSync(path.join(tmpdir(), 'migrations-'))
  try {
    cpSync(migrations, newer, { recursive: true })
    writeFileSync(
      path.join(newer, '20270101000000_review_language.sql'),
      "alter table reviews add column language text not null default 'en'",
    )
    await restoreIntoEmpty({ migrations: newer })
    const { rows } = await sql`select distinct language from reviews`.execute(target.db)
    expect(rows).toEqual([{ language: 'en' }])
    await requireSchema(target.db, newer)
  } finally {
    rmSync(newer, { recursive: true })
    await restore(target, file, { replace: true })
  }
})
