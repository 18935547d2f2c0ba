import { closeSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { StartupError } from '../startup-error.ts'

const SQLITE_BUSY = 5

/**
 * Runs `work` with an exclusive lock on a file, across processes and within this one.
 *
 * Node has no file locks, so this uses SQLite. The kernel releases its lock when the process dies.
 * @throws StartupError if the lock is not free after `timeoutMs`
 */
export async function withFileLock<Result>(
  lockFile: string,
  timeoutMs: number,
  work: () => Promise<Result>,
): Promise<Result> {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const release = tryLock(lockFile)
    if (release) {
      try {
        return await work()
      } finally {
        release()
      }
    }
    if (Date.now() > deadline) {
      throw new StartupError(
        `Another process is still starting the embedded database (it holds ${lockFile}). Wait for it or end it, then start again.`,
      )
    }
    await delay(25)
  }
}

function tryLock(lockFile: string): (() => void) | null {
  closeSync(openSync(lockFile, 'a', 0o600))
  const lock = new DatabaseSync(lockFile)
  try {
    lock.exec('begin exclusive')
    return () => lock.close()
  } catch (error) {
    lock.close()
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) return null
    throw error
  }
}
