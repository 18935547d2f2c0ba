import { type Kysely, type RawBuilder, sql } from 'kysely'
import {
  type ImportChange,
  type ImportError,
  maxListedChanges,
  maxListedErrors,
  productFileColumns,
} from '../../../contract/imports.ts'
import { editableColumns, type ProductColumn, productColumns } from '../../../contract/product-columns.ts'
import type { Database } from '../../../db/schema.ts'
import type { Actor } from '../../http/access.ts'

/** Sets `variant_id` of each row by the variant's id, or else by its part number. */
export async function matchRows(db: Kysely<Database>, importId: string): Promise<void> {
  await sql`
    update product_import_rows as file set variant_id = case
      when id is not null then (select v.id from variants v where v.id = file.id and removed_at is null)
      else (select v.id from variants v where v.sku_key = file.sku_key and removed_at is null) end
    where import_id = ${importId}`.execute(db)
  await sql`analyze product_import_rows`.execute(db)
}

/** The variant and the product of a row; null if the row adds a product. */
const existing = sql`
  left join variants on variants.id = file.variant_id left join products on products.id = variants.product_id`

/** Change of the stock: the difference since the export, or else the difference to the counted stock. */
const stockMove = sql<number>`case
  when file.stock is null then 0
  when file.stock_exported is not null then file.stock - file.stock_exported
  else file.stock - variants.stock end`

/** The new stock of an existing variant. It may be out of range. */
const newStock = sql`(variants.stock::bigint + ${stockMove})`

/** Finds errors that need other rows or the catalog. Counts all, and lists the first. */
export async function findErrors(
  db: Kysely<Database>,
  importId: string,
): Promise<{ errors: ImportError[]; total: number }> {
  const missing = productColumns
    .filter((column) => 'isRequired' in column)
    .map(
      ({ name, sql: column, label }) => sql`
        select row, ${sql.lit(name)}, ${sql.lit(`${label} is required`)} from file
        where variant_id is null and id is null and ${sql.ref(column)} is null`,
    )
  const { rows } = await sql<ImportError & { total: number }>`
    with file as (select * from product_import_rows where import_id = ${importId}),
    found (row, "column", message) as (
      select row, 'id', 'No product has this id' from file where id is not null and variant_id is null
      union all
      select row, 'sku', 'Row ' || first || ' has the same part number'
      from (select row, min(row) over (partition by sku_key) as first from file where sku_key is not null) as twice
      where row > first
      union all
      select row, 'id', 'Row ' || first || ' is for the same product'
      from (select row, id, min(row) over (partition by variant_id) as first from file where variant_id is not null) as twice
      where row > first and id is not null
      union all
      select row, 'sku', 'Another product has this part number: ' || products.name
      from file join variants on variants.sku_key = file.sku_key and removed_at is null
        join products on products.id = product_id
      where file.id is not null and variants.id is distinct from variant_id
      union all
      select row, 'quantity', 'Stock cannot go below 0: current stock is ' || variants.stock
      from file join variants on variants.id = variant_id
      where ${newStock} < 0
      union all
      select row, 'quantity', 'The number is too large: current stock is ' || variants.stock
      from file join variants on variants.id = variant_id
      where ${newStock} > 2147483647
      union all ${sql.join(missing, sql` union all `)}
    )
    select *, count(*) over () as total from found order by row, "column" limit ${maxListedErrors}`.execute(
    db,
  )
  return {
    errors: rows.map(({ row, column, message }) => ({ row, column, message })),
    total: rows[0]?.total ?? 0,
  }
}

/** A row with an unknown id does not add a product: it is an error. */
const isNew = sql<boolean>`(file.variant_id is null and file.id is null)`

/** The editable columns with these names. */
const columnsIn = (names: string[]) => editableColumns.filter(({ name }) => names.includes(name))

/** A column of the product or of its variant, as it is stored now. */
const toStored = ({ sql, isOfVariant, isStock }: ProductColumn) =>
  `${isOfVariant || isStock ? 'variants' : 'products'}.${sql}`

/** Whether a row changes its product in one of these columns or in its stock. */
function isChange(columns: string[]): RawBuilder<boolean> {
  const differs = columnsIn(columns).map(
    (column) => sql`${sql.ref(toStored(column))} is distinct from ${sql.ref(`file.${column.sql}`)}`,
  )
  return sql<boolean>`(${sql.join([...differs, sql`${stockMove} <> 0`], sql` or `)})`
}

export interface Effect {
  added: number
  changed: number
  unchanged: number
}

/** Counts the products that the import would add and change now. */
export async function countEffect(
  db: Kysely<Database>,
  importId: string,
  columns: string[],
): Promise<Effect> {
  const { rows } = await sql<Effect>`
    select count(*) filter (where ${isNew}) as added,
      count(*) filter (where variant_id is not null and ${isChange(columns)}) as changed,
      count(*) filter (where variant_id is not null and not ${isChange(columns)}) as unchanged
    from product_import_rows as file ${existing}
    where import_id = ${importId}`.execute(db)
  return rows[0] ?? { added: 0, changed: 0, unchanged: 0 }
}

/** SQL of cents as dollars in a file: `39` or `12.50`. */
const dollars = (cents: string) => `replace((${cents} / 100.0)::numeric(12, 2)::text, '.00', '')`

/** Lists the first products that would be added or changed, with the differing columns. */
export async function listChanges(
  db: Kysely<Database>,
  importId: string,
  columns: string[],
): Promise<ImportChange[]> {
  const text = (name: string, { type }: ProductColumn) =>
    sql.raw(type === 'cents' ? dollars(name) : `${name}::text`)
  const values = columnsIn(columns).map(
    (column) =>
      sql`(${sql.lit(column.name)}, ${text(toStored(column), column)}, ${text(`file.${column.sql}`, column)})`,
  )
  const quantity = sql`('quantity', variants.stock::text, coalesce(${newStock}, file.stock)::text)`
  const { rows } = await sql<ImportChange>`
    select row, coalesce(products.name, file.name, file.sku, '') as name,
      case when products.id is not null then before end as before, after
    from product_import_rows as file ${existing}
      cross join lateral (
        select jsonb_object_agg(name, before) as before, jsonb_object_agg(name, after) as after
        from (values ${sql.join([...values, quantity])}) as value (name, before, after)
        where before is distinct from after having count(*) > 0
      ) as differing
    where import_id = ${importId} and (variant_id is not null or ${isNew})
    order by row limit ${maxListedChanges}`.execute(db)
  return rows
}

/** Rows `from` to `to` of a file, both included. */
export interface Span {
  importId: string
  from: number
  to: number
}

const inSpan = ({ importId, from, to }: Span) =>
  sql<boolean>`file.import_id = ${importId} and file.row between ${from} and ${to}`

/** Sets the audit actor for this transaction. A trigger writes it to product_changes. */
export async function setAuditActor(db: Kysely<Database>, { customerId, ip }: Actor): Promise<void> {
  await sql`
    select set_config('shop.actor_id', ${customerId}, true), set_config('shop.client_ip', ${ip ?? ''}, true)`.execute(
    db,
  )
}

/**
 * Locks the products that the file changes, in the order of their ids (decision 38). Only these are changed later, so
 * that no row is locked out of this order.
 */
export async function lockChanges(db: Kysely<Database>, importId: string, columns: string[]): Promise<void> {
  await sql`
    with locked as materialized (
      select id from products where deleted_at is null and id in (
        select variants.product_id from product_import_rows as file ${existing}
        where import_id = ${importId} and variant_id is not null and ${isChange(columns)})
      order by id for no key update
    )
    update product_import_rows as file set is_change = true
    from variants join locked on locked.id = product_id
    where import_id = ${importId} and variants.id = file.variant_id`.execute(db)
}

const variantColumns = productColumns.filter((column) => 'isOfVariant' in column)
const ownColumns = productColumns.filter((column) => !('isOfVariant' in column))

/** Adds the new products of these rows in file order. Triggers add their first stock movements and their changes. */
export async function addProducts(db: Kysely<Database>, span: Span): Promise<number> {
  const toNames = (columns: readonly ProductColumn[]) =>
    sql.join(columns.map((column) => sql.ref(column.sql)))
  const { numAffectedRows } = await sql`
    with file as materialized (
      select *, now() + row * interval '1 microsecond' as created_at
      from product_import_rows as file where ${inSpan(span)} and variant_id is null
    ), added as (
      insert into products (id, created_at, ${toNames(ownColumns)})
      select new_id, created_at, ${toNames(ownColumns)} from file
    )
    insert into variants (id, product_id, position, created_at, stock, ${toNames(variantColumns)})
    select new_id, new_id, 1, created_at, stock, ${toNames(variantColumns)} from file`.execute(db)
  return Number(numAffectedRows)
}

/**
 * Changes the locked products of these rows and their variants. The new stock is computed from the locked variant, so
 * that concurrent sales are not lost.
 *
 * @returns `changed`: changed rows; `lost`: rows whose variant was removed after they were matched
 */
export async function changeProducts(
  db: Kysely<Database>,
  span: Span,
  columns: string[],
  by: Actor,
): Promise<{ changed: number; lost: number }> {
  const set = (isOfVariant: boolean) =>
    columnsIn(columns)
      .filter((column) => 'isOfVariant' in column === isOfVariant)
      .map((column) => sql`${sql.ref(column.sql)} = ${sql.ref(`locked.${column.sql}`)}, `)
  const { rows } = await sql<{ changed: number; lost: number }>`
    with locked as materialized (
      select file.*, variants.product_id, ${stockMove} as move
      from product_import_rows as file ${existing}
      where ${inSpan(span)} and is_change and removed_at is null and ${isChange(columns)}
    ), changed as (
      update products set ${sql.join(set(false), sql``)} stock = products.stock
      from locked where products.id = locked.product_id
    ), stocked as (
      update variants set ${sql.join(set(true), sql``)} stock = variants.stock + locked.move
      from locked where variants.id = locked.variant_id
      returning variants.id
    ), moved as (
      insert into stock_movements (variant_id, kind, quantity, moved_by, client_ip)
      select variant_id, 'count', move, ${by.customerId}, ${by.ip}::inet from locked where move <> 0
    )
    select (select count(*) from stocked) as changed,
      (select count(*) from product_import_rows as file join variants on variants.id = file.variant_id
        where ${inSpan(span)} and removed_at is not null) as lost`.execute(db)
  return rows[0] ?? { changed: 0, lost: 0 }
}

/**
 * Postgres pattern of cells that a spreadsheet program may run as a formula. Matches already quoted ones as well. The
 * export puts an apostrophe before them.
 */
const riskyInPostgres = "^(''*[=+\\-@\\t\\r＝＋－＠])"

/** SQL of an exported column, prices in dollars. Text that may be a formula gets an apostrophe. */
function exportedColumn(column: ProductColumn): string {
  const { name, type } = column
  const value = toStored(column)
  if (type === 'cents') return `${dollars(value)} as ${name}`
  return type === 'text'
    ? `regexp_replace(${value}, '${riskyInPostgres}', '''\\1') as ${name}`
    : `${value} as ${name}`
}

const exportedColumns = productFileColumns.map((name) => {
  const column = productColumns.find((each) => each.name === name)
  if (column) return exportedColumn(column)
  return name === 'quantity_exported' ? 'variants.stock as quantity_exported' : `variants.${name}`
})

/** Writes all variants with their products as CSV, oldest product first. */
export const exportText = `copy (
  select ${exportedColumns.join(', ')}
  from products join variants on product_id = products.id and removed_at is null
  where deleted_at is null order by products.created_at, products.id, position
) to stdout with (format csv, header)`
