import { readAttributeChoice, readRange } from '../../../../contract/attribute-values.ts'
import {
  type Attribute,
  type AttributeValues,
  type ProductAttribute,
  refuseValue,
} from '../../../../contract/attributes.ts'
import type { ChosenAttribute } from '../search/search.ts'

/** The values that the kind of the product defines, in its order. Others are hidden: the kind or the attribute has changed. */
export const presentValues = (defined: Attribute[], values: AttributeValues): ProductAttribute[] =>
  defined.flatMap((attribute) => {
    const value = Object.hasOwn(values, attribute.name) ? values[attribute.name] : undefined
    if (value === undefined || refuseValue(attribute, value) !== null) return []
    return [{ name: attribute.name, value, unit: attribute.unit }]
  })

/** An attribute in the history of its kind: `Pitch: 520, 525`, `Length: number, mm`. */
export const describeAttribute = ({ name, type, unit, choices = [] }: Attribute): string =>
  [`${name}: ${type === 'number' ? type : choices.join(', ')}`, unit].filter(Boolean).join(', ')

/** Returns the texts of a filter that are valid for the attributes of a kind. */
export const findValidChoices = (defined: Attribute[], texts: string[]): string[] =>
  texts.filter((text) => {
    const { name, value } = readAttributeChoice(text)
    const attribute = defined.find((each) => each.name === name)
    if (attribute?.type === 'number') return readRange(value) !== null
    return attribute?.choices?.includes(value) === true
  })

/** Groups valid texts of a filter by attribute: several values of one mean *or*. */
export function groupChoices(defined: Attribute[], texts: string[]): ChosenAttribute[] {
  const choices = texts.map(readAttributeChoice)
  return defined.flatMap(({ name, type }): ChosenAttribute[] => {
    const values = choices.flatMap((each) => (each.name === name ? [each.value] : []))
    if (values.length === 0) return []
    if (type === 'choice') return [{ name, values, ranges: [] }]
    return [{ name, values: [], ranges: values.flatMap((value) => readRange(value) ?? []) }]
  })
}
