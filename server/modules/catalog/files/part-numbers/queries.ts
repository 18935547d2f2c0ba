import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { SkippedProduct } from '../../../../../contract/imports.ts'
import { maxDescribed, type PartNumber } from '../../../../../contract/number-texts.ts'
import { maxPartNumbers } from '../../../../../contract/part-numbers.ts'
import type { Database } from '../../../../../db/schema.ts'
import { type Decimals, guardCode, guardFormulas } from '../../../../platform/database/csv-export.ts'
import type { Effect, FileErrors } from '../../../imports/file-kind.ts'
import { listErrors, storeRows } from '../../../imports/queries.ts'
import { numberedProducts, productsByPartNumber } from '../../part-numbers/queries.ts'
import { touchSitemapEntries } from '../../repository.ts'
import { type Difference, judgeReplaced } from '../by-product.ts'

export const insertRows = storeRows(
  'part_number_import_rows',
  sql`row, cells, part_number, kind, maker, number`,
)

/** Finds the product of each row by the part number of a variant, or else by its id, and the same stored number. */
export async function matchRows(db: Kysely<Database>, importId: string): Promise<void> {
  await sql`analyze part_number_import_rows`.execute(db)
  await sql`
    with ${productsByPartNumber(sql`part_number_import_rows`, importId)}, matched as materialized (
      select row, found.product_id, stored.number is not null as is_stored,
        coalesce(stored.number = file.number, false) as is_same
      from part_number_import_rows as file join found using (part_number)
        left join part_numbers as stored on (stored.product_id, stored.kind, stored.maker, stored.number_key)
          = (found.product_id, file.kind, file.maker, file.number_key)
      where import_id = ${importId}
    )
    update part_number_import_rows as file
    set product_id = matched.product_id, is_stored = matched.is_stored, is_same = matched.is_same
    from matched where import_id = ${importId} and file.row = matched.row
      and (file.product_id, file.is_stored, file.is_same)
        is distinct from (matched.product_id, matched.is_stored, matched.is_same)`.execute(db)
  await sql`analyze part_number_import_rows`.execute(db)
}

/** The rows of a file, or the rows of some products. */
const fileRows = (importId: string, productIds?: string[]) => sql`
  select * from part_number_import_rows where import_id = ${importId}
    ${productIds ? sql`and product_id = any(${productIds}::text[])` : sql``}`

/** Compares the rows of locked products with their numbers again. */
export async function compareRows(
  db: Kysely<Database>,
  importId: string,
  productIds: string[],
): Promise<void> {
  await sql`
    with stored as materialized (
      select * from part_numbers where product_id = any(${productIds}::text[])
    ), matched as materialized (
      select row, stored.number is not null as is_stored, coalesce(stored.number = file.number, false) as is_same
      from (${fileRows(importId, productIds)}) as file left join stored using (product_id, kind, maker, number_key)
    )
    update part_number_import_rows as file set is_stored = matched.is_stored, is_same = matched.is_same
    from matched where import_id = ${importId} and file.row = matched.row
      and (file.is_stored, file.is_same) is distinct from (matched.is_stored, matched.is_same)`.execute(db)
}

/** The stored numbers that no row has, of all products in a file or of some. */
const removedNumbers = (importId: string, productIds?: string[]) => sql`
  select stored.* from part_numbers as stored
  where ${
    productIds
      ? sql`product_id = any(${productIds}::text[])`
      : sql`product_id in (select product_id from part_number_import_rows where import_id = ${importId})`
  } and not exists (
    select from part_number_import_rows as file
    where import_id = ${importId} and (file.product_id, file.kind, file.maker, file.number_key)
      = (stored.product_id, stored.kind, stored.maker, stored.number_key))`

const tooManyNumbers = `A product can have at most ${maxPartNumbers} part numbers`

/** Finds errors that need other rows or the catalog. Counts all, and lists the first. */
export const findErrors = (db: Kysely<Database>, importId: string): Promise<FileErrors> =>
  listErrors(db, errorTables(importId))

/** Tables for `with`. The table `found` has the errors. */
export const errorTables = (importId: string): RawBuilder<unknown> => sql`
    file as materialized (
      select * from part_number_import_rows where import_id = ${importId}
    ),
    listed as (select * from file where number is not null and product_id is not null),
    found (row, "column", message) as (
      select row, 'part_number', 'No product in the shop has this part number' from file where product_id is null
      union all
      select row, '', 'Row ' || first || ' has the same number'
      from (
        select row, first_value(row) over (partition by product_id, kind, maker, number_key order by row) as first
        from listed) as twice
      where row > first
      union all
      select row, 'number', 'Row ' || other || ' has numbers of this product'
      from (select row, product_id from file where number is null) as empty
        join (select product_id, min(row) as other from listed group by 1) as others using (product_id)
      union all
      select min(row), 'part_number', ${sql.lit(tooManyNumbers)} from listed
      group by product_id having count(*) > ${maxPartNumbers}
    )`

/** Counts the numbers that the import would add, change and remove now, of all products or of some. */
export async function countEffect(
  db: Kysely<Database>,
  importId: string,
  productIds?: string[],
): Promise<Effect> {
  const { rows } = await sql<Effect>`
    select count(*) filter (where not is_stored) as added,
      count(*) filter (where is_stored and not is_same) as changed,
      count(*) filter (where is_same) as unchanged,
      (select count(*) from (${removedNumbers(importId, productIds)}) as removed) as removed
    from (${fileRows(importId, productIds)}) as file where number is not null`.execute(db)
  return rows[0] ?? { added: 0, changed: 0, unchanged: 0 }
}

/** A query of product ids: their numbers differ from the file. */
export const changedProducts = (importId: string): RawBuilder<unknown> => sql`
  select product_id from part_number_import_rows where import_id = ${importId} and number is not null and not is_same
  union all
  select product_id from (${removedNumbers(importId)}) as removed`

/** The first removed and added numbers of a product, and how many there are. A changed one is both. */
export interface Differing extends Difference {
  removed: PartNumber[]
  removed_total: number
  added: PartNumber[]
  added_total: number
}

/** Lists the first products, of all in the file or of `productIds`, whose numbers differ from the file. */
export async function listDifferences(
  db: Kysely<Database>,
  importId: string,
  { productIds, limit }: { productIds?: string[]; limit: number },
): Promise<Differing[]> {
  const toList = (isAdded: boolean) => sql`coalesce(
    json_agg(json_build_object('kind', kind, 'maker', maker, 'number', number) order by kind, maker, number)
      filter (where is_added = ${isAdded} and place <= ${maxDescribed}), '[]')`
  const { rows } = await sql<Differing>`
    with file as materialized (
      ${fileRows(importId, productIds)}
    ), differing as materialized (
      select true as is_added, product_id, kind, maker, number from file
      where product_id is not null and number is not null and not is_same
      union all
      select false, product_id, kind, maker, number from (${removedNumbers(importId, productIds)}) as removed
      union all
      select false, product_id, stored.kind, stored.maker, stored.number
      from part_numbers as stored join file using (product_id, kind, maker, number_key)
      where is_stored and not is_same
    ), changed as materialized (
      select product_id, min(row) as row from file
      where product_id in (select product_id from differing) group by 1 order by 2 limit ${limit}
    ), numbered as (
      select differing.*, row_number() over (partition by product_id, is_added order by kind, maker, number) as place
      from differing join changed using (product_id)
    ), listed as (
      select product_id, ${toList(false)} as removed, count(*) filter (where not is_added) as removed_total,
        ${toList(true)} as added, count(*) filter (where is_added) as added_total
      from numbered group by product_id
    )
    select changed.product_id, changed.row, products.name, removed, removed_total, added, added_total
    from changed join listed using (product_id) join products on products.id = changed.product_id
    order by changed.row`.execute(db)
  return rows
}

/** Replaces the numbers of locked products by the file's. Their pages show them, so the sitemap has a new date. */
export async function replaceNumbers(
  db: Kysely<Database>,
  importId: string,
  productIds: string[],
): Promise<void> {
  await sql`
    delete from part_numbers where product_id = any(${productIds}::text[]) and not exists (
      select from part_number_import_rows as file
      where import_id = ${importId} and is_same and (file.product_id, file.kind, file.maker, file.number_key)
        = (part_numbers.product_id, part_numbers.kind, part_numbers.maker, part_numbers.number_key))`.execute(
    db,
  )
  await sql`
    insert into part_numbers (product_id, kind, maker, number)
    select product_id, kind, maker, number from part_number_import_rows
    where import_id = ${importId} and product_id = any(${productIds}::text[]) and number is not null and not is_same
    order by row`.execute(db)
  await touchSitemapEntries(db, productIds)
}

/** A query of the numbers of products. */
export const storedNumbers = (productIds: string[]): RawBuilder<unknown> => sql`
  select id as product_id, coalesce((
    select jsonb_agg(jsonb_build_object('kind', kind, 'maker', maker, 'number', number)) from part_numbers
    where product_id = id), '[]') as value
  from unnest(${productIds}::text[]) as locked (id)`

/** Stores the numbers that an import has replaced as rows of a file. */
export async function stageUndo(
  db: Kysely<Database>,
  importId: string,
  undoneId: string,
): Promise<SkippedProduct[]> {
  const { rows } = await sql<SkippedProduct>`
    with ${judgeReplaced(undoneId, 'part_numbers')}, staged as (
      insert into part_number_import_rows (import_id, row, part_number, kind, maker, number)
      select ${importId}, row_number() over (order by product_id), product_id, number.kind, coalesce(number.maker, ''),
        number.number
      from judged left join lateral jsonb_to_recordset(value) as number (kind text, maker text, number text) on true
      where reason is null
    )
    select product_id as "productId", name, reason from judged where reason is not null order by product_id`.execute(
    db,
  )
  return rows
}

/** All part numbers of other makers, in the columns of an import. */
export const exportQuery = (decimals?: Decimals): string => `
  select products.part_number, part_numbers.kind, ${guardFormulas("nullif(maker, '')")} as maker,
    ${guardCode('number', decimals === 'comma')} as number
  from ${numberedProducts(decimals)}
    join part_numbers on product_id = products.id
  order by products.created_at, products.id, array_position(array['oem', 'interchange', 'supersedes'], part_numbers.kind),
    maker, number_key`
