import { type Kysely, sql } from 'kysely'
import { describeFilterValue, readRange, toRangeText } from '../../../../contract/attribute-values.ts'
import type { Attribute, AttributeFacet } from '../../../../contract/attributes.ts'
import type { Database } from '../../../../db/schema.ts'
import type { Condition, Match } from './filters.ts'
import { canMatch } from './parse-query.ts'
import { displayCount, sampleHits } from './sampling.ts'
import type { ChosenAttribute } from './types.ts'

/** With more numbers, the filter has ranges of them. */
const maxListedNumbers = 8
const maxRanges = 6

/** A value of an attribute with its products. */
interface Counted {
  name: string
  value: string | number
  count: number
  estimated: boolean
}

/**
 * Counts the values of a kind's attributes among the hits, or in a sample of them. An attribute is counted with only the
 * choices of the others, so that another value can be chosen. `product_counts` has no attributes: with their values it
 * would have almost as many rows as products.
 */
export async function countAttributes(
  db: Kysely<Database>,
  match: Match,
  defined: Attribute[],
): Promise<AttributeFacet[]> {
  const chosen = match.attributes ?? []
  const isChosen = (name: string) => chosen.some((each) => each.name === name)
  const sets = [
    { names: defined.map(({ name }) => name).filter((name) => !isChosen(name)), attributes: chosen },
    ...chosen.map(({ name }) => ({
      names: [name],
      attributes: chosen.filter((other) => other.name !== name),
    })),
  ].filter(({ names }) => names.length > 0)
  const isPossible = sets.length > 0 && (!match.words || canMatch(match.words, match.chosen))
  const counted = isPossible
    ? await sql<Counted>`${sql.join(
        sets.map(({ names, attributes }) => countValues({ ...match, attributes }, names)),
        sql` union all `,
      )}`.execute(db)
    : { rows: [] }
  return defined.map((attribute) => toFacet(attribute, counted.rows, chosen))
}

const countValues = (match: Match, names: string[]): Condition => sql`(
  with ${sampleHits(sql`attributes`, match)}
  select name, value, count(*)::integer * rate as count, rate > 1 as estimated
  from sample, hits, jsonb_each(attributes) as each (name, value)
  where name = any(${names}::text[]) group by name, value, rate)`

function toFacet(
  { name, type, unit, choices = [] }: Attribute,
  rows: Counted[],
  chosen: ChosenAttribute[],
): AttributeFacet {
  const own = rows.filter((row) => row.name === name)
  const counts = own.flatMap(({ value, count }) =>
    typeof value === 'number' && type === 'number' ? [{ value, count }] : [],
  )
  const chosenValues = chosen.find((each) => each.name === name)
  const ofChoices = choices.flatMap((choice) => {
    const count = own.find(({ value }) => value === choice)?.count ?? 0
    // A chosen value without products is listed as well, so that it can be removed.
    return count > 0 || chosenValues?.values.includes(choice) ? [{ value: choice, count }] : []
  })
  const ranges = chosenValues?.ranges.map(toRangeText) ?? []
  const values = type === 'choice' ? ofChoices : countNumbers(counts, ranges)
  const estimated = own.some((row) => row.estimated)
  return {
    name,
    type,
    unit,
    values: values.map(({ value, count }) => ({
      value,
      label: describeFilterValue({ type, unit }, value),
      count: displayCount(count, estimated),
    })),
    estimated,
  }
}

/**
 * Few numbers are listed each; many are divided into ranges with about as many products.
 *
 * @param chosen texts of ranges that are listed as well
 */
export function countNumbers(
  numbers: { value: number; count: number }[],
  chosen: string[] = [],
): { value: string; count: number }[] {
  const sorted = numbers.toSorted((a, b) => a.value - b.value)
  const listed = sorted.length <= maxListedNumbers ? sorted.map(({ value }) => `${value}`) : divide(sorted)
  const texts = [...chosen.filter((text) => !listed.includes(text)), ...listed]
  return texts.map((text) => {
    const { from, to } = readRange(text) ?? { from: 0, to: 0 }
    const within = sorted.filter(({ value }) => value >= from && value <= to)
    return { value: text, count: within.reduce((sum, { count }) => sum + count, 0) }
  })
}

/** Returns the texts of ranges that begin and end with a number of the list. */
function divide(sorted: { value: number; count: number }[]): string[] {
  const ranges: string[] = []
  let rest = sorted.reduce((sum, { count }) => sum + count, 0)
  let [from, sum] = [0, 0]
  for (const [index, { value, count }] of sorted.entries()) {
    sum += count
    const isFull = sum >= rest / (maxRanges - ranges.length)
    if (!isFull && index < sorted.length - 1) continue
    ranges.push(toRangeText({ from: sorted[from]?.value ?? value, to: value }))
    rest -= sum
    sum = 0
    from = index + 1
  }
  return ranges
}
