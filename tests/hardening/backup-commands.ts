import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { createDatabase, type OpenDatabase } from '../../server/platform/database/database.ts'
import { type Child, startChild } from '../child.ts'
import { baseEnvironment, project } from '../shop-process.ts'
import { cleanup } from './cleanup.ts'
import type { ShopUnderTest } from './shop-under-test.ts'

const peakPrinter = path.join(import.meta.dirname, 'print-peak.ts')

/** Runs `npm run backup` and `npm run restore` against the database of a running shop. */
export interface BackupCommands {
  /** Returns a path of a new backup file; the file does not exist yet. */
  newFile(): string
  /** Starts a command and does not wait for it. */
  start(name: 'backup' | 'restore', args: string[], url: string): Child
  /** Runs a command to its end and returns its peak memory in MiB. @throws with its output if it fails */
  run(name: 'backup' | 'restore', args: string[], url: string): Promise<number>
}

export function openBackupCommands(): BackupCommands {
  const folder = mkdtempSync(path.join(tmpdir(), 'harden-backups-'))
  cleanup.add(async () => rmSync(folder, { recursive: true }))
  let count = 0

  function start(name: string, args: string[], url: string): Child {
    const env = { ...baseEnvironment, DATA_DIR: folder, DATABASE_URL: url }
    const program = ['--import', peakPrinter, `server/commands/${name}.ts`, ...args]
    const child = startChild(process.execPath, program, { cwd: project, env })
    cleanup.add(child.kill)
    return child
  }
  return {
    newFile: () => path.join(folder, `${++count}.backup`),
    start,
    async run(name, args, url) {
      const child = start(name, args, url)
      if ((await child.ended) !== 0) throw new Error(`${name} failed: ${child.printed()}`)
      const peak = /^peak (\d+) KiB$/m.exec(child.printed())?.[1]
      if (!peak) throw new Error(`${name} did not print its peak memory: ${child.printed()}`)
      return Number(peak) / 1024
    },
  }
}

/** Creates an empty database on the shop's Postgres server. */
export async function openSecondDatabase(shop: ShopUnderTest): Promise<OpenDatabase & { url: string }> {
  const name = `second_${randomBytes(4).toString('hex')}`
  await sql.raw(`create database ${name}`).execute(shop.db)
  const url = new URL(shop.databaseUrl)
  url.pathname = name
  const database = createDatabase(url.href, { poolSize: 2 })
  cleanup.add(database.close)
  return { ...database, url: url.href }
}
