import { EditedProduct, type NewProduct } from '../../contract/catalog.ts'
import { LoadedProduct } from '../features/catalog/loaded-product.tsx'
import { ProductForm } from '../features/catalog/product-form.tsx'
import { useEditProduct } from '../features/catalog/queries.ts'
import { navigate } from '../router/navigation.ts'
import type { PageProps } from '../router/page.ts'
import { PageHead } from '../ui/page-head.tsx'
import { showToast } from '../ui/toasts.tsx'

export const meta = () => ({ title: 'Edit Product' })

export default function EditProduct({ params: { id } }: PageProps<null, 'id'>) {
  const edit = useEditProduct(id)
  const save = async (values: NewProduct) => {
    await edit.mutateAsync(EditedProduct.parse(values))
    showToast('success', 'Product Saved')
    navigate(`/dashboard/update-product/${id}`)
  }
  return (
    <LoadedProduct id={id}>
      {(product) => (
        <>
          <PageHead title="Edit Product" />
          <ProductForm key={id} product={product} submitLabel="Save" save={save} />
        </>
      )}
    </LoadedProduct>
  )
}
