import { type Kysely, sql } from 'kysely'
import { type FacetName, facetNames } from '../../../../contract/product-filters.ts'
import type { Database } from '../../../../db/schema.ts'
import {
  type Condition,
  type Filters,
  found,
  foundInSample,
  manyInSample,
  sampleShare,
  summaryOf,
  type Words,
} from '../filters/queries.ts'

const facetColumns: Record<FacetName, Condition> = {
  category: sql`category`,
  kind: sql`kind`,
  brand: sql`brand`,
  price: sql`price_band::text`,
  inStock: sql`case when in_stock then 'true' end`,
}

/** One value of a filter; of `total` there is one, without a value. */
export interface FacetRow {
  facet: FacetName | 'total'
  value: string | null
  count: number
  /** Counted in the sample: it may be some more or less. */
  estimated: boolean
}

/**
 * What there is to choose from. A filter's values are counted with the other filters alone, so that one can change
 * one's mind. Without words they come from the summary; with words they are counted, or estimated where they are many.
 */
export async function countFacets(
  db: Kysely<Database>,
  filters: Filters,
  words: Words | null,
): Promise<FacetRow[]> {
  const chosen = facetNames.filter((name) => filters[name])
  const free = facetNames.filter((name) => !filters[name])
  const sets: FacetSet[] = [
    { filters, names: ['total', ...free] },
    ...chosen.map((name) => ({ filters: { ...filters, [name]: undefined }, names: [name] })),
  ]
  if (!words) return readSets(db, sets, ({ filters }) => summary(filters))
  const columns = sql`category, kind, brand, price_band(price_cents) as price_band,
    stock >= minimum_quantity as in_stock, 1 as products`
  const sample = await readSets(db, sets, ({ filters }) => foundInSample(columns, filters, words))
  const isMany = ({ names }: FacetSet) =>
    sample.some(({ facet, counted }) => names.includes(facet) && counted >= manyInSample)
  const few = sets.filter((set) => !isMany(set))
  const exact = await readSets(db, few, ({ filters }) => found(columns, filters, words))
  const estimated = sample
    .filter(({ facet }) => !few.some(({ names }) => names.includes(facet)))
    .map((row) => ({ ...row, count: row.count * sampleShare, estimated: true }))
  return [...exact, ...estimated]
}

/** Filters whose values are counted among the same products. */
interface FacetSet {
  filters: Filters
  names: FacetRow['facet'][]
}

async function readSets(
  db: Kysely<Database>,
  sets: FacetSet[],
  source: (set: FacetSet) => Condition,
): Promise<(FacetRow & { counted: number })[]> {
  if (sets.length === 0) return []
  const { rows } = await sql<FacetRow & { counted: number }>`
    ${sql.join(
      sets.map((set) => valuesIn(source(set), set.names)),
      sql` union all `,
    )}`.execute(db)
  return rows
}

/** Counts the values of some filters among some products; `counted` is how many these are. */
function valuesIn(source: Condition, names: FacetRow['facet'][]): Condition {
  const counts = names.map(
    (name) => sql`
      select ${sql.lit(name)} as facet, ${name === 'total' ? sql`null::text` : facetColumns[name]} as value,
        sum(products)::integer as count
      from source group by 2`,
  )
  return sql`(
    with source as materialized (${source})
    select facet, value, count, (select coalesce(sum(products), 0)::integer from source) as counted,
      false as estimated
    from (${sql.join(counts, sql` union all `)}) as counts where count > 0)`
}

const summary = (filters: Filters): Condition => sql`select * from product_counts where ${summaryOf(filters)}`
