/**
 * What the smallest order of a product costs, in the unit in which a piece's price is given: cents or dollars. For this
 * and no less can one buy it, so this is the price that is told to machines; what a piece costs stands beside it.
 */
export const minimumOrderPrice = (price: number, minimum: number): number => price * minimum
