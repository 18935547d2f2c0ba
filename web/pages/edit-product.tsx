import { useQuery } from '@tanstack/react-query'
import { EditProductForm } from '../features/catalog/edit-product-form.tsx'
import { ProductMissing } from '../features/catalog/product-missing.tsx'
import { productQuery } from '../features/catalog/queries.ts'
import { navigate } from '../router/navigation.ts'
import { type PageProps, pageMeta } from '../router/page.ts'
import { LinkButton } from '../ui/link-button.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { FullSpinner } from '../ui/spinner.tsx'

export const meta = () => pageMeta('Edit Product')

export default function EditProduct({ params: { id } }: PageProps<null, 'id'>) {
  const product = useQuery(productQuery(id))
  if (product.data) {
    return (
      <>
        <PageHead title="Edit Product" />
        <EditProductForm
          key={id}
          product={product.data}
          onSaved={() => navigate(`/dashboard/update-product/${id}`)}
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
        action={<LinkButton href="/dashboard/manage-products">Manage Products</LinkButton>}
      />
    </div>
  )
}
