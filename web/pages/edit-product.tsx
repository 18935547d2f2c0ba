import { useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { EditProductForm } from '../features/catalog/edit-product-form.tsx'
import { ProductMissing } from '../features/catalog/product-missing.tsx'
import { productQuery } from '../features/catalog/queries.ts'
import { pageMeta } from '../shell/page-meta.ts'
import { LinkButton } from '../ui/link-button.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { FullSpinner } from '../ui/spinner.tsx'
import type { Route } from './+types/edit-product'

export const meta = () => pageMeta('Edit Product')

export default function EditProduct({ params: { id } }: Route.ComponentProps) {
  const product = useQuery(productQuery(id))
  const navigate = useNavigate()
  if (product.data) {
    return (
      <>
        <PageHead title="Edit Product" />
        <EditProductForm
          key={id}
          product={product.data}
          onSaved={() => void navigate(`/dashboard/update-product/${id}`)}
        />
      </>
    )
  }
  if (!product.isError) return <FullSpinner />
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
