import type { Kysely } from 'kysely'
import type { ProductQuery } from '../../../../contract/catalog.ts'
import type { Database } from '../../../../db/schema.ts'
import { toFilterLexeme } from './filters.ts'
import { countScanned, findByIndexScan, type Order, type Partition, type ScanRanges } from './index-scan.ts'
import type { Search } from './parse-query.ts'
import type { Hits, Part } from './result-page.ts'

/** A walk is given up after so many times the steps that it should take. */
const patience = 2
/** Fewer steps are not worth giving up. */
const minBudget = 500
/** The longer what is left, the longer one perseveres: this share of it. */
const budgetShare = 1 / 8
/** To set out on one more walk is as long as so many steps. */
const scanStartCost = 8
/** To look in the index whether a hit is one of those that one does not walk among takes this share of a step. */
const indexCheckCost = 1 / 6
const unlimited = 2 ** 31 - 1

/** The order that can be walked through; null for one that has no index. */
export function getScanOrder(sort: ProductQuery['sort']): Order | null {
  const by = sort?.replace('-', '')
  const descending = sort?.startsWith('-') ?? false
  return by === 'created' || by === 'name' || by === 'price' ? { by, descending } : null
}

interface ScanPlan {
  ranges: ScanRanges
  /** How many products are looked at, most likely. */
  steps: number
}

/**
 * A page of a search that finds many, in its order. Many are soon come upon, wherever one begins to walk; unless they
 * stand together, as one brand does among all names: then one ranges among those of each brand, or of each kind, that has
 * many of them, and reads the others. Where all that is longer, or leads to nothing, all hits are read and put in order.
 */
export async function findInLargeResult(
  db: Kysely<Database>,
  query: ProductQuery,
  words: Search,
  { limit, offset }: Part,
  order: Order,
  estimate: Hits,
): Promise<string[]> {
  const scanned = await countScanned(db, query, order)
  const end = offset + limit
  const readAll: ScanPlan = {
    ranges: { partitionBy: null, values: [], budget: 0, others: words.query },
    steps: estimate.counted * estimate.samplingRate,
  }
  const partitions = query.brand || query.kind ? [] : (['brand', 'kind'] as const)
  const plans = [
    planFullScan(scanned, end, estimate),
    ...partitions.map((partitionBy) => planPartitionedScan(partitionBy, words, scanned, end, estimate)),
  ].toSorted((one, other) => one.steps - other.steps)
  for (const [place, { ranges, steps }] of plans.entries()) {
    if (steps >= readAll.steps) break
    const next = Math.min(plans[place + 1]?.steps ?? unlimited, readAll.steps)
    const budget = Math.ceil(Math.max(minBudget, steps * patience, next * budgetShare))
    const range = { offset, limit, last: estimate.last }
    const ids = await findByIndexScan(
      db,
      query,
      words,
      order,
      { ...ranges, budget: ranges.partitionBy ? unlimited : budget },
      range,
    )
    if (ids.length === limit) return ids
  }
  return findByIndexScan(db, query, words, order, readAll.ranges, { offset, limit, last: null })
}

type Scanned = Awaited<ReturnType<typeof countScanned>>

/** One walk through unlimited. */
function planFullScan(scanned: Scanned, end: number, { counted, samplingRate }: Hits): ScanPlan {
  const products = scanned.find(({ partitionBy }) => partitionBy === null)?.products ?? 0
  return {
    ranges: { partitionBy: null, values: [''], budget: unlimited, others: null },
    steps: (end * products) / (counted * samplingRate),
  }
}

/** A walk for each brand, or kind, in which that is shorter than to read its hits; those of the others are read. */
function planPartitionedScan(
  partitionBy: Partition,
  words: Search,
  scanned: Scanned,
  end: number,
  { counted, samplingRate, shares }: Hits,
): ScanPlan {
  const productsOf = (value: string) =>
    scanned.find((count) => count.partitionBy === partitionBy && count.value === value)?.products ?? 0
  const values: string[] = []
  let steps = 0
  let read = counted * samplingRate
  for (const { value, hits } of shares.filter((share) => share.partitionBy === partitionBy)) {
    const walked = scanStartCost + (end * productsOf(value)) / (hits * samplingRate)
    if (walked >= hits * samplingRate) continue
    values.push(value)
    steps += walked
    read -= hits * samplingRate
  }
  const others = words.among[partitionBy].filter((value) => !values.includes(value))
  if (others.length > 0) {
    const looked = others.reduce((sum, value) => sum + productsOf(value), 0)
    steps +=
      read + indexCheckCost * Math.min(counted * samplingRate, others.includes('') ? unlimited : looked)
  }
  const way = { partitionBy, values, budget: unlimited, others: queryFor(partitionBy, others, values, words) }
  return { ranges: way, steps: values.length > 0 ? steps : unlimited }
}

/** The hits of the other values; some of these may have none. */
function queryFor(
  partitionBy: Partition,
  others: string[],
  values: string[],
  { query }: Search,
): string | null {
  if (others.length === 0) return null
  const lexemes = (all: string[]) => all.map((value) => toFilterLexeme(partitionBy, value)).join(' | ')
  return others.includes('') ? `(${query}) & !(${lexemes(values)})` : `(${query}) & (${lexemes(others)})`
}
