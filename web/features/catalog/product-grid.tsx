import type { Product } from '../../../contract/catalog.ts'
import { ProductAction } from './product-action.tsx'
import { ProductCard } from './product-card.tsx'

/** Products side by side: one column on a phone, four on a wide screen. */
export function ProductGrid({ products, admin }: { products: Product[]; admin: boolean }) {
  return (
    <ul className="grid gap-4 xs:grid-cols-2 md:grid-cols-3 md:gap-6 lg:grid-cols-4">
      {products.map((product, index) => (
        <li key={product._id}>
          <ProductCard
            product={product}
            first={index < 4}
            action={(titleId) => <ProductAction productId={product._id} admin={admin} titleId={titleId} />}
          />
        </li>
      ))}
    </ul>
  )
}
