import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { ProductDetail } from '../features/catalog/product-detail.tsx'
import { ProductMissing } from '../features/catalog/product-missing.tsx'
import { productQuery } from '../features/catalog/queries.ts'
import { pageMeta } from '../shell/page-meta.ts'
import { LinkButton } from '../ui/link-button.tsx'
import { FullSpinner } from '../ui/spinner.tsx'
import type { Route } from './+types/update-product'

export const meta = () => pageMeta('Update Product')

export default function UpdateProduct({ params }: Route.ComponentProps) {
  const product = useQuery(productQuery(params.id))
  if (product.isError && !product.data) {
    return (
      <div className="py-10">
        <ProductMissing
          error={product.error}
          onRetry={() => void product.refetch()}
          action={<LinkButton to="/dashboard/manage-products">Manage Products</LinkButton>}
        />
      </div>
    )
  }
  if (!product.data) return <FullSpinner />
  return (
    <div className="flex flex-col items-start gap-6 py-8 md:py-12">
      <div className="flex w-full flex-wrap items-center justify-between gap-4">
        <Link to="/dashboard/manage-products" className="font-semibold text-signal underline">
          Manage Products
        </Link>
        <LinkButton to={`/dashboard/edit-product/${params.id}`} look="quiet">
          Edit
        </LinkButton>
      </div>
      <ProductDetail key={params.id} product={product.data} heading="h1" />
    </div>
  )
}
