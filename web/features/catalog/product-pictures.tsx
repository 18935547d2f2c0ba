import { lazy, memo, Suspense } from 'react'
import type { Product } from '../../../contract/catalog.ts'
import type { PictureChoice } from './picture-order.ts'
import { ProductPicture } from './product-overview.tsx'

/** Only the server renders with this code immediately. A static import would be in the script of each product page. */
const onServer = import.meta.env.SSR ? await import('./gallery.tsx') : null

/** If it cannot be loaded, the HTML of the server stays, which needs no script. */
const Gallery =
  onServer?.Gallery ??
  lazy(() =>
    import('./gallery.tsx').then(
      (code) => ({ default: code.Gallery }),
      () => new Promise<never>(() => undefined),
    ),
  )

/**
 * The pictures of a product: the only one, or a gallery. React keeps the HTML of the gallery until its code is loaded, as
 * long as it gets no other properties: so they are compared.
 *
 * @param product without the choice
 */
export const ProductPictures = memo(function ProductPictures({
  product,
  image,
  colour,
}: PictureChoice & { product: Product }) {
  const { name, pictures = [] } = product
  const [first] = pictures
  const only = <ProductPicture image={image} alt={(image === first?.image && first.alt) || name} />
  if (pictures.length < 2) return only
  return (
    <Suspense
      fallback={
        <div className="has-thumbnails grid gap-3">
          {only}
          <div className="h-12" />
        </div>
      }
    >
      <Gallery product={product} image={image} colour={colour} />
    </Suspense>
  )
})
