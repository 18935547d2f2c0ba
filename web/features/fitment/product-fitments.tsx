import { maxFitmentsOnProductPage } from '../../../contract/bike-urls.ts'
import type { Product } from '../../../contract/catalog.ts'
import type { ProductFit } from '../../../contract/fit.ts'
import { fitmentPath } from '../../../contract/product.ts'
import { SectionHead } from '../../ui/page-head.tsx'
import { DemoNotice } from '../fit/demo-notice.tsx'
import { FitmentTable } from './fitment-table.tsx'
import { PartNumbers } from './part-numbers.tsx'

interface ProductFitmentsProps {
  product: Product
  fit: ProductFit
}

/** The part numbers of a product, and the first bikes that it fits. */
export function ProductFitments({ product, fit }: ProductFitmentsProps) {
  return (
    <>
      {(product.partNumbers || product.replacedBy || product.replaces) && <PartNumbers product={product} />}
      {fit.total > 0 && <Fitments product={product} fit={fit} />}
    </>
  )
}

function Fitments({ product, fit: { complete, fitments, total } }: ProductFitmentsProps) {
  return (
    <section aria-labelledby="bikes" className="flex flex-col gap-4 pt-14 md:pt-20">
      <SectionHead id="bikes" title="Fits these bikes" />
      <FitmentTable fitments={fitments} />
      {total > maxFitmentsOnProductPage && (
        <p>
          <a href={fitmentPath(product)} className="font-semibold text-signal underline">
            All {total.toLocaleString('en-US')} entries
          </a>
        </p>
      )}
      <CompletenessNote complete={complete} />
      <DemoNotice />
    </section>
  )
}

export function CompletenessNote({ complete }: { complete: boolean }) {
  return (
    <p className="max-w-text text-quiet">
      {complete
        ? 'The list of bikes is complete: this part fits no other bike.'
        : 'This list may be incomplete. For other bikes, compare the part number or the dimensions before you order.'}
    </p>
  )
}
