import { useQuery } from '@tanstack/react-query'
import { ProductDetail } from '../features/catalog/product-detail.tsx'
import { ProductMissing } from '../features/catalog/product-missing.tsx'
import { productQuery } from '../features/catalog/queries.ts'
import { type PageProps, pageMeta } from '../router/page.ts'
import { LinkButton } from '../ui/link-button.tsx'
import { FullSpinner } from '../ui/spinner.tsx'

export const meta = () => pageMeta('Update Product')

export default function UpdateProduct({ params }: PageProps<null, 'id'>) {
  const product = useQuery(productQuery(params.id))
  if (product.isError && !product.data) {
    return (
      <div className="py-10">
        <ProductMissing
          error={product.error}
          onRetry={() => void product.refetch()}
          action={<LinkButton href="/dashboard/manage-products">Manage Products</LinkButton>}
        />
      </div>
    )
  }
  if (!product.data) return <FullSpinner />
  return (
    <div className="flex flex-col items-start gap-6 py-8 md:py-12">
      <div className="flex w-full flex-wrap items-center justify-between gap-4">
        <a href="/dashboard/manage-products" className="font-semibold text-signal underline">
          Manage Products
        </a>
        <LinkButton href={`/dashboard/edit-product/${params.id}`} variant="quiet">
          Edit
        </LinkButton>
      </div>
      <ProductDetail key={params.id} product={product.data} heading="h1" />
    </div>
  )
}
