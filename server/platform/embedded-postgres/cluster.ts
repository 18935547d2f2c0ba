import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { StartupError, toReason } from '../errors.ts'
import { ProgramFailed, type Programs, runProgram } from './programs.ts'
import { chownTo } from './server-folder.ts'

/** Folder of the cluster. Named after the Postgres major version, because the file format depends on it. */
export const CLUSTER = '18'

/** The superuser. The shop's queries use another role. */
export const SUPERUSER = 'postgres'

/**
 * Returns the password of all roles, generated with the cluster. Only the server's account can read the file.
 * @throws StartupError if it cannot be read
 */
export function readPassword(folder: string): string {
  const file = path.join(folder, 'password')
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw new StartupError(
      `The password of the embedded Postgres can't be read (${toReason(error)}). Restore ${file}, or set DATA_DIR to another folder.`,
      { cause: error },
    )
  }
}

/**
 * Creates the cluster if it does not exist. It is created under a temporary name, so that an incomplete one is not used.
 * @param durable whether the new files are flushed to disk
 * @returns whether it was created
 * @throws StartupError if it cannot be created
 */
export async function createCluster(programs: Programs, durable: boolean): Promise<boolean> {
  const { folder, account } = programs
  const cluster = path.join(folder, CLUSTER)
  if (existsSync(cluster)) return false
  const unfinished = `${CLUSTER}.new-`
  const name = `${unfinished}${randomBytes(4).toString('hex')}`
  try {
    // A running initdb of a killed process may still write to its cluster; it ends when its files are gone.
    for (const entry of readdirSync(folder).filter((each) => each.startsWith(unfinished))) {
      rmSync(path.join(folder, entry), { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
    }
    const password = path.join(folder, 'password')
    rmSync(password, { force: true })
    writeFileSync(password, randomBytes(24).toString('base64url'), { mode: 0o600, flag: 'wx' })
    if (account) chownTo(account, password)
    const login = ['-U', SUPERUSER, '-A', 'scram-sha-256', '--pwfile', 'password']
    const text = ['-E', 'UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--lc-messages=C']
    await runProgram(programs, 'initdb', ['-D', name, ...login, ...text, ...(durable ? [] : ['--no-sync'])])
    renameSync(path.join(folder, name), cluster)
    return true
  } catch (error) {
    throw new StartupError(
      `The embedded Postgres could not create its database in ${folder} (${reasonFor(error)}). Fix this, or set DATA_DIR to another folder.`,
      { cause: error },
    )
  }
}

function reasonFor(error: unknown): string {
  if (!(error instanceof ProgramFailed)) return toReason(error)
  const lines = error.message.split('\n')
  return lines.findLast((line) => /error|fatal/i.test(line)) ?? lines.at(-1) ?? error.message
}
