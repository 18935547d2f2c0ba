import type { ProductFit } from '../../../contract/fit.ts'
import { productPath } from '../../../contract/product.ts'

/** Link to the product that replaces this one. Renders nothing if there is none. */
export function ReplacementLink({ replacedBy }: Pick<ProductFit, 'replacedBy'>) {
  if (!replacedBy) return null
  const { sku, name } = replacedBy
  return (
    <p className="rounded-card border border-line bg-surface p-4 wrap-anywhere">
      Replaced by{' '}
      <a href={productPath(replacedBy)} className="font-semibold text-signal underline">
        {sku ? `${sku}, ${name}` : name}
      </a>
    </p>
  )
}
