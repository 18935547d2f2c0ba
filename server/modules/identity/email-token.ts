import { createHash, createHmac } from 'node:crypto'

/**
 * What stands behind the `#` of a letter's link: 256 bits that no one can tell without the key. A letter that is sent once
 * more has the same, because whoever has got it before drops the copy.
 */
export const readToken = (key: Buffer, emailId: string): string =>
  createHmac('sha256', key).update(emailId).digest('base64url')

/** What is kept of it. No one guesses 256 bits, so a hash without a salt does. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('base64url')
