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

/** A sign-in at an identity provider: `iss` and `sid` of its ID tokens. */
export interface SignIn {
  issuer: string
  sid: string
}

/** The customer who makes a request, read from the database on every request. */
export interface Caller extends Actor {
  email: string
  /** Null: not staff. Decides how a call is refused; `permissions` decide whether it is. */
  role: StaffRole | null
  /** The caller may make the calls of a customer, and those for staff with one of these: none while a step is open. */
  permissions: Permissions
  /** The step of the login that staff has not passed yet, as an error code; null if none is open. */
  openStep: 'TWO_STEP_REQUIRED' | 'TWO_STEP_NOT_SET_UP' | null
  /** Null if the token does not name its sign-in. */
  signIn: SignIn | null
}
