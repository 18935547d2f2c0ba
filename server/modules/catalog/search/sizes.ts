import { sql } from 'kysely'
import { sizes as standardSizes } from '../../../../contract/choice.ts'
import type { Condition } from './filters.ts'

/** The usual names of each size, in lower case, the shortest first. */
const sizeNames = [
  ['xxs', '2xs'],
  ['xs', 'x-small', 'extra small'],
  ['s', 'sm', 'small'],
  ['m', 'md', 'medium'],
  ['l', 'lg', 'large'],
  ['xl', 'x-large', 'extra large'],
  ['xxl', '2xl', 'xx-large'],
  ['xxxl', '3xl'],
  ['4xl', 'xxxxl'],
  ['5xl'],
]

/** A size in a search text, and the other words. */
export interface NamedSize {
  /** As riders write it, such as `XXL`. */
  name: string
  /** All names of it, in lower case. */
  names: string[]
  rest: string
}

/** Reads a size such as `helmet size L`, `jacket xxl` or `boots size 43`. Null if a text names none beside other words. */
export function readSize(typed: string): NamedSize | null {
  const words = typed.trim().split(/\s+/)
  const at = words.findIndex((word) => word.toLowerCase() === 'size')
  const place = at === -1 ? words.findLastIndex((word) => findNames(word) !== undefined) : at + 1
  const word = words[place]?.toLowerCase()
  if (word === undefined) return null
  const names = findNames(word) ?? [word]
  const rest = words.filter((_, index) => index !== at && index !== place).join(' ')
  return rest === '' ? null : { name: word.toUpperCase(), names, rest }
}

const findNames = (word: string) => sizeNames.find((names) => names.includes(word.toLowerCase()))

/** A condition on products: one of their variants has the size. */
export const hasSize = ({ names }: NamedSize): Condition => {
  const isStandard = standardSizes.some((size) => names.includes(size.toLowerCase()))
  // The inner table has no `id`, so that `id` is the product's.
  return sql`(options = 'standard' and ${sql.lit(isStandard)} or (
    select true from (select product_id, size from variants where removed_at is null) as sized
    where product_id = id and lower(size) = any(${names}::text[]) limit 1))`
}
