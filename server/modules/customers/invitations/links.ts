import { createHmac } from 'node:crypto'
import { deriveKeys, isSameSignature, type Secrets } from '../../../platform/secrets/secrets.ts'

/** The parts of an invitation that its token depends on. */
interface Linked {
  id: string
  version: number
}

export type InvitationLinks = ReturnType<typeof createInvitationLinks>

/** Links of invitations. No table contains their tokens: they are derived from the shop's secret. */
export function createInvitationLinks(origin: string, secrets: Secrets) {
  const keys = deriveKeys(secrets, 'invitations')
  const signWith = (key: Buffer, { id, version }: Linked) =>
    createHmac('sha256', key).update(`${id}:${version}`).digest('base64url')
  return {
    /** The token follows the `#`, so it appears in no log and no Referer header. */
    toUrl: (invitation: Linked): string => `${origin}/join#${invitation.id}.${signWith(keys[0], invitation)}`,
    /** Returns the id in a token, which is not checked yet. */
    readId: (token: string): string => token.split('.')[0] ?? '',
    /** Compares in constant time. */
    isValid: (invitation: Linked, token: string): boolean =>
      keys.some((key) => isSameSignature(token, `${invitation.id}.${signWith(key, invitation)}`)),
  }
}
