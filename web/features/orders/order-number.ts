/** Order number shown to users: the first 6 characters of the id. */
export const orderNumber = (id: string): string => id.slice(0, 6)
