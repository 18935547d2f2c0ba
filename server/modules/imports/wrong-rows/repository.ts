import { type Kysely, type RawBuilder, sql } from 'kysely'
import { type ErrorGroup, maxListedExamples, maxListedGroups } from '../../../../contract/imports.ts'
import type { Database } from '../../../../db/schema.ts'
import { guardRawFormulas } from '../../../platform/database/csv-export.ts'
import { reasonColumn } from '../read-file.ts'
import { type ProductImport, storeRows } from '../repository.ts'

/** The rows of an import. The table has the columns `import_id`, `row`, `product_id` and `cells`. */
export interface RowTable {
  importId: string
  rowTable: string
  /** SQL of what names the product of a row. Default: `product_id`, if each row has one. */
  productKey?: RawBuilder<unknown>
}

const toKey = ({ productKey = sql`product_id` }: RowTable) => productKey

/** Stores rows that could not be read. */
export const insertWrongRows = storeRows('wrong_import_rows', sql`row, cells, errors, product_key`)

/**
 * Moves all rows of these products to the wrong rows. Returns their number.
 *
 * @param products a query of product keys as `product_id`
 */
export const moveProducts = (
  db: Kysely<Database>,
  table: RowTable,
  products: RawBuilder<unknown>,
): Promise<number> =>
  move(
    db,
    table,
    sql`wrong_products as (${products}), row_errors (row, errors) as (select null::integer, null::jsonb where false)`,
  )

/** Moves all rows of the products that have errors. `tables` for `with` end with `found`: row, "column", message. */
export const moveRowsWithErrors = (
  db: Kysely<Database>,
  table: RowTable,
  tables: RawBuilder<unknown>,
): Promise<number> =>
  move(
    db,
    table,
    sql`${tables}, row_errors as materialized (
      select row, jsonb_agg(jsonb_build_object('column', "column", 'message', message) order by "column") as errors
      from found group by row
    ), wrong_products as (
      select ${toKey(table)} as product_id from row_errors join ${sql.table(table.rowTable)} as staged using (row)
      where staged.import_id = ${table.importId}
    )`,
  )

async function move(db: Kysely<Database>, table: RowTable, tables: RawBuilder<unknown>): Promise<number> {
  const { importId, rowTable } = table
  const { numAffectedRows } = await sql`
    with ${tables}, moved as (
      delete from ${sql.table(rowTable)}
      where import_id = ${importId} and ${toKey(table)} in (select wrong_products.product_id from wrong_products)
      returning row, cells
    )
    insert into wrong_import_rows (import_id, row, cells, errors)
    select ${importId}, row, coalesce(cells, '[]'), coalesce(errors, '[]') from moved left join row_errors using (row)`.execute(
    db,
  )
  return Number(numAffectedRows)
}

export async function countWrongRows(db: Kysely<Database>, importId: string): Promise<number> {
  const { total } = await db
    .selectFrom('wrong_import_rows')
    .select(sql<number>`count(*)`.as('total'))
    .where('import_id', '=', importId)
    .executeTakeFirstOrThrow()
  return total
}

/** Groups the errors of wrong rows by column and message. Messages that differ only in their numbers are one group. */
export async function groupErrors(
  db: Kysely<Database>,
  importId: string,
  { columns, keyColumns }: { columns: (string | null)[]; keyColumns: string[] },
): Promise<ErrorGroup[]> {
  const places = sql`${JSON.stringify(columns)}::jsonb`
  const { rows } = await sql<ErrorGroup>`
    with placed as (
      select name, min(place)::integer - 1 as place
      from jsonb_array_elements_text(${places}) with ordinality as names (name, place) group by name
    ), found as materialized (
      select row, cells, error ->> 'column' as "column", error ->> 'message' as message,
        regexp_replace(error ->> 'message', '[0-9]+', '0', 'g') as key
      from wrong_import_rows, jsonb_array_elements(errors) as error where import_id = ${importId}
    ), numbered as (
      select *, row_number() over (partition by "column", key order by row) as number from found
    ), grouped as (
      select "column", key, count(*) as count from found group by "column", key
      order by count desc, "column", key limit ${maxListedGroups}
    )
    select grouped."column", min(message) filter (where number = 1) as message, count,
      json_agg(json_strip_nulls(json_build_object('row', row,
        'partNumber', (select left(cells ->> place, 80) from placed
          where name = any(${keyColumns}::text[]) and cells ->> place <> ''
          order by array_position(${keyColumns}::text[], name) limit 1),
        'value', (select left(cells ->> place, 80) from placed where name = numbered."column"))) order by row) as examples
    from grouped join numbered using ("column", key) where number <= ${maxListedExamples}
    group by grouped."column", key, count order by count desc, grouped."column", key`.execute(db)
  return rows
}

/**
 * Sets the names of columns in the errors of wrong rows.
 *
 * @param names by the present name
 */
export async function renameColumns(
  db: Kysely<Database>,
  importId: string,
  names: Record<string, string>,
): Promise<void> {
  await sql`
    update wrong_import_rows set errors = (
      select jsonb_agg(jsonb_set(error, '{column}', coalesce(${JSON.stringify(names)}::jsonb -> (error ->> 'column'),
        error -> 'column')) order by place)
      from jsonb_array_elements(errors) with ordinality as each (error, place))
    where import_id = ${importId} and errors <> '[]'`.execute(db)
}

/** A file has as many columns as its widest row, up to this. */
const maxCells = 500

/** Returns a query of the wrong rows as they were written, with the reason at the end. The first one has the names. */
export async function exportQuery(
  db: Kysely<Database>,
  { id, header }: Pick<ProductImport, 'id' | 'header'>,
): Promise<string> {
  const { rows } = await sql<{ id: string; header: string; widest: number }>`
    select quote_literal(${id}::text) as id, quote_literal(${JSON.stringify(header)}::text) as header,
      (select coalesce(max(jsonb_array_length(cells)), 0) from wrong_import_rows where import_id = ${id}) as widest`.execute(
    db,
  )
  const [found] = rows
  if (!found) throw new Error('a query without tables returned no row')
  const width = Math.min(Math.max(header.length, found.widest), maxCells)
  const cells = Array.from(
    { length: width },
    (_, place) => `nullif(${guardRawFormulas(`cells ->> ${place}`)}, '') as c${place}`,
  )
  return `
  select ${[...cells, 'reason'].join(', ')}
  from (
    select 0 as row, ${found.header}::jsonb as cells, '${reasonColumn}' as reason
    union all
    select row, cells, coalesce((
        select string_agg(concat_ws(': ', nullif(error ->> 'column', ''), error ->> 'message'), '; ')
        from jsonb_array_elements(errors) as error), 'Another row of this product is wrong')
    from wrong_import_rows where import_id = ${found.id}
  ) as line order by row`
}
