/** Text to insert into JSON unchanged: numbers that JavaScript cannot represent, or invalid JSON. */
export class Verbatim {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** Serializes to JSON and inserts `Verbatim` text unchanged. */
export function jsonText(value: unknown): string {
  if (value instanceof Verbatim) return value.text
  if (Array.isArray(value)) return `[${value.map(jsonText).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const fields = Object.entries(value).map(([key, field]) => `${JSON.stringify(key)}:${jsonText(field)}`)
  return `{${fields.join(',')}}`
}
