import { type Kysely, type RawBuilder, sql } from 'kysely'
import { type FacetName, facetNames, priceBandNames, priceBands } from '../contract/product-filters.ts'
import type { Database } from '../db/schema.ts'
import type { SearchQuery } from '../server/modules/catalog/search/search.ts'

/*
 * Reference product search in plain SQL. It reads every row and uses no samples, terms or count tables.
 * Tests compare the search of the shop with it.
 */

const priceBand = sql`case ${sql.join(
  priceBandNames.map((name) => {
    const [from, below] = priceBands[name]
    const isBelow = Number.isFinite(below) ? sql`price_cents < ${sql.lit(below * 100)}` : sql`true`
    return sql`when price_cents >= ${sql.lit(from * 100)} and ${isBelow} then ${sql.lit(name)}`
  }),
  sql` `,
)} end`

/** The values of each facet that a product has, some of them null. */
const facetValues: Record<FacetName, RawBuilder<unknown>> = {
  category: sql`array[category]`,
  kind: sql`array[kind]`,
  brand: sql`array[brand]`,
  certificate: sql`certificate_values`,
  price: sql`array[${priceBand}]`,
  inStock: sql`array[case when stock >= minimum_quantity then 'true' end]`,
}

const sortColumns: Record<string, RawBuilder<unknown>> = {
  created: sql`created_at`,
  name: sql`lower(name)`,
  price: sql`price_cents`,
  quantity: sql`stock`,
  minimum: sql`minimum_quantity`,
}

const toKey = (typed: string) => typed.replaceAll(/[^\p{L}\p{N}]/gu, '').toUpperCase()
/** Returns the normalized part number, or null if the input has no digit or a character that is not A to Z. */
const toPartNumber = (typed: string) => (/^(?=.*\d)[A-Z0-9]{3,40}$/.test(toKey(typed)) ? toKey(typed) : null)

/** The keys of all part numbers of a product and of the products before it in the chain of replacements. */
const numberKeys = sql`(
  select sku_key as key, 'own' as kind from variants where product_id = products.id and removed_at is null
  union all
  select gtin, 'whole' from variants where product_id = products.id and removed_at is null
  union all
  select number_key, 'own' from part_numbers where product_id = products.id
  union all
  select sku_key, 'whole' from variants where product_id in (
    with recursive older as (
      select id from products as replaced where replaced.replaced_by = products.id
      union all
      select replaced.id from older join products as replaced on replaced.replaced_by = older.id
    )
    select id from older))`

const hasNumber = (number: string) => sql`exists (select from ${numberKeys} as numbers
  where key = ${number} or kind = 'own' and starts_with(key, ${number}))`

const hasExactNumber = (number: string) =>
  sql`exists (select from ${numberKeys} as numbers where key = ${number})`

/** Returns a condition: the product has all words, or one of its part numbers starts with the input. */
function matchesWords(q = ''): RawBuilder<unknown> {
  if (q.trim() === '') return sql`true`
  const byWords = sql`coalesce(document @@ nullif(search_query(${q})::text, '')::tsquery, false)`
  const number = toPartNumber(q)
  if (number === null) return byWords
  return sql`(${byWords} or ${hasNumber(number)})`
}

const matchesFacet = (query: SearchQuery, name: FacetName) =>
  query[name]?.length ? sql`${facetValues[name]} && ${query[name]}::text[]` : sql`true`

/** Returns a condition: the product has one of the chosen fits for one of the bikes. */
function matchesFit({ bikes = [], fit = [] }: SearchQuery): RawBuilder<unknown> {
  const chosen = fit.length > 0 ? fit : bikes.length > 0 ? ['fits'] : []
  if (chosen.length === 0) return sql`true`
  return sql`(
    (${chosen.includes('fits')} and fits && ${bikes}::integer[])
    or (${chosen.includes('some')} and fits_some && ${bikes}::integer[])
    or fit_kind <> 'vehicle' and fit_kind = any(${chosen}::text[]))`
}

function matches(query: SearchQuery, except?: FacetName): RawBuilder<unknown> {
  const facets = facetNames.filter((name) => name !== except).map((name) => matchesFacet(query, name))
  return sql`deleted_at is null and ${matchesWords(query.q)} and ${matchesFit(query)} and ${sql.join(facets, sql` and `)}`
}

function toOrder({ q = '', sort }: SearchQuery): RawBuilder<unknown> {
  if (!sort && q.trim() !== '') {
    const number = toPartNumber(q)
    const byNumber = number === null ? sql`` : sql`${hasExactNumber(number)} desc, ${hasNumber(number)} desc,`
    return sql`
      ${byNumber} ts_rank(document, nullif(search_query(${q})::text, '')::tsquery) desc, created_at, id`
  }
  const descending = sort?.startsWith('-') ?? false
  const by = sort?.replace('-', '') ?? 'created'
  if (by === 'category') {
    return descending ? sql`category desc nulls last, created_at, id` : sql`category, created_at, id`
  }
  const direction = descending ? sql`desc` : sql`asc`
  return sql`${sortColumns[by]} ${direction}, created_at ${direction}, id ${direction}`
}

/** Returns the ids of all matching products in order. */
export async function referenceIds(db: Kysely<Database>, query: SearchQuery): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from products where ${matches(query)} order by ${toOrder(query)}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Returns the counts of each facet's values, filtered by the choices of the other facets. */
export async function referenceFacets(
  db: Kysely<Database>,
  query: SearchQuery,
): Promise<Record<FacetName, Record<string, number>>> {
  const counts = facetNames.map(async (name) => {
    const { rows } = await sql<{ value: string; count: number }>`
      select value, count(*) from products, unnest(${facetValues[name]}) as value
      where ${matches(query, name)} and value is not null group by 1`.execute(db)
    return [name, Object.fromEntries(rows.map(({ value, count }) => [value, count]))] as const
  })
  return Object.fromEntries(await Promise.all(counts)) as Record<FacetName, Record<string, number>>
}

/** Returns the number of products by their fit for one of the bikes. The chosen fit is ignored. */
export async function referenceFits(
  db: Kysely<Database>,
  { fit: _fit, bikes = [], ...query }: SearchQuery,
): Promise<Record<'fits' | 'some' | 'universal' | 'unconfirmed', number>> {
  const isOpen = sql`fit_kind = 'vehicle' and not fit_complete and not fits && ${bikes}::integer[]
    and not fits_some && ${bikes}::integer[]`
  const { rows } = await sql<Record<'fits' | 'some' | 'universal' | 'unconfirmed', number>>`
    select count(*) filter (where fits && ${bikes}::integer[]) as fits,
      count(*) filter (where fits_some && ${bikes}::integer[]) as some,
      count(*) filter (where fit_kind = 'universal') as universal,
      count(*) filter (where ${isOpen}) as unconfirmed
    from products where ${matches(query)}`.execute(db)
  return rows[0] ?? { fits: 0, some: 0, universal: 0, unconfirmed: 0 }
}
