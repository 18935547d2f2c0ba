import { type Kysely, type RawBuilder, sql } from 'kysely'
import { productColumns } from '../../../../../contract/product-columns.ts'
import { maxVariants } from '../../../../../contract/variants.ts'
import type { Database } from '../../../../../db/schema.ts'
import type { FileErrors } from '../../../imports/file-kind.ts'
import { listErrors } from '../../../imports/queries.ts'
import { findAttributeErrors } from './attribute-columns.ts'
import {
  columnsIn,
  existing,
  hasGtinOnly,
  hasSharedGtin,
  isIn,
  isShared,
  newStock,
  stockMove,
} from './queries.ts'

/** Finds errors that need other rows or the catalog. Counts all, and lists the first. `batch`: only of this batch. */
export const findErrors = (
  db: Kysely<Database>,
  importId: string,
  columns: string[],
  batch?: number,
): Promise<FileErrors> => listErrors(db, errorTables(importId, columns, batch))

/** Tables for `with`. The table `found` has the errors. */
export function errorTables(importId: string, columns: string[], batch?: number): RawBuilder<unknown> {
  const required = productColumns.filter((column) => 'isRequired' in column)
  const missing = required.map(
    ({ name, sql: column, label }) => sql`
      select row, ${sql.lit(name)}, ${sql.lit(`${label} is required`)} from file
      where variant_id is null and id is null and ${sql.ref(column)} is null and not ${hasSharedGtin(columns)}
        and (old_options is null or ${sql.lit(name === 'quantity')})`,
  )
  const shared = columnsIn(columns).filter(isShared)
  const firstValues = [...shared.map(({ sql: column }) => column), 'attributes'].map(
    (column) => sql`, first_value(${sql.ref(column)}) over product as ${sql.ref(`first_${column}`)}`,
  )
  const different = shared.map(
    ({ name, sql: column }) => sql`
      select row, ${sql.lit(name)}, 'Row ' || first_row || ' of the same product has another value'
      from own where ${sql.ref(column)} is distinct from ${sql.ref(`first_${column}`)}`,
  )
  const minimum = columns.includes('minimum') ? sql`minimum_quantity` : sql`old_minimum`
  return sql`
    file as (
      select file.*, products.options as old_options, products.minimum_quantity as old_minimum,
        products.stock as old_stock, products.kind as old_kind, variants.product_id as old_product
      from product_import_rows as file ${existing} where ${isIn(importId, batch)}
    ),
    own as materialized (
      select *, first_value(row) over product as first_row ${sql.join(firstValues, sql``)}
      from file where target_options = 'variants' window product as (partition by product_id order by row)
    ),
    choices as (
      select row, product_id, coalesce(size, '') as size, coalesce(colour, '') as colour from own
      union all
      select null, product_id, coalesce(size, ''), coalesce(colour, '') from variants
      where product_id in (select product_id from own) and removed_at is null
        and not exists (select from own where variant_id = variants.id)
    ),
    found (row, "column", message) as (
      select row, 'id', 'No product has this id' from file where id is not null and variant_id is null
      union all
      select row, 'sku', 'Row ' || first || ' has the same part number'
      from (select row, min(row) over (partition by sku_key) as first from file where sku_key is not null) as twice
      where row > first
      union all
      select row, case when id is not null then 'id' when by_gtin then 'gtin' else 'sku' end,
        'Row ' || first || ' is for the same product'
      from (select row, id, sku_key, ${hasGtinOnly(columns)} as by_gtin,
          first_value(row) over variant as first, first_value(sku_key) over variant as first_sku
        from file where variant_id is not null window variant as (partition by variant_id order by row)) as twice
      where row > first and (id is not null or by_gtin or sku_key is distinct from first_sku)
      union all
      select row, 'sku', 'Another product has this part number: ' || products.name
      from file join variants on variants.sku_key = file.sku_key and removed_at is null
        join products on products.id = variants.product_id
      where file.id is not null and variants.id is distinct from variant_id
        and not exists (select from file as other
          where other.variant_id = variants.id and other.sku_key is distinct from variants.sku_key)
      union all
      select row, 'gtin', 'Several products have this GTIN' from file where ${hasSharedGtin(columns)}
      union all
      select row, 'quantity', 'Stock cannot go below 0: current stock is ' || variants.stock
      from file join variants on variants.id = variant_id
      where ${newStock} < 0
      union all
      select row, 'quantity', 'The number is too large: current stock is ' || variants.stock
      from file join variants on variants.id = variant_id
      where ${newStock} > 2147483647
      union all
      select min(row), 'quantity', 'The stock of all sizes and colours together is too large'
      from own as file left join variants on variants.id = variant_id
      group by file.product_id
      having coalesce(max(old_stock), 0) + sum(case when variant_id is null then file.stock else ${stockMove} end)
        > 2147483647
      union all
      select row, 'group', 'This row is for a variant of another product' from file where old_product <> product_id
      union all
      select row, 'options', case
        when group_key is not null then 'A row with a group needs the options variants'
        when old_options = 'variants' then
          'An import cannot remove sizes and colours. Change the options on Edit Product'
        else 'Give all variants of this product the same group' end
      from file where (group_key is not null or coalesce(old_options, '') = 'variants') <> (target_options = 'variants')
      union all
      select row, 'size', 'Only rows with a group can have a size, colour or swatch'
      from file where target_options <> 'variants' and coalesce(size, colour, swatch) is not null
      union all
      select row, 'size', 'Enter a size or a colour'
      from file where target_options = 'variants' and size is null and colour is null
      union all
      select row, choice, 'Enter a ' || choice || ', as for the other variants'
      from (
        select row, choice, value, bool_or(value <> '') over (partition by product_id, choice) as is_chosen
        from choices, lateral (values ('size', size), ('colour', colour)) as chosen (choice, value)
        where size <> '' or colour <> ''
      ) as mixed
      where row is not null and value = '' and is_chosen
      union all
      select row, 'size', 'This product already has that size and colour'
      from (select row, row_number() over (partition by product_id, size, colour order by row nulls first) as number
        from choices) as twice
      where row is not null and number > 1
      union all
      select min(row), 'group', ${sql.lit(`A product can have ${maxVariants} variants`)}
      from choices group by product_id having count(*) > ${maxVariants}
      union all
      select min(row), 'group', 'The file lacks the row of the variant that has no size and colour yet'
      from choices group by product_id having bool_or(row is null and size = '' and colour = '')
      union all
      select row, 'minimum', 'A product with sizes and colours has a minimum order of 1'
      from file where target_options = 'variants' and ${minimum} <> 1
      union all ${sql.join([...missing, ...different, ...findAttributeErrors(columns)], sql` union all `)}
    )`
}

/** A query of the products of which a row with the same group could not be read. */
export const wrongProducts = (importId: string): RawBuilder<unknown> => sql`
  select product_id from product_import_rows as file
  where import_id = ${importId} and group_key in (
    select product_key from wrong_import_rows where import_id = ${importId} and product_key is not null)`
