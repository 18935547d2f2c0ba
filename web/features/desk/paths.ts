export const searchPath = '/dashboard/search'

/** The page of a person by email. */
export const customerPath = (email: string): string => `/dashboard/customer?${new URLSearchParams({ email })}`
