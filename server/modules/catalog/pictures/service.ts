import { isDeepStrictEqual } from 'node:util'
import type { Kysely } from 'kysely'
import type { GalleryPicture } from '../../../../contract/product-pictures.ts'
import type { Database } from '../../../../db/schema.ts'
import type { Actor } from '../../../platform/actor.ts'
import { delayBatches } from '../../../platform/database/advisory-locks.ts'
import { setAuditActor } from '../../../platform/database/audit-actor.ts'
import { addHistory, lockProducts } from '../repository.ts'
import { findRenamedColours } from '../rules.ts'
import * as repository from './repository.ts'

/** A product with its first picture. */
interface Pictured {
  id: string
  image: string
}

/** Returns the pictures of a product in the order of display. The first one is its `image`. */
export async function listPictures(db: Kysely<Database>, { id, image }: Pictured): Promise<GalleryPicture[]> {
  const rows = await repository.listPictureRows(db, id)
  const others = rows.filter((row) => row.position > 1 && row.image !== image)
  return [present({ image, ...rows.find((row) => row.image === image) }), ...others.map(present)]
}

const present = ({
  image,
  alt,
  colour,
}: Partial<repository.PictureRow> & Pick<Pictured, 'image'>): GalleryPicture => ({
  image,
  alt: alt ?? undefined,
  colour: colour ?? undefined,
})

/** Returns the pictures for the page of a product; undefined if it has only one, without a text or a colour. */
export async function readPictures(
  db: Kysely<Database>,
  product: Pictured,
): Promise<GalleryPicture[] | undefined> {
  const pictures = await listPictures(db, product)
  return pictures.some(({ alt, colour }, index) => index > 0 || alt || colour) ? pictures : undefined
}

/**
 * Replaces the pictures of a locked product, and logs their change. The first one becomes its `image`.
 *
 * @param savedBy the admin, or null if the shop seeds itself
 */
export async function replacePictures(
  tx: Kysely<Database>,
  product: Pictured,
  pictures: GalleryPicture[],
  savedBy: Actor | null,
): Promise<void> {
  const before = await listPictures(tx, product)
  const rows = pictures.map(({ image, alt, colour }, index) => ({
    position: index + 1,
    image,
    alt: alt || null,
    colour: colour || null,
  }))
  const image = pictures[0]?.image ?? product.image
  const stored = rows.filter((row) => row.position > 1 || row.alt || row.colour)
  await repository.writePictures(tx, product.id, image, stored)
  const after = await listPictures(tx, { id: product.id, image })
  if (isDeepStrictEqual(before, after)) return
  const change = { product_id: product.id, before: { pictures: before }, after: { pictures: after } }
  await addHistory(tx, [change], savedBy)
}

/**
 * Changes variants of locked products. Then carries the pictures of each colour that it renamed to the new name, and
 * logs this with the rows of the pictures, from which the undo of an import restores them.
 */
export async function carryPictures<Result>(
  tx: Kysely<Database>,
  productIds: string[],
  by: Actor,
  change: () => Promise<Result>,
): Promise<Result> {
  const before = await repository.listPicturedVariants(tx, productIds)
  const result = await change()
  const ids = [...new Set(before.map(({ product_id }) => product_id))]
  const after = ids.length > 0 ? await repository.listPicturedVariants(tx, ids) : []
  for (const id of ids) {
    const isOwn = ({ product_id }: repository.PicturedVariant) => product_id === id
    const renamed = findRenamedColours(before.filter(isOwn), after.filter(isOwn))
    const rows = await repository.listPictureRows(tx, id)
    if (!rows.some(({ colour }) => colour !== null && renamed.has(colour))) continue
    await repository.renameColours(tx, id, renamed)
    const carried = await repository.listPictureRows(tx, id)
    const logged = {
      before: { pictures: rows.map(presentRow) },
      after: { pictures: carried.map(presentRow) },
    }
    await addHistory(tx, [{ product_id: id, ...logged }], by)
  }
  return result
}

const presentRow = (row: repository.PictureRow) => ({ position: row.position, ...present(row) })

/**
 * Lists which of these products show a picture and are not deleted. Waits for a batch of an import, so that none
 * can write the picture later. Must come before any lock of a product.
 */
export async function listShowing(
  tx: Kysely<Database>,
  image: string,
  productIds: string[],
): Promise<string[]> {
  await delayBatches(tx)
  return repository.listShowing(tx, productIds, image)
}

/**
 * Replaces a picture by another one in these products and their variants, unless they are deleted. Waits for a batch of an
 * import, so that none can write the replaced one later. Must come before any lock of a product.
 *
 * @param by the admin, or null if the shop does it itself
 */
export async function replaceImage(
  tx: Kysely<Database>,
  { url, image }: { url: string; image: string },
  productIds: string[],
  by: Actor | null,
): Promise<void> {
  await delayBatches(tx)
  const ids = await lockProducts(tx, productIds)
  await setAuditActor(tx, by)
  for (const product of await repository.listWithPicture(tx, ids, url)) {
    const pictures = await listPictures(tx, product)
    const [first, ...others] = pictures.map((each) => (each.image === url ? { ...each, image } : each))
    if (first) await replacePictures(tx, product, [first, ...withoutRepeated(others)], by)
  }
  await repository.replaceImages(tx, ids, { url, image })
}

/** Two URLs can have the same picture. A gallery shows it once. */
const withoutRepeated = (pictures: GalleryPicture[]): GalleryPicture[] =>
  pictures.filter(({ image }, index) => pictures.findIndex((each) => each.image === image) === index)
