import { fitmentPath, productPath } from '../../contract/product.ts'
import { DemoNotice } from '../features/fit/demo-notice.tsx'
import { FitmentTable } from '../features/fitment/fitment-table.tsx'
import { CompletenessNote } from '../features/fitment/product-fitments.tsx'
import type { LoaderData, loadProductFitment } from '../loaders/bikes.ts'
import type { PageProps } from '../router/page.ts'
import { LinkButton } from '../ui/button.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { PagesNav } from '../ui/pages-nav.tsx'
import { EmptyState } from '../ui/states.tsx'

export const parameters = ['page'] as const

type Data = LoaderData<typeof loadProductFitment>

/** Without a canonical path: the page is not indexed. */
export const meta = (data: Data) => ({
  title: data === null ? 'Product not found' : `Bikes: ${data.product.name}`,
})

export default function ProductFitment({ data }: PageProps<Data>) {
  if (data === null) {
    return (
      <div className="page-width py-16">
        <EmptyState
          wholePage
          title="Page not found"
          action={<LinkButton href="/products">Browse the products</LinkButton>}
        >
          Check the spelling of the address.
        </EmptyState>
      </div>
    )
  }
  const { product, fit, page, pages } = data
  return (
    <div className="page-width flex flex-col gap-6 pb-12">
      <PageHead
        title="Fits these bikes"
        note={
          <a href={productPath(product)} className="font-semibold text-signal underline">
            {product.name}
          </a>
        }
      />
      <FitmentTable fitments={fit.fitments} />
      <PagesNav
        page={page}
        pages={pages}
        link={(number) => fitmentPath(product) + (number > 1 ? `?page=${number}` : '')}
      />
      <CompletenessNote complete={fit.complete} />
      <DemoNotice />
    </div>
  )
}
