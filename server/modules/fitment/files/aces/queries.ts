import { type Kysely, sql } from 'kysely'
import type { Database } from '../../../../../db/schema.ts'
import { partNumber, productsByPartNumber } from '../../../catalog/service.ts'
import type { FileErrors } from '../../../imports/file-kind.ts'
import { listErrors, storeRows } from '../../../imports/queries.ts'

/** Lists the ids of the brands that the shop knows. */
export async function listBrandIds(db: Kysely<Database>): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`select id from aces_brands`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

export const insertRows = storeRows(
  'aces_import_rows',
  sql`row, line, action, source, base_vehicle, submodel, position_code, brand_id, part_number, pieces, note`,
)

/** Finds the product of each application by its part number and its brand, and the values of its codes. */
export async function matchRows(db: Kysely<Database>, importId: string): Promise<void> {
  await sql`analyze aces_import_rows`.execute(db)
  await sql`
    with ${productsByPartNumber(sql`aces_import_rows`, importId)}, wanted as materialized (
      select row, case when brand_id is null or products.brand = brands.brand then products.id end as product_id,
        vehicles.model_id, vehicles.year, submodels.value as version, positions.value as position
      from aces_import_rows as file join found using (part_number)
        left join products on products.id = found.product_id
        left join aces_brands as brands on brands.id = brand_id
        left join aces_codes as vehicles on (vehicles.kind, vehicles.id) = ('base_vehicle', base_vehicle)
        left join aces_codes as submodels on (submodels.kind, submodels.id) = ('submodel', submodel)
        left join aces_codes as positions on (positions.kind, positions.id) = ('position', position_code)
      where import_id = ${importId}
    )
    update aces_import_rows as file set product_id = wanted.product_id, model_id = wanted.model_id, year = wanted.year,
      version = wanted.version, position = wanted.position
    from wanted where import_id = ${importId} and file.row = wanted.row`.execute(db)
  await sql`analyze aces_import_rows`.execute(db)
}

/** The applications whose product and codes are known. */
const knownRows = (importId: string) => sql`
  select * from aces_import_rows
  where import_id = ${importId} and product_id is not null and model_id is not null
    and (submodel is null or version is not null) and (position_code is null or position is not null)`

/** Whether a stored fitment, or an application, has the same version and position as an application. */
const sameVariant = (table: string) => sql`
  coalesce(${sql.ref(`${table}.version`)}, '') = coalesce(file.version, '')
  and coalesce(${sql.ref(`${table}.position`)}, '') = coalesce(file.position, '')`

/**
 * Finds errors that need codes, other applications or the stored fitments. Counts all, and lists the first. Several part
 * numbers of one product may have the same application.
 */
export async function findErrors(db: Kysely<Database>, importId: string): Promise<FileErrors> {
  const tables = sql`
    known as materialized (${knownRows(importId)}),
    found (row, line, "column", message) as (
      select row, line, 'BaseVehicle', 'The shop has no ACES code for the base vehicle ' || base_vehicle
      from aces_import_rows where import_id = ${importId} and model_id is null
      union all
      select row, line, 'SubModel', 'The shop has no ACES code for the submodel ' || submodel
      from aces_import_rows where import_id = ${importId} and submodel is not null and version is null
      union all
      select row, line, 'Position', 'The shop has no ACES code for the position ' || position_code
      from aces_import_rows where import_id = ${importId} and position_code is not null and position is null
      union all
      select row, line, 'Part', 'No product ' || coalesce('of the brand "' || brand || '"', 'in the shop') ||
        ' has this part number'
      from aces_import_rows left join aces_brands on aces_brands.id = brand_id where import_id = ${importId} and product_id is null
      union all
      select row, line, 'App', 'Application ' || first || ' has the same vehicle, part and position'
      from (
        select known.*, first_value(row) over same as first, first_value(part_number) over same as first_number,
          first_value(pieces) over same as first_pieces, first_value(note) over same as first_note
        from known
        window same as (
          partition by action = 'delete', product_id, model_id, year, version, position order by row)) as compared
      where row > first
        and (part_number = first_number or (pieces, note) is distinct from (first_pieces, first_note))
      union all
      select row, line, 'App', 'The product has no such fitment from this source'
      from known as file where action = 'delete' and not exists (
        select from fitments where (fitments.product_id, fitments.source, fitments.model_id) =
            (file.product_id, file.source, file.model_id)
          and file.year between year_from and year_to and ${sameVariant('fitments')})
    )`
  return listErrors(db, tables)
}

/**
 * The fitments that the products of the file will have from its source, as rows of a fitment file. Consecutive years
 * with equal values are one fitment. A file that replaces all has rows without a model for products that it lacks,
 * and an update starts from the stored fitments. Rows without an application have higher numbers.
 */
const wantedFitments = (importId: string) => sql`
  with file as materialized (${knownRows(importId)}),
  header as (select max(row) as last, min(source) as source, bool_or(action = 'replace') as is_whole from aces_import_rows
    where import_id = ${importId}),
  listed as (
    select product_id, min(row) as row, (array_agg(part_number order by row))[1] as part_number from file group by 1
  ),
  years as (
    select distinct on (product_id, model_id, year, version, position) product_id, model_id, year, version, position,
      pieces, note, confirmed_on, row
    from (
      select product_id, model_id, year, version, position, pieces, note, null::date as confirmed_on, row from file
      where action <> 'delete'
      union all
      select product_id, model_id, stored.year, version, position, pieces, note, confirmed_on, null
      from (
        select fitments.*, years.year::smallint as year
        from header join fitments on fitments.source = header.source and not is_whole
          cross join lateral generate_series(year_from::integer, year_to) as years (year)
        where product_id in (select product_id from listed)) as stored
      where not exists (
        select from file where (file.product_id, file.model_id, file.year) =
          (stored.product_id, stored.model_id, stored.year) and ${sameVariant('stored')})
    ) as every_year
    order by product_id, model_id, year, version, position, row, confirmed_on desc nulls last, note, pieces
  ),
  fitted as (
    select product_id, model_id, min(year) as year_from, max(year) as year_to, version, position, pieces, note,
      confirmed_on, min(row) as row
    from (
      select *, year - row_number() over (
        partition by product_id, model_id, version, position, pieces, note, confirmed_on order by year) as span
      from years) as spans
    group by product_id, model_id, version, position, pieces, note, confirmed_on, span
  ),
  numbered as (
    select coalesce(fitted.row, last + row_number() over (
        partition by fitted.row is null order by product_id, model_id, year_from, version, position)) as number, part_number, fitted.*
    from (
      select product_id, model_id, year_from, year_to, version, position, pieces, note, confirmed_on, row from fitted
      union all
      select product_id, null, null, null, null, null, null, null, null, row from listed
      where product_id not in (select product_id from fitted)
      union all
      select product_id, null, null, null, null, null, null, null, null, null
      from header join fitments on fitments.source = header.source and is_whole
        join products on products.id = product_id and deleted_at is null
      where product_id not in (select product_id from listed) group by product_id
    ) as fitted cross join header left join listed using (product_id)
  )
  select number as row, coalesce(numbered.part_number, ${sql.raw(partNumber)}) as part_number, makes.name as make,
    makes.slug as make_slug, models.name as model, models.slug as model_slug, year_from, year_to, version, position,
    pieces, note, source, confirmed_on
  from numbered cross join header join products on products.id = product_id
    left join models on models.id = numbered.model_id left join makes on makes.id = make_id`

const columns = sql`row, part_number, make, make_slug, model, model_slug, year_from, year_to, version, position, pieces,
  note, source, confirmed_on`

/** Stores the fitments that the import will write as rows of a fitment file. */
export async function storeFitments(db: Kysely<Database>, importId: string): Promise<void> {
  await sql`delete from fitment_import_rows where import_id = ${importId}`.execute(db)
  await sql`
    insert into fitment_import_rows (import_id, ${columns})
    select ${importId}, ${columns} from (${wantedFitments(importId)}) as wanted`.execute(db)
}

/** Whether the stored rows are still those that the import should write. */
export async function areFitmentsCurrent(db: Kysely<Database>, importId: string): Promise<boolean> {
  const { rows } = await sql<{ differs: boolean }>`
    with wanted as materialized (select ${columns} from (${wantedFitments(importId)}) as wanted),
    stored as materialized (select ${columns} from fitment_import_rows where import_id = ${importId})
    select exists (select from ((table wanted except table stored) union all (table stored except table wanted)) as differing)
      as differs`.execute(db)
  return rows[0]?.differs === false
}

/** The application lines of fitment rows. A product that the file lacks has none. */
export async function listPlaces(
  db: Kysely<Database>,
  importId: string,
  rows: number[],
): Promise<{ row: number; line: number | null; part_number: string }[]> {
  const found = await sql<{ row: number; line: number | null; part_number: string }>`
    select row, line, fitments.part_number
    from fitment_import_rows as fitments left join aces_import_rows as apps using (import_id, row)
    where import_id = ${importId} and row = any(${rows}::integer[])`.execute(db)
  return found.rows
}
