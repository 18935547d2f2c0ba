import { spawn } from 'node:child_process'
import path from 'node:path'
import { executable } from './binaries.ts'
import type { ServerFolder } from './server-folder.ts'

/** The folders of the Postgres binaries and of their data. */
export interface Programs {
  binaries: string
  serverFolder: ServerFolder
}

/** A Postgres program has failed. The message is its output. */
export class ProgramFailed extends Error {}

/**
 * Runs `initdb` or `pg_ctl` in the server folder. It does not inherit the environment, which may contain secrets, PGDATA
 * or PGPORT.
 * @throws ProgramFailed if the exit code is not 0
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
    // Not 'close': on some systems the server that pg_ctl has started keeps the pipes open.
    child.on('exit', (code) => {
      setImmediate(() => {
        child.stdout.destroy()
        child.stderr.destroy()
        if (code === 0) resolve()
        else reject(new ProgramFailed(printed.trim() || `${name} exited with ${code}`))
      })
    })
  })
}
