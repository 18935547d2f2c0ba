/** Returns a number of pieces with its unit, such as `1 pc` or `20 pcs`. */
export const formatPieces = (count: number): string => `${count} ${count === 1 ? 'pc' : 'pcs'}`
