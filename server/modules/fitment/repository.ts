import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../db/schema.ts'
import type { FitmentRow } from './queries.ts'

const columns = sql`product_id, model_id, year_from, year_to, version, position, pieces, note, source, confirmed_on`

/**
 * Removes and adds fitments of locked products, and updates the bikes that are derived from them.
 *
 * @param isRemoved a condition for rows of `fitments`
 * @param added the new rows, as what follows `from`
 */
export async function changeFitments(
  tx: Kysely<Database>,
  productIds: string[],
  isRemoved: RawBuilder<unknown>,
  added: RawBuilder<unknown>,
): Promise<void> {
  await sql`delete from fitments where ${isRemoved}`.execute(tx)
  await sql`insert into fitments (${columns}) select ${columns} from ${added}`.execute(tx)
  await sql`select refresh_fits(${productIds}::text[])`.execute(tx)
}

/** Changes the fitments of a locked product. */
export async function writeFitments(
  tx: Kysely<Database>,
  productId: string,
  { removedIds, added }: { removedIds: number[]; added: FitmentRow[] },
): Promise<void> {
  const rows = added.map((row) => ({ ...row, product_id: productId }))
  await changeFitments(
    tx,
    [productId],
    sql`id = any(${removedIds})`,
    sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as row (product_id text, model_id integer, year_from smallint,
      year_to smallint, version text, position text, pieces smallint, note text, source text, confirmed_on date)`,
  )
}
