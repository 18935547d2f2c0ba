import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, unlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { hasCode, StartupError, toReason } from './startup-error.ts'

/**
 * Makes the folder where it is missing and proves by writing that it can be written.
 * @throws StartupError where it can't.
 */
export function requireWritableFolder(folder: string): void {
  const probe = path.join(folder, `.probe-${randomBytes(6).toString('hex')}`)
  try {
    makeFolder(folder)
    writeFileSync(probe, '')
    unlinkSync(probe)
  } catch (error) {
    throw new StartupError(
      `The data folder ${folder} can't be written (${toReason(error)}): make it writable for this account, or set DATA_DIR to another folder.`,
      { cause: error },
    )
  }
}

/** Not Node's own recursive way, which never returns below /proc: there a folder can't be made in one that exists. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return
  makeFolder(path.dirname(folder))
  try {
    mkdirSync(folder)
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error // Another process was quicker.
  }
}
