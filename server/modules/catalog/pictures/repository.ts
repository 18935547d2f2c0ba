import { type Kysely, type Selectable, sql } from 'kysely'
import type { ProductPicturesTable, VariantsTable } from '../../../../db/catalog-schema.ts'
import type { Database } from '../../../../db/schema.ts'
import { touchSitemapEntries } from '../repository.ts'

export type PictureRow = Omit<Selectable<ProductPicturesTable>, 'product_id'>

/** Lists the rows of a product's pictures by position. The first picture has one only for its text and colour. */
export const listPictureRows = (db: Kysely<Database>, productId: string): Promise<PictureRow[]> =>
  db
    .selectFrom('product_pictures')
    .select(['position', 'image', 'alt', 'colour'])
    .where('product_id', '=', productId)
    .orderBy('position')
    .execute()

/**
 * Replaces the pictures of a locked product. The page and the feed show them, so the sitemap has a new date.
 *
 * @param image the first picture
 */
export async function writePictures(
  db: Kysely<Database>,
  productId: string,
  image: string,
  rows: PictureRow[],
): Promise<void> {
  await db.deleteFrom('product_pictures').where('product_id', '=', productId).execute()
  if (rows.length > 0) {
    await db
      .insertInto('product_pictures')
      .values(rows.map((row) => ({ ...row, product_id: productId })))
      .execute()
  }
  await db
    .updateTable('products')
    .set({ image })
    .where('id', '=', productId)
    .where('image', '<>', image)
    .execute()
  await touchSitemapEntries(db, [productId])
}

export type PicturedVariant = Pick<Selectable<VariantsTable>, 'id' | 'product_id' | 'colour'>

/** Lists the variants, except removed ones, of the given products that have a picture with a colour. */
export const listPicturedVariants = (
  db: Kysely<Database>,
  productIds: string[],
): Promise<PicturedVariant[]> =>
  db
    .selectFrom('variants')
    .select(['id', 'product_id', 'colour'])
    .where('removed_at', 'is', null)
    .where('product_id', 'in', (eb) =>
      eb
        .selectFrom('product_pictures')
        .select('product_id')
        .where('product_id', '=', sql<string>`any(${productIds}::text[])`)
        .where('colour', 'is not', null),
    )
    .execute()

/** Renames the colours of a locked product's pictures all at once, so that two can swap their names. */
export async function renameColours(
  db: Kysely<Database>,
  productId: string,
  renamed: ReadonlyMap<string, string>,
): Promise<void> {
  const names = JSON.stringify(Object.fromEntries(renamed))
  await sql`
    update product_pictures set colour = ${names}::jsonb ->> colour
    where product_id = ${productId} and ${names}::jsonb ? colour`.execute(db)
  await touchSitemapEntries(db, [productId])
}

/** Lists which of these products show a picture, perhaps in a variant, unless they are deleted. */
export async function listShowing(
  db: Kysely<Database>,
  productIds: string[],
  image: string,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from products
    where id = any(${productIds}::text[]) and deleted_at is null and (image = ${image}
      or exists (select from variants where product_id = products.id and variants.image = ${image})
      or exists (select from product_pictures where product_id = products.id and product_pictures.image = ${image}))
    order by id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Lists these products, if one of their rows has the picture. */
export async function listWithPicture(
  db: Kysely<Database>,
  productIds: string[],
  image: string,
): Promise<{ id: string; image: string }[]> {
  const { rows } = await sql<{ id: string; image: string }>`
    select id, image from products where id in (
      select product_id from product_pictures
      where product_id = any(${productIds}::text[]) and product_pictures.image = ${image})
    order by id`.execute(db)
  return rows
}

/** Replaces the first picture of locked products, and then the pictures of their variants. */
export async function replaceImages(
  db: Kysely<Database>,
  productIds: string[],
  { url, image }: { url: string; image: string },
): Promise<void> {
  await sql`
    update products set image = ${image} where id = any(${productIds}::text[]) and image = ${url}`.execute(db)
  await sql`
    update variants set image = ${image} where product_id = any(${productIds}::text[]) and image = ${url}`.execute(
    db,
  )
}
