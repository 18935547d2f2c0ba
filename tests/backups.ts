import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { sql } from 'kysely'
import { backupTables } from '../server/commands/backup-tables.ts'
import * as customers from '../server/modules/customers/service.ts'
import { migrations } from '../server/open-database.ts'
import { writeBackup } from '../server/platform/backup/dump.ts'
import { type RestoreOptions, restoreBackup } from '../server/platform/backup/restore.ts'
import { onConnection } from '../server/platform/backup/tables.ts'
import type { OpenDatabase } from '../server/platform/database.ts'

/** Creates a temporary folder for backups. */
export function makeBackupFolder() {
  const folder = mkdtempSync(path.join(tmpdir(), 'backups-'))
  let count = 0
  return {
    newFile: () => path.join(folder, `${++count}.sql.zst`),
    remove: () => rmSync(folder, { recursive: true }),
  }
}

/** Writes a backup like `npm run backup`. */
export function backUp({ pool }: Pick<OpenDatabase, 'pool'>, file: string) {
  return onConnection(pool, (client) =>
    writeBackup(client, file, { scope: backupTables, onProgress: () => undefined }),
  )
}

/** Restores a backup like `npm run restore`. */
export function restore(
  { pool }: Pick<OpenDatabase, 'pool'>,
  file: string,
  options: Partial<RestoreOptions> = {},
) {
  const finish: RestoreOptions['finish'] = (db) => customers.voidAllTokens(db)
  return onConnection(pool, (client) =>
    restoreBackup(client, file, {
      scope: backupTables,
      migrations,
      replace: false,
      finish,
      onProgress: () => undefined,
      ...options,
    }),
  )
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

/** Edits the text of a backup and updates its checksum. */
export function forge(file: string, edit: (text: string) => string): void {
  const text = edit(zstdDecompressSync(readFileSync(file)).toString())
  const end = text.lastIndexOf('-- end ')
  const { rows } = JSON.parse(text.slice(end + '-- end '.length))
  const sha256 = createHash('sha256').update(text.slice(0, end)).digest('hex')
  const trailer = `-- end ${JSON.stringify({ rows, sha256 })}\n`
  writeFileSync(file, zstdCompressSync(Buffer.from(text.slice(0, end) + trailer)))
}
