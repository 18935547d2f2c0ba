import type { NewProduct } from '../../contract/catalog.ts'
import { ProductForm } from '../features/catalog/product-form.tsx'
import { useAddProduct } from '../features/catalog/queries.ts'
import { PageHead } from '../ui/page-head.tsx'
import { showToast } from '../ui/toasts.tsx'

export const meta = () => ({ title: 'Add Product' })

export default function AddProduct() {
  const add = useAddProduct()
  const save = async (product: NewProduct) => {
    await add.mutateAsync(product)
    showToast('success', 'Product Uploaded Successfully')
  }
  return (
    <>
      <PageHead title="Add Product" />
      <ProductForm submitLabel="Add Product" save={save} />
    </>
  )
}
