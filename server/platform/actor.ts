import type { Permissions, StaffRole } from '../../contract/permissions.ts'

/** The author of a change, as stored in the audit history. */
export interface Actor {
  customerId: string
  /** Client IP of the request; null if unknown. */
  ip: string | null
}

/** A buyer without an account. */
export interface Guest {
  customerId: null
  permissions: Permissions
  ip: string | null
}

/** The customer who makes a request, read from the database on every request. */
export interface Caller extends Actor {
  email: string
  /** Null: not staff. Decides how a call is refused; `permissions` decide whether it is. */
  role: StaffRole | null
  /** The caller may make the calls of a customer, and those for staff with one of these. */
  permissions: Permissions
}
