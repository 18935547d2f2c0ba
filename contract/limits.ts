// Without schemas: a page that needs only a limit does not load them.

/** Limit of lines in a cart and in an order. */
export const maxCartLines = 50

export const maxQuantity = 1_000_000

/** The bikes that a garage can hold. */
export const maxGarageBikes = 10

/** Limit of addresses that a customer can save. */
export const maxAddresses = 20

/** The characters of a size or a colour. */
export const maxOptionLength = 60
