import type { Product } from '../../../contract/catalog.ts'
import type { GalleryPicture } from '../../../contract/product-pictures.ts'

/** A choice of a buyer, and the picture that carts and orders show for it. */
export interface PictureChoice {
  colour?: string | undefined
  image: string
}

/**
 * Returns the pictures of a product in the order for a choice: first the picture of the chosen variant, then pictures of
 * the chosen colour, without a colour, and of other colours. Pictures that only a variant has are part of them.
 */
export function orderPictures(
  { image: firstImage, pictures = [], variants = [] }: Pick<Product, 'image' | 'pictures' | 'variants'>,
  { colour, image }: PictureChoice,
): GalleryPicture[] {
  const all = new Map(pictures.map((picture) => [picture.image, picture]))
  for (const variant of variants) {
    if (variant.image && !all.has(variant.image)) {
      all.set(variant.image, { image: variant.image, colour: variant.colour })
    }
  }
  const rank = (picture: GalleryPicture): number => {
    if (image !== firstImage && picture.image === image) return 0
    if (!colour || picture.colour === colour) return 1
    return picture.colour ? 3 : 2
  }
  return [...all.values()].toSorted((one, other) => rank(one) - rank(other))
}
