import { type Kysely, sql } from 'kysely'
import type { Database } from '../../../../../db/schema.ts'
import type { Actor } from '../../../../platform/actor.ts'
import { fileColumns, isIn, pictureRows } from '../products/queries.ts'
import { maxPriceCents, minPriceCents } from '../selection/rules.ts'
import { isCopying, isSame } from './pictures.ts'
import { isRestored, nowOf, productNames, variantNames } from './queries.ts'

/**
 * Stores what an import has changed: one row for each product and each variant, from the history and the ledger. A product
 * that was added, deleted or brought back has one row only. Returns the number of rows.
 */
export async function stageRows(db: Kysely<Database>, importId: string, undoneId: string): Promise<number> {
  const { numAffectedRows } = await sql`
    with changed as materialized (
      select id, product_id, variant_id, before, after,
        case when kind = 'edited' and after @> '{"deleted_at": null}' then 'added' else kind end as kind
      from product_changes where import_id = ${undoneId}
    ), edited as (
      select product_id, variant_id, key, (array_agg(value order by id))[1] as before,
        (array_agg(after -> key order by id desc))[1] as after
      from changed, jsonb_each(before) as old (key, value) group by product_id, variant_id, key
    ), merged as (
      select product_id, variant_id, jsonb_object_agg(key, before) as before, jsonb_object_agg(key, after) as after
      from edited group by product_id, variant_id
    ), kinds as (
      select product_id, variant_id, min(id) as first,
        case when bool_or(kind = 'added') then 'added' when bool_or(kind = 'deleted') then 'deleted' else 'edited' end
          as kind
      from changed group by product_id, variant_id
    ), moved as (
      select variants.product_id, variant_id, sum(quantity)::integer as moved
      from stock_movements join variants on variants.id = variant_id
      where import_id = ${undoneId} group by 1, 2
    ), found as (
      select coalesce(kinds.product_id, moved.product_id) as product_id, coalesce(kinds.variant_id, moved.variant_id)
          as variant_id, coalesce(kind, 'edited') as kind, first, coalesce(moved, 0) as moved
      from kinds full join moved on moved.variant_id = kinds.variant_id
    ), replaced as (
      select product_id from kinds where variant_id is null and kind <> 'edited'
    )
    insert into undo_import_rows (import_id, row, product_id, variant_id, kind, before, after, moved)
    select ${importId}, row_number() over (order by first, found.variant_id), found.product_id, found.variant_id, kind,
      coalesce(before, '{}'), coalesce(after, '{}'), moved
    from found left join merged on merged.product_id = found.product_id
      and merged.variant_id is not distinct from found.variant_id
    where (kind <> 'edited' or moved <> 0 or before is not null)
      and (found.variant_id is null or found.product_id not in (select product_id from replaced))`.execute(db)
  await sql`analyze undo_import_rows`.execute(db)
  return Number(numAffectedRows)
}

/** Expects `product_imports`. */
const changedSince = sql`case when undo_of is null then 'Changed since the preview' else 'Changed since the import' end`
/** Whether an added product has a larger stock since the undone import, except by orders. Expects `product_imports`. */
const hasReceivedGoods = sql<boolean>`exists (
  select from variants as own join stock_movements as later on later.variant_id = own.id
    join product_imports as undone on undone.id = product_imports.undo_of
  where own.product_id = file.product_id and later.kind in ('restock', 'count') and later.quantity > 0
    and later.import_id is distinct from undone.id and later.created_at > undone.run_at)`
/** The new price of a selected product. */
const hasWrongPrice = sql`(file.before ->> 'price_cents')::bigint not between ${minPriceCents} and ${maxPriceCents}`

/** The name of a column in a product file. */
const columnName = sql`case key ${sql.join(
  fileColumns.map((column) => sql`when ${sql.lit(column.sql)} then ${sql.lit(column.name)}`),
  sql` `,
)} else key end`

/**
 * Decides what each row restores now, and why the rest is left out. A product with sizes and colours is restored as a whole
 * or not at all, because its price and its variants depend on each other.
 */
export async function judgeRows(db: Kysely<Database>, importId: string, batch?: number): Promise<void> {
  await sql`
    with compared as materialized (
      select file.row, file.product_id, file.variant_id, file.kind, file.moved, old.kept, old.lost,
        'variants' in (products.options, coalesce(before ->> 'options', ''), coalesce(after ->> 'options', ''))
          as has_variants,
        ${changedSince} as changed_since, coalesce(variants.stock, 0)::bigint - moved not between 0 and 2147483647 as is_out_of_range,
        case
          when file.variant_id is null and file.kind = 'deleted' then case
            when deleted_at is distinct from (after ->> 'deleted_at')::timestamptz then ${changedSince} end
          when deleted_at is not null then 'It was deleted'
          when file.variant_id is null and file.kind = 'added' then case when exists (
              select from product_changes as later
              where later.product_id = file.product_id and later.import_id is distinct from undo_of and later.id > (
                select max(id) from product_changes as own
                where own.product_id = file.product_id and own.import_id = undo_of) and not ${isCopying}
            ) or ${hasReceivedGoods} then ${changedSince} end
          when file.variant_id is not null and (removed_at is null) <> (file.kind <> 'deleted') then ${changedSince}
          when file.variant_id is not null and file.kind = 'added' and undo_of is not null and (
            variants.stock > moved or exists (
              select from product_changes as later
              where later.product_id = file.product_id and later.variant_id = file.variant_id
                and later.import_id is distinct from undo_of
            )) then ${changedSince}
          when ${hasWrongPrice} then 'Its price would not be from $0.01 to $999,999'
        end as reason
      from undo_import_rows as file join product_imports on product_imports.id = import_id
        join products on products.id = file.product_id left join variants on variants.id = file.variant_id
        cross join lateral (
          select coalesce(jsonb_object_agg(key, value) filter (where is_same), '{}') as kept,
            string_agg(${columnName}, ', ' order by key) filter (where not is_same) as lost
          from (select key, value, ${isSame(sql`(${nowOf} -> key)`, sql`(file.after -> key)`)} as is_same
            from jsonb_each(file.before) where file.kind = 'edited') as value
        ) as old
      where ${isIn(importId, batch)}
    ), judged as (
      select *, bool_or(has_variants) over product
        and bool_or(reason is not null or lost is not null or is_out_of_range) over product as is_refused
      from compared window product as (partition by product_id)
    )
    update undo_import_rows as file set
      restored = case when is_refused or judged.reason is not null then '{}' else kept end,
      move = case when is_refused or judged.reason is not null or is_out_of_range then 0 else -judged.moved end,
      reverses = not is_refused and judged.reason is null and judged.kind <> 'edited',
      reason = coalesce(judged.reason, changed_since || ': ' || lost,
        case when is_out_of_range then 'Its stock would go below 0' when is_refused then changed_since end)
    from judged where ${isIn(importId, batch)} and file.row = judged.row`.execute(db)
}

/** The values of a row, as columns of `products` or `variants`. */
const toColumns = (table: 'products' | 'variants', names: string[]) =>
  sql.join(
    names.map(
      (name) => sql`${sql.ref(name)} = case when file.restored ? ${sql.lit(name)} then value.${sql.ref(name)}
        else ${sql.ref(`${table}.${name}`)} end`,
    ),
  )

/** Restores the products of a batch, which are locked and judged, except their pictures. Triggers add the history. */
export async function restore(
  db: Kysely<Database>,
  { importId, batch }: { importId: string; batch: number },
  by: Actor,
): Promise<void> {
  const isOwn = sql<boolean>`${isIn(importId, batch)} and ${isRestored}`
  await sql`
    update products set ${toColumns('products', productNames)},
      deleted_at = case when not reverses then products.deleted_at when file.kind = 'added' then now() end
    from undo_import_rows as file, jsonb_populate_record(null::products, file.restored) as value
    where ${isOwn} and file.variant_id is null and products.id = file.product_id`.execute(db)
  await sql`
    update variants set removed_at = null from undo_import_rows as file
    where ${isOwn} and file.variant_id is null and file.kind = 'deleted' and variants.product_id = file.product_id
      and removed_at = (file.after ->> 'deleted_at')::timestamptz`.execute(db)
  // Makes way for variants that get their part number, or size and colour. See the migration `variant_swaps`.
  await sql`
    update variants set removed_at = 'infinity' from undo_import_rows as file
    where ${isOwn} and variants.id = file.variant_id and removed_at is null
      and (file.restored ? 'sku' or file.restored ? 'size' or file.restored ? 'colour')`.execute(db)
  await sql`
    with stocked as (
      update variants set ${toColumns('variants', variantNames)}, stock = variants.stock + move,
        removed_at = case when reverses and file.kind = 'added' then now() end
      from undo_import_rows as file, jsonb_populate_record(null::variants, file.restored) as value
      where ${isOwn} and variants.id = file.variant_id
      returning variants.id, move
    )
    insert into stock_movements (variant_id, kind, quantity, moved_by, client_ip, import_id)
    select id, 'count', move, ${by.customerId}, ${by.ip}::inet, ${importId} from stocked where move <> 0`.execute(
    db,
  )
  // The price of a product is the lowest one of its variants.
  await sql`
    with effective as materialized (
      select variants.id, product_id, cents, min(cents) over (partition by product_id) as lowest
      from products join variants on product_id = products.id and removed_at is null
        cross join lateral (values (coalesce(variants.price_cents, products.price_cents))) as price (cents)
      where options = 'variants' and products.id in (
        select product_id from undo_import_rows as file where ${isOwn})
    ), repriced as (
      update products set price_cents = lowest from effective
      where products.id = effective.product_id and products.price_cents <> lowest
    )
    update variants set price_cents = nullif(cents, lowest) from effective
    where variants.id = effective.id and variants.price_cents is distinct from nullif(cents, lowest)`.execute(
    db,
  )
}

/** Restores the pictures of these products, and adds the changes to their history. */
export async function restorePictures(
  db: Kysely<Database>,
  { importId, batch }: { importId: string; batch: number },
  by: Actor,
): Promise<void> {
  const isOwn = sql<boolean>`${isIn(importId, batch)} and ${isRestored}`
  await sql`
    with listed as materialized (
      select products.id, file.restored -> 'pictures' as pictures, ${pictureRows} as before
      from undo_import_rows as file join products on products.id = file.product_id
      where ${isOwn} and file.variant_id is null and file.restored ? 'pictures'
    ), wanted as materialized (
      select id as product_id, position, image, alt, colour
      from listed, jsonb_to_recordset(pictures) as picture (position integer, image text, alt text, colour text)
    ), removed as (
      delete from product_pictures as known using listed
      where known.product_id = listed.id and not exists (
        select from wanted where wanted.product_id = known.product_id and wanted.position = known.position)
    ), dated as (
      update sitemap_entries set changed_at = clock_timestamp() where product_id in (select id from listed)
    ), logged as (
      insert into product_changes (product_id, kind, before, after, actor_id, client_ip, import_id)
      select id, 'edited', jsonb_build_object('pictures', before), jsonb_build_object('pictures', pictures),
        ${by.customerId}, ${by.ip}::inet, ${importId}
      from listed
    )
    insert into product_pictures (product_id, position, image, alt, colour)
    select product_id, position, image, alt, colour from wanted
    on conflict (product_id, position) do update set image = excluded.image, alt = excluded.alt,
      colour = excluded.colour`.execute(db)
}
