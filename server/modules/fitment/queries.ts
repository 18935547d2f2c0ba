import { type Expression, type Kysely, type RawBuilder, type Selectable, sql } from 'kysely'
import type { Bike } from '../../../contract/bikes.ts'
import type { FitKind } from '../../../contract/fit-answer.ts'
import type { FitKindCounts, Fitment } from '../../../contract/fitments.ts'
import type { FitmentsTable } from '../../../db/fitment-schema.ts'
import type { Database } from '../../../db/schema.ts'
import { bikeAsJson } from '../bikes/service.ts'
import { isSold } from '../catalog/service.ts'

/** Expects the tables `fitments`, `models` and `makes`. A fitment as it is on the wire. */
const fitmentAsJson = sql`json_strip_nulls(json_build_object(
  'make', makes.slug, 'model', models.slug, 'name', makes.name || ' ' || models.name,
  'yearFrom', year_from, 'yearTo', year_to, 'version', fitments.version, 'position', position, 'pieces', pieces,
  'note', note, 'source', fitments.source, 'confirmedOn', confirmed_on))`

const fitmentOrder = sql`makes.name, models.name, year_from, year_to, fitments.version nulls first,
  position nulls first, fitments.source, fitments.id`

/**
 * Lists the models and years for which at least one product fits, in the order of their pages. With `offset 0` Postgres stops
 * at the first part of each bike, and does not read the fitments of all products.
 */
export async function listFittedYears(
  db: Kysely<Database>,
): Promise<{ make: string; model: string; years: number[] }[]> {
  const { rows } = await sql<{ make: string; model: string; years: number[] }>`
    select makes.slug as make, models.slug as model, array_agg(year order by year) as years
    from bikes join models on models.id = model_id join makes on makes.id = make_id
    where version = '' and exists (
      select from fitments join products on products.id = product_id and ${isSold}
      where fitments.model_id = bikes.model_id and year between year_from and year_to and fitments.version is null
      offset 0)
    group by makes.slug, models.slug order by 1, 2`.execute(db)
  return rows
}

/** The stored data that decide whether a product fits a bike. */
export interface Pair {
  /** Null: no such product. */
  fit_kind: FitKind | null
  fit_complete: boolean
  /** Whether the product has a kind or fitments, or is universal or gear. */
  is_described: boolean
  /** Null: no such bike. */
  bike: Bike | null
  /** The fitments that cover the model and the year. */
  fitments: Fitment[]
}

/**
 * Reads all pairs with one statement, in their order. The subquery hides the number of pairs (see `anyOf`): planning takes
 * longer than reading one pair.
 */
export async function findPairs(
  db: Kysely<Database>,
  pairs: { productId: string; bikeId: number }[],
): Promise<Pair[]> {
  const { rows } = await sql<Pair>`
    select fit_kind, fit_complete, (fit_kind <> 'vehicle' or kind is not null
        or exists (select from fitments where product_id = products.id)) as is_described,
      case when bikes.id is not null then ${bikeAsJson} end as bike, coalesce((
      select json_agg(${fitmentAsJson} order by ${fitmentOrder}) from fitments
      where product_id = products.id and fitments.model_id = bikes.model_id
        and bikes.year between year_from and year_to), '[]') as fitments
    from unnest(
        (select ${pairs.map(({ productId }) => productId)}::text[]), ${pairs.map(({ bikeId }) => bikeId)}::integer[]
      ) with ordinality as pair (product_id, bike_id, place)
      left join products on products.id = pair.product_id and ${isSold}
      left join bikes on bikes.id = pair.bike_id
      left join models on models.id = bikes.model_id
      left join makes on makes.id = models.make_id
    order by place`.execute(db)
  return rows
}

/** Maximum length of the position that a line of an order keeps. */
export const maxPosition = 200

/**
 * A query of `bike_id`, `answer` and `position` for a line of an order that is placed: the same fit as of `findLineFits`, in
 * SQL, so that an order needs no query before its statement. No row for gear and without such a bike.
 */
export const orderedFit = (line: {
  productId: Expression<unknown>
  bikeId: Expression<unknown>
}): RawBuilder<unknown> => sql`
  select bike_id, answer, case when answer = 'fits' then (
    select left(string_agg(distinct position collate "C", ', '), ${maxPosition}::integer)
    from fitments
    where product_id = product.id and fitments.model_id = product.model_id and year between year_from and year_to
      and (version is null or lower(version collate "C") = lower(bike_version collate "C"))
    ) end as position
  from (
    select products.id, bikes.id as bike_id, model_id, year, version as bike_version,
      case when fit_kind <> 'vehicle' then fit_kind when bikes.id = any(fits) then 'fits'
        when bikes.id = any(fits_some) then 'fits_some' when fit_complete then 'does_not_fit'
        else 'not_confirmed' end as answer
    from products, bikes where products.id = ${line.productId} and bikes.id = ${line.bikeId} and fit_kind <> 'gear'
  ) as product`

interface FitState {
  fit_kind: FitKind
  fit_complete: boolean
  /** A hash of everything that an admin edits. */
  revision: string
}

/** Returns none if the product is deleted. */
export async function findFitState(db: Kysely<Database>, productId: string): Promise<FitState | undefined> {
  const { rows } = await sql<FitState>`
    select fit_kind, fit_complete, md5(fit_kind || fit_complete || coalesce((
      select string_agg(fitments::text, ',' order by id) from fitments where product_id = products.id), '')) as revision
    from products where id = ${productId} and deleted_at is null`.execute(db)
  return rows[0]
}

/** Counts the bikes that a product fits, and the bikes of which it fits some versions. */
export async function countBikes(db: Kysely<Database>, productId: string): Promise<number> {
  const { rows } = await sql<{ bikes: number }>`
    select cardinality(fits) + cardinality(fits_some) as bikes from products where id = ${productId}`.execute(
    db,
  )
  return rows[0]?.bikes ?? 0
}

/** Returns the products that have fitments. */
export async function listFitted(db: Kysely<Database>, productIds: string[]): Promise<Set<string>> {
  const { rows } = await sql<{ product_id: string }>`
    select distinct product_id from fitments where product_id = any(${productIds}::text[])`.execute(db)
  return new Set(rows.map(({ product_id }) => product_id))
}

/** A row of `fitments` without its id and product. */
export type FitmentRow = Omit<Selectable<FitmentsTable>, 'id' | 'product_id'>

interface StoredFitment extends FitmentRow {
  id: number
  /** The name of the model. */
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

/** A page of a product's fitments, and their total number. */
export async function listFitments(
  db: Kysely<Database>,
  productId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ fitments: Fitment[]; total: number }> {
  const { rows } = await sql<{ fitments: Fitment[]; total: number }>`
    select (select count(*)::integer from fitments where product_id = ${productId}) as total, coalesce((
      select json_agg(fitment) from (
        select ${fitmentAsJson} as fitment from fitments
          join models on models.id = fitments.model_id join makes on makes.id = make_id
        where product_id = ${productId} order by ${fitmentOrder} limit ${limit} offset ${offset}) as page), '[]') as fitments`.execute(
    db,
  )
  return rows[0] ?? { fitments: [], total: 0 }
}

/** Counts products by kind of part and fit kind. */
export async function countFitKinds(db: Kysely<Database>): Promise<FitKindCounts['kinds']> {
  const { rows } = await sql<FitKindCounts['kinds'][number]>`
    select substr(term, length('kind:') + 1) as kind,
      sum(products * (not is_universal and not is_gear)::integer) as vehicle,
      sum(products * is_universal::integer) as universal,
      sum(products * is_gear::integer) as gear
    from (
      select terms, products, terms @@ '''fit:universal''' as is_universal, terms @@ '''fit:gear''' as is_gear
      from product_counts) as counted, unnest(tsvector_to_array(terms)) as term
    where starts_with(term, 'kind:')
    group by term having sum(products) > 0
    order by lower(substr(term, length('kind:') + 1)), term`.execute(db)
  return rows
}
