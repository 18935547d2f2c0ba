import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { hasCode } from '../startup-error.ts'

/** The contents of `postmaster.pid`, which Postgres writes while it runs. */
export interface PidFile {
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
