import { readFileSync, statfsSync } from 'node:fs'
import { freemem } from 'node:os'

const folder = '/dev/shm'
const gibibyte = 2 ** 30
/** More than all data of the tests, and as much again for their processes. */
const [minRoom, minMemory] = [4 * gibibyte, 8 * gibibyte]

/**
 * Puts temporary files into memory if there is plenty: the tests write thousands of files of databases, which nothing
 * reads after a crash of the machine. TMPDIR overrides it. Child processes get the same folder.
 */
export function useMemory(): void {
  if (process.platform !== 'linux' || process.env.TMPDIR !== undefined) return
  if (isUsable()) process.env.TMPDIR = folder
}

function isUsable(): boolean {
  const mount = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .findLast((line) => line.split(' ')[1] === folder)
  // Root copies the programs of Postgres beside the data if its account cannot read them.
  if (!mount || /\bnoexec\b/.test(mount)) return false
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize >= minRoom && freemem() >= minMemory
}
