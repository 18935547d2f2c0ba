import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import { sql } from 'kysely'
import { backupTables } from '../server/commands/backup-tables.ts'
import * as customers from '../server/modules/customers/service.ts'
import { migrations } from '../server/open-database.ts'
import { createFrames, mark, readFrames } from '../server/platform/backup/frames.ts'
import { type RestoreOptions, restoreBackup } from '../server/platform/backup/restore.ts'
import { writeBackup } from '../server/platform/backup/write.ts'
import type { OpenDatabase } from '../server/platform/database/database.ts'

/** Creates a temporary folder for backups. */
export function makeBackupFolder() {
  const folder = mkdtempSync(path.join(tmpdir(), 'backups-'))
  let count = 0
  return {
    newFile: () => path.join(folder, `${++count}.backup`),
    remove: () => rmSync(folder, { recursive: true }),
  }
}

/** Writes a backup like `npm run backup`. */
export function backUp({ pool }: Pick<OpenDatabase, 'pool'>, file: string) {
  return writeBackup(pool, file, { scope: backupTables, onProgress: () => undefined })
}

/** Restores a backup like `npm run restore`. */
export function restore(
  { pool }: Pick<OpenDatabase, 'pool'>,
  file: string,
  options: Partial<RestoreOptions> = {},
) {
  const finish: RestoreOptions['finish'] = (db) => customers.voidAllTokens(db)
  return restoreBackup(pool, file, {
    scope: backupTables,
    migrations,
    replace: false,
    finish,
    onProgress: () => undefined,
    ...options,
  })
}

/** Returns a checksum for each table, to compare two databases. */
export async function digest({ db }: Pick<OpenDatabase, 'db'>): Promise<Record<string, string>> {
  const { rows } = await sql<{ name: string }>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname = any(${backupTables.schemas}) order by 1`.execute(db)
  const digests: Record<string, string> = {}
  for (const { name } of rows) {
    // A restore changes the token version of each customer.
    const row = name === 'public.customers' ? sql`(to_jsonb(t) - 'token_version')::text` : sql`t::text`
    const { rows: found } = await sql<{ digest: string }>`
      select count(*) || ' rows, ' || md5(coalesce(string_agg(${row}, E'\n' order by ${row}), '')) as digest
      from ${sql.raw(name)} t`.execute(db)
    digests[name] = found[0]?.digest ?? ''
  }
  return digests
}

/** Returns the header of a backup as text, and the rows of each of its tables. */
export async function readBackup(file: string): Promise<{ header: string; rows: Record<string, string> }> {
  const frames: Buffer[] = []
  for await (const frame of readFrames(file)) frames.push(frame)
  const header = frames.shift()?.toString() ?? ''
  const rows: Record<string, string> = {}
  for (const { name } of JSON.parse(header).tables) {
    const end = frames.findIndex((frame) => frame.length === 0)
    rows[name] = Buffer.concat(frames.splice(0, end + 1)).toString()
  }
  return { header, rows }
}

/** Edits the header or the rows of a backup, as text, and updates the checksums. */
export async function forge(
  file: string,
  edit: { header?: (text: string) => string; rows?: (text: string, table: string) => string },
): Promise<void> {
  const { header, rows } = await readBackup(file)
  const tables = Object.entries(rows).map(([table, text]) => edit.rows?.(text, table) ?? text)
  const frames = [edit.header?.(header) ?? header, ...tables.flatMap((text) => (text ? [text, ''] : ['']))]
  const toFrame = createFrames()
  writeFileSync(
    file,
    zstdCompressSync(Buffer.concat([mark, ...frames.flatMap((text) => toFrame(Buffer.from(text)))])),
  )
}
