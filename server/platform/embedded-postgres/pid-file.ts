import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { hasCode } from '../startup-error.ts'

/** What Postgres writes about itself into its data folder while it runs. */
export interface PidFile {
  pid: number
  port: number
  folder: string
}

/** Reads `postmaster.pid` of a cluster; null if there is none, or where it is being written. */
export function readPidFile(cluster: string): PidFile | null {
  const [pid, folder, , port] = readIfThere(path.join(cluster, 'postmaster.pid'))?.split('\n') ?? []
  return Number(pid) > 0 && Number(port) > 0 && folder
    ? { pid: Number(pid), port: Number(port), folder }
    : null
}

/**
 * Removes a `postmaster.pid` that speaks of another process, which Postgres would heed forever: after a crash its
 * number went to another program, or to a zombie that no one buries; or the data folder was copied from one in use.
 * Should processes of the dead server live on, Postgres knows it by its shared memory and waits for them.
 */
export function removeForeignPidFile(cluster: string): void {
  const file = readPidFile(cluster)
  if (file && (isNoServer(file.pid) || isElsewhere(file.folder, cluster))) {
    rmSync(path.join(cluster, 'postmaster.pid'), { force: true })
  }
}

/** False if it can't be told, and for a number that no one has: Postgres sees to that itself. */
function isNoServer(pid: number): boolean {
  if (process.platform === 'win32') return false
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
