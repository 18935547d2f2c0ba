import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { StartupError, toReason } from '../startup-error.ts'
import { chownTo } from './account.ts'
import { ProgramFailed, type Programs, runProgram } from './program.ts'
import type { ServerFolder } from './server-folder.ts'

/** The cluster's folder within its home; named for the major version, whose files no other can read. */
export const CLUSTER = '18'

/** The superuser, which only this supervisor uses. */
export const SUPERUSER = 'postgres'

/**
 * The password of all roles of the cluster: drawn at random at its creation, readable by its account only.
 * @throws StartupError where it is gone.
 */
export function readPassword(folder: string): string {
  const file = path.join(folder, 'password')
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw new StartupError(
      `The password of the embedded Postgres can't be read (${toReason(error)}): bring back ${file}, or set DATA_DIR to another folder.`,
      { cause: error },
    )
  }
}

/**
 * Makes the cluster where there is none yet, under a temporary name first: one that was cut short must not pass
 * for a cluster.
 * @param durable whether the new files are flushed to disk.
 * @returns whether it was made.
 * @throws StartupError where it can't be made.
 */
export async function createCluster(programs: Programs, durable: boolean): Promise<boolean> {
  const { folder } = programs.serverFolder
  const cluster = path.join(folder, CLUSTER)
  if (existsSync(cluster)) return false
  const unfinished = `${CLUSTER}.new-${randomBytes(4).toString('hex')}`
  try {
    removeUnfinished(folder)
    writePassword(programs.serverFolder)
    await initialize(programs, unfinished, durable)
    renameSync(path.join(folder, unfinished), cluster)
    return true
  } catch (error) {
    throw new StartupError(
      `The embedded Postgres could not create its database in ${folder} (${reasonFor(error)}): mend that, or set DATA_DIR to another folder.`,
      { cause: error },
    )
  }
}

/** What a starter that was killed left behind; its initdb may still be writing, and ends when its files are gone. */
function removeUnfinished(folder: string): void {
  for (const entry of readdirSync(folder).filter((name) => name.startsWith(`${CLUSTER}.new-`))) {
    rmSync(path.join(folder, entry), { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
  }
}

function writePassword({ folder, account }: ServerFolder): void {
  const file = path.join(folder, 'password')
  rmSync(file, { force: true })
  writeFileSync(file, randomBytes(24).toString('base64url'), { mode: 0o600, flag: 'wx' })
  if (account) chownTo(account, file)
}

async function initialize(programs: Programs, cluster: string, durable: boolean): Promise<void> {
  const login = ['-U', SUPERUSER, '-A', 'scram-sha-256', '--pwfile', 'password']
  const text = ['-E', 'UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--lc-messages=C']
  await runProgram(programs, 'initdb', ['-D', cluster, ...login, ...text, ...(durable ? [] : ['--no-sync'])])
}

function reasonFor(error: unknown): string {
  if (!(error instanceof ProgramFailed)) return toReason(error)
  const lines = error.message.split('\n')
  return lines.findLast((line) => /error|fatal/i.test(line)) ?? lines.at(-1) ?? error.message
}
