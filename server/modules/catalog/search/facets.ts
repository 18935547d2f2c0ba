import { type Kysely, sql } from 'kysely'
import { type FacetName, facetNames } from '../../../../contract/product-filters.ts'
import type { Database } from '../../../../db/schema.ts'
import { type Condition, countConditions, type Filters } from './filters.ts'
import { mayFind, type Search } from './parse-query.ts'
import { sampleHits } from './sampling.ts'

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
  words: Search | null,
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
  const some = sets.filter(({ filters }) => mayFind(words, filters))
  return some.length === 0 ? [] : readSets(db, some, ({ filters }) => sampleHits(columns, filters, words))
}

/** Filters whose values are counted among the same products. */
interface FacetSet {
  filters: Filters
  names: FacetRow['facet'][]
}

async function readSets(
  db: Kysely<Database>,
  sets: FacetSet[],
  tables: (set: FacetSet) => Condition,
): Promise<FacetRow[]> {
  const { rows } = await sql<FacetRow>`
    ${sql.join(
      sets.map((set) => valuesIn(tables(set), set.names)),
      sql` union all `,
    )}`.execute(db)
  return rows
}

/** Counts the values of some filters among `hits`, each of which stands for so many as `sample` says. */
function valuesIn(tables: Condition, names: FacetRow['facet'][]): Condition {
  const counts = names.map(
    (name) => sql`
      select ${sql.lit(name)} as facet, ${name === 'total' ? sql`null::text` : facetColumns[name]} as value,
        sum(products)::integer as count
      from hits group by 2`,
  )
  return sql`(
    with ${tables}
    select facet, value, count * estimateRate as count, estimateRate > 1 as estimated
    from (${sql.join(counts, sql` union all `)}) as counts, sample where count > 0)`
}

/** All products: these are counted already. */
const summary = (filters: Filters): Condition => sql`
  hits as materialized (select * from product_counts where ${countConditions(filters)}),
  sample as materialized (select 1 as estimateRate)`
