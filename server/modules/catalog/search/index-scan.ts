import { type Kysely, sql } from 'kysely'
import { toCents } from '../../../../contract/money.ts'
import { priceBandNames, priceBands } from '../../../../contract/product-filters.ts'
import type { Database } from '../../../../db/schema.ts'
import { type Condition, hasTerms, isMatch, type Match, matchingRows } from './filters.ts'
import { type Part, type Partition, type ScanOrder, scanKeys } from './result-page.ts'

const partitionColumns = { kind: sql`kind`, brand: sql`brand` }

/** How the hits are read in order. */
export interface ScanPlan {
  /** One scan for each value of this facet; null for one scan of all products. */
  partitionBy: Partition | null
  values: string[]
  /** Rows that each scan reads at most. */
  maxRows: number
  /** The hits with these terms, a `tsquery`, are read by the index products_search instead. Empty: all. Null: none. */
  otherTerms: string | null
}

/** Number of products with one value of a facet. */
export interface PartitionSize {
  value: string
  /** Products that a scan reads, matching or not. */
  products: number
  /** Products that match the chosen filters. */
  matches: number
}

/** Counts the products that scans in this order would read. */
export async function countScanned(
  db: Kysely<Database>,
  { chosen }: Match,
  { by }: ScanOrder,
): Promise<{ products: number; partitions: PartitionSize[] }> {
  const prefix = `${scanKeys[by].partition}:`
  const { rows } = await sql<{ term: string | null; products: number; matches: number }>`
    with counts as materialized (
      select terms, products, case when ${hasTerms(chosen)} then products else 0 end as matches
      from product_counts where ${by === 'price' ? hasTerms({ price: chosen.price ?? [] }) : sql`true`})
    select null as term, sum(products)::integer as products, sum(matches)::integer as matches from counts
    union all
    select term, sum(products)::integer, sum(matches)::integer
    from counts, unnest(tsvector_to_array(terms)) as term
    where starts_with(term, ${prefix}) group by term`.execute(db)
  const partitions = rows.flatMap(({ term, ...counts }) =>
    term === null ? [] : [{ value: term.slice(prefix.length), ...counts }],
  )
  return { products: rows.find(({ term }) => term === null)?.products ?? 0, partitions }
}

/**
 * Reads a page of the hits in their order.
 *
 * @param last no hit behind this key is needed; null if not known
 */
export async function findByIndexScan(
  db: Kysely<Database>,
  match: Match,
  { by, descending }: ScanOrder,
  { partitionBy, values, maxRows, otherTerms }: ScanPlan,
  { offset, limit }: Part,
  last: string | null,
): Promise<string[]> {
  const { key, type } = scanKeys[by]
  const direction = descending ? sql`desc` : sql`asc`
  const order = sql`key ${direction}, created_at ${direction}, id ${direction}`
  const isInRange = (key: Condition) =>
    last === null ? sql`true` : sql`${key} ${descending ? sql`>=` : sql`<=`} ${last}::${type}`
  const isInPartition = partitionBy ? sql`${partitionColumns[partitionBy]} = scan.value` : sql`true`
  const scanned = sql`
    select hit.* from unnest(${partitionBy ? values : ['']}::text[]) as scan (value) cross join lateral (
      select id, created_at, key from (
        select *, ${key} as key from products
        where deleted_at is null and ${isInPartition} and ${isInRange(key)}
          and ${by === 'price' ? priceRange(match.chosen.price) : sql`true`}
        order by ${order} limit ${maxRows}
      ) as scanned
      where ${isMatch(match)} order by ${order} limit ${offset + limit}
    ) as hit`
  // `offset 0` stops Postgres from using an index of the key: only products_search is fast for these rows.
  const others = sql`
    select * from (
      ${matchingRows(sql`id, created_at, ${key} as key`, match, otherTerms || null)} offset 0
    ) as other where ${isInRange(sql`key`)}`
  const parts = [...(maxRows > 0 ? [scanned] : []), ...(otherTerms === null ? [] : [others])]
  const { rows } = await sql<{ id: string }>`
    select id from (${sql.join(parts, sql` union all `)}) as hits
    order by ${order} limit ${limit} offset ${offset}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Limits a scan by price to the range from the lowest to the highest chosen band. */
function priceRange(bands: string[] = []): Condition {
  const ranges = priceBandNames.filter((name) => bands.includes(name)).map((name) => priceBands[name])
  if (ranges.length === 0) return sql`true`
  const below = Math.max(...ranges.map((range) => range[1]))
  const from = Math.min(...ranges.map((range) => range[0]))
  const isBelow = Number.isFinite(below) ? sql`price_cents < ${toCents(below)}` : sql`true`
  return sql`price_cents >= ${toCents(from)} and ${isBelow}`
}
