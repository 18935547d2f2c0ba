import { type Kysely, sql } from 'kysely'
import type { ProductQuery } from '../../../../contract/catalog.ts'
import type { Database } from '../../../../db/schema.ts'
import { type Match, matchingRows } from './filters.ts'
import { getOrder, sortedColumns } from './result-page.ts'

/** The part of the catalog that is searched: most products do not fit a bike, so no more of them is needed. */
const maxRows = 2000

/**
 * Finds the first products that do not fit any of the bikes: their list of bikes is complete and has none of them. No index
 * has them. If more rows match than are read, the first ones cannot be known: then none are returned for a chosen order.
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
  const named = bikes.flatMap((bike) => [`':bike:${bike}'`, `':some:${bike}'`]).join(' | ')
  const isMisfit = sql`
    case when fit_kind = 'vehicle' and fit_complete then not ts_match_vq(document, ${named}::tsquery) else false end`
  const { rows } = await sql<{ id: string; isCut: boolean }>`
    with hits as materialized (
      select * from (${matchingRows(sql`${sortedColumns}, ${isMisfit} as is_misfit`, match)}) as matching
      limit ${maxRows + 1})
    select id, (select count(*) > ${maxRows} from hits) as "isCut" from hits
    where is_misfit order by ${getOrder(sort)} limit ${limit}`.execute(db)
  return sort && rows[0]?.isCut ? [] : rows.map(({ id }) => id)
}
