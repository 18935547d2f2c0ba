import type { Kysely } from 'kysely'
import type { ProductQuery } from '../../../contract/catalog.ts'
import type { Database } from '../../../db/schema.ts'
import { lexemeOf } from './filters/queries.ts'
import type { Hits, Part } from './queries.ts'
import type { Search } from './search/words.ts'
import { countPassed, findWalking, type Order, type Split, type Walks } from './walks/queries.ts'

/** A walk is given up after so many times the steps that it should take. */
const patience = 2
/** Fewer steps are not worth giving up. */
const fewestSteps = 500
/** The longer what is left, the longer one perseveres: this share of it. */
const stubbornness = 1 / 8
/** To set out on one more walk is as long as so many steps. */
const setOut = 8
/** To look in the index whether a hit is one of those that one does not walk among takes this share of a step. */
const tellApart = 1 / 6
const noEnd = 2 ** 31 - 1

/** The order that can be walked through; null for one that has no index. */
export function walkOf(sort: ProductQuery['sort']): Order | null {
  const by = sort?.replace('-', '')
  const descending = sort?.startsWith('-') ?? false
  return by === 'created' || by === 'name' || by === 'price' ? { by, descending } : null
}

interface Way {
  walks: Walks
  /** How many products are looked at, most likely. */
  steps: number
}

/**
 * A page of a search that finds many, in its order. Many are soon come upon, wherever one begins to walk; unless they
 * stand together, as one brand does among all names: then one walks among those of each brand, or of each kind, that has
 * many of them, and reads the others. Where all that is longer, or leads to nothing, all hits are read and put in order.
 */
export async function findAmongMany(
  db: Kysely<Database>,
  query: ProductQuery,
  words: Search,
  { limit, offset }: Part,
  order: Order,
  outlook: Hits,
): Promise<string[]> {
  const passed = await countPassed(db, query, order)
  const reach = offset + limit
  const readAll: Way = {
    walks: { split: null, values: [], budget: 0, others: words.query },
    steps: outlook.counted * outlook.oneIn,
  }
  const splits = query.brand || query.kind ? [] : (['brand', 'kind'] as const)
  const ways = [
    straight(passed, reach, outlook),
    ...splits.map((split) => apart(split, words, passed, reach, outlook)),
  ].toSorted((one, other) => one.steps - other.steps)
  for (const [place, { walks, steps }] of ways.entries()) {
    if (steps >= readAll.steps) break
    const next = Math.min(ways[place + 1]?.steps ?? noEnd, readAll.steps)
    const budget = Math.ceil(Math.max(fewestSteps, steps * patience, next * stubbornness))
    const stretch = { offset, limit, last: outlook.last }
    const ids = await findWalking(
      db,
      query,
      words,
      order,
      { ...walks, budget: walks.split ? noEnd : budget },
      stretch,
    )
    if (ids.length === limit) return ids
  }
  return findWalking(db, query, words, order, readAll.walks, { offset, limit, last: null })
}

type Passed = Awaited<ReturnType<typeof countPassed>>

/** One walk through everything. */
function straight(passed: Passed, reach: number, { counted, oneIn }: Hits): Way {
  const products = passed.find(({ split }) => split === null)?.products ?? 0
  return {
    walks: { split: null, values: [''], budget: noEnd, others: null },
    steps: (reach * products) / (counted * oneIn),
  }
}

/** A walk for each brand, or kind, in which that is shorter than to read its hits; those of the others are read. */
function apart(
  split: Split,
  words: Search,
  passed: Passed,
  reach: number,
  { counted, oneIn, shares }: Hits,
): Way {
  const productsOf = (value: string) =>
    passed.find((count) => count.split === split && count.value === value)?.products ?? 0
  const values: string[] = []
  let steps = 0
  let read = counted * oneIn
  for (const { value, hits } of shares.filter((share) => share.split === split)) {
    const walked = setOut + (reach * productsOf(value)) / (hits * oneIn)
    if (walked >= hits * oneIn) continue
    values.push(value)
    steps += walked
    read -= hits * oneIn
  }
  const others = words.among[split].filter((value) => !values.includes(value))
  if (others.length > 0) {
    const looked = others.reduce((sum, value) => sum + productsOf(value), 0)
    steps += read + tellApart * Math.min(counted * oneIn, others.includes('') ? noEnd : looked)
  }
  const way = { split, values, budget: noEnd, others: queryFor(split, others, values, words) }
  return { walks: way, steps: values.length > 0 ? steps : noEnd }
}

/** The hits of the other values; some of these may have none. */
function queryFor(split: Split, others: string[], values: string[], { query }: Search): string | null {
  if (others.length === 0) return null
  const lexemes = (all: string[]) => all.map((value) => lexemeOf(split, value)).join(' | ')
  return others.includes('') ? `(${query}) & !(${lexemes(values)})` : `(${query}) & (${lexemes(others)})`
}
