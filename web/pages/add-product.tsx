import { AddProductForm } from '../features/catalog/add-product-form.tsx'
import { pageMeta } from '../router/page.ts'
import { PageHead } from '../ui/page-head.tsx'

export const meta = () => pageMeta('Add Product')

export default function AddProduct() {
  return (
    <>
      <PageHead title="Add Product" />
      <AddProductForm />
    </>
  )
}
