import { sql } from 'kysely'
import { type Condition, countConditions, type Filters, matchingRows, type ParsedQuery } from './filters.ts'

/** What is found so often in a sample is estimateRate by it: its total is then some 7 in 100 off, seldom more than 20. */
export const minSampleHits = 200

/** More than there is. */
export const unlimited = 2 ** 31 - 1

/** One in so many products, by the beginning of their ids, which are random. Each has an index; see the migration. */
const samples = [
  { samplingRate: 1024, idsBelow: '004' },
  { samplingRate: 256, idsBelow: '01' },
  { samplingRate: 64, idsBelow: '04' },
  { samplingRate: 16, idsBelow: '1' },
  { samplingRate: 4, idsBelow: '4' },
] as const

/**
 * Tables for after a `with`: `hits` are all that is found where that is little, else those in the smallest sample that has
 * minSampleHits of them. `sample.one_in` says which one that is, 1 for all; `sample.estimateRate` the one that the total is estimateRate by.
 * None is read further than is needed.
 *
 * @param least so many hits at least are wanted
 */
export function sampleHits(
  columns: Condition,
  filters: Filters,
  words: ParsedQuery,
  least = minSampleHits,
): Condition {
  const tables = samples.map(({ samplingRate, idsBelow }) => ({
    samplingRate: sql.lit(samplingRate),
    name: sql.raw(`one_in_${samplingRate}`),
    rows: sql`${matchingRows(columns, filters, { ...words, partNumber: '' })}
      and id collate "C" < ${sql.lit(idsBelow)}`,
  }))
  const smallest = (count: number) =>
    sql`case ${sql.join(
      tables.map(
        ({ name, samplingRate }) => sql`when (select count(*) from ${name}) >= ${count} then ${samplingRate}`,
      ),
      sql` `,
    )} else 1 end`
  const all = {
    samplingRate: sql.lit(1),
    name: sql.raw('unlimited'),
    rows: matchingRows(columns, filters, words),
  }
  const each = [...tables, all]
  return sql`
    filtered as materialized (
      select coalesce(sum(products), 0) as products from product_counts where ${countConditions(filters)}),
    ${sql.join(each.map(({ name, rows }) => sql`${name} as materialized (${rows})`))},
    sample as materialized (select ${smallest(Math.max(minSampleHits, least))} as one_in, ${smallest(minSampleHits)} as estimateRate),
    hits as materialized (${sql.join(
      each.map(
        ({ name, samplingRate }) =>
          sql`select * from ${name} where (select one_in from sample) = ${samplingRate}`,
      ),
      sql` union all `,
    )})`
}

/** The smallest sample that the product is in. */
export const smallestSample = sql`case ${sql.join(
  samples.map(
    ({ samplingRate, idsBelow }) =>
      sql`when id collate "C" < ${sql.lit(idsBelow)} then ${sql.lit(samplingRate)}`,
  ),
  sql` `,
)} else 1 end`

/** How many of `hits` the total is estimateRate by, and how many products each of them stands for. */
export const estimateRate = sql`
  (select estimateRate from sample) as "samplingRate",
  (select count(*) from hits where ${smallestSample} >= (select estimateRate from sample)) as counted`
