import { type Kysely, sql } from 'kysely'
import type { Bike, Make, Model } from '../../../contract/bikes.ts'
import type { Database } from '../../../db/schema.ts'
import type { Actor } from '../../platform/actor.ts'
import { recordAddedAliases, recordAddedMakes, recordAddedModels, recordBikes } from './history/repository.ts'

/** Expects the tables `bikes`, `models` and `makes`. */
const bikeName = sql<string>`concat_ws(' ', bikes.year, makes.name, models.name, nullif(bikes.version, ''))`

/** The name of the bike whose id is in a column. */
export const toBikeName = (column: string) => sql<string | null>`(
  select ${bikeName} from bikes join models on models.id = model_id join makes on makes.id = make_id
  where bikes.id = ${sql.ref(column)})`

/** Expects the tables `bikes`, `models` and `makes`. A bike as it is on the wire. */
export const bikeAsJson = sql`json_strip_nulls(json_build_object(
  'id', bikes.id, 'make', makes.slug, 'model', models.slug, 'year', bikes.year, 'version', bikes.version,
  'engineCc', bikes.engine_cc, 'name', ${bikeName}))`

export async function listMakes(db: Kysely<Database>): Promise<Make[]> {
  const { rows } = await sql<Make>`
    select slug as make, name from makes
    where exists (select from models where make_id = makes.id) order by lower(name)`.execute(db)
  return rows
}

/** Lists the models of a make with their years, the newest first. */
export async function listModels(db: Kysely<Database>, make: string): Promise<Model[]> {
  const { rows } = await sql<Model>`
    select models.slug as model, models.name,
      array(select year from bikes where model_id = models.id and version = '' order by year desc) as years
    from models join makes on makes.id = make_id
    where makes.slug = ${make} order by lower(models.name)`.execute(db)
  return rows
}

/** Lists the bikes of a model, the newest first. Each year starts with the bike without a version. */
export async function listBikes(db: Kysely<Database>, make: string, model: string): Promise<Bike[]> {
  const { rows } = await sql<{ bike: Bike }>`
    select ${bikeAsJson} as bike
    from makes join models on make_id = makes.id join bikes on model_id = models.id
    where makes.slug = ${make} and models.slug = ${model}
    order by year desc, lower(bikes.version), bikes.id`.execute(db)
  return rows.map(({ bike }) => bike)
}

/** Returns the bikes with these ids, in this order. Unknown ids are left out. */
export async function findBikes(db: Kysely<Database>, ids: number[]): Promise<Bike[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<{ bike: Bike }>`
    select ${bikeAsJson} as bike
    from unnest(${ids}::integer[]) with ordinality as wanted (id, place)
      join bikes on bikes.id = wanted.id join models on models.id = model_id join makes on makes.id = make_id
    order by place`.execute(db)
  return rows.map(({ bike }) => bike)
}

/** Returns the bikes that the shop has. They are not removed until the transaction ends. */
export async function lockBikes(tx: Kysely<Database>, ids: number[]): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`
    select id from bikes where id = any(${ids}::integer[]) order by id for key share`.execute(tx)
  return new Set(rows.map(({ id }) => id))
}

interface LockedModel {
  id: number
  make: string
  model: string
  /** The slug of the model, or of another name of it, by which it was found. */
  typed: string
  /** Such as `Yamaha YZF-R6`. */
  name: string
}

/**
 * Finds models by their slugs or other names. A transaction that adds bikes to them waits until this one ends. Must run
 * before products are locked (decision 49).
 */
export async function lockModels(
  tx: Kysely<Database>,
  models: { make: string; model: string }[],
): Promise<LockedModel[]> {
  const { rows } = await sql<LockedModel>`
    select models.id, makes.slug as make, models.slug as model, typed, makes.name || ' ' || models.name as name
    from (select distinct * from unnest(${models.map(({ make }) => make)}::text[],
        ${models.map(({ model }) => model)}::text[]) as sent (make, typed)) as sent
      join makes on makes.slug = sent.make join models on models.make_id = makes.id and (models.slug = typed
        or models.id = (select model_id from bike_aliases where alias_key = replace(typed, '-', '')))
    order by models.id for key share of models`.execute(tx)
  return rows
}

export async function existBikes(db: Kysely<Database>): Promise<boolean> {
  const { rows } = await sql<{ exist: boolean }>`select exists (select from bikes) as exist`.execute(db)
  return rows[0]?.exist ?? false
}

/** A bike as it is stored, with the names and slugs of its make and model. */
interface NewBikeRow {
  make: string
  make_slug: string
  model: string
  model_slug: string
  year: number
  version: string
  engine_cc: number | null
  source: string
}

/**
 * Adds bikes that do not exist yet, with their makes and models, and a bike without a version for each year. Products
 * whose fitments cover the new bikes are updated. Locks the models first, so that fitments that are added at the same
 * time are seen. Returns the number of added bikes.
 */
export async function insertBikes(
  tx: Kysely<Database>,
  bikes: NewBikeRow[],
  addedBy: Actor | null,
): Promise<number> {
  const rows = sql`jsonb_to_recordset(${JSON.stringify(bikes)}::jsonb) as row (make text, make_slug text, model text,
    model_slug text, year smallint, version text, engine_cc smallint, source text)`
  // Thousands of products can fit a model.
  await sql`set local statement_timeout = 0`.execute(tx)
  await sql`
    with added as (
      insert into makes (name, slug) select distinct on (make_slug) make, make_slug from ${rows}
      where make_slug not in (select slug from makes) order by make_slug
      on conflict do nothing returning name
    ) ${recordAddedMakes(addedBy)}`.execute(tx)
  await sql`
    with added as (
      insert into models (make_id, name, slug)
      select distinct on (makes.id, model_slug) makes.id, model, model_slug from ${rows} join makes on makes.slug = make_slug
      order by makes.id, model_slug
      on conflict do nothing returning make_id, name
    ) ${recordAddedModels(addedBy)}`.execute(tx)
  const wanted = sql`${rows} join makes on makes.slug = make_slug
    join models on models.make_id = makes.id and models.slug = model_slug`
  await sql`
    select id from models where id in (select models.id from ${wanted}) order by id for update`.execute(tx)
  const added = await sql<{ model_id: number; year: number }>`
    with added as (
      insert into bikes (model_id, year, version, engine_cc, source)
      select models.id, year, version, engine_cc, source from ${wanted}
      union all
      (select distinct on (models.id, year) models.id, year, '', null::smallint, source from ${wanted}
        where (models.id, year) not in (select models.id, year from ${wanted} where version = '') order by models.id, year)
      on conflict do nothing returning model_id, year, version
    ), recorded as (${recordBikes(addedBy, 'added')})
    select model_id, year from added`.execute(tx)
  await sql`
    select refresh_fits(array(
      select distinct product_id
      from unnest(${added.rows.map((row) => row.model_id)}::integer[], ${added.rows.map((row) => row.year)}::integer[])
          as added (model_id, year)
        join fitments on fitments.model_id = added.model_id and added.year between year_from and year_to))`.execute(
    tx,
  )
  return added.rows.length
}

/** Returns the first of these other names that another model or a make has. */
export async function findTakenAlias(
  db: Kysely<Database>,
  keys: string[],
  { make, model }: { make: string; model: string },
): Promise<string | undefined> {
  const { rows } = await sql<{ alias_key: string }>`
    select alias_key from bike_aliases join models on models.id = model_id join makes on makes.id = make_id
    where alias_key = any(${keys}::text[]) and (makes.slug, models.slug) <> (${make}, ${model})
    union select replace(slug, '-', '') from makes where replace(slug, '-', '') = any(${keys}::text[])
    order by alias_key limit 1`.execute(db)
  return rows[0]?.alias_key
}

interface Alias {
  key: string
  make: string
  model: string
}

const insertAliases = (aliases: Alias[]) => sql`
  insert into bike_aliases (alias_key, model_id)
  select key, models.id
  from jsonb_to_recordset(${JSON.stringify(aliases)}::jsonb) as row (key text, make text, model text)
    join makes on makes.slug = make join models on models.make_id = makes.id and models.slug = model
  on conflict do nothing returning model_id, alias_key`

/** Adds other names of models. One that another model has already stays with it. */
export async function addAliases(
  tx: Kysely<Database>,
  aliases: Alias[],
  addedBy: Actor | null,
): Promise<void> {
  await sql`with added as (${insertAliases(aliases)}) ${recordAddedAliases(addedBy)}`.execute(tx)
}

/** Lists the other names of a model. */
export async function listAliases(
  db: Kysely<Database>,
  { make, model }: { make: string; model: string },
): Promise<string[]> {
  const { rows } = await sql<{ alias_key: string }>`
    select alias_key from makes join models on make_id = makes.id join bike_aliases on model_id = models.id
    where makes.slug = ${make} and models.slug = ${model} order by alias_key`.execute(db)
  return rows.map(({ alias_key }) => alias_key)
}

/** Replaces the other names of a model. One that another model has already stays with it. Does not record the change. */
export async function replaceAliases(
  tx: Kysely<Database>,
  { make, model }: { make: string; model: string },
  keys: string[],
): Promise<void> {
  await sql`
    delete from bike_aliases using models, makes
    where models.id = model_id and makes.id = make_id and makes.slug = ${make} and models.slug = ${model}
      and alias_key <> all(${keys}::text[])`.execute(tx)
  await insertAliases(keys.map((key) => ({ key, make, model }))).execute(tx)
}

/** Stores the previous slug too, so that its pages redirect. Expects the columns `slug` and `old_slugs`. */
const changeSlug = (slug: string) => sql`
  slug = ${slug}, old_slugs = case when slug = ${slug} then old_slugs else array_remove(old_slugs, ${slug}) || slug end`

/** Returns the previous name; undefined for an unknown make. */
export async function renameMake(
  tx: Kysely<Database>,
  make: string,
  { name, slug }: { name: string; slug: string },
): Promise<string | undefined> {
  await sql`
    select from models where make_id = (select id from makes where slug = ${make}) order by id for update`.execute(
    tx,
  )
  const { rows } = await sql<{ name: string }>`
    update makes set name = ${name}, ${changeSlug(slug)} where slug = ${make} returning old.name`.execute(tx)
  return rows[0]?.name
}

/** Locks a model like a transaction that adds bikes to it. Must run before products are locked (decision 49). */
export async function lockModelForUpdate(
  tx: Kysely<Database>,
  { make, model }: { make: string; model: string },
): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select models.id from models join makes on makes.id = make_id
    where makes.slug = ${make} and models.slug = ${model} for update of models`.execute(tx)
  return rows[0]?.id
}

/** Locks a model, and renames it. Returns the name of its make and its previous name; undefined for an unknown one. */
export async function renameModel(
  tx: Kysely<Database>,
  slugs: { make: string; model: string },
  { name, slug }: { name: string; slug: string },
): Promise<{ make: string; model: string } | undefined> {
  const id = await lockModelForUpdate(tx, slugs)
  if (id === undefined) return undefined
  const { rows } = await sql<{ make: string; model: string }>`
    update models set name = ${name}, ${changeSlug(slug)} where id = ${id}
    returning old.name as model, (select name from makes where id = make_id) as make`.execute(tx)
  return rows[0]
}

/**
 * Finds the slugs of a make or a model by earlier slugs. Present names come first. Undefined if the shop has neither.
 */
export async function findRenamed(
  db: Kysely<Database>,
  { make, model = null }: { make: string; model?: string | null | undefined },
): Promise<{ make: string; model: string | null } | undefined> {
  const { rows } = await sql<{ make: string; model: string | null }>`
    select makes.slug as make, models.slug as model
    from makes left join models on make_id = makes.id and ${model}::text = any(models.slug || models.old_slugs)
    where ${make} = any(makes.slug || makes.old_slugs) and (${model}::text is null or models.id is not null)
    order by makes.slug = ${make} desc, models.slug = ${model}::text desc, makes.id, models.id limit 1`.execute(
    db,
  )
  return rows[0]
}

/** Bikes of a model; `version` null: all versions. */
interface BikeRange {
  modelId: number
  yearFrom: number
  yearTo: number
  version: string | null
}

const isInRange = ({ modelId, yearFrom, yearTo, version }: BikeRange) => sql`(
  bikes.model_id = ${modelId} and year between ${yearFrom} and ${yearTo}
  and (${version}::text is null or lower(bikes.version collate "C") = lower(${version}::text collate "C")))`

/** Returns whether a fitment covers one of the bikes. Any fitment of its year covers the one without a version. */
export async function isAnyCovered(tx: Kysely<Database>, range: BikeRange): Promise<boolean> {
  const { rows } = await sql<{ covered: boolean }>`
    select exists (
      select from bikes join fitments on fitments.model_id = bikes.model_id and year between year_from and year_to
      where ${isInRange(range)} and (fitments.version is null or bikes.version = ''
        or lower(fitments.version collate "C") = lower(bikes.version collate "C"))) as covered`.execute(tx)
  return rows[0]?.covered ?? false
}

/** Deletes bikes of a locked model. Returns their number. Postgres refuses bikes that garages, carts and orders have. */
export async function deleteBikes(tx: Kysely<Database>, range: BikeRange, removedBy: Actor): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with removed as (delete from bikes where ${isInRange(range)} returning model_id, year, version),
    recorded as (${recordBikes(removedBy, 'removed')})
    select count(*) from removed`.execute(tx)
  return rows[0]?.count ?? 0
}

export interface DeletedModel {
  make: string
  model: string
  aliases: string | null
  isMakeDeleted: boolean
}

/**
 * Deletes a locked model with its other names if it has no bikes, and then its make if that has no models. Returns their
 * names; null if the model has bikes. Does not record the changes. Postgres refuses a model with fitments or ACES codes.
 */
export async function deleteUnusedModel(tx: Kysely<Database>, modelId: number): Promise<DeletedModel | null> {
  const { rows: bikes } = await sql`select from bikes where model_id = ${modelId} limit 1`.execute(tx)
  if (bikes.length > 0) return null
  const { rows: names } = await sql<Pick<DeletedModel, 'aliases'>>`
    with removed as (delete from bike_aliases where model_id = ${modelId} returning alias_key)
    select string_agg(alias_key, '; ' order by alias_key) as aliases from removed`.execute(tx)
  const { rows } = await sql<{ make_id: number; make: string; model: string }>`
    delete from models where id = ${modelId}
    returning make_id, (select name from makes where id = make_id) as make, name as model`.execute(tx)
  const { make_id: makeId = 0, make = '', model = '' } = rows[0] ?? {}
  const { numAffectedRows: makes } = await sql`
    delete from makes where id = ${makeId} and not exists (select from models where make_id = ${makeId})`.execute(
    tx,
  )
  return { make, model, aliases: names[0]?.aliases ?? null, isMakeDeleted: makes === 1n }
}
