import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { createDatabase } from '../server/platform/database/database.ts'
import { CLUSTER } from '../server/platform/embedded-postgres/cluster.ts'
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  openEmbeddedPostgres,
} from '../server/platform/embedded-postgres/embedded-postgres.ts'
import { readPidFile, removeForeignPidFile } from '../server/platform/embedded-postgres/postmaster.ts'
import type { Account } from '../server/platform/embedded-postgres/server-folder.ts'
import { hasCode } from '../server/platform/errors.ts'
import { type Child, startChild } from './child.ts'

/** A data folder of a shop, with the Postgres servers opened on it. */
export interface EmbeddedPostgresFolder {
  dataDir: string
  /** Opens its Postgres in this process. */
  open(options?: Partial<EmbeddedPostgresOptions>): Promise<EmbeddedPostgres>
  /** Opens its Postgres in a child process, and resolves when it is open. */
  start(options?: { account?: Account; durable?: boolean }): Promise<StartedProcess>
  /** Kills the child processes. */
  kill(): Promise<void>
  /** Kills the child processes and stops the servers. */
  stop(): Promise<void>
  /** Stops all and deletes the data. */
  remove(): Promise<void>
}

export interface StartedProcess extends Pick<EmbeddedPostgres, 'how' | 'url' | 'folder'> {
  child: Child
}

/**
 * Writes are not durable by default, because flushing a thousand files is slow.
 *
 * @param mode of the folder that contains the data folder
 * @param owner of that folder; by default the current user
 */
export function makeEmbeddedPostgresFolder(mode = 0o755, owner?: Account): EmbeddedPostgresFolder {
  const parent = mkdtempSync(path.join(tmpdir(), 'embedded-postgres-'))
  const shopFolder = path.join(parent, 'shop')
  mkdirSync(shopFolder)
  chmodSync(parent, 0o755)
  chmodSync(shopFolder, mode)
  if (owner) for (const folder of [parent, shopFolder]) chownSync(folder, owner.uid, owner.gid)
  const dataDir = path.join(shopFolder, 'data')
  const servers: EmbeddedPostgres[] = []
  const children: Child[] = []

  async function open(options: Partial<EmbeddedPostgresOptions> = {}): Promise<EmbeddedPostgres> {
    const server = await openEmbeddedPostgres({ dataDir, database: 'shop', durable: false, ...options })
    servers.push(server)
    return server
  }
  async function kill(): Promise<void> {
    await Promise.all(children.map((child) => child.kill()))
  }
  async function stop(): Promise<void> {
    await kill()
    for (const server of servers.splice(0)) await server.stop()
    await stopEmbeddedPostgres(dataDir)
  }
  return {
    dataDir,
    open,
    async start({ account, durable = false } = {}) {
      const script = path.join(import.meta.dirname, 'embedded-postgres-process.ts')
      const kind = durable ? 'durable' : 'throwaway'
      const child = startChild(process.execPath, [script, dataDir, kind], { account })
      children.push(child)
      return { child, ...JSON.parse(await child.line(/^\{"how"/)) }
    },
    kill,
    stop,
    async remove() {
      await stop()
      await removeEmbeddedPostgres(dataDir)
      rmSync(parent, { recursive: true })
    },
  }
}

/** Stops a server that a killed process left running. */
async function stopEmbeddedPostgres(dataDir: string): Promise<void> {
  if (!existsSync(path.join(dataDir, 'postgres', '18', 'postmaster.pid'))) return
  const server = await openEmbeddedPostgres({ dataDir, database: 'shop', durable: false })
  await server.stop()
}

/** Deletes the Postgres of a data folder, and ends a server that a killed process left running. */
export async function removeEmbeddedPostgres(dataDir: string): Promise<void> {
  const home = path.join(dataDir, 'postgres')
  await endEmbeddedPostgres(path.join(home, CLUSTER))
  if (existsSync(home)) rmSync(realpathSync(home), { recursive: true })
}

/** Ends a server without its last checkpoint, because nothing reads its data again. */
async function endEmbeddedPostgres(cluster: string): Promise<void> {
  if (!existsSync(cluster)) return
  removeForeignPidFile(cluster)
  const pid = readPidFile(cluster)?.pid
  if (pid === undefined) return
  try {
    process.kill(pid, 'SIGQUIT')
    while (readPidFile(cluster)) {
      await delay(10)
      process.kill(pid, 0)
    }
  } catch (error) {
    if (!hasCode(error, 'ESRCH')) throw error // It has ended.
  }
}

/** Runs a statement on its own connection, and returns the rows. */
export async function query<Row>(url: string, statement: string): Promise<Row[]> {
  const { db, close } = createDatabase(url, { poolSize: 1 })
  try {
    return (await sql.raw<Row>(statement).execute(db)).rows
  } finally {
    await close()
  }
}
