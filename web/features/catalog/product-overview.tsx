import type { ReactNode } from 'react'
import type { Product } from '../../../contract/catalog.ts'
import { formatDollars } from '../../../contract/money.ts'
import { formatPieces } from '../../../contract/pieces.ts'
import { formatPrice, minimumOrderPrice } from '../../../contract/product.ts'
import { ProductImage } from '../../product-image.tsx'
import { useSettings } from '../../router/router.tsx'
import { reviewsLabel } from '../../texts.ts'
import { DescriptionList } from '../../ui/description-list.tsx'

interface ProductOverviewProps {
  product: Product
  /** Shown as the stock if there is none. */
  noStock?: string
  /** Whether it fits the bike, below the name. */
  children: ReactNode
}

/** Name, price, minimum order, stock and origin of a product. */
export function ProductOverview({ product, noStock = formatPieces(0), children }: ProductOverviewProps) {
  const { minimum } = product
  const { production } = useSettings()
  return (
    <div className="flex flex-col gap-4 md:gap-5">
      <h1 className="font-display text-2xl font-bold wrap-anywhere md:text-4xl">{product.name}</h1>
      {children}
      <p className="text-sm text-quiet">{reviewsLabel(production)}</p>
      <div>
        <div className="flex flex-wrap items-baseline gap-x-2">
          <p className="font-display text-4xl font-bold text-signal tabular-nums">{formatPrice(product)}</p>
          {minimum > 1 && <p className="text-quiet">each</p>}
        </div>
        {minimum > 1 && (
          <p className="mt-1 text-lg font-semibold tabular-nums">
            {formatDollars(minimumOrderPrice(product.price, minimum))} for {minimum.toLocaleString('en-US')}{' '}
            (minimum order)
          </p>
        )}
      </div>
      <DescriptionList
        items={[
          { name: 'Minimum order', value: formatPieces(product.minimum) },
          { name: 'In stock', value: product.quantity === 0 ? noStock : formatPieces(product.quantity) },
          { name: 'Origin', value: product.category },
        ]}
      />
    </div>
  )
}

export const frameClass = 'rounded-card border border-line bg-surface'
/** The displayed width of the large picture of a product page. */
export const pictureSizes = '(width < 48rem) calc(100vw - 4.125rem), (width < 68.75rem) 45vw, 40rem'

/** The large picture of a product page, the first to be loaded. */
export function ProductPicture({ image, alt }: { image: string; alt: string }) {
  return (
    <div className={`${frameClass} p-2 md:p-8`}>
      <ProductImage
        src={image}
        sizes={pictureSizes}
        alt={alt}
        fetchPriority="high"
        className="product-picture"
      />
    </div>
  )
}
