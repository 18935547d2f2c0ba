/** Returns whether the stock is enough for the minimum order. */
export const isAvailable = (stock: number, minimum: number): boolean => stock >= minimum
