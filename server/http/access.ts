import type { ErrorCode } from '../../contract/errors.ts'
import type { Access } from '../../contract/routes.ts'

/** Who does something, as it is kept with what they did. */
export interface Actor {
  customerId: string
  /** Where their request came from; null if that is not known. */
  ip: string | null
}

/** Who makes a call, read from the database at this very call. */
export interface Caller extends Actor {
  email: string
  role: 'admin' | null
}

/**
 * The code that refuses a caller at the door, or null.
 *
 * @param email the email that the call names, case folded; undefined if it names none
 */
export function refuseAccess(
  access: Access,
  caller: Caller | null,
  email: string | undefined,
): ErrorCode | null {
  if (access === 'public') return null
  if (!caller) return 'NOT_SIGNED_IN'
  const isAdmin = caller.role === 'admin'
  const isSelf = email === caller.email
  switch (access) {
    case 'signed-in':
    case 'owner':
    case 'owner-or-admin':
      return null
    case 'self':
      return isSelf ? null : 'NOT_YOURS'
    case 'self-or-admin':
      return isSelf || isAdmin ? null : 'ADMIN_REQUIRED'
    case 'admin':
      return isAdmin ? null : 'ADMIN_REQUIRED'
  }
}

/** The bearer token of an Authorization header, or null; `Bearer null` is what a browser with an empty storage sends. */
export function bearerToken(header: string | undefined): string | null {
  const token = /^Bearer +(\S+)$/i.exec(header ?? '')?.[1]
  return token === undefined || token === 'null' || token === 'undefined' ? null : token
}
