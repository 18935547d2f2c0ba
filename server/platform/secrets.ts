import { randomBytes } from 'node:crypto'
import { linkSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hasCode } from './startup-error.ts'

/**
 * A secret of this installation, drawn at random the first time it is asked for and kept in the data folder,
 * readable by its owner only. Two processes that ask at once get the same.
 */
export function loadOrCreateSecret(dataDir: string, name: string, draw: () => string): string {
  const file = join(dataDir, name)
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error
  }
  // Written whole beside it, then linked: no one ever reads half a secret.
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, `${draw()}\n`, { mode: 0o600 })
  try {
    linkSync(draft, file)
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  } finally {
    unlinkSync(draft)
  }
  return readFileSync(file, 'utf8').trim()
}

/** 256 random bits. */
export const generateSecret = (): string => randomBytes(32).toString('base64url')

/** A password that a person can type: 4 groups of 4 letters and digits, none of which look alike. */
export function generatePassword(): string {
  const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
  const characters = Array.from(randomBytes(64))
    // Bytes beyond the last whole round of the alphabet would favour its first letters.
    .filter((byte) => byte < alphabet.length * 8)
    .slice(0, 16)
    .map((byte) => alphabet.charAt(byte % alphabet.length))
    .join('')
  return characters.replaceAll(/(.{4})(?=.)/g, '$1-')
}
