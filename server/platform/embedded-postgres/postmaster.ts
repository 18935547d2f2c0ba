import { spawnSync } from 'node:child_process'
import { readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { hasCode, StartupError, toReason } from '../errors.ts'
import { CLUSTER } from './cluster.ts'
import { ProgramFailed, type Programs, runProgram } from './programs.ts'

const LOG = 'server.log'
const LOG_SIZE_LIMIT = 5_000_000

/**
 * The server listens on loopback only. Failed statements are not logged, because they may contain personal data. Its
 * passwords are 24 random bytes: more iterations would not protect them, and each connection would take 4 ms longer.
 */
const settings = {
  scram_iterations: '1',
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  log_checkpoints: 'off',
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
}

const mebibyte = 2 ** 20
const memory = Math.min(os.totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)
const quarterOfMemory = Math.floor(memory / 4 / mebibyte)

/** The server's cache: a quarter of the memory, at most 2 GiB. It takes only the memory that it uses. */
const durableSettings = { shared_buffers: `${Math.min(quarterOfMemory, 2048)}MB` }

/** Settings for temporary data. A running autovacuum would block dropping the database. */
const throwawaySettings = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  autovacuum: 'off',
}

/** Errors that disappear within seconds: the previous server is still stopping, or the port is in use. */
const passing =
  /lock file "postmaster.pid" already exists|shared memory block|could not create any TCP\/IP sockets/

/**
 * Starts the server on a loopback port and waits until it accepts connections.
 * @returns false after a temporary error: try again with another port
 * @throws StartupError with the reason from the server's log after any other error
 */
export async function startPostmaster(programs: Programs, port: number, durable: boolean): Promise<boolean> {
  const log = path.join(programs.folder, LOG)
  if (measureSize(log) > LOG_SIZE_LIMIT) renameSync(log, `${log}.old`)
  const logged = measureSize(log)
  const all = { port: String(port), ...settings, ...(durable ? durableSettings : throwawaySettings) }
  const options = Object.entries(all).map(([name, value]) => `-c ${name}=${value}`)
  try {
    // Names relative to the server folder, because pg_ctl passes them to a shell.
    const start = ['start', '-w', '-t', '120', '-s', '-D', CLUSTER, '-l', LOG]
    await runProgram(programs, 'pg_ctl', [...start, '-o', options.join(' ')])
    return true
  } catch (error) {
    const said = measureSize(log) > logged ? readFileSync(log).subarray(logged).toString() : ''
    if (error instanceof ProgramFailed && passing.test(said)) return false
    const reason = said.split('\n').findLast((line) => /FATAL|PANIC/.test(line)) ?? toReason(error)
    throw new StartupError(
      `The embedded Postgres in ${programs.folder} could not start (${reason.replace(/^.*(FATAL|PANIC): +/, '')}). Fix this (its log is ${log}), or set DATABASE_URL to another Postgres.`,
      { cause: error },
    )
  }
}

/**
 * Stops the server, closes its connections and waits.
 * @throws ProgramFailed after 5 seconds; the server continues to stop
 */
export async function stopPostmaster(programs: Programs): Promise<void> {
  await runProgram(programs, 'pg_ctl', ['stop', '-w', '-t', '5', '-m', 'fast', '-s', '-D', CLUSTER])
}

function measureSize(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

/** The contents of `postmaster.pid`, which Postgres writes while it runs. */
interface PidFile {
  pid: number
  port: number
  folder: string
}

/** Reads `postmaster.pid`. Returns null if it is missing or incomplete. */
export function readPidFile(cluster: string): PidFile | null {
  const [pid, folder, , port] = readIfThere(path.join(cluster, 'postmaster.pid'))?.split('\n') ?? []
  return Number(pid) > 0 && Number(port) > 0 && folder
    ? { pid: Number(pid), port: Number(port), folder }
    : null
}

/**
 * Removes a stale `postmaster.pid`, which would block the start forever. Its process ID may belong to another program or
 * a zombie after a crash, or the data folder is a copy.
 * If child processes of the dead server still run, Postgres detects them by its shared memory.
 */
export function removeForeignPidFile(cluster: string): void {
  const file = readPidFile(cluster)
  if (file && (isNoServer(file.pid) || isElsewhere(file.folder, cluster))) {
    rmSync(path.join(cluster, 'postmaster.pid'), { force: true })
  }
}

/** Returns false if this is unknown or the process ID is unused: Postgres handles that case. */
function isNoServer(pid: number): boolean {
  if (process.platform === 'linux') {
    const status = readIfThere(`/proc/${pid}/stat`)
    return status !== null && !/\(postgres\) [^ZX]/.test(status)
  }
  const { stdout } = spawnSync('ps', ['-o', 'comm=', '-p', String(pid)], { encoding: 'utf8' })
  return stdout !== '' && !stdout.includes('postgres')
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ESRCH')) return null
    throw error
  }
}

function isElsewhere(folder: string, cluster: string): boolean {
  const there = statSync(folder, { throwIfNoEntry: false })
  return there !== undefined && there.ino !== statSync(cluster).ino
}
