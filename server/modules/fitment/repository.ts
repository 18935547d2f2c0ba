import { type Kysely, type Selectable, sql } from 'kysely'
import type { FitKindChange, NewFitKind } from '../../../contract/fitments.ts'
import type { ChangedColumns } from '../../../db/catalog-schema.ts'
import type { FitmentsTable } from '../../../db/fitment-schema.ts'
import type { Database } from '../../../db/schema.ts'
import type { Actor } from '../../platform/actor.ts'
import { auditActor } from '../../platform/database/audit-actor.ts'
import type { FitState } from './queries.ts'

export interface FitmentModel {
  id: number
  make: string
  model: string
  /** The slug of the model, or of another name of it, by which it was found. */
  typed: string
  /** Such as `Yamaha YZF-R6`. */
  name: string
}

/**
 * Finds models by their slugs, or by those of their other names. A transaction that adds bikes to them waits until this one ends. Must run before products
 * are locked (decision 49).
 */
export async function lockModels(
  tx: Kysely<Database>,
  models: { make: string; model: string }[],
): Promise<FitmentModel[]> {
  const { rows } = await sql<FitmentModel>`
    select models.id, makes.slug as make, models.slug as model, typed, makes.name || ' ' || models.name as name
    from (select distinct * from unnest(${models.map(({ make }) => make)}::text[],
        ${models.map(({ model }) => model)}::text[]) as sent (make, typed)) as sent
      join makes on makes.slug = sent.make join models on models.make_id = makes.id and (models.slug = typed
        or models.id = (select model_id from bike_aliases where alias_key = replace(typed, '-', '')))
    order by models.id for key share of models`.execute(tx)
  return rows
}

/** Locks a product until the end of the transaction, and sets the audit actor. Returns false if it is deleted. */
export async function lockProduct(tx: Kysely<Database>, id: string, by: Actor | null): Promise<boolean> {
  const { rows } = await sql`
    select ${auditActor(by)} from products where id = ${id} and deleted_at is null for no key update`.execute(
    tx,
  )
  return rows.length > 0
}

/** A row of `fitments` without its id and product. */
export type FitmentRow = Omit<Selectable<FitmentsTable>, 'id' | 'product_id'>

export interface StoredFitment extends FitmentRow {
  id: number
  /** Of the model. */
  name: string
}

/** Lists all fitments of a product. */
export async function listStoredFitments(tx: Kysely<Database>, productId: string): Promise<StoredFitment[]> {
  const { rows } = await sql<StoredFitment>`
    select fitments.id, makes.name || ' ' || models.name as name, model_id, year_from, year_to, version, position, pieces,
      note, source, confirmed_on
    from fitments join models on models.id = model_id join makes on makes.id = make_id
    where product_id = ${productId} order by fitments.id`.execute(tx)
  return rows
}

/** Changes the fitments of a locked product, and the bikes that are derived from them. Returns the number of bikes. */
export async function writeFitments(
  tx: Kysely<Database>,
  productId: string,
  state: Omit<FitState, 'revision'>,
  { removedIds, added }: { removedIds: number[]; added: FitmentRow[] },
): Promise<number> {
  if (removedIds.length > 0) await sql`delete from fitments where id = any(${removedIds})`.execute(tx)
  if (added.length > 0) {
    await sql`
      insert into fitments (product_id, model_id, year_from, year_to, version, position, pieces, note, source, confirmed_on)
      select ${productId}, model_id, year_from, year_to, version, position, pieces, note, source, confirmed_on
      from jsonb_to_recordset(${JSON.stringify(added)}::jsonb) as row (model_id integer, year_from smallint,
        year_to smallint, version text, position text, pieces smallint, note text, source text, confirmed_on date)`.execute(
      tx,
    )
  }
  await sql`
    update products set fit_kind = ${state.fit_kind}, fit_complete = ${state.fit_complete}
    where id = ${productId} and (fit_kind, fit_complete) is distinct from (${state.fit_kind}, ${state.fit_complete}::boolean)`.execute(
    tx,
  )
  await sql`select refresh_fits(array[${productId}])`.execute(tx)
  const { rows } = await sql<{ bikes: number }>`
    select cardinality(fits) + cardinality(fits_some) as bikes from products where id = ${productId}`.execute(
    tx,
  )
  return rows[0]?.bikes ?? 0
}

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

/** Sets the fit kind of those of the products that still have another one and no fitments. Locks them first. */
export async function updateFitKinds(
  tx: Kysely<Database>,
  ids: string[],
  { kind, fitKind }: NewFitKind,
): Promise<FitKindChange> {
  await sql`select from products where id = any(${ids}) order by id for no key update`.execute(tx)
  // A new statement, which sees what was committed while this one waited for the locks.
  const { rows } = await sql<FitKindChange>`
    with found as (
      select id, exists (select from fitments where product_id = products.id) as has_fitments from products
      where id = any(${ids}) and kind = ${kind} and fit_kind <> ${fitKind} and deleted_at is null
    ), changed as (
      update products set fit_kind = ${fitKind} from found where products.id = found.id and not has_fitments
    )
    select count(*) filter (where not has_fitments) as changed, count(*) filter (where has_fitments) as skipped
    from found`.execute(tx)
  return rows[0] ?? { changed: 0, skipped: 0 }
}

/** Adds a change of a product to its history. The triggers of `products` add those of its columns. */
export async function addProductChange(
  tx: Kysely<Database>,
  productId: string,
  before: ChangedColumns,
  after: ChangedColumns,
  by: Actor | null,
): Promise<void> {
  await sql`
    insert into product_changes (product_id, kind, before, after, actor_id, client_ip)
    values (${productId}, 'edited', ${JSON.stringify(before)}, ${JSON.stringify(after)}, ${by?.customerId ?? null},
      ${by?.ip ?? null}::inet)`.execute(tx)
}
