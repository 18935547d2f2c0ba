import { type Kysely, sql } from 'kysely'
import { toCents } from '../../../../contract/money.ts'
import { priceBandNames, priceBands } from '../../../../contract/product-filters.ts'
import type { Database } from '../../../../db/schema.ts'
import { type Condition, hasTerms, isMatch, type Match, matchingRows } from './filters.ts'
import { orderBy, type Part, type ScanOrder } from './result-page.ts'

/** How the hits are read in order. */
export interface ScanPlan {
  /** One scan for each of these values of the order's partition; null for one scan of all products. */
  values: string[] | null
  /** The hits with these terms, a `tsquery`, are read by the index products_search instead. Null if there are none. */
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
  { by, partition }: ScanOrder,
): Promise<{ products: number; partitions: PartitionSize[] }> {
  const { rows } = await sql<{ products: number; partitions: PartitionSize[] }>`
    with counts as materialized (
      select terms, products, case when ${hasTerms(chosen)} then products else 0 end as matches
      from product_counts where ${by === 'price' ? hasTerms({ price: chosen.price ?? [] }) : sql`true`})
    select coalesce(sum(products), 0)::integer as products, array(
      select json_build_object('value', substr(term, strpos(term, ':') + 1),
        'products', sum(products), 'matches', sum(matches))
      from counts, unnest(tsvector_to_array(terms)) as term
      where starts_with(term, ${partition}::text || ':') group by term
    ) as partitions
    from counts`.execute(db)
  return rows[0] ?? { products: 0, partitions: [] }
}

/**
 * Reads a page of the hits in their order.
 *
 * @param maxRows rows that each scan reads at most
 * @param last no hit behind this key is needed; null if not known
 */
export async function findByIndexScan(
  db: Kysely<Database>,
  match: Match,
  { by, key, type, partition, direction }: ScanOrder,
  { values, otherTerms }: ScanPlan,
  { offset, limit }: Part,
  maxRows: number,
  last: string | null,
): Promise<string[]> {
  const order = orderBy(sql`key`, direction)
  const isInRange = (key: Condition) =>
    last === null ? sql`true` : sql`${key} ${direction === 'desc' ? sql`>=` : sql`<=`} ${last}::${type}`
  const isInPartition = values && partition ? sql`${sql.ref(partition)} = scan.value` : sql`true`
  const scanned = sql`
    select hit.* from unnest(${values ?? ['']}::text[]) as scan (value) cross join lateral (
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
      ${matchingRows(sql`id, created_at, ${key} as key`, match, otherTerms)} offset 0
    ) as other where ${isInRange(sql`key`)}`
  const { rows } = await sql<{ id: string }>`
    select id from (${otherTerms === null ? scanned : sql`${scanned} union all ${others}`}) as hits
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
