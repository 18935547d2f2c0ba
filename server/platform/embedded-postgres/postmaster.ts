import { readFileSync, renameSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { StartupError, toReason } from '../startup-error.ts'
import { CLUSTER } from './cluster.ts'
import { ProgramFailed, type Programs, runProgram } from './program.ts'

const LOG = 'server.log'
const LOG_SIZE_LIMIT = 5_000_000

/**
 * The server listens on loopback only. Failed statements are not logged, because they may contain personal data.
 */
const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  log_checkpoints: 'off',
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
}

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
  const log = path.join(programs.serverFolder.folder, LOG)
  rotate(log)
  const logged = measureSize(log)
  const all = { port: String(port), ...settings, ...(durable ? {} : throwawaySettings) }
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
      `The embedded Postgres in ${programs.serverFolder.folder} could not start (${reason.replace(/^.*(FATAL|PANIC): +/, '')}). Fix this (its log is ${log}), or set DATABASE_URL to another Postgres.`,
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

/** Returns a free loopback port. */
export function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      const port = typeof address === 'object' ? address?.port : undefined
      server.close(() => (port ? resolve(port) : reject(new Error('no free port'))))
    })
  })
}

function rotate(log: string): void {
  if (measureSize(log) > LOG_SIZE_LIMIT) renameSync(log, `${log}.old`)
}

function measureSize(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}
