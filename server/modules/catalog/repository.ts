import { type Expression, type ExpressionBuilder, type Kysely, type Selectable, sql } from 'kysely'
import type { ProductQuery, productSorts } from '../../../contract/catalog.ts'
import type { Database, ProductsTable } from '../../../db/schema.ts'
import type { Actor } from '../../guards.ts'
import { containing, type Page, pageOf, sortOf } from '../../platform/page.ts'

export type Product = Selectable<ProductsTable>
export type NewProduct = Omit<Product, 'created_at' | 'deleted_at'>

const sortColumns = {
  name: sql`lower(name)`,
  price: sql.ref('price_cents'),
  quantity: sql.ref('stock'),
  minimum: sql.ref('minimum_quantity'),
  category: sql.ref('category'),
} as const satisfies Record<(typeof productSorts)[number], Expression<unknown>>

function matching(query: ProductQuery) {
  return (eb: ExpressionBuilder<Database, 'products'>) => {
    const conditions = [eb('deleted_at', 'is', null)]
    if (query.category) conditions.push(eb('category', '=', query.category))
    if (query.q) {
      const pattern = containing(query.q)
      conditions.push(eb.or([eb('name', 'ilike', pattern), eb('supplier', 'ilike', pattern)]))
    }
    return eb.and(conditions)
  }
}

/** The products of the shop, in the order in which they came into it where no sort is asked for. */
export async function listProducts(db: Kysely<Database>, query: ProductQuery): Promise<Page<Product>> {
  const { limit, offset } = pageOf(query)
  let rows = db.selectFrom('products').selectAll().where(matching(query)).limit(limit).offset(offset)
  if (query.sort) {
    const { field, direction } = sortOf<keyof typeof sortColumns>(query.sort)
    rows = rows.orderBy(sortColumns[field], (order) =>
      field === 'category' ? order[direction]().nullsLast() : order[direction](),
    )
  }
  const count = db
    .selectFrom('products')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where(matching(query))
  const [page, { total }] = await Promise.all([
    rows.orderBy('created_at').orderBy('id').execute(),
    count.executeTakeFirstOrThrow(),
  ])
  return { rows: page, total }
}

/** A product that is in the shop. */
export function findProduct(db: Kysely<Database>, id: string): Promise<Product | undefined> {
  return db
    .selectFrom('products')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

/**
 * Says who is at work, for the length of the transaction: the database notes it with what changes of a product.
 * Stands in the `from` of the statement that makes the change.
 */
const saysWho = (by: Actor | null) =>
  sql<{ actor: string }>`(
    select set_config('shop.actor_id', ${by?.customerId ?? ''}, true) as actor,
      set_config('shop.address', ${by?.address ?? ''}, true) as address
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
        .selectFrom(['added', saysWho(addedBy).as('who')])
        .select([
          'id',
          sql<'count'>`'count'`.as('kind'),
          'stock',
          sql<string | null>`${addedBy?.customerId ?? null}::text`.as('moved_by'),
          sql<string | null>`${addedBy?.address ?? null}::inet`.as('address'),
        ]),
    )
    .execute()
}

/** Hides a product; false where it is not in the shop (any more). */
export async function hideProduct(db: Kysely<Database>, id: string, hiddenBy: Actor): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('products')
    .from(saysWho(hiddenBy).as('who'))
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
      select id, 'restock', ${delta}::integer, ${movedBy.customerId}, ${movedBy.address}::inet from changed
    )
    select stock from changed`.execute(db)
  return rows[0]?.stock
}

/** Sets a counted stock; answers how far off it was, or undefined where there is no such product. */
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
      select id, 'count', difference, ${movedBy.customerId}, ${movedBy.address}::inet from counted where difference <> 0
    )
    select difference from counted`.execute(db)
  return rows[0]?.difference
}
