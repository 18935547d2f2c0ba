import type { ReactNode } from 'react'
import type { User } from '../../../contract/customers.ts'
import {
  getPermissions,
  hasPermission,
  type Permission,
  type Permissions,
  type StaffRole,
} from '../../../contract/permissions.ts'
import { useSession } from '../identity/session.ts'

/** Returns the role of a user; undefined for a customer. A process of an earlier version sends only `role`. */
export const readStaffRole = ({ staffRole, role }: User): StaffRole | undefined => staffRole ?? role

/** Returns the permissions of the signed-in user; none on the server, which renders pages of an account without one. */
export function usePermissions(): Permissions {
  const session = useSession()
  return getPermissions(session.status === 'signed-in' ? readStaffRole(session.user) : undefined)
}

/** Renders its children if the signed-in user has the permission. */
export function IfAllowed({ permission, children }: { permission: Permission; children: ReactNode }) {
  return hasPermission(usePermissions(), permission) && children
}

export const roleNames: Record<StaffRole, string> = {
  owner: 'Owner',
  admin: 'Admin',
  editor: 'Editor',
  packer: 'Packer',
  support: 'Support',
}
