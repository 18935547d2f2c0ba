import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { zstdDecompressSync } from 'node:zlib'
import { migrations } from '../server/open-database.ts'
import { readBackup } from './backups.ts'

/**
 * For each released version, a backup of a shop, made by that version's `npm run backup`. Next to it are migrations
 * that later versions no longer have.
 */
const folder = path.join(import.meta.dirname, 'releases')

export const releases = readdirSync(folder)
  .filter((name) => name.endsWith('.backup'))
  .map((name) => name.replace('.backup', ''))

export const toBackup = (version: string) => path.join(folder, `${version}.backup`)

/** Writes the migrations of a released version into a temporary folder. */
export async function unpackMigrations(version: string): Promise<{ target: string; remove: () => void }> {
  const target = mkdtempSync(path.join(tmpdir(), 'migrations-'))
  const archive = path.join(folder, `${version}-migrations.json.zst`)
  const files: Record<string, string> = existsSync(archive)
    ? JSON.parse(zstdDecompressSync(readFileSync(archive)).toString())
    : {}
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(target, name), text)
  const { migrations: applied } = JSON.parse((await readBackup(toBackup(version))).header)
  for (const { name } of applied) {
    const file = path.join(migrations, name)
    if (existsSync(file)) copyFileSync(file, path.join(target, name))
  }
  return { target, remove: () => rmSync(target, { recursive: true }) }
}

/** Returns the values of some columns of each row in a backup, as text; `\N` is null. */
export async function readRows(
  version: string,
  table: string,
  columns: string[],
): Promise<Record<string, string>[]> {
  const { header, rows } = await readBackup(toBackup(version))
  const tables: { name: string; columns: string }[] = JSON.parse(header).tables
  const all = tables.find(({ name }) => name === table)?.columns.split(', ') ?? []
  const lines = (rows[table] ?? '').split('\n').filter(Boolean)
  return lines.map((line) => {
    const values = line.split('\t')
    return Object.fromEntries(columns.map((column) => [column, values[all.indexOf(column)] ?? '']))
  })
}
