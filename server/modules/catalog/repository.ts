import { type Kysely, type Selectable, sql } from 'kysely'
import { type ProductSqlName, productColumns } from '../../../contract/product-columns.ts'
import type { ProductsTable } from '../../../db/catalog-schema.ts'
import type { Database } from '../../../db/schema.ts'
import type { Actor } from '../../http/access.ts'

export type Product = Pick<Selectable<ProductsTable>, ProductSqlName | 'id' | 'created_at' | 'deleted_at'>
/** The columns that are read; the others serve search alone. */
export const selectedColumns = [
  'id',
  'created_at',
  'deleted_at',
  ...productColumns.map((column) => column.sql),
] satisfies (keyof Product)[]
export type NewProduct = Omit<Product, 'created_at' | 'deleted_at'>

/** A product that is in the shop. */
export function findProduct(db: Kysely<Database>, id: string): Promise<Product | undefined> {
  return db
    .selectFrom('products')
    .select(selectedColumns)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

/** The products with these ids, in this order. Deleted products are included. */
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

/** Whether a product with this id has left the shop. */
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
 * Says who is at work, for the length of the transaction: the database notes it with what changes of a product.
 * Stands in the `from` of the statement that makes the change.
 */
const setAuditActor = (by: Actor | null) =>
  sql<{ actor: string }>`(
    select set_config('shop.actor_id', ${by?.customerId ?? ''}, true) as actor,
      set_config('shop.address', ${by?.ip ?? ''}, true) as address
  )`

/** Adds a product; its first stock is the first row of its ledger. */
export async function insertProduct(
  db: Kysely<Database>,
  product: NewProduct & { created_at?: Date },
  addedBy: Actor | null,
): Promise<void> {
  await db
    .with('added', (cte) => cte.insertInto('products').values(product).returning(['id', 'stock']))
    .insertInto('stock_movements')
    .columns(['product_id', 'kind', 'quantity', 'moved_by', 'address'])
    .expression((eb) =>
      eb
        .selectFrom(['added', setAuditActor(addedBy).as('who')])
        .select([
          'id',
          sql<'count'>`'count'`.as('kind'),
          'stock',
          sql<string | null>`${addedBy?.customerId ?? null}::text`.as('moved_by'),
          sql<string | null>`${addedBy?.ip ?? null}::inet`.as('address'),
        ]),
    )
    .execute()
}

/** Changes a product, but its stock; false if it is not in the shop (any more). */
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

/** Hides a product; false if it is not in the shop (any more). */
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

/** Adds `delta` to the stock where the result stays within its bounds; answers the new stock. */
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
      insert into stock_movements (product_id, kind, quantity, moved_by, address)
      select id, 'restock', ${delta}::integer, ${movedBy.customerId}, ${movedBy.ip}::inet from changed
    )
    select stock from changed`.execute(db)
  return rows[0]?.stock
}

/** Sets a counted stock; answers how far off it was, or undefined if there is no such product. */
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
      insert into stock_movements (product_id, kind, quantity, moved_by, address)
      select id, 'count', difference, ${movedBy.customerId}, ${movedBy.ip}::inet from counted where difference <> 0
    )
    select difference from counted`.execute(db)
  return rows[0]?.difference
}
