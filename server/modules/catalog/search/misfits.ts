import { type Kysely, sql } from 'kysely'
import type { ProductQuery } from '../../../../contract/catalog.ts'
import type { Database } from '../../../../db/schema.ts'
import { hasTerms, type Match, matchingRows, quoteTerm, toNamedQuery } from './filters.ts'
import { findInOrder } from './large-results.ts'
import { getOrder, getScanOrder, sortedColumns } from './result-page.ts'

/** Matching rows that are read and sorted: most products do not fit a bike, so no more of them is needed. */
const maxRows = 2000
/** Rows that are read in their order if more match. */
const maxScannedRows = 10_000

/**
 * Finds the first products that do not fit any of the bikes: their list of bikes is complete and has none of them. No index
 * has them. If many rows match, the first rows of the order are read: then fewer products than the limit may be returned, but
 * none is missing between them. An order without an index, such as by best match, has those among any of the rows.
 *
 * @param match without a fit
 */
export async function findMisfits(
  db: Kysely<Database>,
  match: Match,
  bikes: number[],
  sort: ProductQuery['sort'],
  limit: number,
): Promise<string[]> {
  if (!(await hasCompleteLists(db, match))) return []
  const isMisfit = sql`
    case when fit_kind = 'vehicle' and fit_complete
      then not ts_match_vq(document, ${toNamedQuery(bikes)}::tsquery) else false end`
  const { rows } = await sql<{ isCut: boolean; ids: string[] }>`
    with hits as materialized (
      select * from (${matchingRows(sql`${sortedColumns}, ${isMisfit} as is_misfit`, match)}) as matching
      limit ${maxRows + 1})
    select (select count(*) > ${maxRows} from hits) as "isCut",
      array(select id from hits where is_misfit order by ${getOrder(sort)} limit ${limit}) as ids`.execute(db)
  const { isCut = false, ids = [] } = rows[0] ?? {}
  const order = getScanOrder(match.words ? sort : (sort ?? 'created'))
  if (!isCut || !order) return ids
  return findInOrder(db, { ...match, narrowing: isMisfit }, order, limit, maxScannedRows)
}

const otherFits = (['universal', 'gear', 'open'] as const).map((fit) => quoteTerm('fit', fit)).join(' | ')

/** Whether a product with the chosen filters has a complete list. Parts with one have no term of their fit. */
async function hasCompleteLists(db: Kysely<Database>, { chosen }: Match): Promise<boolean> {
  const { rows } = await sql<{ products: number }>`
    select coalesce(sum(products), 0)::integer as products from product_counts
    where ${hasTerms(chosen)} and terms @@ ${`!(${otherFits})`}::tsquery`.execute(db)
  return (rows[0]?.products ?? 0) > 0
}
