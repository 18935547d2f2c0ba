import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, unlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { StartupError, toReason } from './errors.ts'

/**
 * Creates the folder if it is missing, and checks by a test file that it is writable.
 * @throws StartupError if it is not writable
 */
export function requireWritableFolder(folder: string): void {
  const probe = path.join(folder, `.probe-${randomBytes(6).toString('hex')}`)
  try {
    if (!existsSync(folder)) mkdirSync(folder, { recursive: true })
    writeFileSync(probe, '')
    unlinkSync(probe)
  } catch (error) {
    throw new StartupError(
      `The data folder ${folder} can't be written (${toReason(error)}). Make it writable for this account, or set DATA_DIR to another folder.`,
      { cause: error },
    )
  }
}
