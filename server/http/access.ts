import type { ErrorCode } from '../../contract/errors.ts'
import { hasPermission } from '../../contract/permissions.ts'
import type { Route } from '../../contract/routes.ts'
import type { Caller } from '../platform/actor.ts'

/**
 * Returns an error code if the caller may not make the call, else null.
 *
 * @param access, permission of the route
 * @param email the email in the path or query, in lower case; undefined if there is none
 * @param hasOrderKey whether the header `Order-Key` is there
 */
export function refuseAccess(
  { access, permission }: Pick<Route, 'access' | 'permission'>,
  caller: Caller | null,
  { email, hasOrderKey }: { email: string | undefined; hasOrderKey: boolean },
): ErrorCode | null {
  if (access === 'public') return null
  // The handler checks the key.
  if (access.endsWith('-or-key') && hasOrderKey) return null
  if (!caller) return 'NOT_SIGNED_IN'
  const isAllowed = hasPermission(caller.permissions, permission)
  const refusal = caller.role === null ? 'ADMIN_REQUIRED' : (caller.openStep ?? 'NOT_ALLOWED')
  const isSelf = email === caller.email
  switch (access) {
    case 'signed-in':
    case 'owner':
    case 'owner-or-staff':
    case 'owner-or-key':
    case 'owner-staff-or-key':
      return null
    case 'self':
      return isSelf ? null : 'NOT_YOURS'
    case 'self-or-staff':
      return isSelf || isAllowed ? null : refusal
    case 'staff':
      return isAllowed ? null : refusal
  }
}

/** Returns the bearer token or null. Browser clients with an empty storage send `Bearer null`. */
export function bearerToken(header: string | undefined): string | null {
  const token = /^Bearer +(\S+)$/i.exec(header ?? '')?.[1]
  return token === undefined || token === 'null' || token === 'undefined' ? null : token
}
