import { type Kysely, type Selectable, sql } from 'kysely'
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

/** Returns true if the product is deleted, false if it is in the shop or never existed. */
export async function isDeletedProduct(db: Kysely<Database>, id: string): Promise<boolean> {
  const hidden = await db
    .selectFrom('products')
    .select('id')
    .where('id', '=', id)
    .where('deleted_at', 'is not', null)
    .executeTakeFirst()
  return hidden !== undefined
}

/**
 * Sets the audit actor for this transaction. A trigger writes it to product_changes. Use it in the `from` of the
 * statement that changes products.
 */
const setAuditActor = (by: Actor | null) =>
  sql<{ actor: string }>`(
    select set_config('shop.actor_id', ${by?.customerId ?? ''}, true) as actor,
      set_config('shop.client_ip', ${by?.ip ?? ''}, true) as client_ip
  )`

/** Inserts a product with its first stock movement. */
export async function insertProduct(
  db: Kysely<Database>,
  product: NewProduct & { created_at?: Date },
  addedBy: Actor | null,
): Promise<void> {
  await db
    .with('added', (cte) => cte.insertInto('products').values(product).returning(['id', 'stock']))
    .insertInto('stock_movements')
    .columns(['product_id', 'kind', 'quantity', 'moved_by', 'client_ip'])
    .expression((eb) =>
      eb
        .selectFrom(['added', setAuditActor(addedBy).as('who')])
        .select([
          'id',
          sql<'count'>`'count'`.as('kind'),
          'stock',
          sql<string | null>`${addedBy?.customerId ?? null}::text`.as('moved_by'),
          sql<string | null>`${addedBy?.ip ?? null}::inet`.as('client_ip'),
        ]),
    )
    .execute()
}

/** Updates a product except its stock. Returns false if the product does not exist or is deleted. */
export async function updateProduct(
  db: Kysely<Database>,
  id: string,
  changes: Omit<NewProduct, 'id' | 'stock'>,
  changedBy: Actor,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('products')
    .from(setAuditActor(changedBy).as('who'))
    .set(changes)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Marks a product as deleted. Returns false if it does not exist or is deleted already. */
export async function hideProduct(db: Kysely<Database>, id: string, hiddenBy: Actor): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('products')
    .from(setAuditActor(hiddenBy).as('who'))
    .set({ deleted_at: new Date() })
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Adds `delta` to the stock. Returns the new stock, or undefined if it is out of range or the product is missing. */
export async function addStock(
  db: Kysely<Database>,
  id: string,
  delta: number,
  movedBy: Actor,
): Promise<number | undefined> {
  const { rows } = await sql<{ stock: number }>`
    with changed as (
      update products set stock = stock + ${delta}::integer
      where id = ${id} and deleted_at is null
        and stock::bigint + ${delta}::integer between 0 and 2147483647
      returning id, stock
    ), moved as (
      insert into stock_movements (product_id, kind, quantity, moved_by, client_ip)
      select id, 'restock', ${delta}::integer, ${movedBy.customerId}, ${movedBy.ip}::inet from changed
    )
    select stock from changed`.execute(db)
  return rows[0]?.stock
}

/** Sets the counted stock. Returns the difference to the old one, or undefined if the product is missing. */
export async function countStock(
  db: Kysely<Database>,
  id: string,
  stock: number,
  movedBy: Actor,
): Promise<number | undefined> {
  const { rows } = await sql<{ difference: number }>`
    with counted as (
      select id, ${stock}::integer - stock as difference from products
      where id = ${id} and deleted_at is null for update
    ), changed as (
      update products set stock = ${stock}::integer from counted
      where products.id = counted.id and difference <> 0
    ), moved as (
      insert into stock_movements (product_id, kind, quantity, moved_by, client_ip)
      select id, 'count', difference, ${movedBy.customerId}, ${movedBy.ip}::inet from counted where difference <> 0
    )
    select difference from counted`.execute(db)
  return rows[0]?.difference
}
