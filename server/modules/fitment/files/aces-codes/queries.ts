import { type Kysely, type RawBuilder, sql } from 'kysely'
import { type ImportChange, maxListedChanges } from '../../../../../contract/imports.ts'
import type { Database } from '../../../../../db/schema.ts'
import type { Actor } from '../../../../platform/actor.ts'
import { insertChanges } from '../../../audit/service.ts'
import type { Effect, FileErrors } from '../../../imports/file-kind.ts'
import { listErrors, storeRows } from '../../../imports/queries.ts'

export const insertRows = storeRows(
  'aces_code_import_rows',
  sql`row, kind, id, brand_id, make, make_slug, model, model_slug, year, value`,
)

/** Finds errors that need other rows or the stored models. Counts all, and lists the first. */
export async function findErrors(db: Kysely<Database>, importId: string): Promise<FileErrors> {
  await sql`analyze aces_code_import_rows`.execute(db)
  const tables = sql`
    file as materialized (
      select row, kind, id, brand_id, make, make_slug, model, model_slug, value from aces_code_import_rows
      where import_id = ${importId}
    ),
    found (row, "column", message) as (
      select row, 'id', 'Row ' || first || ' has the same id'
      from (select row, first_value(row) over (partition by kind, id, brand_id order by row) as first from file) as twice
      where row > first
      union all
      select row, case when makes.id is null then 'make' else 'model' end,
        case when makes.id is null then 'The shop has no make "' || make || '"'
          else makes.name || ' has no model "' || model || '" in the shop' end || '. Add it on the Bikes page first'
      from file left join makes on makes.slug = make_slug
        left join models on models.make_id = makes.id and models.slug = model_slug
      where kind = 'base_vehicle' and models.id is null
      union all
      select row, 'value', 'The shop has no products of the brand "' || value || '"'
      from file
      where kind = 'brand' and not exists (
        select from products where brand = value and deleted_at is null)
    )`
  return listErrors(db, tables)
}

/** The codes of the file, with the stored ones. */
const codesOfFile = (importId: string) => sql`
  select row, file.kind, file.id, file.brand_id, models.id as model_id, file.year, file.value,
    concat_ws(' ', file.year, makes.name, models.name, file.value) as meaning,
    coalesce(stored.id::text, brands.id) is not null as is_stored,
    concat_ws(' ', stored.year, old_makes.name, old_models.name, stored.value, brands.brand) as old_meaning,
    (stored.model_id, stored.year, coalesce(stored.value, brands.brand)) is distinct from (models.id, file.year, file.value) as differs
  from aces_code_import_rows as file left join makes on makes.slug = make_slug
    left join models on models.make_id = makes.id and models.slug = model_slug
    left join aces_codes as stored on (stored.kind, stored.id) = (file.kind, file.id)
    left join aces_brands as brands on brands.id = file.brand_id
    left join models as old_models on old_models.id = stored.model_id
    left join makes as old_makes on old_makes.id = old_models.make_id
  where import_id = ${importId}`

/** Counts the codes that the import would add and change now. */
export async function countEffect(db: Kysely<Database>, importId: string): Promise<Effect> {
  const { rows } = await sql<Effect>`
    select count(*) filter (where not is_stored) as added, count(*) filter (where is_stored and differs) as changed,
      count(*) filter (where not differs) as unchanged
    from (${codesOfFile(importId)}) as file`.execute(db)
  return rows[0] ?? { added: 0, changed: 0, unchanged: 0 }
}

/** Lists the first codes that would be added or changed. */
export async function listChanges(db: Kysely<Database>, importId: string): Promise<ImportChange[]> {
  const { rows } = await sql<ImportChange>`
    select row, replace(kind, '_', ' ') || ' ' || coalesce(id::text, brand_id) as name,
      jsonb_build_object('meaning', case when is_stored then old_meaning end) as before,
      jsonb_build_object('meaning', meaning) as after
    from (${codesOfFile(importId)}) as file where differs
    order by row limit ${maxListedChanges}`.execute(db)
  return rows
}

const maxRecorded = 50

/** One row of the audit for the added codes of each kind, and one for the changed ones, with the first codes. */
const changesOfCodes = (importId: string) => {
  const list = (meaning: RawBuilder<unknown>) => sql`
    string_agg(coalesce(id::text, brand_id) || ': ' || ${meaning}, '; ' order by row)
      filter (where number <= ${sql.lit(maxRecorded)})
      || case when count(*) > ${sql.lit(maxRecorded)} then '; and ' || count(*) - ${sql.lit(maxRecorded)} || ' more' else '' end`
  return sql`
    select replace(kind, '_', ' ') as subject, case when is_stored then 'edited' else 'added' end as kind,
      jsonb_build_object('codes', case when is_stored then ${list(sql`old_meaning`)} end) as before,
      jsonb_build_object('codes', ${list(sql`meaning`)}) as after
    from (
      select kind, id, brand_id, is_stored, old_meaning, meaning, row,
        row_number() over (partition by kind, is_stored order by row) as number
      from (${codesOfFile(importId)}) as file where differs) as numbered
    group by numbered.kind, is_stored`
}

/** Adds and changes the codes of the file, and records them before, since then they differ no more. */
export async function saveCodes(db: Kysely<Database>, importId: string, by: Actor): Promise<void> {
  await insertChanges({ area: 'aces-codes', actor: by }, changesOfCodes(importId)).execute(db)
  await sql`
    insert into aces_codes (kind, id, model_id, year, value)
    select kind, id, model_id, year, value from (${codesOfFile(importId)}) as file where differs and kind <> 'brand'
    on conflict (kind, id) do update
      set (model_id, year, value) = (excluded.model_id, excluded.year, excluded.value)`.execute(db)
  await sql`
    insert into aces_brands (id, brand)
    select brand_id, value from (${codesOfFile(importId)}) as file where differs and kind = 'brand'
    on conflict (id) do update set brand = excluded.brand`.execute(db)
}
