import type { Product } from '../../../contract/catalog.ts'
import { ProductAction } from './product-action.tsx'
import { ProductCard, type ProductCardProps } from './product-card.tsx'

export interface ProductGridProps extends Pick<ProductCardProps, 'heading'> {
  products: Product[]
  admin: boolean
  /** True if the grid is at the top of the page: its first pictures are loaded eagerly. */
  first?: boolean
}

/** The first picture is the largest contentful paint on a phone; a wide screen shows four at first. */
const fetchOptions = (index: number): ProductCardProps['fetching'] =>
  index === 0 ? { loading: 'eager', fetchPriority: 'high' } : { loading: index < 4 ? 'eager' : 'lazy' }

/** Products side by side: one column on a phone, four on a wide screen. */
export function ProductGrid({ products, admin, heading, first = false }: ProductGridProps) {
  return (
    <ul className="grid gap-4 xs:grid-cols-2 md:grid-cols-3 md:gap-6 lg:grid-cols-4">
      {products.map((product, index) => (
        <li key={product._id}>
          <ProductCard
            product={product}
            fetching={first ? fetchOptions(index) : undefined}
            heading={heading}
            action={(titleId) => <ProductAction productId={product._id} admin={admin} titleId={titleId} />}
          />
        </li>
      ))}
    </ul>
  )
}
