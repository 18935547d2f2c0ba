import { maxFitmentsOnProductPage } from '../../../contract/bikes.ts'
import type { ProductFit } from '../../../contract/fitment.ts'
import { fitmentPath } from '../../../contract/product.ts'
import { SectionHead } from '../../ui/page-head.tsx'
import { DemoNotice } from './demo-notice.tsx'
import { FitmentTable } from './fitment-table.tsx'
import { ReplacementLink } from './replacement-link.tsx'

interface ProductFitmentsProps {
  product: { _id: string; name: string }
  fit: ProductFit
}

/** The first bikes that a product fits, and the product that replaces it. */
export function ProductFitments({
  product,
  fit: { complete, fitments, total, replacedBy },
}: ProductFitmentsProps) {
  if (total === 0) return <ReplacementLink replacedBy={replacedBy} />
  return (
    <section aria-labelledby="bikes" className="flex flex-col gap-4 pt-14 md:pt-20">
      <SectionHead id="bikes" title="Fits these bikes" />
      <ReplacementLink replacedBy={replacedBy} />
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
