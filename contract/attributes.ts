import * as z from 'zod/mini'
import { line, requiredLine } from './fields.ts'
import { productColumns } from './product-columns.ts'

export const maxAttributes = 12
const maxChoices = 40
const maxValueLength = 40
const maxNumber = 999_999.999

/** Rows that a product has without attributes. */
const otherNames = new Set<string>(
  [...productColumns.map(({ label }) => label), 'Origin', 'In stock', 'Minimum order'].map(toLowerCase),
)

const attributeName = requiredLine(40, 'Name is required').check(
  z.regex(/^[\p{L}\p{N}]/u, 'A name starts with a letter or a digit'),
  // A filter separates name and value by a colon.
  z.regex(/^[^:]*$/, 'A name has no colon'),
  z.refine((name: string) => !otherNames.has(toLowerCase(name)), 'A product has this value already'),
)

// The editor separates choices by commas.
const choice = requiredLine(maxValueLength, 'Choice is required').check(
  z.regex(/^[^,]*$/, 'A choice has no comma'),
)

const attributeTypes = ['number', 'choice'] as const

/** An attribute that a kind of part defines: a number, or one of the choices. */
const EditedAttribute = z
  .object({
    name: attributeName,
    type: z.enum(attributeTypes, 'Choose number or choice'),
    unit: z.optional(line(12)),
    choices: z.optional(z.array(choice).check(z.maxLength(maxChoices, `At most ${maxChoices} choices`))),
  })
  .check(({ value: { type, choices = [] }, issues }) => {
    const refuse = (message: string) =>
      issues.push({ code: 'custom', path: ['choices'], message, input: choices })
    if (type === 'number' && choices.length > 0) refuse('A number has no choices')
    if (type === 'choice' && choices.length === 0) refuse('Enter the choices, separated by commas')
    if (findRepeated(choices) !== -1) refuse('Enter each choice once')
  })

/** The attributes of a kind of part, in the order of display. An empty list: it has none. */
export const EditedKindAttributes = z.object({
  attributes: z
    .array(EditedAttribute)
    .check(z.maxLength(maxAttributes, `At most ${maxAttributes} attributes`), ({ value, issues }) => {
      const index = findRepeated(value.map(({ name }) => name))
      if (index === -1) return
      const message = 'This attribute is listed twice'
      issues.push({ code: 'custom', path: [index, 'name'], message, input: value[index]?.name })
    }),
  /** The revision of the attributes that were edited. */
  revision: z.string().check(z.maxLength(80)),
})
export type EditedKindAttributes = z.infer<typeof EditedKindAttributes>

function toLowerCase(text: string): string {
  return text.toLowerCase()
}

/** Returns the index of the first text that an earlier one equals, ignoring case, or -1. */
function findRepeated(texts: string[]): number {
  const keys = texts.map(toLowerCase)
  return keys.findIndex((key, index) => keys.indexOf(key) < index)
}

export const EditedKindName = z.object({ kind: requiredLine(80, 'Kind of part is required') })

export const Attribute = z.object({
  name: z.string(),
  type: z.enum(attributeTypes),
  unit: z.optional(z.string()),
  choices: z.optional(z.array(z.string())),
})
export type Attribute = z.infer<typeof Attribute>

export const KindAttributes = z.object({
  kind: z.string(),
  attributes: z.array(Attribute),
  /** Changes with each saved change. */
  revision: z.string(),
})
export type KindAttributes = z.infer<typeof KindAttributes>

/** The values of a product by the names of its attributes: numbers with at most three decimals, or choices. */
export const EditedAttributeValues = z.object({
  attributes: z
    .record(
      z.string().check(z.maxLength(maxValueLength)),
      z.union([z.number(), line(maxValueLength)], 'Enter a number or a choice'),
    )
    .check(
      z.refine(
        (values: object) => Object.keys(values).length <= maxAttributes,
        `At most ${maxAttributes} attributes`,
      ),
    ),
})
export type EditedAttributeValues = z.infer<typeof EditedAttributeValues>
export type AttributeValues = EditedAttributeValues['attributes']

export const AttributeValuesByName = z.record(z.string(), z.union([z.number(), z.string()]))
export const SavedAttributeValues = z.object({ attributes: AttributeValuesByName })

/** A value of a product, in the order of its kind. */
export const ProductAttribute = z.object({
  name: z.string(),
  value: z.union([z.number(), z.string()]),
  unit: z.optional(z.string()),
})
export type ProductAttribute = z.infer<typeof ProductAttribute>

const notANumber = 'Enter a number with at most three decimals'

/** Returns why a value is not valid for an attribute, or null. */
export function refuseValue({ type, choices = [] }: Attribute, value: number | string): string | null {
  if (type === 'choice') {
    const isChoice = typeof value === 'string' && choices.includes(value)
    return isChoice ? null : `Choose one of: ${choices.join(', ')}`
  }
  if (typeof value !== 'number') return notANumber
  if (Math.abs(value) > maxNumber) return 'At most six digits before the decimals'
  return Number(value.toFixed(3)) === value ? null : notANumber
}

/** Returns messages by field. Unknown attributes are errors: they may be misspelled. */
export function checkAttributeValues(defined: Attribute[], values: AttributeValues): Record<string, string> {
  const errors = Object.entries(values).flatMap(([name, value]) => {
    const attribute = defined.find((each) => each.name === name)
    const message = attribute ? refuseValue(attribute, value) : 'The kind of part has no such attribute'
    return message === null ? [] : [[`attributes.${name}`, message] as const]
  })
  return Object.fromEntries(errors)
}

/** The filter of a product list by one attribute, such as `Length:140..150`. */
export const attributeChoice = line(130).check(
  z.regex(/^[^:]+:.+$/, 'Use a name and a value, such as Length:140..150'),
)

/** The values of one attribute in a list, counted with the choices of all other filters. Numbers may be ranges. */
export const AttributeFacet = z.object({
  name: z.string(),
  type: z.enum(attributeTypes),
  unit: z.optional(z.string()),
  /** `label`: the value as people read it, such as `140–150 mm`. */
  values: z.array(z.object({ value: z.string(), label: z.string(), count: z.int() })),
  /** The counts are estimates. */
  estimated: z.boolean(),
})
export type AttributeFacet = z.infer<typeof AttributeFacet>
