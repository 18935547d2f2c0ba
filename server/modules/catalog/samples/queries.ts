import { sql } from 'kysely'
import { type Condition, type Filters, found, summaryOf, type Words } from '../filters/queries.ts'

/** What is found so often in a sample is judged by it: its total is then some 7 in 100 off, seldom more than 20. */
export const enough = 200

/** More than there is. */
export const everything = 2 ** 31 - 1

/** One in so many products, by the beginning of their ids, which are random. Each has an index; see the migration. */
const samples = [
  { oneIn: 1024, idsBelow: '004' },
  { oneIn: 256, idsBelow: '01' },
  { oneIn: 64, idsBelow: '04' },
  { oneIn: 16, idsBelow: '1' },
  { oneIn: 4, idsBelow: '4' },
] as const

/**
 * Tables for after a `with`: `hits` are all that is found where that is little, else those in the smallest sample that has
 * enough of them. `sample.one_in` says which one that is, 1 for all; `sample.judged` the one that the total is judged by.
 * None is read further than is needed.
 *
 * @param least so many hits at least are wanted
 */
export function drawn(columns: Condition, filters: Filters, words: Words, least = enough): Condition {
  const tables = samples.map(({ oneIn, idsBelow }) => ({
    oneIn: sql.lit(oneIn),
    name: sql.raw(`one_in_${oneIn}`),
    rows: sql`${found(columns, filters, { ...words, partNumber: '' })}
      and id collate "C" < ${sql.lit(idsBelow)}`,
  }))
  const smallest = (count: number) =>
    sql`case ${sql.join(
      tables.map(({ name, oneIn }) => sql`when (select count(*) from ${name}) >= ${count} then ${oneIn}`),
      sql` `,
    )} else 1 end`
  const all = { oneIn: sql.lit(1), name: sql.raw('everything'), rows: found(columns, filters, words) }
  const each = [...tables, all]
  return sql`
    filtered as materialized (
      select coalesce(sum(products), 0) as products from product_counts where ${summaryOf(filters)}),
    ${sql.join(each.map(({ name, rows }) => sql`${name} as materialized (${rows})`))},
    sample as materialized (select ${smallest(Math.max(enough, least))} as one_in, ${smallest(enough)} as judged),
    hits as materialized (${sql.join(
      each.map(({ name, oneIn }) => sql`select * from ${name} where (select one_in from sample) = ${oneIn}`),
      sql` union all `,
    )})`
}

/** The smallest sample that the product is in. */
export const sampleOf = sql`case ${sql.join(
  samples.map(
    ({ oneIn, idsBelow }) => sql`when id collate "C" < ${sql.lit(idsBelow)} then ${sql.lit(oneIn)}`,
  ),
  sql` `,
)} else 1 end`

/** How many of `hits` the total is judged by, and how many products each of them stands for. */
export const judged = sql`
  (select judged from sample) as "oneIn",
  (select count(*) from hits where ${sampleOf} >= (select judged from sample)) as counted`
