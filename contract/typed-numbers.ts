// Apart from `money.ts`, because every page loads that.

/**
 * Converts typed dollars such as `12.50` to a number. Returns other text as it is, and the schema of a price rejects it:
 * `12,50`, or `1,000` and `1.000`, which could be one dollar or a thousand.
 */
export const parseDollars = (text: string): number | string =>
  /^\s*-?\d{1,15}(?:\.\d{0,2})?\s*$/.test(text) ? Number(text) : text

/** Converts typed dollars. A blank text is undefined, which a schema rejects with its own message, or accepts. */
export const parseOptionalDollars = (text = ''): number | string | undefined =>
  text.trim() === '' ? undefined : parseDollars(text)
