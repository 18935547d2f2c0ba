import { sql } from 'kysely'
import { type Condition, type Match, matchingRows } from './filters.ts'

/** Enough sample hits for an estimate. Its error is about 7 %, rarely more than 20 %. */
export const minSampleHits = 200

export const unlimited = 2 ** 31 - 1

/**
 * Samples of one in `rate` products, by random id. Each sample is a subset of the next and has an index
 * (products_search_sample_…).
 */
const samples = [
  { rate: 64, idsBelow: '04' },
  { rate: 16, idsBelow: '1' },
  { rate: 4, idsBelow: '4' },
] as const

/**
 * Tables for a `with`. `hits` are the matching rows of the smallest sample that has at least `minHits` of them, or all
 * matching rows if no sample has. `sample.rate` is the rate of that sample, 1 for all rows. `sample.estimate_rate` is the
 * rate of the sample that the total is estimated from: it does not depend on `minHits`.
 */
export function sampleHits(columns: Condition, match: Match, minHits = minSampleHits): Condition {
  const withoutNumber = { ...match, words: match.words && { ...match.words, partNumber: '' } }
  const tables = samples.map(({ rate, idsBelow }) => ({
    rate: sql.lit(rate),
    name: sql.raw(`sample_${rate}`),
    rows: sql`${matchingRows(columns, withoutNumber)} and id collate "C" < ${sql.lit(idsBelow)}`,
  }))
  const smallest = (count: number) =>
    sql`case ${sql.join(
      tables.map(({ name, rate }) => sql`when (select count(*) from ${name}) >= ${count} then ${rate}`),
      sql` `,
    )} else 1 end`
  const all = { rate: sql.lit(1), name: sql.raw('all_hits'), rows: matchingRows(columns, match) }
  const each = [...tables, all]
  return sql`
    ${sql.join(each.map(({ name, rows }) => sql`${name} as materialized (${rows})`))},
    sample as materialized (
      select ${smallest(Math.max(minSampleHits, minHits))} as rate, ${smallest(minSampleHits)} as estimate_rate),
    hits as materialized (${sql.join(
      each.map(({ name, rate }) => sql`select * from ${name} where (select rate from sample) = ${rate}`),
      sql` union all `,
    )})`
}

/** The rate of the smallest sample that a product is in. */
export const ownRate = sql`case ${sql.join(
  samples.map(({ rate, idsBelow }) => sql`when id collate "C" < ${sql.lit(idsBelow)} then ${sql.lit(rate)}`),
  sql` `,
)} else 1 end`

/** The number of hits, estimated from the sample with the rate `sample.estimate_rate`. */
export const estimate = sql`
  (select estimate_rate from sample) > 1 as estimated,
  (select (count(*) * (select estimate_rate from sample))::integer from hits
    where ${ownRate} >= (select estimate_rate from sample)) as hits`

/** Rounds an estimate to two significant digits, because it is not more precise. */
export const displayCount = (count: number, estimated: boolean) =>
  estimated ? Number(count.toPrecision(2)) : count
