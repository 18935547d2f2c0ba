// Apart from `money.ts`, because every page loads that.

/**
 * Converts a typed decimal comma to a point. In some regions the decimal keypad of a phone has only a comma. A comma before
 * three digits stays: `1,000` could be one or a thousand.
 */
export const toDecimalPoint = (text: string): string => text.replace(/,(?=\d{1,2}\s*$)/, '.')

/**
 * Converts typed dollars such as `12.50` or `12,50` to a number. Returns other text as it is, and the schema of a price
 * rejects it: `1,000` and `1.000` could be one dollar or a thousand.
 */
export function parseDollars(text: string): number | string {
  const plain = toDecimalPoint(text)
  return /^\s*-?\d{1,15}(?:\.\d{0,2})?\s*$/.test(plain) ? Number(plain) : text
}

/** Converts typed dollars. A blank text is undefined, which a schema rejects with its own message, or accepts. */
export const parseOptionalDollars = (text = ''): number | string | undefined =>
  text.trim() === '' ? undefined : parseDollars(text)

/**
 * Converts a typed whole number. Allows `12.0` or `12,00`, as spreadsheet programs format numbers. Other text becomes a value
 * that the rules reject: `30.000` could be thirty or thirty thousand.
 */
export function toWholeNumber(text: string): number {
  const [, whole] = /^(-?\d{1,15})(?:[.,]0{1,2})?$/.exec(text.trim()) ?? []
  // The contract rejects 0.5 with the message that a whole number is needed.
  return whole === undefined ? 0.5 : Number(whole)
}

/**
 * Converts a typed whole number, or the number of a form that is not edited. A blank text is undefined, which a schema
 * rejects with its own message, or accepts.
 */
export const toOptionalWholeNumber = (text: string | number = ''): number | undefined =>
  String(text).trim() === '' ? undefined : toWholeNumber(String(text))

/** Formats dollars for inputs and files: `1250`, or `12.50` if there are cents. */
export const toPlainDollars = (dollars: number): string =>
  Number.isInteger(dollars) ? String(dollars) : dollars.toFixed(2)
