/** Returns a part number from the brand and a number: `GRA-004711`, or `GRA-D00012` with a series. */
export const partNumber = (brand: string, number: number, series = ''): string =>
  `${brand
    .normalize('NFD')
    .replaceAll(/[^A-Za-z]/g, '')
    .slice(0, 3)
    .toUpperCase()}-${series}${String(number).padStart(6 - series.length, '0')}`

/** Returns a GTIN-13 that starts with 2, which is reserved for use inside a shop. */
export function ownGtin(number: number): string {
  const digits = `2${String(number).padStart(11, '0')}`
  const sum = Array.from(digits).reduce(
    (sum, digit, index) => sum + Number(digit) * (index % 2 === 0 ? 1 : 3),
    0,
  )
  return `${digits}${(10 - (sum % 10)) % 10}`
}
