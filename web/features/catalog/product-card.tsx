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
  /** Renders the action. `titleId` is the id of the heading with the product name. */
  action: (titleId: string) => ReactNode
  /** Loading attributes of the picture; lazy by default. */
  fetching?: Pick<PictureProps, 'loading' | 'fetchPriority'>
  /** Heading level, one below the heading above the card. */
  heading?: 'h2' | 'h3'
}

/** Product card that links to the product page. The name is not truncated; price and action align at the bottom. */
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
