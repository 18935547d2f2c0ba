import { type Kysely, sql } from 'kysely'
import type { FitCounts, ProductFacets } from '../../../../contract/catalog.ts'
import {
  type Chosen,
  type FacetName,
  type FitChoice,
  facetNames,
  toFacet,
} from '../../../../contract/product-filters.ts'
import type { Database } from '../../../../db/schema.ts'
import { type Condition, hasTerms, type Match, matchesNothing, quoteTerm, toFitQuery } from './filters.ts'
import { canMatch, type ParsedQuery } from './parse-query.ts'
import { displayCount, estimate, sampleHits } from './sampling.ts'

/** Facets whose values are counted among the same products. */
interface CountedFacets {
  names: FacetName[]
  match: Match
  isTotal: boolean
}

interface Row {
  /** As in `products.terms`; null for the total. */
  term: string | null
  count: number
  estimated: boolean
}

/**
 * Counts the values of each facet. A facet is counted with the choices of the others alone, so that another value can
 * be chosen. Without words and fit the counts come from `product_counts`, else from the hits or from a sample of them.
 */
export async function countFacets(db: Kysely<Database>, { chosen, words, fit }: Match) {
  const isChosen = (name: FacetName) => (chosen[name] ?? []).length > 0
  const sets: CountedFacets[] = [
    { names: facetNames.filter((name) => !isChosen(name)), match: { chosen, words, fit }, isTotal: true },
    ...facetNames.filter(isChosen).map((name) => ({
      names: [name],
      match: { chosen: { ...chosen, [name]: [] }, words, fit },
      isTotal: false,
    })),
  ]
  const possible = sets.filter(({ match }) => !words || canMatch(words, match.chosen))
  const rows =
    possible.length === 0
      ? []
      : (await sql<Row>`${sql.join(possible.map(countTerms), sql` union all `)}`.execute(db)).rows
  const total = rows.find(({ term }) => term === null)
  const values = facetNames.map((name) => [name, toFacetValues(name, rows)] as const)
  return {
    total: total ? displayCount(total.count, total.estimated) : 0,
    estimated: total?.estimated ?? false,
    facets: Object.fromEntries(values) as ProductFacets['facets'],
  }
}

/**
 * Counts the products by their fit for one of the bikes, with any choice of fit. Without words, universal parts and parts
 * with an incomplete list are counted in `product_counts`: they would be many hits of each sample.
 */
export async function countFits(
  db: Kysely<Database>,
  match: Omit<Match, 'fit'>,
  bikes: number[],
): Promise<FitCounts> {
  const { chosen, words } = match
  if (words && !canMatch(words, chosen)) return { fits: none, some: none, universal: none, unconfirmed: none }
  const [fitsQuery, someQuery] = [toChoice(bikes, 'fits'), toChoice(bikes, 'some')]
  const count = (fit: string, open = matchesNothing) => countHits(db, { ...match, fit }, open)
  const [fits, some, universal, open] = await Promise.all([
    count(fitsQuery, isOpen),
    count(someQuery, `${isOpen} & !(${fitsQuery})`),
    words ? countUniversal(db, chosen, words) : countByFitTerm(db, chosen, 'universal'),
    words ? count(isOpen) : countByFitTerm(db, chosen, 'open'),
  ])
  return {
    fits: display(fits),
    some: display(some),
    universal: display(universal),
    // All parts with an incomplete list without those of the bikes.
    unconfirmed: display({
      count: Math.max(0, open.count - fits.open - some.open),
      estimated: open.estimated || fits.estimated || some.estimated,
    }),
  }
}

const toChoice = (bikes: number[], choice: FitChoice) =>
  toFitQuery({ bikes, choices: [choice] }) ?? matchesNothing

/** A `tsquery`: parts with an incomplete list of bikes. */
const isOpen = "':fit:open'"

interface HitCount {
  count: number
  estimated: boolean
}
const none: HitCount = { count: 0, estimated: false }

const display = ({ count, estimated }: HitCount): HitCount => ({
  count: displayCount(count, estimated),
  estimated,
})

/** @param openTerms a `tsquery` on `products.document`; the hits with these terms are counted as well */
async function countHits(
  db: Kysely<Database>,
  match: Match,
  openTerms: string,
): Promise<HitCount & { open: number }> {
  const { rows } = await sql<HitCount & { open: number }>`
    with ${sampleHits(sql`id, ts_match_vq(document, ${openTerms}::tsquery) as is_open`, match)}
    select hits as count, estimated,
      (select count(*) * (select rate from sample) from hits where is_open)::integer as open
    from (select ${estimate}) as estimate`.execute(db)
  return rows[0] ?? { ...none, open: 0 }
}

async function countUniversal(db: Kysely<Database>, chosen: Chosen, words: ParsedQuery): Promise<HitCount> {
  const kind = words.facets.kind.filter((kind) => !chosen.kind?.length || chosen.kind.includes(kind))
  // Cheaper than finding out from the index that no universal part has the words.
  const isPossible =
    words.partNumber !== '' ||
    kind.includes('') ||
    (await countByFitTerm(db, { ...chosen, kind }, 'universal')).count > 0
  return isPossible ? countHits(db, { chosen, words, fit: toChoice([], 'universal') }, matchesNothing) : none
}

/** Counts products by a fit term in `product_counts`: universal parts, or parts with an incomplete list. */
async function countByFitTerm(
  db: Kysely<Database>,
  chosen: Chosen,
  fit: 'universal' | 'open',
): Promise<HitCount> {
  const { rows } = await sql<{ count: number }>`
    select coalesce(sum(products), 0)::integer as count from product_counts
    where ${hasTerms(chosen)} and terms @@ ${quoteTerm('fit', fit)}::tsquery`.execute(db)
  return { count: rows[0]?.count ?? 0, estimated: false }
}

function countTerms({ names, match, isTotal }: CountedFacets): Condition {
  const hits =
    match.words || match.fit
      ? sampleHits(sql`terms, 1 as products`, match)
      : sql`
      hits as materialized (select terms, products from product_counts where ${hasTerms(match.chosen)}),
      sample as materialized (select 1 as rate)`
  return sql`(
    with ${hits}
    select term, sum(products)::integer * rate as count, rate > 1 as estimated
    from sample, (
      select term, products from hits, unnest(tsvector_to_array(terms)) as term
      where split_part(term, ':', 1) = any(${names}::text[])
      ${isTotal ? sql`union all select null, products from hits` : sql``}
    ) as counted group by term, rate having sum(products) > 0)`
}

function toFacetValues(name: FacetName, rows: Row[]) {
  const own = rows.filter(({ term }) => term?.startsWith(`${name}:`))
  const values = own.map(({ term, count, estimated }) => ({
    value: term?.slice(name.length + 1) ?? '',
    count: displayCount(count, estimated),
  }))
  const order = toFacet(name).values
  return {
    estimated: own.some(({ estimated }) => estimated),
    values: values.toSorted((a, b) =>
      order
        ? order.indexOf(a.value) - order.indexOf(b.value)
        : b.count - a.count || (a.value < b.value ? -1 : 1),
    ),
  }
}

/**
 * Merges the rows of each combination in `product_counts` into one. Rows that are added at the same time are left for
 * the next run. Several runs may overlap: each inserts the sum of the rows that it deleted.
 */
export async function compactCounts(db: Kysely<Database>): Promise<void> {
  await sql`
    with deleted as (
      delete from product_counts where ctid = any(array(
        select row from (
          select ctid as row, count(*) over (partition by terms) as rows
          from product_counts) as counted
        where rows > 1))
      returning *
    )
    insert into product_counts
    select terms, sum(products) from deleted
    group by 1 having sum(products) <> 0`.execute(db)
}
