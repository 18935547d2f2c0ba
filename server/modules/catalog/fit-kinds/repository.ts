import { type Kysely, sql } from 'kysely'
import type { FitKind } from '../../../../contract/fit-answer.ts'
import type { NewFitKind } from '../../../../contract/fitments.ts'
import type { Database } from '../../../../db/schema.ts'

/** Lists the products of a kind of part that do not have this fit kind, in the order of their ids. */
export async function listOtherFitKinds(
  db: Kysely<Database>,
  { kind, fitKind }: NewFitKind,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from products
    where kind = ${kind} and fit_kind <> ${fitKind} and deleted_at is null order by id`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * Locks products in the order of their ids. Returns the products that have this kind of part and still another fit
 * kind.
 */
export async function lockOtherFitKinds(
  tx: Kysely<Database>,
  ids: string[],
  { kind, fitKind }: NewFitKind,
): Promise<string[]> {
  await sql`select from products where id = any(${ids}) order by id for no key update`.execute(tx)
  // A new statement, which sees what was committed while this one waited for the locks.
  const { rows } = await sql<{ id: string }>`
    select id from products
    where id = any(${ids}) and kind = ${kind} and fit_kind <> ${fitKind} and deleted_at is null`.execute(tx)
  return rows.map(({ id }) => id)
}

/**
 * Sets how locked products fit bikes. A trigger adds the changes to their history.
 *
 * @param isComplete whether their fitments are all bikes that they fit; absent: as it is stored
 */
export async function updateFitKind(
  tx: Kysely<Database>,
  ids: string[],
  fitKind: FitKind,
  isComplete: boolean | null = null,
): Promise<void> {
  const state = sql`${fitKind}, coalesce(${isComplete}::boolean, fit_complete)`
  await sql`
    update products set (fit_kind, fit_complete) = row (${state})
    where id = any(${ids}::text[]) and (fit_kind, fit_complete) is distinct from (${state})`.execute(tx)
}
