import { type Kysely, sql } from 'kysely'
import { sizes as standardSizes } from '../../../../contract/choice.ts'
import type { Database } from '../../../../db/schema.ts'
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

/** Up to this number of variants, their products are listed, so that no variants are read for each hit. */
const maxListed = 2000

/** Returns a condition on products: one of their variants has the size. */
export async function hasSize(db: Kysely<Database>, { names }: NamedSize): Promise<Condition> {
  const sized = sql<{ product_id: string }>`
    select product_id from variants
    where removed_at is null and size is not null and lower(size) = any(${names}::text[])`
  const isStandard = standardSizes.some((size) => names.includes(size.toLowerCase()))
  // In the order of the index variants_size, the scan ends at the limit.
  const { rows } = await sql<{ product_id: string }>`
    ${sized} order by lower(size) limit ${maxListed + 1}`.execute(db)
  const condition =
    rows.length <= maxListed
      ? sql`id = any(${rows.map((row) => row.product_id)}::text[])`
      : // The inner table has no `id`, so that `id` is the product's.
        sql`(select true from (${sized}) as sized where product_id = id limit 1)`
  return isStandard ? sql`(options = 'standard' or ${condition})` : condition
}

/** A condition on products: one of their variants has a size. */
export const isSized: Condition = sql`(options = 'standard' or (
  select true from (
    select product_id from variants where removed_at is null and size is not null) as sized
  where product_id = id limit 1))`
