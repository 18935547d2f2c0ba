import { randomBytes } from 'node:crypto'
import { chownSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { StartupError } from '../startup-error.ts'
import { ProgramFailed, type Programs, runProgram } from './program.ts'

/** The cluster's folder within its home; named for the major version, whose files no other can read. */
export const CLUSTER = '18'

/** The superuser, which only this supervisor uses. */
export const SUPERUSER = 'postgres'

/** The password of all roles of the cluster: drawn at random at its creation, readable by its account only. */
export function readPassword(folder: string): string {
  return readFileSync(path.join(folder, 'password'), 'utf8').trim()
}

/**
 * Makes the cluster where there is none yet, under a temporary name first: one that was cut short must not pass
 * for a cluster.
 * @param durable whether the new files are flushed to disk.
 * @returns whether it was made.
 */
export async function createCluster(programs: Programs, durable: boolean): Promise<boolean> {
  const { folder, account } = programs.home
  const cluster = path.join(folder, CLUSTER)
  if (existsSync(cluster)) return false

  const passwordFile = path.join(folder, 'password')
  rmSync(passwordFile, { force: true })
  writeFileSync(passwordFile, randomBytes(24).toString('base64url'), { mode: 0o600, flag: 'wx' })
  if (account) chownSync(passwordFile, account.uid, account.gid)

  const unfinished = `${CLUSTER}.new`
  rmSync(path.join(folder, unfinished), { recursive: true, force: true })
  await initialize(programs, unfinished, durable)
  renameSync(path.join(folder, unfinished), cluster)
  return true
}

async function initialize(programs: Programs, cluster: string, durable: boolean): Promise<void> {
  const args = ['-D', cluster, '-U', SUPERUSER, '-A', 'scram-sha-256', '--pwfile', 'password']
  const text = ['-E', 'UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--lc-messages=C']
  try {
    await runProgram(programs, 'initdb', [...args, ...text, ...(durable ? [] : ['--no-sync'])])
  } catch (error) {
    throw new StartupError(
      `The embedded Postgres could not create its database in ${programs.home.folder} (${reasonFor(error)}): mend that, or set DATA_DIR to a folder on another disk.`,
      { cause: error },
    )
  }
}

function reasonFor(error: unknown): string {
  if (!(error instanceof ProgramFailed)) return String(error)
  const lines = error.message.split('\n')
  return lines.findLast((line) => /error|fatal/i.test(line)) ?? lines.at(-1) ?? error.message
}
