import type { Product } from '../../../contract/catalog.ts'
import { listLink } from './list-links.ts'

const step = 'inline-flex min-h-11 items-center font-semibold text-signal underline md:min-h-8'

/** Breadcrumb of a product: all products, its kind, the product. */
export function ProductTrail({ product: { name, kind } }: { product: Product }) {
  return (
    <nav aria-label="Breadcrumb" className="py-4 text-sm md:py-6">
      <ol className="flex flex-wrap items-center gap-x-3">
        <li>
          <a href="/products" className={step}>
            Products
          </a>
        </li>
        {kind && (
          <li className="flex items-center gap-3">
            <span aria-hidden="true">/</span>
            <a href={listLink('', { kind })} className={step}>
              {kind}
            </a>
          </li>
        )}
        <li className="flex min-w-0 items-center gap-3 max-md:hidden">
          <span aria-hidden="true">/</span>
          <span aria-current="page" className="max-w-text truncate text-quiet">
            {name}
          </span>
        </li>
      </ol>
    </nav>
  )
}
