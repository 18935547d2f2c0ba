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

/** Reads `postmaster.pid` of a cluster; null where there is none, or where it is being written. */
export function readPidFile(cluster: string): PidFile | null {
  const [pid, folder, , port] = readIfThere(path.join(cluster, 'postmaster.pid'))?.split('\n') ?? []
  return Number(pid) > 0 && Number(port) > 0 && folder
    ? { pid: Number(pid), port: Number(port), folder }
    : null
}

/**
 * Removes a `postmaster.pid` that speaks of another process: after a crash its number may have gone to another
 * program, or the data folder was copied from one in use. Postgres would refuse to start for ever.
 */
export function removeForeignPidFile(cluster: string): void {
  const file = readPidFile(cluster)
  if (!file || !isAlive(file.pid)) return // Postgres itself sees that a dead process's file is stale.
  const isServer = programOf(file.pid)?.includes('postgres') ?? true
  if (!isServer || isElsewhere(file.folder, cluster)) rmSync(path.join(cluster, 'postmaster.pid'))
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return hasCode(error, 'EPERM')
  }
}

/** The name of the program that runs as this process; null where it can't be told. */
function programOf(pid: number): string | null {
  if (process.platform === 'win32') return null
  if (process.platform === 'linux') return readIfThere(`/proc/${pid}/comm`)
  return spawnSync('ps', ['-o', 'comm=', '-p', String(pid)], { encoding: 'utf8' }).stdout || null
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
