import { randomBytes } from 'node:crypto'
import { mkdirSync, unlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { reasonOf, StartupError } from './startup-error.ts'

/**
 * Makes the folder where it is missing and proves by writing that it can be written.
 * @throws StartupError where it can't.
 */
export function requireWritableFolder(folder: string): void {
  const probe = path.join(folder, `.probe-${randomBytes(6).toString('hex')}`)
  try {
    mkdirSync(folder, { recursive: true })
    writeFileSync(probe, '')
    unlinkSync(probe)
  } catch (error) {
    throw new StartupError(
      `The data folder ${folder} can't be written (${reasonOf(error)}): make it writable for this account, or set DATA_DIR to another folder.`,
      { cause: error },
    )
  }
}
