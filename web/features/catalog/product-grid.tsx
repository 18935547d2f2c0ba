import { useId } from 'react'
import { withBike } from '../../../contract/bike-urls.ts'
import type { Product } from '../../../contract/catalog.ts'
import { formatPrice, isAvailable, productPath } from '../../../contract/product.ts'
import { ProductImage } from '../../product-image.tsx'
import { categoryFallback } from '../../texts.ts'
import { ArrowIcon } from '../../ui/icons.tsx'
import type { PictureProps } from '../../ui/picture.tsx'
import { FitMark } from '../fit/on-demand.tsx'

interface ProductGridProps {
  products: Product[]
  /** Admins update the products; all others buy them. */
  admin: boolean
  /** Heading level of the names, one below the heading above the grid. */
  heading?: 'h2' | 'h3'
  /** Whether each picture shows if the product fits, and with the name of the bike. */
  fit?: 'hidden' | 'shown' | 'named'
  /** The bike that the list is for: the product pages then judge the fit for it. */
  bike?: number | null
  /** True if the grid is at the top of the page: its first pictures are loaded eagerly. */
  first?: boolean
}

/** Products side by side: two on a phone, or one with a large text, and four on a wide screen. */
export function ProductGrid({
  products,
  admin,
  heading = 'h3',
  first = false,
  bike = null,
  fit = 'hidden',
}: ProductGridProps) {
  return (
    <ul
      className={`grid grid-cols-[repeat(auto-fill,minmax(min(9.5rem,100%),1fr))] gap-2 xs:grid-cols-2 xs:gap-4 md:gap-6
        lg:grid-cols-4 ${products.length === 4 ? '' : 'md:grid-cols-3'}`}
    >
      {products.map((product, index) => (
        <li key={product._id}>
          <ProductCard
            product={product}
            // A wide screen shows four at first. The first one is the largest contentful paint on a phone.
            loading={first && index < 4 ? 'eager' : 'lazy'}
            fetchPriority={first && index === 0 ? 'high' : undefined}
            heading={heading}
            admin={admin}
            fit={fit}
            bike={bike}
          />
        </li>
      ))}
    </ul>
  )
}

interface ProductCardProps
  extends Required<Pick<ProductGridProps, 'admin' | 'heading' | 'bike' | 'fit'>>,
    Pick<PictureProps, 'loading' | 'fetchPriority'> {
  product: Product
}

/** Product card that links to the product page. The name is not truncated; price and action align at the bottom. */
function ProductCard({ product, admin, bike, heading: Heading, fit, ...fetching }: ProductCardProps) {
  const titleId = useId()
  return (
    <article
      aria-labelledby={titleId}
      className="group relative flex h-full flex-col overflow-hidden rounded-card border border-line bg-surface
        transition-colors hover:border-ink focus-within:border-ink"
    >
      <div className="border-b border-line p-3">
        <ProductImage src={product.image} sizes="(width < 68.75rem) 45vw, 18rem" alt="" {...fetching} />
        {fit !== 'hidden' && <FitMark productId={product._id} bike={bike} isNamed={fit === 'named'} />}
      </div>
      <div className="flex grow flex-col px-3 py-3 xs:px-4">
        <p className="label flex flex-wrap justify-between gap-x-3 text-sm text-quiet">
          <span>{product.category ?? categoryFallback}</span>
          {!isAvailable(product.quantity, product.minimum) && <span className="text-bad">Out of stock</span>}
        </p>
        <Heading id={titleId} className="mt-1 mb-3 min-h-12 leading-6 font-semibold wrap-anywhere">
          <a
            href={withBike(productPath(product), bike)}
            className="after:absolute after:inset-0 after:rounded-card"
          >
            {product.name}
          </a>
        </Heading>
        {product.matchedNumber && (
          <p className="mb-3 text-sm text-quiet wrap-anywhere">{product.matchedNumber}</p>
        )}
        <div className="mt-auto flex flex-wrap items-baseline justify-between gap-x-3">
          <p className="font-display text-2xl font-bold tabular-nums">{formatPrice(product)}</p>
          <p className="text-sm text-quiet tabular-nums">Min. order {product.minimum}</p>
        </div>
      </div>
      {/* Both actions have the same size, so swapping them causes no layout shift. */}
      <a
        href={admin ? `/dashboard/update-product/${product._id}` : withBike(`/purchase/${product._id}`, bike)}
        aria-describedby={titleId}
        className="relative flex min-h-12 items-center justify-between border-t border-line bg-shade px-3 xs:px-4 font-display text-lg
          font-semibold tracking-wide transition-colors -outline-offset-3 hover:bg-signal hover:text-white
          focus-visible:bg-signal focus-visible:text-white focus-visible:outline-ink"
      >
        {admin ? 'Update' : 'Buy Now'}
        <ArrowIcon className="size-5 text-signal transition-transform group-hover:translate-x-0.5 [a:hover>&]:text-white [a:focus-visible>&]:text-white" />
      </a>
    </article>
  )
}
