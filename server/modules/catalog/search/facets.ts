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
import {
  type Condition,
  hasTerms,
  isSearch,
  type Match,
  matchesNothing,
  quoteTerm,
  toFitQuery,
} from './filters.ts'
import { canMatch } from './parse-query.ts'
import { displayCount, estimate, sampleHits } from './sampling.ts'

/** Facets whose values are counted among the same products. */
interface CountedFacets {
  names: FacetName[]
  match: Match
  isTotal: boolean
}

interface Row {
  /** Index of the counted set. */
  set: number
  /** As in `products.terms`; null for the total. */
  term: string | null
  count: number
  estimated: boolean
}

/** A number of hits, and how many of them are parts with an incomplete list of bikes. */
interface HitCount {
  count: number
  open: number
  estimated: boolean
}
const none: HitCount = { count: 0, open: 0, estimated: false }

/**
 * Counts the hits, and the values of each facet. A facet is counted with only the choices of the other facets, so
 * that another value can be chosen. Without words and fit the counts come from `product_counts`, else from the hits
 * or from a sample of them.
 */
export async function countFacets(
  db: Kysely<Database>,
  { chosen, words, ...conditions }: Match,
): Promise<{ hits: HitCount; facets: ProductFacets['facets'] }> {
  const isChosen = (name: FacetName) => (chosen[name] ?? []).length > 0
  const sets: CountedFacets[] = [
    {
      names: facetNames.filter((name) => !isChosen(name)),
      match: { chosen, words, ...conditions },
      isTotal: true,
    },
    ...facetNames.filter(isChosen).map((name) => ({
      names: [name],
      match: {
        chosen: { ...chosen, [name]: [] },
        words,
        ...conditions,
        // They belong to the kind.
        ...(name === 'kind' && { attributes: [] }),
      },
      isTotal: false,
    })),
  ].filter(({ match }) => !words || canMatch(words, match.chosen))
  const { rows } =
    sets.length > 0
      ? await sql<Row>`${sql.join(sets.map(countTerms), sql` union all `)}`.execute(db)
      : { rows: [] }
  const total = rows.find(({ term }) => term === null)
  const open = rows.find(({ set, term }) => sets[set]?.isTotal && term === openTerm)?.count ?? 0
  const values = facetNames.map((name) => {
    const own = rows.filter(
      ({ set, term }) => sets[set]?.names.includes(name) && term?.startsWith(`${name}:`),
    )
    return [name, toFacetValues(name, own)] as const
  })
  return {
    hits: total ? { ...total, open } : none,
    facets: Object.fromEntries(values) as ProductFacets['facets'],
  }
}

/**
 * Counts the products by their fit for one of the bikes, with any choice of fit. Without words, universal parts and parts
 * with an incomplete list are counted in `product_counts`: they would be many hits of each sample.
 *
 * @param counted the products that fit, if they are already counted
 */
export async function countFits(
  db: Kysely<Database>,
  match: Omit<Match, 'fit'>,
  bikes: number[],
  counted?: Promise<HitCount>,
): Promise<FitCounts> {
  const { chosen, words, attributes = [], narrowing } = match
  const isCounted = words === null && attributes.length === 0 && narrowing === undefined
  if (words && !canMatch(words, chosen)) {
    const zero = display(none)
    return { fits: zero, some: zero, universal: zero, unconfirmed: zero }
  }
  const [fitsQuery, someQuery] = [toChoice(bikes, 'fits'), toChoice(bikes, 'some')]
  const [fits, some, universal, open] = await Promise.all([
    counted ?? countHits(db, { ...match, fit: fitsQuery }, isOpen),
    countHits(db, { ...match, fit: someQuery }, isOpen),
    isCounted ? countByFit(db, chosen, 'universal') : countUniversal(db, match),
    isCounted
      ? countByFit(db, chosen, 'open')
      : countHits(db, { chosen: { ...chosen, fit: ['open'] }, words, fit: null, attributes, narrowing }),
  ])
  return {
    fits: display(fits),
    some: display(some),
    universal: display(universal),
    // All parts with an incomplete list, minus the parts that fit the bikes.
    unconfirmed: display({
      count: Math.max(0, open.count - fits.open - some.open),
      estimated: open.estimated || fits.estimated || some.estimated,
    }),
  }
}

const toChoice = (bikes: number[], choice: FitChoice) =>
  toFitQuery({ bikes, choices: [choice] }) ?? matchesNothing

const openTerm = 'fit:open'
const isOpen = sql`ts_match_vq(terms, ${quoteTerm('fit', 'open')}::tsquery)`

const display = ({ count, estimated }: Omit<HitCount, 'open'>) => ({
  count: displayCount(count, estimated),
  estimated,
})

/** @param isCounted a condition; the hits that meet it are counted as `open` */
async function countHits(
  db: Kysely<Database>,
  match: Match,
  isCounted: Condition = sql`false`,
): Promise<HitCount> {
  const { rows } = await sql<HitCount>`
    with ${sampleHits(sql`id, ${isCounted} as is_open`, match)}
    select hits as count, estimated,
      (select count(*) * (select rate from sample) from hits where is_open)::integer as open
    from (select ${estimate}) as estimate`.execute(db)
  return rows[0] ?? none
}

async function countUniversal(
  db: Kysely<Database>,
  { chosen, words, attributes, narrowing }: Omit<Match, 'fit'>,
): Promise<HitCount> {
  const match = {
    chosen: { ...chosen, fit: ['universal' as const] },
    words,
    fit: null,
    attributes,
    narrowing,
  }
  if (!words) return countHits(db, match)
  const kind = words.facets.kind.filter((kind) => !chosen.kind?.length || chosen.kind.includes(kind))
  // Cheaper than finding out from the index that no universal part has the words.
  const isPossible =
    words.partNumber !== '' ||
    kind.includes('') ||
    (await countByFit(db, { ...chosen, kind }, 'universal')).count > 0
  return isPossible ? countHits(db, match) : none
}

/** Counts universal parts or parts with an incomplete list in `product_counts`. */
async function countByFit(
  db: Kysely<Database>,
  chosen: Chosen,
  fit: 'universal' | 'open',
): Promise<HitCount> {
  const { rows } = await sql<{ count: number }>`
    select coalesce(sum(products), 0)::integer as count from product_counts
    where ${hasTerms({ ...chosen, fit: [fit] })}`.execute(db)
  return { ...none, count: rows[0]?.count ?? 0 }
}

function countTerms({ match, isTotal }: CountedFacets, set: number): Condition {
  const hits = isSearch(match)
    ? sampleHits(sql`terms, 1 as products`, match)
    : sql`
      hits as materialized (select terms, products from product_counts where ${hasTerms(match.chosen)}),
      sample as materialized (select 1 as rate)`
  return sql`(
    with ${hits}
    select ${sql.lit(set)}::integer as set, term, sum(products)::integer * rate as count, rate > 1 as estimated
    from sample, (
      select term, products from hits, unnest(tsvector_to_array(terms)) as term
      ${isTotal ? sql`union all select null, products from hits` : sql``}
    ) as counted group by term, rate having sum(products) > 0)`
}

function toFacetValues(name: FacetName, rows: Row[]) {
  const values = rows.map(({ term, count, estimated }) => ({
    value: term?.slice(name.length + 1) ?? '',
    count: displayCount(count, estimated),
  }))
  const order = toFacet(name).values
  return {
    estimated: rows.some(({ estimated }) => estimated),
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
