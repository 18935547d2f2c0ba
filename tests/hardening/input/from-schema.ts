import * as fc from 'fast-check'
import * as z from 'zod/mini'
import { texts } from './hostile-values.ts'

interface JsonSchema {
  type?: string
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  prefixItems?: JsonSchema[]
  anyOf?: JsonSchema[]
  enum?: unknown[]
  const?: unknown
  format?: string
  minimum?: number
  maximum?: number
  multipleOf?: number
  maxLength?: number
}

/** Values that exist in the shop, by field name. Random ids would find nothing. */
export type Known = Record<string, readonly unknown[]>

/** Generates values from a schema; most of them are valid. */
export function fromSchema(schema: z.ZodMiniType, known: Known): fc.Arbitrary<unknown> {
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return toValue(json as JsonSchema, '', known)
}

function toValue(schema: JsonSchema, name: string, known: Known): fc.Arbitrary<unknown> {
  const existing = known[name]
  const any = pickAny(schema, name, known)
  if (!existing || existing.length === 0) return any
  return fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...existing) }, { weight: 1, arbitrary: any })
}

function pickAny(schema: JsonSchema, name: string, known: Known): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((each) => toValue(each, name, known)))
  switch (schema.type) {
    case 'object':
      return toObject(schema, known)
    case 'array':
      if (schema.prefixItems) return fc.tuple(...schema.prefixItems.map((each) => toValue(each, name, known)))
      return fc.array(toValue(schema.items ?? {}, name, known), { maxLength: 3 })
    case 'integer':
    case 'number':
      return toNumber(schema)
    case 'boolean':
      return fc.boolean()
    default:
      return toText(schema)
  }
}

function toObject({ properties = {}, required = [] }: JsonSchema, known: Known): fc.Arbitrary<object> {
  const fields = Object.entries(properties).map(([name, field]) => [name, toValue(field, name, known)])
  return fc.record<Record<string, unknown>>(Object.fromEntries(fields), { requiredKeys: required })
}

function toNumber(schema: JsonSchema): fc.Arbitrary<number> {
  const { type, minimum = -1_000_000, maximum = 1_000_000, multipleOf = 1 } = schema
  // Prices are drawn in cents, because floats are not exact.
  const steps = 1 / multipleOf
  const [min, max] = [Math.max(minimum, -(2 ** 31)) * steps, Math.min(maximum, 2 ** 31 - 1) * steps]
  const step = fc.oneof(fc.integer({ min, max: Math.min(max, min + 20) }), fc.constantFrom(min, max))
  const exact = step.map((count) => count / steps)
  return type === 'integer' ? exact : fc.oneof(exact, fc.double())
}

function toText({ format, maxLength = 60 }: JsonSchema): fc.Arbitrary<string> {
  if (format === 'date') {
    return fc.date({ noInvalidDate: true }).map((date) => date.toISOString().slice(0, 10))
  }
  if (format === 'email') return fc.emailAddress()
  const long = Math.min(maxLength, 60)
  return fc.oneof(
    { weight: 4, arbitrary: fc.string({ maxLength: long }) },
    { weight: 4, arbitrary: fc.string({ unit: 'grapheme', maxLength: long }) },
    { weight: 1, arbitrary: fc.constant('x'.repeat(maxLength)) },
    { weight: 3, arbitrary: fc.constantFrom(...texts) },
  )
}
