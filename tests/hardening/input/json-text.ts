/** Text that stands in JSON as it is: numbers that no number of ours is, and what is no JSON at all. */
export class Verbatim {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** JSON as an attacker writes it: `__proto__` is a key like any other, and what is verbatim stays so. */
export function jsonText(value: unknown): string {
  if (value instanceof Verbatim) return value.text
  if (Array.isArray(value)) return `[${value.map(jsonText).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const fields = Object.entries(value).map(([key, field]) => `${JSON.stringify(key)}:${jsonText(field)}`)
  return `{${fields.join(',')}}`
}
