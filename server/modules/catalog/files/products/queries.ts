import { type Kysely, type RawBuilder, sql } from 'kysely'
import {
  type ImportChange,
  type ImportWarning,
  maxListedChanges,
  maxListedExamples,
} from '../../../../../contract/imports.ts'
import {
  editableColumns,
  type ProductColumn,
  productColumns,
} from '../../../../../contract/product-columns.ts'
import { maxPictures, pictureSeparator } from '../../../../../contract/product-pictures.ts'
import { variantColumns } from '../../../../../contract/variants.ts'
import type { Database } from '../../../../../db/schema.ts'
import type { BatchProduct, Effect } from '../../../imports/file-kind.ts'
import { describeAttributes, hasAttributes, setAttributes } from './attribute-columns.ts'
import { fillBlanks, findByPath, hasOldPaths, lacksRedirect } from './old-paths.ts'

/** The pictures after the first one. They have a table of their own. */
export const picturesColumn: ProductColumn = {
  name: 'pictures',
  sql: 'pictures',
  label: 'Pictures',
  type: 'text',
}
/** The columns of a file that its rows set. */
export const fileColumns: ProductColumn[] = [...editableColumns, ...variantColumns, picturesColumn]
/** Columns whose value a variant inherits from its product, unless it has its own. */
export const isInherited = ({ name }: ProductColumn) => name === 'price' || name === 'image'
/** Columns that are the same for all variants of a product. */
export const isShared = (column: ProductColumn) =>
  !column.isOfVariant && !isInherited(column) && column.name !== 'options'

/** A condition for the rows of an import, or of one of its batches. All rows of a product have the same batch. */
export const isIn = (importId: string, batch?: number) =>
  batch === undefined
    ? sql<boolean>`file.import_id = ${importId}`
    : sql<boolean>`file.import_id = ${importId} and file.batch = ${batch}`

/** The columns of the file with these names. */
export const columnsIn = (names: string[]) => fileColumns.filter(({ name }) => names.includes(name))

/** The variant of a row, if the row does not add it, and its product, if the row does not add that either. */
export const existing = sql`
  left join variants on variants.id = file.variant_id left join products on products.id = file.product_id`

/** Inserts all rows in one statement. `rows` have an id for new products, and the values of the file's columns. */
export async function insertRows(db: Kysely<Database>, importId: string, rows: object[]): Promise<void> {
  const columns: ProductColumn[] = [...productColumns, ...variantColumns, picturesColumn]
  const names = columns.map(({ sql }) => sql).join(', ')
  const toValue = ({ name, type }: ProductColumn) => {
    if (type === 'boolean') return `coalesce(${name}, false)`
    return type === 'cents' ? `${name} * 100` : name
  }
  const values = columns.map(toValue).join(', ')
  // `numeric`, because floats are not exact.
  const types = columns.map(({ name, type }) => `${name} ${type === 'cents' ? 'numeric' : type}`).join(', ')
  await sql`
    insert into product_import_rows
      (import_id, row, cells, new_id, id, stock_exported, group_key, attributes, old_path, ${sql.raw(names)})
    select ${importId}, row, cells, new_id, id, quantity_exported, "group", attributes, old_path, ${sql.raw(values)}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as file
      (row integer, cells jsonb, new_id text, id text, quantity_exported integer, "group" text, attributes jsonb,
        old_path text, ${sql.raw(types)})`.execute(db)
}

/**
 * Finds the variant of each row by its id, or else by its part number, and the product of each group. In a file without
 * both, a GTIN finds the only variant that has it. In a file of another shop, an old address finds the variant with the size
 * and colour of the row. A new variant with the size and colour of a removed one restores it.
 */
export async function matchVariants(
  db: Kysely<Database>,
  importId: string,
  columns: string[],
): Promise<void> {
  await sql`analyze product_import_rows`.execute(db)
  const byGtin = hasGtinOnly(columns)
  const byPath = findByPath(importId, columns)
  // A group is the product with its name as id, or the product of its known variants, or a new product.
  await sql`
    with matched as (
      select row, new_id, group_key, coalesce(by_id.id, by_sku.id, by_gtin.id, ${byPath.variant}) as variant_id,
        coalesce(by_id.product_id, by_sku.product_id, by_gtin.product_id) as own, ${byPath.product} as by_path
      from product_import_rows as file
        left join variants as by_id on by_id.id = file.id and by_id.removed_at is null
        left join variants as by_sku on by_sku.sku_key = file.sku_key and by_sku.removed_at is null and file.id is null
        left join variants as by_gtin on by_gtin.gtin = file.gtin collate "C" and by_gtin.removed_at is null and ${byGtin}
          and not exists (select from variants as other
            where other.gtin = by_gtin.gtin and other.removed_at is null and other.id <> by_gtin.id)
        ${byPath.join}
      where file.import_id = ${importId}
    ), groups as (
      select group_key, coalesce(
        (select id from products where id = group_key and deleted_at is null),
        min(own), min(by_path), (array_agg(new_id order by row))[1]) as product_id
      from matched where group_key is not null group by group_key
    ), targets as (
      select row, variant_id, coalesce(groups.product_id, own, by_path, new_id) as product_id
      from matched left join groups using (group_key)
    ), ranked as (
      select *, row_number() over (partition by product_id order by row) = 1 as is_first from targets
    )
    update product_import_rows as file set variant_id = ranked.variant_id, product_id = ranked.product_id,
      is_first = ranked.is_first, batch = null,
      restored_id = case when ranked.variant_id is null and group_key is not null then (
        select v.id from variants v where v.product_id = ranked.product_id and removed_at is not null
          and (coalesce(v.size, ''), coalesce(v.colour, '')) = (coalesce(file.size, ''), coalesce(file.colour, ''))
        order by removed_at desc, v.id limit 1) end
    from ranked where import_id = ${importId} and file.row = ranked.row`.execute(db)
  await sql`analyze product_import_rows`.execute(db)
}

/** Sets the values that the products and variants of all matched rows will have. */
export async function setAllTargets(
  db: Kysely<Database>,
  importId: string,
  columns: string[],
): Promise<void> {
  if (hasOldPaths(columns)) await fillBlanks(db, importId)
  await setTargets(db, importId, columns)
  // The checks filter by the targets. With statistics from before, their plan takes minutes in a large catalog.
  await sql`analyze product_import_rows`.execute(db)
}

/** Whether a row has only a GTIN. A blank part number in a file with such a column would clear the stored one. */
export const hasGtinOnly = (columns: string[]) =>
  columns.includes('id') || columns.includes('sku')
    ? sql`false`
    : sql`(file.id is null and file.sku_key is null and file.gtin is not null)`

/** Whether several variants have the GTIN of a row. */
export const hasSharedGtin = (
  columns: string[],
) => sql<boolean>`(${hasGtinOnly(columns)} and variant_id is null
  and exists (select from variants where variants.gtin = file.gtin collate "C" and removed_at is null))`

/**
 * Sets the options, the price and the picture that products and variants will have. The lowest price of a group
 * becomes the product's price. Its picture stays while a variant shows it, or while no row changes a picture. Values
 * that the file does not change stay as they are stored. Columns that the file lacks get the stored values.
 *
 * @param batch only the products of this batch
 */
export async function setTargets(
  db: Kysely<Database>,
  importId: string,
  columns: string[],
  batch?: number,
): Promise<void> {
  const stored = variantColumns
    .filter((column) => 'isOfVariant' in column && !columns.includes(column.name))
    .map(({ sql: column }) => sql`, ${sql.ref(column)} = new.${sql.ref(column)}`)
  await sql`
    with coalesced as (
      select file.row, file.product_id, is_first, products.id is null as is_new, variants.id is not null as is_known,
        variants.size, variants.colour, variants.swatch, variants.weight_grams, variants.shelf, variants.low_stock,
        coalesce(file.options, case when group_key is not null then 'variants' end, products.options, 'standard')
          as options,
        products.price_cents as product_price, variants.price_cents as own_price,
        coalesce(variants.price_cents, products.price_cents) as old_price,
        coalesce(file.price_cents, variants.price_cents, products.price_cents) as new_price,
        products.image as product_image, variants.image as own_image,
        coalesce(variants.image, products.image) as old_image,
        coalesce(file.image, variants.image, products.image) as new_image
      from product_import_rows as file ${existing} where ${isIn(importId, batch)}
    ), unlisted as (
      select product_id, min(coalesce(variants.price_cents, products.price_cents)) as lowest,
        bool_or(coalesce(variants.image, products.image) = products.image) as shows_image
      from variants join products on products.id = product_id
      where product_id in (select product_id from coalesced where options = 'variants') and removed_at is null
        and not exists (select from product_import_rows as file
          where ${isIn(importId, batch)} and variant_id = variants.id)
      group by product_id
    ), targets as (
      select coalesced.*, coalesce(bool_or(
          case when is_known then new_price <> old_price else new_price < product_price end) over product, false)
          as is_repriced,
        coalesce(bool_or(is_known and new_image <> old_image) over product, false) as is_repictured,
        least(min(new_price) over product, lowest) as lowest_price,
        coalesce(bool_or(new_image = product_image) over product or shows_image, false) as shows_image,
        first_value(new_image) over (product order by row) as first_image
      from coalesced left join unlisted using (product_id) window product as (partition by coalesced.product_id)
    ), wanted as (
      select *, case when is_new or is_repriced then lowest_price else product_price end as price,
        case when is_new or (is_repictured and not shows_image) then first_image else product_image end as image
      from targets
    )
    update product_import_rows as file set target_options = new.options, target_price_cents = new.price,
      target_image = new.image,
      own_price_cents = case when new.options <> 'variants' then null
        when is_known and not is_repriced then own_price else nullif(new_price, price) end,
      own_image = case when new.options <> 'variants' then null
        when is_known and new.image = product_image and new_image = old_image then new.own_image
        else nullif(new_image, new.image) end
      ${sql.join(stored, sql``)}
    from wanted as new where import_id = ${importId} and file.row = new.row`.execute(db)
  if (hasAttributes(columns)) await setAttributes(db, importId, columns, batch)
}

/** Stock change of a known variant: the difference since the export, or else to the counted stock. */
export const stockMove = sql<number>`case
  when file.stock is null or file.variant_id is null then 0
  when file.stock_exported is not null then file.stock - file.stock_exported
  else file.stock - variants.stock end`

/** The new stock of an existing variant. It may be out of range. */
export const newStock = sql`(variants.stock::bigint + ${stockMove})`

/** A row with an unknown id does not add a product: it is an error. */
const isNew = sql<boolean>`(file.variant_id is null and file.id is null)`

/** SQL of the pictures after the first one of `products`, as in a file. */
const storedPictures = `(
  select string_agg(product_pictures.image, '${pictureSeparator}' order by product_pictures.position)
  from product_pictures where product_pictures.product_id = products.id and product_pictures.position > 1)`

/** SQL of the value that the product, or its variant, has now in a column. */
export function toStored(column: ProductColumn): string {
  if (column === picturesColumn) return storedPictures
  return `${column.isOfVariant || column.isStock ? 'variants' : 'products'}.${column.sql}`
}

const differs = (stored: string, wanted: string) =>
  sql`${sql.raw(stored)} is distinct from ${sql.ref(`file.${wanted}`)}`

/** SQL of the picture rows of `products`, from which an undo restores them. */
export const pictureRows = sql`coalesce((
  select jsonb_agg(jsonb_strip_nulls(to_jsonb(product_pictures) - 'product_id') order by product_pictures.position)
  from product_pictures where product_pictures.product_id = products.id), '[]')`

/**
 * SQL of the pictures after the first one that the product of a row will have. The first one is left out, but not if it
 * was stored like this: the gallery leaves it out as well.
 */
export const wantedPictures = `case when ${storedPictures} = file.pictures then file.pictures else (
  select string_agg(url, '${pictureSeparator}' order by place) from (
    select url, place from string_to_table(file.pictures, '${pictureSeparator}') with ordinality as one (url, place)
    where url is distinct from replace(target_image, ';', '%3B')
    order by place limit ${maxPictures - 1}) as listed) end`

/** Whether a row has other pictures than its product. */
export const hasOtherPictures = sql`${sql.raw(storedPictures)} is distinct from ${sql.raw(wantedPictures)}`

/** Whether a row changes its variant in one of these columns or in its stock. */
export function isVariantChange(columns: string[]): RawBuilder<boolean> {
  const changes = [
    ...columnsIn(columns).flatMap((column) =>
      column.isOfVariant ? differs(toStored(column), column.sql) : [],
    ),
    differs('variants.price_cents', 'own_price_cents'),
    differs('variants.image', 'own_image'),
    sql`${stockMove} <> 0`,
  ]
  return sql<boolean>`(file.variant_id is not null and (${sql.join(changes, sql` or `)}))`
}

/** Whether a row changes its product in one of these columns. The first row of a product does it for all. */
export function isProductChange(columns: string[]): RawBuilder<boolean> {
  const changes = [
    ...columnsIn(columns)
      .filter(isShared)
      .map((column) =>
        column === picturesColumn ? hasOtherPictures : differs(toStored(column), column.sql),
      ),
    differs('products.price_cents', 'target_price_cents'),
    differs('products.image', 'target_image'),
    differs('products.options', 'target_options'),
    ...(hasAttributes(columns) ? [differs('products.attributes', 'target_attributes')] : []),
  ]
  return sql<boolean>`(is_first and products.id is not null and (${sql.join(changes, sql` or `)}))`
}

export const isChange = (columns: string[]) =>
  sql<boolean>`(${isVariantChange(columns)} or ${isProductChange(columns)})`

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

/** A query of product ids: the import adds or changes them. */
export const changedProducts = (importId: string, columns: string[]): RawBuilder<unknown> => sql`
  select file.product_id from product_import_rows as file ${existing}
  where import_id = ${importId} and (variant_id is null or ${isChange(columns)} or ${lacksRedirect(columns)})`

/** A query of the ids of products one of which gets a part number that another one has. */
export const exchangingProducts = (importId: string): RawBuilder<unknown> => sql`
  select unnest(array[variants.product_id, taker.product_id])
  from product_import_rows as file join variants on variants.id = file.variant_id
    join product_import_rows as taker on taker.import_id = file.import_id and taker.sku_key = variants.sku_key
      and taker.product_id <> variants.product_id
  where file.import_id = ${importId} and file.sku_key is distinct from variants.sku_key`

/** Lists the products of a batch, in the order of their ids. New ones have the name of the file. */
export async function listBatch(
  db: Kysely<Database>,
  importId: string,
  batch: number,
): Promise<BatchProduct[]> {
  const { rows } = await sql<BatchProduct>`
    select file.product_id, coalesce(max(products.name), max(file.name), '') as name
    from product_import_rows as file left join products on products.id = file.product_id
    where ${isIn(importId, batch)} group by 1 order by 1`.execute(db)
  return rows
}

/** Returns the products of a batch that were deleted since the rows were matched, or have lost one of its variants. */
export async function listLost(db: Kysely<Database>, importId: string, batch: number): Promise<string[]> {
  const { rows } = await sql<{ product_id: string }>`
    select distinct file.product_id from product_import_rows as file ${existing}
    where ${isIn(importId, batch)} and (products.deleted_at is not null or removed_at is not null
      or (variant_id is not null and variants.product_id <> file.product_id)
      or (products.id is null and file.product_id <> new_id and is_first))`.execute(db)
  return rows.map(({ product_id }) => product_id)
}

/** SQL of cents as dollars in a file: `39` or `12.50`. */
export const dollars = (cents: string) => `replace((${cents} / 100.0)::numeric(12, 2)::text, '.00', '')`

/** Lists the first products that would be added or changed, with the differing columns. */
export async function listChanges(
  db: Kysely<Database>,
  importId: string,
  columns: string[],
): Promise<ImportChange[]> {
  const text = (name: string, { type }: ProductColumn) => {
    if (type === 'boolean') return sql.raw(yesOrBlank(name))
    return sql.raw(type === 'cents' ? dollars(name) : `${name}::text`)
  }
  const values = columnsIn(columns).map((column) => {
    const { name, sql: value } = column
    const before = isInherited(column) ? `coalesce(variants.${value}, products.${value})` : toStored(column)
    const after = isInherited(column) ? `coalesce(own_${value}, target_${value})` : `file.${value}`
    const special: Record<string, string> = { options: 'target_options', pictures: wantedPictures }
    const wanted = special[name] ?? after
    return sql`(${sql.lit(name)}, ${text(before, column)}, ${text(wanted, column)})`
  })
  const quantity = sql`('quantity', variants.stock::text, coalesce(${newStock}, file.stock)::text)`
  const attributes = sql`('attributes', ${describeAttributes('products.attributes')},
    ${describeAttributes('target_attributes')})`
  const { rows } = await sql<ImportChange>`
    select row, concat_ws(', ', coalesce(products.name, file.name, file.sku, ''), file.size, file.colour) as name,
      case when variants.id is not null then before end as before, after
    from product_import_rows as file ${existing}
      cross join lateral (
        select jsonb_object_agg(name, before) as before, jsonb_object_agg(name, after) as after
        from (values ${sql.join([...values, quantity, ...(hasAttributes(columns) ? [attributes] : [])])}) as value (name, before, after)
        where before is distinct from after having count(*) > 0
      ) as differing
    where import_id = ${importId} and (variant_id is not null or ${isNew})
    order by row limit ${maxListedChanges}`.execute(db)
  return rows
}

/** A price that becomes this many times as high or as low is a warning. */
export const maxPriceFactor = 3
/** A stock that falls to less than this share is a warning, if there are many. */
const minStockShare = 0.2
const [minDrops, minDropsShare] = [20, 0.1]

/** Lists the large changes of known variants, with their first examples. */
export async function listWarnings(db: Kysely<Database>, importId: string): Promise<ImportWarning[]> {
  const { rows } = await sql<ImportWarning>`
    with compared as materialized (
      select row, concat_ws(', ', products.name, variants.size, variants.colour) as name,
        coalesce(variants.price_cents, products.price_cents)::bigint as old_price,
        coalesce(own_price_cents, target_price_cents)::bigint as new_price,
        variants.stock::bigint as old_stock, ${newStock} as new_stock
      from product_import_rows as file ${existing} where import_id = ${importId} and variant_id is not null
    ), found as (
      select 'PRICE_JUMP' as code, row, name, ${sql.raw(dollars('old_price'))} as before,
        ${sql.raw(dollars('new_price'))} as after
      from compared
      where new_price >= old_price * ${maxPriceFactor}::integer or new_price * ${maxPriceFactor}::integer <= old_price
      union all
      select 'STOCK_DROP', row, name, old_stock::text, new_stock::text from compared
      where old_stock > 0 and new_stock <= old_stock * ${minStockShare}::numeric
    ), numbered as (
      select *, row_number() over (partition by code order by row) as number from found
    )
    select code, count(*) as count, json_agg(json_build_object('row', row, 'name', name, 'before', before,
      'after', after) order by row) filter (where number <= ${maxListedExamples}) as examples
    from numbered group by code
    having code = 'PRICE_JUMP' or count(*) >= ${minDrops}::integer
      or count(*) >= ${minDropsShare}::numeric * (select count(*) from compared)
    order by code`.execute(db)
  return rows
}

/** SQL of a truth value in a file. */
export const yesOrBlank = (value: string) => `case when ${value} then 'yes' end`
