export const searchPath = '/dashboard/search'

/** The page of a person by email. */
export const customerPath = (email: string): string => `/dashboard/customer?${new URLSearchParams({ email })}`

/** The page on which an admin orders for a caller, with or without the email of a known person. */
export const newOrderPath = (email = ''): string =>
  `/dashboard/new-order${email && `?${new URLSearchParams({ email })}`}`
