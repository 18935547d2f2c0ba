import type { Kysely } from 'kysely'
import type { ProductQuery } from '../../../../contract/catalog.ts'
import type { Database } from '../../../../db/schema.ts'
import { type Match, quoteTerm } from './filters.ts'
import { countScanned, findByIndexScan, type PartitionSize, type ScanPlan } from './index-scan.ts'
import { type Part, type Partition, type ScanOrder, sortHits } from './result-page.ts'
import { unlimited } from './sampling.ts'

/** A scan is given up after this many times the rows that it should read. */
const budgetFactor = 2
/** Rows that are always worth reading before a scan is given up. */
const minBudget = 500
/** Row budget, as a share of the next plan's cost. */
const budgetShare = 1 / 8
/** Fixed cost of starting an index scan, in rows. */
const scanStartCost = 8
/** Cost of excluding a hit by its terms in the index, in rows. */
const indexCheckCost = 1 / 6

/** Estimate of the hits before they are read. */
export interface Estimate {
  hits: number
  /** Hits per value of the order's partition. Null without words: then the counts are exact. */
  shares: { value: string; hits: number }[] | null
  /** Sort key after which no hit is needed, most likely. Null if not known. */
  last: string | null
}

interface CostedPlan extends ScanPlan {
  /** Rows that are read, most likely. */
  cost: number
}

/**
 * Reads a page of many hits in index order. One index scan is fast, unless the hits are clustered far from its start.
 * Then each brand or kind with many hits is scanned by its own index, and the other hits are read. If that costs more,
 * or does not fill the page, all hits are read and sorted.
 */
export async function findInLargeResult(
  db: Kysely<Database>,
  match: Match,
  part: Part,
  sort: ProductQuery['sort'],
  order: ScanOrder,
  estimate: Estimate,
): Promise<string[]> {
  const { products, partitions } = await countScanned(db, match, order)
  const end = part.offset + part.limit
  const fullScan: CostedPlan = { values: null, otherTerms: null, cost: (end * products) / estimate.hits }
  const plans = [fullScan, planPartitionedScan(order, match, partitions, end, estimate)]
    .filter(({ cost }) => cost < estimate.hits)
    .toSorted((a, b) => a.cost - b.cost)
  for (const [index, plan] of plans.entries()) {
    const next = plans[index + 1]?.cost ?? estimate.hits
    const budget = Math.ceil(Math.max(minBudget, plan.cost * budgetFactor, next * budgetShare))
    const maxRows = plan.values ? unlimited : budget
    const ids = await findByIndexScan(db, match, order, plan, part, maxRows, estimate.last)
    if (ids.length === part.limit) return ids
  }
  return sortHits(db, match, sort, part)
}

/** Scans each value for which that costs less than reading its hits. Reads the hits of the other values. */
function planPartitionedScan(
  { partition }: ScanOrder,
  { words }: Match,
  sizes: PartitionSize[],
  end: number,
  { hits, shares }: Estimate,
): CostedPlan {
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
  // Without words the counts are exact, so a rest of 0 means that all hits are in the scanned values.
  const others = words ? otherValues(words, partition, values) : rest > 0 ? null : []
  if (others?.length === 0) return { values, otherTerms: null, cost }
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
