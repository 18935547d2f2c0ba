import type { Product } from '../../../contract/catalog.ts'
import { listLink } from './list-links.ts'

interface ProductTrailProps {
  product: Product
  /** URL of the product, on another page about it. */
  productHref?: string
}

/** Breadcrumb of a product: all products, its kind, the product. */
export function ProductTrail({ product: { name, kind }, productHref }: ProductTrailProps) {
  const all = { name: 'Products', href: '/products' }
  const lists = kind ? [all, { name: kind, href: listLink('', { kind }) }] : [all]
  const links = productHref ? [...lists, { name, href: productHref }] : lists
  return (
    <nav aria-label="Breadcrumb" className="pt-1 text-sm md:py-6">
      <ol className="flex flex-wrap items-center gap-x-3">
        {links.map((link, index) => (
          <li key={link.href} className="flex min-w-0 items-center gap-3">
            {index > 0 && <span aria-hidden="true">/</span>}
            <a
              href={link.href}
              className="inline-flex min-h-11 min-w-0 items-center font-semibold wrap-anywhere text-signal underline pointer-fine:min-h-8"
            >
              {link.name}
            </a>
          </li>
        ))}
        {!productHref && (
          <li className="flex min-w-0 items-center gap-3 max-md:hidden">
            <span aria-hidden="true">/</span>
            <span aria-current="page" className="max-w-text truncate text-quiet">
              {name}
            </span>
          </li>
        )}
      </ol>
    </nav>
  )
}
