import * as z from 'zod/mini'
import type { ErrorBody } from '../../../contract/errors.ts'
import { trimLine } from '../../../contract/fields.ts'

interface JsonSchema {
  type?: string
  properties?: Record<string, JsonSchema>
  items?: JsonSchema
  enum?: unknown[]
  maxLength?: number
  maxItems?: number
}

/** Returns the next text for a field of at most this length. */
export type NextText = (maxLength: number) => string

/** Values for fields that refuse a text, by the name of the field. Others get a plain text. */
export type ValidValues = Record<string, string>

const plainText = 'Plain text'
const itemCount = 2
/** Lists that need more items. */
const itemCounts: Record<string, number> = { stats: 4 }
const numbers: Record<string, number> = { latitude: 52.52, longitude: 13.405 }

/**
 * Returns a value of a schema in which each field has a text.
 *
 * @param refused paths of the fields that get a valid value instead, such as `columns.0.title`
 */
export function fillSchema(
  schema: z.ZodMiniType,
  next: NextText,
  valid: ValidValues,
  refused: ReadonlySet<string>,
): object {
  const fill = ({ type, properties = {}, items = {}, ...rest }: JsonSchema, path: string[]): unknown => {
    const names = path.filter((part) => !/^\d+$/.test(part))
    const name = names.at(-1) ?? ''
    if (rest.enum) return rest.enum.find((value) => value !== '')
    switch (type) {
      case 'object':
        return Object.fromEntries(
          Object.entries(properties).map(([key, field]) => [key, fill(field, [...path, key])]),
        )
      case 'array': {
        const length = itemCounts[name] ?? Math.min(itemCount, rest.maxItems ?? itemCount)
        return Array.from({ length }, (_, index) => fill(items, [...path, String(index)]))
      }
      case 'number':
      case 'integer':
        return numbers[name] ?? 1
      case 'boolean':
        return true
      default: {
        const text = next(rest.maxLength ?? 200)
        // The shop reads a text of direction marks as none.
        if (refused.has(path.join('.')) || trimLine(text) === '') return valid[name] ?? plainText
        return text
      }
    }
  }
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema
  return fill(json, []) as object
}

const maxAttempts = 6

type Attempt = (refused: ReadonlySet<string>) => Promise<{ status: number; body: Partial<ErrorBody> }>

/**
 * Sends a value until the shop accepts it: the fields that it names in an error then have a valid value.
 *
 * @returns the number of refused fields, or a message if the shop does not name them
 */
export async function saveHostile(what: string, attempt: Attempt): Promise<number | string> {
  const refused = new Set<string>()
  for (let count = 0; count < maxAttempts; count++) {
    const { status, body } = await attempt(refused)
    if (status === 200) return refused.size
    const named = Object.keys(body.fields ?? {}).filter((field) => !refused.has(field))
    if (![400, 422].includes(status) || named.length === 0) {
      return `${what} was refused: ${status} ${JSON.stringify(body).slice(0, 200)}`
    }
    for (const field of named) refused.add(field)
  }
  return `${what} was refused ${maxAttempts} times`
}
