import { type Kysely, type RawBuilder, sql } from 'kysely'
import { maxBikesOfProduct } from '../../../../../contract/fitments.ts'
import type { Database } from '../../../../../db/schema.ts'
import { type Decimals, guardCode, guardFormulas } from '../../../../platform/database/csv-export.ts'
import { type Difference, numberedProducts, productsByPartNumber } from '../../../catalog/service.ts'
import type { Effect, FileErrors } from '../../../imports/file-kind.ts'
import { listErrors, storeRows } from '../../../imports/queries.ts'
import { changeFitments } from '../../repository.ts'
import type { DescribedFitment } from '../../rules.ts'

export const insertRows = storeRows(
  'fitment_import_rows',
  sql`row, cells, part_number, make, make_slug, model, model_slug, year_from, year_to, version, position, pieces, note, source,
    confirmed_on`,
)

/**
 * Finds the product of each row by the part number of a variant, or else by its id, and the model. Finds the stored fitment
 * with the same key. Fitments from other sources are not compared.
 */
export async function matchRows(db: Kysely<Database>, importId: string): Promise<void> {
  await sql`analyze fitment_import_rows`.execute(db)
  await sql`
    with ${productsByPartNumber(sql`fitment_import_rows`, importId)}, wanted as materialized (
      select row, found.product_id, models.id as model_id
      from fitment_import_rows as file join found using (part_number)
        left join makes on makes.slug = make_slug
        left join models on models.make_id = makes.id and models.slug = model_slug
      where import_id = ${importId}
    )
    update fitment_import_rows as file set product_id = wanted.product_id, model_id = wanted.model_id
    from wanted where import_id = ${importId} and file.row = wanted.row
      and (file.product_id, file.model_id) is distinct from (wanted.product_id, wanted.model_id)`.execute(db)
  await sql`analyze fitment_import_rows`.execute(db)
  await compareRows(db, importId)
}

/** Finds the stored fitment of each row again, of all products or of some. */
export async function compareRows(
  db: Kysely<Database>,
  importId: string,
  productIds?: string[],
): Promise<void> {
  // The planner does not know how many fitments these products have, so it reads them first.
  const stored = productIds
    ? sql`(select * from fitments where product_id = any(${productIds}::text[]) offset 0) as fitments`
    : sql`fitments`
  await sql`
    with matched as materialized (
      select file.row, fitments.id,
        fitments.id is not null and (fitments.pieces, fitments.note, fitments.confirmed_on) is not distinct from
          (file.pieces, file.note, file.confirmed_on) as is_same
      from ${fileRows(importId, productIds)} as file left join ${stored} on fitments.product_id = file.product_id
        and fitments.model_id = file.model_id
        and (fitments.year_from, fitments.year_to) = (file.year_from, file.year_to)
        and coalesce(fitments.version, '') = coalesce(file.version, '')
        and coalesce(fitments.position, '') = coalesce(file.position, '')
        and fitments.source = file.source
    )
    update fitment_import_rows as file set fitment_id = matched.id, is_same = matched.is_same
    from matched where import_id = ${importId} and file.row = matched.row
      and (file.fitment_id, file.is_same) is distinct from (matched.id, matched.is_same)`.execute(db)
}

/**
 * Sets whether the statements of this transaction may use nested loops. Statements that compare the file with the
 * shop must not: the planner expects a few fitments per product, and a product with 10,000 would take minutes.
 */
export async function setNestedLoops(tx: Kysely<Database>, areAllowed: boolean): Promise<void> {
  await sql`select set_config('enable_nestloop', ${areAllowed ? 'on' : 'off'}, true)`.execute(tx)
}

/** The rows of a file, or only the rows of some products. */
const fileRows = (importId: string, productIds?: string[]) => sql`
  (select * from fitment_import_rows where import_id = ${importId}
    ${productIds ? sql`and product_id = any(${productIds}::text[])` : sql``})`

/** The stored fitments of the products and sources of the file that no row has. */
const removedFitments = (importId: string, productIds?: string[]) => sql`
  select fitments.id, product_id, first_row
  from (select product_id, source, min(row) as first_row from ${fileRows(importId, productIds)} as file group by 1, 2)
      as pairs
    join fitments using (product_id, source)
  where ${productIds ? sql`product_id = any(${productIds}::text[]) and` : sql``} not exists (
    select from ${fileRows(importId, productIds)} as file where fitment_id = fitments.id)`

const tooManyBikes = `A product can list at most ${maxBikesOfProduct.toLocaleString('en-US')} bikes`

/** Finds errors that need other rows or the catalog, of all products or of some. Counts all, and lists the first. */
export const findErrors = (
  db: Kysely<Database>,
  importId: string,
  productIds?: string[],
): Promise<FileErrors> => listErrors(db, errorTables(importId, productIds))

/** Tables for `with`. The table `found` has the errors. */
export function errorTables(importId: string, productIds?: string[]): RawBuilder<unknown> {
  const ofProducts = productIds ? sql`product_id = any(${productIds}::text[]) and` : sql``
  return sql`
    file as materialized (
      select row, part_number, make, make_slug, model, model_slug, model_id, file.product_id, year_from, year_to, version,
        position, source, fit_kind, fit_complete
      from ${fileRows(importId, productIds)} as file left join products on products.id = file.product_id
    ),
    listed as (select * from file where make is not null),
    removed as (${removedFitments(importId, productIds)}),
    found (row, "column", message) as (
      select row, 'part_number', 'No product in the shop has this part number' from file where product_id is null
      union all
      select row, 'part_number', 'Universal parts and gear have no fitments. Change the fit kind of this product first'
      from listed where fit_kind <> 'vehicle'
      union all
      select row, case when makes.id is null then 'make' else 'model' end,
        case when makes.id is null then 'The shop has no make "' || make || '"'
          else makes.name || ' has no model "' || model || '" in the shop' end || '. Add it on the Bikes page first'
      from listed left join makes on makes.slug = make_slug where model_id is null
      union all
      select row, '', 'Row ' || first || ' has the same fitment'
      from (
        select row, first_value(row) over (
          partition by product_id, model_id, year_from, year_to, version, position, source order by row) as first
        from listed where product_id is not null and model_id is not null) as twice
      where row > first
      union all
      select row, 'make', 'Row ' || other || ' has fitments of this product from this source'
      from (select row, product_id, source from file where make is null) as empty
        join (select product_id, source, min(row) as other from listed group by 1, 2) as others
          using (product_id, source)
      union all
      select min(row), 'make', 'The list of bikes of this product is complete, so it needs at least one bike'
      from file
      where fit_complete and not exists (select from listed where listed.product_id = file.product_id)
        and not exists (select from fitments where ${ofProducts} fitments.product_id = file.product_id
          and not exists (select from removed where removed.id = fitments.id))
      group by product_id
      union all
      select min(row), 'part_number', ${sql.lit(tooManyBikes)}
      from (
        select min(row) as row, product_id, model_id, year_from, year_to from listed
        where product_id is not null and model_id is not null group by 2, 3, 4, 5
        union
        select null, product_id, model_id, year_from, year_to from fitments
        where ${ofProducts} product_id in (select product_id from listed) and not exists (
          select from file where (file.product_id, file.source) = (fitments.product_id, fitments.source))
      ) as ranges join bikes on bikes.model_id = ranges.model_id and year between year_from and year_to
      group by product_id having count(*) > ${maxBikesOfProduct} and count(distinct bikes.id) > ${maxBikesOfProduct}
    )`
}

/** Counts the fitments that the import would add, change and remove now, of all products or of some. */
export async function countEffect(
  db: Kysely<Database>,
  importId: string,
  productIds?: string[],
): Promise<Effect> {
  const yearsWithoutBike = sql`
    select count(*) from (
        -- Overlapping ranges are merged first: a file can have all ranges of many models.
        select model_id, year
        from (select model_id, range_agg(int4range(year_from, year_to, '[]')) as ranges from fitment_import_rows
            where import_id = ${importId} and model_id is not null group by model_id) as models,
          unnest(ranges) as merged, generate_series(lower(merged), upper(merged) - 1) as year
      ) as years
      where not exists (select from bikes where (bikes.model_id, bikes.year) = (years.model_id, years.year))`
  const { rows } = await sql<Effect>`
    select count(*) filter (where fitment_id is null) as added,
      count(*) filter (where fitment_id is not null and not is_same) as changed,
      count(*) filter (where is_same) as unchanged,
      (select count(*) from (${removedFitments(importId, productIds)}) as removed) as removed
      ${productIds ? sql`` : sql`, (${yearsWithoutBike}) as years_without_bike`}
    from ${fileRows(importId, productIds)} as file where make is not null`.execute(db)
  return rows[0] ?? { added: 0, changed: 0, unchanged: 0 }
}

/**
 * Prevents new bikes of the file's models, or of the models of some products, until the end of the transaction. Must run before
 * products are locked.
 */
export async function lockModels(
  db: Kysely<Database>,
  importId: string,
  productIds?: string[],
): Promise<void> {
  await sql`
    select id from models where id in (select model_id from ${fileRows(importId, productIds)} as file)
    order by id for key share`.execute(db)
}

/** A query of product ids: their fitments differ from the file. */
export const changedProducts = (importId: string): RawBuilder<unknown> => sql`
  select product_id from fitment_import_rows where import_id = ${importId} and make is not null and not is_same
  union all
  select product_id from (${removedFitments(importId)}) as removed`

/**
 * Locks the products whose fitments differ from the file, in the order of their ids. Only these are changed later. Returns
 * their ids.
 */
export async function lockProducts(db: Kysely<Database>, importId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from products where deleted_at is null and id in (${changedProducts(importId)})
    order by id for no key update`.execute(db)
  return rows.map(({ id }) => id)
}

/** The first removed and the first added fitments of a product. A changed one is both. */
export interface Differing extends Difference {
  removed: DescribedFitment[]
  removed_total: number
  added: DescribedFitment[]
  added_total: number
}

/** Lists the first products, of all in the file or of `productIds`, whose fitments differ from the file. */
export async function listDifferences(
  db: Kysely<Database>,
  importId: string,
  { productIds, limit }: { productIds?: string[]; limit: number },
): Promise<Differing[]> {
  const columns = sql`model_id, year_from, year_to, version, position, pieces, note`
  const { rows } = await sql<Differing>`
    with file as materialized (
      ${fileRows(importId, productIds)}
    ), stored as materialized (
      select id, product_id, source, ${columns} from fitments
      where product_id in (select product_id from file)
        ${productIds ? sql`and product_id = any(${productIds}::text[])` : sql``}
    ), differing as materialized (
      select false as is_added, pairs.row, stored.product_id, ${columns}
      from (select product_id, source, min(row) as row from file group by 1, 2) as pairs join stored using (product_id, source)
      where not exists (select from file where fitment_id = stored.id and is_same)
      union all
      select true, row, product_id, ${columns} from file
      where make is not null and model_id is not null and product_id is not null and not is_same
    ), changed as materialized (
      select product_id, min(row) as row from differing group by product_id order by 2 limit ${limit}
    ), described as (
      select product_id, is_added,
        row_number() over (partition by product_id, is_added
          order by makes.name, models.name, year_from, year_to, version nulls first, position nulls first) as number,
        json_build_object('name', makes.name || ' ' || models.name, 'year_from', year_from, 'year_to', year_to,
          'version', version, 'position', position, 'pieces', pieces, 'note', note) as fitment
      from differing join changed using (product_id)
        join models on models.id = model_id join makes on makes.id = make_id
    ), listed as (
      select product_id,
        count(*) filter (where not is_added) as removed_total, count(*) filter (where is_added) as added_total,
        coalesce(json_agg(fitment order by number) filter (where not is_added and number <= 50), '[]') as removed,
        coalesce(json_agg(fitment order by number) filter (where is_added and number <= 50), '[]') as added
      from described group by product_id
    )
    select changed.product_id, changed.row, products.name, removed_total, added_total, removed, added
    from changed join listed using (product_id) join products on products.id = changed.product_id
    order by changed.row`.execute(db)
  return rows
}

/** Replaces the fitments of locked products by the fitments of the file. */
export const replaceFitments = (
  tx: Kysely<Database>,
  importId: string,
  productIds: string[],
): Promise<void> =>
  changeFitments(
    tx,
    productIds,
    sql`product_id = any(${productIds}::text[])
      and (product_id, source) in (
        select product_id, source from fitment_import_rows as file
        where import_id = ${importId} and product_id = any(${productIds}::text[]))
      and not exists (
        select from fitment_import_rows as file
        where import_id = ${importId} and file.product_id = fitments.product_id and fitment_id = fitments.id and is_same)`,
    sql`fitment_import_rows
      where import_id = ${importId} and product_id = any(${productIds}::text[]) and make is not null and not is_same
      order by row`,
  )

/** All fitments, in the columns of an import. */
export const exportQuery = (decimals?: Decimals): string => `
  select products.part_number, ${guardFormulas('makes.name')} as make,
    ${guardFormulas('models.name')} as model, year_from, year_to, ${guardFormulas('version')} as version,
    ${guardFormulas('fitments.position')} as position, pieces, ${guardFormulas('note')} as note,
    ${guardFormulas('source')} as source, ${guardCode('confirmed_on::text', decimals === 'comma')} as confirmed_on
  from ${numberedProducts(decimals)}
    join fitments on product_id = products.id join models on models.id = model_id join makes on makes.id = make_id
  order by products.created_at, products.id, makes.name, models.name, year_from, year_to, fitments.id`

/** One row per part number and bike, in the columns of eBay. A bike without a version is listed if all versions fit. */
export const ebayExportQuery = `
  select ${guardFormulas('sku')} as sku, bikes.year, ${guardFormulas('makes.name')} as make,
    ${guardFormulas('models.name')} as model, ${guardFormulas("nullif(bikes.version, '')")} as trim,
    case when engine_cc is not null then engine_cc || ' cc' end as engine,
    ${guardFormulas("string_agg(distinct nullif(concat_ws(', ', fitments.position, note), ''), '; ')")} as notes
  from products
    join variants on variants.product_id = products.id and removed_at is null and sku <> ''
    join fitments on fitments.product_id = products.id
    join bikes on bikes.model_id = fitments.model_id and bikes.year between year_from and year_to
      and (fitments.version is null or lower(fitments.version collate "C") = lower(bikes.version collate "C"))
    join models on models.id = bikes.model_id join makes on makes.id = make_id
  where deleted_at is null
  group by products.created_at, variants.id, sku, bikes.id, makes.name, models.name
  order by products.created_at, variants.id, makes.name, models.name, bikes.year, bikes.version`
