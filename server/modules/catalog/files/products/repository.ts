import { type Kysely, sql } from 'kysely'
import type { ProductColumn } from '../../../../../contract/product-columns.ts'
import type { Database } from '../../../../../db/schema.ts'
import type { Actor } from '../../../../platform/actor.ts'
import {
  columnsIn,
  existing,
  fileColumns,
  isChange,
  isProductChange,
  isShared,
  stockMove,
} from './queries.ts'

/** Rows `from` to `to` of a file, both included. */
export interface Span {
  importId: string
  from: number
  to: number
}

const inSpan = ({ importId, from, to }: Span) =>
  sql<boolean>`file.import_id = ${importId} and file.row between ${from} and ${to}`

/**
 * Locks the products that the file changes, or to which it adds variants, in the order of their ids (decision 38). Only
 * these are changed later, so that no row is locked out of this order.
 */
export async function lockChanges(db: Kysely<Database>, importId: string, columns: string[]): Promise<void> {
  await sql`
    with locked as materialized (
      select id from products where deleted_at is null and id in (
        select file.product_id from product_import_rows as file ${existing}
        where import_id = ${importId} and (variant_id is null or ${isChange(columns)}))
      order by id for no key update
    )
    update product_import_rows as file set is_change = true
    from locked where import_id = ${importId} and file.product_id = locked.id`.execute(db)
}

/** Preserves the prices of variants that are not in the file, if the price of their locked product changes. */
export async function preserveOtherPrices(db: Kysely<Database>, importId: string): Promise<void> {
  await sql`
    update variants set
      price_cents = nullif(coalesce(variants.price_cents, products.price_cents), first.target_price_cents)
    from product_import_rows as first join products on products.id = first.product_id
    where first.import_id = ${importId} and is_first and is_change and target_options = 'variants'
      and target_price_cents <> products.price_cents
      and variants.product_id = products.id and removed_at is null and not exists (
        select from product_import_rows as file where import_id = ${importId} and variant_id = variants.id)`.execute(
    db,
  )
}

/**
 * Makes way for rows with the part number, or the size and colour, that a variant has until its own row changes it: unique
 * indexes compare row by row. See the migration `variant_swaps`.
 */
export async function releaseTakenKeys(db: Kysely<Database>, importId: string): Promise<void> {
  await sql`
    with changed as materialized (
      select variants.id, variants.product_id, variants.sku_key, variants.sku_key is distinct from file.sku_key as frees_sku,
        coalesce(variants.size, '') as size, coalesce(variants.colour, '') as colour,
        (variants.size, variants.colour) is distinct from (file.size, file.colour) as frees_choice
      from product_import_rows as file join variants on variants.id = variant_id
      where import_id = ${importId} and is_change
    )
    update variants set removed_at = 'infinity' where removed_at is null and id in (
      select changed.id from changed join product_import_rows as taker using (sku_key)
      where import_id = ${importId} and frees_sku
      union all
      select changed.id from changed join product_import_rows as taker on taker.product_id = changed.product_id
        and (coalesce(taker.size, ''), coalesce(taker.colour, '')) = (changed.size, changed.colour)
      where import_id = ${importId} and frees_choice)`.execute(db)
}

const toNames = (columns: readonly ProductColumn[]) => sql.join(columns.map((column) => sql.ref(column.sql)))
const ofVariant = fileColumns.filter(({ isOfVariant }) => isOfVariant)
const ofProduct = fileColumns.filter(isShared)
const restored = ofVariant.map(
  ({ sql: column }) => sql`${sql.ref(column)} = ${sql.ref(`excluded.${column}`)}`,
)

/**
 * Adds the new products and variants of these rows in file order, and restores removed variants. Triggers add their changes
 * and the first stock movement of each new variant.
 */
export async function addProducts(db: Kysely<Database>, span: Span, by: Actor): Promise<number> {
  const { numAffectedRows } = await sql`
    with file as materialized (
      select *, now() + row * interval '1 microsecond' as created_at,
        case when target_options = 'variants' then
          (select coalesce(max(position), 0) from variants where variants.product_id = file.product_id) else 0 end
          + row_number() over (partition by product_id order by row) as position
      from product_import_rows as file where ${inSpan(span)} and variant_id is null
    ), added as (
      insert into products (id, created_at, options, price_cents, image, stock, ${toNames(ofProduct)})
      select new_id, created_at, target_options, target_price_cents, target_image, stock, ${toNames(ofProduct)}
      from file where product_id = new_id order by row
    ), counted as (
      insert into stock_movements (variant_id, kind, quantity, moved_by, client_ip)
      select variants.id, 'count', file.stock - variants.stock, ${by.customerId}, ${by.ip}::inet
      from file join variants on variants.id = restored_id where file.stock <> variants.stock
    )
    insert into variants (id, product_id, position, created_at, price_cents, image, stock, ${toNames(ofVariant)})
    select coalesce(restored_id, new_id), product_id, position, created_at, own_price_cents, own_image, stock,
      ${toNames(ofVariant)}
    from file order by row
    on conflict (id) do update set position = excluded.position, price_cents = excluded.price_cents,
      image = excluded.image, stock = excluded.stock, removed_at = null, ${sql.join(restored)}`.execute(db)
  return Number(numAffectedRows)
}

const isRemoved = sql<boolean>`(variants.removed_at < 'infinity')`

/**
 * Changes the locked products of these rows and their variants, including variants that made way for others. The new
 * stock is computed from the locked variant, so that concurrent sales are not lost.
 *
 * @returns `changed`: changed rows; `lost`: rows whose variant or product was removed after they were matched
 */
export async function changeProducts(
  db: Kysely<Database>,
  span: Span,
  columns: string[],
  by: Actor,
): Promise<{ changed: number; lost: number }> {
  const set = (some: ProductColumn[]) =>
    sql.join(
      columnsIn(columns)
        .filter((column) => some.includes(column))
        .map((column) => sql`${sql.ref(column.sql)} = ${sql.ref(`locked.${column.sql}`)}, `),
      sql``,
    )
  const { rows } = await sql<{ changed: number; lost: number }>`
    with locked as materialized (
      select file.*, ${stockMove} as move, ${isProductChange(columns)} as changes_product
      from product_import_rows as file ${existing}
      where ${inSpan(span)} and is_change and ${isRemoved} is not true and ${isChange(columns)}
    ), changed as (
      update products set ${set(ofProduct)} price_cents = target_price_cents, image = target_image,
        options = target_options
      from locked where products.id = locked.product_id and changes_product
    ), stocked as (
      update variants set ${set(ofVariant)} price_cents = own_price_cents, image = own_image,
        stock = variants.stock + locked.move, removed_at = null
      from locked where variants.id = locked.variant_id
      returning variants.id
    ), moved as (
      insert into stock_movements (variant_id, kind, quantity, moved_by, client_ip)
      select variant_id, 'count', move, ${by.customerId}, ${by.ip}::inet from locked where move <> 0
    )
    select (select count(*) from stocked) as changed,
      (select count(*) from product_import_rows as file ${existing}
        where ${inSpan(span)} and (${isRemoved} or deleted_at is not null)) as lost`.execute(db)
  return rows[0] ?? { changed: 0, lost: 0 }
}
