/** Whether a product can be bought: there are at least as many as the smallest order takes. */
export const isAvailable = (stock: number, minimum: number): boolean => stock >= minimum
