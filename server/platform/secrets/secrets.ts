import { hkdfSync, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { linkSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hasCode } from '../errors.ts'

/**
 * Returns a secret from a file of the data folder, which only its owner can read. Creates it on first use; concurrent
 * processes get the same secret.
 */
export function loadOrCreateSecret(dataDir: string, name: string, draw: () => string): string {
  const file = join(dataDir, name)
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error
  }
  // Write a temporary file and link it, so that the secret is never read half-written.
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

/** Returns a password of four groups of four characters, without characters that look alike. */
export function generatePassword(): string {
  const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
  const characters = Array.from({ length: 16 }, () => alphabet.charAt(randomInt(alphabet.length)))
  return characters.join('').replaceAll(/(.{4})(?=.)/g, '$1-')
}

/** The secrets of the shop. The first one signs and encrypts; the previous ones only verify and decrypt. */
export type Secrets = readonly [current: string, ...previous: string[]]

/** Derives a 32-byte key from a secret of the shop. Signatures for one purpose are invalid for any other. */
export function deriveKey(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `torque-yard ${purpose}`, 32))
}

/** Derives a key from each secret, the current one first. */
export function deriveKeys([current, ...previous]: Secrets, purpose: string): [Buffer, ...Buffer[]] {
  return [deriveKey(current, purpose), ...previous.map((secret) => deriveKey(secret, purpose))]
}

/** Compares signatures or secrets. The time depends on their length only. */
export function isSameSignature(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
