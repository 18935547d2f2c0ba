/** Order number shown to users: the first 6 characters of the id. */
export const orderNumber = (id: string): string => id.slice(0, 6)

/** Returns a typed order number without the `#` that emails and screens show before it. */
export const dropHash = (number: string): string => number.replace(/^#\s*/, '')

/** Names an order by its typed number: `#a1b2c3`, or other words in quotation marks, such as `“Order #a1b2c3”`. */
export function nameOrder(typed: string): string {
  const number = dropHash(typed)
  return /^[\p{L}\p{N}-]+$/u.test(number) ? `#${number}` : `“${typed}”`
}

/** The text of the bar code on a packing slip: long enough to be unique, and not the length of a GTIN. */
export const toSlipCode = (orderId: string): string => orderId.slice(0, 16)
