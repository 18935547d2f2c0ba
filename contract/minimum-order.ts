/**
 * Returns the price of the minimum order, in the unit of `price`. Structured data and the feed use it, because
 * customers cannot pay less; the price of one piece is given as well.
 */
export const minimumOrderPrice = (price: number, minimum: number): number => price * minimum
