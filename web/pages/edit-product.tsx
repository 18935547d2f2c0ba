import { useState } from 'react'
import { EditedProduct, type NewProduct, type Product } from '../../contract/catalog.ts'
import { CertificatesEditor } from '../features/catalog/certificates-editor.tsx'
import { FitmentsEditor } from '../features/catalog/fitments-editor.tsx'
import { LoadedProduct } from '../features/catalog/loaded-product.tsx'
import { PartNumbersEditor } from '../features/catalog/part-numbers-editor.tsx'
import { ProductForm } from '../features/catalog/product-form.tsx'
import { useEditProduct } from '../features/catalog/queries.ts'
import { VariantsEditor } from '../features/catalog/variants-editor.tsx'
import { navigate } from '../router/navigation.ts'
import type { PageProps } from '../router/page.ts'
import { PageHead } from '../ui/page-head.tsx'
import { showToast } from '../ui/toasts.tsx'

export const meta = () => ({ title: 'Edit Product' })

export default function EditProduct({ params: { id } }: PageProps<null, 'id'>) {
  const edit = useEditProduct(id)
  const [hasUnsavedOptions, setUnsavedOptions] = useState(false)
  const [hasUnsavedFitments, setUnsavedFitments] = useState(false)
  const [hasUnsavedNumbers, setUnsavedNumbers] = useState(false)
  const save = async ({ sku, gtin, ...values }: NewProduct, options: Product['options']) => {
    const own = options === 'variants' ? {} : { sku, gtin }
    await edit.mutateAsync(EditedProduct.parse({ ...values, ...own }))
    showToast('success', 'Product Saved')
    // The page stays open while it has other changes to save.
    if (!hasUnsavedOptions && !hasUnsavedFitments && !hasUnsavedNumbers)
      navigate(`/dashboard/update-product/${id}`)
  }
  return (
    <LoadedProduct id={id}>
      {(product) => (
        <>
          <PageHead title="Edit Product" />
          <ProductForm
            key={id}
            product={product}
            submitLabel="Save"
            save={(values) => save(values, product.options)}
          />
          <VariantsEditor key={`options-${id}`} product={product} onDirty={setUnsavedOptions} />
          <CertificatesEditor key={`certificates-${id}`} product={product} />
          <FitmentsEditor key={`fitments-${id}`} product={product} onDirty={setUnsavedFitments} />
          <PartNumbersEditor key={`numbers-${id}`} product={product} onDirty={setUnsavedNumbers} />
        </>
      )}
    </LoadedProduct>
  )
}
