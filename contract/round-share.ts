/** Returns `cents × part / whole`, rounded half up. The product can exceed the safe integers of floats. */
export function roundShare(cents: number, part: number, whole: number): number {
  const [numerator, denominator] = [BigInt(cents) * BigInt(part), BigInt(whole)]
  return Number((2n * numerator + denominator) / (2n * denominator))
}
