import { type Insertable, type Kysely, type Selectable, sql } from 'kysely'
import { toNumberKey } from '../../../contract/part-numbers.ts'
import { type ProductSqlName, productColumns } from '../../../contract/product-columns.ts'
import type { ChangedColumns, ProductsTable, VariantsTable } from '../../../db/catalog-schema.ts'
import type { Database } from '../../../db/schema.ts'
import type { Actor } from '../../platform/actor.ts'
import { auditActor } from '../../platform/database/audit-actor.ts'
import { isSold } from './sold.ts'

type VariantColumn = 'sku' | 'gtin'

/** A product; part number and GTIN come from its only variant. */
export interface Product
  extends Pick<
      Selectable<ProductsTable>,
      Exclude<ProductSqlName, VariantColumn> | 'id' | 'options' | 'fit_kind' | 'replaced_by' | 'attributes'
    >,
    Pick<Selectable<VariantsTable>, VariantColumn> {
  /** Whether one of its variants costs more than the product. */
  has_dearer_variant: boolean
  created_at: Date
  deleted_at: Date | null
  hidden: boolean
}

/** A variant that is not removed, as the public reads it. */
export type Variant = Omit<StoredVariant, 'removed_at' | 'shelf' | 'low_stock'>

/** A variant as it is stored, removed or not. */
export type StoredVariant = Omit<Selectable<VariantsTable>, 'sku_key' | 'created_at'>

/** The values of a variant that an admin sets. */
export type VariantRow = Omit<StoredVariant, 'product_id' | 'stock' | 'removed_at'>

/** The values of a new product and of its first variant. */
export type NewProduct = Pick<Product, ProductSqlName | 'id'>

const ownColumns = productColumns.flatMap((column) => ('isOfVariant' in column ? [] : [column.sql]))

/** The columns to read. The others are only for search. */
const selectProducts = (db: Kysely<Database>) =>
  db
    .selectFrom('products')
    .leftJoin('variants as only', (join) =>
      join.onRef('only.id', '=', 'products.id').on('products.options', '<>', 'variants'),
    )
    .select([
      'products.id',
      'options',
      'fit_kind',
      'replaced_by',
      'attributes',
      'products.created_at',
      'deleted_at',
      'hidden',
      'only.sku',
      'only.gtin',
    ])
    .select(ownColumns.map((column) => `products.${column}` as const))
    .select((eb) =>
      eb
        .and([
          eb('options', '=', 'variants'),
          eb.exists(
            eb
              .selectFrom('variants')
              .whereRef('product_id', '=', 'products.id')
              .where('removed_at', 'is', null)
              .whereRef('variants.price_cents', '>', 'products.price_cents'),
          ),
        ])
        .$castTo<boolean>()
        .as('has_dearer_variant'),
    )

/** Returns a product that is for sale. */
export function findSoldProduct(db: Kysely<Database>, id: string): Promise<Product | undefined> {
  return selectProducts(db).where('products.id', '=', id).where(isSold).executeTakeFirst()
}

/** Returns a product that is not deleted. It may be hidden. */
export function findProduct(db: Kysely<Database>, id: string): Promise<Product | undefined> {
  return selectProducts(db).where('products.id', '=', id).where('deleted_at', 'is', null).executeTakeFirst()
}

/** Returns which of these products exist and are not deleted. They may be hidden. */
export async function listExisting(db: Kysely<Database>, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const found = db.selectFrom('products').select('id').where('deleted_at', 'is', null)
  const rows = await found.where('id', '=', sql<string>`any(${ids}::text[])`).execute()
  return rows.map(({ id }) => id)
}

/** Returns the products with these ids, in this order. Deleted and hidden products are included. */
export async function findProducts(db: Kysely<Database>, ids: string[]): Promise<Product[]> {
  if (ids.length === 0) return []
  const rows = await selectProducts(db).where('products.id', '=', sql<string>`any(${ids})`).execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** The same for products that are for sale. */
export async function findSoldProducts(db: Kysely<Database>, ids: string[]): Promise<Product[]> {
  const products = await findProducts(db, ids)
  return products.filter(({ deleted_at, hidden }) => deleted_at === null && !hidden)
}

interface BikeParts {
  /** The oldest of them. */
  ids: string[]
  total: number
  some: number
  /** Without the parts that have no kind: no list has only these. */
  kinds: { kind: string; count: number }[]
}

/** Counts the products that fit a bike, by kind, and those that fit some of its versions. */
export async function countBikeParts(
  db: Kysely<Database>,
  bikeId: number,
  limit: number,
): Promise<BikeParts> {
  const { rows } = await sql<BikeParts>`
    with parts as materialized (
      select id, kind, created_at from products
      where ${isSold} and document @@ ${`':bike:${bikeId}'`}::tsquery
    )
    select array(select id from parts order by created_at, id limit ${limit}) as ids,
      (select count(*)::integer from parts) as total,
      (select count(*)::integer from products
        where ${isSold} and document @@ ${`':some:${bikeId}'`}::tsquery) as some,
      coalesce((
        select json_agg(json_build_object('kind', kind, 'count', count) order by count desc, kind)
        from (select kind, count(*) as count from parts where kind is not null group by kind) as counted), '[]') as kinds`.execute(
    db,
  )
  return rows[0] ?? { ids: [], total: 0, some: 0, kinds: [] }
}

/** Lists the kinds with the most products, each with the picture of its cheapest product. */
export async function listTopKinds(
  db: Kysely<Database>,
  limit: number,
): Promise<{ kind: string; image: string }[]> {
  // The picture is the first entry of the index products_kind_by_price.
  const { rows } = await sql<{ kind: string; image: string }>`
    select top.kind, example.image from (
      select substr(term, length('kind:') + 1) as kind, sum(products) as count
      from product_counts, unnest(tsvector_to_array(terms)) as term
      where starts_with(term, 'kind:') group by term having sum(products) > 0
      order by count desc, kind limit ${limit}) as top
    cross join lateral (
      select image from products where ${isSold} and kind = top.kind
      order by price_cents, created_at, id limit 1) as example
    order by top.count desc, top.kind`.execute(db)
  return rows
}

/** Lists the variants of a product that are not removed, in the order of display. */
export function listVariants(db: Kysely<Database>, productId: string): Promise<Variant[]> {
  return db
    .selectFrom('variants')
    .select(['id', 'product_id', 'position', 'size', 'colour', 'swatch', 'sku', 'gtin'])
    .select(['price_cents', 'image', 'weight_grams', 'stock'])
    .where('product_id', '=', productId)
    .where('removed_at', 'is', null)
    .orderBy('position')
    .orderBy('id')
    .execute()
}

/** Lists all variants of a product in the order of display, the removed ones last and the last removed first. */
export function listStoredVariants(db: Kysely<Database>, productId: string): Promise<StoredVariant[]> {
  return db
    .selectFrom('variants')
    .select(['id', 'product_id', 'position', 'size', 'colour', 'swatch', 'sku', 'gtin'])
    .select(['price_cents', 'image', 'weight_grams', 'shelf', 'low_stock', 'stock', 'removed_at'])
    .where('product_id', '=', productId)
    .orderBy('removed_at', (order) => order.desc().nullsFirst())
    .orderBy('position')
    .orderBy('id')
    .execute()
}

/**
 * Inserts a product with its variants; the first one has the id of the product. Triggers add the first stock movements
 * and the change.
 */
export async function insertProduct(
  db: Kysely<Database>,
  product: Omit<NewProduct, VariantColumn> &
    Partial<
      Pick<Insertable<ProductsTable>, 'options' | 'fit_kind' | 'fit_complete' | 'attributes' | 'created_at'>
    >,
  variants: Insertable<VariantsTable>[],
  addedBy: Actor | null,
): Promise<void> {
  await db
    .with('added', (cte) => cte.insertInto('products').values(product).returning('id'))
    .insertInto('variants')
    .values(variants)
    .returning(auditActor(addedBy).as('actor'))
    .execute()
}

/** Updates a locked product and its only variant, if it has no own options; its stock has its own statement. */
export async function updateProduct(
  db: Kysely<Database>,
  { id, sku, gtin, ...changes }: Omit<NewProduct, 'stock'>,
): Promise<void> {
  await db
    .with('changed', (cte) =>
      cte.updateTable('products').set(changes).where('id', '=', id).returning(['id', 'options']),
    )
    .updateTable('variants')
    .from('changed')
    .set({ sku, gtin })
    .whereRef('variants.id', '=', 'changed.id')
    .where('changed.options', '<>', 'variants')
    .execute()
}

/** Marks a product as deleted. A trigger removes its variants. Returns false if it is deleted or does not exist. */
export async function deleteProduct(db: Kysely<Database>, id: string, deletedBy: Actor): Promise<boolean> {
  const deleted = await db
    .updateTable('products')
    .set({ deleted_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .returning(auditActor(deletedBy).as('actor'))
    .executeTakeFirst()
  return deleted !== undefined
}

export type LockedProduct = Pick<
  Product,
  'id' | 'kind' | 'options' | 'image' | 'price_cents' | 'minimum_quantity' | 'return_note'
>

/** Locks a product until the end of the transaction, and sets the audit actor. Returns none if it is deleted. */
export function lockProduct(
  db: Kysely<Database>,
  id: string,
  changedBy: Actor | null,
): Promise<LockedProduct | undefined> {
  return db
    .selectFrom('products')
    .select([
      'id',
      'kind',
      'options',
      'image',
      'price_cents',
      'minimum_quantity',
      'return_note',
      auditActor(changedBy).as('actor'),
    ])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** Locks these products in the order of their ids. Returns the ids of those that are not deleted. */
export async function lockProducts(db: Kysely<Database>, ids: string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string; deleted_at: Date | null }>`
    select id, deleted_at from products where id = any(${ids}::text[]) order by id for no key update`.execute(
    db,
  )
  return rows.filter((row) => row.deleted_at === null).map(({ id }) => id)
}

/** Returns the first of these part numbers that a variant of another product has, as it is stored. */
export async function findForeignSku(
  db: Kysely<Database>,
  productId: string,
  skus: string[],
): Promise<{ sku_key: string | null } | undefined> {
  return db
    .selectFrom('variants')
    .select('sku_key')
    .where('sku_key', '=', sql<string>`any(${skus.map(toNumberKey)})`)
    .where('removed_at', 'is', null)
    .where('product_id', '<>', productId)
    .executeTakeFirst()
}

/**
 * Writes the variants of a locked product.
 *
 * @param removed the ids of variants to remove
 * @param changed variants to add, to change or to restore
 */
export async function writeVariants(
  db: Kysely<Database>,
  { id: productId, options }: LockedProduct,
  removed: string[],
  changed: VariantRow[],
): Promise<void> {
  const changedIds = changed.map(({ id }) => id)
  // Makes way, so that variants can swap their part numbers. See the migration `variant_swaps`.
  await sql`
    update variants set removed_at = case when id = any(${removed}) then now() else 'infinity' end
    where product_id = ${productId} and removed_at is null and id = any(${[...removed, ...changedIds]})`.execute(
    db,
  )
  // In the order of `sku_key`, so that two transactions with the same part numbers do not deadlock (decision 38).
  await sql`
    insert into variants
      (id, product_id, position, size, colour, swatch, sku, gtin, price_cents, image, weight_grams, shelf, low_stock, stock)
    select id, ${productId}, position, size, colour, swatch, sku, gtin, price_cents, image, weight_grams, shelf, low_stock, 0
    from jsonb_to_recordset(${JSON.stringify(changed)}::jsonb) as row (id text, position integer, size text,
      colour text, swatch text, sku text, gtin text, price_cents integer, image text, weight_grams integer,
      shelf text, low_stock integer)
    order by upper(regexp_replace(sku, '[^A-Za-z0-9]', '', 'g')) collate "C", id
    on conflict (id) do update set position = excluded.position, size = excluded.size, colour = excluded.colour,
      swatch = excluded.swatch, sku = excluded.sku, gtin = excluded.gtin, price_cents = excluded.price_cents,
      image = excluded.image, weight_grams = excluded.weight_grams, shelf = excluded.shelf,
      low_stock = excluded.low_stock, removed_at = null`.execute(db)
  await db
    .updateTable('products')
    .set({ options })
    .where('id', '=', productId)
    .where('options', '<>', options)
    .execute()
}

/** Changes the stock of variants, whose product is locked, and records it in the ledger. */
export async function moveStock(
  db: Kysely<Database>,
  kind: 'restock' | 'count',
  moves: { id: string; difference: number }[],
  movedBy: Actor,
): Promise<void> {
  await sql`
    with moves as (
      select * from unnest(${moves.map(({ id }) => id)}::text[], ${moves.map((move) => move.difference)}::integer[])
        as move (id, difference)
    ), changed as (
      update variants set stock = stock + difference from moves where variants.id = moves.id
    )
    insert into stock_movements (variant_id, kind, quantity, moved_by, client_ip, import_id)
    select id, ${kind}, difference, ${movedBy.customerId}, ${movedBy.ip}::inet,
      nullif(current_setting('shop.import_id', true), '')
    from moves`.execute(db)
}

/** A change of values that are not in `products` or `variants`, such as part numbers and fitments. */
interface ProductChange {
  product_id: string
  before: ChangedColumns
  after: ChangedColumns
}

/** Adds changes of products to their history. Triggers add changes of `products` and `variants`. */
export async function addHistory(
  db: Kysely<Database>,
  changes: ProductChange[],
  by: Actor | null,
): Promise<void> {
  await sql`
    insert into product_changes (product_id, kind, before, after, actor_id, client_ip, import_id)
    select product_id, 'edited', before, after, ${by?.customerId ?? null}, ${by?.ip ?? null}::inet,
      nullif(current_setting('shop.import_id', true), '')
    from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) as change (product_id text, before jsonb, after jsonb)`.execute(
    db,
  )
}

/** Sets a new date in the sitemap. Triggers do so for changes of `products` and `variants`. */
export async function touchSitemapEntries(db: Kysely<Database>, productIds: string[]): Promise<void> {
  await db
    .updateTable('sitemap_entries')
    .set({ changed_at: sql<Date>`clock_timestamp()` })
    .where('product_id', '=', sql<string>`any(${productIds}::text[])`)
    .execute()
}
