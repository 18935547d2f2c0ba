import { createHash, randomBytes } from 'node:crypto'

/** What stands behind the `#` of a link: 256 random bits. */
export const drawToken = (): string => randomBytes(32).toString('base64url')

/** What is kept of it. Nobody guesses 256 bits, so a hash without a salt does. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('base64url')
