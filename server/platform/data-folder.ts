import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, unlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { hasCode, StartupError, toReason } from './errors.ts'

/**
 * Creates the folder if it is missing, and checks by a test file that it is writable.
 * @throws StartupError if it is not writable
 */
export function requireWritableFolder(folder: string): void {
  const probe = path.join(folder, `.probe-${randomBytes(6).toString('hex')}`)
  try {
    makeFolder(folder)
    writeFileSync(probe, '')
    unlinkSync(probe)
  } catch (error) {
    throw new StartupError(
      `The data folder ${folder} can't be written (${toReason(error)}). Make it writable for this account, or set DATA_DIR to another folder.`,
      { cause: error },
    )
  }
}

/** Replaces Node's `recursive` option, which never returns below /proc. */
export function makeFolder(folder: string): void {
  if (existsSync(folder)) return
  makeFolder(path.dirname(folder))
  try {
    mkdirSync(folder)
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error // Another process has created it.
  }
}
