import { type Kysely, sql } from 'kysely'
import { maxListedUnknown, type UnknownRow } from '../../../../../contract/imports.ts'
import type { ProductColumn } from '../../../../../contract/product-columns.ts'
import { pictureSeparator } from '../../../../../contract/product-pictures.ts'
import type { Database } from '../../../../../db/schema.ts'
import type { Actor } from '../../../../platform/actor.ts'
import type { UnknownRows } from '../../../imports/file-kind.ts'
import { hasAttributes } from './attribute-columns.ts'
import {
  columnsIn,
  existing,
  fileColumns,
  hasOtherPictures,
  hasSharedGtin,
  isChange,
  isIn,
  isProductChange,
  isShared,
  isVariantChange,
  pictureRows,
  picturesColumn,
  stockMove,
  wantedPictures,
} from './queries.ts'

/** Adds up the rows of a delivery for the same variant. */
export async function addUpQuantities(db: Kysely<Database>, importId: string): Promise<void> {
  await sql`
    with summed as materialized (
      select variant_id, min(row) as first, sum(stock) as stock from product_import_rows
      where import_id = ${importId} and variant_id is not null group by variant_id having count(*) > 1
    ), removed as (
      delete from product_import_rows as file using summed
      where import_id = ${importId} and file.variant_id = summed.variant_id and row > first
    )
    update product_import_rows as file set stock = least(summed.stock, 2147483647)::integer, stock_exported = 0
    from summed where import_id = ${importId} and file.variant_id = summed.variant_id and row = first
      and summed.stock is not null`.execute(db)
}

/** Removes the rows without a variant. Counts them, and returns the first. A GTIN of several variants is an error instead. */
export async function removeUnknownRows(
  db: Kysely<Database>,
  importId: string,
  columns: string[],
): Promise<UnknownRows> {
  const { rows } = await sql<UnknownRow & { count: number }>`
    with removed as (
      delete from product_import_rows as file
      where import_id = ${importId} and variant_id is null and not ${hasSharedGtin(columns)}
      returning row, sku, id, gtin
    )
    select row, coalesce(sku, id, gtin, '') as "partNumber", count(*) over () as count
    from removed order by row limit ${maxListedUnknown}`.execute(db)
  return {
    count: rows[0]?.count ?? 0,
    rows: rows.map(({ row, partNumber }) => ({ row, partNumber })),
  }
}

/** The rows of an import that belong to one batch, whose products are locked. */
export interface BatchRows {
  importId: string
  batch: number
}

const inBatch = ({ importId, batch }: BatchRows) => isIn(importId, batch)

/** Takes these products out of the batch, so that the import leaves them out. */
export async function leaveOut(
  db: Kysely<Database>,
  { importId, batch }: BatchRows,
  productIds: string[],
): Promise<void> {
  await sql`
    update product_import_rows set batch = null
    where import_id = ${importId} and batch = ${batch} and product_id = any(${productIds}::text[])`.execute(
    db,
  )
}

/** Returns the product of each of these rows. */
export async function findProductsOfRows(
  db: Kysely<Database>,
  importId: string,
  rows: number[],
): Promise<Map<number, string>> {
  const found = await sql<{ row: number; product_id: string }>`
    select row, product_id from product_import_rows where import_id = ${importId} and row = any(${rows}::integer[])`.execute(
    db,
  )
  return new Map(found.rows.map(({ row, product_id }) => [row, product_id]))
}

/** Preserves the prices of variants that are not in the file, if the price of their locked product changes. */
export async function preserveOtherPrices(db: Kysely<Database>, rows: BatchRows): Promise<void> {
  await sql`
    update variants set
      price_cents = nullif(coalesce(variants.price_cents, products.price_cents), file.target_price_cents)
    from product_import_rows as file join products on products.id = file.product_id
    where ${inBatch(rows)} and is_first and target_options = 'variants'
      and target_price_cents <> products.price_cents
      and variants.product_id = products.id and removed_at is null
      -- A price of its own stays, without an update and its triggers.
      and variants.price_cents is distinct from
        nullif(coalesce(variants.price_cents, products.price_cents), file.target_price_cents)
      and not exists (
        select from product_import_rows as other
        where other.import_id = ${rows.importId} and other.batch = ${rows.batch} and other.variant_id = variants.id)`.execute(
    db,
  )
}

/**
 * Makes way for rows with the part number, or the size and colour, that a variant has until its own row changes it: unique
 * indexes compare row by row. See the migration `variant_swaps`.
 */
export async function releaseTakenKeys(db: Kysely<Database>, rows: BatchRows): Promise<void> {
  const isTaker = sql`taker.import_id = ${rows.importId} and taker.batch = ${rows.batch}`
  await sql`
    with changed as materialized (
      select variants.id, variants.product_id, variants.sku_key, variants.sku_key is distinct from file.sku_key as frees_sku,
        coalesce(variants.size, '') as size, coalesce(variants.colour, '') as colour,
        (variants.size, variants.colour) is distinct from (file.size, file.colour) as frees_choice
      from product_import_rows as file join variants on variants.id = variant_id
      where ${inBatch(rows)}
    )
    update variants set removed_at = 'infinity' where removed_at is null and id in (
      select changed.id from changed join product_import_rows as taker using (sku_key)
      where ${isTaker} and frees_sku
      union all
      select changed.id from changed join product_import_rows as taker on taker.product_id = changed.product_id
        and (coalesce(taker.size, ''), coalesce(taker.colour, '')) = (changed.size, changed.colour)
      where ${isTaker} and frees_choice)`.execute(db)
}

const toNames = (columns: readonly ProductColumn[]) => sql.join(columns.map((column) => sql.ref(column.sql)))
const ofVariant = fileColumns.filter(({ isOfVariant }) => isOfVariant)
const ofProduct = fileColumns.filter((column) => isShared(column) && column !== picturesColumn)
const restored = ofVariant.map(
  ({ sql: column }) => sql`${sql.ref(column)} = ${sql.ref(`excluded.${column}`)}`,
)

/**
 * Adds the new products and variants of these rows in file order, and restores removed variants. Triggers add their changes
 * and the first stock movement of each new variant.
 *
 * @param since the start of the import: its products are listed in the order of the file, in all batches
 */
export async function addProducts(
  db: Kysely<Database>,
  rows: BatchRows,
  since: Date | null,
  by: Actor,
): Promise<number> {
  const { numAffectedRows } = await sql`
    with file as materialized (
      select *, coalesce(${since}::timestamptz, now()) + row * interval '1 microsecond' as created_at,
        case when target_options = 'variants' then
          (select coalesce(max(position), 0) from variants where variants.product_id = file.product_id) else 0 end
          + row_number() over (partition by product_id order by row) as position
      from product_import_rows as file where ${inBatch(rows)} and variant_id is null
    ), added as (
      insert into products (id, created_at, options, price_cents, image, stock, attributes, ${toNames(ofProduct)})
      select new_id, created_at, target_options, target_price_cents, target_image, stock,
        coalesce(target_attributes, '{}'), ${toNames(ofProduct)}
      from file where product_id = new_id order by row
    ), counted as (
      insert into stock_movements (variant_id, kind, quantity, moved_by, client_ip, import_id)
      select variants.id, 'count', file.stock - variants.stock, ${by.customerId}, ${by.ip}::inet, ${rows.importId}
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

/**
 * Changes the products of these rows and their variants, including variants that made way for others. The new stock is
 * computed from the locked variant, so that concurrent sales are not lost.
 *
 * @returns the number of changed rows
 */
export async function changeProducts(
  db: Kysely<Database>,
  rows: BatchRows,
  columns: string[],
  by: Actor,
): Promise<number> {
  const set = (some: ProductColumn[]) =>
    sql.join(
      columnsIn(columns)
        .filter((column) => some.includes(column))
        .map((column) => sql`${sql.ref(column.sql)} = ${sql.ref(`locked.${column.sql}`)}, `),
      sql``,
    )
  const { rows: counted } = await sql<{ changed: number }>`
    with locked as materialized (
      select file.*, ${stockMove} as move, ${isProductChange(columns)} as changes_product,
        ${isVariantChange(columns)} or removed_at = 'infinity' as changes_variant
      from product_import_rows as file ${existing}
      where ${inBatch(rows)} and (removed_at = 'infinity' or ${isChange(columns)})
    ), changed as (
      update products set ${set(ofProduct)} price_cents = target_price_cents, image = target_image,
        options = target_options ${hasAttributes(columns) ? sql`, attributes = target_attributes` : sql``}
      from locked where products.id = locked.product_id and changes_product
    ), stocked as (
      update variants set ${set(ofVariant)} price_cents = own_price_cents, image = own_image,
        stock = variants.stock + locked.move, removed_at = null
      from locked where variants.id = locked.variant_id and changes_variant
    ), moved as (
      insert into stock_movements (variant_id, kind, quantity, moved_by, client_ip, import_id)
      select variant_id, 'count', move, ${by.customerId}, ${by.ip}::inet, ${rows.importId} from locked where move <> 0
    )
    select count(variant_id) as changed from locked`.execute(db)
  return counted[0]?.changed ?? 0
}

/**
 * Replaces the pictures after the first one of the products of these rows, which are new or locked. A picture keeps its text
 * and its colour at another position.
 */
export async function replacePictures(db: Kysely<Database>, rows: BatchRows, by: Actor): Promise<void> {
  await sql`
    with listed as materialized (
      select products.id, products.image, ${sql.raw(wantedPictures)} as pictures, ${pictureRows} as before
      from product_import_rows as file join products on products.id = file.product_id
      where ${inBatch(rows)} and is_first and ${hasOtherPictures}
    ), wanted as (
      select id as product_id, 1 as position, image from listed
      union all
      select id, 1 + place::integer, url
      from listed, unnest(string_to_array(pictures, ${pictureSeparator})) with ordinality as one (url, place)
    ), described as materialized (
      select wanted.product_id, wanted.position, wanted.image, stored.alt, stored.colour
      from wanted left join lateral (
        select alt, colour from product_pictures as known
        where known.product_id = wanted.product_id and known.image = wanted.image order by position limit 1
      ) as stored on true
      where wanted.position > 1 or stored.alt is not null or stored.colour is not null
    ), removed as (
      delete from product_pictures as known using listed
      where known.product_id = listed.id and not exists (
        select from described where described.product_id = known.product_id and described.position = known.position)
    ), dated as (
      update sitemap_entries set changed_at = clock_timestamp() where product_id in (select id from listed)
    ), logged as (
      insert into product_changes (product_id, kind, before, after, actor_id, client_ip, import_id)
      select id, 'edited', jsonb_build_object('pictures', before), jsonb_build_object('pictures', coalesce((
          select jsonb_agg(jsonb_strip_nulls(to_jsonb(described) - 'product_id') order by position)
          from described where described.product_id = id), '[]')),
        ${by.customerId}, ${by.ip}::inet, ${rows.importId}
      from listed
    )
    insert into product_pictures (product_id, position, image, alt, colour)
    select product_id, position, image, alt, colour from described
    on conflict (product_id, position) do update set image = excluded.image, alt = excluded.alt,
      colour = excluded.colour`.execute(db)
}
