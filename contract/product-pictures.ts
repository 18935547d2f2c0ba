import * as z from 'zod/mini'
import { imageUrl, line, requiredImageUrl } from './fields.ts'
import { maxOptionLength } from './limits.ts'

export const maxPictures = 12

/**
 * A picture of a product. `alt` describes it; without it, the name of the product does. With `colour` it shows the
 * product in this colour.
 */
export const GalleryPicture = z.object({
  image: z.string(),
  alt: z.optional(z.string()),
  colour: z.optional(z.string()),
})
export type GalleryPicture = z.infer<typeof GalleryPicture>

const EditedPicture = z.object({
  image: requiredImageUrl('Image is required'),
  alt: z.optional(line(200)),
  colour: z.optional(line(maxOptionLength)),
})

const twice = 'This picture is listed twice'
const tooMany = `A product can have ${maxPictures} pictures`

/** The picture of a product that came without one from another shop. */
export const missingPicture = '/pictures/no-picture.svg'

/** All pictures of a product in the order of display. The first one is its `image`. */
export const EditedPictures = z.object({
  pictures: z
    .array(EditedPicture)
    .check(z.minLength(1, 'At least one picture'), z.maxLength(maxPictures, tooMany), ({ value, issues }) => {
      const images = value.map(({ image }) => image)
      for (const [index, input] of images.entries()) {
        const path = [index, 'image']
        if (images.indexOf(input) < index) issues.push({ code: 'custom', path, message: twice, input })
        // Product files separate the pictures after the first by semicolons.
        if (index > 0 && input.includes(';')) {
          issues.push({ code: 'custom', path, message: 'Write %3B instead of the semicolon', input })
        }
      }
    }),
})
export type EditedPictures = z.infer<typeof EditedPictures>

export const GalleryPictures = z.object({ pictures: z.array(GalleryPicture) })

/** Separates the pictures in a product file. */
export const pictureSeparator = '; '

const splitPictures = (text: string): string[] => {
  const images = text.split(';').map((image) => image.trim())
  return images.filter((image) => image !== '')
}

const createPictureCell = (max: number) =>
  z.pipe(
    z.string(),
    z.pipe(
      z.transform(splitPictures),
      z.pipe(
        z.array(imageUrl).check(
          z.maxLength(max, tooMany),
          z.refine((images) => new Set(images).size === images.length, 'A picture is listed twice'),
        ),
        z.transform((images) => images.join(pictureSeparator)),
      ),
    ),
  )

/** The pictures of a product after the first one, in a product file. Returns them as an export writes them. */
export const pictureCell = createPictureCell(maxPictures - 1)

/** All pictures of a product, in a file of another shop. */
export const allPicturesCell = createPictureCell(maxPictures)
