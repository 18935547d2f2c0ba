import { type Kysely, sql } from 'kysely'
import type { ProductQuery } from '../../../../contract/catalog.ts'
import { toCents } from '../../../../contract/money.ts'
import { priceBandNames, priceBands } from '../../../../contract/product-filters.ts'
import type { Database } from '../../../../db/schema.ts'
import { isSold } from '../sold.ts'
import {
  type Condition,
  hasIndexedTerms,
  hasTerms,
  isMatch,
  type Match,
  matchingRows,
  quoteTerm,
} from './filters.ts'
import { isUpTo, orderBy, type Part, type Partition, type ScanOrder, sortHits } from './result-page.ts'
import { unlimited } from './sampling.ts'
import type { Estimate } from './types.ts'

/** With fewer hits and a last key, the hits up to it are sorted at once: choosing a scan takes as long. */
const minPlannedHits = 4_000
/** A scan is given up after this many times the rows that it should read. */
const budgetFactor = 2
/** Rows that are always worth reading before a scan is given up. */
const minBudget = 500
/** Row budget, as a share of the next plan's cost. */
const budgetShare = 1 / 8
/** Fixed cost of starting an index scan, in rows. */
const scanStartCost = 8
/** Cost of an index entry that is compared with another index or term, in rows. */
const indexCheckCost = 1 / 6

/** How the hits are read in order. */
interface ScanPlan {
  /** One scan for each of these values of the order's partition; null for one scan of all products. */
  values: string[] | null
  /** The hits with these terms, a `tsquery`, are read by the index products_search_all instead. Null if there are none. */
  otherTerms: string | null
  /** Rows that are read, most likely. */
  cost: number
}

/**
 * Reads a page of many hits in index order. One index scan is fast, unless the hits are clustered far from its start.
 * Then each brand or kind with many hits is scanned by its own index, and the other hits are read. If that costs more,
 * or does not fill the page, the hits up to the last key are read and sorted, or all of them.
 */
export async function findInLargeResult(
  db: Kysely<Database>,
  match: Match,
  part: Part,
  sort: ProductQuery['sort'],
  order: ScanOrder,
  estimate: Estimate,
): Promise<string[]> {
  const { hits, last } = estimate
  if (last === null || hits >= minPlannedHits) {
    const ids = await findByCheapestScan(db, match, part, order, estimate)
    if (ids) return ids
  }
  if (last !== null) {
    const ids = await sortHits(db, match, sort, part, isUpTo(order, order.key, last))
    if (ids.length === part.limit) return ids
  }
  return sortHits(db, match, sort, part)
}

/** Returns null if sorting costs less than each scan, or if no scan fills the page. */
async function findByCheapestScan(
  db: Kysely<Database>,
  match: Match,
  part: Part,
  order: ScanOrder,
  estimate: Estimate,
): Promise<string[] | null> {
  const { products, partitions } = await countScanned(db, match, order)
  const end = part.offset + part.limit
  const fullScan: ScanPlan = { values: null, otherTerms: null, cost: (end * products) / estimate.hits }
  const sortCost = toSortCost(products, estimate)
  const plans = [fullScan, planPartitionedScan(order, match, partitions, end, estimate)]
    .filter(({ cost }) => cost < sortCost)
    .toSorted((a, b) => a.cost - b.cost)
  for (const [index, plan] of plans.entries()) {
    const next = plans[index + 1]?.cost ?? sortCost
    const budget = Math.ceil(Math.max(minBudget, plan.cost * budgetFactor, next * budgetShare))
    const maxRows = plan.values ? unlimited : budget
    const ids = await findByIndexScan(db, match, order, plan, part, maxRows, estimate.last)
    if (ids.length === part.limit) return ids
  }
  return null
}

/** Cost of reading and sorting the hits up to the last key, or all of them. */
function toSortCost(products: number, { hits, last, hitsToLast }: Estimate): number {
  if (last === null) return hits
  const entries = hits + (products * hitsToLast) / hits
  return Math.min(hits, hitsToLast + entries * indexCheckCost)
}

/** Scans each value for which that costs less than reading its hits. Reads the hits of the other values. */
function planPartitionedScan(
  { partition }: ScanOrder,
  { words, chosen }: Match,
  sizes: PartitionSize[],
  end: number,
  { hits, shares }: Estimate,
): ScanPlan {
  const values: string[] = []
  let cost = 0
  let rest = hits
  for (const { value, products, matches } of sizes) {
    const own = shares ? shares.find((share) => share.value === value)?.hits : matches
    if (!own) continue
    const scanCost = scanStartCost + (end * products) / own
    if (scanCost >= own) continue
    values.push(value)
    cost += scanCost
    rest -= own
  }
  if (partition === null || values.length === 0) return { values, otherTerms: null, cost: unlimited }
  const toTerms = (all: string[]) => all.map((value) => quoteTerm(partition, value)).join(' | ')
  // With exact counts a rest of 0 means that all hits are in the scanned values.
  const isExact = shares === null
  const others = words ? otherValues(words, partition, values) : isExact && rest <= 0 ? [] : null
  if (others?.length === 0) return { values, otherTerms: null, cost }
  // With no other terms, Postgres uses no index for a negation, and reads the whole table.
  if (others === null && !hasIndexedTerms(chosen)) return { values, otherTerms: null, cost: unlimited }
  const checked = others
    ? sizes.filter(({ value }) => others.includes(value)).reduce((sum, { products }) => sum + products, 0)
    : hits
  return {
    values,
    otherTerms: others ? toTerms(others) : `!(${toTerms(values)})`,
    cost: cost + rest + indexCheckCost * Math.min(hits, checked),
  }
}

/** Returns the other values that may have hits. Null for part numbers, or if products without a value may match. */
function otherValues(
  words: NonNullable<Match['words']>,
  facet: Partition,
  values: string[],
): string[] | null {
  const others = words.facets[facet].filter((value) => !values.includes(value))
  return words.partNumber !== '' || others.includes('') ? null : others
}

/** Number of products with one value of a facet. */
interface PartitionSize {
  value: string
  /** Products that a scan reads, matching or not. */
  products: number
  /** Products that match the chosen filters. */
  matches: number
}

/** Counts the products that scans in this order would read. */
async function countScanned(
  db: Kysely<Database>,
  { chosen }: Match,
  { by, partition }: ScanOrder,
): Promise<{ products: number; partitions: PartitionSize[] }> {
  const { rows } = await sql<{ products: number; partitions: PartitionSize[] }>`
    with counts as materialized (
      select terms, products, case when ${hasTerms(chosen)} then products else 0 end as matches
      from product_counts where ${by === 'price' ? hasTerms({ price: chosen.price ?? [] }) : sql`true`})
    select coalesce(sum(products), 0)::integer as products,
      ${partition ? countPartitions(partition) : sql`array[]::json[]`} as partitions
    from counts`.execute(db)
  return rows[0] ?? { products: 0, partitions: [] }
}

const countPartitions = (facet: Partition) => sql`
  array(
    select json_build_object('value', substr(term, strpos(term, ':') + 1),
      'products', sum(products), 'matches', sum(matches))
    from counts, unnest(tsvector_to_array(terms)) as term
    where starts_with(term, ${facet}::text || ':') group by term)`

/**
 * Reads a page of the hits in their order.
 *
 * @param maxRows rows that each scan reads at most
 * @param last no hit behind this key is needed; null if not known
 */
async function findByIndexScan(
  db: Kysely<Database>,
  match: Match,
  scanOrder: ScanOrder,
  { values, otherTerms }: Omit<ScanPlan, 'cost'>,
  { offset, limit }: Part,
  maxRows: number,
  last: string | null,
): Promise<string[]> {
  const { by, key, partition, direction } = scanOrder
  const order = orderBy(sql`key`, direction)
  const isInRange = (key: Condition) => (last === null ? sql`true` : isUpTo(scanOrder, key, last))
  const isInPartition = values && partition ? sql`${sql.ref(partition)} = scan.value` : sql`true`
  const scanned = sql`
    select hit.* from unnest(${values ?? ['']}::text[]) as scan (value) cross join lateral (
      select id, created_at, key from (
        select *, ${key} as key from products
        where ${isSold} and ${isInPartition} and ${isInRange(key)}
          and ${by === 'price' ? priceRange(match.chosen.price) : sql`true`}
        order by ${order} limit ${maxRows}
      ) as scanned
      where ${isMatch(match)} order by ${order} limit ${offset + limit}
    ) as hit`
  // `offset 0` stops Postgres from using an index of the key: only products_search_all is fast for these rows.
  const others = sql`
    select * from (
      ${matchingRows(sql`id, created_at, ${key} as key`, match, sql`terms @@ ${otherTerms}::tsquery`)} offset 0
    ) as other where ${isInRange(sql`key`)}`
  const { rows } = await sql<{ id: string }>`
    select id from (${otherTerms === null ? scanned : sql`${scanned} union all ${others}`}) as hits
    order by ${order} limit ${limit} offset ${offset}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Finds the first hits among the first rows of an order. Returns fewer if these rows have no more. */
export const findInOrder = (
  db: Kysely<Database>,
  match: Match,
  order: ScanOrder,
  limit: number,
  maxRows: number,
): Promise<string[]> =>
  findByIndexScan(db, match, order, { values: null, otherTerms: null }, { offset: 0, limit }, maxRows, null)

/** Limits a scan by price to the range from the lowest to the highest chosen band. */
function priceRange(bands: string[] = []): Condition {
  const ranges = priceBandNames.filter((name) => bands.includes(name)).map((name) => priceBands[name])
  if (ranges.length === 0) return sql`true`
  const below = Math.max(...ranges.map((range) => range[1]))
  const from = Math.min(...ranges.map((range) => range[0]))
  const isBelow = Number.isFinite(below) ? sql`price_cents < ${toCents(below)}` : sql`true`
  return sql`price_cents >= ${toCents(from)} and ${isBelow}`
}
