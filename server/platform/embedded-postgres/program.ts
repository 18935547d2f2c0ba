import { spawn } from 'node:child_process'
import path from 'node:path'
import { executable } from './binaries.ts'
import type { ServerFolder } from './server-folder.ts'

/** The Postgres binaries, to be run in a home. */
export interface Programs {
  binaries: string
  serverFolder: ServerFolder
}

/** A program of Postgres that ended with a failure; the message is what it printed. */
export class ProgramFailed extends Error {}

/**
 * Runs `initdb` or `pg_ctl` in the home folder, with nothing of our environment but the path: no secret of the
 * shop's, and no PGDATA or PGPORT of the user's.
 * @throws ProgramFailed when it ends with anything but 0.
 */
export function runProgram(
  { binaries, serverFolder }: Programs,
  name: string,
  args: string[],
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(path.join(binaries, executable(name)), args, {
      ...serverFolder.account,
      cwd: serverFolder.folder,
      env: { PATH: process.env.PATH, SystemRoot: process.env.SystemRoot, LC_ALL: 'C' },
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    })
    let printed = ''
    child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (printed += chunk.toString()))
    child.on('error', reject)
    // Not 'close': on some systems the server that pg_ctl leaves behind keeps the pipes open.
    child.on('exit', (code) => {
      setImmediate(() => {
        child.stdout.destroy()
        child.stderr.destroy()
        if (code === 0) resolve()
        else reject(new ProgramFailed(printed.trim() || `${name} ended with ${code}`))
      })
    })
  })
}
