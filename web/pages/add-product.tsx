import { useState } from 'react'
import type { NewProduct } from '../../contract/catalog.ts'
import type { UnsavedPart } from '../draft.ts'
import { ProductForm } from '../features/catalog/product-form.tsx'
import { useAddProduct } from '../features/catalog/queries.ts'
import { LeaveQuestion } from '../ui/leave-question.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { showToast } from '../ui/toasts.tsx'

export const meta = () => ({ title: 'Add Product' })

export default function AddProduct() {
  const add = useAddProduct()
  const [unsaved, setUnsaved] = useState<UnsavedPart | null>(null)
  const [added, setAdded] = useState<{ id: string; name: string } | null>(null)
  const save = async (product: NewProduct) => {
    const { insertedId: id } = await add.mutateAsync(product)
    setAdded({ id, name: product.name })
    showToast('success', 'Product Uploaded Successfully')
  }
  return (
    <>
      <PageHead title="Add Product" />
      <ProductForm submitLabel="Add Product" save={save} report={setUnsaved} />
      {added && (
        <p className="mt-4 wrap-anywhere">
          <a href={`/dashboard/edit-product/${added.id}`} className="font-semibold text-signal underline">
            Edit {added.name}
          </a>
          : sizes, fitment, certificates and part numbers.
        </p>
      )}
      <LeaveQuestion isUnsaved={unsaved !== null} />
    </>
  )
}
