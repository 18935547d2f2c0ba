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

/** Sets `product_id` of each row by the product's id, or else by its part number. */
export async function matchRows(db: Kysely<Database>, importId: string): Promise<void> {
  await sql`
    update product_import_rows as file set product_id = case
      when id is not null then (select p.id from products p where p.id = file.id and p.deleted_at is null)
      else (select p.id from products p where p.sku_key = file.sku_key and p.deleted_at is null) end
    where import_id = ${importId}`.execute(db)
  await sql`analyze product_import_rows`.execute(db)
}

/** Change of the stock: the difference since the export, or else the difference to the counted stock. */
const stockMove = sql<number>`case
  when file.stock is null then 0
  when file.stock_exported is not null then file.stock - file.stock_exported
  else file.stock - products.stock end`

/** The new stock of an existing product. It may be out of range. */
const newStock = sql`(products.stock::bigint + ${stockMove})`

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
        where product_id is null and id is null and ${sql.ref(column)} is null`,
    )
  const { rows } = await sql<ImportError & { total: number }>`
    with file as (select * from product_import_rows where import_id = ${importId}),
    found (row, "column", message) as (
      select row, 'id', 'No product has this id' from file where id is not null and product_id is null
      union all
      select row, 'sku', 'Row ' || first || ' has the same part number'
      from (select row, min(row) over (partition by sku_key) as first from file where sku_key is not null) as twice
      where row > first
      union all
      select row, 'id', 'Row ' || first || ' is for the same product'
      from (select row, id, min(row) over (partition by product_id) as first from file where product_id is not null) as twice
      where row > first and id is not null
      union all
      select row, 'sku', 'Another product has this part number: ' || products.name
      from file join products on products.sku_key = file.sku_key and deleted_at is null
      where file.id is not null and products.id is distinct from product_id
      union all
      select row, 'quantity', 'Stock cannot go below 0: current stock is ' || products.stock
      from file join products on products.id = product_id
      where ${newStock} < 0
      union all
      select row, 'quantity', 'The number is too large: current stock is ' || products.stock
      from file join products on products.id = product_id
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
const isNew = sql<boolean>`(file.product_id is null and file.id is null)`

/** The editable columns with these names. */
const columnsIn = (names: string[]) => editableColumns.filter(({ name }) => names.includes(name))

/** Whether a row changes its product in one of these columns or in its stock. */
function isChange(columns: string[]): RawBuilder<boolean> {
  const differs = columnsIn(columns).map(
    (column) => sql`${sql.ref(`products.${column.sql}`)} is distinct from ${sql.ref(`file.${column.sql}`)}`,
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
      count(*) filter (where product_id is not null and ${isChange(columns)}) as changed,
      count(*) filter (where product_id is not null and not ${isChange(columns)}) as unchanged
    from product_import_rows as file left join products on products.id = file.product_id
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
  const text = (table: string, { sql: column, type }: ProductColumn) =>
    sql.raw(type === 'cents' ? dollars(`${table}.${column}`) : `${table}.${column}::text`)
  const values = columnsIn(columns).map(
    (column) => sql`(${sql.lit(column.name)}, ${text('products', column)}, ${text('file', column)})`,
  )
  const quantity = sql`('quantity', products.stock::text, coalesce(${newStock}, file.stock)::text)`
  const { rows } = await sql<ImportChange>`
    select row, coalesce(products.name, file.name, file.sku, '') as name,
      case when products.id is not null then before end as before, after
    from product_import_rows as file left join products on products.id = file.product_id
      cross join lateral (
        select jsonb_object_agg(name, before) as before, jsonb_object_agg(name, after) as after
        from (values ${sql.join([...values, quantity])}) as value (name, before, after)
        where before is distinct from after having count(*) > 0
      ) as differing
    where import_id = ${importId} and (product_id is not null or ${isNew})
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

/** Adds the new products of these rows in file order. A trigger adds their first stock movements. */
export async function addProducts(db: Kysely<Database>, span: Span): Promise<number> {
  const columns = sql.join(productColumns.map((column) => sql.ref(column.sql)))
  const { numAffectedRows } = await sql`
    insert into products (id, created_at, ${columns})
    select new_id, now() + row * interval '1 microsecond', ${columns}
    from product_import_rows as file where ${inSpan(span)} and product_id is null`.execute(db)
  return Number(numAffectedRows)
}

/**
 * Changes the products of these rows. Locks only products that differ, and computes the new stock from the locked
 * row, so that concurrent sales are not lost.
 *
 * @returns `changed`: changed products; `lost`: rows whose product was deleted after they were matched
 */
export async function changeProducts(
  db: Kysely<Database>,
  span: Span,
  columns: string[],
  by: Actor,
): Promise<{ changed: number; lost: number }> {
  const set = columnsIn(columns).map(
    (column) => sql`${sql.ref(column.sql)} = ${sql.ref(`locked.${column.sql}`)}`,
  )
  const { rows } = await sql<{ changed: number; lost: number }>`
    with locked as (
      select file.*, ${stockMove} as move
      from product_import_rows as file join products on products.id = file.product_id
      where ${inSpan(span)} and deleted_at is null and ${isChange(columns)}
      order by products.id for update of products
    ), changed as (
      update products set ${sql.join([...set, sql`stock = products.stock + locked.move`])}
      from locked where products.id = locked.product_id
      returning products.id
    ), moved as (
      insert into stock_movements (product_id, kind, quantity, moved_by, client_ip)
      select product_id, 'count', move, ${by.customerId}, ${by.ip}::inet from locked where move <> 0
    )
    select (select count(*) from changed) as changed,
      (select count(*) from product_import_rows as file left join products on products.id = file.product_id
        where ${inSpan(span)} and file.product_id is not null and products.deleted_at is not null) as lost`.execute(
    db,
  )
  return rows[0] ?? { changed: 0, lost: 0 }
}

/**
 * Postgres pattern of cells that a spreadsheet program may run as a formula. Matches already quoted ones as well. The
 * export puts an apostrophe before them.
 */
const riskyInPostgres = "^(''*[=+\\-@\\t\\r＝＋－＠])"

/** SQL of an exported column, prices in dollars. Text that may be a formula gets an apostrophe. */
function exportedColumn({ name, sql, type }: ProductColumn): string {
  if (type === 'cents') return `${dollars(sql)} as ${name}`
  return type === 'text'
    ? `regexp_replace(${sql}, '${riskyInPostgres}', '''\\1') as ${name}`
    : `${sql} as ${name}`
}

const exportedColumns = productFileColumns.map((name) => {
  const column = productColumns.find((each) => each.name === name)
  if (column) return exportedColumn(column)
  return name === 'quantity_exported' ? 'stock as quantity_exported' : name
})

/** Writes all products as CSV, oldest first. */
export const exportText = `copy (
  select ${exportedColumns.join(', ')}
  from products where deleted_at is null order by created_at, products.id
) to stdout with (format csv, header)`
