import { createHash } from 'node:crypto'
import { CompactEncrypt, compactDecrypt, errors } from 'jose'
import { Secret, TOTP } from 'otpauth'
import { encode } from 'uqr'
import type { TwoStepSetup } from '../../../../contract/two-step.ts'
import { deriveKeys, generatePassword, type Secrets } from '../../../platform/secrets/secrets.ts'

/** The keys that encrypt the stored keys of authenticator apps; the first one encrypts, each decrypts. */
export type StorageKeys = readonly [Buffer, ...Buffer[]]

export const deriveStorageKeys = (secrets: Secrets): StorageKeys => deriveKeys(secrets, 'two-step login')

/** Returns a new key for an authenticator app: 160 random bits in base32 (RFC 4226). */
export const generateAppKey = (): string => new Secret({ size: 20 }).base32

/** Encrypts a key of an app for the database. */
export const encryptAppKey = (appKey: string, [current]: StorageKeys): Promise<string> =>
  new CompactEncrypt(new TextEncoder().encode(appKey))
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .encrypt(current)

/** Returns null if it was encrypted with another secret. `isCurrent`: with the current one. */
export async function decryptAppKey(
  stored: string,
  keys: StorageKeys,
): Promise<{ appKey: string; isCurrent: boolean } | null> {
  for (const key of keys) {
    try {
      const { plaintext } = await compactDecrypt(stored, key, {
        keyManagementAlgorithms: ['dir'],
        contentEncryptionAlgorithms: ['A256GCM'],
      })
      return { appKey: new TextDecoder().decode(plaintext), isCurrent: key === keys[0] }
    } catch (error) {
      if (!(error instanceof errors.JWEDecryptionFailed)) throw error
    }
  }
  return null
}

/** Removes spaces and hyphens, in which people type codes. */
export const normalizeCode = (typed: string): string => typed.replaceAll(/[\s-]/g, '').toLowerCase()

export const isAppCode = (code: string): boolean => /^\d{6}$/.test(code)

/**
 * Returns the time step of a code (RFC 6238), or null if the code is wrong. The clock of the app may be one step of 30 s
 * ahead or behind. The comparison takes the same time for each code.
 */
export function findStep(appKey: string, code: string, now = Date.now()): number | null {
  const delta = TOTP.validate({
    token: code,
    secret: Secret.fromBase32(appKey),
    window: 1,
    timestamp: now,
  })
  return delta === null ? null : TOTP.counter({ timestamp: now }) + delta
}

const recoveryCodeCount = 10

/** Returns ten codes of 16 characters, which have 79 random bits. */
export const generateRecoveryCodes = (): string[] =>
  Array.from({ length: recoveryCodeCount }, generatePassword)

/** The stored form. A code has 79 random bits, so it needs no salt. */
export const hashRecoveryCode = (code: string): string =>
  createHash('sha256').update(normalizeCode(code)).digest('base64url')

/** Returns what an app needs to add the account. */
export function presentAppKey(appKey: string, account: { shopName: string; email: string }): TwoStepSetup {
  const uri = new TOTP({ issuer: account.shopName, label: account.email, secret: appKey }).toString()
  return { uri, key: appKey, qrCode: drawQrCode(uri) }
}

/** The margin of 4 units is part of the standard. */
function drawQrCode(text: string): TwoStepSetup['qrCode'] {
  const { data } = encode(text, { ecc: 'M', border: 4 })
  const path = data.map((row, y) => {
    const units = row.map((isDark) => (isDark ? '1' : '0')).join('')
    return [...units.matchAll(/1+/g)]
      .map(({ 0: run, index }) => `M${index},${y}h${run.length}v1h-${run.length}z`)
      .join('')
  })
  return { size: data.length, path: path.join('') }
}
