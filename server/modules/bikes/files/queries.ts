import { type Kysely, sql } from 'kysely'
import { type ImportChange, maxListedChanges } from '../../../../contract/imports.ts'
import type { Database } from '../../../../db/schema.ts'
import type { Actor } from '../../../platform/actor.ts'
import { guardFormulas } from '../../../platform/database/csv-export.ts'
import type { Effect, FileErrors } from '../../imports/file-kind.ts'
import { listErrors, storeRows } from '../../imports/queries.ts'
import {
  recordAddedAliases,
  recordAddedMakes,
  recordAddedModels,
  recordBikes,
  recordChangedBikes,
} from '../history/repository.ts'

/** The bikes that one file may have. */
const maxBikes = 1_000_000
/** The ids of makes are small integers. */
const maxMakes = 10_000
const tooManyMakes = `The shop can have at most ${maxMakes.toLocaleString('en-US')} makes`

export const insertRows = storeRows(
  'bike_import_rows',
  sql`row, make, make_slug, model, model_slug, year_from, year_to, version, engine_cc, source, aliases`,
)

/** A bike file whose rows are stored, and its columns. */
interface BikeFile {
  id: string
  columns: string[]
}

/** SQL of a value in the file. If the file does not have its column, a stored bike keeps its value. */
const newValue = (columns: string[], name: 'engine_cc' | 'source') =>
  columns.includes(name)
    ? sql.ref(`file.${name}`)
    : sql`case when bikes.id is null then ${sql.ref(`file.${name}`)} else ${sql.ref(`bikes.${name}`)} end`

/** One row per bike of the file, with the stored one. Each year also has a bike without a version. */
const bikesOfFile = ({ id: importId, columns }: BikeFile) => sql`
  select distinct on (make_slug, model_slug, years.year, lower(file.version collate "C")) row, make, make_slug, model,
    model_slug, years.year::smallint as year, file.version, ${newValue(columns, 'engine_cc')} as engine_cc,
    ${newValue(columns, 'source')} as source, is_listed, models.id as model_id, bikes.id as bike_id,
    bikes.engine_cc as old_engine_cc, bikes.source as old_source
  from (
      select row, make, make_slug, model, model_slug, year_from, year_to, version, engine_cc, source, true as is_listed
      from bike_import_rows where import_id = ${importId}
      union all
      select row, make, make_slug, model, model_slug, year_from, year_to, '', null, source, false
      from bike_import_rows where import_id = ${importId} and version <> ''
    ) as file
    cross join generate_series(year_from::integer, year_to) as years (year)
    left join makes on makes.slug = make_slug
    left join models on models.make_id = makes.id and models.slug = model_slug
    left join bikes on bikes.model_id = models.id and bikes.year = years.year
      and lower(bikes.version collate "C") = lower(file.version collate "C")
  order by make_slug, model_slug, years.year, lower(file.version collate "C"), is_listed desc, row`

/** A bike whose row differs from the stored data. */
const isChanged = sql<boolean>`(bike_id is not null and is_listed
  and (file.engine_cc, file.source) is distinct from (old_engine_cc, old_source))`

/** The names of models in the file that the shop does not have yet. */
const newAliases = (importId: string) => sql`
  select distinct on (alias) alias, row, make_slug, model_slug
  from bike_import_rows cross join unnest(aliases) as alias
  where import_id = ${importId} and not exists (select from bike_aliases where alias_key = alias)
  order by alias, row`

/** Finds errors that need other rows or the stored bikes. Counts all, and lists the first. */
export async function findErrors(db: Kysely<Database>, importId: string): Promise<FileErrors> {
  await sql`analyze bike_import_rows`.execute(db)
  const { rows: sizes } = await sql<{ bikes: number }>`
    select coalesce(sum(year_to - year_from + 1), 0) as bikes from bike_import_rows where import_id = ${importId}`.execute(
    db,
  )
  if ((sizes[0]?.bikes ?? 0) > maxBikes) {
    const message = 'The years of all rows are more than 1,000,000 bikes. Divide the file'
    return { errors: [{ row: 2, column: 'year_to', message }], total: 1 }
  }
  const tables = sql`
    file as materialized (
      select row, make, make_slug, model_slug, year_from, year_to, lower(version collate "C") as version, aliases
      from bike_import_rows where import_id = ${importId}
    ),
    found (row, "column", message) as (
      select row, 'year_from', 'Row ' || min(first) || ' has the year ' || min(year) || ' of this bike already'
      from (
        select row, year, first_value(row) over (
          partition by make_slug, model_slug, year, version order by row) as first
        from file, generate_series(year_from::integer, year_to) as year) as twice
      where row > first group by row
      union all
      select row, 'aliases', 'Another bike has this name: ' || alias
      from (
        select row, alias, make_slug, model_slug,
          first_value(make_slug) over named as first_make, first_value(model_slug) over named as first_model
        from file, unnest(aliases) as alias window named as (partition by alias order by row)) as named
        left join bike_aliases on alias_key = alias
        left join models on models.id = bike_aliases.model_id left join makes on makes.id = make_id
      where (make_slug, model_slug) <> (coalesce(makes.slug, first_make), coalesce(models.slug, first_model))
      union all
      select min(row), 'make', ${sql.lit(tooManyMakes)}
      from file having count(distinct make_slug) + (select count(*) from makes) > ${maxMakes}
        and bool_or(make_slug not in (select slug from makes))
    )`
  return listErrors(db, tables)
}

/** Counts the bikes that the import would add and change now. A new name of a model counts as a change. */
export async function countEffect(db: Kysely<Database>, file: BikeFile): Promise<Effect> {
  const { rows } = await sql<Effect>`
    select count(*) filter (where bike_id is null) as added,
      count(*) filter (where ${isChanged}) + (select count(*) from (${newAliases(file.id)}) as named) as changed,
      count(*) filter (where bike_id is not null and is_listed and not ${isChanged}) as unchanged
    from (${bikesOfFile(file)}) as file`.execute(db)
  return rows[0] ?? { added: 0, changed: 0, unchanged: 0 }
}

/** Lists the first bikes that would be added or changed, and new names of models. */
export async function listChanges(db: Kysely<Database>, file: BikeFile): Promise<ImportChange[]> {
  const { rows } = await sql<ImportChange>`
    select row, name, before, after from (
      select row, concat_ws(' ', year, make, model, nullif(version, '')) as name,
        case when bike_id is not null then
          jsonb_build_object('engine_cc', old_engine_cc::text, 'source', old_source) end as before,
        jsonb_build_object('engine_cc', engine_cc::text, 'source', source) as after
      from (${bikesOfFile(file)}) as file where bike_id is null or ${isChanged}
      union all
      select row, concat_ws(' ', make_slug, model_slug), jsonb_build_object('aliases', null),
        jsonb_build_object('aliases', alias)
      from (${newAliases(file.id)}) as named) as changes
    order by row, name limit ${maxListedChanges}`.execute(db)
  return rows
}

/** Adds the makes and models that the shop does not have. */
export async function addModels(db: Kysely<Database>, importId: string, by: Actor): Promise<void> {
  await sql`
    with added as (
      insert into makes (name, slug)
      select make, make_slug from (
        select distinct on (make_slug) make, make_slug, row from bike_import_rows
        where import_id = ${importId} order by make_slug, row) as file
      where make_slug not in (select slug from makes) order by row
      on conflict do nothing returning name
    ) ${recordAddedMakes(by)}`.execute(db)
  await sql`
    with added as (
      insert into models (make_id, name, slug)
      select make_id, model, model_slug from (
        select distinct on (makes.id, model_slug) makes.id as make_id, model, model_slug, row
        from bike_import_rows join makes on makes.slug = make_slug
        where import_id = ${importId} order by makes.id, model_slug, row) as file
      where (make_id, model_slug) not in (select make_id, slug from models) order by row
      on conflict do nothing returning make_id, name
    ) ${recordAddedModels(by)}`.execute(db)
}

/**
 * Locks the models of the file, so that fitments that are added at the same time are seen. Must run before products are
 * locked (decision 49).
 */
export async function lockModels(db: Kysely<Database>, importId: string): Promise<void> {
  await sql`
    select id from models where id in (
      select models.id from bike_import_rows join makes on makes.slug = make_slug
        join models on models.make_id = makes.id and models.slug = model_slug
      where import_id = ${importId})
    order by id for update`.execute(db)
}

/** Adds and changes the bikes of the file, and lists the products whose fitments cover new ones under them. */
export async function saveBikes(db: Kysely<Database>, file: BikeFile, by: Actor): Promise<void> {
  await sql`
    with changed as (
      update bikes set engine_cc = file.engine_cc, source = file.source
      from (${bikesOfFile(file)}) as file where bikes.id = bike_id and ${isChanged}
      returning bikes.model_id, bikes.year, bikes.version, to_jsonb(old) as before, to_jsonb(new) as after
    ) ${recordChangedBikes(by)}`.execute(db)
  await sql`
    with added as (
      insert into bike_aliases (alias_key, model_id)
      select alias, models.id from (${newAliases(file.id)}) as named
        join makes on makes.slug = make_slug join models on models.make_id = makes.id and models.slug = model_slug
      returning alias_key, model_id
    ) ${recordAddedAliases(by)}`.execute(db)
  await sql`
    with added as (
      insert into bikes (model_id, year, version, engine_cc, source)
      select model_id, year, version, engine_cc, source from (${bikesOfFile(file)}) as file
      where bike_id is null order by row, year, version
      returning model_id, year, version
    ), recorded as (${recordBikes(by, 'added')}), years as materialized (
      select distinct model_id, year from added
    )
    select refresh_fits(array(
      select distinct product_id from years join fitments on fitments.model_id = years.model_id
        and year between year_from and year_to))`.execute(db)
}

/** All bikes, in the columns of an import. The newest bike of a model also has its other names. */
export const exportQuery = `
  select ${guardFormulas('makes.name')} as make, ${guardFormulas('models.name')} as model, year as year_from,
    year as year_to, ${guardFormulas("nullif(version, '')")} as version, engine_cc, ${guardFormulas('source')} as source,
    case when row_number() over (partition by models.id order by year desc, bikes.version) = 1 then (
      select string_agg(alias_key, ';' order by alias_key) from bike_aliases where model_id = models.id) end as aliases
  from bikes join models on models.id = bikes.model_id join makes on makes.id = make_id
  order by makes.name, models.name, year desc, bikes.version`
