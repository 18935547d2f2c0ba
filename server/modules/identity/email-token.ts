import { createHash, createHmac } from 'node:crypto'

/**
 * Derives the token after the `#` of an email link from the email's id, with 256 bits. A resent email has the same
 * token, because recipients drop the duplicate.
 */
export const readToken = (key: Buffer, emailId: string): string =>
  createHmac('sha256', key).update(emailId).digest('base64url')

/** Hash to store. The token has 256 unpredictable bits, so it needs no salt. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('base64url')
