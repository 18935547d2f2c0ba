import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../../../platform/actor.ts'
import { insertChanges } from '../../audit/service.ts'

/**
 * Parts of a statement that record what its other part has changed, which is called `added`, `removed` or `changed`. The
 * bikes and the names of a model are one row of the audit, because one statement may add many.
 */
type RecordingPart = RawBuilder<unknown>

const maxListed = 50

/** @param rows a query of the columns subject and value */
function insertValues(
  actor: Actor | null,
  { field, from, kind }: { field: string; from: 'added' | 'removed'; kind: 'added' | 'edited' },
  rows: RawBuilder<unknown>,
): RecordingPart {
  const value = sql`jsonb_build_object(${field}::text, value)`
  const none = sql`jsonb_build_object(${field}::text, null)`
  const [before, after] = from === 'added' ? [none, value] : [value, none]
  return insertChanges(
    { area: 'bikes', actor },
    sql`select subject, ${kind}::text as kind, ${before} as before, ${after} as after from (${rows}) as listed`,
  )
}

/** Expects the column name. */
export const recordAddedMakes = (actor: Actor | null): RecordingPart =>
  insertValues(
    actor,
    { field: 'make', from: 'added', kind: 'added' },
    sql`select name as subject, name as value from added`,
  )

/** Expects the columns make_id and name. */
export const recordAddedModels = (actor: Actor | null): RecordingPart =>
  insertValues(
    actor,
    { field: 'model', from: 'added', kind: 'added' },
    sql`
      select makes.name || ' ' || added.name as subject, added.name as value
      from added join makes on makes.id = make_id`,
  )

/** Expects the columns model_id, year and version. Lists the first bikes of each model, and counts the others. */
export const recordBikes = (actor: Actor | null, from: 'added' | 'removed'): RecordingPart =>
  insertValues(
    actor,
    { field: 'bikes', from, kind: from === 'added' ? 'added' : 'edited' },
    sql`
      select makes.name || ' ' || models.name as subject,
        listed || case when total > ${sql.lit(maxListed)} then '; and ' || total - ${sql.lit(maxListed)} || ' more' else '' end as value
      from (
        select model_id, count(*) as total,
          string_agg(concat_ws(' ', year, nullif(version, '')), '; ' order by year, version)
            filter (where number <= ${sql.lit(maxListed)}) as listed
        from (
          select model_id, year, version, row_number() over (partition by model_id order by year, version) as number
          from ${sql.ref(from)}) as numbered
        group by model_id) as bikes
        join models on models.id = model_id join makes on makes.id = make_id`,
  )

/** Expects the columns model_id and alias_key. */
export const recordAddedAliases = (actor: Actor | null): RecordingPart =>
  insertValues(
    actor,
    { field: 'aliases', from: 'added', kind: 'edited' },
    sql`
      select makes.name || ' ' || models.name as subject, string_agg(alias_key, '; ' order by alias_key) as value
      from added join models on models.id = model_id join makes on makes.id = make_id
      group by makes.name, models.id`,
  )

/** Expects the columns model_id, year, version, and the values of the bike before and after. */
export const recordChangedBikes = (actor: Actor | null): RecordingPart =>
  insertChanges(
    { area: 'bikes', actor },
    sql`
      select concat_ws(' ', year, makes.name, models.name, nullif(version, '')) as subject, 'edited' as kind,
        jsonb_object_agg(key, before -> key) as before, jsonb_object_agg(key, after -> key) as after
      from changed join models on models.id = model_id join makes on makes.id = make_id,
        jsonb_object_keys(after) as key
      where before -> key is distinct from after -> key
      group by makes.name, models.id, year, version`,
  )
