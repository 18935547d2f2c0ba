import { type Kysely, type Selectable, sql } from 'kysely'
import type { StockChange } from '../../../contract/catalog.ts'
import { type ProductSqlName, productColumns } from '../../../contract/product-columns.ts'
import type { ProductsTable } from '../../../db/catalog-schema.ts'
import type { Database } from '../../../db/schema.ts'
import type { Actor } from '../../http/access.ts'

export type Product = Pick<Selectable<ProductsTable>, ProductSqlName | 'id' | 'created_at' | 'deleted_at'>
/** The columns to read. The others are only for search. */
const selectedColumns = [
  'id',
  'created_at',
  'deleted_at',
  ...productColumns.map((column) => column.sql),
] satisfies (keyof Product)[]
export type NewProduct = Omit<Product, 'created_at' | 'deleted_at'>

/** Returns a product that is not deleted. */
export function findProduct(db: Kysely<Database>, id: string): Promise<Product | undefined> {
  return db
    .selectFrom('products')
    .select(selectedColumns)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

/** Returns the products with these ids, in this order. Deleted products are included. */
export async function findProducts(db: Kysely<Database>, ids: string[]): Promise<Product[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('products')
    .select(selectedColumns)
    .where('id', '=', sql<string>`any(${ids})`)
    .execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** Sets the audit actor for this transaction, as a returned column: triggers run later and write it to the history. */
const setAuditActor = (by: Actor | null) =>
  sql`(set_config('shop.actor_id', ${by?.customerId ?? ''}, true),
    set_config('shop.client_ip', ${by?.ip ?? ''}, true))`.as('actor')

/** Inserts a product. A trigger adds its first stock movement. */
export async function insertProduct(
  db: Kysely<Database>,
  product: NewProduct & { created_at?: Date },
  addedBy: Actor | null,
): Promise<void> {
  await db.insertInto('products').values(product).returning(setAuditActor(addedBy)).execute()
}

/** Updates or deletes a product; its stock has its own statement. Returns false if it does not exist or is deleted. */
export async function updateProduct(
  db: Kysely<Database>,
  id: string,
  changes: Omit<NewProduct, 'id' | 'stock'> | { deleted_at: Date },
  changedBy: Actor,
): Promise<boolean> {
  const changed = await db
    .updateTable('products')
    .set(changes)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .returning(setAuditActor(changedBy))
    .executeTakeFirst()
  return changed !== undefined
}

/**
 * Adds `delta` to the stock if given, or else sets the stock to the counted `quantity`. Changes nothing if the result
 * is below zero or too large.
 *
 * @returns the wanted stock and the difference to the old one, or undefined if the product is missing
 */
export async function changeStock(
  db: Kysely<Database>,
  id: string,
  { quantity, delta }: StockChange,
  movedBy: Actor,
): Promise<{ stock: number; difference: number } | undefined> {
  const { rows } = await sql<{ stock: number; difference: number }>`
    with wanted as (
      select id, coalesce(stock::bigint + ${delta ?? null}::integer, ${quantity}::integer) as stock, stock as old_stock
      from products where id = ${id} and deleted_at is null for update
    ), changed as (
      update products set stock = wanted.stock from wanted
      where products.id = wanted.id and wanted.stock <> old_stock and wanted.stock between 0 and 2147483647
      returning products.id, products.stock - old_stock as difference
    ), moved as (
      insert into stock_movements (product_id, kind, quantity, moved_by, client_ip)
      select id, ${delta === undefined ? 'count' : 'restock'}, difference, ${movedBy.customerId}, ${movedBy.ip}::inet
      from changed
    )
    select stock, stock - old_stock as difference from wanted`.execute(db)
  return rows[0]
}
