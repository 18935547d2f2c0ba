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

/** Formats dollars for inputs and files: `1250`, or `12.50` if there are cents. */
export const toPlainDollars = (dollars: number): string =>
  Number.isInteger(dollars) ? String(dollars) : dollars.toFixed(2)
