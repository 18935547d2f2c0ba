import { type ReactNode, useId } from 'react'
import { isAvailable } from '../../../contract/availability.ts'
import type { Product } from '../../../contract/catalog.ts'
import { formatDollars } from '../../../contract/money.ts'
import { pictureSources } from '../../../contract/pictures.ts'
import { productPath } from '../../../contract/product-path.ts'
import { categoryFallback } from '../../texts.ts'
import { Picture, type PictureProps } from '../../ui/picture.tsx'

export interface ProductCardProps {
  product: Product
  /** What one can do with the product; it is told which element names it. */
  action: (titleId: string) => ReactNode
  /** How soon its picture is fetched: when it is near, unless told otherwise. */
  fetching?: Pick<PictureProps, 'loading' | 'fetchPriority'>
  /** The level of its heading, one below that of what it stands under. */
  heading?: 'h2' | 'h3'
}

/** A product at a glance; all of it but the action leads to the product's page. The name is shown whole: price and action line up at the foot. */
export function ProductCard({
  product,
  action,
  fetching = { loading: 'lazy' },
  heading: Heading = 'h3',
}: ProductCardProps) {
  const titleId = useId()
  return (
    <article
      aria-labelledby={titleId}
      className="group relative flex h-full flex-col overflow-hidden rounded-card border border-line bg-surface
        transition-colors hover:border-ink focus-within:border-ink"
    >
      <div className="border-b border-line p-3">
        <Picture
          src={product.image}
          sources={pictureSources(product.image)}
          sizes="(width < 30rem) calc(100vw - 3.625rem), (width < 48rem) 45vw, (width < 68.75rem) 30vw, 18rem"
          alt=""
          {...fetching}
        />
      </div>
      <div className="flex grow flex-col px-4 pt-3 pb-4">
        <p className="label flex justify-between gap-3 text-sm text-quiet">
          <span>{product.category ?? categoryFallback}</span>
          {!isAvailable(product.quantity, product.minimum) && <span className="text-bad">Out of stock</span>}
        </p>
        <Heading id={titleId} className="mt-1 mb-3 min-h-12 leading-6 font-semibold wrap-anywhere">
          <a href={productPath(product)} className="after:absolute after:inset-0 after:rounded-card">
            {product.name}
          </a>
        </Heading>
        <div className="mt-auto flex items-baseline justify-between gap-3">
          <p className="font-display text-2xl font-bold tabular-nums">{formatDollars(product.price)}</p>
          <p className="text-sm text-quiet tabular-nums">Min. order {product.minimum}</p>
        </div>
      </div>
      {action(titleId)}
    </article>
  )
}
