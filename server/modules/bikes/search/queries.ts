import { type Kysely, sql } from 'kysely'
import type { BikeMatch } from '../../../../contract/bikes.ts'
import type { Database } from '../../../../db/schema.ts'
import type { NamedMake, NamedModel } from '../rules.ts'

interface ModelFilter {
  /** Only models of this year. */
  year?: number | null
  /** Only models that have it, in the form of `toAliasKey`. */
  version?: string | null
  /** Whether a match lists the years of its model. */
  withYears?: boolean
}

/**
 * Finds models with all words, at most 20. Each word must begin a part of the make, the model or another name; the
 * parts of `gsx-r750` are `gsx`, `r` and `750`. If some models match by whole parts, only these are returned, so that
 * `r6` finds no GSX-R600.
 *
 * @param words in the form of `toAliasKey`
 */
export async function searchModels(
  db: Kysely<Database>,
  words: string[],
  { year = null, version = null, withYears = false }: ModelFilter,
): Promise<BikeMatch[]> {
  // A word has only letters and digits, so that the expression needs no escapes.
  const patterns = words.map((word) => ` ${Array.from(word).join(' ?')}`)
  const { rows } = await sql<{ match: BikeMatch }>`
    select json_strip_nulls(json_build_object('make', make, 'model', model, 'year', ${year}::integer, 'name', name,
      'years', case when ${withYears} then (
        select json_agg(distinct year order by year) from bikes where model_id = models.id) end)) as match
    from (
      select models.id, makes.slug as make, models.slug as model, concat_ws(' ', ${year}::integer, makes.name, models.name) as name,
        matched.wholes, max(matched.wholes) over () as most
      from models join makes on makes.id = make_id
        cross join lateral (select array_prepend(
          ' ' || regexp_replace(replace(makes.slug || '-' || models.slug, '-', ' '),
            '(?<=[^0-9 ])(?=[0-9])|(?<=[0-9])(?=[^0-9 ])', ' ', 'g'),
          array(select ' ' || alias_key from bike_aliases where model_id = models.id)) as names) as known
        cross join lateral (
          select count(*) filter (where is_start) as starts, count(*) filter (where is_whole) as wholes
          from unnest(${patterns}::text[]) as pattern,
            lateral (
              select bool_or(name ~ pattern) as is_start, bool_or(name || ' ' ~ (pattern || ' ')) as is_whole
              from unnest(names) as name) as found) as matched
      where matched.starts = ${words.length}
        and exists (select from bikes where model_id = models.id and year = coalesce(${year}, year)
          and (${version}::text is null
            or regexp_replace(replace(lower(version), '+', 'plus'), '[^[:alnum:]]', '', 'g') = ${version}))) as models
    where wholes = most
    order by lower(name)
    limit 20`.execute(db)
  return rows.map(({ match }) => match)
}

/** First words of makes that are words of other searches, such as `end can` and `gas cap`, or of other brands, such as `royal purple`. */
const ordinaryWords =
  `american arctic bad big black blue boss can gas ice iron land moto new pro red royal super ultra
  united white wild`.split(/\s+/)

/**
 * Finds the models and makes whose names or aliases have these keys. The first word of a make is enough, unless it is an
 * ordinary word: then the make needs its whole name, such as Can-Am, Gas Gas or Moto Guzzi.
 */
export async function findNames(
  db: Kysely<Database>,
  keys: string[],
): Promise<{ models: NamedModel[]; makes: NamedMake[] }> {
  const { rows } = await sql<{ models: NamedModel[]; makes: NamedMake[] }>`
    with found as (
      select alias_key as key, model_id from bike_aliases where alias_key = any(${keys}::text[])
      union
      select replace(slug, '-', ''), id from models where replace(slug, '-', '') = any(${keys}::text[])
    )
    select coalesce((
      select json_agg(json_build_object(
        'key', key, 'make', makes.slug, 'model', models.slug, 'name', makes.name || ' ' || models.name)
        order by makes.name, models.name)
      from found join models on models.id = model_id join makes on makes.id = make_id), '[]') as models,
    coalesce((
      select json_agg(json_build_object('key', key, 'make', slug, 'name', name))
      from makes, lateral (values (replace(slug, '-', '')), (split_part(slug, '-', 1))) as keys (key)
      where key = any(${keys}::text[])
        and (key = replace(slug, '-', '') or key <> all(${ordinaryWords}))), '[]') as makes`.execute(db)
  return rows[0] ?? { models: [], makes: [] }
}

/** Lists the models of a make by name. */
export async function listModelsOfMake(
  db: Kysely<Database>,
  make: string,
): Promise<{ id: number; make: string; model: string; name: string }[]> {
  const { rows } = await sql<{ id: number; make: string; model: string; name: string }>`
    select models.id, makes.slug as make, models.slug as model, makes.name || ' ' || models.name as name
    from models join makes on makes.id = make_id where makes.slug = ${make} order by lower(models.name)`.execute(
    db,
  )
  return rows
}

/** Lists the words without digits in the names and aliases of makes and models. */
export async function listNameWords(db: Kysely<Database>): Promise<string[]> {
  const { rows } = await sql<{ word: string }>`
    select word from (
      select unnest(string_to_array(slug, '-')) as word from makes
      union select unnest(string_to_array(slug, '-')) from models
      union select alias_key from bike_aliases) as words
    where word ~ '^[a-z]{4,}$'`.execute(db)
  return rows.map(({ word }) => word)
}

/** Returns the words that a make or a model has in its name, or has as another name. */
export async function findKnownWords(db: Kysely<Database>, words: string[]): Promise<string[]> {
  const { rows } = await sql<{ word: string }>`
    select word from unnest(${words}::text[]) as typed (word) where word in (
      select unnest(string_to_array(slug, '-')) from makes
      union all select unnest(string_to_array(slug, '-')) from models
      union all select alias_key from bike_aliases)`.execute(db)
  return rows.map(({ word }) => word)
}
