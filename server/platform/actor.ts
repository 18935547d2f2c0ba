/** The author of a change, as stored in the audit history. */
export interface Actor {
  customerId: string
  /** Client IP of the request; null if unknown. */
  ip: string | null
}

/** A buyer without an account. */
export interface Guest {
  customerId: null
  role: null
  ip: string | null
}

/** The customer who makes a request, read from the database on every request. */
export interface Caller extends Actor {
  email: string
  role: 'admin' | null
}
